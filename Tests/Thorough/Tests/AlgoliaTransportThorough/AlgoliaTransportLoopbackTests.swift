@testable import InstantSearchAPI
@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Loopback
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The whole transport with the system's exchange, against servers on the loopback address.
@Suite(.timeLimit(.minutes(30))) struct AlgoliaTransportLoopbackTests {
  private func transport(
    _ hosts: [LoopbackServer], clock: any Clock<Duration> = ContinuousClock()
  ) -> AlgoliaTransport {
    AlgoliaTransport(
      appID: "APPID", apiKey: "sekret",
      configuration: AlgoliaTransport.Configuration(
        hosts: hosts.map { SearchHost("127.0.0.1", scheme: .http, port: $0.port) },
        connectTimeout: .seconds(3600), readTimeout: .seconds(3600), clock: clock))
  }

  @Test func theFirstHostAnswers() async throws {
    let server = try LoopbackServer { .answer(status: 200, body: $0.body) }
    defer { server.stop() }
    let response = try await transport([server]).send(.sampleRead)
    expectEqual(response.body, TransportRequest.sampleRead.body)
    let arrived = try #require(server.received.elements.first)
    expectEqual(arrived.target, "/1/indexes/films/query")
    expectEqual(arrived.headers["x-algolia-application-id"], "APPID")
    expectEqual(arrived.headers["x-algolia-api-key"], "sekret")
    expectEqual(arrived.headers["request-id"]?.count, 11)
  }

  @Test(arguments: [LoopbackServer.Reply.hangUp, .truncation, .answer(status: 500)])
  func theSecondHostAnswersWhenTheFirstFails(reply: LoopbackServer.Reply) async throws {
    let first = try LoopbackServer { _ in reply }
    defer { first.stop() }
    let second = try LoopbackServer { _ in .answer(status: 200) }
    defer { second.stop() }
    try await expectEqual(transport([first, second]).send(.sampleRead).status, 200)
    expectEqual(second.received.elements.count, 1)
  }

  @Test func redirectIsNotFollowed() async throws {
    let other = try LoopbackServer { _ in .answer(status: 200) }
    defer { other.stop() }
    let location = other.url
    let server = try LoopbackServer { _ in .answer(status: 307, headers: [("Location", location)]) }
    defer { server.stop() }
    let error = try await searchError(of: transport([server]), sending: .sampleRead)
    expectEqual(error.code, .unreachable)
    expectEqual(error.attempts.map(\.outcome), ["status 307"])
    #expect(other.received.elements.isEmpty)
  }

  @Test func silentHostIsLeftWhenItTimesOut() async throws {
    let clock = ManualClock()
    let silent = try LoopbackServer { _ in .silence }
    defer { silent.stop() }
    let second = try LoopbackServer { _ in .answer(status: 200) }
    defer { second.stop() }
    let transport = transport([silent, second], clock: clock)
    async let response = transport.send(.sampleRead)
    await silent.received.reach(1)
    clock.advance(by: .seconds(3600))
    try await expectEqual(response.status, 200)
  }

  @Test func cancellationDoesNotWaitForASilentHost() async throws {
    let silent = try LoopbackServer { _ in .silence }
    defer { silent.stop() }
    let transport = transport([silent])
    let call = Task { try await transport.send(.sampleRead) }
    await silent.received.reach(1)
    call.cancel()
    #expect(await call.result.failure is CancellationError)
  }
}
