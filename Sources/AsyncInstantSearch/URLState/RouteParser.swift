/// Reads the query of a URL with nested names, as the `qs` library for JavaScript does.
///
/// `a[b][0]=x` is an object with a list. An index above 99 is the name of a member. Text outside of
/// the brackets is ignored, and a key without a name is skipped. A repeated key makes a list. A
/// problem reports each such loss.
///
/// The time is linear in the length of the query: keys have at most ``maximumDepth`` names in
/// brackets, of which the last has the rest of the key, and the parameters are limited in number.
///
/// Unlike `qs`, it keeps names that are properties of every JavaScript object, such as
/// `constructor`.
package struct RouteParser {
  /// The maximum number of names in brackets; the rest is one name.
  package static let maximumDepth = 5
  /// The maximum index of a list.
  package static let maximumIndex = 99

  /// The parameters that were not read, or that may have been misread.
  package private(set) var problems: [UIState.Problem] = []

  /// The keys in the order in which they occur first.
  private var keys: [String] = []
  private var texts: [String: [String]] = [:]
  private let maximumCount: Int
  private var count = 0

  /// Creates a parser.
  ///
  /// - Parameter maximumCount: The maximum number of parameters.
  package init(maximumCount: Int) {
    self.maximumCount = max(0, maximumCount)
  }

  /// Reads a query that is percent-encoded.
  package mutating func read(_ query: String) {
    guard !query.isEmpty else { return }
    var rest = Array(query.utf8)[...]
    while true {
      let end = rest.firstIndex(of: UInt8(ascii: "&"))
      let part = rest[..<(end ?? rest.endIndex)]
      if count == maximumCount {
        let left = 1 + rest.count { $0 == UInt8(ascii: "&") }
        reportTooMany(count + left)
        return
      }
      count += 1
      addPart(part)
      guard let end else { return }
      rest = rest[(end + 1)...]
    }
  }

  /// Reads items that are not percent-encoded.
  mutating func read(_ items: [QueryItem]) {
    for item in items.prefix(maximumCount) { add(item.value, key: item.name) }
    if items.count > maximumCount { reportTooMany(items.count) }
  }

  /// Returns the tree of the values that were read.
  package mutating func finish() -> [String: RouteValue] {
    let root = RouteNode(.object)
    // JavaScript enumerates names that are indices first.
    let indices = keys.compactMap { key in RouteNames.index(key).map { (index: $0, key: key) } }
    let sorted = indices.sorted { $0.index < $1.index }.map(\.key)
    for key in sorted + keys.filter({ RouteNames.index($0) == nil }) {
      insert(texts[key] ?? [], key: key, into: root)
    }
    return root.members.mapValues(\.value)
  }

  private mutating func addPart(_ part: ArraySlice<UInt8>) {
    guard !part.isEmpty else { return }
    let bracket = part.firstByteRange(of: Array("]=".utf8))
    guard let equals = bracket.map({ $0.lowerBound + 1 }) ?? part.firstIndex(of: UInt8(ascii: "="))
    else {
      add("", key: Self.decoded(part))
      return
    }
    add(Self.decoded(part[(equals + 1)...]), key: Self.decoded(part[..<equals]))
  }

  private mutating func add(_ text: String, key: String) {
    guard !key.isEmpty else {
      report([], text, "a name before the value")
      return
    }
    if texts[key] == nil { keys.append(key) }
    texts[key, default: []].append(text)
  }

  /// Decodes a component. Invalid percent-encoding is kept unchanged.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = PercentEncoding.decode(bytes, plusIsSpace: true, check: { _ in }) { return text }
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: spaced, as: UTF8.self)
  }

  private mutating func insert(_ texts: [String], key: String, into root: RouteNode) {
    let path = RouteKey(key)
    if path.hasIgnoredText {
      report([key], texts.first ?? "", "nothing outside of the brackets of the key")
    }
    var value: RouteNode
    if texts.count == 1 {
      value = RouteNode(text: texts[0])
    } else {
      value = RouteNode(.list)
      for text in texts { value.append(RouteNode(text: text)) }
    }
    for name in path.names.reversed() { value = RouteNode(value, named: name) }
    var losses: [String] = []
    _ = RouteNode.merge(value, into: root, losses: &losses)
    for text in losses {
      report([key], text, "either one value or values with further names")
    }
  }

  private mutating func reportTooMany(_ found: Int) {
    report([], "\(found) parameters", "at most \(maximumCount) parameters")
  }

  private mutating func report(_ path: [String], _ text: String, _ expected: String) {
    problems.append(UIState.Problem(path: path, text: text, expected: expected))
  }
}

/// The names of a key such as `a[b][0]`.
package struct RouteKey {
  package enum Name {
    /// The name of a member, which is never an index.
    case member(String)
    /// An index of a list.
    case index(Int)
    /// The empty brackets, which are the end of a list.
    case end
  }

  package private(set) var names: [Name] = []
  /// Whether text between the brackets or after them was ignored.
  package private(set) var hasIgnoredText = false

  /// Divides a key in time linear in its length.
  package init(_ key: String) {
    let bytes = Array(key.utf8)
    var open: Int?
    var end = 0
    var position = 0
    var bracketCount = 0
    while position < bytes.count {
      defer { position += 1 }
      if bytes[position] == UInt8(ascii: "[") {
        open = position
      } else if bytes[position] == UInt8(ascii: "]"), let start = open {
        open = nil
        if bracketCount == 0 {
          if start > 0 { names.append(.member(Self.text(bytes[..<start]))) }
        } else if start > end {
          hasIgnoredText = true
        }
        if bracketCount == RouteParser.maximumDepth {
          names.append(.member(Self.text(bytes[start...])))
          return
        }
        bracketCount += 1
        names.append(Self.name(bytes[(start + 1)..<position]))
        end = position + 1
      }
    }
    if bracketCount == 0 {
      names.append(.member(key))
    } else if end < bytes.count {
      hasIgnoredText = true
    }
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> Name {
    if bytes.isEmpty { return .end }
    let text = text(bytes)
    guard let index = RouteNames.index(text), index <= RouteParser.maximumIndex else {
      return .member(text)
    }
    return .index(index)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
