@testable import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import InstantSearchHTTP
import TestSupport
import Testing

/// Which hosts a call tries, and in which order.
struct AlgoliaHostsTests {
  private let fallbacks: Set = [
    "APPID-1.algolianet.com", "APPID-2.algolianet.com", "APPID-3.algolianet.com",
  ]

  @Test(arguments: [
    (TransportRequest.sampleRead, "APPID-dsn.algolia.net"),
    (TransportRequest.sampleWrite, "APPID.algolia.net"),
  ])
  func callBeginsAtTheHostOfItsTypeThenTriesThreeOthers(
    request: TransportRequest, first: String
  ) async {
    let script = ScriptedExchange(.status(503))
    _ = try? await AlgoliaTransport.sample(script).send(request)
    expectEqual(script.hosts.first, first)
    expectEqual(script.hosts.count, 4)
    expectEqual(Set(script.hosts.dropFirst()), fallbacks)
    #expect(script.requests.allSatisfy { $0.url.hasPrefix("https://") })
  }

  @Test func fallbackOrderIsFixedPerTransport() async {
    let script = ScriptedExchange(.fail(HTTPExchangeError.timedOut))
    let transport = AlgoliaTransport.sample(script)
    for _ in 0..<8 { _ = try? await transport.send(.sampleRead) }
    let calls = stride(from: 0, to: script.hosts.count, by: 4).map {
      Array(script.hosts[$0..<$0 + 4])
    }
    expectEqual(calls.count, 8)
    expectEqual(Set(calls).count, 1)
  }

  @Test func fallbackOrderComesFromTheGenerator() async {
    func order(seed: UInt64) async -> [String] {
      let script = ScriptedExchange(.status(503))
      let configuration = AlgoliaTransport.Configuration(
        randomNumberGenerator: SeededGenerator(seed: seed))
      _ = try? await AlgoliaTransport.sample(script, configuration: configuration).send(.sampleRead)
      return Array(script.hosts.dropFirst())
    }
    var orders: Set<[String]> = []
    for seed in 0..<100 { orders.insert(await order(seed: UInt64(seed))) }
    expectEqual(orders.count, 6)
    let first = await order(seed: 7)
    let second = await order(seed: 7)
    expectEqual(first, second)
  }

  @Test func readsAndWritesShareTheFallbackOrder() async {
    let script = ScriptedExchange(.fail(HTTPExchangeError.timedOut))
    let transport = AlgoliaTransport.sample(script)
    _ = try? await transport.send(.sampleRead)
    _ = try? await transport.send(.sampleWrite)
    expectEqual(Array(script.hosts[1...3]), Array(script.hosts[5...7]))
  }

  @Test func customHostsAreTriedInOrder() async {
    let script = ScriptedExchange(.status(500))
    let configuration = AlgoliaTransport.Configuration(hosts: [
      SearchHost("one.example", callTypes: [.read]),
      SearchHost("two.example", scheme: .http, port: 8080),
      SearchHost("three.example", callTypes: [.write]),
      SearchHost("::1", port: 9),
    ])
    _ = try? await AlgoliaTransport.sample(script, configuration: configuration).send(.sampleRead)
    expectEqual(
      script.requests.map(\.url),
      [
        "https://one.example/1/indexes/films/query",
        "http://two.example:8080/1/indexes/films/query",
        "https://[::1]:9/1/indexes/films/query",
      ])
    _ = try? await AlgoliaTransport.sample(script, configuration: configuration).send(.sampleWrite)
    expectEqual(script.hosts.dropFirst(3), ["two.example:8080", "three.example", "[::1]:9"])
  }

  @Test(arguments: [
    "", "example.com/", "user@example.com", "example.com?", "example.com#", "exa mple.com",
    "example.com\r\nX: y", "[::1]", "exämple.com",
    "localhost:8080", "http://a", "a:b:c:g",
  ])
  func invalidHostNameIsReported(name: String) async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(hosts: [SearchHost(name)])
    let error = try await searchError(
      of: .sample(script, configuration: configuration), sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
    #expect(script.requests.isEmpty)
  }

  @Test(arguments: [-1, 0, 65_536, Int.max])
  func invalidPortIsReported(port: Int) async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(hosts: [
      SearchHost("example.com", port: port)
    ])
    let error = try await searchError(
      of: .sample(script, configuration: configuration), sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
    #expect(error.message.contains("\(port)"))
  }

  @Test func callWithoutAMatchingHostIsReported() async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(hosts: [
      SearchHost("one.example", callTypes: [.read])
    ])
    let transport = AlgoliaTransport.sample(script, configuration: configuration)
    let error = try await searchError(of: transport, sending: .sampleWrite)
    expectEqual(error.code, .invalidRequest)
    expectEqual(error.request, "PUT /1/indexes/films/42")
    try await expectEqual(transport.send(.sampleRead).status, 200)
  }

  @Test func anEmptyListOfHostsIsReported() async throws {
    let script = ScriptedExchange(.status(200))
    let error = try await searchError(
      of: .sample(script, configuration: AlgoliaTransport.Configuration(hosts: [])),
      sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
  }

  /// Of the five hosts four take a write.
  @Test func callWithoutADeadlineHasTimeForEachHostThatTakesIt() {
    var generator = SplitMix64(seed: 1)
    var configuration = AlgoliaTransport.Configuration(clock: ManualClock())
    func time(_ callType: Endpoint.CallType, _ timeout: Duration) -> Duration {
      configuration.calls(to: .algolia(appID: "A", using: &generator))
        .deadline(of: callType, askingEveryHostFor: timeout).remaining
    }
    expectEqual(time(.write, .seconds(30)), .seconds(120))
    expectEqual(time(.read, .seconds(40)), .seconds(160))
    configuration.callTimeout = .seconds(7)
    expectEqual(time(.read, .seconds(40)), .seconds(7))
  }
}
