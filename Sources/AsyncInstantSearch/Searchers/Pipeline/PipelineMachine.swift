/// The decisions of a searcher, as a pure value: an event goes in, actions come out.
///
/// Every search has a generation; a newer one makes every older one obsolete. The rules:
///
/// - A change of the request makes a search due `debounce` after the change, in place of a search
///   that was due or under way. The deadline is fixed by the change, not by whoever acts on it.
/// - Setting a request that is already shown, due or under way does nothing; setting it again after
///   a failure, or before the first search, makes a search due.
/// - `search` and `submit` start at once and never wait for the debounce.
/// - Only the newest generation's outcome is accepted, whether an answer or an error.
/// - A caller that awaits a generation receives its outcome, `superseded` or `cancelled`, once. When
///   the caller is cancelled its search ends too, unless it answers a change that was set before.
package struct PipelineMachine<Request: Sendable & Equatable, Answer: Sendable> {
  package typealias Outcome = Result<Answer, SearchError>

  /// What the storage has to do, in order.
  package enum Action: Sendable {
    case publishRequest(Request)
    case publishState(SearchState)
    case publishAnswer(Answer)
    case publishError(SearchError)
    /// Send `due(generation)` when the clock reaches the deadline.
    case schedule(generation: UInt64, deadline: Duration)
    /// Send `begun(generation)` or `vetoed(generation)`, then perform the request and send
    /// `ended(generation)`; send `stalled(generation)` at the deadline.
    case start(generation: UInt64, request: Request, stalledAt: Duration)
    /// The work of that generation, waiting or running, is not wanted any more.
    case cancelWork(generation: UInt64)
    /// The callers that await that generation receive the outcome.
    case resume(generation: UInt64, outcome: Outcome)
  }

  private enum Phase: Equatable {
    /// Nothing is due or under way; `settled` tells whether the current request has its answer.
    case resting(settled: Bool)
    case due(generation: UInt64)
    case running(generation: UInt64)
    case closed
  }

  /// The request as the caller last set it.
  package private(set) var request: Request
  /// The newest generation; 0 before the first search.
  package private(set) var generation: UInt64 = 0
  package private(set) var state: SearchState = .idle

  private var phase: Phase = .resting(settled: false)
  /// Whether a change was set whose search has not ended yet, so that the streams wait for it.
  private var changeIsOpen = false
  private let debounce: Duration
  private let stalledAfter: Duration

  package init(request: Request, debounce: Duration, stalledAfter: Duration) {
    self.request = request
    self.debounce = debounce
    self.stalledAfter = stalledAfter
  }

  /// Whether the work of `generation` is still wanted.
  package func wants(_ generation: UInt64) -> Bool {
    phase == .due(generation: generation) || phase == .running(generation: generation)
  }

  /// The caller set the request, at `now`.
  package mutating func requestSet(_ newRequest: Request, now: Duration) -> [Action] {
    if phase == .closed { return [] }
    var actions: [Action] = []
    if newRequest == request {
      // An equal value is not swallowed when nothing stands for it: no answer, nothing on its way.
      guard phase == .resting(settled: false) else { return [] }
    } else {
      request = newRequest
      actions.append(.publishRequest(newRequest))
    }
    actions += supersede()
    changeIsOpen = true
    generation += 1
    if debounce <= .zero {
      actions += run(now: now)
    } else {
      phase = .due(generation: generation)
      actions.append(.schedule(generation: generation, deadline: now + debounce))
    }
    return actions
  }

  /// The caller wants a search of the current request at once.
  ///
  /// The search's generation is ``generation`` afterwards.
  package mutating func searchRequested(now: Duration) -> [Action] {
    if phase == .closed { return [] }
    let actions = supersede()
    generation += 1
    return actions + run(now: now)
  }

  /// The debounce of `generation` has passed.
  package mutating func due(_ generation: UInt64, now: Duration) -> [Action] {
    guard phase == .due(generation: generation) else { return [] }
    return run(now: now)
  }

  /// The request of `generation` may be searched, and is on its way.
  package mutating func begun(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    return enter(.searching)
  }

  /// The request of `generation` must not be searched.
  package mutating func vetoed(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    let actions = abandon(with: SearchError(.cancelled, "shouldSearch refused the request."))
    rest(settled: true)
    return actions + enter(.idle)
  }

  /// The search of `generation` takes long.
  package mutating func stalled(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    return enter(.stalled)
  }

  /// The search of `generation` ended.
  package mutating func ended(_ generation: UInt64, _ outcome: Outcome) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    var actions: [Action] = [.cancelWork(generation: generation)]
    switch outcome {
    case .success(let answer):
      rest(settled: true)
      actions.append(.publishAnswer(answer))
      actions += enter(.idle)
    case .failure(let error) where error.code == .cancelled:
      // A cancelled search is not a failed one: it is shown nowhere.
      rest(settled: false)
      actions += enter(.idle)
    case .failure(let error):
      rest(settled: false)
      actions.append(.publishError(error))
      actions += enter(.failed(error))
    }
    actions.append(.resume(generation: generation, outcome: outcome))
    return actions
  }

  /// The only caller of `generation` was cancelled.
  package mutating func callerCancelled(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    if !changeIsOpen { return cancelRequested() }
    let error = SearchError(.cancelled, "The caller was cancelled; the search goes on.")
    return [.resume(generation: generation, outcome: .failure(error))]
  }

  /// The caller wants to stop whatever is due or under way.
  package mutating func cancelRequested() -> [Action] {
    switch phase {
    case .resting, .closed: return []
    case .due, .running: break
    }
    let actions = abandon(with: SearchError(.cancelled, "The search was cancelled."))
    rest(settled: false)
    return actions + enter(.idle)
  }

  /// The searcher is gone.
  package mutating func closed() -> [Action] {
    let actions = abandon(with: SearchError(.cancelled, "The searcher was released."))
    phase = .closed
    return actions
  }

  private mutating func rest(settled: Bool) {
    phase = .resting(settled: settled)
    changeIsOpen = false
  }

  private mutating func run(now: Duration) -> [Action] {
    phase = .running(generation: generation)
    return [.start(generation: generation, request: request, stalledAt: now + stalledAfter)]
  }

  private func supersede() -> [Action] {
    abandon(with: SearchError(.superseded, "A newer search took the place of this one."))
  }

  private func abandon(with error: SearchError) -> [Action] {
    switch phase {
    case .resting, .closed: []
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
    return [.publishState(newState)]
  }
}
