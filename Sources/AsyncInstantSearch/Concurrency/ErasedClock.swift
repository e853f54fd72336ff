/// A clock without its type: the time since this was made, and sleeping until such a time.
package struct ErasedClock: Sendable {
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
