import InstantSearchAPI
import InstantSearchHTTP

/// Sends calls to the nodes of a cluster.
///
/// A read is tried at as many nodes as there are, and once more, with a pause between. A write,
/// which while the cluster elects a leader fails at every node, is tried until the deadline. Every
/// write that the transport sends has the same effect if it is sent twice.
final class NodeCaller: Sendable {
  private let configuration: HostCaller.Configuration
  private let attempts: HostAttempts
  private let pause: Duration
  private let time: AnyClock
  private let states: Lock<NodeStates>
  private let tryCount: Int
  /// The node that led the cluster when a call last asked.
  private let lastLeader = Lock<Int?>(nil)

  /// Creates a caller. It sends nothing.
  ///
  /// - Parameter pause: The time between two attempts of a call.
  init(_ configuration: HostCaller.Configuration, _ states: NodeStates, pause: Duration) {
    self.configuration = configuration
    self.pause = pause
    attempts = HostAttempts(configuration)
    time = AnyClock(configuration.clock)
    tryCount = states.nodes.count + 1
    self.states = Lock(states)
  }

  /// The nodes, by their numbers.
  var nodes: [SearchHost] { states.withLock { $0.nodes } }

  /// All nodes in the order in which they are asked which one leads.
  func orderForLeader() -> [Int] {
    let likely = lastLeader.withLock { $0 }
    return states.withLock { $0.order(at: time.now(), likely: likely) }
  }

  /// Notes the node that leads the cluster, or `nil` if that is not known.
  func note(leader: Int?) { lastLeader.withLock { $0 = leader } }

  /// Sends a request until a node responds with a status below 500.
  ///
  /// - Parameters:
  ///   - headers: The headers to send, in place of the request's.
  ///   - node: The only node to ask, or `nil` for any.
  ///   - onNoAnswer: Called when an attempt ends without an answer on a connection that did not
  ///     break. The node can do later what was asked for.
  /// - Throws: `CancellationError`, or a `SearchError`: `invalidRequest` before anything is sent,
  ///   `unreachable` or `timedOut` with the attempts, or the `SearchError` an exchange threw.
  func send(
    _ request: TransportRequest, headers: HeaderFields, node: Int? = nil,
    onNoAnswer: (@Sendable () -> Void)? = nil
  ) async throws -> TransportResponse {
    let call = try PreparedCall(request, headers: headers, requestID: nil, defaults: configuration)
    var log = AttemptLog(call: call)
    var tried: Set<Int> = []
    while true {
      try Task.checkCancellation()
      if call.deadline.hasPassed { throw log.deadlinePassed() }
      let number = node ?? states.withLock { $0.next(at: time.now(), after: tried) }
      tried.insert(number)
      if tried.count == states.withLock({ $0.nodes.count }) { tried = [number] }
      let host = states.withLock { $0.nodes[number] }
      let timeout = min(call.timeout, max(call.deadline.remaining, .nanoseconds(1)))
      let (outcome, duration) = await attempts.make(
        call, at: host, timeout: timeout, connectTimeout: configuration.connectTimeout)
      attempts.report(
        outcome, of: call, at: host, number: log.count + 1, timeout: timeout, duration: duration)
      switch outcome {
      case .answered(let response) where response.status < 500:
        record(isHealthy: true, number)
        return call.answer(response)
      case .answered(let response):
        log.record(response, from: host)
        // A load balancer has not heard from the node.
        if response.status == 502 || response.status == 504 { onNoAnswer?() }
        // Without a leader a node refuses writes, and answers searches.
        if request.callType == .read { record(isHealthy: false, number) }
      case .failed(let error):
        log.record(error, from: host)
        if error.isTimeout { onNoAnswer?() }
        if !error.isStaleConnection, !error.isLocal { record(isHealthy: false, number) }
      case .refused(let error):
        throw call.redacting(error)
      case .deadlinePassed:
        onNoAnswer?()
        log.recordDeadline(at: host)
        throw log.deadlinePassed()
      case .cancelled:
        onNoAnswer?()
        throw CancellationError()
      }
      try Task.checkCancellation()
      if request.callType == .read, log.count >= (node == nil ? tryCount : 1) {
        throw log.allHostsFailed()
      }
      try await wait(call.deadline, after: log.count)
    }
  }

  /// Waits before the next attempt: longer after each, a second at most.
  private func wait(_ deadline: Deadline, after count: Int) async throws {
    let longest = max(pause, .seconds(1))
    var wanted = pause
    for _ in 1..<min(count, 10) where wanted < longest { wanted = min(wanted * 2, longest) }
    let time = max(min(wanted, deadline.remaining), .zero)
    try await configuration.clock.sleep(for: time)
  }

  private func record(isHealthy: Bool, _ node: Int) {
    states.withLock { $0.record(isHealthy: isHealthy, node: node, at: time.now()) }
  }
}
