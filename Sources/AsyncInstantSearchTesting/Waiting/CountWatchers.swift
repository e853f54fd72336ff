/// Callers that wait for a count to become large enough, kept in the locked state that has the
/// count.
///
/// It is state only: it says which continuations to resume, and its owner resumes them after the
/// lock is given back. A caller announces itself first, so that a cancellation which comes before
/// the caller has gone to sleep is not lost.
struct CountWatchers {
  typealias Continuation = CheckedContinuation<Void, Never>

  private struct Watcher {
    let count: Int
    let continuation: Continuation
  }

  private var nextID: UInt64 = 0
  private var announced: Set<UInt64> = []
  private var watchers: [UInt64: Watcher] = [:]

  /// Announces a caller, and gives it its number.
  mutating func announce() -> UInt64 {
    nextID += 1
    announced.insert(nextID)
    return nextID
  }

  /// Takes an announced caller in; `false` when it is to be resumed at once.
  mutating func add(
    _ continuation: Continuation, id: UInt64, waitingFor count: Int, now: Int
  ) -> Bool {
    let isCancelled = announced.remove(id) == nil
    if isCancelled || now >= count { return false }
    watchers[id] = Watcher(count: count, continuation: continuation)
    return true
  }

  /// Gives back the callers for whom the count is large enough; they are to be resumed.
  mutating func take(reached count: Int) -> [Continuation] {
    let reached = watchers.filter { $0.value.count <= count }
    for id in reached.keys { watchers[id] = nil }
    return reached.values.map(\.continuation)
  }

  /// Notes that a caller was cancelled; gives it back, to be resumed, when it is asleep.
  mutating func cancel(_ id: UInt64) -> Continuation? {
    announced.remove(id)
    return watchers.removeValue(forKey: id)?.continuation
  }
}
