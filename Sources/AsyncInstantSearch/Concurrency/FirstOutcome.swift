/// Awaits the first outcome of several operations, and abandons the others.
package enum FirstOutcome {
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
  package static func of<Outcome: Sendable>(
    _ operations: [@concurrent @Sendable () async -> Outcome?], onCancel cancelled: Outcome,
    executor: (any TaskExecutor)? = nil
  ) async -> Outcome {
    if Task.isCancelled { return cancelled }
    let settlement = Settlement<Outcome>()
    let tasks = operations.map { operation in
      Task(executorPreference: executor) {
        if let outcome = await operation() { settlement.settle(outcome) }
      }
    }
    defer { for task in tasks { task.cancel() } }
    return await settlement.outcome(onCancel: cancelled)
  }
}
