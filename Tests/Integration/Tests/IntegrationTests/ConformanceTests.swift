import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import SearchService
import Synchronization
import Testing

/// The conformance suite of all transports, over AsyncHTTPClient and a real server with the engine.
@Suite(.timeLimit(.minutes(30))) struct ConformanceTests {
  private let suite = TransportConformance(indexName: "films")

  @Test func everyConformanceCasePasses() async throws {
    let engine = try await LocalSearch.films()
    try await withHTTPClient { client in
      try await withServer(EngineServer(engine, adminKey: "sekret").run) { port in
        let transport = AlgoliaTransport.overHTTPClient(client, ports: [port])
        #expect(await suite.findings(for: transport) == [])
      }
    }
  }

  @Test func inFlightConformanceCasesPass() async throws {
    let engine = try await LocalSearch.films()
    let gates = Gates()
    let held = HeldTransport(base: engine, gates: gates)
    try await withHTTPClient { client in
      try await withServer(EngineServer(held, adminKey: "sekret").run) { port in
        let findings = await suite.findings(inFlight: { gate in
          gates.current.withLock { $0 = gate }
          return AlgoliaTransport.overHTTPClient(client, ports: [port])
        })
        #expect(findings == [])
      }
    }
  }
}

/// The gate at which the back end currently waits.
private final class Gates: Sendable {
  let current = Mutex<CallGate?>(nil)
}

/// A transport whose calls wait at a gate.
private struct HeldTransport: SearchTransport {
  let base: LocalSearch
  let gates: Gates

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    await gates.current.withLock { $0 }?.pass()
    return try await base.send(request)
  }
}
