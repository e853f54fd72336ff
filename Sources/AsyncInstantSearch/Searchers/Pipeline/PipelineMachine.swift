/// The decisions of a searcher, as a pure value: an event goes in, actions come out.
///
/// Every search has a generation; a newer one makes every older one obsolete. The rules:
///
/// - A change of the request makes a search due `debounce` after the change, in place of a search
///   that was due or under way. The time of the change fixes the deadline, not the time at which
///   the action is carried out.
/// - Setting a request that is already shown, due or under way does nothing; setting it again after
///   a failure, or before the first search, makes a search due.
/// - Setting the request that has the newest answer while another one is due, but not under way,
///   ends the debounce: the answer counts again.
/// - `search` and `submit` start at once and never wait for the debounce.
/// - A refused request makes no search due and ends the search before it. It has no answer, so
///   setting it again asks again whether it may be searched.
/// - Only the newest generation's outcome is accepted, whether an answer or an error; the same
///   holds for problems found in its answer later.
/// - A caller that awaits a generation receives its outcome, `superseded` or `cancelled`, once.
///   When the caller is cancelled its search ends too, unless the streams wait for it as well.
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
    /// Send `begun(generation)` or `vetoed(generation)`; after `begun` perform the request and send
    /// `ended(generation)`.
    case start(generation: UInt64, request: Request)
    /// Send `stalled(generation)` when the clock reaches the deadline.
    case watch(generation: UInt64, deadline: Duration)
    /// The work of that generation, waiting or running, is not wanted any more.
    case cancelWork(generation: UInt64)
    /// The callers that await that generation receive the outcome.
    case resume(generation: UInt64, outcome: Outcome)
    /// Publish the status; there is nothing else to do.
    case publishStatus

    /// Whether the request, the newest search, its being pending or the answer may be another now.
    var affectsStatus: Bool {
      switch self {
      case .publishRequest, .publishAnswer, .schedule, .start, .cancelWork, .resume, .publishStatus:
        true
      // A joined search begins with nothing else.
      case .watch: true
      case .publishState, .publishError: false
      }
    }
  }

  private enum Phase: Equatable {
    /// Nothing is due or under way; `settled` tells whether the current request has its answer.
    case resting(settled: Bool)
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

  /// The request of the newest generation.
  private var newestRequest: Request
  /// How many generations there were: a number is never given twice.
  private var generationCount: UInt64 = 0

  private var phase: Phase = .resting(settled: false)
  /// Whether the streams wait for the newest search: it answers a change or `submit`, not only a
  /// caller.
  private var streamsWait = false
  /// The newest generation that has an answer; 0 before the first.
  private var answered: UInt64 = 0
  /// The request of that answer while no later search was started.
  private var answeredRequest: Request?
  /// Why a search was lost that was due or under way when the searcher was released.
  private var lostSearch: SearchError?
  private let debounce: Duration
  private let stalledAfter: Duration

  package init(request: Request, debounce: Duration, stalledAfter: Duration) {
    self.request = request
    newestRequest = request
    self.debounce = debounce
    self.stalledAfter = stalledAfter
  }

  /// Whether another searcher will perform the search of the current request.
  package var isDeferred: Bool { phase == .deferred }

  /// Whether a search of the current request is due or under way, here or in another searcher.
  package var isPending: Bool { phase == .deferred || wants(generation) }

  /// The request of the newest search, pending or not; a request that was not searched does not
  /// count.
  package var searchedRequest: Request {
    switch phase {
    case .deferred, .due, .running: request
    case .resting, .closed: newestRequest
    }
  }

  /// Why the newest search failed, if it did and no other is pending.
  package var failure: SearchError? {
    if let lostSearch { return lostSearch }
    return if case .failed(let error) = state, !isPending { error } else { nil }
  }

  /// Whether the work of `generation` is still wanted.
  package func wants(_ generation: UInt64) -> Bool {
    phase == .due(generation: generation) || phase == .running(generation: generation)
  }

  /// The caller set the request, at `now`.
  ///
  /// - Parameter isRenewed: Whether an equal request is searched again, even if it has an answer.
  package mutating func requestSet(
    _ newRequest: Request, isRenewed: Bool = false, now: Duration
  ) -> [Action] {
    if phase == .closed { return [] }
    if !isRenewed, case .due = phase, newRequest == answeredRequest {
      return answerRestored(newRequest)
    }
    var actions: [Action] = []
    if newRequest == request {
      // An equal request is searched for again unless it has an answer or is under way.
      if case .running = phase { streamsWait = true }
      guard isRenewed || phase == .resting(settled: false) else { return [] }
    } else {
      request = newRequest
      actions.append(.publishRequest(newRequest))
    }
    actions += supersede()
    streamsWait = true
    beginGeneration()
    if debounce <= .zero {
      actions += run()
    } else {
      phase = .due(generation: generation)
      actions.append(.schedule(generation: generation, deadline: now + debounce))
    }
    return actions
  }

  /// The request went back to the one that has the newest answer before another was searched.
  private mutating func answerRestored(_ answeredRequest: Request) -> [Action] {
    let isChanged = answeredRequest != request
    request = answeredRequest
    newestRequest = answeredRequest
    let actions = supersede()
    generation = answered
    rest(settled: true)
    return (isChanged ? [.publishRequest(answeredRequest)] : []) + actions + enter(.idle)
  }

  /// The caller set a request that must not be searched.
  ///
  /// It takes the place of the search that is due or under way; without one, an equal request
  /// changes nothing.
  package mutating func requestRefused(_ newRequest: Request) -> [Action] {
    if phase == .closed { return [] }
    let isChanged = newRequest != request
    if !isChanged, case .resting = phase { return [] }
    request = newRequest
    let actions = supersede()
    beginGeneration()
    rest(settled: false)
    return (isChanged ? [.publishRequest(newRequest)] : []) + actions + enter(.idle)
      + [.publishStatus]
  }

  /// The request was changed, at `now`, by a change that makes no search due: a search that is due
  /// or under way is made with the new request, and otherwise none.
  package mutating func requestAdjusted(_ newRequest: Request, now: Duration) -> [Action] {
    switch phase {
    case .due, .running, .closed: return requestSet(newRequest, now: now)
    case .resting, .deferred: break
    }
    if newRequest == request { return [] }
    request = newRequest
    if phase != .deferred { rest(settled: false) }
    return [.publishRequest(newRequest)]
  }

  /// The request was changed by a searcher that will perform its search: what is due or under way
  /// is not wanted any more, and nothing takes its place until the search is ``joined(now:)`` or
  /// ``deferralEnded()``. Without actions there is nothing to be searched: an equal request has its
  /// answer, or its search is due or under way.
  package mutating func requestDeferred(_ newRequest: Request) -> [Action] {
    if phase == .closed { return [] }
    if newRequest == request {
      guard phase == .resting(settled: false) else { return [] }
      phase = .deferred
      return [.publishStatus]
    }
    if phase == .deferred, newRequest == answeredRequest, answered == generation {
      // The request between was not searched: the answer counts again.
      request = newRequest
      newestRequest = newRequest
      rest(settled: true)
      return [.publishRequest(newRequest)]
    }
    request = newRequest
    let actions = supersede()
    rest(settled: false)
    phase = .deferred
    newestRequest = newRequest
    return [.publishRequest(newRequest)] + actions
  }

  /// The search that was deferred will not be made.
  package mutating func deferralEnded() -> [Action] {
    guard phase == .deferred else { return [] }
    rest(settled: false)
    return [.publishStatus] + enter(.idle)
  }

  /// The caller wants the current request searched at once, for the streams.
  package mutating func submitRequested() -> [Action] {
    streamsWait = true
    return searchRequested()
  }

  /// A caller wants a search of the current request at once, and awaits it.
  ///
  /// The search's generation is ``generation`` afterwards.
  package mutating func searchRequested() -> [Action] {
    if phase == .closed { return [] }
    let actions = supersede()
    beginGeneration()
    return actions + run()
  }

  /// A search of the current request has begun, at `now`, that another searcher performs.
  ///
  /// The search's generation is ``generation`` afterwards; its end is reported like that of any
  /// other.
  package mutating func joined(now: Duration) -> [Action] {
    if phase == .closed { return [] }
    let actions = supersede()
    streamsWait = true
    beginGeneration()
    answeredRequest = nil
    phase = .running(generation: generation)
    return actions + begun(generation, now: now)
  }

  /// The debounce of `generation` has passed.
  package mutating func due(_ generation: UInt64) -> [Action] {
    guard phase == .due(generation: generation) else { return [] }
    return run()
  }

  /// The request of `generation` may be searched, and is on its way since `now`.
  package mutating func begun(_ generation: UInt64, now: Duration) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    return enter(.searching) + [.watch(generation: generation, deadline: now + stalledAfter)]
  }

  /// The request of `generation` must not be searched.
  package mutating func vetoed(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    let actions = abandon(with: SearchError(.cancelled, "shouldSearch refused the request."))
    rest(settled: false)
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
      answered = generation
      answeredRequest = request
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

  /// The answer of `generation` turned out to be wrong in part, after it came or before.
  package mutating func problemFound(_ generation: UInt64, _ error: SearchError) -> [Action] {
    guard generation == self.generation, phase != .closed else { return [] }
    return wants(generation) || generation == answered ? [.publishError(error)] : []
  }

  /// The only caller of `generation` was cancelled.
  package mutating func callerCancelled(_ generation: UInt64) -> [Action] {
    guard phase == .running(generation: generation) else { return [] }
    if !streamsWait { return cancelRequested() }
    let error = SearchError(.cancelled, "The caller was cancelled; the search goes on.")
    return [.resume(generation: generation, outcome: .failure(error))]
  }

  /// The caller wants to stop whatever is due or under way.
  package mutating func cancelRequested() -> [Action] {
    switch phase {
    case .resting, .closed: return []
    case .deferred: return deferralEnded()
    case .due, .running: break
    }
    let actions = abandon(with: SearchError(.cancelled, "The search was cancelled."))
    rest(settled: false)
    return actions + enter(.idle)
  }

  /// The searcher is gone.
  package mutating func closed() -> [Action] {
    let error = SearchError(
      .cancelled, "The searcher was released before its search ended; keep a reference to it.")
    if isPending { lostSearch = error }
    let actions = abandon(with: error)
    phase = .closed
    return lostSearch != nil && actions.isEmpty ? [.publishStatus] : actions
  }

  private mutating func rest(settled: Bool) {
    phase = .resting(settled: settled)
    streamsWait = false
  }

  private mutating func beginGeneration() {
    generationCount += 1
    generation = generationCount
    newestRequest = request
  }

  private mutating func run() -> [Action] {
    answeredRequest = nil
    phase = .running(generation: generation)
    return [.start(generation: generation, request: request)]
  }

  private func supersede() -> [Action] {
    abandon(with: SearchError(.superseded, "A newer search took the place of this one."))
  }

  private func abandon(with error: SearchError) -> [Action] {
    switch phase {
    case .resting, .deferred, .closed: []
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
