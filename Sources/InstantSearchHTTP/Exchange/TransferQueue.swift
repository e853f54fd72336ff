/// Decides which transfers run concurrently and which wait for another transfer to the same host.
///
/// It bounds the connections to each host, and a silent host takes no connections from others.
/// Waiting transfers start in the order of their arrival. A transfer that is cancelled while it
/// waits never starts.
package struct TransferQueue: Sendable {
  package typealias ID = UInt64

  private struct Host {
    var activeCount = 0
    /// The waiting transfers from `head` on, including cancelled ones.
    var waiting: [ID] = []
    var head = 0
    var cancelledCount = 0

    /// Removes the first transfer, in constant time on average.
    mutating func popFirst() -> ID? {
      guard head < waiting.count else { return nil }
      defer {
        head += 1
        // Entries before the head are removed when they are half of all.
        if head > waiting.count / 2 {
          waiting.removeFirst(head)
          head = 0
        }
      }
      return waiting[head]
    }

    /// Removes the entries before the head and the entries that do not match.
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
  /// - Parameter limit: The maximum number of concurrent transfers to one host. At least 1.
  package init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// The number of waiting transfers.
  package var waitingCount: Int { hostsOfWaiting.count }

  /// The number of entries for waiting transfers, including removed ones.
  package var capacity: Int { hosts.values.reduce(0) { $0 + $1.waiting.count } }

  /// Adds a transfer. Returns whether it can start now. Otherwise it waits.
  package mutating func enqueue(_ id: ID, host: String) -> Bool {
    if hosts[host, default: Host()].activeCount < limit {
      hosts[host, default: Host()].activeCount += 1
      return true
    }
    hosts[host, default: Host()].waiting.append(id)
    hostsOfWaiting[id] = host
    return false
  }

  /// Removes a transfer that ran, and returns the waiting transfer that can start instead, if any.
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

  /// Removes a waiting transfer. Returns `false` if it does not wait.
  package mutating func cancel(_ id: ID) -> Bool {
    guard let host = hostsOfWaiting.removeValue(forKey: id) else { return false }
    guard var state = hosts.removeValue(forKey: host) else { return true }
    state.cancelledCount += 1
    // With a host that does not respond no transfer finishes, so cancelled entries are removed
    // here. As many cancellations pay for the cost.
    if state.cancelledCount > state.waiting.count / 2 {
      state.keep { hostsOfWaiting[$0] != nil }
    }
    hosts[host] = state
    return true
  }
}

/// Starts transfers when the queue admits them; see ``TransferQueue``.
final class TransferScheduler: Sendable {
  private struct State {
    var queue: TransferQueue
    var nextID: TransferQueue.ID = 0
    var starts: [TransferQueue.ID: @Sendable () -> Void] = [:]
  }

  private let state: Lock<State>

  /// Creates a scheduler with a maximum number of concurrent transfers to one host.
  init(limit: Int) {
    state = Lock(State(queue: TransferQueue(limit: limit)))
  }

  /// Starts a transfer to a host, now or when others have ended. Call ``finish(host:)`` once for
  /// each start.
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

  /// Records that a transfer to a host has ended, and starts the next.
  func finish(host: String) {
    let start = state.withLock { state in
      state.queue.finish(host: host).flatMap { state.starts.removeValue(forKey: $0) }
    }
    start?()
  }

  /// Removes a transfer that has not started. Otherwise it does nothing.
  func cancel(_ id: TransferQueue.ID) {
    let start = state.withLock { state in
      state.queue.cancel(id) ? state.starts.removeValue(forKey: id) : nil
    }
    withExtendedLifetime(start) {}
  }
}

/// The response that a caller of an exchange waits for. The caller is resumed once, by the response
/// or by cancellation. Later results are ignored.
package final class PendingResponse: Sendable {
  private struct State {
    var hasEnded = false
    var isCancelled = false
    var cancelActions: [@Sendable () -> Void] = []

    /// Ends the wait, and returns the actions to run if it was cancelled. Later calls do nothing.
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

  package init() {}

  /// Starts an exchange and waits until it ends or the task is cancelled.
  ///
  /// - Parameters:
  ///   - timeout: The time after which the caller receives `timedOut`. `nil` for an exchange that
  ///     measures the time itself.
  ///   - begin: Starts the exchange. Not called if the task is already cancelled.
  static func wait(
    timeout: Duration? = nil, beginning begin: (PendingResponse) -> Void
  ) async throws -> HTTPExchangeResponse {
    try Task.checkCancellation()
    let response = PendingResponse()
    begin(response)
    return try await withTaskCancellationHandler {
      try await withDeadlineHandler(timeout.map { Deadline(after: $0) }) {
        try await response.waiter.value()
      } onPassed: {
        response.cancel(throwing: HTTPExchangeError.timedOut)
      }
    } onCancel: {
      response.cancel()
    }
  }

  /// Whether the caller has been resumed.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Whether the wait was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Runs an action if the wait is cancelled, at once if it already was. Never after a response.
  package func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.hasEnded { state.cancelActions.append(action) }
      return state.isCancelled
    }
    if isCancelled { action() }
  }

  /// Resumes the caller with the result of the exchange.
  package func end(with result: Result<HTTPExchangeResponse, any Error>) {
    _ = state.withLock { $0.end(cancelling: false) }
    waiter.fulfill(with: result)
  }

  /// Cancels the wait and resumes the caller with an error.
  package func cancel(throwing error: any Error = CancellationError()) {
    let cancelActions = state.withLock { $0.end(cancelling: true) }
    waiter.fulfill(with: .failure(error))
    for action in cancelActions { action() }
  }
}
