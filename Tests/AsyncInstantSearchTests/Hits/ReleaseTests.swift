import AsyncInstantSearch
import AsyncInstantSearchTesting
import Testing

/// What nobody holds any longer goes, though it has searched and was connected.
@Suite(.timeLimit(.minutes(5))) struct ReleaseTests {
  private struct Row: Codable, Sendable, Hashable {
    let title: String
  }

  private static let client = SearchClient(
    transport: ScriptedTransport(json: #"{"hits":[{"title":"a"}],"nbHits":1,"nbPages":1}"#))

  @Test func aSearcherGoesWithItsOwner() async {
    weak var searcher: HitsSearcher?
    do {
      let owned = HitsSearcher(client: Self.client, indexName: "films")
      searcher = owned
      var pages = owned.pages(of: Row.self).makeAsyncIterator()
      owned.setQuery("a")
      #expect(await pages.next()?.hits.count == 1)
    }
    while searcher != nil { await Task.yield() }
  }

  @Test func anInteractorAndItsSearcherGoWithTheirOwner() async {
    weak var searcher: HitsSearcher?
    weak var interactor: HitsInteractor<Row>?
    weak var filters: FilterState?
    do {
      let ownedSearcher = HitsSearcher(client: Self.client, indexName: "films")
      let ownedInteractor = HitsInteractor<Row>()
      let ownedFilters = FilterState()
      (searcher, interactor, filters) = (ownedSearcher, ownedInteractor, ownedFilters)
      ownedSearcher.connectFilterState(ownedFilters)
      ownedInteractor.connectSearcher(ownedSearcher)
      ownedSearcher.setQuery("a")
      for await snapshot in ownedInteractor.snapshots() where snapshot.numberOfHits == 1 { break }
    }
    while searcher != nil || interactor != nil || filters != nil { await Task.yield() }
  }
}
