/// The context in which one search runs.
struct SearchContext: Sendable {
  /// The search's number, counted from 1 in each searcher.
  let generation: UInt64
  /// Reports hits that do not decode. The error is published only if the search is the newest.
  let report: @Sendable (SearchError) -> Void
  /// Whether the search is the newest one and has not ended.
  let isWanted: @Sendable () -> Bool
  /// Whether a newer search is pending.
  let hasSuccessor: @Sendable () -> Bool
}

extension SearchAnswer {
  /// Creates the answer to a search of a searcher.
  convenience init(to plan: SearchPlan, _ results: [QueryResult], in context: SearchContext) {
    self.init(to: plan, results, generation: context.generation, report: context.report)
  }
}

extension MultiQueryResponses {
  /// The answer to a search of a searcher.
  ///
  /// - Parameter position: The position of its first response.
  func answer(
    to plan: SearchPlan, at position: Int, in context: SearchContext
  ) throws(SearchError) -> SearchAnswer {
    try answer(
      to: plan, at: position, generation: context.generation, report: context.report)
  }
}
