extension Hit {
  /// The record's ID. An integer on the wire is accepted.
  public var objectID: String {
    get { metadata.objectID }
    set { metadata.objectID = newValue }
  }

  /// The record's attributes with the words that match the query marked, on the wire
  /// `_highlightResult`.
  public var highlightResult: TreeModel<HighlightResult>? {
    get { metadata.highlightResult.value }
    set { metadata.highlightResult = ReadLater(newValue) }
  }

  /// Excerpts of the record's attributes around the words that match, on the wire `_snippetResult`.
  public var snippetResult: TreeModel<SnippetResult>? {
    get { metadata.snippetResult.value }
    set { metadata.snippetResult = ReadLater(newValue) }
  }

  /// Why the hit stands where it stands, on the wire `_rankingInfo`.
  public var rankingInfo: RankingInfo? {
    get { metadata.rankingInfo.value }
    set { metadata.rankingInfo = ReadLater(newValue) }
  }

  /// The record's place or places, on the wire `_geoloc`.
  public var geolocation: SingleOrList<Point>? {
    get { metadata.geolocation.value }
    set { metadata.geolocation = ReadLater(newValue) }
  }

  /// What the answer says of the hit beside its record: rank, query, score and place in its group.
  public var searchMetadata: SearchMetadata {
    get { metadata.search }
    set { metadata.search = newValue }
  }

  /// The same hit, with everything read that would be read later, so that it does not keep the
  /// answer it came in.
  public func detached() -> Hit {
    var hit = self
    hit.highlightResult = highlightResult
    hit.snippetResult = snippetResult
    hit.rankingInfo = rankingInfo
    hit.geolocation = geolocation
    return hit
  }
}

/// What an answer says of a hit beside its record: its rank, its query, its score and its place in
/// its group.
///
/// These are apart from the hit, so that a record can have members of the same names:
///
/// ```swift
/// hit.searchMetadata.position  // the rank in the list
/// hit.position                 // the record's own, such as "goalkeeper"
/// ```
public struct SearchMetadata: Sendable, Hashable {
  /// The hit's rank in the whole result list, counted from 1; given by the page it came with, and
  /// saved with the hit as `__position`.
  public var position: Int?
  /// The ID of the query that found the hit, to be sent with click events; given by the page it
  /// came with, when the query asked for it with `clickAnalytics`, and saved with the hit as
  /// `__queryID`.
  public var queryID: String?
  /// How well a recommended record fits, 0 to 100, on the wire `_score`.
  public var score: Double?
  /// The hit's place among the hits of its group, on the wire `_distinctSeqID`.
  public var distinctSeqID: Int?

  /// Creates metadata; everything is absent by default.
  public init(
    position: Int? = nil, queryID: String? = nil, score: Double? = nil, distinctSeqID: Int? = nil
  ) {
    self.position = position
    self.queryID = queryID
    self.score = score
    self.distinctSeqID = distinctSeqID
  }
}
