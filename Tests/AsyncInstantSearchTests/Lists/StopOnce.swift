import AsyncInstantSearch
import AsyncInstantSearchTesting
import Dispatch
import Foundation

/// Stops one thread inside code that it calls, until it is released.
final class StopOnce: Sendable {
  private let isArmed = Lock(false)
  private let stopped = CallGate()
  private let released = DispatchSemaphore(value: 0)

  /// Stops the first thread that passes once a body is armed.
  func pass() {
    let stops = isArmed.withLock { isArmed in
      defer { isArmed = false }
      return isArmed
    }
    guard stops else { return }
    stopped.open()
    released.wait()
  }

  /// Runs a body on a separate thread, which stops at the next ``pass()``.
  func arm<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Task<Value, Never> {
    isArmed.withLock { $0 = true }
    return Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
      }
    }
  }

  /// Waits until the thread has stopped.
  func waitUntilStopped() async { await stopped.pass() }

  func release() { released.signal() }
}
