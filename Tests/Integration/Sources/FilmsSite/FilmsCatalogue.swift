public import AsyncInstantSearch
public import Foundation

/// A film on the page.
struct Film: Codable, Sendable {
  var title: String
  var year: Int
  var directors: [String]
  var cast: [String]
  var genres: [String]
  var country: String
  var runtime: Int
  var oscars: Int
  var plot: String
}

/// The indices of the page.
public enum FilmsCatalogue {
  static let films = "films"
  static let newest = "films_newest"
  static let oldest = "films_oldest"
  static let oscars = "films_oscars"
  static let people = "people"

  /// Writes the files `films.json` and `people.json` of a folder, to an engine or to a server.
  public static func load(from folder: URL, into client: SearchClient) async throws {
    func records(_ name: String) throws -> [JSON] {
      let data = try Data(contentsOf: folder.appending(path: name))
      return try JSONDecoder().decode([JSON].self, from: data)
    }
    try await client.setSettings(settings, of: films)
    for (replica, order) in [
      (newest, "desc(year)"), (oldest, "asc(year)"), (oscars, "desc(oscars)"),
    ] {
      var settings = settings
      settings.replicas = []
      settings.ranking.insert(order, at: 0)
      try await client.setSettings(settings, of: replica)
    }
    try await client.save(try records("films.json").map(completed), in: films)
    try await client.setSettings(
      IndexSettings(searchableAttributes: ["name", "knownFor"]), of: people)
    try await client.save(try records("people.json"), in: people)
  }

  /// Whether a client finds the films.
  public static func isLoaded(in client: SearchClient) async throws -> Bool {
    do throws(SearchError) {
      _ = try await client.search(newest, SearchQuery(), of: JSON.self)
      return true
    } catch {
      if error.code == .indexNotFound { return false }
      throw error
    }
  }

  private static var settings: IndexSettings {
    var settings = IndexSettings(
      searchableAttributes: ["title", "directors", "cast", "plot"],
      attributesForFaceting: [
        "genres", "searchable(directors)", "place.0", "place.1", "decade", "year", "oscars",
      ],
      customRanking: ["desc(oscars)", "desc(year)"])
    settings.replicas = [newest, oldest, oscars]
    return settings
  }

  /// A film with its decade, and with its country below a part of the world.
  private static func completed(_ film: JSON) -> JSON {
    var members = film.objectValue ?? [:]
    if let year = members["year"]?.intValue { members["decade"] = .string("\(year / 10)0s") }
    if let country = members["country"]?.stringValue {
      let part = parts.first { $0.countries.contains(country) }?.name ?? "Elsewhere"
      members["place"] = ["0": .string(part), "1": .string("\(part) > \(country)")]
    }
    return .object(members)
  }

  private static let parts: [(name: String, countries: Set<String>)] = [
    ("North America", ["United States", "Canada", "Mexico", "Cuba"]),
    ("South America", ["Brazil", "Argentina", "Chile"]),
    (
      "Asia",
      [
        "Japan", "India", "South Korea", "Hong Kong", "Iran", "China", "Taiwan", "Turkey",
        "Lebanon",
      ]
    ),
    ("Oceania", ["Australia", "New Zealand"]),
    ("Africa", ["Egypt", "Senegal", "South Africa"]),
    (
      "Europe",
      [
        "France", "United Kingdom", "Italy", "Spain", "Germany", "Sweden", "Soviet Union",
        "West Germany", "Denmark", "Poland", "Czechoslovakia", "Belgium", "Ireland", "Russia",
        "Greece", "Netherlands", "Czech Republic", "Bosnia and Herzegovina", "Romania", "Hungary",
        "Norway",
      ]
    ),
  ]
}
