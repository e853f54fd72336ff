/// What a searcher is made of; use the searcher's members instead.
///
/// It owns the state machine, the streams and the tasks. All decisions are made by the machine
/// under one lock. What it decides to publish is put into the streams' mailboxes, and shown by the
/// observers, under that same lock, so the order of decisions is the order of values; resuming,
/// starting and cancelling happen after it, without any lock.
///
/// Locks are taken in the order searcher, sections, list, stream: never the other way round.
public final class SearchPipeline<Request: Sendable & Equatable, Answer: Sendable>: Sendable {
  typealias Outcome = Result<Answer, SearchError>

  typealias Machine = PipelineMachine<Request, Answer>

  struct State: Sendable {
    var machine: Machine
    /// Counts the changes of the request, and the copies of another object's state that left it
    /// equal.
    var changes: UInt64 = 0
    var tasks: [UInt64: [Task<Void, Never>]] = [:]
    var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var observers: [UInt64: Observer] = [:]
    var nextObserverID: UInt64 = 0
    var isClosed = false
  }

  typealias Observer = SearchObserver<Request, Answer>

  /// Performs a request.
  typealias Execute = @concurrent @Sendable (Request, SearchContext) async -> Outcome

  let requests: StreamHub<Request>
  let answers = StreamHub<Answer>(replaysCurrent: true)
  let errors = StreamHub<SearchError>(replaysCurrent: false)
  let states = StreamHub<SearchState>(initial: .idle, replaysCurrent: true, areEqual: ==)

  let state: Lock<State>
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  /// What the changes of the request are changes of.
  private let owner: ChangeOwner
  private let decision: @Sendable (Request) -> Bool
  private let execute: Execute

  init(
    request: Request,
    debounce: Duration,
    stalledAfter: Duration,
    clock: AnyClock,
    executor: (any TaskExecutor)?,
    owner: ChangeOwner = ChangeOwner(),
    shouldSearch: @escaping @Sendable (Request) -> Bool,
    execute: @escaping Execute
  ) {
    self.state = Lock(
      State(
        machine: Machine(request: request, debounce: debounce, stalledAfter: stalledAfter)))
    self.requests = StreamHub(initial: request, replaysCurrent: true, areEqual: ==)
    self.clock = clock
    self.executor = executor
    self.owner = owner
    self.decision = shouldSearch
    self.execute = execute
  }

  /// Whether a request may be searched, which is the caller's code.
  private func shouldSearch(_ request: Request) -> Bool {
    ChangeScope.decide(of: owner) { decision(request) }
  }

  /// The request as it was last set.
  var request: Request { state.withLock { $0.machine.request } }

  /// The newest search; 0 before the first.
  var generation: UInt64 { state.withLock { $0.machine.generation } }

  /// What the searcher is doing.
  var currentState: SearchState { state.withLock { $0.machine.state } }

  /// Changes the request. `change` is the caller's code, so it runs outside the lock; it runs again
  /// when the request was changed in between, so that no change is lost. Setting an equal request
  /// is no change. After ``ChangeTries/limit`` runs the change is given up and reported as an
  /// error.
  func update(_ change: (Request) -> Request) {
    update(change, isCopy: false) { machine, request, now in
      machine.requestSet(request, now: now)
    }
  }

  /// Changes the request as ``update(_:)`` does, to what another object holds.
  ///
  /// Of copies made at the same time, one may have read an older state. So a copy counts as a
  /// change even if it leaves the request equal: those under way read again, and the newest state
  /// remains.
  ///
  /// - Returns: Whether the change was made; `false` when it was given up.
  @discardableResult
  func copy(_ change: (Request) -> Request) -> Bool {
    update(change, isCopy: true) { machine, request, now in
      machine.requestSet(request, now: now)
    } != nil
  }

  /// Changes the request as ``copy(_:)`` does, without making a search due by itself.
  @discardableResult
  func adjust(_ change: (Request) -> Request) -> Bool {
    update(change, isCopy: true) { machine, request, now in
      machine.requestAdjusted(request, now: now)
    } != nil
  }

  /// Changes the request as ``copy(_:)`` does; an equal one is searched again, even if it has an
  /// answer.
  func renew(_ change: (Request) -> Request) -> Bool {
    update(change, isCopy: true) { machine, request, now in
      machine.requestSet(request, isRenewed: true, now: now)
    } != nil
  }

  /// Changes the request as ``copy(_:)`` does, for a searcher that will begin its search with
  /// ``begin(while:)``, or end the wait for it with ``endDeferral()``.
  ///
  /// - Returns: Whether there is a search to be made; `nil` when the change was given up.
  func prepare(_ change: (Request) -> Request) -> Bool? {
    var isDeferred = false
    let hasEffect = update(change, isCopy: true) { machine, request, _ in
      let actions = machine.requestDeferred(request)
      isDeferred = machine.isDeferred
      return actions
    }
    return hasEffect.map { $0 && isDeferred }
  }

  /// The search that was announced with ``prepare(_:)`` will not be made.
  func endDeferral() {
    send { $0.deferralEnded() }
  }

  /// Returns whether the event had an effect; a request that must not be searched has none. `nil`
  /// when the change was given up.
  @discardableResult
  private func update(
    _ change: (Request) -> Request, isCopy: Bool,
    event: (inout Machine, Request, _ now: Duration) -> [Machine.Action]
  ) -> Bool? {
    let now = clock.now()
    var tries = ChangeTries()
    while true {
      let (before, changes) = state.withLock { ($0.machine.request, $0.changes) }
      // Both are the caller's code.
      let changed = tries.next(of: owner) {
        let after = change(before)
        return (request: after, isAllowed: shouldSearch(after))
      }
      guard let changed else { break }
      let hasEffect = apply { state -> ([Machine.Action], Bool?) in
        guard state.changes == changes else { return ([], nil) }
        if isCopy { state.changes += 1 }
        if !changed.isAllowed { return (state.machine.requestRefused(changed.request), false) }
        let actions = event(&state.machine, changed.request, now)
        return (actions, !actions.isEmpty)
      }
      if let hasEffect { return hasEffect }
    }
    errors.send(Self.error(of: tries))
    return nil
  }

  private static func error(of tries: ChangeTries) -> SearchError {
    tries.error(of: "the request", in: "searcher")
  }

  /// Starts a search of the current request without waiting for the debounce, or for its answer.
  func submit() {
    whenAllowed { $0.machine.submitRequested() }
  }

  /// Searches the current request and returns the outcome of exactly that search, once every
  /// observer shows it.
  func search() async -> Outcome {
    let cancelled = SearchError(.cancelled, "The task was cancelled before the search.")
    if Task.isCancelled { return .failure(cancelled) }
    let slot = Lock<UInt64?>(nil)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Cancellation that comes before the slot is filled is seen here, later one by the handler.
        let problem = whenAllowed { state in
          let actions = state.machine.searchRequested()
          if actions.isEmpty { return actions }
          let generation = state.machine.generation
          state.waiters[generation] = continuation
          slot.withLock { $0 = generation }
          return actions
        }
        guard let generation = slot.withLock({ $0 }) else {
          let released = SearchError(.cancelled, "The searcher was released.")
          continuation.resume(returning: .failure(problem ?? released))
          return
        }
        if Task.isCancelled { send { $0.callerCancelled(generation) } }
      }
    } onCancel: {
      if let generation = slot.withLock({ $0 }) {
        send { $0.callerCancelled(generation) }
      }
    }
    return await presented(outcome)
  }

  /// Makes an event of the current request unless it must not be searched; returns why it was not
  /// made.
  @discardableResult
  private func whenAllowed(_ event: (inout State) -> [Machine.Action]) -> SearchError? {
    var tries = ChangeTries()
    while true {
      let (request, changes) = state.withLock { ($0.machine.request, $0.changes) }
      guard let isAllowed = tries.next(of: owner, { shouldSearch(request) }) else { break }
      let isDone = apply { state -> ([Machine.Action], Bool) in
        guard state.changes == changes else { return ([], false) }
        return (isAllowed ? event(&state) : state.machine.requestRefused(request), true)
      }
      if isDone { return isAllowed ? nil : .refused }
    }
    let error = Self.error(of: tries)
    errors.send(error)
    return error
  }

  /// Begins a search of the current request that another searcher performs and ``end(_:_:)``s.
  ///
  /// - Parameter isWanted: Whether that searcher still needs it; called at the moment at which the
  ///   search would take the place of the one before. It may take a lock of its own, but not this
  ///   pipeline's.
  /// - Returns: The request and its context; `nil` when it must not be searched.
  func begin(
    while isWanted: @Sendable () -> Bool
  ) -> (request: Request, context: SearchContext)? {
    var tries = ChangeTries()
    while true {
      let request = request
      guard let isAllowed = tries.nextWithin(owner, { shouldSearch(request) }) else {
        errors.send(Self.error(of: tries))
        break
      }
      guard isAllowed else { break }
      let now = clock.now()
      let begun = apply { state -> ([Machine.Action], Begun) in
        guard state.machine.request == request else { return ([], .changed) }
        guard isWanted() else { return ([], .refused) }
        let actions = state.machine.joined(now: now)
        return (actions, actions.isEmpty ? .refused : .generation(state.machine.generation))
      }
      switch begun {
      case .generation(let generation): return (request, context(of: generation))
      case .refused: return nil
      case .changed: continue
      }
    }
    endDeferral()
    return nil
  }

  private enum Begun: Sendable {
    case generation(UInt64)
    case changed
    case refused
  }

  private func context(of generation: UInt64) -> SearchContext {
    SearchContext(generation: generation) { [weak self] error in
      self?.send { $0.problemFound(generation, error) }
    } isWanted: { [weak self] in
      self?.state.withLock { $0.machine.wants(generation) } ?? false
    } hasSuccessor: { [weak self] in
      self?.state.withLock { $0.machine.isPending && !$0.machine.wants(generation) } ?? false
    }
  }

  /// Stops what is due or under way; the streams stay open.
  func cancel() {
    send { $0.cancelRequested() }
  }

  /// Ends everything: tasks are cancelled, callers resumed, streams finished.
  func close() {
    send { $0.closed() }
    let observers = state.withLock { state in
      state.isClosed = true
      defer { state.observers = [:] }
      return state.observers
    }
    for observer in observers.values { observer.end() }
    requests.finish()
    answers.finish()
    errors.finish()
    states.finish()
  }

  func send(_ event: (inout Machine) -> [Machine.Action]) {
    apply { state in (event(&state.machine), ()) }
  }

  func apply<Value: Sendable>(
    _ event: (inout State) -> ([Machine.Action], Value)
  ) -> Value {
    let (effects, value) = state.withLock { state in
      let (actions, value) = event(&state)
      var effects = actions.map { stage($0, in: &state) }
      if !state.observers.isEmpty, actions.contains(where: \.affectsStatus) {
        // After the actions, so that the answer is there.
        let status = status(of: state)
        effects = state.observers.values.map { $0.stage(status) } + effects
      }
      return (effects, value)
    }
    for effect in effects { effect() }
    return value
  }

  /// Does the part of an action that fixes its order, under the lock; returns the rest of it.
  private func stage(_ action: Machine.Action, in state: inout State) -> @Sendable () -> Void {
    switch action {
    case .publishRequest(let request):
      state.changes += 1
      let delivery = requests.stage(request)
      return { delivery.perform() }
    case .publishState(let newState):
      let delivery = states.stage(newState)
      return { delivery.perform() }
    case .publishAnswer(let answer):
      let delivery = answers.stage(answer)
      return { delivery.perform() }
    case .publishError(let error):
      let delivery = errors.stage(error)
      return { delivery.perform() }
    case .resume(let generation, let outcome):
      let waiter = state.waiters.removeValue(forKey: generation)
      return { waiter?.resume(returning: outcome) }
    case .cancelWork(let generation):
      let tasks = state.tasks.removeValue(forKey: generation) ?? []
      return { for task in tasks { task.cancel() } }
    case .publishStatus:
      return {}
    case .schedule(let generation, let deadline):
      return {
        self.spawn(for: generation) { pipeline in
          guard await pipeline.reaches(deadline) else { return }
          pipeline.send { $0.due(generation) }
        }
      }
    case .start(let generation, let request):
      return {
        self.spawn(for: generation) { pipeline in
          await pipeline.run(request, generation)
        }
      }
    case .watch(let generation, let deadline):
      return {
        self.spawn(for: generation) { pipeline in
          guard await pipeline.reaches(deadline) else { return }
          pipeline.send { $0.stalled(generation) }
        }
      }
    }
  }

  private func run(_ request: Request, _ generation: UInt64) async {
    // A newer search may have taken its place before it began.
    guard state.withLock({ $0.machine.wants(generation) }) else { return }
    guard shouldSearch(request) else {
      send { $0.vetoed(generation) }
      return
    }
    let now = clock.now()
    send { $0.begun(generation, now: now) }
    let outcome = await execute(request, context(of: generation))
    await end(generation, outcome)
  }

  /// Whether the clock reached `deadline`, and not the task its cancellation.
  private func reaches(_ deadline: Duration) async -> Bool {
    do {
      try await clock.sleepUntil(deadline)
      return true
    } catch {
      return false
    }
  }

  /// The only place that makes a task. The task is kept until the machine cancels its generation;
  /// if that has happened already, it is cancelled here.
  private func spawn(
    for generation: UInt64, _ body: @escaping @concurrent @Sendable (SearchPipeline) async -> Void
  ) {
    let task = ChangeScope.beginWork {
      Task(executorPreference: executor) { await body(self) }
    }
    let isWanted = state.withLock { state in
      guard state.machine.wants(generation) else { return false }
      state.tasks[generation, default: []].append(task)
      return true
    }
    if !isWanted { task.cancel() }
  }
}

extension SearchError {
  /// The request must not be searched.
  static var refused: SearchError {
    SearchError(.cancelled, "shouldSearch refused the request.")
  }
}
