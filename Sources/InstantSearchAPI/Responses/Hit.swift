import InstantSearchJSON

/// One search result: your record and the metadata of the response.
///
/// ```swift
/// let page = try await client.search("movies", SearchQuery("titanic"), of: Hit<Movie>.self)
/// for hit in page.hits {
///   hit.objectID
///   hit.object.title         // or, shorter, hit.title
///   hit.highlighted("title") // the title with the matched words highlighted
/// }
/// ```
///
/// Record and metadata are read from the same JSON object with the same date and key strategies.
/// Decoding fails if the record's type rejects it or if there is no `objectID`. Metadata whose
/// type is not the documented one is `nil` and does not affect the record. Of highlights and
/// snippets, only parts that cannot be read, or that are nested deeper than 128 levels, are
/// skipped.
///
/// Highlights, snippets, ranking information and locations are read from the response on each
/// access. ``highlighted(_:)`` and ``snippeted(_:)`` read only the given attribute, unless it is
/// inside another one. A hit therefore keeps its response in memory: its bytes, and about as much
/// again. To store single hits of large pages for a long time, store ``detached()`` hits, which are
/// independent of the response.
///
/// A property of the record is a property of the hit, regardless of its name; the hit's rank and
/// score in the response are in ``searchMetadata``. Only the names of this type take precedence
/// over the record's: ``objectID``, ``object``, ``highlightResult``, ``snippetResult``,
/// ``rankingInfo``, ``distance``, ``geolocation``, ``searchMetadata`` and the names of its methods.
/// Use ``object`` to access a record's property with such a name.
@dynamicMemberLookup
public struct Hit<T: Decodable & Sendable>: Sendable, Geolocated {
  /// The record.
  public var object: T
  var metadata: HitMetadata

  /// Creates a hit. Everything except the ID and the record is absent by default.
  public init(
    objectID: String,
    object: T,
    highlightResult: TreeModel<HighlightResult>? = nil,
    snippetResult: TreeModel<SnippetResult>? = nil,
    rankingInfo: RankingInfo? = nil,
    geolocation: SingleOrList<Point>? = nil,
    searchMetadata: SearchMetadata = SearchMetadata()
  ) {
    self.object = object
    metadata = HitMetadata(
      objectID: objectID, highlightResult: LazilyDecoded(highlightResult),
      snippetResult: LazilyDecoded(snippetResult), rankingInfo: LazilyDecoded(rankingInfo),
      geolocation: LazilyDecoded(geolocation), search: searchMetadata)
  }

  init(object: T, metadata: HitMetadata) {
    self.object = object
    self.metadata = metadata
  }

  /// A property of the record. For names that the hit itself has, use ``object``.
  public subscript<Value>(dynamicMember keyPath: KeyPath<T, Value>) -> Value {
    object[keyPath: keyPath]
  }

  /// Returns an attribute's value with the matched words highlighted.
  ///
  /// - Parameter attribute: The attribute. Dots reach into objects and lists, as in `author.name`
  ///   or `tags.0`. For a list, or any other branch, the value with the best match is returned.
  /// - Returns: `nil` if the server sent no highlight for the attribute.
  public func highlighted(_ attribute: String) -> HighlightedString? {
    metadata.highlightResult.part(at: attribute)?.best?.value
  }

  /// Returns the excerpt of an attribute's value with the matched words highlighted.
  ///
  /// - Parameter attribute: The attribute, as for ``highlighted(_:)``. For a list, the first
  ///   excerpt that matches is returned, otherwise the first one.
  /// - Returns: `nil` if the server sent no snippet for the attribute.
  public func snippeted(_ attribute: String) -> HighlightedString? {
    guard let leaves = metadata.snippetResult.part(at: attribute)?.leaves else { return nil }
    return (leaves.first { $0.matchLevel != .none } ?? leaves.first)?.value
  }
}

extension Hit: Equatable where T: Equatable {}
extension Hit: Hashable where T: Hashable {}

extension Hit {
  /// The record's ID. An integer on the wire is accepted.
  public var objectID: String {
    get { metadata.objectID }
    set { metadata.objectID = newValue }
  }

  /// The record's attributes with the matched words highlighted; `_highlightResult` on the wire.
  public var highlightResult: TreeModel<HighlightResult>? {
    get { metadata.highlightResult.value }
    set { metadata.highlightResult = LazilyDecoded(newValue) }
  }

  /// Excerpts of the record's attributes around the matched words; `_snippetResult` on the wire.
  public var snippetResult: TreeModel<SnippetResult>? {
    get { metadata.snippetResult.value }
    set { metadata.snippetResult = LazilyDecoded(newValue) }
  }

  /// The ranking information of the hit; `_rankingInfo` on the wire.
  public var rankingInfo: RankingInfo? {
    get { metadata.rankingInfo.value }
    set { metadata.rankingInfo = LazilyDecoded(newValue) }
  }

  /// The distance from the center of the search to the record's nearest location, in meters.
  ///
  /// `nil` unless the query set ``SearchQuery/getRankingInfo`` and searched around a point. It is
  /// the `matchedGeoLocation.distance` of ``rankingInfo``, whose `geoDistance` is in steps of
  /// `geoPrecision` instead.
  public var distance: Int? { rankingInfo?.matchedGeoLocation?.distance }

  /// The locations of the record; `_geoloc` on the wire.
  public var geolocation: SingleOrList<Point>? {
    get { metadata.geolocation.value }
    set { metadata.geolocation = LazilyDecoded(newValue) }
  }

  /// The hit's metadata in the response: its rank, query, score and position in its group.
  public var searchMetadata: SearchMetadata {
    get { metadata.search }
    set { metadata.search = newValue }
  }

  /// Returns the same hit with all metadata decoded, so that it does not keep its response in
  /// memory.
  public func detached() -> Hit {
    var hit = self
    hit.highlightResult = highlightResult
    hit.snippetResult = snippetResult
    hit.rankingInfo = rankingInfo
    hit.geolocation = geolocation
    return hit
  }
}

/// The metadata of a hit in its response: its rank, query, score and position in its group.
///
/// It is separate from the hit, so that a record can have members of the same names:
///
/// ```swift
/// hit.searchMetadata.position  // the rank in the list
/// hit.position                 // the record's own, such as "goalkeeper"
/// ```
public struct SearchMetadata: Sendable, Hashable {
  /// The hit's rank in the whole result list, counted from 1. It is set by the page of the hit and
  /// saved with the hit as `__position`.
  public var position: Int?
  /// The ID of the query that found the hit, for click events. It is set by the page of the hit,
  /// if the query set `clickAnalytics`, and saved with the hit as `__queryID`.
  public var queryID: String?
  /// The score of a recommended record, 0 to 100; `_score` on the wire.
  public var score: Double?
  /// The hit's position among the hits of its group; `_distinctSeqID` on the wire.
  public var distinctSeqID: Int?

  /// Creates metadata. Everything is absent by default.
  public init(
    position: Int? = nil, queryID: String? = nil, score: Double? = nil, distinctSeqID: Int? = nil
  ) {
    self.position = position
    self.queryID = queryID
    self.score = score
    self.distinctSeqID = distinctSeqID
  }
}

/// The metadata of a hit, which is decoded lazily.
///
/// Highlights, snippets, ranking information and locations stay in the response's document until
/// they are read, so a page whose highlights are not read does not decode them.
struct HitMetadata: Sendable {
  var objectID: String
  var highlightResult: LazilyDecoded<TreeModel<HighlightResult>> = .absent
  var snippetResult: LazilyDecoded<TreeModel<SnippetResult>> = .absent
  var rankingInfo: LazilyDecoded<RankingInfo> = .absent
  var geolocation: LazilyDecoded<SingleOrList<Point>> = .absent
  var search = SearchMetadata()
}

extension HitMetadata: Hashable {}

extension HitMetadata {
  private enum Member: Int {
    case objectID, highlightResult, snippetResult, rankingInfo, geolocation, distinctSeqID, score
    case position, queryID
  }

  private static let keys = JSONKeys([
    Member.objectID: HitMember.objectID.rawValue,
    .highlightResult: HitMember.highlightResult.rawValue,
    .snippetResult: HitMember.snippetResult.rawValue,
    .rankingInfo: HitMember.rankingInfo.rawValue,
    .geolocation: HitMember.geolocation.rawValue,
    .distinctSeqID: HitMember.distinctSeqID.rawValue,
    .score: HitMember.score.rawValue,
    .position: HitMember.position.rawValue,
    .queryID: HitMember.queryID.rawValue,
  ])

  /// Reads the metadata among the members of a hit.
  ///
  /// - Throws: `DecodingError` for a value that is not an object or has no ID.
  init(at index: Int, of source: HitSource) throws {
    let document = source.document
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let id = members[Member.objectID] else {
      // Reads the member again, for the error.
      let node = JSONNode(document: document, index: index)
      _ = try node.required(HitMember.objectID.rawValue)
      throw node.mismatch([String: Any].self)
    }
    objectID = try Self.objectID(at: id, of: document)
    highlightResult = LazilyDecoded(members[Member.highlightResult], of: source)
    snippetResult = LazilyDecoded(members[Member.snippetResult], of: source)
    rankingInfo = LazilyDecoded(members[Member.rankingInfo], of: source)
    geolocation = LazilyDecoded(members[Member.geolocation], of: source)
    search.distinctSeqID = members[Member.distinctSeqID].flatMap(document.int(at:))
    search.score = members[Member.score].flatMap(document.double(at:))
    search.position = members[Member.position].flatMap(document.int(at:))
    search.queryID = members[Member.queryID].flatMap(document.string(at:))
  }

  private static func objectID(at index: Int, of document: JSONDocument) throws -> String {
    if let text = document.string(at: index) { return text }
    guard let number = document.int64(at: index) else {
      throw JSONNode(document: document, index: index).mismatch(String.self)
    }
    return String(number)
  }
}
