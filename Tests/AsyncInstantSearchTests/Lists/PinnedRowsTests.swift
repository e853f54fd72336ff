import InstantSearchAPI
import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Rows of the embedded engine while records are written.
@Suite struct PinnedRowsTests {
  private struct Numbered: Codable, Sendable, Hashable {
    let objectID: String
    let number: Int
    let colour: String
  }

  private static let count = 200

  private func engine() async throws -> LocalSearch {
    try await LocalSearch(
      indexName: "numbers",
      records: (0..<Self.count).map(record),
      settings: IndexSettings {
        $0.customRanking = ["asc(number)"]
        $0.attributesForFaceting = ["colour"]
      })
  }

  private func record(_ number: Int) -> Numbered {
    Numbered(
      objectID: "\(number)", number: number, colour: number.isMultiple(of: 2) ? "red" : "blue")
  }

  private func searcher(_ transport: some SearchTransport) -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "numbers",
      query: SearchQuery().with {
        $0.hitsPerPage = 10
        $0.facets = ["colour"]
      }, options: .init(clock: ManualClock()))
  }

  /// The record of a row, once its page is loaded.
  private func row(_ row: Int, of interactor: HitsInteractor<Numbered>) async throws -> Int {
    var hit = interactor.hit(atIndex: row)
    if hit == nil { hit = await interactor.state { $0.hits[row] != nil }?.hits[row] ?? nil }
    return try #require(hit).number
  }

  /// The list of a new search.
  private func list(of searcher: HitsSearcher) async throws -> HitsInteractor<Numbered> {
    let interactor = HitsInteractor<Numbered>()
    interactor.connectSearcher(searcher)
    try await searcher.search()
    _ = try #require(await interactor.state { $0.numberOfHits > 0 && !$0.isLoading })
    return interactor
  }

  @Test(arguments: Seed.all(8))
  func scrollingDuringWritesShowsEveryRowOnce(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let engine = try await engine()
    let searcher = searcher(engine)
    let interactor = try await list(of: searcher)
    var seen: [Int] = []
    var rowCounts: Set<Int> = []
    for row in 0..<Self.count {
      seen.append(try await self.row(row, of: interactor))
      rowCounts.insert(interactor.numberOfHits())
      let number = Int.random(in: -50..<Self.count, using: &random)
      if Bool.random(using: &random) {
        try await engine.save([record(number)], in: "numbers")
      } else {
        try await engine.delete(objectIDs: ["\(number)"], from: "numbers")
      }
    }
    expectEqual(seen, Array(0..<Self.count))
    expectEqual(rowCounts, [Self.count])
    // Pages that were dropped on the way back are equal when loaded again.
    for row in (0..<Self.count).reversed() where row.isMultiple(of: 10) {
      try await expectEqual(self.row(row, of: interactor), row)
    }
    let answer = try await searcher.search()
    let found = await answer.page(of: Numbered.self)
    expectEqual(found.nbHits, engine.recordCount(of: "numbers"))
    #expect(found.nbHits != Self.count, "the next search sees the writes")
  }

  @Test func settingsAndIndexDeletionDoNotAffectTheList() async throws {
    let engine = try await engine()
    let searcher = searcher(engine)
    let interactor = try await list(of: searcher)
    try await engine.setSettings(
      IndexSettings {
        $0.customRanking = ["desc(number)"]
        $0.paginationLimitedTo = 20
      }, of: "numbers")
    try await expectEqual(row(15, of: interactor), 15)
    try await engine.deleteIndex("numbers")
    #expect(try await interactor.loadNext())
    try await expectEqual(row(35, of: interactor), 35)
    expectEqual(interactor.numberOfHits(), Self.count)
    let error = await #expect(throws: SearchError.self) { try await searcher.search() }
    expectEqual(error?.code, .indexNotFound)
  }

  /// A search with separate counts is a call with several queries.
  @Test func listWithFacetCountsReadsOneSnapshot() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let filters = FilterState()
    filters.update { $0[or: "colour"].add("colour" == "red") }
    let searcher = searcher(transport)
    searcher.connectFilterState(filters)
    let answer = try await searcher.search()
    expectEqual(transport.requests.last?.path, "/1/indexes/*/queries")
    let counts = await answer.page(of: Numbered.self).facets["colour"]?.values.map(\.count)
    expectEqual(counts, [100, 100])
    try await engine.save([record(-1), record(-2)], in: "numbers")
    let second = try await searcher.page(1, of: answer).page(of: Numbered.self)
    expectEqual(second.hits.map(\.number), (10..<20).map { 2 * $0 })
    // A page requested from another page belongs to the same list.
    try await engine.clear("numbers")
    let third = try await searcher.page(2, of: searcher.page(1, of: answer))
    await expectEqual(third.page(of: Numbered.self).hits.map(\.number), (20..<30).map { 2 * $0 })
  }

  @Test func listsOfSeveralIndicesReadOneSnapshotEach() async throws {
    let engine = try await engine()
    try await engine.save((0..<30).map(record), in: "others")
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: engine), indexNames: ["numbers", "others"],
      query: SearchQuery().setting(\.hitsPerPage, to: 10), options: .init(clock: ManualClock()))
    let response = try await searcher.search()
    try await engine.deleteIndex("others")
    try await engine.clear("numbers")
    for position in 0..<2 {
      let page = try await searcher.page(2, of: response.response(at: position))
      let numbers = await page.page(of: Numbered.self).hits.map(\.number)
      expectEqual(Set(numbers).count, 10, "position \(position)")
    }
  }

  /// Reports when it is released.
  private final class Snapshot: Sendable {
    let end: AsyncStream<Void>.Continuation
    init(end: AsyncStream<Void>.Continuation) { self.end = end }
    deinit { end.finish() }
  }

  /// Responds from the snapshot of a call, or else from the current one. Stores no calls.
  private final class Snapshots: SearchTransport {
    let current: Lock<Snapshot>
    init(_ snapshot: Snapshot) { current = Lock(snapshot) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      var response = try rows(request)
      response.snapshot = request.snapshot ?? current.withLock { $0 }
      return response
    }
  }

  @Test func newSearchReleasesThePreviousSnapshot() async throws {
    let (released, end) = AsyncStream.makeStream(of: Void.self)
    let (laterReleased, laterEnd) = AsyncStream.makeStream(of: Void.self)
    let transport = Snapshots(Snapshot(end: end))
    weak let previous = transport.current.withLock { $0 }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    searcher.submit()
    _ = await interactor.state { $0.generation == 1 }
    transport.current.withLock { $0 = Snapshot(end: laterEnd) }
    #expect(previous != nil)
    #expect(try await interactor.loadNext())
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 2 }
    for await _ in released {}
    #expect(previous == nil)
    withExtendedLifetime((searcher, interactor, laterReleased)) {}
  }
}
