import InstantSearchAPI

/// Work for which no call waits, one piece at a time.
final class BackgroundWork: Sendable {
  private struct State {
    var isRunning = false
    var waiters: [Promise<Void>] = []
  }

  private let state = Lock(State())
  private let executor: (any TaskExecutor)?

  /// Creates the place of such work.
  init(executor: (any TaskExecutor)?) { self.executor = executor }

  /// Starts work, unless some is in progress.
  func start(_ work: @escaping @concurrent @Sendable () async -> Void) {
    let isFree = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFree else { return }
    TaskBag.start(on: executor) { [self] in
      await work()
      let waiters = state.withLock { state in
        defer { state = State() }
        return state.waiters
      }
      for waiter in waiters { waiter.fulfill(with: ()) }
    }
  }

  /// Returns when no work is in progress.
  func finished() async {
    let promise = Promise<Void>()
    let isRunning = state.withLock { state in
      if state.isRunning { state.waiters.append(promise) }
      return state.isRunning
    }
    if isRunning { await promise.outcome() }
  }
}
