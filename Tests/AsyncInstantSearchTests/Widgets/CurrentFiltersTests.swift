import AsyncInstantSearch
import TestSupport
import Testing

/// The refinements that current filters list.
@Suite struct CurrentFiltersTests {
  @Test func labelsHaveSignsOfComparisons() throws {
    let current = CurrentFilters(.allExcept([]))
    var test = try TestScreen(current)
    for (sign, _) in Self.signs {
      test.state.filters[and: "price"].add(Filter.Numeric("price", sign, 10))
    }
    test.state.filters[and: "rating"].add(Filter.Numeric("rating", 3...4.5))
    test.state.filters[or: "brand"].add(Filter.Facet(attribute: "brand", stringValue: "-neg"))
    test.state.query.query = "phone"
    let groups = test.view(current).groups
    expectEqual(groups.map(\.attribute), ["brand", "price", "rating", "query"])
    expectEqual(groups[0].items.map(\.label), ["-neg"])
    expectEqual(groups[1].items.map(\.label), Self.signs.map { "\($1) 10" })
    expectEqual(groups[2].items.map(\.label), ["3–4.5"])
    expectEqual(groups[3].items.map(\.label), ["phone"])
  }

  private static let signs: [(Filter.Numeric.Operator, String)] = [
    (.less, "<"), (.lessOrEqual, "≤"), (.equal, "="), (.notEqual, "≠"), (.greaterOrEqual, "≥"),
    (.greater, ">"),
  ]

  /// A range of the application is displayed by a widget of numbers, and stays one filter.
  @Test func rangesOfTheApplicationAreDisplayed() throws {
    let range = NumberRange(attribute: "price")
    let current = CurrentFilters()
    var test = try TestScreen(range, current)
    test.state.filters[and: "price"].add(Filter.Numeric("price", 3...4.5))
    try expectEqual(test.hitsQuery["numericFilters"], ["price:3 TO 4.5"])
    expectEqual(test.view(range).lowerBound, 3)
    expectEqual(test.view(range).upperBound, 4.5)
    let item = try #require(test.view(current).groups.first?.items.first)
    expectEqual(item.label, "3–4.5")
    try test.apply(current.remove(item))
    #expect(test.state.filters.isEmpty)
  }

  /// The count is that of the level of the path, not of the top level.
  @Test func pathOfAHierarchyHasItsCount() throws {
    let menu = HierarchicalMenu(HierarchicalFacet(attributes: ["lvl0", "lvl1"]))
    let current = CurrentFilters()
    var test = try TestScreen(menu, current)
    try test.apply(menu.toggle("Audio > Speakers"))
    try test.receive(["facets": ["lvl0": ["Audio": 4], "lvl1": ["Audio > Speakers": 3]]])
    let item = try #require(test.view(current).groups.first?.items.first)
    #expect(item.attribute == "lvl0" && item.value == "Audio > Speakers")
    expectEqual(item.count, 3)
  }

  /// A value that a toggle adds is chosen as well: without hits its count is 0.
  @Test func valueOfTheOffStateHasItsCount() throws {
    let filters = CurrentFilters()
    var test = try TestScreen(FilterToggle(attribute: "free", off: ["false"]), filters)
    try test.receive([:], ["facets": ["free": ["true": 1]]])
    let item = try #require(test.view(filters).groups.first?.items.first)
    expectEqual(item.value, "false")
    expectEqual(item.count, 0)
  }

  /// Bounds of a range and a rating of one attribute do not disturb each other.
  @Test func ratingsAndRangesOfOneAttributeAreSeparate() throws {
    let range = NumberRange(attribute: "rating")
    let rating = RatingMenu(attribute: "rating")
    let current = CurrentFilters()
    var test = try TestScreen(range, rating, current)
    try test.apply(rating.toggle(3))
    try test.apply(range.set(2, nil))
    expectEqual(test.view(current).groups.flatMap(\.items).map(\.label), ["≥ 2", "3–5"])
    expectEqual(test.uiState.range["rating"], NumberBounds(lower: 2))
    expectEqual(test.uiState.ratingMenu["rating"], 3)
    try test.apply(rating.toggle(3))
    expectEqual(test.view(current).groups.flatMap(\.items).map(\.label), ["≥ 2"])
  }

  @Test func ratingsAboveTheHighestAreIgnored() throws {
    let rating = RatingMenu(attribute: "rating")
    let uiState = UIState.read(query: "products[ratingMenu][rating]=9", mapping: .simple).state
    var test = try TestScreen(rating, uiState: uiState["products"])
    #expect(test.state.filters.isEmpty)
    #expect(throws: SearchError.self) { try test.apply(rating.toggle(6)) }
    #expect(test.state.filters.isEmpty)
  }
}
