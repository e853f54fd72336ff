import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Released objects are deallocated, even after they have searched and were connected.
@Suite struct DeallocationTests {
  private struct Row: Codable, Sendable, Hashable {
    let title: String
  }

  private static let client = SearchClient(
    transport: ScriptedTransport(json: #"{"hits":[{"title":"a"}],"nbHits":1,"nbPages":1}"#))

  @Test func searcherIsDeallocatedWithItsOwner() {
    let executor = SeededExecutor(seed: 1)
    weak var searcher: HitsSearcher?
    do {
      let owned = HitsSearcher(
        client: Self.client, indexName: "films",
        options: .init(clock: ManualClock(), executor: executor))
      searcher = owned
      let pages = owned.pages(of: Row.self)
      let count = Lock<Int?>(nil)
      Task(executorPreference: executor) {
        for await page in pages {
          count.withLock { $0 = page.hits.count }
          break
        }
      }
      owned.setQuery("a")
      executor.runUntilIdle()
      expectEqual(count.withLock { $0 }, 1)
    }
    executor.runUntilIdle()
    #expect(searcher == nil)
  }

  @Test func interactorAndSearcherAreDeallocatedWithTheirOwner() {
    let executor = SeededExecutor(seed: 1)
    weak var searcher: HitsSearcher?
    weak var interactor: HitsInteractor<Row>?
    weak var filters: FilterState?
    do {
      let ownedSearcher = HitsSearcher(
        client: Self.client, indexName: "films",
        options: .init(clock: ManualClock(), executor: executor))
      let ownedInteractor = HitsInteractor<Row>(executor: executor)
      let ownedFilters = FilterState()
      (searcher, interactor, filters) = (ownedSearcher, ownedInteractor, ownedFilters)
      ownedSearcher.connectFilterState(ownedFilters)
      ownedInteractor.connectSearcher(ownedSearcher)
      ownedSearcher.setQuery("a")
      executor.runUntilIdle()
      expectEqual(ownedInteractor.currentHits.count, 1)
    }
    executor.runUntilIdle()
    #expect(searcher == nil && interactor == nil && filters == nil)
  }
}
