/// Holds calls until a test releases them, like a server that has received a call and not
/// responded.
///
///     let gate = CallGate()
///     let transport = ScriptedTransport { request, _ in
///       await gate.pass()
///       return TransportResponse(status: 200, body: Array(#"{"hits":[]}"#.utf8))
///     }
///     let client = SearchClient(transport: transport)
///     let search = Task { try await client.search("films", of: Film.self) }
///     await gate.waitForCalls()  // the call is in flight now
///     gate.open()
///
/// A call stays at the gate even if its task is cancelled, because a server does not notice that.
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

  /// The number of calls that have arrived at the gate.
  public var callCount: Int { state.withLock { $0.callCount } }

  /// Arrives at the gate, and returns when it is open.
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

  /// Waits until at least `count` calls have arrived, the gate is open, or the current task is
  /// cancelled.
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

  /// Releases the calls at the gate and all later ones. A gate cannot be closed again.
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

/// Callers that wait for a count to reach a value, kept in the same locked state as the count.
///
/// It is state only: it returns the continuations to resume, and its owner resumes them after
/// releasing the lock. A caller registers first, so that a cancellation before it suspends is not
/// lost.
struct CountWatchers {
  typealias Continuation = CheckedContinuation<Void, Never>

  private struct Watcher {
    let count: Int
    let continuation: Continuation
  }

  private var nextID: UInt64 = 0
  private var announced: Set<UInt64> = []
  private var watchers: [UInt64: Watcher] = [:]

  /// Registers a caller, and returns its ID.
  mutating func announce() -> UInt64 {
    nextID += 1
    announced.insert(nextID)
    return nextID
  }

  /// Stores a registered caller. Returns `false` if it must be resumed at once.
  mutating func add(
    _ continuation: Continuation, id: UInt64, waitingFor count: Int, now: Int
  ) -> Bool {
    let isCancelled = announced.remove(id) == nil
    if isCancelled || now >= count { return false }
    watchers[id] = Watcher(count: count, continuation: continuation)
    return true
  }

  /// Removes and returns the callers whose count is reached. Resume them.
  mutating func take(reached count: Int) -> [Continuation] {
    let reached = watchers.filter { $0.value.count <= count }
    for id in reached.keys { watchers[id] = nil }
    return reached.values.map(\.continuation)
  }

  /// Records that a caller was cancelled. Returns it if it is suspended, to be resumed.
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
