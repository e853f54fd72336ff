import AsyncInstantSearch
import TestSupport
import Testing

/// What a screen remembers when its widgets change.
@Suite struct SearchScreenTests {
  @Test func removingAWidgetKeepsTheMemoryOfTheOthers() throws {
    let brand = try FacetList(attribute: "brand", limit: 1, showMoreLimit: 5)
    let color = try FacetList(attribute: "color", limit: 1, showMoreLimit: 5)
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
      RelevantSort(), try HitsPerPage([HitsPerPage.Item("few", count: 5)], default: 5),
      try SortBy([SortBy.Item("cheap", indexName: "products_price_asc")]),
      try FilterToggle(attribute: "free", off: ["false"]),
      try HierarchicalMenu(HierarchicalFacet(attributes: ["lvl0", "lvl1"], rootPath: "Audio")),
      try FacetList(attribute: "brand"), try FacetMenu(attribute: "type"),
      try NumberRange(attribute: "price", min: 1), try RatingMenu(attribute: "rating"),
      try NumericMenu(attribute: "popularity", items: [NumericMenu.Item("low", end: 10)]),
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
      let isUsed = screen.uiState != UIState() || screen.search().parameters != WidgetParameters()
      #expect(isUsed, "\(widget)")
      screen.remove(widget)
      #expect(screen.state.isSameSearch(as: IndexState("products")), "\(widget)")
      expectEqual(screen.search().parameters, WidgetParameters())
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
    let (box, list) = (SearchBox(), try FacetList(attribute: "brand"))
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
}
