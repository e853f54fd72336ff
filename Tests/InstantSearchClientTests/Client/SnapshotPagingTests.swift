import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// The pages of one sequence while records are written.
struct SnapshotPagingTests {
  private struct Numbered: Codable, Sendable, Hashable {
    let objectID: String
    let number: Int
  }

  private func engine(_ count: Int = 10) async throws -> LocalSearch {
    try await LocalSearch(
      indexName: "numbers",
      records: (0..<count).map { Numbered(objectID: "\($0)", number: $0) },
      settings: IndexSettings { $0.customRanking = ["asc(number)"] })
  }

  /// Inserts a record before all others and removes one of the first: by page number, the next page
  /// would repeat a hit, and after two such writes a page would miss some.
  private func write(_ engine: LocalSearch, _ number: Int) async throws {
    try await engine.delete(objectIDs: ["\(2 * number)", "\(2 * number + 1)"], from: "numbers")
    try await engine.save(
      [Numbered(objectID: "new \(number)", number: -number - 1)], in: "numbers")
  }

  private let threePerPage = SearchQuery().setting(\.hitsPerPage, to: 3)

  @Test func pagesOfASequenceReadOneSnapshot() async throws {
    let engine = try await engine()
    let client = SearchClient(transport: engine)
    var found: [Int] = []
    var counts: Set<Int> = []
    for try await page in client.pages("numbers", threePerPage, of: Numbered.self) {
      found += page.hits.map(\.number)
      counts.insert(page.nbHits)
      try await write(engine, page.page)
    }
    expectEqual(found, Array(0..<10))
    expectEqual(counts, [10])
    let next = try await client.search("numbers", of: Numbered.self)
    expectEqual(next.hits.map(\.number), [-4, -3, -2, -1, 8, 9], "the next search sees the writes")
  }

  @Test func eachLoopOverHitsReadsOneSnapshot() async throws {
    let engine = try await engine()
    let hits = SearchClient(transport: engine).hits("numbers", threePerPage, of: Numbered.self)
    var found: [Int] = []
    for try await hit in hits {
      found.append(hit.number)
      if hit.number == 4 { try await engine.deleteIndex("numbers") }
    }
    expectEqual(found, Array(0..<10))
    try await engine.save([Numbered(objectID: "a", number: 7)], in: "numbers")
    found = []
    for try await hit in hits { found.append(hit.number) }
    expectEqual(found, [7])
  }

  @Test func failedPageIsRequestedAgainFromTheSameSnapshot() async throws {
    let engine = try await engine()
    let transport = FaultyTransport(wrapping: engine) { _, number in
      number == 1
        ? .status(503, "down")
        : number == 3
          ? .body(Array(#"{"hits":[{"objectID":"a","number":77}],"nbPages":4}"#.utf8)) : nil
    }
    var pages = SearchClient(transport: transport)
      .pages("numbers", threePerPage, of: Numbered.self).makeAsyncIterator()
    try await expectEqual(pages.next()?.hits.map(\.number), [0, 1, 2])
    try await write(engine, 0)
    await #expect(throws: SearchError.self) { try await pages.next() }
    try await expectEqual(pages.next()?.hits.map(\.number), [3, 4, 5])
    // A response without a snapshot in between does not end it.
    try await expectEqual(pages.next()?.hits.map(\.number), [77])
    try await expectEqual(pages.next()?.hits.map(\.number), [9])
    #expect(try await pages.next() == nil)
  }

  @Test func withoutSnapshotEachPageReadsCurrentData() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, _ in
      var response = try await engine.send(request)
      response.snapshot = nil
      return response
    }
    var found: [[Int]] = []
    let pages = SearchClient(transport: transport)
      .pages("numbers", threePerPage, of: Numbered.self)
    for try await page in pages {
      found.append(page.hits.map(\.number))
      if page.page == 0 { try await write(engine, 0) }
    }
    expectEqual(found, [[0, 1, 2], [4, 5, 6], [7, 8, 9]])
    expectEqual(transport.requests.count, 3)
  }

  /// Reports how long it is retained.
  private final class Snapshot: Sendable {
    private let end: AsyncStream<Void>.Continuation?
    init(end: AsyncStream<Void>.Continuation? = nil) { self.end = end }
    deinit { end?.finish() }
  }

  @Test func iteratorReleasesItsSnapshotAfterTheLastPage() async throws {
    let (released, end) = AsyncStream.makeStream(of: Void.self)
    var snapshot: Snapshot? = Snapshot(end: end)
    weak let kept = snapshot
    let body = Array(#"{"hits":[{}],"nbPages":3,"nbHits":3,"hitsPerPage":1}"#.utf8)
    let first = Lock<TransportResponse?>(
      TransportResponse(status: 200, body: body, snapshot: snapshot))
    snapshot = nil
    let isPinned = Lock<[Bool]>([])
    // Stores no requests, unlike a scripted transport.
    let transport = ClosureTransport { request in
      isPinned.withLock { $0.append(request.snapshot is Snapshot) }
      let response = first.withLock { response in
        defer { response = nil }
        return response
      }
      return response ?? TransportResponse(status: 200, body: body)
    }
    var pages = SearchClient(transport: transport).pages("i", of: JSON.self).makeAsyncIterator()
    let page = try await pages.next()
    #expect(kept != nil)
    _ = try await pages.next()
    #expect(kept != nil)
    _ = try await pages.next()
    // The task that sent the last request ends soon.
    for await _ in released {}
    #expect(kept == nil)
    expectEqual(isPinned.withLock { $0 }, [false, true, true])
    expectEqual(page?.hits.count, 1)
    #expect(try await pages.next() == nil)
  }

  private struct ClosureTransport: SearchTransport {
    let answer: @concurrent @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      try await answer(request)
    }
  }

  @Test func responsesAreComparedWithoutSnapshots() {
    let plain = TransportResponse(status: 200, body: [1])
    let pinned = TransportResponse(status: 200, body: [1], snapshot: Snapshot())
    expectEqual(plain, pinned)
    expectEqual(Set([plain, pinned]).count, 1)
    let request = TransportRequest(method: .get, pathComponents: ["1"], callType: .read)
    var pinnedRequest = request
    pinnedRequest.snapshot = Snapshot()
    expectEqual(request, pinnedRequest)
    for other in [
      TransportResponse(status: 201, body: [1]), TransportResponse(status: 200, body: [2]),
      TransportResponse(status: 200, headers: [HTTPHeader(name: "a", value: "b")], body: [1]),
    ] {
      #expect(plain != other)
    }
  }
}
