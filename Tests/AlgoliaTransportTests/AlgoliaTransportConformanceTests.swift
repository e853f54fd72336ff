import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// The conformance suite of all transports, run on this one with the embedded engine as the server.
struct AlgoliaTransportConformanceTests {
  private let suite = TransportConformance(
    indexName: "my words", scratchIndexName: "a scratch")

  private func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.save((0..<50).map { ["text": "word \($0)"] }, in: "my words")
    return engine
  }

  /// A server: parses a call from the bytes of a request and responds to it.
  @concurrent
  private static func serve(
    _ request: HTTPExchangeRequest, from engine: LocalSearch
  ) async throws -> HTTPExchangeResponse {
    let path = request.url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
    let call = TransportRequest(
      method: request.method, pathComponents: path.compactMap { PercentEncoding.decode($0) },
      body: request.body, callType: .read)
    let response = try await engine.send(call)
    return HTTPExchangeResponse(
      status: response.status, headers: response.headers, body: response.body)
  }

  private func transport(_ exchange: @escaping HTTPExchange) -> AlgoliaTransport {
    AlgoliaTransport(
      appID: "APPID", apiKey: "sekret",
      configuration: AlgoliaTransport.Configuration(exchange: exchange, clock: ManualClock()))
  }

  @Test func everyConformanceCasePasses() async throws {
    let engine = try await engine()
    let transport = transport { try await Self.serve($0, from: engine) }
    await expectEqual(suite.findings(for: transport), [])
  }

  @Test(arguments: 0..<Thoroughness.count(5, thorough: 20))
  func inFlightCasesPassWhenTheExchangeIgnoresCancellation(_: Int) async throws {
    let engine = try await engine()
    let findings = await suite.findings(inFlight: { gate in
      transport { request in
        await gate.pass()
        let alone = Task.detached { try await Self.serve(request, from: engine) }
        return try await alone.value
      }
    })
    expectEqual(findings, [])
  }
}
