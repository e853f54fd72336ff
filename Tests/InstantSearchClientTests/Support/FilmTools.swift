@testable import InstantSearchClient
import LocalSearch

/// Tools over some films in an engine.
struct FilmTools {
  let engine = LocalSearch()
  let settings = IndexSettings(
    searchableAttributes: ["title", "plot"],
    attributesForFaceting: ["searchable(genres)", "country"], customRanking: ["asc(year)"],
    replicas: ["films_newest"])
  var index: SearchTool.Index

  var client: SearchClient { SearchClient(transport: engine) }
  var tools: [SearchTool] { SearchTool.all(for: [index], client: client) }

  init(_ change: (inout SearchTool.Index) -> Void = { _ in }) async throws {
    index = SearchTool.Index(
      "films", settings: settings, about: "Some films", numericAttributes: ["year"],
      urlAttribute: "link")
    index.sortOrders = [SearchTool.SortOrder("newest", indexName: "films_newest")]
    change(&index)
    try await client.setSettings(settings, of: "films")
    try await client.save(Self.films, in: "films")
    try await client.updateSettings(of: "films_newest") { $0.ranking = ["desc(year)"] }
  }

  /// Calls a tool.
  func call(_ name: String, _ arguments: JSON) async throws -> SearchTool.Output {
    guard let tool = tools.first(where: { $0.name == name }) else {
      return SearchTool.Output(mistake: "no tool")
    }
    return try await tool.call(arguments)
  }

  /// Searches the films.
  func search(_ arguments: JSON) async throws -> SearchTool.Output {
    try await call("algolia_search_films", arguments)
  }

  static let films: [JSON] = [
    film("1", "Metropolis", 1927, ["Science Fiction", "Drama"], "Germany", "A city of machines."),
    film("2", "Stagecoach", 1939, ["Western"], "United States", "Strangers cross a desert."),
    film("3", "Casablanca", 1942, ["Drama", "War"], "United States", "A bar owner in a city."),
    film("4", "Rashomon", 1950, ["Drama", "Crime"], "Japan", "A crime, told four times."),
    film("5", "Seven Samurai", 1954, ["Action", "Drama"], "Japan", "Samurai defend a village."),
    film("6", "Solaris", 1972, ["Science Fiction"], "Soviet Union", "A planet of memories."),
    film("7", "Alien", 1979, ["Science Fiction", "Horror"], "United Kingdom", "A crew in space."),
    film("8", "Ran", 1985, ["Drama", "War"], "Japan", "A lord divides his realm."),
  ]

  private static func film(
    _ id: String, _ title: String, _ year: Int64, _ genres: [String], _ country: String,
    _ plot: String
  ) -> JSON {
    [
      "objectID": .string(id), "title": .string(title), "year": .int(year),
      "genres": .array(genres.map(JSON.string)), "country": .string(country),
      "plot": .string(plot), "link": .string("https://example.org/\(id)"),
    ]
  }
}
