import AsyncInstantSearch

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
