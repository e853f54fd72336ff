import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Thousands of records of the embedded engine, row by row.
struct InfiniteScrollTests {
  private struct Numbered: Codable, Sendable, Hashable {
    let objectID: String
    let number: Int
  }

  @Test func everyRowIsRightForwardAndBack() async throws {
    let count = Thoroughness.count(2_000, thorough: 10_000)
    let pageCount = count / 100
    var settings = IndexSettings(searchableAttributes: ["number"], customRanking: ["asc(number)"])
    settings.paginationLimitedTo = count
    let engine = try await LocalSearch(
      indexName: "numbers",
      records: (0..<count).map { Numbered(objectID: "id-\($0)", number: $0) }, settings: settings)
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "numbers",
      query: SearchQuery().setting(\.hitsPerPage, to: 100))
    let interactor = HitsInteractor<Hit<Numbered>>()
    interactor.connectSearcher(searcher)
    searcher.submit()
    _ = await interactor.state { $0.generation == 1 }

    var seen: [Int] = []
    var ranks: [Int?] = []
    var rowCounts: Set<Int> = []
    var mostLoaded = 0
    func visit(_ row: Int) async throws {
      var hit = interactor.hit(atIndex: row)
      if hit == nil { hit = await interactor.state { $0.hits[row] != nil }?.hits[row] ?? nil }
      let found = try #require(hit)
      seen.append(found.number)
      ranks.append(found.searchMetadata.position)
      guard row.isMultiple(of: 50) else { return }
      rowCounts.insert(interactor.numberOfHits())
      mostLoaded = max(mostLoaded, interactor.currentHits.count)
    }

    for row in 0..<count { try await visit(row) }
    expectEqual(seen, Array(0..<count))
    expectEqual(ranks, Array(1...count))
    expectEqual(pages(asked: transport), Array(0..<pageCount), "one request per page")

    seen = []
    for row in (0..<count).reversed() { try await visit(row) }
    expectEqual(seen, (0..<count).reversed())
    // The last pages are still loaded on the way back. Each of the others is requested once more.
    let back = pages(asked: transport).dropFirst(pageCount)
    expectEqual(Array(back), (0..<pageCount - 4).reversed())
    expectEqual(rowCounts, [count])
    #expect(mostLoaded <= 800)
  }
}
