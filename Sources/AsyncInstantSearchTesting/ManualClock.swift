/// A clock that only advances when a test advances it.
///
/// A test waits until the tested code sleeps on the clock, and then advances it:
///
///     searcher.setQuery("tom")
///     await clock.waitForSleepers()
///     clock.advance(by: .milliseconds(150))
public final class ManualClock: Clock, Sendable {
  /// An instant of a manual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates the instant `offset` after the creation of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from this instant to `other`. Negative if `other` is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Orders instants in time.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now = Instant()
    var nextID: UInt64 = 0
    var sleepers: [Sleeper] = []
    var watchers = CountWatchers()
    var cancelled: Set<UInt64> = []

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }
  }

  private let state = Lock(State())

  /// Creates a clock at zero.
  public init() {}

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: the clock distinguishes any two instants.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on the clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Waits until the clock has reached `deadline`. Throws `CancellationError` on cancellation.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { $0.makeID() }
    let reached = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var watchers: [CountWatchers.Continuation] = []
        let outcome: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if deadline <= state.now { return true }
          state.sleepers.append(
            Sleeper(id: id, deadline: deadline, continuation: continuation))
          watchers = state.watchers.take(reached: state.sleepers.count)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let position = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: position)
      }
      sleeper?.continuation.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    if !reached { throw CancellationError() }
  }

  /// Advances the clock and resumes the sleepers whose deadline is reached, earliest first.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let woken = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return woken.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
  }

  /// Waits until at least `count` tasks sleep on the clock, or the current task is cancelled.
  public func waitForSleepers(_ count: Int = 1) async {
    let id = state.withLock { $0.watchers.announce() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          state.watchers.add(
            continuation, id: id, waitingFor: count, now: state.sleepers.count)
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.cancel(id) }?.resume()
    }
  }
}
