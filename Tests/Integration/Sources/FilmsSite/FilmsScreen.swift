import AsyncInstantSearch

/// The widgets of the page. They are values without state, so all visitors share them.
struct FilmsScreen: Sendable {
  static let (firstYear, lastYear) = (1920, 2023)

  private static let byCount: [FacetSortCriterion] = [.count(.descending), .name(.ascending)]
  private static let world = HierarchicalFacet(
    attributes: ["place.0", "place.1"], separator: " > ")

  let box = Autocomplete(
    sources: [
      .records(indexName: FilmsCatalogue.films, attribute: "title", limit: 4),
      .records(indexName: FilmsCatalogue.people, attribute: "name", limit: 4),
    ], searchesAsYouType: true)
  // Chosen values keep their places, so that the pointer stays over what it has chosen.
  let genres = FacetList(
    attribute: "genres", limit: 8, showMoreLimit: 30, sortBy: Self.byCount, keepsSelected: true)
  let directors = FacetList(
    attribute: "directors", limit: 6, showMoreLimit: 20, sortBy: Self.byCount, keepsSelected: true)
  let places = HierarchicalMenu(world, limit: 6, showMoreLimit: 40)
  let path = Breadcrumb(world)
  let years = NumberRange(attribute: "year", min: Double(firstYear), max: Double(lastYear))
  let oscars = NumericMenu(
    attribute: "oscars",
    items: [.init("Any number")]
      + [1, 3, 5, 7, 9].map { .init("\($0) or more", start: Double($0)) })
  let decades = FacetMenu(attribute: "decade", limit: 12, sortBy: [.name(.ascending)])
  let order = SortBy([
    .init("Best match", indexName: FilmsCatalogue.films),
    .init("Newest", indexName: FilmsCatalogue.newest),
    .init("Oldest", indexName: FilmsCatalogue.oldest),
    .init("Oscars", indexName: FilmsCatalogue.oscars),
  ])
  let sizes = HitsPerPage(
    [.init("12", count: 12), .init("24", count: 24), .init("48", count: 48)], default: 12)
  let pages = Pagination(padding: 2)
  let chosen = CurrentFilters()
  let clear = FilterClear()
  let screen: SearchScreen

  init() throws {
    screen = try SearchScreen(
      indexName: FilmsCatalogue.films,
      widgets: [
        box, genres, directors, places, path, years, oscars, decades, order, sizes, pages, chosen,
        clear,
      ], routing: .singleIndex(FilmsCatalogue.films))
  }
}

extension FilmsScreen {
  /// Reads the state of a URL.
  func read(query: String) -> (state: UIState, problems: [UIState.Problem]) {
    var (state, problems) = screen.read(query: query)
    if let years = state[FilmsCatalogue.films].range["year"] {
      let (from, to) = Self.ordered(years.lower, years.upper)
      state[FilmsCatalogue.films].range["year"] = NumberBounds(lower: from, upper: to)
    }
    return (state, problems)
  }

  /// Years in the other order are the same years.
  private static func ordered(_ from: Double?, _ to: Double?) -> (Double?, Double?) {
    guard let from, let to else { return (from, to) }
    return (min(from, to), max(from, to))
  }

  /// Performs what a form of the page changes.
  ///
  /// - Parameters:
  ///   - form: The name of the form.
  ///   - fields: Its fields.
  func perform(
    _ form: String, _ fields: [String: String], on live: LiveScreen
  ) throws(SearchError) {
    switch form {
    case "typing": try live.perform(box.setQuery(fields["query"] ?? ""))
    case "box":
      // As typed, and then the list is closed.
      try live.perform(box.setQuery(fields["query"] ?? ""))
      try live.perform(box.submit())
    case "close": try live.perform(box.close())
    case "directors": try live.perform(directors.search(fields["facetQuery[directors]"] ?? ""))
    case "years":
      func bound(_ name: String) -> Double? { fields["range[year][\(name)]"].flatMap(Double.init) }
      let (from, to) = Self.ordered(bound("min"), bound("max"))
      try live.perform(years.set(from, to))
    default: throw SearchError(.invalidRequest, "The page has no form with this name.")
    }
  }
}
