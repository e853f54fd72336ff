@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import Loopback
import class Loopback.AwaitableList
import TestSupport
import Testing

/// Calls whose kept connection ends before the first byte of the response.
@Suite(.timeLimit(.minutes(30))) struct StaleConnectionTests {
  private static let ok = ScriptedExchange.Step.status(200)
  private static let stale = ScriptedExchange.Step.fail(HTTPExchangeError.staleConnection)

  private func transport(
    _ exchange: ScriptedExchange, reports: AwaitableList<AttemptReport> = .init()
  ) -> AlgoliaTransport {
    AlgoliaTransport(
      appID: "APPID", apiKey: "sekret",
      configuration: .init(
        hosts: [SearchHost("a.test"), SearchHost("b.test")], exchange: exchange.exchange,
        onAttempt: { reports.append($0) },
        // No call takes so long that it times out, however busy the machine is.
        clock: ManualClock()))
  }

  @Test func readTriesTheSameHostOnceMore() async throws {
    let exchange = ScriptedExchange(Self.stale, Self.ok)
    let reports = AwaitableList<AttemptReport>()
    let transport = transport(exchange, reports: reports)
    try await expectEqual(transport.send(.sampleRead).status, 200)
    try await expectEqual(transport.send(.sampleRead).status, 200)
    expectEqual(exchange.hosts, ["a.test", "a.test", "a.test"])
    expectEqual(reports.elements.map(\.number), [1, 2, 1])
    expectEqual(
      reports.elements.map(\.outcome.description).first, HTTPExchangeError.staleConnection.reason)
  }

  @Test func readThatLosesTwoConnectionsTriesTheNextHost() async throws {
    let exchange = ScriptedExchange(Self.stale, Self.stale, Self.ok)
    let transport = transport(exchange)
    try await expectEqual(transport.send(.sampleRead).status, 200)
    try await expectEqual(transport.send(.sampleRead).status, 200)
    // The host is not skipped by the second call.
    expectEqual(exchange.hosts, ["a.test", "a.test", "b.test", "a.test"])
  }

  @Test func writeThatCanBeRepeatedTriesTheSameHostOnceMore() async throws {
    let exchange = ScriptedExchange(Self.stale, Self.ok)
    let request = TransportRequest(.setSettings(index: "films"), body: Array("{}".utf8))
    try await expectEqual(transport(exchange).send(request).status, 200)
    expectEqual(exchange.hosts, ["a.test", "a.test"])
  }

  @Test func otherWriteTriesTheNextHost() async throws {
    let exchange = ScriptedExchange(Self.stale, Self.ok)
    let transport = transport(exchange)
    let request = TransportRequest(.batch(index: "films"), body: Array("{}".utf8))
    try await expectEqual(transport.send(request).status, 200)
    try await expectEqual(transport.send(request).status, 200)
    expectEqual(exchange.hosts, ["a.test", "b.test", "a.test"])
  }

  @Test func errorListsEachAttempt() async throws {
    let error = try await searchError(
      of: transport(ScriptedExchange(Self.stale)), sending: .sampleRead)
    expectEqual(error.code, .unreachable)
    expectEqual(error.attempts.map(\.host), ["a.test", "a.test", "b.test", "b.test"])
  }

  @Test func failureOfTheSecondAttemptCounts() async throws {
    let exchange = ScriptedExchange(Self.stale, .fail(HTTPExchangeError.network("reset")), Self.ok)
    let transport = transport(exchange)
    try await expectEqual(transport.send(.sampleRead).status, 200)
    try await expectEqual(transport.send(.sampleRead).status, 200)
    expectEqual(exchange.hosts, ["a.test", "a.test", "b.test", "b.test"])
  }

  #if os(Linux)
    @Test(arguments: [ExchangeKind.curl, .oldCurl])
    func lostKeptConnectionIsStale(kind: ExchangeKind) async throws {
      let replies = [LoopbackReply.json("{}"), .hangUp, .json("{}")]
      let scenario = try Scenario(kind, replies, [.json("{}")])
      defer { scenario.stop() }
      try await expectEqual(scenario.send().status, 200)
      try await expectEqual(scenario.send().status, 200)
      expectEqual(scenario.asked, [0, 0, 0])
    }

    /// The server retires a connection after 50 requests and refuses those that were on the way.
    @Test(
      .enabled(if: NginxServer.isAvailable, Comment(rawValue: NginxServer.absence)),
      arguments: [ExchangeKind.curl, .oldCurl])
    func readsSurviveTheEndOfAnHTTP2Connection(kind: ExchangeKind) async throws {
      let backend = try LoopbackServer { _ in .json("{}") }
      defer { backend.stop() }
      let authority = try TestAuthority()
      let server = try NginxServer(authority, backend: backend.port, requestsPerConnection: 50)
      defer { server.stop() }
      let transport = AlgoliaTransport(
        appID: "APPID", apiKey: "sekret",
        configuration: .init(
          hosts: [SearchHost("127.0.0.1", port: server.port)],
          connectTimeout: .seconds(3600), readTimeout: .seconds(3600),
          exchange: kind.make(certificateAuthorityFile: authority.certificateFile)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask {
            for _ in 0..<Thoroughness.count(12, thorough: 60) {
              let response = try await transport.send(.sampleRead)
              expectEqual(response.status, 200)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  #endif
}
