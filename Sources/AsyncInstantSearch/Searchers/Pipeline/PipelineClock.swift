/// A clock without its type: time since its owner was made, and sleeping until such a time.
package struct PipelineClock: Sendable {
  /// The time since this was made.
  package let now: @Sendable () -> Duration
  /// Returns at such a time; throws `CancellationError` when the task is cancelled first.
  package let sleepUntil: @concurrent @Sendable (Duration) async throws -> Void

  /// Begins to count on a clock.
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
