import AsyncInstantSearch

/// A caller that waits for the answer of an exchange, and is resumed exactly once: by the answer or
/// by being abandoned, whichever comes first. What comes later is dropped.
final class PendingAnswer: Sendable {
  typealias Continuation = CheckedContinuation<HTTPExchangeResponse, any Error>

  private struct State {
    var hasEnded = false
    var isAbandoned = false
    var continuation: Continuation?
    var abandonments: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())

  /// Suspends the caller until the exchange that is begun here ends, or until its task is cancelled.
  ///
  /// - Parameter begin: Begins the exchange; not called for a task that is cancelled already.
  static func wait(
    beginning begin: (PendingAnswer) -> Void
  ) async throws -> HTTPExchangeResponse {
    let answer = PendingAnswer()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if answer.await(continuation) { begin(answer) }
      }
    } onCancel: {
      answer.abandon()
    }
  }

  /// Takes the caller in; `false` when it has been abandoned already, and is resumed here.
  private func await(_ continuation: Continuation) -> Bool {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.continuation = continuation }
      return state.hasEnded
    }
    if hasEnded { continuation.resume(throwing: CancellationError()) }
    return !hasEnded
  }

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
    takeCaller(abandoning: false).continuation?.resume(with: result)
  }

  /// Resumes the caller with `CancellationError`.
  func abandon() {
    let (continuation, abandonments) = takeCaller(abandoning: true)
    continuation?.resume(throwing: CancellationError())
    for abandonment in abandonments { abandonment() }
  }

  private func takeCaller(
    abandoning: Bool
  ) -> (continuation: Continuation?, abandonments: [@Sendable () -> Void]) {
    state.withLock { state in
      defer {
        if !state.hasEnded { state.isAbandoned = abandoning }
        state.hasEnded = true
        state.continuation = nil
        state.abandonments = []
      }
      return (state.continuation, state.abandonments)
    }
  }
}
