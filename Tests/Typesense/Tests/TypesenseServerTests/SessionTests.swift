import AsyncInstantSearchTesting
import Foundation
import InstantSearchClient
import LocalSearch
import Synchronization
import Testing
import TypesenseTransport

@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct SessionTests {
  @Test(
    "Calls of every kind have the answers of the engine",
    arguments: Session.Recorded.allCases)
  func session(recorded: Session.Recorded) async throws {
    let server = try Server.single.get()
    let transport = TypesenseTransport(
      nodes: server.nodes, apiKey: Server.key,
      configuration: TypesenseTransport.Configuration(
        propagation: .zero, directory: "session", exchange: LaterServer.exchange(recorded)))
    let engine = LocalSearch()
    for (number, step) in recorded.steps.enumerated() {
      let one = try await transport.send(step.request)
      let other = try await engine.send(step.request)
      guard step.isEqual else {
        #expect(one.status < 500, "\(number) \(step.name)")
        continue
      }
      expectEqual(one.status, other.status, "\(number) \(step.name) \(step.body?.text ?? "")")
      let (first, second) = (Session.comparable(one), Session.comparable(other))
      expectEqual(first, second, "\(number) \(step.name) \(step.body?.text ?? "")")
    }
  }

  /// Records the session for the plain tests, which replay it without a server.
  ///
  ///     TYPESENSE_RECORD=1 swift test --package-path Tests/Typesense --filter recording
  @Test(
    "The session is recorded",
    .enabled(if: ProcessInfo.processInfo.environment["TYPESENSE_RECORD"] != nil),
    arguments: Session.Recorded.allCases)
  func recording(recorded: Session.Recorded) async throws {
    let server = try Server()
    let exchanges = Mutex<[Exchanged]>([])
    let step = Mutex(0)
    let exchange = LaterServer.exchange(recorded)
    let transport = TypesenseTransport(
      nodes: server.nodes, apiKey: Server.key,
      configuration: TypesenseTransport.Configuration(
        propagation: .zero, directory: "session",
        exchange: { request in
          let response = try await exchange(request)
          exchanges.withLock {
            $0.append(
              Exchanged(
                step: step.withLock { $0 }, method: request.method.rawValue,
                target: Recording.target(of: request.url),
                request: String(decoding: request.body, as: UTF8.self), status: response.status,
                response: String(decoding: response.body, as: UTF8.self)))
          }
          return response
        }))
    for (number, call) in recorded.steps.enumerated() {
      step.withLock { $0 = number }
      _ = try await transport.send(call.request)
    }
    try Recording.write(exchanges.withLock { $0 }, recorded.rawValue)
  }

  @Test("The transport meets the requirements on every transport")
  func conformance() async throws {
    let server = try Server.single.get()
    let transport = TypesenseTransport(nodes: server.nodes, apiKey: Server.key)
    let client = SearchClient(transport: transport)
    _ = try await client.save([["objectID": "1", "title": "one"]] as [JSON], in: "words")
    let suite = TransportConformance(indexName: "words", scratchIndexName: "scratch")
    let findings = await suite.findings(for: transport)
    #expect(findings.isEmpty, "\(findings)")
    let inFlight = await suite.findings(inFlight: { gate in
      TypesenseTransport(
        nodes: server.nodes, apiKey: Server.key,
        configuration: TypesenseTransport.Configuration(
          exchange: { request in
            await gate.pass()
            return try await SystemExchange.send(request)
          }))
    })
    #expect(inFlight.isEmpty, "\(inFlight)")
  }
}
