import AsyncInstantSearch
import Foundation
import LocalSearch

/// A record of the index.
struct Film: Codable, Sendable {
  let objectID: String
  let title: String
  let year: Int
  let directors: [String]
  let cast: [String]
  let genres: [String]
  let country: String
  let runtime: Int
  let oscars: Int
  let plot: String
  /// The decade of the year, which the file does not have.
  var decade: String?
}

/// A facet of the films that the screen shows.
struct FilmFacet: Hashable, Sendable {
  let attribute: String
  let title: String
  /// The order of the values; `nil` for chosen values first, then by count.
  var sortBy: [FacetSortCriterion]?

  static let all = [
    FilmFacet(attribute: "genres", title: "Genre"),
    FilmFacet(attribute: "country", title: "Country"),
    FilmFacet(attribute: "decade", title: "Decade", sortBy: [.isRefined, .name(.ascending)]),
  ]

  /// The list of all its values.
  func list() throws(SearchError) -> FacetList {
    try FacetList(attribute: attribute, limit: 100, sortBy: sortBy)
  }
}

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
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appending(path: "Snippets/Data/films.json")
    var films = try JSONDecoder().decode([Film].self, from: Data(contentsOf: file))
    for index in films.indices { films[index].decade = "\(films[index].year / 10)0s" }
    return films
  }
}
