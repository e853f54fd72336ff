import AsyncInstantSearch

/// A caller that waits for the answer of an exchange, and is resumed exactly once: by the answer or
/// by being abandoned, whichever comes first. What comes later is dropped.
final class PendingAnswer: Sendable {
  private struct State {
    var hasEnded = false
    var isAbandoned = false
    var abandonments: [@Sendable () -> Void] = []

    /// Ends the wait, the first time only; what is to be done when it was abandoned.
    mutating func end(abandoning: Bool) -> [@Sendable () -> Void] {
      guard !hasEnded else { return [] }
      hasEnded = true
      isAbandoned = abandoning
      defer { abandonments = [] }
      return abandoning ? abandonments : []
    }
  }

  private let state = Lock(State())
  private let waiter = Waiter<HTTPExchangeResponse>()

  /// Waits for the exchange that is begun here to end, or for the task to be cancelled.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; the caller is abandoned then, with `timedOut`. `nil` for an
  ///     exchange that counts the time itself.
  ///   - begin: Begins the exchange; not called for a task that is cancelled already.
  static func wait(
    timeout: Duration? = nil, beginning begin: (PendingAnswer) -> Void
  ) async throws -> HTTPExchangeResponse {
    try Task.checkCancellation()
    let answer = PendingAnswer()
    begin(answer)
    let timer = timeout.map { timeout in
      let deadline = Deadline(after: timeout, clock: ContinuousClock())
      return Task {
        if await deadline.passes() { answer.abandon(throwing: HTTPExchangeError.timedOut) }
      }
    }
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await answer.waiter.value()
    } onCancel: {
      answer.abandon()
    }
  }

  /// Whether its caller has an answer, or has gone.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Whether its caller has gone.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Runs an action too when the caller is abandoned, at once if it was; never after an answer.
  func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    let isAbandoned = state.withLock { state in
      if !state.hasEnded { state.abandonments.append(action) }
      return state.isAbandoned
    }
    if isAbandoned { action() }
  }

  /// Resumes the caller with the result of the exchange.
  func end(with result: Result<HTTPExchangeResponse, any Error>) {
    _ = state.withLock { $0.end(abandoning: false) }
    waiter.settle(result)
  }

  /// Resumes the caller with an error.
  func abandon(throwing error: any Error = CancellationError()) {
    let abandonments = state.withLock { $0.end(abandoning: true) }
    waiter.settle(.failure(error))
    for abandonment in abandonments { abandonment() }
  }
}
