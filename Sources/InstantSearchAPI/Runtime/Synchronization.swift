import Synchronization

/// Short synchronous state behind a lock: `Mutex`, made visible to the thread sanitizer.
///
/// On Linux the sanitizer cannot see into `Mutex`, whose release lies in the uninstrumented
/// standard library, and reports every contended one as a race. The pair of acquire and release
/// below says the same thing in words it knows; on x86-64 they are plain moves, on ARM one barrier
/// each.
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>
  private let order = Atomic<Bool>(false)

  /// Creates a lock around a first state.
  package init(_ initial: consuming sending State) {
    mutex = Mutex(initial)
  }

  /// Calls `body` with the state while no other thread has it.
  ///
  /// It must not call code of others: no callback, no continuation, no task.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { state throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&state)
    }
  }
}

/// An outcome that is settled once, by the first call, and awaited by one caller.
package final class Promise<Outcome: Sendable>: Sendable {
  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private let state = Lock(State())

  /// Creates a settlement without an outcome.
  package init() {}

  /// Brings the outcome; the first one counts. It resumes the caller, so no lock may be held.
  package func fulfill(with outcome: Outcome) {
    let continuation = state.withLock { state in
      guard state.outcome == nil else { return CheckedContinuation<Outcome, Never>?.none }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Waits for the outcome, also when the task is cancelled; called once.
  package func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Waits for the outcome; called once.
  ///
  /// - Parameter cancelled: The outcome when the surrounding task is cancelled first.
  package func outcome(onCancel cancelled: Outcome) async -> Outcome {
    await withTaskCancellationHandler {
      await outcome()
    } onCancel: {
      fulfill(with: cancelled)
    }
  }
}

/// One caller's wait for an outcome that comes from elsewhere.
///
/// Many callers can wait for the same work, each with a waiter of its own: one that is cancelled,
/// or whose deadline passes, goes at once, and the others stay. The work settles the waiters that
/// are left when it ends.
package final class Waiter<Value: Sendable>: Sendable {
  private let promise = Promise<Result<Value, any Error>>()

  /// Creates a waiter without an outcome.
  package init() {}

  /// Brings the outcome; the first one counts. It resumes the caller, so no lock may be held.
  package func fulfill(with outcome: Result<Value, any Error>) {
    promise.fulfill(with: outcome)
  }

  /// Waits for the outcome; called once.
  ///
  /// - Parameters:
  ///   - deadline: When the wait is to end.
  ///   - executor: Runs the task that waits for the deadline; the global one by default.
  /// - Throws: The error of the outcome; `CancellationError` as soon as the task is cancelled;
  ///   ``SearchError`` of code `timedOut` as soon as the deadline has passed, and for an outcome
  ///   that comes after it.
  package func value(
    until deadline: Deadline? = nil, executor: (any TaskExecutor)? = nil
  ) async throws -> Value {
    let timer = deadline.map { deadline in
      let timer = TaskBag<Int>(executor: executor)
      timer.replace(0) {
        if await deadline.waitUntilPassed() {
          self.fulfill(with: .failure(SearchError.deadlinePassed))
        }
      }
      return timer
    }
    defer { timer?.cancelAll() }
    let outcome = await promise.outcome(onCancel: .failure(CancellationError()))
    if case .success = outcome {
      try Task.checkCancellation()
      if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
    }
    return try outcome.get()
  }
}

/// Awaits the first outcome of several operations, and abandons the others.
package enum Race {
  /// Runs operations at once until one of them has an outcome; `nil` is none.
  ///
  /// The operations run in tasks of their own, not in a group, as a group waits for its children:
  /// here the caller goes on as soon as there is an outcome, even when an operation ignores
  /// cancellation. The tasks are cancelled then. At least one operation must come to an outcome, or
  /// the call ends by cancellation only.
  ///
  /// - Parameters:
  ///   - operations: What to run, each in a task of its own.
  ///   - cancelled: The outcome when the surrounding task is cancelled first; if it is cancelled
  ///     already, nothing is run.
  ///   - executor: Runs the tasks; the global one by default.
  package static func first<Outcome: Sendable>(
    of operations: [@concurrent @Sendable () async -> Outcome?], onCancel cancelled: Outcome,
    executor: (any TaskExecutor)? = nil
  ) async -> Outcome {
    if Task.isCancelled { return cancelled }
    let promise = Promise<Outcome>()
    let tasks = TaskBag<Int>(executor: executor)
    for (number, operation) in operations.enumerated() {
      tasks.replace(number) {
        if let outcome = await operation() { promise.fulfill(with: outcome) }
      }
    }
    defer { tasks.cancelAll() }
    return await promise.outcome(onCancel: cancelled)
  }
}
