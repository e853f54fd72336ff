import AsyncInstantSearch
import Foundation
import LocalSearch
import SearchJSON

/// A record of the films that the snippets search.
struct Film: Codable, Sendable, Hashable {
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

/// An answer of the embedded engine, as opposed to the generated ones.
enum Films {
  /// The answer to a query for twenty films with highlights, snippets and facets.
  static func answer() async throws -> [UInt8] {
    let films = URL(filePath: #filePath)
      .deletingLastPathComponent().appending(path: "../../../Snippets/Data/films.json")
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings(
        searchableAttributes: ["title", "directors", "cast", "plot"],
        attributesForFaceting: ["genres", "country", "year", "directors"]),
      of: "films")
    try await engine.load(contentsOf: films.standardizedFileURL, into: "films")
    let query = SearchQuery("man love")
      .setting(\.facets, to: ["*"]).setting(\.getRankingInfo, to: true)
      .setting(\.attributesToSnippet, to: ["plot:8"])
      .setting(\.optionalWords, to: .value("man love"))
    let request = TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "films", "query"],
      body: SearchRequest<Hit<Film>>("films", query).body, callType: .read)
    return try await engine.send(request).body
  }
}
