#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  import Loopback

  /// Runs a scenario: its servers, exchanges and calls.
  struct SimulationRun: Sendable {
    private let scenario: SimulatedScenario
    private let ledger: SimulationLedger
    private let servers: [LoopbackServer]
    private let sharedLookups: NameLookups

    /// Runs a scenario, and returns what was wrong.
    static func problems(in scenario: SimulatedScenario) async throws -> [String] {
      let run = try SimulationRun(scenario)
      defer { for server in run.servers { server.stop() } }
      await run.runClients()
      // The exchanges are released, and with them their connections.
      for server in run.servers { await server.ended.reach(server.connectionCount) }
      return run.ledger.problems
    }

    private init(_ scenario: SimulatedScenario) throws {
      self.scenario = scenario
      let ledger = SimulationLedger(scenario.calls)
      self.ledger = ledger
      servers = try SimulatedScenario.Server.allCases.map { kind in
        try LoopbackServer(keepsRequests: false) { ledger.reply(to: $0, isProxy: kind.isProxy) }
      }
      sharedLookups = NameLookups(limit: scenario.sharedLookupLimit) { ledger.addresses(of: $0) }
    }

    private func runClients() async {
      await withTaskGroup(of: (SimulatedExchange, SimulatedCall)?.self) { group in
        for client in scenario.clients { group.addTask { await run(client) } }
        var rest: [(SimulatedExchange, SimulatedCall)] = []
        for await case let (exchange, call)? in group { rest.append((exchange, call)) }
        for (exchange, call) in rest {
          // A connection that the server closed before is noticed, one that it closes now is not.
          interrupt(call.server)
          await start(call, on: exchange, isLast: true).value
        }
      }
    }

    private func interrupt(_ server: Int) {
      guard SimulatedScenario.Server(rawValue: server)?.isSteady == false else { return }
      servers[server].interrupt()
      servers[server].resume()
    }

    /// Runs the blocks of a client. Returns its exchange and its last call.
    private func run(
      _ client: SimulatedScenario.Client
    ) async -> (SimulatedExchange, SimulatedCall)? {
      guard let exchange = exchange(of: client) else {
        ledger.report("no exchange", of: -1)
        return nil
      }
      for block in client.blocks {
        if let server = block.interruption { interrupt(server.rawValue) }
        var tasks: [Task<Void, Never>] = []
        for (position, call) in block.calls.enumerated() {
          tasks.append(start(call, on: exchange))
          if position > 0, block.calls[position - 1].cancellation == .atNextCall {
            ledger.cancel(block.calls[position - 1].id)
          }
          if block.order == .inTurn { await tasks[position].value }
        }
        for task in tasks { await task.value }
      }
      return client.lastCall.map { (exchange, $0) }
    }

    private func exchange(of client: SimulatedScenario.Client) -> SimulatedExchange? {
      if client.kind == .urlSession {
        return .urlSession(
          URLSessionExchange(maximumConnectionsPerHost: client.connectionLimit))
      }
      let proxy = client.proxy.map { proxy in
        CurlExchange.Proxy.url("http://\(proxy.host):\(servers[proxy.server.rawValue].port)")
      }
      let ledger = ledger
      return CurlExchange(
        .init(maximumConnectionsPerHost: client.connectionLimit, proxy: proxy ?? .none),
        lookups: client.lookupLimit.map { limit in
          NameLookups(limit: limit) { ledger.addresses(of: $0) }
        } ?? sharedLookups,
        asksBeforeSending: client.kind == .curl
      ).map { .curl($0) }
    }

    /// Begins a call, whose outcome is checked when it has ended.
    private func start(
      _ call: SimulatedCall, on exchange: SimulatedExchange, isLast: Bool = false
    ) -> Task<Void, Never> {
      let task =
        switch call.cancellation {
        case .atStart: Task { await check(call, on: exchange, isLast: isLast) }
        case .onceSubmitted: Task.immediate { await check(call, on: exchange, isLast: isLast) }
        case _ where call.beginsAtOnce:
          Task.immediate { await check(call, on: exchange, isLast: isLast) }
        default: Task { await check(call, on: exchange, isLast: isLast) }
        }
      ledger.begin(call.id, as: task)
      switch call.cancellation {
      case .atStart, .onceSubmitted: ledger.cancel(call.id)
      case .afterYields(let count):
        Task {
          for _ in 0..<count { await Task.yield() }
          ledger.cancel(call.id)
        }
      default: break
      }
      return task
    }

    private func check(
      _ call: SimulatedCall, on exchange: SimulatedExchange, isLast: Bool
    ) async {
      let begin = ContinuousClock.now
      let outcome: Result<HTTPExchangeResponse, any Error>
      do {
        outcome = .success(try await exchange.send(call.request(port: servers[call.server].port)))
      } catch {
        outcome = .failure(error)
      }
      let end = ContinuousClock.now
      let problem = call.problem(
        with: outcome, after: end - begin,
        afterCancellation: ledger.cancellationTime(of: call.id).map { end - $0 },
        arrivals: ledger.arrivals(of: call.id),
        isSteady: isLast || SimulatedScenario.Server(rawValue: call.server)?.isSteady == true)
      if let problem { ledger.report(problem, of: call.id) }
      ledger.end(call.id)
    }
  }

  /// An exchange of a simulation.
  enum SimulatedExchange: Sendable {
    case curl(CurlExchange)
    case urlSession(URLSessionExchange)

    func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
      switch self {
      case .curl(let exchange): try await exchange.send(request)
      case .urlSession(let exchange): try await exchange.send(request)
      }
    }
  }
#endif
