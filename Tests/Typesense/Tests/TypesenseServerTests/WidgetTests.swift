import AsyncInstantSearch
import Foundation
import InstantSearchService
import LocalSearch
import Testing
import TypesenseTransport

/// Widgets, searchers, lists and a service over a server, beside the embedded engine.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct WidgetTests {
  private static let filled = Task { try await fill() }

  private static func fill() async throws -> [any SearchTransport] {
    let server = TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: Server.key)
    let engine = LocalSearch()
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Snippets/Data/films.json").standardized
    let films = try JSON(parsing: Array(Data(contentsOf: file))).arrayValue ?? []
    for transport in [server, engine] as [any SearchTransport] {
      let client = SearchClient(transport: transport)
      try await client.setSettings(
        IndexSettings(
          searchableAttributes: ["title", "plot"],
          attributesForFaceting: ["searchable(genres)", "year"],
          customRanking: ["desc(year)"]), of: "films")
      try await client.save(films, in: "films")
    }
    return [server, engine]
  }

  private struct Page: Sendable {
    let box = SearchBox()
    let genres = FacetList(attribute: "genres", limit: 5)
    let years = NumberRange(attribute: "year")
    let pagination = Pagination(padding: 2)
    let selected = CurrentFilters()
    let screen: SearchScreen

    init() throws {
      // Words with typos are found by other rules there: see the article.
      let size = Configure(
        SearchQuery().with {
          $0.hitsPerPage = 7
          $0.typoTolerance = .enabled(false)
        })
      screen = try SearchScreen(
        indexName: "films", widgets: [box, genres, years, pagination, selected, size],
        routing: .singleIndex("films"))
    }
  }

  @Test(
    "A page with widgets is the same",
    arguments: [
      "", "query=war", "query=war&page=2", "refinementList[genres][0]=Drama",
      "refinementList[genres][0]=Drama&refinementList[genres][1]=Comedy&query=love",
      "range[year]=1950:1990", "query=war&range[year]=:1980&refinementList[genres][0]=War",
    ])
  func widgets(query: String) async throws {
    let transports = try await Self.filled.value
    let page = try Page()
    var shown: [[String]] = []
    for transport in transports {
      let (state, problems) = page.screen.read(query: query)
      #expect(problems.isEmpty)
      let results = try await SearchClient(transport: transport).search(page.screen, in: state)
      let hits = results.page(of: Hit<JSON>.self)
      shown.append([
        "\(results.view(of: page.box))", "\(results.view(of: page.genres))",
        "\(results.view(of: page.years))", "\(results.view(of: page.pagination))",
        "\(results.view(of: page.selected))", "\(hits.nbHits) \(hits.hits.count)",
      ])
    }
    expectEqual(shown[0], shown[1])
  }

  @Test("A searcher fills a list as the user types and scrolls")
  func searcher() async throws {
    for transport in try await Self.filled.value {
      let client = SearchClient(transport: transport)
      let searcher = HitsSearcher(client: client, indexName: "films")
      let hits = HitsInteractor<Hit<JSON>>(infiniteScrolling: .on(withOffset: 5))
      hits.connectSearcher(searcher)
      for text in ["w", "wa", "war"] { searcher.setQuery(text) }
      let found = try await searcher.search().page(of: Hit<JSON>.self).nbHits
      #expect(found > 10)
      var count = 0
      for try await _ in client.hits("films", SearchQuery("war"), of: Hit<JSON>.self) { count += 1 }
      expectEqual(count, found)
    }
  }

  @Test("A service answers over the cluster")
  func service() async throws {
    let transports = try await Self.filled.value
    var bodies: [JSON] = []
    for transport in transports {
      let service = SearchService(
        transport: transport, keys: try ServiceKeys(adminKey: "an-admin-key"),
        configuration: SearchService.Configuration(now: { 0 }))
      let response = await service.respond(
        to: ServiceRequest(
          method: "POST", target: "/1/indexes/films/query",
          headers: [HTTPHeader(name: "x-algolia-api-key", value: "an-admin-key")],
          body: Array(#"{"query":"metropolis","facets":["genres"]}"#.utf8)))
      expectEqual(response.status, 200)
      bodies.append(Session.comparable(TransportResponse(status: 200, body: response.bytes)))
    }
    expectEqual(bodies[0], bodies[1])
  }
}
