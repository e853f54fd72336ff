/// One search result: your record and what the engine tells about it.
///
/// ```swift
/// let page = try await client.search("movies", SearchQuery("titanic"), of: Hit<Movie>.self)
/// for hit in page.hits {
///   hit.objectID
///   hit.object.title         // or, shorter, hit.title
///   hit.highlighted("title") // the title with the matching words marked
/// }
/// ```
///
/// Record and metadata are read from the same JSON object with the same date and key strategies. The
/// record fails to decode when its own type refuses it or when there is no `objectID`. Metadata of a
/// shape other than the documented one is `nil` and never costs the record; of highlights and
/// snippets only the parts that cannot be read are left out.
@dynamicMemberLookup
public struct Hit<T: Decodable & Sendable>: Sendable, Geolocated {
  /// The record's ID. An integer on the wire is accepted.
  public var objectID: String
  /// The record.
  public var object: T
  /// The record's attributes with the words that match the query marked, on the wire
  /// `_highlightResult`.
  public var highlightResult: TreeModel<HighlightResult>?
  /// Excerpts of the record's attributes around the words that match, on the wire `_snippetResult`.
  public var snippetResult: TreeModel<SnippetResult>?
  /// Why the hit stands where it stands, on the wire `_rankingInfo`.
  public var rankingInfo: RankingInfo?
  /// The record's place or places, on the wire `_geoloc`.
  public var geolocation: SingleOrList<Point>?
  /// The hit's place among the hits of its group, on the wire `_distinctSeqID`.
  public var distinctSeqID: Int?
  /// How well a recommended record fits, 0 to 100, on the wire `_score`.
  public var score: Double?
  /// The hit's rank in the whole result list, counted from 1; given by the page it came with, and
  /// saved with the hit as `__position`.
  public var position: Int?
  /// The ID of the query that found the hit, to be sent with click events; given by the page it came
  /// with, when the query asked for it with `clickAnalytics`, and saved with the hit as `__queryID`.
  public var queryID: String?

  /// Creates a hit; everything but the ID and the record is absent by default.
  public init(
    objectID: String,
    object: T,
    highlightResult: TreeModel<HighlightResult>? = nil,
    snippetResult: TreeModel<SnippetResult>? = nil,
    rankingInfo: RankingInfo? = nil,
    geolocation: SingleOrList<Point>? = nil,
    distinctSeqID: Int? = nil,
    score: Double? = nil,
    position: Int? = nil,
    queryID: String? = nil
  ) {
    self.objectID = objectID
    self.object = object
    self.highlightResult = highlightResult
    self.snippetResult = snippetResult
    self.rankingInfo = rankingInfo
    self.geolocation = geolocation
    self.distinctSeqID = distinctSeqID
    self.score = score
    self.position = position
    self.queryID = queryID
  }

  /// A property of the record; the hit's own properties come first where names are equal.
  public subscript<Value>(dynamicMember keyPath: KeyPath<T, Value>) -> Value {
    object[keyPath: keyPath]
  }

  /// An attribute's value with the words that match the query marked.
  ///
  /// - Parameter attribute: The attribute; points lead into objects and lists, as in `author.name`
  ///   or `tags.0`. Of a list, or of any other branch, the value that matches best is given.
  /// - Returns: `nil` when the server sent no highlight for the attribute.
  public func highlighted(_ attribute: String) -> HighlightedString? {
    highlightResult?[path: attribute]?.best?.value
  }

  /// The excerpt of an attribute's value with the words that match the query marked.
  ///
  /// - Parameter attribute: The attribute, as for ``highlighted(_:)``; of a list the first excerpt
  ///   that matches is given, or else the first.
  /// - Returns: `nil` when the server sent no snippet for the attribute.
  public func snippeted(_ attribute: String) -> HighlightedString? {
    guard let leaves = snippetResult?[path: attribute]?.leaves else { return nil }
    return (leaves.first { $0.matchLevel != .none } ?? leaves.first)?.value
  }
}

extension Hit: Equatable where T: Equatable {}
extension Hit: Hashable where T: Hashable {}
