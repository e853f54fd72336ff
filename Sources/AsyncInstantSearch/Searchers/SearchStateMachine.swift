// Long because it contains all rules of a searcher.

/// The decisions of a searcher, as a pure value: an event goes in, actions come out.
///
/// Every search has a generation. A newer search makes every older one obsolete. The rules:
///
/// - A change of the text schedules a search `debounce` after the change, and supersedes the
///   pending one. The deadline depends on the time of the change, not on the time at which the
///   action is performed. Any other change is a click, which is searched at once, with the text as
///   it is.
/// - Setting a request that is already answered, scheduled or running does nothing. Setting it
///   again after a failure, or before the first search, schedules a search.
/// - Setting the request of the newest response while another request is scheduled, but not
///   running, ends the debounce: the response is current again.
/// - `search` and `submit` start at once and never wait for the debounce. They supersede a search
///   that a change has begun: its response can be older than a write that the caller awaited.
/// - A rejected request schedules no search and ends the pending one. It has no response, so
///   setting it again calls `shouldSearch` again.
/// - Only the outcome of the newest generation is accepted, whether a response or an error. The
///   same holds for decoding errors found in its response later.
/// - A caller that awaits a generation receives its outcome, `superseded` or `cancelled`, once.
///   When the caller is cancelled its search ends too, unless the streams wait for it as well.
/// - Each event publishes at most one status.
package struct SearchStateMachine<Request: Sendable & Equatable, Response: Sendable> {
  package typealias Outcome = Result<Response, SearchError>
  package typealias Status = SearcherStatus<Request, Response>

  /// An action for the searcher to perform, in order.
  package enum Action: Sendable {
    /// Publish the status. Every stream is derived from it.
    case publish(Status)
    /// Send `due(generation)` when the clock reaches the deadline.
    case schedule(generation: UInt64, deadline: Duration)
    /// Send `begun(generation)` or `refused(generation)`. After `begun`, perform the request and
    /// send `ended(generation)`.
    case start(generation: UInt64, request: Request)
    /// Send `stalled(generation)` when the clock reaches the deadline.
    case scheduleStallCheck(generation: UInt64, deadline: Duration)
    /// Cancel the work of that generation, scheduled or running.
    case cancelWork(generation: UInt64)
    /// Resume the callers that await that generation with the outcome.
    case resume(generation: UInt64, outcome: Outcome)
  }

  private enum Phase: Equatable {
    /// No search is pending. `hasResponse`: whether the current request has its response.
    case idle(hasResponse: Bool)
    /// Another searcher will perform the search of the current request.
    case deferred
    case due(generation: UInt64)
    case running(generation: UInt64)
    case closed
  }

  /// The request as the caller last set it.
  package private(set) var request: Request
  /// The newest generation; 0 before the first search.
  package private(set) var generation: UInt64 = 0
  package private(set) var state: SearchState = .idle
  /// How often the request changed.
  package private(set) var requestRevision: UInt64 = 0

  /// The request of the newest generation.
  private var newestRequest: Request
  /// The number of generations so far. No number is used twice.
  private var generationCount: UInt64 = 0

  private var phase: Phase = .idle(hasResponse: false)
  /// Whether the streams wait for the newest search: it answers a change or `submit`, not only a
  /// caller.
  private var streamsWait = false
  /// The newest response.
  private var response: Response?
  /// The generation of the newest response; 0 before the first.
  private var responseGeneration: UInt64 = 0
  /// The request of that response, until a later search starts.
  private var responseRequest: Request?
  /// The error of a search that was pending when the searcher was released.
  private var lostSearch: SearchError?
  private let debounce: Duration
  private let stalledAfter: Duration
  /// Whether a change is typing in a search field.
  private let isTyped: @Sendable (_ before: Request, _ after: Request) -> Bool

  package init(
    request: Request, debounce: Duration, stalledAfter: Duration,
    isTyped: @escaping @Sendable (_ before: Request, _ after: Request) -> Bool = { _, _ in true }
  ) {
    self.request = request
    newestRequest = request
    self.debounce = debounce
    self.stalledAfter = stalledAfter
    self.isTyped = isTyped
  }

  /// The state of the searcher and the outcome of its newest search.
  package var status: Status { status(error: nil) }

  private func status(error: SearchError?) -> Status {
    Status(
      request: searchedRequest, generation: generation, isPending: isPending, response: response,
      failure: failure, responseGeneration: responseGeneration, currentRequest: request,
      requestRevision: requestRevision, state: state, error: error)
  }

  /// Whether another searcher will perform the search of the current request.
  package var isDeferred: Bool { phase == .deferred }

  /// Whether a search of the current request is pending, here or in another searcher.
  package var isPending: Bool { phase == .deferred || wants(generation) }

  /// The request of the newest search, pending or not; not a request that was only set.
  private var searchedRequest: Request {
    switch phase {
    case .deferred, .due, .running: request
    case .idle, .closed: newestRequest
    }
  }

  /// The error of the newest search, if it failed and no other is pending.
  package var failure: SearchError? {
    if let lostSearch { return lostSearch }
    return if case .failed(let error) = state, !isPending { error } else { nil }
  }

  /// Whether the work of `generation` is still wanted.
  package func wants(_ generation: UInt64) -> Bool {
    phase == .due(generation: generation) || phase == .running(generation: generation)
  }
}

// MARK: - The request

extension SearchStateMachine {
  /// The caller set the request, at `now`.
  ///
  /// - Parameters:
  ///   - forcesSearch: Whether an equal request is searched again, even if it has a response.
  ///   - isClick: Whether the change does not wait for the debounce, even if it changes the text.
  package mutating func requestSet(
    _ newRequest: Request, forcesSearch: Bool = false, isClick: Bool = false, now: Duration
  ) -> [Action] {
    if phase == .closed { return [] }
    if !forcesSearch, case .due = phase, newRequest == responseRequest {
      return responseRestored(newRequest)
    }
    let waits = !isClick && (newRequest == request || isTyped(request, newRequest))
    if newRequest == request {
      // An equal request is searched again unless it has a response or is running.
      if case .running = phase { streamsWait = true }
      guard forcesSearch || phase == .idle(hasResponse: false) else { return [] }
    } else {
      change(to: newRequest)
    }
    var actions = supersede()
    streamsWait = true
    beginGeneration()
    if debounce <= .zero || !waits {
      actions += run()
    } else {
      phase = .due(generation: generation)
      actions.append(.schedule(generation: generation, deadline: now + debounce))
    }
    return [.publish(status)] + actions
  }

  /// The request returned to the request of the newest response before any other was searched.
  private mutating func responseRestored(_ responseRequest: Request) -> [Action] {
    if responseRequest != request { change(to: responseRequest) }
    newestRequest = responseRequest
    let actions = supersede()
    generation = responseGeneration
    rest(hasResponse: true)
    state = .idle
    return [.publish(status)] + actions
  }

  /// The caller set a request that `shouldSearch` rejects.
  ///
  /// It supersedes the pending search. Without a pending search, an equal request changes nothing.
  package mutating func requestRefused(_ newRequest: Request) -> [Action] {
    if phase == .closed { return [] }
    if newRequest != request {
      change(to: newRequest)
    } else if case .idle = phase {
      return []
    }
    let actions = supersede()
    beginGeneration()
    rest(hasResponse: false)
    state = .idle
    return [.publish(status)] + actions
  }

  /// The request was changed, at `now`, by a change that schedules no search itself. A pending
  /// search starts again with the new request, or also with an equal one if `forcesSearch`.
  package mutating func requestAdjusted(
    _ newRequest: Request, forcesSearch: Bool = false, now: Duration
  ) -> [Action] {
    switch phase {
    case .due, .running, .closed:
      return requestSet(newRequest, forcesSearch: forcesSearch, now: now)
    case .idle, .deferred: break
    }
    if newRequest == request { return [] }
    change(to: newRequest)
    if phase != .deferred { rest(hasResponse: false) }
    return [.publish(status)]
  }

  /// The request was changed by a searcher that will perform its search.
  ///
  /// It cancels the pending search. No other follows until ``joined(now:)`` or ``deferralEnded()``.
  /// Returns no actions if no search is needed: an equal request has its response, or its search is
  /// pending.
  package mutating func requestDeferred(_ newRequest: Request) -> [Action] {
    if phase == .closed { return [] }
    if newRequest == request {
      guard phase == .idle(hasResponse: false) else { return [] }
      phase = .deferred
      return [.publish(status)]
    }
    if phase == .deferred, newRequest == responseRequest, responseGeneration == generation {
      // The request in between was not searched: the response is current again.
      change(to: newRequest)
      newestRequest = newRequest
      rest(hasResponse: true)
      return [.publish(status)]
    }
    change(to: newRequest)
    let actions = supersede()
    rest(hasResponse: false)
    phase = .deferred
    newestRequest = newRequest
    return [.publish(status)] + actions
  }

  /// The deferred search is not performed.
  package mutating func deferralEnded() -> [Action] {
    guard phase == .deferred else { return [] }
    rest(hasResponse: false)
    state = .idle
    return [.publish(status)]
  }

  /// A change of the request was not made.
  package func changeFailed(_ error: SearchError) -> [Action] {
    phase == .closed ? [] : [.publish(status(error: error))]
  }
}

// MARK: - The search

extension SearchStateMachine {
  /// The caller wants the current request searched at once, for the streams.
  package mutating func submitRequested() -> [Action] {
    if phase == .closed { return [] }
    streamsWait = true
    return searchAtOnce()
  }

  /// A caller wants a search of a request at once, and awaits it. The request becomes the current
  /// one in the same event.
  ///
  /// The search's generation is ``generation`` afterwards.
  ///
  /// - Parameter forStreams: Whether the streams wait for it too, even if the request stays equal.
  /// - Returns: `nil` if the searcher was released.
  package mutating func searchRequested(
    _ newRequest: Request, forStreams: Bool = false
  ) -> [Action]? {
    if phase == .closed { return nil }
    if forStreams || newRequest != request { streamsWait = true }
    if newRequest != request { change(to: newRequest) }
    return searchAtOnce()
  }

  private mutating func searchAtOnce() -> [Action] {
    let actions = supersede()
    beginGeneration()
    let start = run()
    return [.publish(status)] + actions + start
  }

  /// Another searcher began a search of the current request, at `now`.
  ///
  /// The search's generation is ``generation`` afterwards. It ends like any other search.
  package mutating func joined(now: Duration) -> [Action] {
    if phase == .closed { return [] }
    let actions = supersede()
    streamsWait = true
    beginGeneration()
    responseRequest = nil
    phase = .running(generation: generation)
    state = .searching
    return actions + [.publish(status), stallCheck(now: now)]
  }

  /// The debounce of `generation` has passed.
  package mutating func due(_ generation: UInt64) -> [Action] {
    guard phase == .due(generation: generation) else { return [] }
    return run()
  }

  /// The search of `generation` was allowed and began at `now`.
  package mutating func begun(_ generation: UInt64, now: Duration) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    return enter(.searching) + [stallCheck(now: now)]
  }

  /// `shouldSearch` rejected the request of `generation`.
  package mutating func refused(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    let actions = abandon(with: .refused)
    rest(hasResponse: false)
    state = .idle
    return actions + [.publish(status)]
  }

  /// The search of `generation` has run for `stalledAfter`.
  package mutating func stalled(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    return enter(.stalled)
  }

  /// The search of `generation` ended.
  package mutating func ended(_ generation: UInt64, _ outcome: Outcome) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    var published: SearchError?
    switch outcome {
    case .success(let newResponse):
      rest(hasResponse: true)
      response = newResponse
      responseGeneration = generation
      responseRequest = request
      state = .idle
    case .failure(let error) where error.code == .cancelled:
      // A cancelled search did not fail: nothing is published as an error.
      rest(hasResponse: false)
      state = .idle
    case .failure(let error):
      rest(hasResponse: false)
      state = .failed(error)
      published = error
    }
    return [
      .cancelWork(generation: generation), .publish(status(error: published)),
      .resume(generation: generation, outcome: outcome),
    ]
  }

  /// Part of the response of `generation` does not decode, before or after it was published.
  package func decodingFailed(_ generation: UInt64, _ error: SearchError) -> [Action] {
    guard generation == self.generation, phase != .closed,
      wants(generation) || generation == responseGeneration
    else { return [] }
    return [.publish(status(error: error))]
  }

  /// The only caller of `generation` was cancelled.
  package mutating func callerCancelled(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    if !streamsWait { return cancelRequested() }
    let error = SearchError(.cancelled, "The caller was cancelled; the search goes on.")
    return [.resume(generation: generation, outcome: .failure(error))]
  }

  /// The caller cancels the pending search.
  package mutating func cancelRequested() -> [Action] {
    switch phase {
    case .idle, .closed: return []
    case .deferred: return deferralEnded()
    case .due, .running: break
    }
    let actions = abandon(with: SearchError(.cancelled, "The search was cancelled."))
    rest(hasResponse: false)
    state = .idle
    return actions + [.publish(status)]
  }

  /// The searcher was released.
  package mutating func closed() -> [Action] {
    if phase == .closed { return [] }
    let error = SearchError(
      .cancelled, "The searcher was released before its search ended; keep a reference to it.")
    let isLost = isPending
    if isLost { lostSearch = error }
    let actions = abandon(with: error)
    phase = .closed
    return isLost ? actions + [.publish(status)] : actions
  }
}

// MARK: - Transitions

extension SearchStateMachine {
  private mutating func change(to newRequest: Request) {
    request = newRequest
    requestRevision += 1
  }

  private mutating func rest(hasResponse: Bool) {
    phase = .idle(hasResponse: hasResponse)
    streamsWait = false
  }

  private mutating func beginGeneration() {
    generationCount += 1
    generation = generationCount
    newestRequest = request
  }

  private mutating func run() -> [Action] {
    responseRequest = nil
    phase = .running(generation: generation)
    return [.start(generation: generation, request: request)]
  }

  private func stallCheck(now: Duration) -> Action {
    .scheduleStallCheck(generation: generation, deadline: now + stalledAfter)
  }

  private func supersede() -> [Action] {
    abandon(with: SearchError(.superseded, "A newer search superseded this one."))
  }

  private func abandon(with error: SearchError) -> [Action] {
    switch phase {
    case .idle, .deferred, .closed: []
    case .due(let generation), .running(let generation):
      [
        .cancelWork(generation: generation),
        .resume(generation: generation, outcome: .failure(error)),
      ]
    }
  }

  private mutating func enter(_ newState: SearchState) -> [Action] {
    if newState == state { return [] }
    state = newState
    return [.publish(status)]
  }
}
