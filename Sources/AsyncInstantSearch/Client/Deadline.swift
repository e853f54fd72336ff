/// The moment at which a call must have ended, on the clock that it was made with.
///
/// A deadline remembers its clock, so the code that checks it needs none: on a manual clock in a
/// test it passes when the test says so.
public struct Deadline: Sendable {
  private let remainingTime: @Sendable () -> Duration
  private let sleepUntil: @concurrent @Sendable () async throws -> Void

  /// Creates a deadline that passes `duration` from now, on `clock`.
  public init<C: Clock>(after duration: Duration, clock: C = ContinuousClock())
  where C.Duration == Duration {
    let end = clock.now.advanced(by: duration)
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
}
