@testable import AsyncInstantSearch
@testable import InstantSearchClient
import TestSupport
import Testing

/// What widgets do where InstantSearch.js has a known defect. Each test has the name of the defect.
@Suite struct WidgetQuirkTests {
  // MARK: Numbers

  private static let numbers = [
    NumericMenu.Item("all"), NumericMenu.Item("exact", start: 42, end: 42),
    NumericMenu.Item("low", start: 0, end: 10), NumericMenu.Item("none", end: 0),
    NumericMenu.Item("from 10", start: 10), NumericMenu.Item("10 to 20", start: 10, end: 20),
  ]

  /// Every choice returns to the first page.
  @Test(arguments: [0, 1]) func numericMenuPageKept(position: Int) throws {
    let menu = NumericMenu(attribute: "popularity", items: Self.numbers)
    let pages = Pagination()
    var test = try TestScreen(menu, pages)
    try test.apply(menu.select(5))
    try test.apply(pages.show(2))
    try test.apply(menu.select(position))
    expectEqual(test.state.query.page, 0)
    expectEqual(test.uiState.page, 1)
  }

  /// A bound of 0 is a bound.
  @Test(arguments: [(2, "0:10"), (3, ":0")]) func numericMenuZeroBound(
    position: Int, text: String
  ) throws {
    let menu = NumericMenu(attribute: "popularity", items: Self.numbers)
    var test = try TestScreen(menu)
    try test.apply(menu.select(position))
    expectEqual(test.uiState.numericMenu["popularity"]?.description, text)
    let again = try TestScreen(menu, uiState: test.uiState.throughURL())
    expectEqual(again.state, test.state)
    expectEqual(again.view(menu).selected, position)
  }

  /// Only the range with the same two bounds is selected.
  @Test func numericMenuSharedBound() throws {
    let menu = NumericMenu(attribute: "popularity", items: Self.numbers)
    var test = try TestScreen(menu)
    try test.apply(menu.select(5))
    expectEqual(test.view(menu).selected, 5)
    try test.apply(menu.select(4))
    expectEqual(test.view(menu).selected, 4)
  }

  /// An inverted range is a problem of the menu, not of the choice.
  @Test func numericMenuInvertedIsAProblem() {
    let menu = NumericMenu(
      attribute: "popularity", items: [NumericMenu.Item("bad", start: 50, end: 10)])
    expectEqual(menu.problem?.code, .invalidRequest)
  }

  /// The limits of a range are always sent. They are not refinements.
  @Test func rangeOptionBounds() throws {
    let range = NumberRange(attribute: "price", min: 10, max: 50)
    let current = CurrentFilters()
    let clear = FilterClear()
    var test = try TestScreen(range, current, clear)
    expectEqual(test.view(current).groups, [])
    #expect(!test.view(clear).canRefine)
    expectEqual(test.uiState, IndexUIState())
    try test.apply(clear.clear())
    try expectEqual(test.hitsQuery["numericFilters"], ["price>=10", "price<=50"])
    try test.apply(range.set(20, nil))
    expectEqual(test.view(current).groups.flatMap(\.items).map(\.label), ["≥ 20"])
    expectEqual(test.uiState.range["price"], NumberBounds(lower: 20))
  }

  /// An inverted range is refused, and changes nothing.
  @Test func rangeInverted() throws {
    let range = NumberRange(attribute: "price")
    var test = try TestScreen(range)
    try test.receive(["facets_stats": ["price": ["min": 0, "max": 100]]])
    let before = test.state
    let error = #expect(throws: SearchError.self) { try test.apply(range.set(60, 20)) }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(test.state, before)
  }

  /// A rating is one refinement, which is removed at once.
  @Test func ratingTwoRefinements() throws {
    let rating = RatingMenu(attribute: "rating")
    let current = CurrentFilters()
    var test = try TestScreen(rating, current)
    try test.apply(rating.toggle(4))
    try expectEqual(test.hitsQuery["numericFilters"], ["rating>=4", "rating<=5"])
    let items = test.view(current).groups.flatMap(\.items)
    expectEqual(items.map(\.label), ["4–5"])
    try test.apply(current.remove(try #require(items.first)))
    #expect(test.state.filters.isEmpty)
    expectEqual(test.uiState, IndexUIState())
  }

  /// Numbers that were removed leave nothing that is counted without them.
  @Test func needlessOwnQuery() throws {
    let range = NumberRange(attribute: "price")
    let clear = FilterClear()
    var test = try TestScreen(range, clear)
    try test.apply(range.set(10, 20))
    expectEqual(test.queries.count, 2)
    try test.apply(clear.clear())
    expectEqual(test.queries.count, 1)
  }

  // MARK: Sorting and maps

  /// A strictness of 0 shows all hits; it is not the absence of one.
  @Test func relevantSortZero() throws {
    let sort = RelevantSort()
    var test = try TestScreen(sort)
    try test.apply(sort.refine(strictness: 50))
    try test.apply(sort.refine(strictness: 0))
    expectEqual(test.uiState.relevantSort, 0)
    try expectEqual(test.hitsQuery["relevancyStrictness"], 0)
    try expectEqual(TestScreen(sort, uiState: test.uiState.throughURL()).state, test.state)
  }

  /// A strictness of a URL is sent as a number.
  @Test func relevantSortText() throws {
    let uiState = UIState.read(query: "products[relevantSort]=45", mapping: .simple).state
    let test = try TestScreen(RelevantSort(), uiState: uiState["products"])
    try expectEqual(test.hitsQuery["relevancyStrictness"], 45)
  }

  /// A corner on the equator or at Greenwich is a corner.
  @Test func geoZero() throws {
    let map = GeoSearch(of: JSON.self)
    let corners = try #require(
      IndexUIState.MapCorners(
        northEast: Point(latitude: 10, longitude: 0), southWest: Point(latitude: 0, longitude: -5)))
    var test = try TestScreen(map)
    try test.apply(map.setMapMoveSinceLastRefine())
    #expect(test.view(map).hasMapMoveSinceLastRefine)
    try test.apply(map.refine(corners))
    try expectEqual(test.hitsQuery["insideBoundingBox"], "10,0,0,-5")
    try test.receive([
      "hits": [["objectID": "a", "_geoloc": ["lat": 5, "lng": -1]], ["objectID": "b"]], "nbHits": 2,
    ])
    let view = test.view(map)
    expectEqual(view.corners, corners)
    #expect(view.isRefinedWithMap)
    #expect(!view.hasMapMoveSinceLastRefine)
    expectEqual(view.items.map { $0["objectID"] }, ["a"])
    try expectEqual(TestScreen(map, uiState: test.uiState.throughURL()).state, test.state)
  }

  // MARK: All refinements

  /// Exclusions and tags are cleared as well.
  @Test func clearLeavesExclusions() throws {
    let clear = FilterClear()
    let current = CurrentFilters()
    var test = try TestScreen(clear, current)
    test.state.filters[and: "shelf"].add(!Filter.Facet(attribute: "shelf", stringValue: "A"))
    test.state.filters[and: "_tags"].add(Filter.Tag("new"))
    expectEqual(test.view(current).groups.flatMap(\.items).map(\.kind), [.excluded, .tag])
    #expect(test.view(clear).canRefine)
    try test.apply(clear.clear())
    #expect(test.state.filters.isEmpty)
    #expect(!test.view(clear).canRefine)
  }

  /// New parameters replace the previous ones, and leave the declarations of other widgets.
  @Test func configureFacetDeclarations() throws {
    let brand = FacetList(attribute: "brand")
    let configure = Configure(SearchQuery(), disjunctiveFacets: ["shelf"])
    var test = try TestScreen(brand, configure)
    expectEqual(test.queries[0].facets, ["brand", "shelf"])
    try test.apply(
      configure.set(SearchQuery().with { $0.hitsPerPage = 7 }, disjunctiveFacets: ["color"]))
    expectEqual(test.queries[0].facets, ["brand", "color"])
    expectEqual(test.queries[0].hitsPerPage, 7)
  }

  // MARK: Pages

  private static func page(_ number: Int, _ hits: String..., of count: Int) -> JSON {
    [
      "hits": .array(hits.map { ["objectID": .string($0)] }), "page": .int(Int64(number)),
      "hitsPerPage": 2, "nbPages": .int(Int64(count)), "nbHits": .int(Int64(2 * count)),
    ]
  }

  private static func ids(_ view: InfiniteHits<JSON>.View) -> [String] {
    view.items.map { "\($0.position ?? 0) \($0.record["objectID"]?.stringValue ?? "")" }
  }

  /// Going back to an earlier search shows all its pages.
  @Test func infiniteCacheOneState() throws {
    let hits = InfiniteHits(of: JSON.self)
    let box = SearchBox()
    var test = try TestScreen(hits, box)
    try test.receive(Self.page(0, "a", "b", of: 3))
    try test.apply(hits.showMore())
    try test.receive(Self.page(1, "c", "d", of: 3))
    try test.apply(box.setQuery("x"))
    try test.receive(Self.page(0, "y", "z", of: 1))
    expectEqual(Self.ids(test.view(hits)), ["1 y", "2 z"])
    try test.apply(box.clear())
    try test.receive(Self.page(0, "a", "b", of: 3))
    expectEqual(Self.ids(test.view(hits)), ["1 a", "2 b", "3 c", "4 d"])
    expectEqual(test.view(hits).currentPage, 0)
    #expect(!test.view(hits).isLastPage)
  }

  /// The number of searches whose pages are kept is bounded.
  @Test func infiniteHitsForgetTheOldestSearch() throws {
    let hits = InfiniteHits(of: JSON.self, searchLimit: 2)
    let box = SearchBox()
    var test = try TestScreen(hits, box)
    for text in ["a", "b", "c"] {
      try test.apply(box.setQuery(text))
      try test.receive(Self.page(0, text, "0", of: 2))
      try test.apply(hits.showMore())
      try test.receive(Self.page(1, text, "1", of: 2))
    }
    try test.apply(box.setQuery("b"))
    try test.receive(Self.page(0, "b", "0", of: 2))
    expectEqual(test.view(hits).pages.count, 2)
    try test.apply(box.setQuery("a"))
    try test.receive(Self.page(0, "a", "0", of: 2))
    expectEqual(test.view(hits).pages.count, 1)
  }

  /// The same search by other means has the same pages.
  @Test func infiniteCacheSpuriousMiss() throws {
    let hits = InfiniteHits(of: JSON.self)
    let range = NumberRange(attribute: "price")
    let clear = FilterClear()
    var test = try TestScreen(hits, range, clear)
    try test.receive(Self.page(0, "a", "b", of: 2))
    try test.apply(hits.showMore())
    try test.receive(Self.page(1, "c", "d", of: 2))
    test.state.refine { state in
      state.filters[and: "price"].add(Filter.Numeric("price", .greaterOrEqual, 1))
    }
    try test.receive(Self.page(0, "y", "z", of: 1), ["facets": [:]])
    try test.apply(clear.clear())
    try test.receive(Self.page(0, "a", "b", of: 2))
    expectEqual(Self.ids(test.view(hits)), ["1 a", "2 b", "3 c", "4 d"])
  }

  /// What is opened changes no hits: the next page follows, and the pages before it stay.
  @Test func infiniteHitsShowMoreWhileOtherPartsAreOpen() throws {
    let hits = InfiniteHits(of: JSON.self)
    let brands = FacetList(attribute: "brand", limit: 1, showMoreLimit: 2)
    var test = try TestScreen(hits, brands)
    try test.receive(Self.page(0, "a", "b", of: 4))
    for (position, opening) in [brands.toggleShowMore(), brands.search("x")].enumerated() {
      try test.apply(opening)
      try test.apply(hits.showMore())
      expectEqual(test.uiState.page, position + 2)
      try test.receive(Self.page(position + 1, "c\(position)", "d\(position)", of: 4))
    }
    expectEqual(
      Self.ids(test.view(hits)), ["1 a", "2 b", "3 c0", "4 d0", "5 c1", "6 d1"])
  }

  /// The page of the state is always the one that was requested last.
  @Test func infiniteUIPage() throws {
    let hits = InfiniteHits(of: JSON.self)
    var uiState = IndexUIState()
    uiState.page = 3
    var test = try TestScreen(hits, uiState: uiState)
    try test.receive(Self.page(2, "e", "f", of: 5))
    #expect(!test.view(hits).isFirstPage)
    try test.apply(hits.showPrevious())
    expectEqual(test.uiState.page, 2)
    try test.receive(Self.page(1, "c", "d", of: 5))
    expectEqual(Self.ids(test.view(hits)), ["3 c", "4 d", "5 e", "6 f"])
    try test.apply(hits.showMore())
    expectEqual(test.uiState.page, 4)
    try test.receive(Self.page(3, "g", "h", of: 5))
    try test.apply(hits.showPrevious())
    expectEqual(test.uiState.page, 1)
    try test.receive(Self.page(0, "a", "b", of: 5))
    expectEqual(test.view(hits).pages.map(\.number), [0, 1, 2, 3])
    #expect(test.view(hits).isFirstPage)
    // On the first page nothing changes.
    try test.apply(hits.showPrevious())
    expectEqual(test.uiState.page, 1)
  }
}
