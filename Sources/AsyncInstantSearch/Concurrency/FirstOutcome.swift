/// Awaits the first outcome of several operations, and abandons the others.
///
/// The operations run in tasks of their own, not in a group, as a group waits for its children: here
/// the caller goes on as soon as there is an outcome, even when an operation ignores cancellation.
/// The tasks are owned by this object, cancelled with the first outcome, and released then.
package final class FirstOutcome<Outcome: Sendable>: Sendable {
  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
    var tasks: [Task<Void, Never>] = []
  }

  private let state = Lock(State())

  private let executor: (any TaskExecutor)?

  private init(executor: (any TaskExecutor)?) {
    self.executor = executor
  }

  /// Runs operations at once until one of them has an outcome; `nil` is none.
  ///
  /// At least one operation must come to an outcome, or the call ends by cancellation only.
  ///
  /// - Parameters:
  ///   - operations: What to run, each in a task of its own.
  ///   - cancelled: The outcome when the surrounding task is cancelled first; if it is cancelled
  ///     already, nothing is run.
  ///   - executor: Runs the tasks; the global one by default.
  package static func of(
    _ operations: [@concurrent @Sendable () async -> Outcome?], onCancel cancelled: Outcome,
    executor: (any TaskExecutor)? = nil
  ) async -> Outcome {
    let race = FirstOutcome(executor: executor)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard race.begin(continuation) else { return }
        for operation in operations { race.start(operation) }
      }
    } onCancel: {
      race.settle(cancelled)
    }
  }

  /// Takes the continuation in; resumes it at once when there is an outcome already.
  private func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let outcome = state.withLock { state -> Outcome? in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
    return outcome == nil
  }

  private func start(_ operation: @escaping @concurrent @Sendable () async -> Outcome?) {
    let task = Task(executorPreference: executor) {
      if let outcome = await operation() { self.settle(outcome) }
    }
    let isLate = state.withLock { state in
      if state.outcome == nil { state.tasks.append(task) }
      return state.outcome != nil
    }
    if isLate { task.cancel() }
  }

  private func settle(_ outcome: Outcome) {
    let (continuation, tasks) = state.withLock { state in
      guard state.outcome == nil else {
        return (CheckedContinuation<Outcome, Never>?.none, [Task<Void, Never>]())
      }
      state.outcome = outcome
      defer {
        state.continuation = nil
        state.tasks = []
      }
      return (state.continuation, state.tasks)
    }
    continuation?.resume(returning: outcome)
    for task in tasks { task.cancel() }
  }
}
