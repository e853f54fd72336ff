import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

/// The order of nodes, and what a call does when they fail.
struct NodeCallerTests {
  private static let names = ["a", "b", "c"]

  /// What the nodes answer, and which were asked.
  private final class Nodes: Sendable {
    let asked = Lock<[String]>([])
    private let answer:
      @Sendable (_ node: String, _ number: Int) async throws -> HTTPExchangeResponse

    init(
      _ answer:
        @escaping @Sendable (_ node: String, _ number: Int) async throws ->
        HTTPExchangeResponse
    ) {
      self.answer = answer
    }

    func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
      let node = String(request.url.split(separator: "/")[1])
      let number = asked.withLock {
        $0.append(node)
        return $0.count - 1
      }
      return try await answer(node, number)
    }
  }

  private func caller(
    _ nodes: Nodes, nearest: String? = nil, clock: any Clock<Duration> = ManualClock()
  ) -> NodeCaller {
    let configuration = TypesenseTransport.Configuration(
      exchange: { try await nodes.send($0) }, clock: clock)
    let states = NodeStates(
      Self.names.map { SearchHost($0) }, nearest: nearest.map { SearchHost($0) },
      interval: configuration.healthCheckInterval)
    return NodeCaller(
      configuration.calls(to: states.nodes), states, pause: configuration.retryInterval)
  }

  private static let search = TransportRequest(
    .custom(.post, ["multi_search"]), body: Array("{}".utf8), callType: .read)
  private static let write = TransportRequest(
    .custom(.post, ["collections", "c", "documents", "import"]), callType: .write)

  private func send(_ request: TransportRequest, _ caller: NodeCaller) async throws
    -> TransportResponse
  {
    try await caller.send(request, headers: HeaderFields([]))
  }

  /// Advances a clock whenever something waits for it, until the task ends.
  private func value<Value: Sendable>(
    of task: Task<Value, any Error>, _ clock: ManualClock, step: Duration = .milliseconds(100)
  ) async throws -> Value {
    let isOver = Lock(false)
    let advancing = Task {
      while !isOver.withLock({ $0 }) {
        clock.advance(by: step)
        await Task.yield()
      }
    }
    defer { advancing.cancel() }
    let result = await task.result
    isOver.withLock { $0 = true }
    return try result.get()
  }

  @Test("Attempts of one call go to all nodes, while others take turns")
  func turns() {
    let hosts = (0..<3).map { SearchHost("node\($0).example") }
    var states = NodeStates(hosts, nearest: nil, interval: .seconds(60))
    for node in 0..<3 { states.record(isHealthy: false, node: node, at: .zero) }
    var tried: Set<Int> = []
    for _ in 0..<3 {
      tried.insert(states.next(at: .seconds(1), after: tried))
      // Two other calls.
      _ = states.next(at: .seconds(1))
      _ = states.next(at: .seconds(1))
    }
    expectEqual(tried, [0, 1, 2])
  }

  @Test("A write goes on at other nodes, although the nearest one answers reads")
  func writesWithNearest() async throws {
    let clock = ManualClock()
    let nodes = Nodes { node, _ in HTTPExchangeResponse(status: node == "n" ? 503 : 200) }
    let caller = caller(nodes, nearest: "n", clock: clock)
    let task = Task { try await send(Self.write, caller) }
    try await expectEqual(value(of: task, clock).status, 200)
    expectEqual(nodes.asked.withLock { $0 }, ["n", "a"])
  }

  @Test("The last leader is asked first, and unhealthy nodes last")
  func leaderOrder() {
    var states = NodeStates(
      (0..<4).map { SearchHost("node\($0).example") }, nearest: nil, interval: .seconds(60))
    states.record(isHealthy: false, node: 0, at: .zero)
    expectEqual(states.order(at: .seconds(1), likely: nil), [1, 2, 3, 0])
    expectEqual(states.order(at: .seconds(1), likely: 2), [2, 1, 3, 0])
    expectEqual(states.order(at: .seconds(61), likely: 3), [3, 0, 1, 2])
  }

  @Test("Calls take turns at the nodes")
  func turns() async throws {
    let nodes = Nodes { _, _ in HTTPExchangeResponse(status: 200) }
    let caller = caller(nodes)
    for _ in 0..<4 { _ = try await send(Self.search, caller) }
    expectEqual(nodes.asked.withLock { $0 }, ["a", "b", "c", "a"])
  }

  @Test("The nearest node answers while it is healthy, and again after a minute")
  func nearest() async throws {
    let clock = ManualClock()
    let isDown = Lock(false)
    let nodes = Nodes { node, _ in
      if node == "n", isDown.withLock({ $0 }) {
        throw HTTPExchangeError.timedOut
      }
      return HTTPExchangeResponse(status: 200)
    }
    let caller = caller(nodes, nearest: "n", clock: clock)
    _ = try await send(Self.search, caller)
    isDown.withLock { $0 = true }
    _ = try await value(of: Task { try await send(Self.search, caller) }, clock)
    _ = try await send(Self.search, caller)
    isDown.withLock { $0 = false }
    clock.advance(by: .seconds(60))
    _ = try await send(Self.search, caller)
    expectEqual(nodes.asked.withLock { $0 }, ["n", "n", "a", "b", "n"])
  }

  @Test("A read is tried once more than there are nodes")
  func reads() async throws {
    let clock = ManualClock()
    let nodes = Nodes { _, _ in HTTPExchangeResponse(status: 503) }
    let caller = caller(nodes, clock: clock)
    let error = await #expect(throws: SearchError.self) {
      _ = try await value(of: Task { try await send(Self.search, caller) }, clock)
    }
    expectEqual(error?.code, .unreachable)
    expectEqual(error?.attempts.count, 4)
    expectEqual(nodes.asked.withLock { $0 }, ["a", "b", "c", "a"])
  }

  @Test("A write outlasts an election, which leaves the nodes healthy for reads")
  func election() async throws {
    let clock = ManualClock()
    let nodes = Nodes { _, number in HTTPExchangeResponse(status: number < 12 ? 500 : 200) }
    let caller = caller(nodes, clock: clock)
    let response = try await value(of: Task { try await send(Self.write, caller) }, clock)
    expectEqual(response.status, 200)
    expectEqual(nodes.asked.withLock { $0.count }, 13)
  }

  @Test("A write ends at its deadline")
  func deadline() async throws {
    let clock = ManualClock()
    let nodes = Nodes { _, _ in HTTPExchangeResponse(status: 500) }
    let caller = caller(nodes, clock: clock)
    var limited = Self.write
    limited.deadline = Deadline(after: .seconds(10), clock: clock)
    let request = limited
    let error = await #expect(throws: SearchError.self) {
      _ = try await value(of: Task { try await send(request, caller) }, clock)
    }
    expectEqual(error?.code, .timedOut)
  }

  @Test("A refused call is not tried elsewhere", arguments: [400, 401, 404, 408, 409])
  func refusals(status: Int) async throws {
    let nodes = Nodes { _, _ in HTTPExchangeResponse(status: status) }
    let caller = caller(nodes)
    let response = try await send(Self.search, caller)
    expectEqual(response.status, status)
    expectEqual(nodes.asked.withLock { $0.count }, 1)
  }

  @Test("A cancelled call ends and counts against no node")
  func cancellation() async throws {
    let nodes = Nodes { _, number in
      if number == 0 {
        await untilCancelled()
        throw CancellationError()
      }
      return HTTPExchangeResponse(status: 200)
    }
    let caller = caller(nodes)
    let call = Task { try await send(Self.search, caller) }
    while nodes.asked.withLock({ $0.isEmpty }) { await Task.yield() }
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    for _ in 0..<3 { _ = try await send(Self.search, caller) }
    expectEqual(nodes.asked.withLock { $0 }, ["a", "b", "c", "a"])
  }
}
