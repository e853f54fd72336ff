import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct MultiIndexHitsConnectorTests {
  private struct Movie: Codable, Sendable { let title: String }

  /// Records its calls and reads its source as a table does.
  private final class Table: MultiIndexHitsController {
    weak var hitsSource: (any MultiIndexHitsSource)?
    let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream() }

    func reload() {
      guard let hitsSource else { return }
      let suggestion: Hit<QuerySuggestion>? = try? hitsSource.hit(atIndex: 0, inSection: 0)
      let movie: Movie? = try? hitsSource.hit(atIndex: 0, inSection: 1)
      let counts = (0..<hitsSource.numberOfSections()).map(hitsSource.numberOfHits(inSection:))
      let texts = [suggestion?.highlighted.raw, movie?.title].map { $0 ?? "-" }
      continuation.yield("\(counts) \(texts)")
    }

    func scrollToTop() { continuation.yield("scroll") }
    func finish() { continuation.finish() }
  }

  private func transport() async throws -> ScriptedTransport {
    let engine = LocalSearch()
    try await engine.save(
      [
        ["objectID": "1", "query": "tom jones", "popularity": 9],
        ["objectID": "2", "query": "ann"],
      ]
        as [JSON], in: "suggestions")
    try await engine.setSettings(
      IndexSettings(searchableAttributes: ["title"], attributesForFaceting: ["genre"]),
      of: "movies")
    try await engine.save(
      [
        ["objectID": "1", "title": "Tom Jones", "genre": "Comedy"],
        ["objectID": "2", "title": "Tommy", "genre": "Musical"],
      ] as [JSON], in: "movies")
    return ScriptedTransport { request, _ in try await engine.send(request) }
  }

  @MainActor @Test func modulesAreSectionsOfOneViewReloadedOncePerSearch() async throws {
    let transport = try await transport()
    let filters = FilterState()
    let table = Table()
    let connector = MultiIndexHitsConnector(
      client: SearchClient(transport: transport),
      indexModules: [
        IndexModule(suggestionsIndexName: "suggestions"),
        IndexModule(indexName: "movies", of: Movie.self, filterState: filters),
      ],
      controller: table)
    let connection = connector.connectController(table)
    #expect(connector.interactor.connectController(table) === connection)
    #expect(table.hitsSource === connector.interactor)
    #expect(transport.requests.isEmpty)
    var events = table.events.makeAsyncIterator()
    connector.searcher.submit()
    await expectEqual(events.next(), #"[2, 2] ["tom jones", "Tom Jones"]"#)
    connector.searcher.setQuery("tom")
    await expectEqual(events.next(), "scroll")
    await expectEqual(events.next(), #"[1, 2] ["<em>tom</em> jones", "Tom Jones"]"#)
    filters.update { $0[or: "genre"].add("genre" == "Musical") }
    await expectEqual(events.next(), "scroll")
    await expectEqual(events.next(), #"[1, 1] ["<em>tom</em> jones", "Tommy"]"#)
    expectEqual(transport.requests.count, 3)
    connector.disconnect()
    connector.disconnect()
    filters.update { $0.removeAll() }
    #expect(connector.searcher.request[1].filterGroups.isEmpty == false)
    connector.connect()
    connector.connect()
    #expect(connector.searcher.request[1].filterGroups.isEmpty)
    try await connector.searcher.search()
    _ = await connector.interactor.state { $0.sections[1].numberOfHits == 2 && !$0.isLoading }
    connector.disconnect()
    table.finish()
  }

  @MainActor @Test func eachSectionCanHaveASeparateView() async throws {
    let transport = try await transport()
    let suggestions = HitsInteractor<Hit<QuerySuggestion>>(infiniteScrolling: .off)
    let movies = HitsInteractor<Movie>(infiniteScrolling: .off)
    let suggestionList = HitsObservableController<Hit<QuerySuggestion>>()
    let movieList = HitsObservableController<Movie>()
    suggestions.connectController(suggestionList)
    movies.connectController(movieList)
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: transport), indexNames: ["suggestions", "movies"])
    let hits = MultiIndexHitsInteractor(hitsInteractors: [suggestions, movies])
    hits.connectSearcher(searcher)
    let filters = FilterState()
    movies.connectFilterState(filters)
    searcher.connectFilterState(filters, withQueryAtIndex: 1)
    filters.update { $0[and: "genre"].add("genre" == "Comedy") }
    _ = await hits.state { $0.sections[1].numberOfHits == 1 }
    movieList.reload()
    suggestionList.reload()
    expectEqual(movieList.hits.map { $0?.title }, ["Tom Jones"])
    expectEqual(suggestionList.hits.map { $0?.query }, ["tom jones", "ann"])
    expectEqual(suggestionList.hits.map { $0?.popularity }, [9, 0])
    expectEqual(transport.requests.count, 1)
  }
}
