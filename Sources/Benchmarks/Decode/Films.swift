import AsyncInstantSearch
import Foundation
import LocalSearch
import InstantSearchJSON

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

/// The films that the snippets search, in an embedded engine.
enum Films {
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Snippets/Data/films.json")
    .standardizedFileURL

  /// The titles of the films.
  static func titles() throws -> [String] {
    try JSONDecoder().decode([Film].self, from: Data(contentsOf: file)).map(\.title)
  }

  /// An engine with the index `films`.
  static func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings(
        searchableAttributes: ["title", "directors", "cast", "plot"],
        attributesForFaceting: ["genres", "country", "year", "directors"]),
      of: "films")
    try await engine.load(contentsOf: file, into: "films")
    return engine
  }

  /// The answer to a query for twenty films with highlights, snippets and facets.
  static func answer() async throws -> [UInt8] {
    let query = SearchQuery("man love")
      .setting(\.facets, to: ["*"]).setting(\.getRankingInfo, to: true)
      .setting(\.attributesToSnippet, to: ["plot:8"])
      .setting(\.optionalWords, to: .value("man love"))
    return try await engine().answer(to: SearchRequest<Hit<Film>>("films", query))
  }
}

extension LocalSearch {
  /// The bytes of the answer to a search.
  func answer<Record>(to request: SearchRequest<Record>) async throws -> [UInt8] {
    try await send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", request.indexName, "query"],
        body: request.body, callType: .read)
    ).body
  }
}
