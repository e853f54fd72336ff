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
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let id = members[0] else {
      // Asked for again, for the error.
      let node = JSONNode(document: document, index: index)
      _ = try node.required(HitMember.objectID.rawValue)
      throw node.mismatch([String: Any].self)
    }
    objectID = try Self.objectID(at: id, of: document)
    highlightResult = ReadLater(members[1], of: answer)
    snippetResult = ReadLater(members[2], of: answer)
    rankingInfo = ReadLater(members[3], of: answer)
    geolocation = ReadLater(members[4], of: answer)
    distinctSeqID = members[5].flatMap(document.int(at:))
    score = members[6].flatMap(document.double(at:))
    position = members[7].flatMap(document.int(at:))
    queryID = members[8].flatMap(document.string(at:))
  }

  private static let keys = JSONKeys(
    [
      HitMember.objectID, .highlightResult, .snippetResult, .rankingInfo, .geolocation,
      .distinctSeqID, .score, .position, .queryID,
    ].map(\.rawValue))

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
  /// The sets of keys that were met in trees read later: mostly each hit has the same attributes.
  private let shapes = Lock(ObjectShapes())

  init(document: JSONDocument, tags: HighlightedString.Tags) {
    self.document = document
    self.tags = tags
  }

  /// The members of an object by key; those without a value are left out.
  func members<Value>(
    ofObjectAt index: Int, _ value: (_ index: Int) -> Value?
  ) -> [String: Value] {
    let numbers = shapes.withLock { $0.numbers(ofObjectAt: index, in: document) }
    return document.members(ofObjectAt: index, numbers: numbers, value)
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

  /// The value at an index of an answer's tape, if there is one.
  init(_ index: Int?, of answer: HitAnswer) {
    self = index.map { .written(answer, index: $0) } ?? .absent
  }

  /// The value; `nil` when there is none, or none of the documented shape.
  var value: Value? {
    switch self {
    case .absent: nil
    case .written(let answer, let index):
      Value(at: index, of: answer)
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
  init?(at index: Int, of answer: HitAnswer)
}

extension TreeModel: ReadableLater where Value: HighlightLeaf {
  /// Reads the tree of a hit; what cannot be read is left out.
  init?(at index: Int, of answer: HitAnswer) {
    guard case .object = answer.document.kind(at: index),
      let tree = Self.part(at: index, of: answer, depth: 0)
    else { return nil }
    self = tree
  }

  /// Reads a part of a tree; `nil` for one that cannot be read.
  private static func part(at index: Int, of answer: HitAnswer, depth: Int) -> TreeModel? {
    let document = answer.document
    switch document.kind(at: index) {
    case .object:
      if let leaf = Value(at: index, of: document, tags: answer.tags) { return .value(leaf) }
      guard depth < JSONDocument.recursionLimit else { return deepPart(at: index, of: answer) }
      return .dictionary(
        answer.members(ofObjectAt: index) { part(at: $0, of: answer, depth: depth + 1) })
    case .array:
      guard depth < JSONDocument.recursionLimit else { return deepPart(at: index, of: answer) }
      var elements: [TreeModel] = []
      elements.reserveCapacity(document.count(at: index))
      document.forEachElement(ofArrayAt: index) { element in
        if let part = part(at: element, of: answer, depth: depth + 1) { elements.append(part) }
      }
      return .array(elements)
    default: return nil
    }
  }

  private static func deepPart(at index: Int, of answer: HitAnswer) -> TreeModel? {
    let document = answer.document
    return document.folded(
      at: index,
      step: { index in
        switch document.kind(at: index) {
        case .object:
          Value(at: index, of: document, tags: answer.tags).map { .value(.value($0)) } ?? .branch
        case .array: .branch
        default: .nothing
        }
      },
      array: TreeModel.array, object: TreeModel.dictionary)
  }
}

extension RankingInfo: ReadableLater {
  // In the order of the wire.
  private static let keys = JSONKeys([
    "nbTypos", "firstMatchedWord", "proximityDistance", "userScore", "geoDistance", "geoPrecision",
    "nbExactWords", "words", "filters",
  ])

  init?(at index: Int, of answer: HitAnswer) {
    let document = answer.document
    guard case .object = document.kind(at: index) else { return nil }
    let members = document.members(Self.keys, ofObjectAt: index)
    var known = 0
    let number = { (key: Int) -> Int? in
      guard let number = members[key].flatMap(document.int(at:)) else { return nil }
      known += 1
      return number
    }
    self.init(
      nbTypos: number(0), firstMatchedWord: number(1), proximityDistance: number(2),
      userScore: number(3), geoDistance: number(4), geoPrecision: number(5),
      nbExactWords: number(6), words: number(7), filters: number(8))
    if known < document.count(at: index) {
      var reader = JSONMembersReader(ofObjectAt: index, in: document)
      self.init(reading: &reader)
    }
  }
}

extension SingleOrList<Point>: ReadableLater {
  init?(at index: Int, of answer: HitAnswer) {
    // Not through a decoder, which would begin a session for every place.
    func point(_ node: JSONNode) throws -> Point {
      try Point(node: node, options: JSONDecodingOptions())
    }
    let node = JSONNode(document: answer.document, index: index)
    let value: Self? =
      node.kind == .array
      ? (try? node.elements.map(point)).map(Self.list) : (try? point(node)).map(Self.single)
    guard let value else { return nil }
    self = value
  }
}
