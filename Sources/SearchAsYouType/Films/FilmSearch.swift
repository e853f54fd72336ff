import AsyncInstantSearch
import Foundation
import LocalSearch

/// The embedded engine with the films, what searches it, and the parts of the screen as widgets.
struct FilmSearch {
  static let debounce = Duration.milliseconds(20)

  let searcher: HitsSearcher
  let hits = HitsInteractor<Hit<Film>>(infiniteScrolling: .on(withOffset: 20))
  let box = WidgetInteractor(SearchBox())
  let loading = WidgetInteractor(Loading())
  let chosen = WidgetInteractor(CurrentFilters())
  let clear = WidgetInteractor(FilterClear())
  /// The list of each facet of the screen.
  let lists: [FilmFacet: WidgetInteractor<FacetList>]

  /// Loads the films.
  ///
  /// - Parameter engineTime: Receives the time of each call of the engine, before the searcher
  ///   receives the response.
  init(engineTime: @escaping @Sendable (Duration) -> Void = { _ in }) async throws {
    let engine = try await LocalSearch(
      indexName: "films", records: Self.films(),
      settings: IndexSettings(
        searchableAttributes: ["title", "directors", "cast", "plot"],
        attributesForFaceting: FilmFacet.all.map(\.attribute),
        customRanking: ["desc(oscars)", "desc(year)"]))
    let transport = ObservedTransport(
      wrapping: engine, observer: .init(ended: { _, call in engineTime(call.duration) }))
    searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "films",
      query: SearchQuery().setting(\.attributesToSnippet, to: ["plot:12"]),
      debounce: Self.debounce)
    lists = Dictionary(
      uniqueKeysWithValues: try FilmFacet.all.map { ($0, WidgetInteractor(try $0.list())) })
    // Each search requests what all of them need.
    hits.connectSearcher(searcher)
    box.connectSearcher(searcher)
    loading.connectSearcher(searcher)
    chosen.connectSearcher(searcher)
    clear.connectSearcher(searcher)
    for list in lists.values { list.connectSearcher(searcher) }
  }

  /// The records of the file beside the snippets, with their decades.
  private static func films() throws -> [Film] {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appending(path: "Snippets/Data/films.json")
    var films = try JSONDecoder().decode([Film].self, from: Data(contentsOf: file))
    for index in films.indices { films[index].decade = "\(films[index].year / 10)0s" }
    return films
  }
}
