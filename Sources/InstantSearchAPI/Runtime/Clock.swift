/// A type-erased clock: the time since its creation, and sleeping until such a time.
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

extension AnyClock {
  /// Waits until a time. Returns `false` if the wait was cancelled.
  package func waitUntil(_ time: Duration) async -> Bool { (try? await sleepUntil(time)) != nil }
}

/// The time by which a call must end, on the clock that it was created with.
///
/// A deadline stores its clock, so code that checks it needs none. With a manual clock, a test
/// decides when it passes.
public struct Deadline: Sendable {
  /// The longest time that is added to an instant of a clock: one year.
  ///
  /// Instants of the system's clocks overflow, and trap, for times that a caller may well write to
  /// mean "never", such as `.seconds(.max)`.
  package static let longestWait = Duration.seconds(365 * 24 * 3600)

  /// Limits a time to one year in both directions, so that it can be added to an instant of any
  /// clock.
  package static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero - longestWait), longestWait)
  }

  private let remainingTime: @Sendable () -> Duration
  private let sleepUntil: @concurrent @Sendable () async throws -> Void

  /// Creates a deadline that passes `duration` from now on `clock`. A duration of more than one
  /// year counts as one year.
  public init<C: Clock>(after duration: Duration, clock: C = ContinuousClock())
  where C.Duration == Duration {
    let end = clock.now.advanced(by: Self.bounded(duration))
    remainingTime = { clock.now.duration(to: end) }
    sleepUntil = { try await clock.sleep(until: end, tolerance: nil) }
  }

  /// The remaining time, negative once the deadline has passed.
  public var remaining: Duration { remainingTime() }

  /// Whether the deadline has passed.
  public var hasPassed: Bool { remaining <= .zero }

  /// Returns when the deadline passes, or throws `CancellationError` if the task is cancelled
  /// first.
  public func sleep() async throws {
    try await sleepUntil()
  }

  /// Waits until the deadline passes. Returns `false` if the wait was cancelled.
  package func waitUntilPassed() async -> Bool {
    do {
      try await sleep()
      return true
    } catch {
      return false
    }
  }
}

/// A small random number generator (SplitMix64) whose seed determines its numbers.
///
/// It is fast and its state is one number, so it can be called under a lock. Do not use it for
/// secrets.
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
