import SearchJSON

/// What a hit has beside its record, as far as it was not read yet.
///
/// Highlights, snippets, ranking information and places stay in the answer's document until somebody
/// asks for them: a page whose highlights nobody reads does not pay for them.
struct HitMetadata: Sendable {
  var objectID: String
  var highlightResult: ReadLater<TreeModel<HighlightResult>> = .absent
  var snippetResult: ReadLater<TreeModel<SnippetResult>> = .absent
  var rankingInfo: ReadLater<RankingInfo> = .absent
  var geolocation: ReadLater<SingleOrList<Point>> = .absent
  var distinctSeqID: Int?
  var score: Double?
  var position: Int?
  var queryID: String?
}

extension HitMetadata: Hashable {}

extension HitMetadata {
  /// Reads the metadata among the members of a hit.
  ///
  /// - Throws: `DecodingError` for what is no object, or has no ID.
  init(at index: Int, of answer: HitAnswer) throws {
    let document = answer.document
    var objectID: String?
    self.init(objectID: "")
    try document.forEach(of: Self.keys, inObjectAt: index) { key, member in
      switch key {
      case 0: objectID = try Self.objectID(at: member, of: document)
      case 1: highlightResult = .written(answer, index: member)
      case 2: snippetResult = .written(answer, index: member)
      case 3: rankingInfo = .written(answer, index: member)
      case 4: geolocation = .written(answer, index: member)
      case 5: distinctSeqID = document.int(at: member)
      case 6: score = document.double(at: member)
      case 7: position = document.int(at: member)
      default: queryID = document.string(at: member)
      }
    }
    guard let objectID else {
      // Asked for again, for the error.
      _ = try JSONNode(document: document, index: index).required(HitMember.objectID.rawValue)
      return
    }
    self.objectID = objectID
  }

  private static let keys = JSONKeys([
    "objectID", "_highlightResult", "_snippetResult", "_rankingInfo", "_geoloc", "_distinctSeqID",
    "_score", "__position", "__queryID",
  ])

  private static func objectID(at index: Int, of document: JSONDocument) throws -> String {
    if let text = document.string(at: index) { return text }
    guard let number = document.int64(at: index) else {
      throw JSONNode(document: document, index: index).mismatch(String.self)
    }
    return String(number)
  }
}

/// The answer that hits came in, for what is read of it later.
final class HitAnswer: Sendable {
  let document: JSONDocument
  /// The tags of the highlights.
  let tags: HighlightedString.Tags

  init(document: JSONDocument, tags: HighlightedString.Tags) {
    self.document = document
    self.tags = tags
  }
}

/// A value that is read when it is asked for, from the document it came in.
///
/// It is read anew each time. The document stays in memory as long as any value that may still be
/// read from it: the bytes of the answer and a tape of about the same size.
enum ReadLater<Value: ReadableLater>: Sendable {
  case absent
  /// The value at an index of an answer's tape.
  case written(HitAnswer, index: Int)
  indirect case value(Value)

  init(_ value: Value?) { self = value.map(ReadLater.value) ?? .absent }

  /// The value; `nil` when there is none, or none of the documented shape.
  var value: Value? {
    switch self {
    case .absent: nil
    case .written(let answer, let index):
      Value(at: index, of: answer.document, tags: answer.tags)
    case .value(let value): value
    }
  }
}

extension ReadLater: Hashable {
  static func == (left: ReadLater, right: ReadLater) -> Bool { left.value == right.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Metadata of a hit that can be read from its place in the answer.
protocol ReadableLater: Sendable, Hashable {
  /// Reads the value; `nil` for one of another shape than the documented.
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags)
}

extension TreeModel: ReadableLater where Value: HighlightLeaf {
  /// Reads the tree of a hit; what cannot be read is left out.
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    guard document.kind(at: index) == .object,
      let tree = Self.part(at: index, of: document, tags: tags, depth: 0)
    else { return nil }
    self = tree
  }

  /// Reads a part of a tree; `nil` for one that cannot be read.
  private static func part(
    at index: Int, of document: JSONDocument, tags: HighlightedString.Tags, depth: Int
  ) -> TreeModel? {
    switch document.kind(at: index) {
    case .object:
      if let leaf = Value(at: index, of: document, tags: tags) { return .value(leaf) }
      guard depth < recursionLimit else { return deepPart(at: index, of: document, tags: tags) }
      var members = [String: TreeModel](minimumCapacity: document.count(at: index))
      document.forEachMember(ofObjectAt: index) { member in
        if let part = part(at: member, of: document, tags: tags, depth: depth + 1) {
          members[document.key(of: member)] = part
        }
      }
      return .dictionary(members)
    case .array:
      guard depth < recursionLimit else { return deepPart(at: index, of: document, tags: tags) }
      var elements: [TreeModel] = []
      elements.reserveCapacity(document.count(at: index))
      document.forEachElement(ofArrayAt: index) { element in
        if let part = part(at: element, of: document, tags: tags, depth: depth + 1) {
          elements.append(part)
        }
      }
      return .array(elements)
    default: return nil
    }
  }

  /// How deep a tree is read by recursion, which is faster than a loop with stacks of its own but
  /// must not go beyond the stack of a small thread.
  private static var recursionLimit: Int { 16 }

  private static func deepPart(
    at index: Int, of document: JSONDocument, tags: HighlightedString.Tags
  ) -> TreeModel? {
    document.folded(
      at: index,
      step: { index in
        switch document.kind(at: index) {
        case .object:
          Value(at: index, of: document, tags: tags).map { .value(.value($0)) } ?? .branch
        case .array: .branch
        default: .nothing
        }
      },
      array: TreeModel.array, object: TreeModel.dictionary)
  }
}

extension RankingInfo: ReadableLater {
  private static let keys = JSONKeys([
    "nbTypos", "firstMatchedWord", "proximityDistance", "userScore", "geoDistance", "geoPrecision",
    "nbExactWords", "words", "filters",
  ])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    guard document.kind(at: index) == .object else { return nil }
    self.init()
    var known = 0
    document.forEach(of: Self.keys, inObjectAt: index) { key, member in
      guard let number = document.int(at: member) else { return }
      known += 1
      switch key {
      case 0: nbTypos = number
      case 1: firstMatchedWord = number
      case 2: proximityDistance = number
      case 3: userScore = number
      case 4: geoDistance = number
      case 5: geoPrecision = number
      case 6: nbExactWords = number
      case 7: words = number
      default: filters = number
      }
    }
    if known < document.count(at: index) {
      var reader = JSONMembersReader(ofObjectAt: index, in: document)
      self.init(reading: &reader)
    }
  }
}

extension SingleOrList<Point>: ReadableLater {
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    // Not through a decoder, which would begin a session for every place.
    func point(_ node: JSONNode) throws -> Point {
      try Point(node: node, options: JSONDecodingOptions())
    }
    let node = JSONNode(document: document, index: index)
    let value: Self? =
      node.kind == .array
      ? (try? node.elements.map(point)).map(Self.list) : (try? point(node)).map(Self.single)
    guard let value else { return nil }
    self = value
  }
}
