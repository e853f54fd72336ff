import AsyncInstantSearch

/// A clock that stands still until it is read for the nth time; then its time has passed.
///
/// A deadline on it passes at an exact check, or runs code there, whatever the machine does.
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

  /// How often the clock was read since the deadline was made.
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

  /// A deadline that passes at the nth check; with an action it does not pass, but the action runs.
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

  /// Waits until the task is cancelled: time moves at checks only.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await Task.sleep(for: .seconds(1_000_000))
  }
}
