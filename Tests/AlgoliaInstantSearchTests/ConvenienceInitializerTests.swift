import AlgoliaInstantSearch
import TestSupport
import Testing

/// The convenience initializers that take an application ID. Creating objects sends nothing.
@MainActor struct ConvenienceInitializerTests {
  private struct Film: Codable { let title: String }

  private final class Table: HitsController {
    weak var hitsSource: HitsInteractor<Film>?
    func reload() {}
  }

  private final class Sections: MultiIndexHitsController {
    weak var hitsSource: (any MultiIndexHitsSource)?
    func reload() {}
  }

  @Test func searchersAndConnectorsOfOneApplication() {
    // snippet.client
    let client = SearchClient(appID: "YourApplicationID", apiKey: "YourSearchOnlyAPIKey")
    // snippet.end
    #expect("\(client)".contains("YourSearchOnlyAPIKey") == false)
    // snippet.shortsearcher
    let searcher = HitsSearcher(
      appID: "YourApplicationID", apiKey: "YourSearchOnlyAPIKey", indexName: "YourIndexName")
    // snippet.end
    expectEqual(searcher.request.indexName, "YourIndexName")
    // snippet.shortmulti
    let multiIndexSearcher = MultiIndexSearcher(
      appID: "YourApplicationID", apiKey: "YourSearchOnlyAPIKey",
      indexNames: ["actors", "movies"])
    // snippet.end
    expectEqual(multiIndexSearcher.request.map(\.indexName), ["actors", "movies"])
    let multiSearcher = MultiSearcher(appID: "app", apiKey: "key")
    multiSearcher.addSearcher(searcher)

    let filters = FilterState()
    let table = Table()
    let connector = HitsConnector<Film>(
      appID: "app", apiKey: "key", indexName: "films", infiniteScrolling: .off,
      showItemsOnEmptyQuery: false, filterState: filters, controller: table)
    #expect(table.hitsSource === connector.interactor)
    #expect(connector.filterState === filters)
    let plain = HitsConnector<Film>(appID: "app", apiKey: "key", indexName: "films")
    expectEqual(plain.searcher.request.indexName, "films")

    let modules = [IndexModule(indexName: "films", hitsInteractor: HitsInteractor<Film>())]
    let sections = Sections()
    let multi = MultiIndexHitsConnector(
      appID: "app", apiKey: "key", indexModules: modules, controller: sections)
    #expect(sections.hitsSource === multi.interactor)
    let other = MultiIndexHitsConnector(appID: "app", apiKey: "key", indexModules: modules)
    expectEqual(other.searcher.request.map(\.indexName), ["films"])
  }
}
