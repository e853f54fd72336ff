/// The moving parts of a hits interactor: it owns the state machine, the streams and the tasks.
///
/// All decisions are made by ``HitsMachine`` under one lock. What it decides to publish is put into
/// the streams' mailboxes under that same lock, so the order of decisions is the order of values;
/// resuming, starting, cancelling and releasing happen after it, without any lock.
final class HitsStorage<Record: Decodable & Sendable>: Sendable {
  typealias Machine = HitsMachine<Record>
  typealias Outcome = Result<Bool, SearchError>

  /// The connection to the one searcher that is followed.
  private struct Link: Sendable {
    let id: UInt64
    weak var feed: (any HitsFeed)?
    let pageLoader: PageLoader
    let connection: Connection
    var task: Task<Void, Never>?
  }

  private struct State: Sendable {
    var machine: Machine
    var link: Link?
    var loads: [UInt64: Task<Void, Never>] = [:]
    var callers: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var nextID: UInt64 = 0

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }
  }

  let snapshots = StreamHub<HitsSnapshot<Record>>(
    initial: HitsSnapshot<Record>(), replaysCurrent: true)
  let revisions = StreamHub<HitsRevisions>(
    initial: HitsRevisions(), replaysCurrent: true, areEqual: ==)
  let errors = StreamHub<SearchError>(replaysCurrent: false)

  private let state: Lock<State>
  private let executor: (any TaskExecutor)?

  init(machine: Machine, executor: (any TaskExecutor)?) {
    state = Lock(State(machine: machine))
    self.executor = executor
  }

  /// What is shown.
  var snapshot: HitsSnapshot<Record> { state.withLock { $0.machine.snapshot } }

  /// The pages that are shown.
  var visible: PageMap<Record>? { state.withLock { $0.machine.visible } }

  /// A row is presented.
  func present(_ row: Int) {
    send { $0.presented(row) }
  }

  /// Ends everything: tasks are cancelled, callers resumed, streams finished.
  func close() {
    let connection = state.withLock { $0.link?.connection }
    connection?.disconnect()
    snapshots.finish()
    revisions.finish()
    errors.finish()
  }

  private func send(_ event: (inout Machine) -> [Machine.Action]) {
    apply { state in (event(&state.machine), ()) }
  }

  private func apply<Value: Sendable>(
    _ event: (inout State) -> ([Machine.Action], Value)
  ) -> Value {
    let (effects, value) = state.withLock { state in
      let (actions, value) = event(&state)
      var effects = actions.map { stage($0, in: &state) }
      let delivery = revisions.stage(state.machine.revisions)
      effects.append { delivery.perform() }
      return (effects, value)
    }
    for effect in effects { effect() }
    return value
  }

  /// Does the part of an action that fixes its order, under the lock; returns the rest of it.
  private func stage(_ action: Machine.Action, in state: inout State) -> @Sendable () -> Void {
    switch action {
    case .publish(let snapshot):
      let delivery = snapshots.stage(snapshot)
      return { delivery.perform() }
    case .report(let error):
      let delivery = errors.stage(error)
      return { delivery.perform() }
    case .load(let load, let response):
      guard let loader = state.link?.pageLoader else { return {} }
      return { self.start(load, of: response, with: loader) }
    case .cancelLoad(let id):
      let task = state.loads.removeValue(forKey: id)
      return { task?.cancel() }
    case .resume(let caller, let outcome):
      let continuation = state.callers.removeValue(forKey: caller)
      return { continuation?.resume(returning: outcome) }
    case .discard(let pages):
      return { withExtendedLifetime(pages) {} }
    }
  }
}

// MARK: - The searcher

extension HitsStorage {
  /// Follows a searcher instead of the one before; following the same one again changes nothing.
  func connect(_ feed: some HitsFeed) -> Connection {
    let pageLoader = feed.pageLoader
    let (link, former, isNew) = apply { state -> ([Machine.Action], (Link, Link?, Bool)) in
      if let link = state.link, link.feed === feed { return ([], (link, nil, false)) }
      let id = state.makeID()
      let connection = Connection { [weak self] in self?.unlink(id) }
      let new = Link(id: id, feed: feed, pageLoader: pageLoader, connection: connection)
      let former = state.link
      state.link = new
      return (former == nil ? [] : state.machine.disconnected(), (new, former, true))
    }
    if !isNew { return link.connection }
    former?.task?.cancel()
    former?.connection.disconnect()
    let standings = feed.standings()
    let id = link.id
    let task = Task(executorPreference: executor) {
      for await standing in standings { await self.follow(standing, id) }
      // The searcher is gone.
      link.connection.disconnect()
    }
    let isWanted = state.withLock { state in
      guard state.link?.id == id else { return false }
      state.link?.task = task
      return true
    }
    if !isWanted { task.cancel() }
    return link.connection
  }

  private func unlink(_ id: UInt64) {
    // What the link holds is released here, not under the lock.
    let link = apply { state -> ([Machine.Action], Link?) in
      guard let link = state.link, link.id == id else { return ([], nil) }
      state.link = nil
      return (state.machine.disconnected(), link)
    }
    link?.task?.cancel()
  }

  private func follow(_ standing: HitsStanding, _ id: UInt64) async {
    let (isWanted, feed) = apply { state -> ([Machine.Action], (Bool, (any HitsFeed)?)) in
      guard let link = state.link, link.id == id else { return ([], (false, nil)) }
      let isWanted = state.machine.expectsAnswer(of: standing)
      return (state.machine.stood(standing), (isWanted, link.feed))
    }
    guard isWanted, let answer = standing.answer else { return }
    let page = await answer.page(of: Record.self)
    // A newer search may have begun meanwhile; where it stands comes next.
    guard let feed, feed.newestGeneration == answer.generation else { return }
    apply { state in
      guard state.link?.id == id else { return ([], ()) }
      return (state.machine.answered(page, response: answer), ())
    }
  }
}

// MARK: - Pages

extension HitsStorage {
  /// Loads the page before or after the loaded ones; `false` at the ends.
  func load(_ direction: Machine.Direction) async -> Outcome {
    if Task.isCancelled { return .failure(SearchError(.cancelled, "The task was cancelled.")) }
    let caller = state.withLock { $0.makeID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        apply { state in
          state.callers[caller] = continuation
          return (state.machine.loadRequested(direction, caller: caller), ())
        }
        // Cancellation that came before the caller was known is seen here, later one by the handler.
        if Task.isCancelled { send { $0.callerCancelled(caller) } }
      }
    } onCancel: {
      send { $0.callerCancelled(caller) }
    }
  }

  private func start(_ load: Machine.Load, of response: HitsResponse?, with loader: PageLoader) {
    let task = Task(executorPreference: executor) {
      guard let response else { return }
      switch await loader.load(load.page, response) {
      case .success(let answer):
        let page = await answer.page(of: Record.self)
        self.send { $0.loadEnded(load, .success(page), response: answer) }
      case .failure(let error):
        self.send { $0.loadEnded(load, .failure(error)) }
      }
    }
    let isWanted = state.withLock { state in
      guard state.machine.wants(load) else { return false }
      state.loads[load.id] = task
      return true
    }
    if !isWanted { task.cancel() }
  }
}
