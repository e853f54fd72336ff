/// What a searcher is doing and what came of its newest search, as one value.
package struct SearcherStatus<Request: Sendable, Answer: Sendable>: Sendable {
  /// The request of the newest search. One that was set without making a search due does not count.
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

/// The status of a searcher of hits.
package typealias HitsSearcherStatus = SearcherStatus<SearchRequest<JSON>, HitsResponse>

/// Something that shows the answers of a searcher: a list of hits, or several in sections.
///
/// A search with observers ends in four steps:
///
///     prepare, on the search's task -> stage, under the searcher's lock -> effects -> present
///
/// So an observer shows an answer at the very moment at which it is published, and the caller of
/// `search()` goes on after that. No observer holds the searcher.
package struct SearchObserver<Request: Sendable, Answer: Sendable>: Sendable {
  package typealias Effect = @Sendable () -> Void

  /// Decodes an answer, so that `stage` can show it without waiting.
  package var prepare: @Sendable (Answer) async -> Void
  /// Takes over the searcher's status. It is called under the searcher's lock, and what it returns
  /// after that, without any lock: resuming, releasing and calling others belong there.
  package var stage: @Sendable (SearcherStatus<Request, Answer>) -> Effect
  /// Waits until the views show what was staged; `false` when the task is cancelled before.
  package var present: @Sendable () async -> Bool
  /// The searcher is gone. It is called without any lock.
  package var end: Effect

  package init(
    prepare: @escaping @Sendable (Answer) async -> Void,
    stage: @escaping @Sendable (SearcherStatus<Request, Answer>) -> Effect,
    present: @escaping @Sendable () async -> Bool,
    end: @escaping Effect
  ) {
    self.prepare = prepare
    self.stage = stage
    self.present = present
    self.end = end
  }

  /// The observer of a searcher whose requests are of another type.
  package func mappingRequests<Other: Sendable>(
    _ map: @escaping @Sendable (Other) -> Request
  ) -> SearchObserver<Other, Answer> {
    let status = { @Sendable (other: SearcherStatus<Other, Answer>) in
      SearcherStatus<Request, Answer>(
        request: map(other.request), generation: other.generation, isPending: other.isPending,
        answer: other.answer, failure: other.failure)
    }
    return SearchObserver<Other, Answer>(
      prepare: prepare, stage: { [stage] in stage(status($0)) }, present: present, end: end)
  }
}

/// An observer of a searcher of hits.
package typealias HitsObserver = SearchObserver<SearchRequest<JSON>, HitsResponse>

/// What one search knows about itself.
struct SearchContext: Sendable {
  /// The search's number, counted from 1 in each searcher.
  let generation: UInt64
  /// Reports what turns out to be wrong in the answer later; published while the search is the
  /// newest.
  let report: @Sendable (SearchError) -> Void
  /// Whether the search is the newest one and has not ended.
  let isWanted: @Sendable () -> Bool
  /// Whether a newer search is due or under way.
  let hasSuccessor: @Sendable () -> Bool
}
