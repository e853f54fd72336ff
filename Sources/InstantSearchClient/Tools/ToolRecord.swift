/// A record as tools show it: without the members that a search adds, and with bounds for every
/// text, list and depth, so that no record fills the memory of a model.
struct ToolRecord {
  /// The bounds of a record.
  struct Bounds: Sendable {
    /// The longest text, in characters.
    var textLength: Int
    /// The most elements of a list.
    var elementCount: Int
    /// The bytes of the whole record, above which attributes are left out.
    var byteCount: Int
    /// Whether the record is a text of JSON in another value, where more characters are escaped.
    var isText = false

    /// A hit among others.
    static let hit = Bounds(textLength: 300, elementCount: 20, byteCount: 4_000)
    /// A record that is read alone.
    static let record = Bounds(
      textLength: 8_000, elementCount: 200, byteCount: 32_000, isText: true)
  }

  /// The bounded members.
  private(set) var members: [String: JSON]
  /// Whether something was cut or left out.
  private(set) var isCut = false

  private static let maximumDepth = 5

  /// Creates a record from the members of a hit.
  ///
  /// What does not fit is left out: the title and the address of the index come first, then its
  /// attributes in their order, then others by name.
  init(_ hit: Hit<JSON>, _ bounds: Bounds, _ index: SearchTool.Index) {
    let objectID = hit.objectID.cut(to: ToolArguments.maximumTextLength)
    members = ["objectID": .string(objectID ?? hit.objectID)]
    isCut = objectID != nil
    let first = [index.titleAttribute, index.urlAttribute].compactMap(\.self) + index.attributes
    var ranks: [String: Int] = [:]
    for (rank, name) in first.enumerated() where ranks[name] == nil { ranks[name] = rank }
    let sorted = (hit.object.objectValue ?? [:]).sorted {
      (ranks[$0.key] ?? .max, $0.key) < (ranks[$1.key] ?? .max, $1.key)
    }
    var budget = ByteBudget(bounds.byteCount, isText: bounds.isText)
    for (name, value) in sorted where !Self.addedMembers.contains(name) && name != "objectID" {
      let value = bounded(value, bounds, depth: 0)
      guard budget.takes(value, named: name) else {
        isCut = true
        continue
      }
      members[name] = value
    }
  }

  /// The members that a search adds to a record.
  private static let addedMembers: Set<String> = [
    "_highlightResult", "_snippetResult", "_rankingInfo", "_distinctSeqID", "_highlights",
  ]

  private mutating func bounded(_ value: JSON, _ bounds: Bounds, depth: Int) -> JSON {
    switch value {
    case .string(let text):
      guard let cut = text.cut(to: bounds.textLength) else { return value }
      isCut = true
      return .string(cut)
    case .array(let elements):
      if depth == Self.maximumDepth || elements.count > bounds.elementCount { isCut = true }
      if depth == Self.maximumDepth { return .null }
      return .array(
        elements.prefix(bounds.elementCount).map { bounded($0, bounds, depth: depth + 1) })
    case .object(let members):
      if depth == Self.maximumDepth || members.count > bounds.elementCount { isCut = true }
      if depth == Self.maximumDepth { return .null }
      let kept = members.sorted { $0.key < $1.key }.prefix(bounds.elementCount)
      return .object(
        Dictionary(uniqueKeysWithValues: kept.map { ($0, bounded($1, bounds, depth: depth + 1)) }))
    default: return value
    }
  }
}

/// The bytes that a part of an output may have.
struct ByteBudget {
  private var rest: Int
  private let isText: Bool

  /// Creates a budget.
  ///
  /// - Parameter isText: Whether the values are part of a text in JSON. Defaults to `false`.
  init(_ count: Int, isText: Bool = false) {
    rest = count
    self.isText = isText
  }

  /// Takes the bytes of a value with its name, as they are written, and returns whether there were
  /// enough.
  mutating func takes(_ value: JSON, named name: String = "") -> Bool {
    let written = JSON.object([name: value])
    let count = isText ? JSON.string(written.text).bytes.count : written.bytes.count
    guard count <= rest else { return false }
    rest -= count
    return true
  }
}

extension Hit where T == JSON {
  /// The attributes with a match, each with the parts that match, marked by `**`.
  func marked(_ bounds: ToolRecord.Bounds) -> [String: JSON] {
    guard case .dictionary(let members) = snippetResult else { return [:] }
    var result: [String: JSON] = [:]
    var budget = ByteBudget(bounds.byteCount / 2)
    for (name, tree) in members.sorted(by: { $0.key < $1.key }) {
      let parts = tree.leaves.filter { $0.matchLevel != .none }.prefix(3).map { leaf in
        let text = leaf.value.tagged(pre: "**", post: "**")
        return JSON.string(text.cut(to: bounds.textLength) ?? text)
      }
      guard let first = parts.first else { continue }
      let value = parts.count == 1 ? first : JSON.array(Array(parts))
      if budget.takes(value, named: name) { result[name] = value }
    }
    return result
  }

  /// The name of the record: the value of an attribute, or its ID.
  func title(_ attribute: String?) -> String {
    let text = attribute.flatMap { object.value(at: $0) }?.shortText ?? ""
    return text.isEmpty ? objectID : text.cut(to: 200) ?? text
  }

  /// The address of the record, if it has one for the web.
  func url(_ attribute: String?) -> String {
    guard let text = attribute.flatMap({ object.value(at: $0) })?.stringValue,
      text.utf8.count <= 1_000, text.hasPrefix("https://") || text.hasPrefix("http://"),
      !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
    else { return "" }
    return text
  }
}

extension JSON {
  /// The value at a path of names joined by dots.
  func value(at path: String) -> JSON? {
    if let value = self[path] { return value }
    for point in path.indices where path[point] == "." {
      let rest = String(path[path.index(after: point)...])
      if let value = self[String(path[..<point])]?.value(at: rest) { return value }
    }
    return nil
  }

  /// The value as a short text: a text, a number, or the first text of a list.
  fileprivate var shortText: String? {
    switch self {
    case .string(let text): text
    case .array(let elements): elements.first?.shortText
    case .int, .uint, .double, .number, .bool: text
    case .null, .object: nil
    }
  }
}

extension String {
  /// The beginning of the text with an ellipsis; `nil` if the text is not longer.
  func cut(to length: Int) -> String? {
    // By Unicode scalars: a character can have any number of them.
    guard utf8.count > length,
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: length, limitedBy: unicodeScalars.endIndex),
      end != unicodeScalars.endIndex
    else { return nil }
    return String(self[..<end]) + "…"
  }
}
