/// Holds calls until a test lets them go: a server that has a call and does not answer it yet.
///
///     let gate = CallGate()
///     let transport = ScriptedTransport { request, _ in
///       await gate.pass()
///       return TransportResponse(status: 200, body: Array(#"{"hits":[]}"#.utf8))
///     }
///     let search = Task { try await SearchClient(transport: transport).search("films", of: Film.self) }
///     await gate.waitForCalls()  // the call is under way now
///     gate.open()
///
/// A call stays at the gate whatever becomes of its task, as a server does not know of
/// cancellation.
public final class CallGate: Sendable {
  private struct State {
    var isOpen = false
    var callCount = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers = CountWatchers()
  }

  private let state = Lock(State())

  /// Creates a closed gate.
  public init() {}

  /// The number of calls that have come to the gate so far.
  public var callCount: Int { state.withLock { $0.callCount } }

  /// Comes to the gate, and returns when it is open.
  public func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        state.callCount += 1
        if !state.isOpen { state.held.append(continuation) }
        return (state.isOpen, state.watchers.take(reached: state.callCount))
      }
      if isOpen { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Returns when at least `count` calls have come to the gate, when it is open, or when the
  /// current task is cancelled.
  public func waitForCalls(_ count: Int = 1) async {
    let id = state.withLock { $0.watchers.announce() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          state.watchers.add(
            continuation, id: id, waitingFor: count,
            now: state.isOpen ? .max : state.callCount)
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.cancel(id) }?.resume()
    }
  }

  /// Lets the calls go that stand at the gate and those that will come; cannot be undone.
  public func open() {
    let (held, watchers) = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return (state.held, state.watchers.take(reached: .max))
    }
    for call in held { call.resume() }
    for watcher in watchers { watcher.resume() }
  }
}

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

/// Suspends until the current task is cancelled.
package func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}
