import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Testing

/// What the transports of this module make of the snapshots of those that they wrap.
@Suite(.timeLimit(.minutes(5))) struct SnapshotForwardingTests {
  private struct Word: Codable, Sendable {
    let objectID: String
  }

  private func engine() async throws -> LocalSearch {
    try await LocalSearch(
      indexName: "words", records: (0..<4).map { Word(objectID: "\($0)") })
  }

  private func page(_ number: Int) -> TransportRequest {
    TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "words", "query"],
      body: Array(#"{"hitsPerPage":1,"page":\#(number)}"#.utf8), callType: .read)
  }

  @Test func aScriptThatForwardsPassesTheSnapshotOnAndSeesItsCalls() async throws {
    let engine = try await engine()
    let expected = try await engine.send(page(2))
    let transport = ScriptedTransport { request, number in
      #expect(number == 0, "calls to the snapshot are not the script's")
      return try await engine.send(request)
    }
    let first = try await transport.send(page(0))
    try await engine.clear("words")
    let second = try await #require(first.snapshot).send(page(1))
    let third = try await #require(second.snapshot).send(page(2))
    #expect(third == expected)
    #expect(transport.requests == [page(0), page(1), page(2)])
  }

  @Test func faultsHappenToCallsOfASnapshotToo() async throws {
    let engine = try await engine()
    let expected = try await engine.send(page(3))
    let transport = FaultyTransport(wrapping: engine) { request, number in
      number == 2 ? .status(503) : number == 3 ? .delay(.zero) : nil
    }
    let first = try await transport.send(page(0))
    try await engine.clear("words")
    let second = try await #require(first.snapshot).send(page(1))
    let snapshot = try #require(second.snapshot)
    let failed = try await snapshot.send(page(3))
    #expect(failed.status == 503 && failed.snapshot == nil)
    let delayed = try await snapshot.send(page(3))
    #expect(delayed == expected)
    let last = try #require(delayed.snapshot)
    #expect(try await last.send(page(3)) == expected)
  }

  @Test func answersWithoutASnapshotGetNone() async throws {
    let transport = ScriptedTransport(json: "{}")
    #expect(try await transport.send(page(0)).snapshot == nil)
    let faulty = FaultyTransport(wrapping: transport) { _, _ in nil }
    #expect(try await faulty.send(page(0)).snapshot == nil)
  }
}
