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
  /// Whether the values are sorted by name rather than by count.
  var isSortedByValue = false

  static let all = [
    FilmFacet(attribute: "genres", title: "Genre"),
    FilmFacet(attribute: "country", title: "Country"),
    FilmFacet(attribute: "decade", title: "Decade", isSortedByValue: true),
  ]

  /// The filter on one value.
  func filter(_ value: String) -> Filter.Facet { Attribute(attribute) == value }

  /// The chosen values, in the order in which they were chosen.
  func chosenValues(in filters: FilterGroups) -> [String] {
    filters[or: attribute].compactMap {
      if case .string(let value) = $0.value { value } else { nil }
    }
  }
}
