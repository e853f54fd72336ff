package import InstantSearchJSON

/// The parsed response from which hits are decoded lazily.
final class HitSource: Sendable {
  let document: JSONDocument
  /// The tags of the highlights.
  let tags: HighlightedString.Tags
  /// The sets of keys in lazily decoded trees. Most hits have the same attributes.
  private let shapes = Lock(ObjectShapes())

  init(document: JSONDocument, tags: HighlightedString.Tags) {
    self.document = document
    self.tags = tags
  }

  /// Returns all members of an object by key.
  func members<Value>(
    ofObjectAt index: Int, _ value: (_ index: Int) -> Value
  ) -> [String: Value] {
    let numbers = shapes.withLock { $0.numbers(ofObjectAt: index, in: document) }
    return document.members(ofObjectAt: index, numbers: numbers, value)
  }
}

/// A value that is decoded on access, from the document it came in.
///
/// It is decoded again each time. The document stays in memory as long as any value that may still
/// be decoded from it: the bytes of the response and a tape of about the same size.
enum LazilyDecoded<Value: LazilyDecodable>: Sendable {
  case absent
  /// The value at an index of a response's tape.
  case written(HitSource, index: Int)
  indirect case value(Value)

  init(_ value: Value?) { self = value.map(LazilyDecoded.value) ?? .absent }

  /// Creates the value at an index of a response's tape, if there is one.
  init(_ index: Int?, of source: HitSource) {
    self = index.map { .written(source, index: $0) } ?? .absent
  }

  /// The value; `nil` if it is absent, or if its type is not the documented one.
  var value: Value? {
    switch self {
    case .absent: nil
    case .written(let source, let index):
      Value(at: index, of: source)
    case .value(let value): value
    }
  }
}

extension LazilyDecoded: Hashable {
  static func == (left: LazilyDecoded, right: LazilyDecoded) -> Bool { left.value == right.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Metadata of a hit that can be decoded from its index in the response.
protocol LazilyDecodable: Sendable, Hashable {
  /// Reads the value; `nil` if its type is not the documented one.
  init?(at index: Int, of source: HitSource)
}

/// The data of a page that its hits need.
struct HitContext {
  /// The rank of the page's first hit among all hits, counted from 1; `nil` if it is unknown.
  let firstPosition: Int?
  /// The ID of the query.
  let queryID: String?
  /// The tags of the highlights.
  let tags: HighlightedString.Tags

  /// Creates the context from a page whose members have been read, and from its query.
  ///
  /// Without the query, its parameters are read from the response, if it repeats them.
  init<Record>(_ page: HitsPage<Record>, query: SearchQuery?) {
    let start: Int?
    if let offset = page.offset {
      start = offset
    } else if page.page == 0 {
      start = 0
    } else if page.hitsPerPage > 0 {
      let (product, overflow) = page.page.multipliedReportingOverflow(by: page.hitsPerPage)
      start = overflow ? nil : product
    } else {
      start = nil
    }
    firstPosition = start.flatMap { start in
      let (position, overflow) = start.addingReportingOverflow(1)
      return overflow || position < 1 ? nil : position
    }
    queryID = page.queryID
    tags =
      (query ?? Self.query(repeatedIn: page.params)).map(HighlightedString.Tags.init) ?? .standard
  }

  /// Returns the rank of the hit at an index of the page; `nil` if it is unknown.
  func position(at index: Int) -> Int? {
    guard let (position, overflow) = firstPosition?.addingReportingOverflow(index) else {
      return nil
    }
    return overflow ? nil : position
  }

  private static func query(repeatedIn params: String?) -> SearchQuery? {
    guard let params, mayNameTags(params) else { return nil }
    return try? SearchQuery(urlEncoded: params)
  }

  /// Whether there is a `tP`, as in `highlightPreTag` and `highlightPostTag`.
  ///
  /// This runs for every page, and searching for a substring takes longer than decoding three
  /// hits.
  private static func mayNameTags(_ params: String) -> Bool {
    var previous: UInt8 = 0
    for byte in params.utf8 {
      if byte == UInt8(ascii: "P"), previous == UInt8(ascii: "t") { return true }
      previous = byte
    }
    return false
  }
}

extension HighlightedString.Tags {
  /// Creates the tags of the highlights in the response to a query.
  ///
  /// An index can have other tags in its settings, which are unknown here. A query should
  /// therefore set its tags if its highlights will be parsed.
  package init(_ query: SearchQuery) {
    let standard = Self.standard
    self.init(
      pre: query.highlightPreTag ?? standard.pre, post: query.highlightPostTag ?? standard.post)
  }
}

/// A failure wrapped in an error.
struct HitFailureBox: Error {
  let failure: HitFailure
}

/// The hits in a container of any decoder, in order.
struct ContainedHits {
  private var container: any UnkeyedDecodingContainer

  init(_ container: any UnkeyedDecodingContainer) { self.container = container }

  var count: Int { container.count ?? 0 }
  var isAtEnd: Bool { container.isAtEnd }

  /// Decodes the next hit, or skips it and throws the reason.
  ///
  /// - Parameter position: The hit's rank for the failure, if known.
  mutating func next<Record: Decodable>(
    _ type: Record.Type, position: Int?
  ) throws(HitFailureBox) -> Record {
    let index = container.currentIndex
    let path = container.codingPath
    do {
      // A type may accept null, but null is not a hit.
      if try container.decodeNil() { throw Self.null(at: path + [JSONCodingKey(index: index)]) }
      return try container.decode(type)
    } catch {
      // A failed attempt does not advance the container. Reading the hit as a type that accepts
      // any value skips it.
      var objectID: String?
      if container.currentIndex == index {
        objectID = try? container.decode(ObjectIDProbe.self).objectID
      }
      throw HitFailureBox(
        failure: HitFailure(
          DecodingIssue(error), below: DecodingIssue.steps(path) + [String(index)],
          position: position, objectID: objectID))
    }
  }

  private static func null(at path: [any CodingKey]) -> DecodingError {
    .valueNotFound(
      [String: Any].self,
      DecodingError.Context(codingPath: path, debugDescription: "a hit must not be null"))
  }

  /// The ID of any record, if it has one.
  private struct ObjectIDProbe: Decodable {
    let objectID: String?

    init(from decoder: any Decoder) throws { objectID = try? HitMembers(decoder).objectID }
  }
}

extension HitFailure {
  /// Describes why a hit could not be decoded from a node.
  ///
  /// The coding path is relative to the hit.
  package init(_ error: any Error, of hit: JSONNode, position: Int?) {
    let prefix = DecodingIssue.steps(hit.codingPath)
    let issue = DecodingIssue(error) { path in
      Self.node(at: DecodingIssue.steps(path).dropFirst(prefix.count), in: hit)
    }
    let objectID = hit[HitMember.objectID.rawValue]
    self.init(
      issue, below: prefix, position: position,
      objectID: objectID?.int64.map { String($0) } ?? objectID?.string)
  }

  /// Describes why a hit could not be decoded by any decoder. The coding path of the issue begins
  /// at the decoder's root.
  init(_ issue: DecodingIssue, below prefix: [String], position: Int?, objectID: String?) {
    var path = issue.codingPath[...]
    if path.starts(with: prefix) { path = path.dropFirst(prefix.count) }
    self.init(
      position: position, objectID: objectID, codingPath: Array(path), reason: issue.reason)
  }

  private static func node(at path: ArraySlice<String>, in node: JSONNode) -> JSONNode? {
    var node = node
    for step in path {
      let child = node.kind == .array ? Int(step).flatMap { node[$0] } : node[step]
      guard let child else { return nil }
      node = child
    }
    return node
  }
}
