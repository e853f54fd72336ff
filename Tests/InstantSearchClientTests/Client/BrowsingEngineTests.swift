import InstantSearchClient
import LocalSearch
import TestSupport
import Testing

/// Browsing the embedded engine with a client.
@Suite struct BrowsingEngineTests {
  private static let index = "items"

  private func engine(_ count: Int) async throws -> LocalSearch {
    try await LocalSearch(
      indexName: Self.index,
      records: (0..<count).map { ["objectID": .string("\($0)"), "rank": .int(Int64($0))] as JSON },
      settings: IndexSettings(customRanking: ["desc(rank)"]))
  }

  @Test func allRecordsAreBrowsed() async throws {
    let client = SearchClient(transport: try await engine(2500))
    var ids: Set<String> = []
    for try await record in client.browse(Self.index, of: JSON.self) {
      ids.insert(record["objectID"]?.stringValue ?? "")
    }
    expectEqual(ids.count, 2500)
  }

  @Test func snapshotIsBrowsedToTheEnd() async throws {
    let engine = try await engine(30)
    let search = TransportRequest(.search(index: Self.index), body: Array("{}".utf8))
    let snapshot = try #require(try await engine.send(search).snapshot)
    try await engine.clear(Self.index)
    let client = SearchClient(transport: Pinned(engine: engine, snapshot: snapshot))
    var found: [Int?] = []
    let query = SearchQuery().setting(\.hitsPerPage, to: 7)
    for try await record in client.browse(Self.index, query, of: JSON.self) {
      found.append(record["rank"]?.intValue)
    }
    expectEqual(found, (0..<30).reversed())
  }

  @Test(arguments: ["", "*"])
  func invalidIndexNameIsRejected(name: String) async throws {
    let client = SearchClient(transport: try await engine(1))
    let error = await #expect(throws: SearchError.self) {
      for try await _ in client.browse(name, of: JSON.self) {}
    }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(error?.message, "Invalid index name \"\(name)\"")
  }
}

/// The engine as it was when a response was made.
private struct Pinned: SearchTransport {
  let engine: LocalSearch
  let snapshot: any Sendable

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    request.snapshot = snapshot
    return try await engine.send(request)
  }
}
