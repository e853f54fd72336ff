@testable import InstantSearchAPI
@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchInsights
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import Loopback
import Testing

/// A run in which everything fails, against servers that quote what they received. Nothing that is
/// printed, logged or shown contains a secret.
@Suite(.timeLimit(.minutes(30))) struct FailingRunPrivacyTests {
  private static let secrets = [
    "topsekret-key-1", "topsekret-key-2", "topsekret-user", "topsekret/bearer",
    "topsekret%2Fbearer",
  ]

  /// All output of the run.
  private final class OutputLog: Sendable {
    private let text = Lock("")

    func note(_ value: Any) {
      var said = "\(value)\n" + String(reflecting: value) + "\n"
      dump(value, to: &said)
      text.withLock { $0 += said }
    }

    var all: String { text.withLock { $0 } }
  }

  /// A server that quotes keys and tokens wherever it can.
  private static func quoting(_ reply: @escaping @Sendable (String) -> LoopbackReply) throws
    -> LoopbackServer
  {
    try LoopbackServer { request in
      let quoted = ["x-algolia-api-key", "x-algolia-usertoken", "authorization"]
        .compactMap { request.headers[$0] }.joined(separator: ", ")
      return reply(quoted + " at " + request.target)
    }
  }

  private static let replies: [@Sendable (String) -> LoopbackReply] =
    [400, 401, 403, 404, 422, 429, 500, 503, 302].flatMap { status in
      [
        { quoted in
          .answer(
            status: status, headers: [("Correlation-ID", quoted), ("Server", quoted)],
            body: Array(#"{"message":"refused \#(quoted)","status":\#(status)}"#.utf8))
        },
        { quoted in .answer(status: status, body: Array("<html>\(quoted)</html>".utf8)) },
      ] as [@Sendable (String) -> LoopbackReply]
    } + [
      {
        .answer(status: 200, headers: [("Correlation-ID", $0)], body: Array("not JSON, \($0)".utf8))
      },
      { _ in .hangUp }, { _ in .truncation }, { _ in .brokenGzip },
    ]

  @Test(arguments: replies.indices)
  func noOutputContainsASecret(number: Int) async throws {
    let log = OutputLog()
    let server = try Self.quoting(Self.replies[number])
    defer { server.stop() }
    var configuration = AlgoliaTransport.Configuration(
      hosts: [SearchHost("127.0.0.1", scheme: .http, port: server.port)],
      headers: [
        HTTPHeader(name: "X-Algolia-UserToken", value: "topsekret-user"),
        HTTPHeader(name: "Authorization", value: "Bearer topsekret/bearer"),
      ],
      clock: ManualClock())
    configuration.onAttempt = { log.note($0) }
    let network = AlgoliaTransport(
      appID: "APPID", apiKey: "topsekret-key-1", configuration: configuration)
    let stack = ObservedTransport(
      wrapping: FallbackTransport(
        primary: CachingTransport(
          wrapping: BatchingTransport(
            wrapping: RateLimitingTransport(
              wrapping: network, requestsPerSecond: 1000, maximumRetries: 0))),
        fallback: network),
      observer: ObservedTransport.Observer(
        began: { log.note($0) },
        ended: {
          log.note($0)
          log.note($1)
        }))
    await run(SearchClient(transport: network), log)
    // Once only, because a rate limit delays later calls after a 429.
    await note(log) {
      try await SearchClient(transport: stack).search("films", SearchQuery("a"), of: JSON.self)
    }
    network.replaceAPIKey(with: "topsekret-key-2")
    await run(SearchClient(transport: network), log)
    await track(network, log)
    log.note(network)
    log.note(stack)
    log.note(configuration)
    for secret in Self.secrets {
      #expect(!log.all.contains(secret), "\(secret) was shown")
    }
    #expect(log.all.contains("POST"))
    #expect(
      server.received.elements.contains { $0.headers["x-algolia-api-key"] == "topsekret-key-2" })
  }

  /// Calls of every kind.
  private func run(_ client: SearchClient, _ log: OutputLog) async {
    let options = RequestOptions(
      headers: [HTTPHeader(name: "x-algolia-api-key", value: "topsekret-key-2")],
      queryItems: [QueryItem(name: "x-algolia-api-key", value: "topsekret-key-1")])
    log.note(options)
    log.note(client)
    await note(log) { try await client.search("films", SearchQuery("a"), of: JSON.self) }
    await note(log) {
      try await client.search("films", SearchQuery("b"), of: JSON.self, options: options)
    }
    await note(log) { try await client.getObjects(["1"], in: "films", of: JSON.self) }
    await note(log) {
      for try await record in client.browse("films", of: JSON.self) { log.note(record) }
      return nil
    }
    let searcher = HitsSearcher(client: client, indexName: "films")
    let errors = searcher.errors
    await note(log) { try await searcher.search() }
    for await error in errors {
      log.note(error)
      break
    }
    log.note(searcher)
  }

  private func track(_ transport: AlgoliaTransport, _ log: OutputLog) async {
    do {
      let insights = try InsightsClient(transport: transport, userToken: "topsekret-user")
      let failures = insights.failures
      try await insights.track(
        .viewed(objectIDs: ["1"], named: "Seen", in: "films"))
      let flush = await insights.flush()
      log.note(flush)
      if flush.sentCount == 0 {
        for await failure in failures {
          log.note(failure)
          break
        }
      }
      log.note(insights)
      await note(log) { try await insights.deleteUserToken("topsekret-user") }
    } catch {
      log.note(error)
    }
  }

  private func note(_ log: OutputLog, _ body: () async throws -> Any?) async {
    do {
      log.note(try await body() as Any)
    } catch {
      log.note(error)
    }
  }
}
