/// The state of a searcher of any kind: the state machine, the task of the search, the timers, and
/// the callers and lists that wait. All of it is isolated to this actor.
///
/// The actor's executor is a ``SerialSection``. Synchronous calls enter the section and make a
/// decision there. Published values enter the streams' mailboxes and reach the observers in the
/// section, so values keep the order of decisions. Other effects of a decision follow outside the
/// section: continuations are resumed, tasks are started and cancelled, values are released. No
/// code of the caller runs in the section.
///
/// Tasks retain the core and not the searcher, whose last reference ends them all.
///
/// The table in the article Design has the order in which locks are acquired.
actor SearcherCore<Request: Sendable & Equatable, Response: Sendable> {
  typealias Outcome = Result<Response, SearchError>
  typealias Machine = SearchStateMachine<Request, Response>
  typealias Observer = SearchObserver<Request, Response>
  typealias Effect = @Sendable () -> Void

  /// Performs a request.
  typealias Execute = @concurrent @Sendable (Request, SearchContext) async -> Outcome

  /// The running search and the key of its task.
  struct Work {
    let id: UInt64
    let generation: UInt64
  }

  var machine: Machine
  /// The number of copies of another object's state, including copies that left the request equal.
  private var copyCount: UInt64 = 0
  private var published: Machine.Status
  private var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
  var observers: [UInt64: Observer] = [:]
  private(set) var isClosed = false
  var work: Work?
  var debounce = SearchTimer()
  var stallCheck = SearchTimer()
  /// The stall check of the running search while the states have no subscriber. No task sleeps for
  /// it: ``state`` compares the time.
  private var unobservedStallCheck: SearchTimer.Target?
  var lastID: UInt64 = 0

  nonisolated let streams: SearcherStreams<Request, Response>
  private nonisolated let section: SerialSection
  nonisolated let clock: AnyClock
  /// Runs the searches and the sleeping timers.
  private nonisolated let tasks: TaskBag<UInt64>
  nonisolated let owner: ChangeOwner
  private nonisolated let decision: @Sendable (Request) -> Bool
  nonisolated let execute: Execute

  init(
    request: Request,
    debounce: Duration,
    options: SearcherOptions,
    owner: ChangeOwner = ChangeOwner(of: "the request", in: "searcher"),
    text: @escaping @Sendable (Request) -> [String?],
    shouldSearch: @escaping @Sendable (Request) -> Bool,
    execute: @escaping Execute
  ) {
    let machine = Machine(
      request: request, debounce: debounce, stalledAfter: options.stalledAfter,
      isTyped: { text($0) != text($1) })
    self.machine = machine
    published = machine.status
    streams = SearcherStreams(request: request)
    section = SerialSection(executor: options.executor)
    clock = AnyClock(options.clock)
    tasks = TaskBag(executor: options.executor)
    self.owner = owner
    self.decision = shouldSearch
    self.execute = execute
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    // Safe: the actor retains its executor.
    unsafe section.asUnownedSerialExecutor()
  }

  /// Reads or changes the state in the section.
  nonisolated func enter<Value: Sendable>(
    _ body: @Sendable (isolated SearcherCore) -> Value
  ) -> Value {
    section.enter { assumeIsolated { body($0) } }
  }

  /// Makes a decision in the section, and performs its effects after that.
  nonisolated func decide<Value: Sendable>(
    _ event: @Sendable (isolated SearcherCore) -> ([Machine.Action], Value)
  ) -> Value {
    var (effects, value) = enter { core in
      let (actions, value) = event(core)
      return (core.effects(of: actions), value)
    }
    // Each is released before the next one, so a caller that is resumed by the last one finds
    // nothing retained by the others.
    effects.reverse()
    while let effect = effects.popLast() { effect() }
    return value
  }

  nonisolated func send(_ event: @Sendable (inout Machine) -> [Machine.Action]) {
    decide { core in (event(&core.machine), ()) }
  }

  /// Performs the part of each action that determines the order; returns the remaining effects.
  private func effects(of actions: [Machine.Action]) -> [Effect] {
    actions.flatMap(effects)
  }

  private func effects(of action: Machine.Action) -> [Effect] {
    switch action {
    case .publish(let status):
      let shown = observers.values.map { $0.stage(status) }
      defer { published = status }
      return shown + streams.stage(status, after: published)
    case .resume(let generation, let outcome):
      guard let waiter = waiters.removeValue(forKey: generation) else { return [] }
      return [{ waiter.resume(returning: outcome) }]
    case .cancelWork(let generation):
      debounce.clear(generation)
      stallCheck.clear(generation)
      if unobservedStallCheck?.generation == generation { unobservedStallCheck = nil }
      guard let work, work.generation == generation else { return [] }
      self.work = nil
      return [{ self.tasks.cancel(work.id) }]
    case .schedule(let generation, let deadline):
      return sleep(debounce.setTarget(SearchTimer.Target(generation, deadline), nextID: makeID()))
    case .scheduleStallCheck(let generation, let deadline):
      let target = SearchTimer.Target(generation, deadline)
      if streams.states.subscriberCount == 0 {
        unobservedStallCheck = target
        return []
      }
      return sleep(stallCheck.setTarget(target, nextID: makeID()))
    case .start(let generation, let request):
      let id = makeID()
      work = Work(id: id, generation: generation)
      tasks.reserve(id)
      return [
        { self.spawn(id) { core in await core.search(request, generation) } }
      ]
    }
  }

  /// The continuation receives the outcome of the newest search.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    waiters[machine.generation] = continuation
  }

  func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Starts the task of a reserved number, unless it was cancelled.
  private nonisolated func spawn(
    _ id: UInt64, _ body: @escaping @concurrent @Sendable (SearcherCore) async -> Void
  ) {
    ChangeOwner.beginWork { tasks.start(id) { await body(self) } }
  }

  private func sleep(_ sleeper: SearchTimer.NewSleeper?) -> [Effect] {
    guard let sleeper else { return [] }
    tasks.reserve(sleeper.id)
    return [
      {
        if let replaced = sleeper.replaced { self.tasks.cancel(replaced) }
        self.spawn(sleeper.id) { core in await core.sleep(sleeper.id, until: sleeper.wake) }
      }
    ]
  }

  /// Ends everything: tasks are cancelled, callers resumed, streams finished.
  nonisolated func close() {
    send { $0.closed() }
    let observers = enter { core in
      core.isClosed = true
      core.debounce = SearchTimer()
      core.stallCheck = SearchTimer()
      core.unobservedStallCheck = nil
      defer { core.observers = [:] }
      return Array(core.observers.values)
    }
    tasks.cancelAll()
    for observer in observers { observer.end() }
    streams.finish()
  }
}

// MARK: - The request

extension SearcherCore {
  /// The request as it was last set.
  nonisolated var request: Request { enter { $0.machine.request } }

  /// Whether a search of the current request is pending.
  nonisolated var isPending: Bool { enter { $0.machine.isPending } }

  /// The newest search; 0 before the first.
  nonisolated var generation: UInt64 { enter { $0.machine.generation } }

  /// The current state.
  nonisolated var state: SearchState {
    let (state, check) = enter { ($0.machine.state, $0.unobservedStallCheck) }
    guard let check, clock.now() >= check.deadline else { return state }
    return decide { core in
      if core.unobservedStallCheck?.generation == check.generation {
        core.unobservedStallCheck = nil
      }
      let actions = core.machine.stalled(check.generation)
      return (actions, core.machine.state)
    }
  }

  /// A subscription to the states, which begins with the current one.
  nonisolated func states(buffering: StreamBuffering) -> AsyncStream<SearchState> {
    _ = state
    let stream = streams.states.stream(buffering: buffering)
    decide { core in (core.observedStallCheck(), ()) }
    return stream
  }

  /// Schedules the stall check of the running search, now that there is a subscriber.
  private func observedStallCheck() -> [Machine.Action] {
    guard let check = unobservedStallCheck.take() else { return [] }
    return [.scheduleStallCheck(generation: check.generation, deadline: check.deadline)]
  }

  /// Changes the request.
  ///
  /// `change` is the caller's code, so it runs outside the section. It runs again when the request
  /// was changed in the meantime, so that no change is lost. Setting an equal request has no
  /// effect. A change that the ``owner`` rejects is not made, and its error is published.
  nonisolated func update(_ change: (Request) -> Request) {
    _ = update(change, isCopy: false) { machine, request, now in
      machine.requestSet(request, now: now)
    }
  }

  /// Copies the state of another object into the request, like ``update(_:)``.
  ///
  /// A concurrent copy may have read an older state. So a copy counts as a change even if it leaves
  /// the request equal: the others read again, and the newest state remains.
  ///
  /// - Returns: Whether the change was made; `false` if it was not.
  @discardableResult
  nonisolated func copy(_ change: (Request) -> Request) -> Bool {
    update(change, isCopy: true) { machine, request, now in
      machine.requestSet(request, now: now)
    } != nil
  }

  /// Changes the request like ``copy(_:)``, but searches only if a search is pending already.
  @discardableResult
  nonisolated func adjust(_ change: (Request) -> Request) -> Bool {
    update(change, isCopy: true) { machine, request, now in
      machine.requestAdjusted(request, now: now)
    } != nil
  }

  /// Changes the request like ``copy(_:)``, and searches an equal request again even if it has
  /// a response.
  nonisolated func copyAndSearch(_ change: (Request) -> Request) -> Bool {
    update(change, isCopy: true) { machine, request, now in
      machine.requestSet(request, forcesSearch: true, now: now)
    } != nil
  }

  /// Changes the request like ``copy(_:)``, for another searcher that performs the search: it
  /// begins it with ``begin(while:)``, or ends the wait for it with ``endDeferral()``.
  ///
  /// - Returns: Whether a search is needed; `nil` if the change was not made.
  nonisolated func prepare(_ change: (Request) -> Request) -> Bool? {
    update(change, isCopy: true) { machine, request, _ in
      machine.requestDeferred(request)
    }.map { $0.hasEffect && $0.isDeferred }
  }

  /// Ends the wait for a search that ``prepare(_:)`` announced and that is not performed.
  nonisolated func endDeferral() {
    send { $0.deferralEnded() }
  }

  /// The outcome of a change.
  private struct Change {
    /// Whether the event had an effect. A rejected request has none.
    var hasEffect = false
    var isDeferred = false
  }

  /// Changes the request by an event; `nil` if the change was not made.
  private nonisolated func update(
    _ change: (Request) -> Request, isCopy: Bool,
    event: @Sendable (inout Machine, Request, _ now: Duration) -> [Machine.Action]
  ) -> Change? {
    let now = clock.now()
    return try? self.change(change, isCopy: isCopy, ifRefused: Change()) { core, request in
      let actions = event(&core.machine, request, now)
      return (actions, Change(hasEffect: !actions.isEmpty, isDeferred: core.machine.isDeferred))
    }.get()
  }

  /// Changes the request, and makes a decision about it if `shouldSearch` allows it.
  ///
  /// `change` and `shouldSearch` run again when the request was changed in the meantime.
  ///
  /// - Parameters:
  ///   - isCopy: Whether the change copies another object's state; see ``copy(_:)``.
  ///   - rejected: The result if `shouldSearch` rejects the request, which is set nevertheless.
  /// - Returns: The error, which was published, if the change was not made.
  nonisolated func change<Value: Sendable>(
    _ change: (Request) -> Request, isCopy: Bool = false, ifRefused refused: Value,
    _ event: @Sendable (isolated SearcherCore, Request) -> ([Machine.Action], Value)
  ) -> Result<Value, SearchError> {
    do throws(SearchError) {
      let value = try transact { before in
        // Both call the user's closures.
        let after = change(before)
        return (request: after, isAllowed: shouldSearch(after))
      } commit: { core, changed -> ([Machine.Action], Value)? in
        if isCopy { core.copyCount += 1 }
        if !changed.isAllowed { return (core.machine.requestRefused(changed.request), refused) }
        return event(core, changed.request)
      }
      return .success(value)
    } catch {
      report(error)
      return .failure(error)
    }
  }

  /// Computes a change from the current request, and makes it in the section.
  ///
  /// - Parameters:
  ///   - compute: Computes the change. It runs again when the request was changed in the meantime,
  ///     or when `commit` returns `nil`.
  ///   - commit: Makes the change. It must not call foreign code.
  /// - Throws: `invalidRequest` if the ``owner`` rejects the change.
  nonisolated func transact<Plan: Sendable, Value: Sendable>(
    _ compute: (Request) -> Plan,
    commit: @Sendable (isolated SearcherCore, Plan) -> ([Machine.Action], Value)?
  ) throws(SearchError) -> Value {
    try owner.change {
      let (before, revision) = enter { ($0.machine.request, $0.revision) }
      return (plan: compute(before), revision: revision)
    } commit: { change in
      decide { core -> ([Machine.Action], Value?) in
        guard core.revision == change.revision, let (actions, value) = commit(core, change.plan)
        else { return ([], nil) }
        return (actions, value)
      }
    }
  }

  /// Another object's state was copied, so that concurrent copies read again.
  func countCopy() { copyCount += 1 }

  /// A number that each change of the request and each copy increments.
  var revision: UInt64 { machine.requestRevision + copyCount }

  /// Whether a request may be searched. Calls the user's closure.
  nonisolated func shouldSearch(_ request: Request) -> Bool {
    ChangeOwner.decide { decision(request) }
  }

  /// Publishes why a change was not made.
  nonisolated func report(_ error: SearchError) {
    send { $0.changeFailed(error) }
  }
}
