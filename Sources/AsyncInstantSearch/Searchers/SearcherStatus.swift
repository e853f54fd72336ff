/// The state of a searcher and the outcome of its newest search, as one value.
///
/// A searcher publishes one status for each decision. Its streams and the lists that show its
/// responses are derived from it.
package struct SearcherStatus<Request: Sendable, Response: Sendable>: Sendable {
  /// The request of the newest search, pending or not; not a request that was only set.
  package var request: Request
  /// The number of the newest search; 0 before the first.
  package var generation: UInt64
  /// Whether that search is scheduled or running.
  package var isPending: Bool
  /// The newest response, possibly of an older search.
  package var response: Response?
  /// The error of the newest search; `nil` while it is pending, or if it did not fail.
  package var failure: SearchError?
  /// The number of the search that ``response`` belongs to; 0 before the first.
  package var responseGeneration: UInt64
  /// The request as it was last set, searched or not.
  package var currentRequest: Request
  /// How often that request changed.
  package var requestRevision: UInt64
  package var state: SearchState
  /// The error that this decision publishes, if any.
  package var error: SearchError?

  package init(
    request: Request, generation: UInt64, isPending: Bool, response: Response? = nil,
    failure: SearchError? = nil, responseGeneration: UInt64 = 0, currentRequest: Request? = nil,
    requestRevision: UInt64 = 0, state: SearchState = .idle, error: SearchError? = nil
  ) {
    self.request = request
    self.generation = generation
    self.isPending = isPending
    self.response = response
    self.failure = failure
    self.responseGeneration = responseGeneration
    self.currentRequest = currentRequest ?? request
    self.requestRevision = requestRevision
    self.state = state
    self.error = error
  }
}

extension SearcherStatus {
  /// The same status with another type of requests.
  func mappingRequests<Other: Sendable>(
    _ map: (Request) -> Other
  ) -> SearcherStatus<Other, Response> {
    SearcherStatus<Other, Response>(
      request: map(request), generation: generation, isPending: isPending, response: response,
      failure: failure, responseGeneration: responseGeneration,
      currentRequest: map(currentRequest), requestRevision: requestRevision, state: state,
      error: error)
  }
}

/// The status of a searcher of hits.
package typealias HitsSearcherStatus = SearcherStatus<SearchRequest<JSON>, SearchAnswer>

// MARK: - Streams

/// The streams of a searcher, which are derived from its statuses.
struct SearcherStreams<Request: Sendable & Equatable, Response: Sendable>: Sendable {
  let requests: StreamHub<Request>
  let responses = StreamHub<Response>(replaysCurrent: true)
  /// The responses and errors of the newest searches.
  let outcomes = StreamHub<Result<Response, SearchError>>(replaysCurrent: true)
  let errors = StreamHub<SearchError>(replaysCurrent: false)
  let states = StreamHub<SearchState>(initial: .idle, replaysCurrent: true, areEqual: ==)
  /// Whether a search is pending, and the error of the newest one.
  let progress = StreamHub<SearchProgress>(
    initial: SearchProgress(), replaysCurrent: true, areEqual: ==)

  init(request: Request) {
    requests = StreamHub(initial: request, replaysCurrent: true, areEqual: ==)
  }

  /// Puts the changes of a status into the mailboxes of the subscribers.
  ///
  /// - Returns: Effects to perform outside the critical section.
  func stage(
    _ status: SearcherStatus<Request, Response>, after previous: SearcherStatus<Request, Response>
  ) -> [@Sendable () -> Void] {
    var effects: [@Sendable () -> Void] = []
    if status.requestRevision != previous.requestRevision {
      let delivery = requests.stage(status.currentRequest)
      effects.append { delivery.perform() }
    }
    if status.responseGeneration != previous.responseGeneration, let response = status.response {
      let delivery = responses.stage(response)
      let outcome = outcomes.stage(.success(response))
      effects.append {
        delivery.perform()
        outcome.perform()
      }
    }
    if let failure = status.failure,
      previous.failure == nil || status.generation != previous.generation
    {
      let delivery = outcomes.stage(.failure(failure))
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
    if status.isPending != previous.isPending || status.failure != previous.failure {
      let delivery = progress.stage(
        SearchProgress(isPending: status.isPending, failure: status.failure))
      effects.append { delivery.perform() }
    }
    return effects
  }

  /// Ends every stream.
  func finish() {
    requests.finish()
    responses.finish()
    outcomes.finish()
    errors.finish()
    states.finish()
    progress.finish()
  }
}

/// Whether a search is pending, and the error of the newest one.
struct SearchProgress: Sendable, Equatable {
  var isPending = false
  /// The error of the newest search, if it failed and no other is pending.
  var failure: SearchError?
}

// MARK: - Observers

/// An object that shows the responses of a searcher: a list of hits, or several lists as sections.
///
/// A search with observers ends in four steps:
///
///     prepare, on the search's task -> stage, in the critical section -> effects -> present
///
/// An observer therefore shows a response when it is published, before the caller of `search()`
/// continues. No observer retains the searcher.
package struct SearchObserver<Request: Sendable, Response: Sendable>: Sendable {
  package typealias Effect = @Sendable () -> Void

  /// Decodes a response, so that `stage` can show it at once.
  package var prepare: @Sendable (Response) async -> Void
  /// Receives the searcher's status, in the searcher's critical section. The returned effect is
  /// performed after that, without any lock: it resumes continuations, releases objects and calls
  /// other code.
  package var stage: @Sendable (SearcherStatus<Request, Response>) -> Effect
  /// Waits until the views show the staged status; `false` if the task is cancelled first.
  package var present: @Sendable () async -> Bool
  /// Called without any lock when the searcher was released.
  package var end: Effect

  package init(
    prepare: @escaping @Sendable (Response) async -> Void,
    stage: @escaping @Sendable (SearcherStatus<Request, Response>) -> Effect,
    present: @escaping @Sendable () async -> Bool,
    end: @escaping Effect
  ) {
    self.prepare = prepare
    self.stage = stage
    self.present = present
    self.end = end
  }

  /// The same observer for a searcher with another type of requests.
  package func mappingRequests<Other: Sendable>(
    _ map: @escaping @Sendable (Other) -> Request
  ) -> SearchObserver<Other, Response> {
    SearchObserver<Other, Response>(
      prepare: prepare, stage: { [stage] in stage($0.mappingRequests(map)) }, present: present,
      end: end)
  }
}

/// An observer of a searcher of hits.
package typealias HitsObserver = SearchObserver<SearchRequest<JSON>, SearchAnswer>
