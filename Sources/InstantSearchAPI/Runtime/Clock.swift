/// A clock without its type: the time since this was made, and sleeping until such a time.
package struct AnyClock: Sendable {
  package let now: @Sendable () -> Duration
  package let sleepUntil: @concurrent @Sendable (Duration) async throws -> Void

  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleepUntil = { time in
      let now = start.duration(to: clock.now)
      let bounded = now + Deadline.bounded(time - now)
      try await clock.sleep(until: start.advanced(by: bounded), tolerance: nil)
    }
  }
}

/// The moment at which a call must have ended, on the clock that it was made with.
///
/// A deadline remembers its clock, so the code that checks it needs none: on a manual clock in a
/// test it passes when the test says so.
public struct Deadline: Sendable {
  /// The longest time that is added to an instant of a clock: a year.
  ///
  /// Instants of the system's clocks overflow, and trap, with times that a caller may well write
  /// for "never", such as `.seconds(.max)`.
  package static let longestWait = Duration.seconds(365 * 24 * 3600)

  /// A time as it may be added to an instant of any clock: held to a year in both directions.
  package static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero - longestWait), longestWait)
  }

  private let remainingTime: @Sendable () -> Duration
  private let sleepUntil: @concurrent @Sendable () async throws -> Void

  /// Creates a deadline that passes `duration` from now, on `clock`; more than a year counts as
  /// one.
  public init<C: Clock>(after duration: Duration, clock: C = ContinuousClock())
  where C.Duration == Duration {
    let end = clock.now.advanced(by: Self.bounded(duration))
    remainingTime = { clock.now.duration(to: end) }
    sleepUntil = { try await clock.sleep(until: end, tolerance: nil) }
  }

  /// The time left; negative once the deadline has passed.
  public var remaining: Duration { remainingTime() }

  /// Whether the deadline has passed.
  public var hasPassed: Bool { remaining <= .zero }

  /// Returns when the deadline passes; throws `CancellationError` when the task is cancelled first.
  public func sleep() async throws {
    try await sleepUntil()
  }

  /// Waits for the deadline; `false` when the wait was cut short.
  package func waitUntilPassed() async -> Bool {
    do {
      try await sleep()
      return true
    } catch {
      return false
    }
  }
}

/// A small random number generator (SplitMix64): the same seed gives the same numbers.
///
/// It is fast and its state is one number, so it may be called under a lock. It is not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
