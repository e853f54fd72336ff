import AsyncInstantSearch
import Foundation

/// Holds the threads of engine calls until a test lets them go: those of searches as the clock of a
/// configuration, those of writes by its time.
final class HoldingGate: Clock {
  typealias Instant = ContinuousClock.Instant

  private let condition = NSCondition()
  private let state = Lock(false)
  private let arrivals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (arrivals, continuation) = AsyncStream.makeStream() }

  /// Whether the calls were let go.
  var isOpen: Bool { state.withLock { $0 } }

  var minimumResolution: Duration { .nanoseconds(1) }

  var now: Instant {
    hold()
    return ContinuousClock.now
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await Task.sleep(until: deadline, tolerance: tolerance, clock: ContinuousClock())
  }

  /// Holds the calling thread.
  func hold() {
    condition.lock()
    if !isOpen { continuation.yield() }
    while !isOpen { condition.wait() }
    condition.unlock()
  }

  /// Returns when so many calls are held.
  func waitForCalls(_ count: Int) async {
    var iterator = arrivals.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
  }

  /// Lets the calls go, those that come later too.
  func open() {
    condition.lock()
    state.withLock { $0 = true }
    condition.broadcast()
    condition.unlock()
  }
}
