import AsyncInstantSearchTesting
import InstantSearchClient
import LocalSearch
import Testing
import TypesenseTransport

@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct SessionTests {
  @Test("Calls of every kind have the answers of the engine")
  func session() async throws {
    let server = try Server.single.get()
    let transport = TypesenseTransport(
      nodes: server.nodes, apiKey: Server.key,
      configuration: TypesenseTransport.Configuration(directory: "session"))
    let engine = LocalSearch()
    for (number, step) in Session.steps.enumerated() {
      let one = try await transport.send(step.request)
      let other = try await engine.send(step.request)
      guard step.isEqual else {
        #expect(one.status < 500)
        print(
          number, step.name, step.body?.text ?? "", one.status,
          String(decoding: one.body.prefix(300), as: UTF8.self))
        continue
      }
      #expect(one.status == other.status, "\(number) \(step.name) \(step.body?.text ?? "")")
      let (first, second) = (Session.comparable(one), Session.comparable(other))
      #expect(first == second, "\(number) \(step.name) \(step.body?.text ?? "")")
    }
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
  }
}
