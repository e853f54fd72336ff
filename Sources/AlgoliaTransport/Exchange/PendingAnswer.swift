import AsyncInstantSearch

/// A caller that waits for the answer of an exchange, and is resumed exactly once: by the answer or
/// by being abandoned, whichever comes first. What comes later is dropped.
final class PendingAnswer: Sendable {
  typealias Continuation = CheckedContinuation<HTTPExchangeResponse, any Error>

  private struct State {
    var hasEnded = false
    var isAbandoned = false
    var continuation: Continuation?
    var abandonment: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// Takes the caller in; `false` when it has been abandoned already, and is resumed here.
  func await(_ continuation: Continuation) -> Bool {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.continuation = continuation }
      return state.hasEnded
    }
    if hasEnded { continuation.resume(throwing: CancellationError()) }
    return !hasEnded
  }

  /// Runs an action when the caller is abandoned, at once if it was; never after an answer.
  func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    let isAbandoned = state.withLock { state in
      if !state.hasEnded { state.abandonment = action }
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
    let (continuation, abandonment) = takeCaller(abandoning: true)
    continuation?.resume(throwing: CancellationError())
    abandonment?()
  }

  private func takeCaller(
    abandoning: Bool
  ) -> (continuation: Continuation?, abandonment: (@Sendable () -> Void)?) {
    state.withLock { state in
      defer {
        if !state.hasEnded { state.isAbandoned = abandoning }
        state.hasEnded = true
        state.continuation = nil
        state.abandonment = nil
      }
      return (state.continuation, state.abandonment)
    }
  }
}
