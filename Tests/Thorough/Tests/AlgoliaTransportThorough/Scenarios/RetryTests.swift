@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import Loopback
import TestSupport
import Testing

/// Which outcomes of an attempt lead to the next host, over real HTTP, with every exchange.
@Suite(.timeLimit(.minutes(30))) struct RetryTests {
  @Test(arguments: ExchangeKind.all(with: Fault.brokenOff))
  func failedConnectionMovesToTheNextHostAndIsRemembered(
    kind: ExchangeKind, fault: Fault
  ) async throws {
    let scenario = try Scenario(kind, [fault.reply], [.json("{}")])
    defer { scenario.stop() }
    try await expectEqual(scenario.send().body, Array("{}".utf8))
    try await expectEqual(scenario.send().status, 200)
    expectEqual(scenario.asked, [0, 1, 1])
  }

  @Test(arguments: ExchangeKind.all, [301, 302, 304, 307, 308, 500, 501, 502, 503, 504, 599])
  func retryableStatusMovesToTheNextHost(kind: ExchangeKind, status: Int) async throws {
    let scenario = try Scenario(kind, [.answer(status: status)], [.json("{}")])
    defer { scenario.stop() }
    try await expectEqual(scenario.send().status, 200)
    try await expectEqual(scenario.send().status, 200)
    expectEqual(scenario.asked, [0, 1, 1])
  }

  @Test(
    arguments: ExchangeKind.all, [400, 401, 402, 403, 404, 405, 408, 413, 422, 429, 499])
  func clientErrorStatusIsReturnedAndDoesNotMarkTheHost(
    kind: ExchangeKind, status: Int
  ) async throws {
    let scenario = try Scenario(
      kind, [.json(#"{"message":"No."}"#, status: status)], [.json("{}")])
    defer { scenario.stop() }
    for _ in 0..<2 {
      let response = try await scenario.send()
      expectEqual(response.status, status)
      expectEqual(response.body, Array(#"{"message":"No."}"#.utf8))
    }
    expectEqual(scenario.asked, [0, 0])
  }

  @Test(arguments: ExchangeKind.all, [200, 201, 202, 204])
  func successIsReturned(kind: ExchangeKind, status: Int) async throws {
    let scenario = try Scenario(kind, [.answer(status: status)], [.json("{}")])
    defer { scenario.stop() }
    try await expectEqual(scenario.send().status, status)
    try await expectEqual(scenario.send(.sampleWrite).status, status)
    expectEqual(scenario.asked, [0, 0])
  }

  @Test(arguments: ExchangeKind.all(with: Fault.silent))
  func slowHostIsTriedAfterTheOthers(
    kind: ExchangeKind, fault: Fault
  ) async throws {
    let scenario = try Scenario(kind, [fault.reply], [.json("{}")])
    defer { scenario.stop() }
    async let response = scenario.send()
    await scenario.servers[0].received.reach(1)
    scenario.clock.advance(by: Scenario.timeout)
    try await expectEqual(response.status, 200)
    try await expectEqual(scenario.send().status, 200)
    expectEqual(scenario.asked, [0, 1, 1])
    expectEqual(scenario.reports.elements.map(\.outcome).first, .timedOut)
  }

  @Test(arguments: ExchangeKind.all)
  func refusedConnectionMovesToTheNextHost(kind: ExchangeKind) async throws {
    let closed = try LoopbackSocket.bound()
    let scenario = try Scenario(kind, [.json("{}")]) {
      $0.hosts?.insert(SearchHost("127.0.0.1", scheme: .http, port: closed.port), at: 0)
    }
    defer { scenario.stop() }
    for _ in 0..<3 { try await expectEqual(scenario.send().status, 200) }
    expectEqual(
      scenario.reports.elements.map(\.host),
      [
        "127.0.0.1:\(closed.port)", "127.0.0.1:\(scenario.servers[0].port)",
        "127.0.0.1:\(scenario.servers[0].port)", "127.0.0.1:\(scenario.servers[0].port)",
      ])
  }

  @Test(arguments: ExchangeKind.all)
  func unresolvableNameMovesToTheNextHost(kind: ExchangeKind) async throws {
    let scenario = try Scenario(kind, [.json("{}")]) {
      $0.hosts?.insert(SearchHost("no-such-host.invalid", scheme: .http), at: 0)
    }
    defer { scenario.stop() }
    try await expectEqual(scenario.send().status, 200)
    expectEqual(scenario.reports.elements.count, 2)
  }

  @Test(arguments: ExchangeKind.all)
  func callsStayOnTheFirstHealthyHost(kind: ExchangeKind) async throws {
    let scenario = try Scenario(kind, [.json("{}")], [.json("{}")])
    defer { scenario.stop() }
    for _ in 0..<2 { try await expectEqual(scenario.send().status, 200) }
    expectEqual(scenario.requestCounts, [2, 0])
  }

  @Test(arguments: ExchangeKind.all)
  func errorListsAttemptsWhenNoHostResponds(kind: ExchangeKind) async throws {
    let scenario = try Scenario(
      kind, [.answer(status: 500, headers: [("Correlation-ID", "c1")])],
      [.answer(status: 503, headers: [("Correlation-ID", "c2")])], [.hangUp])
    defer { scenario.stop() }
    let error = try await searchError(of: scenario.transport, sending: .sampleRead)
    expectEqual(error.code, .unreachable)
    expectEqual(error.attempts.map(\.outcome).prefix(2), ["status 500", "status 503"])
    expectEqual(error.attempts.count, 3)
    #expect(error.status == 503 && error.correlationID == "c2")
    #expect(error.isRetryable)
  }

  @Test(arguments: ExchangeKind.all)
  func errorShowsTheMessagesOfAllHosts(kind: ExchangeKind) async throws {
    let scenario = try Scenario(
      kind, [.json(#"{"message":"sekret is busy"}"#, status: 503)],
      [.json(#"{"message":"\#(String(repeating: "long ", count: 50))"}"#, status: 500)])
    defer { scenario.stop() }
    let error = try await searchError(of: scenario.transport, sending: .sampleRead)
    expectEqual(error.message, "Every host responded with an error; see attempts.")
    expectEqual(error.attempts.first?.outcome, "status 503: <redacted> is busy")
    expectEqual(error.attempts.last?.outcome.count, "status 500: ".count + 200)
  }

  @Test(arguments: ExchangeKind.all)
  func compressedResponseIsReadAfterARetry(kind: ExchangeKind) async throws {
    let scenario = try Scenario(kind, [.gzipped, .brokenGzip], [.gzipped])
    defer { scenario.stop() }
    for _ in 0..<2 {
      try await expectEqual(scenario.send().body, Array(LoopbackReply.gzippedText.utf8))
    }
    expectEqual(scenario.asked, [0, 0, 1])
    for server in scenario.servers {
      for request in server.received.elements {
        #expect(request.headers["accept-encoding"]?.contains("gzip") == true)
        #expect(request.headers["content-encoding"] == nil)
        expectEqual(request.body, TransportRequest.sampleRead.body)
      }
    }
  }

  @Test(arguments: ExchangeKind.all)
  func requestIDIsTheSameForAllAttemptsAndUniquePerCall(
    kind: ExchangeKind
  ) async throws {
    let scenario = try Scenario(kind, [.answer(status: 500)], [.hangUp], [.json("{}")])
    defer { scenario.stop() }
    for _ in 0..<2 { try await expectEqual(scenario.send().status, 200) }
    let sent = scenario.servers.map { $0.received.elements.map { $0.headers["request-id"] ?? "" } }
    expectEqual(sent.map(\.count), [1, 1, 2])
    expectEqual(Set(sent[0] + sent[1] + sent[2].prefix(1)).count, 1)
    #expect(sent[2][0] != sent[2][1])
    let alphabet = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    #expect(sent.joined().allSatisfy { $0.count == 11 && alphabet.isSuperset(of: $0) })
    expectEqual(scenario.reports.elements.map(\.requestID), sent[0] + sent[1] + sent[2])
  }

  @Test(arguments: ExchangeKind.all)
  func replacedKeyIsSentByLaterCalls(kind: ExchangeKind) async throws {
    let scenario = try Scenario(kind, [.json("{}")])
    defer { scenario.stop() }
    _ = try await scenario.send()
    scenario.transport.replaceAPIKey(with: "secret2")
    _ = try await scenario.send()
    let keys = scenario.servers[0].received.elements.map { $0.headers["x-algolia-api-key"] }
    expectEqual(keys, ["sekret", "secret2"])
  }

  @Test(arguments: ExchangeKind.all)
  func failedHostIsTriedAgainAfterFiveMinutes(kind: ExchangeKind) async throws {
    let scenario = try Scenario(kind, [.answer(status: 500), .json("{}")], [.json("{}")])
    defer { scenario.stop() }
    _ = try await scenario.send()
    scenario.clock.advance(by: .seconds(299))
    _ = try await scenario.send()
    expectEqual(scenario.asked, [0, 1, 1])
    scenario.clock.advance(by: .seconds(1))
    _ = try await scenario.send()
    _ = try await scenario.send()
    expectEqual(scenario.asked, [0, 1, 1, 0, 0])
  }

  @Test(arguments: ExchangeKind.all)
  func allHostsAreTriedAgainWhenAllHaveFailed(kind: ExchangeKind) async throws {
    let scenario = try Scenario(
      kind, [.hangUp, .answer(status: 500), .json("{}")], [.answer(status: 502)])
    defer { scenario.stop() }
    for _ in 0..<2 {
      let error = try await searchError(of: scenario.transport, sending: .sampleRead)
      expectEqual(error.code, .unreachable)
    }
    try await expectEqual(scenario.send().status, 200)
    try await expectEqual(scenario.send().status, 200)
    expectEqual(scenario.asked, [0, 1, 0, 1, 0, 0])
  }
}
