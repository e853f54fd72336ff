/// Where a searcher stands, as one value: what its streams tell one by one.
///
/// A consumer that finds only the newest one misses nothing: there is no order of several streams to
/// be put together.
package struct SearchStanding<Request: Sendable, Answer: Sendable>: Sendable {
  /// The request as it was last set.
  package var request: Request
  /// The newest search; 0 before the first.
  package var generation: UInt64
  /// Whether that search is due or under way.
  package var isPending: Bool
  /// The newest answer there is, which may be of an older search.
  package var answer: Answer?
  /// Why the newest search has no answer; `nil` while it is pending and when it did not fail.
  package var failure: SearchError?

  package init(
    request: Request, generation: UInt64, isPending: Bool, answer: Answer? = nil,
    failure: SearchError? = nil
  ) {
    self.request = request
    self.generation = generation
    self.isPending = isPending
    self.answer = answer
    self.failure = failure
  }
}

/// Where a searcher of hits stands.
package typealias HitsStanding = SearchStanding<SearchRequest<JSON>, HitsResponse>
