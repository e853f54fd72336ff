/// An outcome that is settled once, by the first call, and awaited by one caller.
package final class Settlement<Outcome: Sendable>: Sendable {
  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private let state = Lock(State())

  /// Creates a settlement without an outcome.
  package init() {}

  /// Brings the outcome; the first one counts. It resumes the caller, so no lock may be held.
  package func settle(_ outcome: Outcome) {
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
      settle(cancelled)
    }
  }
}
