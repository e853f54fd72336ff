@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI

/// A clock that does not advance until its nth read; then its time has passed.
///
/// A deadline on it passes at an exact check, or runs code there, on any machine.
final class CountingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var reads = 0
    var last: Int?
    var action: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// The number of reads since the deadline was created.
  var reads: Int { state.withLock { $0.reads } }

  var minimumResolution: Duration { .nanoseconds(1) }

  var now: Instant {
    let (isPast, action) = state.withLock { state in
      state.reads += 1
      guard let last = state.last, state.reads >= last else {
        return (false, (@Sendable () -> Void)?.none)
      }
      defer { state.action = nil }
      return (state.action == nil, state.action)
    }
    action?()
    return Instant(offset: isPast && action == nil ? .seconds(100) : .zero)
  }

  /// A deadline that passes at the nth check. With an action, the action runs instead.
  func deadline(atCheck number: Int?, action: (@Sendable () -> Void)? = nil) -> Deadline {
    state.withLock { $0.last = nil }
    let deadline = Deadline(after: .seconds(1), clock: self)
    state.withLock { state in
      state.reads = 0
      state.last = number
      state.action = action
    }
    return deadline
  }

  /// Waits until the task is cancelled, since time advances at checks only.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await untilCancelled()
    throw CancellationError()
  }
}
