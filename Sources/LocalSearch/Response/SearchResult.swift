/// What a search found, before it is written.
struct SearchResult: Sendable {
  /// A hit of the answered page.
  struct Hit: Sendable {
    /// The segment and the document.
    var segment: Int
    var document: Int
    /// The place in its group; `nil` when records are not grouped.
    var sequence: Int?
    /// Why it stands here; only when it was asked for.
    var rankingInfo: RankingInfo?
  }

  /// The hits of the answered page.
  var hits: [Hit] = []
  /// How many records match, or groups of them.
  var hitCount = 0
  /// The facets that have values, in the order of the request.
  var facets: [(attribute: String, counts: FacetCounts)] = []
  /// The radius that was chosen, in metres.
  var automaticRadius: Int?
  /// The query without the words that were dropped, in tags; `nil` when none was.
  var queryAfterRemoval: String?
  /// The query as it was matched, with what only the index can decide.
  var plan: QueryPlan
}
