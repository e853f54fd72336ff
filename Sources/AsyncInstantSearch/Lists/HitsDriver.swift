/// Performs the actions of a hits interactor's state machine, and owns its streams and tasks.
///
/// ``HitsStateMachine`` makes all decisions under one lock. The driver puts published values into
/// the streams' mailboxes under the same lock, so they arrive in the order of the decisions. It
/// resumes, starts, cancels and releases after it has left the lock. The searcher passes its status
/// while it is locked, so the list changes together with the searcher.
final class HitsDriver<Record: Decodable & Sendable>: Sendable {
  typealias Machine = HitsStateMachine<Record>
  typealias Outcome = Result<Machine.PageLoad, SearchError>
  typealias Effect = @Sendable () -> Void

  struct State: Sendable {
    var machine: Machine
    var link = HitsLink { $0.end() }
    var filters = Link<FilterState, Void>()
    var observers: [UInt64: @Sendable (HitsSectionEvent) -> Void] = [:]
    var publishCount: UInt64 = 0
    var callers: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var nextID: UInt64 = 0

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }

    /// Whether a searcher and a filter state are both the newest, and are not connected.
    func isUnfiltered(_ link: Connection, by filters: Connection?) -> Bool {
      guard filters === self.filters.connection, let searcher = self.link[link] else {
        return false
      }
      return searcher.filtering == nil
    }
  }

  let states = StreamHub<HitsState<Record>>(
    initial: HitsState<Record>(), replaysCurrent: true)
  let revisions = StreamHub<HitsRevisions>(
    initial: HitsRevisions(), replaysCurrent: true, areEqual: ==)
  let errors = StreamHub<SearchError>(replaysCurrent: false)

  let controllers = ControllerConnections<HitsRevisions>()

  let state: Lock<State>
  let executor: (any TaskExecutor)?
  private let loads: TaskBag<UInt64>

  init(machine: Machine, executor: (any TaskExecutor)?) {
    state = Lock(State(machine: machine))
    self.executor = executor
    loads = TaskBag(executor: executor)
  }

  /// The displayed state.
  var displayedState: HitsState<Record> { state.withLock { $0.machine.displayedState } }

  /// The displayed pages.
  var visible: PageMap<Record>? { state.withLock { $0.machine.visible } }

  /// Reports that a row is presented.
  func present(_ row: Int) {
    send { $0.presented(row) }
  }

  /// Cancels the tasks, resumes the callers and finishes the streams.
  func close() {
    let (link, filters) = state.withLock { ($0.link.connection, $0.filters.connection) }
    filters?.disconnect()
    link?.disconnect()
    states.finish()
    revisions.finish()
    errors.finish()
  }

  func send(_ event: (inout Machine) -> [Machine.Action]) {
    apply { state in (event(&state.machine), ()) }
  }

  func apply<Value: Sendable>(
    _ event: (inout State) -> ([Machine.Action], Value)
  ) -> Value {
    let (effects, value) = stage(event)
    for effect in effects { effect() }
    return value
  }

  /// Passes an event to the state machine under the lock. Returns the effects to perform after the
  /// lock, and the event's value.
  ///
  /// - Parameter observer: The observer that causes the event. It is called only for errors, not
  ///   for the change.
  func stage<Value: Sendable>(
    for observer: UInt64? = nil, _ event: (inout State) -> ([Machine.Action], Value)
  ) -> (effects: [Effect], value: Value) {
    state.withLock { state in
      let before = state.machine.revisions
      let (actions, value) = event(&state)
      var effects = actions.map { stage($0, in: &state) }
      if state.machine.revisions != before {
        let delivery = revisions.stage(state.machine.revisions)
        effects.append { delivery.perform() }
      }
      let observers = state.observers.filter { $0.key != observer }.values
      if !observers.isEmpty, !effects.isEmpty {
        effects.append { for observer in observers { observer(.changed) } }
      }
      return (effects, value)
    }
  }

  /// Performs the part of an action that determines the order, under the lock. Returns the rest.
  private func stage(_ action: Machine.Action, in state: inout State) -> @Sendable () -> Void {
    switch action {
    case .publish(let newest):
      state.publishCount += 1
      let delivery = states.stage(newest)
      return { delivery.perform() }
    case .report(let error):
      let delivery = errors.stage(error)
      let observers = Array(state.observers.values)
      return {
        delivery.perform()
        for observer in observers { observer(.failed(error)) }
      }
    case .load(let load, let response):
      guard let loader = state.link.content?.pageLoader else { return {} }
      loads.reserve(load.id)
      return { self.start(load, of: response, with: loader) }
    case .cancelLoad(let id):
      return { self.loads.cancel(id) }
    case .resume(let caller, let outcome):
      let continuation = state.callers.removeValue(forKey: caller)
      return { continuation?.resume(returning: outcome) }
    case .discard(let pages):
      return { withExtendedLifetime(pages) {} }
    }
  }
}

// MARK: - Pages

extension HitsDriver {
  /// Returns the displayed state once no search is pending, or the error of the newest search.
  func settledState() async -> Result<HitsState<Record>, SearchError> {
    for await state in states.stream() where !state.isLoading {
      return state.failure.map { .failure($0) } ?? .success(state)
    }
    return .failure(.waitEnded)
  }

  /// Loads the page before or after the loaded ones. Returns `false` if there is no such page.
  func load(_ direction: Machine.Direction) async -> Result<Bool, SearchError> {
    while true {
      if case .failure(let error) = await settledState() { return .failure(error) }
      switch await loadNow(direction) {
      case .success(.loaded): return .success(true)
      case .success(.noSuchPage): return .success(false)
      case .success(.unsettled): continue
      case .failure(let error): return .failure(error)
      }
    }
  }

  private func loadNow(_ direction: Machine.Direction) async -> Outcome {
    if Task.isCancelled { return .failure(SearchError(.cancelled, "The task was cancelled.")) }
    let caller = state.withLock { $0.makeID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        apply { state in
          state.callers[caller] = continuation
          return (state.machine.loadRequested(direction, caller: caller), ())
        }
        // The handler ignores a cancellation before the caller is registered.
        if Task.isCancelled { send { $0.callerCancelled(caller) } }
      }
    } onCancel: {
      send { $0.callerCancelled(caller) }
    }
  }

  private func start(_ load: Machine.Load, of response: SearchAnswer?, with loader: PageLoader) {
    loads.start(load.id) {
      guard let response else { return }
      switch await loader.load(load.page, response) {
      case .success(let loaded):
        let page = await loaded.page(of: Record.self)
        self.send { $0.loadEnded(load, .success(page), response: loaded) }
      case .failure(let error):
        self.send { $0.loadEnded(load, .failure(error)) }
      }
    }
  }
}

extension SearchError {
  /// A wait for a displayed state ended without a state.
  static var waitEnded: SearchError {
    SearchError(
      .cancelled, Task.isCancelled ? "The task was cancelled." : "The list was released.")
  }
}
