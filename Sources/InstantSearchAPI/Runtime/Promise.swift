/// A single-assignment value that one caller awaits.
package final class Promise<Outcome: Sendable>: Sendable {
  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private let state = Lock(State())

  /// Creates a promise without an outcome.
  package init() {}

  /// Fulfills the promise; later calls have no effect. It resumes the caller, so hold no lock.
  package func fulfill(with outcome: Outcome) {
    let continuation = state.withLock { state in
      guard state.outcome == nil else { return CheckedContinuation<Outcome, Never>?.none }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Waits for the outcome, even if the task is cancelled. Call it once.
  package func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Waits for the outcome. Call it once.
  ///
  /// - Parameter cancelled: The outcome if the surrounding task is cancelled first.
  package func outcome(onCancel cancelled: Outcome) async -> Outcome {
    await withTaskCancellationHandler {
      await outcome()
    } onCancel: {
      fulfill(with: cancelled)
    }
  }
}

/// One caller's wait for an outcome that is produced elsewhere.
///
/// Many callers can wait for the same work, each with a separate waiter. A caller that is
/// cancelled, or whose deadline passes, leaves at once without affecting the others. The work
/// fulfills the remaining waiters when it ends.
package final class Waiter<Value: Sendable>: Sendable {
  private let promise = Promise<Result<Value, any Error>>()

  /// Creates a waiter without an outcome.
  package init() {}

  /// Fulfills the wait; later calls have no effect. It resumes the caller, so hold no lock.
  package func fulfill(with outcome: Result<Value, any Error>) {
    promise.fulfill(with: outcome)
  }

  /// Waits for the outcome. Call it once.
  ///
  /// - Parameters:
  ///   - deadline: The deadline of the wait. Defaults to none.
  ///   - executor: The executor of the task that waits for the deadline. Defaults to the global
  ///     one.
  /// - Throws: The error of the outcome; `CancellationError` as soon as the task is cancelled;
  ///   ``SearchError`` of code `timedOut` as soon as the deadline has passed, and for an outcome
  ///   that arrives after it.
  package func value(
    until deadline: Deadline? = nil, executor: (any TaskExecutor)? = nil
  ) async throws -> Value {
    let outcome = await withDeadlineHandler(deadline, executor: executor) {
      await promise.outcome(onCancel: .failure(CancellationError()))
    } onPassed: {
      self.fulfill(with: .failure(SearchError.deadlinePassed))
    }
    if case .success = outcome {
      try Task.checkCancellation()
      if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
    }
    return try outcome.get()
  }
}

extension Waiter {
  /// Runs an operation in a separate task, and waits at most until a deadline or cancellation. The
  /// operation is then cancelled, and its result is dropped.
  ///
  /// - Parameter executor: The executor of the task. Defaults to the global one.
  /// - Throws: The errors of ``value(until:executor:)``.
  package static func value(
    until deadline: Deadline?, executor: (any TaskExecutor)? = nil,
    of operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let waiter = Waiter<Value>()
    let work = TaskBag<Int>(executor: executor)
    work.replace(0) {
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await operation())
      } catch {
        outcome = .failure(error)
      }
      waiter.fulfill(with: outcome)
    }
    defer { work.cancelAll() }
    return try await waiter.value(until: deadline, executor: executor)
  }
}

/// Runs operations concurrently and returns the first outcome.
package enum Race {
  /// Runs operations concurrently until one of them returns an outcome; `nil` is not one.
  ///
  /// The operations run in separate tasks rather than in a group, because a group waits for its
  /// children. The method returns as soon as there is an outcome, even if an operation ignores
  /// cancellation, and cancels the other tasks. At least one operation must return an outcome;
  /// otherwise the method returns only when it is cancelled.
  ///
  /// - Parameters:
  ///   - operations: The operations, each of which runs in a separate task.
  ///   - cancelled: The outcome if the surrounding task is cancelled first. If it is already
  ///     cancelled, nothing runs.
  ///   - executor: The executor of the tasks. Defaults to the global one.
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
