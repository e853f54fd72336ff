@testable import InstantSearchAPI
import Foundation

/// Holds the threads of engine calls until a test releases them: those of searches as the clock of
/// a configuration, those of writes by its time.
final class HoldingGate: Clock {
  typealias Instant = ContinuousClock.Instant

  private let condition = NSCondition()
  private let state = Lock(false)
  private let arrivals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (arrivals, continuation) = AsyncStream.makeStream() }

  /// Whether the calls were released.
  var isOpen: Bool { state.withLock { $0 } }

  var minimumResolution: Duration { .nanoseconds(1) }

  var now: Instant {
    hold()
    return ContinuousClock.now
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await Task.sleep(until: deadline, tolerance: tolerance, clock: ContinuousClock())
  }

  /// Blocks the calling thread.
  func hold() {
    condition.lock()
    if !isOpen { continuation.yield() }
    while !isOpen { condition.wait() }
    condition.unlock()
  }

  /// Returns when this many calls are held.
  func waitForCalls(_ count: Int) async {
    var iterator = arrivals.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
  }

  /// Releases the calls, including later ones.
  func open() {
    condition.lock()
    state.withLock { $0 = true }
    condition.broadcast()
    condition.unlock()
  }
}
