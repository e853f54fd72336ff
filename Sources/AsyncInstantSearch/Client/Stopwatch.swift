/// The time since it was made, on the clock that it was made with.
package struct Stopwatch: Sendable {
  private let elapsedTime: @Sendable () -> Duration

  /// Starts at zero.
  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsedTime = { start.duration(to: clock.now) }
  }

  /// The time since the start.
  package var elapsed: Duration { elapsedTime() }
}
