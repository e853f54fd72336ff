import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Testing

@Suite struct TransportConformanceTests {
  private struct Word: Codable, Sendable {
    let text: String
  }

  private func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.save((0..<50).map { Word(text: "word \($0)") }, in: "words")
    return engine
  }

  @Test func theEmbeddedEngineKeepsEveryPromise() async throws {
    let findings = await TransportConformance(indexName: "words").findings(for: try await engine())
    #expect(findings == [])
  }

  @Test func aTransportThatIgnoresItsCallersIsFound() async throws {
    let engine = try await engine()
    let deaf = ScriptedTransport { request, _ in
      var request = request
      request.deadline = nil
      let alone = Task.detached { [request] in try await engine.send(request) }
      return try await alone.value
    }
    let findings = await TransportConformance(indexName: "words").findings(for: deaf)
    #expect(
      findings.map(\.promise) == [
        "a call whose task is cancelled ends with a cancellation",
        "a call whose deadline has passed ends with timedOut",
      ])
  }

  @Test func aTransportThatThrowsForStatusesIsFound() async throws {
    let engine = try await engine()
    let throwing = ScriptedTransport { request, _ in
      let response = try await engine.send(request)
      if response.status >= 400 { throw SearchError(.invalidRequest, "status \(response.status)") }
      return response
    }
    let findings = await TransportConformance(indexName: "words").findings(for: throwing)
    #expect(findings.count == 3)
  }
}
