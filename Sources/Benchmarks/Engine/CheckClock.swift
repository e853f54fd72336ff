import AsyncInstantSearch
import Foundation

/// A continuous clock that remembers the longest time between two times that it was read.
final class CheckClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private struct Figures: Sendable {
    var first: Instant
    var last: Instant
    var checks = 0
    /// In microseconds.
    var longestGap = 0.0
    /// The longest time that one thread worked between two readings, in microseconds.
    var longestWork = 0.0
    /// The thread of the last reading, and how long it had worked.
    var worker: (thread: ObjectIdentifier, time: Double)?
  }

  private let base = ContinuousClock()
  private let state: Lock<Figures>

  private init() { state = Lock(Figures(first: base.now, last: base.now)) }

  var minimumResolution: Duration { base.minimumResolution }

  var now: Instant {
    let now = base.now
    let work = ProcessFigures.threadTime
    let thread = ObjectIdentifier(Thread.current)
    state.withLock { figures in
      figures.checks += 1
      figures.longestGap = max(figures.longestGap, figures.last.duration(to: now).microseconds)
      if let worker = figures.worker, worker.thread == thread {
        figures.longestWork = max(figures.longestWork, work - worker.time)
      }
      figures.last = now
      figures.worker = (thread, work)
    }
    return now
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  /// Makes a call with a deadline that never passes, and prints how long it went without a check:
  /// on the clock, and of the processor's time, which other processes do not lengthen.
  static func report(
    _ name: String, asJSON: Bool, _ call: (Deadline) async throws -> Void
  ) async throws {
    let clock = CheckClock()
    let deadline = Deadline(after: .seconds(1000), clock: clock)
    let now = clock.base.now
    clock.state.withLock { $0 = Figures(first: now, last: now) }
    try await call(deadline)
    // With the time from the last check to now.
    _ = clock.now
    let figures = clock.state.withLock { $0 }
    let gap = (figures.longestGap / 1000).rounded(toPlaces: 1)
    let work = (figures.longestWork / 1000).rounded(toPlaces: 1)
    let total = (figures.first.duration(to: figures.last).microseconds / 1000).rounded(toPlaces: 1)
    print(
      asJSON
        ? #"{"name":"\#(name)","total_ms":\#(total),"checks":\#(figures.checks),"longest_gap_ms":\#(gap),"longest_work_ms":\#(work)}"#
        : "\(name): \(total) ms, \(figures.checks) checks, at most \(gap) ms between two,"
          + " \(work) ms of one thread's work")
  }
}
