/// Which transfers may go on at once, and which wait for another one to the same host to end.
///
/// So the connections to a host are bounded, whatever is asked for and however slow the host is,
/// and a silent host takes none from the others. Those that wait are let in first come, first
/// served; one that is withdrawn before its turn never begins.
package struct TransferQueue: Sendable {
  package typealias ID = UInt64

  private struct Host {
    var activeCount = 0
    /// Those that came and could not begin, withdrawn ones among them, from the head on.
    var waiting: [ID] = []
    var head = 0
    var cancelledCount = 0

    /// Takes the first out, in constant time on average.
    mutating func popFirst() -> ID? {
      guard head < waiting.count else { return nil }
      defer {
        head += 1
        // Those that have gone are swept out when they are half of all.
        if head > waiting.count / 2 {
          waiting.removeFirst(head)
          head = 0
        }
      }
      return waiting[head]
    }

    /// Drops those that have gone, and all that are not to be kept.
    mutating func keep(_ isKept: (ID) -> Bool) {
      waiting = waiting[head...].filter(isKept)
      head = 0
      cancelledCount = 0
    }
  }

  private let limit: Int
  private var hosts: [String: Host] = [:]
  private var hostsOfWaiting: [ID: String] = [:]

  /// Creates a queue.
  ///
  /// - Parameter limit: How many transfers to one host may go on at once; at least 1.
  package init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// How many transfers wait.
  package var waitingCount: Int { hostsOfWaiting.count }

  /// How many places there are for those that wait, used or not.
  package var capacity: Int { hosts.values.reduce(0) { $0 + $1.waiting.count } }

  /// Takes a transfer in; `true` when it may begin now, `false` when it waits.
  package mutating func enqueue(_ id: ID, host: String) -> Bool {
    if hosts[host, default: Host()].activeCount < limit {
      hosts[host, default: Host()].activeCount += 1
      return true
    }
    hosts[host, default: Host()].waiting.append(id)
    hostsOfWaiting[id] = host
    return false
  }

  /// Lets a transfer that went on go; the one that may begin in its place, if any waits.
  package mutating func finish(host: String) -> ID? {
    guard var state = hosts.removeValue(forKey: host) else { return nil }
    while let next = state.popFirst() {
      if hostsOfWaiting.removeValue(forKey: next) != nil {
        hosts[host] = state
        return next
      }
      state.cancelledCount -= 1
    }
    state.activeCount -= 1
    if state.activeCount > 0 { hosts[host] = state }
    return nil
  }

  /// Takes out a transfer that waits; `false` when it does not.
  package mutating func cancel(_ id: ID) -> Bool {
    guard let host = hostsOfWaiting.removeValue(forKey: id) else { return false }
    guard var state = hosts.removeValue(forKey: host) else { return true }
    state.cancelledCount += 1
    // A host that does not answer lets nobody go, so those withdrawn are swept out here, at a cost
    // that as many withdrawals have paid for.
    if state.cancelledCount > state.waiting.count / 2 {
      state.keep { hostsOfWaiting[$0] != nil }
    }
    hosts[host] = state
    return true
  }
}

/// Starts transfers when it is their turn; see ``TransferQueue``.
final class TransferScheduler: Sendable {
  private struct State {
    var queue: TransferQueue
    var nextID: TransferQueue.ID = 0
    var starts: [TransferQueue.ID: @Sendable () -> Void] = [:]
  }

  private let state: Lock<State>

  /// Creates a line that lets so many transfers to one host go on at once.
  init(limit: Int) {
    state = Lock(State(queue: TransferQueue(limit: limit)))
  }

  /// Starts a transfer to a host, now or when others have ended; each start is to be followed by
  /// one ``finish(host:)``.
  func enqueue(host: String, start: @escaping @Sendable () -> Void) -> TransferQueue.ID {
    let (id, isFirst) = state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      let isFirst = state.queue.enqueue(id, host: host)
      if !isFirst { state.starts[id] = start }
      return (id, isFirst)
    }
    if isFirst { start() }
    return id
  }

  /// Notes that a transfer to a host has ended, and starts the next.
  func finish(host: String) {
    let start = state.withLock { state in
      state.queue.finish(host: host).flatMap { state.starts.removeValue(forKey: $0) }
    }
    start?()
  }

  /// Takes a transfer out that has not started; nothing happens to one that has.
  func cancel(_ id: TransferQueue.ID) {
    let start = state.withLock { state in
      state.queue.cancel(id) ? state.starts.removeValue(forKey: id) : nil
    }
    withExtendedLifetime(start) {}
  }
}

/// A caller that waits for the answer of an exchange, and is resumed exactly once: by the answer or
/// by being abandoned, whichever comes first. What comes later is dropped.
final class PendingResponse: Sendable {
  private struct State {
    var hasEnded = false
    var isCancelled = false
    var cancelActions: [@Sendable () -> Void] = []

    /// Ends the wait, the first time only; what is to be done when it was abandoned.
    mutating func end(cancelling: Bool) -> [@Sendable () -> Void] {
      guard !hasEnded else { return [] }
      hasEnded = true
      isCancelled = cancelling
      defer { cancelActions = [] }
      return cancelling ? cancelActions : []
    }
  }

  private let state = Lock(State())
  private let waiter = Waiter<HTTPExchangeResponse>()

  /// Waits for the exchange that is begun here to end, or for the task to be cancelled.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; the caller is abandoned then, with `timedOut`. `nil` for an
  ///     exchange that counts the time itself.
  ///   - begin: Begins the exchange; not called for a task that is cancelled already.
  static func wait(
    timeout: Duration? = nil, beginning begin: (PendingResponse) -> Void
  ) async throws -> HTTPExchangeResponse {
    try Task.checkCancellation()
    let response = PendingResponse()
    begin(response)
    return try await withTaskCancellationHandler {
      guard let timeout else { return try await response.waiter.value() }
      let deadline = Deadline(after: timeout, clock: ContinuousClock())
      return try await withThrowingTaskGroup(of: Void.self) { timer in
        timer.addTask {
          if await deadline.passes() { response.cancel(throwing: HTTPExchangeError.timedOut) }
        }
        defer { timer.cancelAll() }
        return try await response.waiter.value()
      }
    } onCancel: {
      response.cancel()
    }
  }

  /// Whether its caller has an answer, or has gone.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Whether its caller has gone.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Runs an action too when the caller is abandoned, at once if it was; never after an answer.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.hasEnded { state.cancelActions.append(action) }
      return state.isCancelled
    }
    if isCancelled { action() }
  }

  /// Resumes the caller with the result of the exchange.
  func end(with result: Result<HTTPExchangeResponse, any Error>) {
    _ = state.withLock { $0.end(cancelling: false) }
    waiter.settle(result)
  }

  /// Resumes the caller with an error.
  func cancel(throwing error: any Error = CancellationError()) {
    let cancelActions = state.withLock { $0.end(cancelling: true) }
    waiter.settle(.failure(error))
    for action in cancelActions { action() }
  }
}
