#if os(Linux)
  @testable import AsyncInstantSearch

  /// Clients, servers and calls of a simulation, as a value that the seed determines.
  struct SimulatedScenario: Sendable {
    /// The servers, by their index.
    enum Server: Int, CaseIterable {
      /// Closes connections only in the middle of faulty responses.
      case steady
      /// Closes connections between responses too.
      case closing
      /// A proxy, which answers for all hosts.
      case steadyProxy
      case closingProxy

      var isSteady: Bool { self == .steady || self == .steadyProxy }
      var isProxy: Bool { self == .steadyProxy || self == .closingProxy }
    }

    /// Calls of one client.
    struct Block: Sendable {
      enum Order: CaseIterable {
        /// All calls begin before any has ended.
        case together
        /// Each call begins when the one before has ended.
        case inTurn
        /// All calls begin before any has ended, and a call can cancel the one before.
        case superseding
      }

      var order: Order
      var calls: [SimulatedCall]
      /// The server that first closes all of its connections.
      var interruption: Server?
    }

    /// A program with an exchange.
    struct Client: Sendable {
      var kind: ExchangeKind
      var connectionLimit: Int
      /// The number of concurrent lookups, or `nil` to share the lookups of all clients.
      var lookupLimit: Int?
      /// The proxy, and its host.
      var proxy: (server: Server, host: String)?
      var blocks: [Block] = []
      /// An ordinary call that must be answered when all blocks have ended. Without it the client
      /// drops its exchange as soon as its own calls have ended.
      var lastCall: SimulatedCall?
    }

    let seed: UInt64
    let sharedLookupLimit: Int
    let clients: [Client]

    /// The calls of all clients.
    var calls: [SimulatedCall] {
      clients.flatMap { client in
        client.blocks.flatMap(\.calls) + (client.lastCall.map { [$0] } ?? [])
      }
    }

    /// Draws a scenario.
    init(seed: UInt64) {
      self.seed = seed
      var draw = SimulationDraw(seed: seed)
      sharedLookupLimit = draw.number(in: 1...4)
      clients = (0..<draw.number(in: 1...3)).map { _ in draw.client() }
    }
  }

  extension SimulationDraw {
    fileprivate mutating func client() -> SimulatedScenario.Client {
      var client = SimulatedScenario.Client(
        kind: pick([.curl, .curl, .oldCurl, .oldCurl, .urlSession]),
        connectionLimit: pick([1, 2, 4, 64, 100]), lookupLimit: chance(50) ? number(in: 1...4) : nil
      )
      if client.kind != .urlSession, chance(25) {
        client.proxy = (
          pick([.steadyProxy, .closingProxy]), pick(["127.0.0.1", "localhost", "proxy.example"])
        )
      }
      for _ in 0..<number(in: 1...4) { client.blocks += blocks(of: client) }
      if chance(75) { client.lastCall = lastCall(of: client) }
      return client
    }

    private mutating func blocks(
      of client: SimulatedScenario.Client
    ) -> [SimulatedScenario.Block] {
      if client.kind != .urlSession, client.proxy == nil, chance(50) {
        return supersession(of: client)
      }
      if client.kind != .urlSession, chance(20) { return [lostConnections(of: client)] }
      let isCrowd = client.kind != .urlSession && chance(8)
      let count = isCrowd ? 80 : number(in: 1...(client.kind == .urlSession ? 4 : 10))
      var block = SimulatedScenario.Block(
        order: isCrowd ? .together : pick(SimulatedScenario.Block.Order.allCases), calls: [])
      for position in 0..<count {
        block.calls.append(
          call(
            of: client, in: block.order, isLast: position == count - 1, after: block.calls))
      }
      if chance(20) { block.interruption = pick([.closing, .closingProxy]) }
      return [block]
    }

    /// Calls to a name that are cancelled before libcurl begins with them, as while a user types,
    /// and then calls that use the same handles without a name.
    private mutating func supersession(
      of client: SimulatedScenario.Client
    ) -> [SimulatedScenario.Block] {
      let name = SimulatedCall.Host.shared(number(in: 0...2))
      let isSuperseding = chance(30)
      let count = number(in: 1...4)
      let named = (0..<count).map { position in
        var call = ordinaryCall(to: .steady, host: chance(20) ? .own : name)
        call.cancellation =
          isSuperseding
          ? position < count - 1 ? .atNextCall : nil
          : pick([.onceSubmitted, .onceSubmitted, .onceSubmitted, .atStart, .atLookup])
        if call.cancellation == .atLookup { call.host = .own }
        return call
      }
      let numeric = (0..<number(in: 1...4)).map { _ in ordinaryCall(to: .steady, host: .address) }
      return [
        // From here on the address of the name is known.
        .init(order: .inTurn, calls: [ordinaryCall(to: .steady, host: name)]),
        .init(order: isSuperseding ? .superseding : .inTurn, calls: named),
        .init(order: pick([.together, .inTurn]), calls: numeric),
      ]
    }

    /// Calls whose kept connection is lost when the server has the request, so that libcurl would
    /// send it again.
    private mutating func lostConnections(
      of client: SimulatedScenario.Client
    ) -> SimulatedScenario.Block {
      let server = client.proxy?.server ?? .steady
      let calls = (0..<number(in: 1...3)).flatMap { _ in
        let first = ordinaryCall(to: server, host: .address)
        var second = ordinaryCall(to: server, host: .address)
        second.reply = .fault(pick([.hangUp, .reset]))
        return [first, second]
      }
      return .init(order: .inTurn, calls: calls)
    }

    private mutating func lastCall(of client: SimulatedScenario.Client) -> SimulatedCall {
      ordinaryCall(
        to: client.proxy?.server ?? .steady,
        host: client.kind != .urlSession && chance(50) ? .shared(number(in: 0...2)) : .address)
    }
  }
#endif
