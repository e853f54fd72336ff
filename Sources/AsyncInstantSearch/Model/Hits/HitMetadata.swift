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
    guard document.kind(at: index) == .object else { return nil }
    let tree: TreeModel? = document.folded(
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
    self = tree ?? .dictionary([:])
  }
}

extension RankingInfo: ReadableLater {
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    try? self.init(
      node: JSONNode(document: document, index: index), options: JSONDecodingOptions())
  }
}

extension SingleOrList<Point>: ReadableLater {
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    try? self.init(
      node: JSONNode(document: document, index: index), options: JSONDecodingOptions())
  }
}
