/// One caller's wait for an outcome that comes from elsewhere.
///
/// Many callers can wait for the same work, each with a waiter of its own: one that is cancelled,
/// or whose deadline passes, goes at once, and the others stay. The work settles the waiters that
/// are left when it ends.
package final class Waiter<Value: Sendable>: Sendable {
  private let settlement = Settlement<Result<Value, any Error>>()

  /// Creates a waiter without an outcome.
  package init() {}

  /// Brings the outcome; the first one counts. It resumes the caller, so no lock may be held.
  package func settle(_ outcome: Result<Value, any Error>) {
    settlement.settle(outcome)
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
      Task(executorPreference: executor) {
        if await deadline.passes() { self.settle(.failure(SearchError.deadlinePassed)) }
      }
    }
    defer { timer?.cancel() }
    let outcome = await settlement.outcome(onCancel: .failure(CancellationError()))
    if case .success = outcome {
      try Task.checkCancellation()
      if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
    }
    return try outcome.get()
  }
}
