@testable import AsyncInstantSearch
import LocalSearch
import TestSupport
import Testing

/// What a screen remembers when its widgets change.
@Suite struct SearchScreenTests {
  @Test func removingAWidgetKeepsTheMemoryOfTheOthers() throws {
    let brand = FacetList(attribute: "brand", limit: 1, showMoreLimit: 5)
    let color = FacetList(attribute: "color", limit: 1, showMoreLimit: 5)
    var test = try TestScreen(brand, color)
    try test.apply(brand.toggleShowMore())
    try test.apply(color.toggleShowMore())
    try test.apply(brand.toggle("Apple"))
    try test.apply(color.toggle("red"))
    test.screen.remove(brand)
    #expect(test.view(color).isShowingMore)
    expectEqual(test.uiState.refinementList, ["color": ["red"]])
    try expectEqual(test.hitsQuery["facetFilters"], [["color:red"]])
    test.screen.add(brand)
    #expect(!test.view(brand).isShowingMore && test.view(color).isShowingMore)
    expectEqual(test.uiState.refinementList, ["color": ["red"]])
  }

  @Test func sharedPartsStayWhenOneOfTheirWidgetsIsRemoved() throws {
    let pages = Pagination()
    let hits = InfiniteHits(of: JSON.self)
    var test = try TestScreen(pages, hits)
    try test.apply(pages.show(2))
    test.screen.remove(pages)
    expectEqual(test.uiState.page, 3)
    test.screen.remove(hits)
    expectEqual(test.state.query.page ?? 0, 0)
  }

  @Test func aRemovedWidgetLeavesNothing() throws {
    let widgets: [any SearchWidget] = [
      SearchBox(), Pagination(), InfiniteHits(of: JSON.self), GeoSearch(of: JSON.self),
      RelevantSort(), HitsPerPage([HitsPerPage.Item("few", count: 5)], default: 5),
      SortBy([SortBy.Item("cheap", indexName: "products_price_asc")]),
      FilterToggle(attribute: "free", off: ["false"]),
      HierarchicalMenu(HierarchicalFacet(attributes: ["lvl0", "lvl1"], rootPath: "Audio")),
      FacetList(attribute: "brand"), FacetMenu(attribute: "type"),
      NumberRange(attribute: "price", min: 1), RatingMenu(attribute: "rating"),
      NumericMenu(attribute: "popularity", items: [NumericMenu.Item("low", end: 10)]),
    ]
    let query =
      "products[query]=a&products[page]=3&products[hitsPerPage]=5&products[relevantSort]=4"
      + "&products[sortBy]=products_price_asc&products[toggle][free]=true"
      + "&products[hierarchicalMenu][lvl0][0]=Audio&products[hierarchicalMenu][lvl0][1]=Radio"
      + "&products[refinementList][brand][0]=Apple&products[menu][type]=b"
      + "&products[range][price]=2:3&products[ratingMenu][rating]=4"
      + "&products[numericMenu][popularity]=:10&products[geoSearch][boundingBox]=10,0,0,-5"
    let uiState = UIState.read(query: query, mapping: .simple).state["products"]
    for widget in widgets {
      var screen = try SearchScreen(indexName: "products", widgets: [widget])
      screen.read(uiState, at: 0)
      let isUsed = screen.uiState != UIState() || screen.plan().needs != SearchNeeds()
      #expect(isUsed, "\(widget)")
      screen.remove(widget)
      #expect(screen.state.isSameSearch(as: IndexState("products")), "\(widget)")
      expectEqual(screen.plan().needs, SearchNeeds())
    }
  }

  @Test func parametersOfTheApplicationStayWhenAStateIsRead() throws {
    let box = SearchBox()
    var test = try TestScreen(box)
    test.state.query.distinct = 2
    var uiState = IndexUIState()
    uiState.query = "phone"
    test.screen.read(uiState, at: 0)
    expectEqual(test.state.query.query, "phone")
    expectEqual(test.state.query.distinct, 2)
  }

  @Test func aFailedSearchForValuesIsInTheView() throws {
    let (box, list) = (SearchBox(), FacetList(attribute: "brand"))
    var test = try TestScreen(box, list)
    try test.receive(["nbHits": 1, "facets": ["brand": ["Apple": 1]]])
    try test.apply(list.search("a"))
    let request = try #require(test.screen.request(of: list))
    let error = SearchError(.transport, "The service did not respond.")
    test.receive(WidgetResponse(request, .failure(error)))
    expectEqual(test.view(list).searchError, error)
    #expect(!test.view(list).isFromSearch)
    expectEqual(test.view(list).items.map(\.value), ["Apple"])
    // Another search ends the search for values.
    try test.apply(box.setQuery("phone"))
    expectEqual(test.view(list).searchText, "")
    #expect(test.view(list).searchError == nil)
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max]) func anyNumberOfTheServerIsShown(
    number: Int
  ) throws {
    let hits = InfiniteHits(of: JSON.self)
    let pages = Pagination()
    let stats = SearchStats()
    var test = try TestScreen(hits, pages, stats)
    let json = JSON.int(Int64(number))
    try test.receive([
      "hits": [["objectID": "a"], ["objectID": "b"]], "page": json, "nbPages": json, "nbHits": json,
      "hitsPerPage": json, "processingTimeMS": json,
    ])
    expectEqual(test.view(hits).items.count, 2)
    expectEqual(test.view(hits).pages.count, 1)
    #expect(test.view(pages).nbPages >= 0)
    expectEqual(test.view(stats).nbHits, number)
    try test.apply(hits.showMore())
    try test.apply(hits.showPrevious())
    try test.apply(pages.show(max(number, 0)))
    #expect(test.uiState.page >= 1)
  }

  // MARK: Counts

  /// A screen whose widgets need other numbers of values, and a response that lists as many values
  /// as were requested.
  @Test func countsOfAShortListAreMissingAndNotZero() throws {
    let list = FacetList(attribute: "brand", limit: 2, keepsSelected: true)
    let toggle = FilterToggle(attribute: "free")
    var test = try TestScreen(list, toggle, CurrentFilters())
    try expectEqual(test.hitsQuery["maxValuesPerFacet"], 10)
    for value in 0..<11 { try test.apply(list.toggle("b\(value)")) }
    try expectEqual(test.hitsQuery["maxValuesPerFacet"], 11)
    let values = Dictionary(uniqueKeysWithValues: (20..<31).map { ("b\($0)", JSON.int(9)) })
    let facets: JSON = ["brand": .object(values), "free": ["false": 3]]
    try test.receive(["nbHits": 3, "facets": facets], ["facets": ["brand": .object(values)]])
    expectEqual(
      test.view(list).items.filter(\.isRefined).map(\.count), Array(repeating: nil, count: 11))
    // Its values are all listed.
    #expect(test.view(toggle).onCount == nil && !test.view(toggle).canRefine)
  }

  @Test func ratingsAskForEveryValue() throws {
    let (list, rating) = (FacetList(attribute: "brand"), RatingMenu(attribute: "rating"))
    var test = try TestScreen(list, rating)
    try expectEqual(test.hitsQuery["maxValuesPerFacet"], 1_000)
    let few: JSON = ["1.5": 2, "2": 4, "4.9": 8]
    try test.receive(["nbHits": 14, "facets": ["rating": few]])
    expectEqual(test.view(rating).items.map(\.count), [8, 8, 12, 14])
    let many = Dictionary(
      uniqueKeysWithValues: (0..<1_000).map { ("\(Double($0) / 200)", JSON.int(1)) })
    try test.receive(["nbHits": 2_000, "facets": ["rating": .object(many)]])
    expectEqual(test.view(rating).items.map(\.count), [nil, nil, nil, nil])
    #expect(test.view(rating).canRefine)
  }

  /// A menu of minimums has no maximum: a number above all of them counts for each, and is found.
  @Test func minimumsHaveNoMaximum() async throws {
    let engine = try await LocalSearch(
      indexName: "products",
      records: [0, 1, 4, 4, 5, 11].map { ["oscars": .int($0)] as JSON },
      settings: IndexSettings(attributesForFaceting: ["oscars"]))
    let client = SearchClient(transport: engine)
    let items = [NumericMenu.Item("Any")] + [1, 4].map { .init("\($0)+", start: Double($0)) }
    let menu = NumericMenu(attribute: "oscars", items: items, countsHits: true)
    let screen = try SearchScreen(
      indexName: "products", widgets: [menu], routing: .singleIndex("products"))
    let all = try await client.search(screen, in: UIState())
    expectEqual(all.view(of: menu).items.map(\.count), [6, 5, 4])
    let state = try all.uiState(after: menu.select(2))
    let address = screen.query(of: state)
    expectEqual(address, "numericMenu%5Boscars%5D=4%3A")
    let chosen = try await client.search(screen, in: screen.read(query: address).state)
    expectEqual(chosen.page(of: JSON.self).nbHits, 4)
    // The other choices keep their counts.
    expectEqual(chosen.view(of: menu).items.map(\.count), [6, 5, 4])
    expectEqual(chosen.view(of: menu).selected, 2)
    let plain = NumericMenu(attribute: "oscars", items: items)
    let uncounted = try await client.search(
      SearchScreen(indexName: "products", widgets: [plain]), in: UIState())
    expectEqual(uncounted.view(of: plain).items.map(\.count), [nil, nil, nil])
  }

  // MARK: Maps

  /// A map over the 180th meridian is two boxes, because a box has two opposite corners.
  @Test(arguments: [-160.0, 200]) func aMapOverTheMeridianIsTwoBoxes(east: Double) throws {
    let map = GeoSearch(of: JSON.self)
    var test = try TestScreen(map)
    let corners = try #require(
      IndexUIState.MapCorners(
        northEast: Point(latitude: 0, longitude: east),
        southWest: Point(latitude: -30, longitude: 170)))
    try test.apply(map.refine(corners))
    try expectEqual(
      test.hitsQuery["insideBoundingBox"], [[0, 180, -30, 170], [0, -160, -30, -180]])
    expectEqual(test.view(map).corners, corners)
    expectEqual(test.uiState.geoSearch?.description, "0,-160,-30,170")
    expectEqual(IndexUIState.MapCorners("0,\(Int(east)),-30,170"), corners)
    try test.apply(map.clearMapRefinement())
    #expect(try test.view(map).corners == nil && test.hitsQuery["insideBoundingBox"] == nil)
    #expect(
      IndexUIState.MapCorners(
        northEast: Point(latitude: 0, longitude: 541), southWest: corners.southWest) == nil)
  }

  // MARK: Pages

  /// The pages of a list follow each other: those that are remembered elsewhere are shown when the
  /// list reaches them.
  @Test func anEndlessListHasNoHoles() throws {
    let (pages, hits) = (Pagination(), InfiniteHits(of: JSON.self))
    var test = try TestScreen(pages, hits)
    func receive(_ page: Int) throws {
      try test.receive(["hits": [["objectID": "\(page)"]], "page": .int(Int64(page)), "nbPages": 9])
    }
    func shown() -> [Int] { test.view(hits).pages.map(\.number) }
    try receive(0)
    for page in 1...2 {
      try test.apply(hits.showMore())
      try receive(page)
    }
    expectEqual(shown(), [0, 1, 2])
    try test.apply(pages.show(5))
    try receive(5)
    expectEqual(shown(), [5])
    #expect(!test.view(hits).isFirstPage)
    for page in [4, 3] {
      try test.apply(hits.showPrevious())
      expectEqual(test.state.query.page, page)
      try receive(page)
    }
    expectEqual(shown(), [0, 1, 2, 3, 4, 5])
    #expect(test.view(hits).isFirstPage)
    try test.apply(hits.showMore())
    expectEqual(test.state.query.page, 6)
  }

  // MARK: Escapes

  /// No two values have one link.
  @Test(arguments: ["-x", #"\-x"#, #"\\-x"#, #"\\\-x"#, #"\x"#, "x-", #"\"#, "-", ""])
  func valuesAreReadAsTheyWereWritten(value: String) {
    expectEqual(value.escapedFacetValue.unescapedFacetValue, value)
  }
}
