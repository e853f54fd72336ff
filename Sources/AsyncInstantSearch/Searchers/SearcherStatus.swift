/// What a searcher is doing and what came of its newest search, as one value.
///
/// A searcher publishes one status for each decision. Its streams are derived from it, and so is
/// what the lists show.
package struct SearcherStatus<Request: Sendable, Answer: Sendable>: Sendable {
  /// The request of the newest search. One that was set without making a search due does not count.
  package var request: Request
  /// The newest search; 0 before the first.
  package var generation: UInt64
  /// Whether that search is due or running.
  package var isPending: Bool
  /// The newest answer there is, which may be of an older search.
  package var answer: Answer?
  /// Why the newest search has no answer; `nil` while it is pending and when it did not fail.
  package var failure: SearchError?
  /// The search of ``answer``; 0 before the first.
  package var answeredGeneration: UInt64
  /// The request as it was last set, searched or not.
  package var currentRequest: Request
  /// How often that request changed.
  package var requestRevision: UInt64
  package var state: SearchState
  /// The error that this decision publishes, if any.
  package var error: SearchError?

  package init(
    request: Request, generation: UInt64, isPending: Bool, answer: Answer? = nil,
    failure: SearchError? = nil, answeredGeneration: UInt64 = 0, currentRequest: Request? = nil,
    requestRevision: UInt64 = 0, state: SearchState = .idle, error: SearchError? = nil
  ) {
    self.request = request
    self.generation = generation
    self.isPending = isPending
    self.answer = answer
    self.failure = failure
    self.answeredGeneration = answeredGeneration
    self.currentRequest = currentRequest ?? request
    self.requestRevision = requestRevision
    self.state = state
    self.error = error
  }
}

/// The status of a searcher of hits.
package typealias HitsSearcherStatus = SearcherStatus<SearchRequest<JSON>, HitsResponse>

// MARK: - Streams

/// The streams of a searcher, all derived from its statuses.
struct SearcherStreams<Request: Sendable & Equatable, Answer: Sendable>: Sendable {
  let requests: StreamHub<Request>
  let answers = StreamHub<Answer>(replaysCurrent: true)
  let errors = StreamHub<SearchError>(replaysCurrent: false)
  let states = StreamHub<SearchState>(initial: .idle, replaysCurrent: true, areEqual: ==)

  init(request: Request) {
    requests = StreamHub(initial: request, replaysCurrent: true, areEqual: ==)
  }

  /// Puts what a status changes into the mailboxes of the subscribers.
  ///
  /// - Returns: Effects to perform outside the critical section.
  func stage(
    _ status: SearcherStatus<Request, Answer>, after previous: SearcherStatus<Request, Answer>
  ) -> [@Sendable () -> Void] {
    var effects: [@Sendable () -> Void] = []
    if status.requestRevision != previous.requestRevision {
      let delivery = requests.stage(status.currentRequest)
      effects.append { delivery.perform() }
    }
    if status.answeredGeneration != previous.answeredGeneration, let answer = status.answer {
      let delivery = answers.stage(answer)
      effects.append { delivery.perform() }
    }
    if let error = status.error {
      let delivery = errors.stage(error)
      effects.append { delivery.perform() }
    }
    if status.state != previous.state {
      let delivery = states.stage(status.state)
      effects.append { delivery.perform() }
    }
    return effects
  }

  /// Ends every stream.
  func finish() {
    requests.finish()
    answers.finish()
    errors.finish()
    states.finish()
  }
}

// MARK: - Observers

/// Something that shows the answers of a searcher: a list of hits, or several in sections.
///
/// A search with observers ends in four steps:
///
///     prepare, on the search's task -> stage, in the critical section -> effects -> present
///
/// So an observer shows an answer at the very moment at which it is published, and the caller of
/// `search()` goes on after that. No observer holds the searcher.
package struct SearchObserver<Request: Sendable, Answer: Sendable>: Sendable {
  package typealias Effect = @Sendable () -> Void

  /// Decodes an answer, so that `stage` can show it without waiting.
  package var prepare: @Sendable (Answer) async -> Void
  /// Takes over the searcher's status. It is called in the searcher's critical section. What it
  /// returns is called after that, without any lock: it resumes, releases and calls others.
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
  /// Reports hits that do not decode. The error is published while the search is the newest.
  let report: @Sendable (SearchError) -> Void
  /// Whether the search is the newest one and has not ended.
  let isWanted: @Sendable () -> Bool
  /// Whether a newer search is due or running.
  let hasSuccessor: @Sendable () -> Bool
}
