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

  /// The hit's place among the hits of its group, on the wire `_distinctSeqID`.
  public var distinctSeqID: Int? {
    get { metadata.distinctSeqID }
    set { metadata.distinctSeqID = newValue }
  }

  /// How well a recommended record fits, 0 to 100, on the wire `_score`.
  public var score: Double? {
    get { metadata.score }
    set { metadata.score = newValue }
  }

  /// The hit's rank in the whole result list, counted from 1; given by the page it came with, and
  /// saved with the hit as `__position`.
  public var position: Int? {
    get { metadata.position }
    set { metadata.position = newValue }
  }

  /// The ID of the query that found the hit, to be sent with click events; given by the page it came
  /// with, when the query asked for it with `clickAnalytics`, and saved with the hit as `__queryID`.
  public var queryID: String? {
    get { metadata.queryID }
    set { metadata.queryID = newValue }
  }

  /// The same hit, with everything read that would be read later, so that it does not keep the answer
  /// it came in.
  public func detached() -> Hit {
    var hit = self
    hit.highlightResult = highlightResult
    hit.snippetResult = snippetResult
    hit.rankingInfo = rankingInfo
    hit.geolocation = geolocation
    return hit
  }
}
