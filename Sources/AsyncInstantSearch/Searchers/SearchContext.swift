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

extension SearchContext {
  /// The context of a call that is not a searcher's search: nobody receives reports, and nothing
  /// supersedes it.
  static func unwatched(generation: UInt64 = 0) -> SearchContext {
    SearchContext(
      generation: generation, report: { _ in }, isWanted: { true }, hasSuccessor: { false })
  }
}

extension SearchAnswer {
  /// Creates the answer to a search of a searcher.
  convenience init(to plan: SearchPlan, _ results: [QueryResult], in context: SearchContext) {
    self.init(to: plan, results, generation: context.generation, report: context.report)
  }
}

extension MultiQueryResponses {
  /// The answer to the search of a searcher; `nil` if a response is malformed.
  func answer(to plan: SearchPlan, in context: SearchContext) -> SearchAnswer? {
    try? answer(to: plan, at: 0, generation: context.generation, report: context.report)
  }
}
