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
  func list() -> FacetList {
    FacetList(attribute: attribute, limit: 100, sortBy: sortBy)
  }
}

/// The embedded engine with the films, what searches it, and the parts of the screen as widgets.
struct FilmSearch {
  static let debounce = Duration.milliseconds(20)

  let searcher: HitsSearcher
  let hits = HitsInteractor<Hit<Film>>(infiniteScrolling: .on(withOffset: 20))
  let box: Autocomplete
  let loading = Loading()
  let chosen = CurrentFilters()
  let clear = FilterClear()
  /// The list of each facet of the screen.
  let lists: [FilmFacet: FacetList]
  let live: LiveScreen
  private let engine: LocalSearch

  /// Loads the films.
  ///
  /// - Parameter engineTime: Receives the time of each search for films, before the searcher
  ///   receives the response.
  init(engineTime: @escaping @Sendable (Duration) -> Void = { _ in }) async throws {
    let films = try Self.films()
    engine = try await LocalSearch(
      indexName: "films", records: films,
      settings: IndexSettings(
        searchableAttributes: ["title", "directors", "cast", "plot"],
        attributesForFaceting: FilmFacet.all.map(\.attribute),
        customRanking: ["desc(oscars)", "desc(year)"]))
    let writer = SearchClient(transport: engine)
    try await writer.setSettings(
      IndexSettings(searchableAttributes: ["query"], customRanking: ["desc(popularity)"]),
      of: "names")
    try await writer.save(Self.names(in: films), in: "names")
    let transport = FilmTimes(engine: engine, report: engineTime)
    searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "films",
      query: SearchQuery().setting(\.attributesToSnippet, to: ["plot:12"]),
      debounce: Self.debounce)
    box = Autocomplete(
      sources: [.suggestions(indexName: "names")], recent: RecentSearches(),
      searchesAsYouType: true)
    lists = Dictionary(uniqueKeysWithValues: FilmFacet.all.map { ($0, $0.list()) })
    hits.connectSearcher(searcher)
    // Each search requests what all of them need.
    live = try searcher.connect(
      SearchScreen(
        indexName: "films", widgets: [box, loading, chosen, clear] + Array(lists.values)))
  }

  /// Returns why a film is where it is among the hits that are shown, as lines.
  func explanation(of objectID: String) async -> [String] {
    guard let request = hits.state.request else { return [] }
    var query = request.query
    query.filters = request.filterGroups.text ?? query.filters
    do {
      let found = try await engine.explain(query, in: request.indexName, records: [objectID])
      return found.flatMap { "\($0)".split(separator: "\n").map(String.init) }
    } catch {
      return [error.message]
    }
  }

  /// Titles and people as query suggestions. Those of more films are suggested first.
  private static func names(in films: [Film]) -> [JSON] {
    var counts: [String: Int] = [:]
    for film in films {
      for name in Set([film.title] + film.directors + film.cast) { counts[name, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { name, count in
      ["objectID": .string(name), "query": .string(name), "popularity": .int(Int64(count))]
    }
  }

  /// The records of the file beside the snippets, with their decades.
  private static func films() throws -> [Film] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "../../../../Snippets/Data/films.json")
    var films = try JSONDecoder().decode([Film].self, from: Data(contentsOf: file))
    for index in films.indices { films[index].decade = "\(films[index].year / 10)0s" }
    return films
  }
}

/// The engine, whose searches for films are timed. Those for suggestions are not shown.
private struct FilmTimes: SearchTransport {
  let engine: LocalSearch
  let report: @Sendable (Duration) -> Void

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let start = ContinuousClock.now
    let response = try await engine.send(request)
    let isSuggestion = String(decoding: request.body, as: UTF8.self).contains(#""names""#)
    if !isSuggestion { report(start.duration(to: .now)) }
    return response
  }
}
