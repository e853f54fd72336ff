import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Widgets that are connected to a searcher.
struct WidgetInteractorTests {
  @Test func connectingDoesNotSearch() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let connection = brands.connectSearcher(searcher)
    #expect(brands.connectSearcher(searcher) === connection)
    expectEqual(searcher.state, .idle)
    #expect(shop.transport.requests.isEmpty)
    #expect(brands.view.items.isEmpty)
  }

  @Test func awaitedSearchReturnsWhenViewsShowItsResponse() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let stats = WidgetInteractor(SearchStats())
    brands.connectSearcher(searcher)
    stats.connectSearcher(searcher)
    try await searcher.search()
    expectEqual(brands.view.items.map(\.count), [12, 12, 12, 12, 12])
    expectEqual(stats.view.nbHits, 60)
    searcher.setQuery("phone")
    try await searcher.search()
    expectEqual(stats.view.nbHits, 20)
  }

  @Test func actionIsOneChangeAndOneRequest() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let prices = WidgetInteractor(NumberRange(attribute: "price"))
    let others: [WidgetInteractor<SearchStats>] = (0..<20).map { _ in
      WidgetInteractor(SearchStats())
    }
    brands.connectSearcher(searcher)
    prices.connectSearcher(searcher)
    for other in others { other.connectSearcher(searcher) }
    try await searcher.search()
    let requests = searcher.requests(buffering: .unbounded)
    var responses = searcher.responses.makeAsyncIterator()
    _ = await responses.next()
    try brands.perform { $0.toggle("Apple") }
    expectEqual(brands.view.items.first?.value, "Apple")
    #expect(brands.view.items.first?.isRefined == true)
    _ = await responses.next()
    try prices.perform { $0.set(100, nil) }
    _ = await responses.next()
    try await searcher.settled()
    expectEqual(shop.transport.requests.count, 3)
    expectEqual(brands.view.items.count, 5)
    expectEqual(prices.view.lowerBound, 100)
    expectEqual(others[0].view.nbHits, 10)
    var changes = 0
    for await _ in requests {
      changes += 1
      if changes == 3 { break }
    }
  }

  @Test func actionChangesTheFilterStateThatTheSearcherFollows() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let filters = FilterState()
    searcher.connectFilterState(filters)
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let box = WidgetInteractor(SearchBox())
    let clear = WidgetInteractor(FilterClear(.allExcept([])))
    brands.connectSearcher(searcher)
    box.connectSearcher(searcher)
    clear.connectSearcher(searcher)
    try await searcher.search()
    var responses = searcher.responses.makeAsyncIterator()
    _ = await responses.next()
    try brands.perform { $0.toggle("Apple") }
    expectEqual(filters.text, #""brand":"Apple""#)
    _ = await responses.next()
    filters.update { $0[or: "brand"].add("brand" == "Dell") }
    _ = await responses.next()
    try await searcher.settled()
    expectEqual(brands.view.items.filter(\.isRefined).map(\.value), ["Apple", "Dell"])
    try box.perform { $0.setQuery("phone") }
    _ = await responses.next()
    try await searcher.settled()
    #expect(clear.view.canRefine)
    try clear.perform { $0.clear() }
    _ = await responses.next()
    #expect(filters.text == nil)
    expectEqual(searcher.request.query.query, "")
    expectEqual(shop.transport.requests.count, 5)
  }

  @Test func impossibleActionChangesNothing() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let prices = WidgetInteractor(NumberRange(attribute: "price"))
    let error = #expect(throws: SearchError.self) { try prices.perform { $0.set(1, 2) } }
    expectEqual(error?.code, .invalidRequest)
    prices.connectSearcher(searcher)
    try await searcher.search()
    #expect(throws: SearchError.self) { try prices.perform { $0.set(60, 20) } }
    #expect(throws: SearchError.self) { try prices.perform { $0.set(-60, nil) } }
    expectEqual(shop.transport.requests.count, 1)
    #expect(searcher.request.filterGroups.isEmpty)
  }

  @Test func equalViewIsNotPublishedAgain() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let prices = WidgetInteractor(NumberRange(attribute: "price"))
    prices.connectSearcher(searcher)
    let views = prices.views(buffering: .unbounded)
    for text in ["", "p", "", "pl"] {
      searcher.setQuery(text)
      try await searcher.search()
    }
    try prices.perform { $0.set(100, 200) }
    try await searcher.search()
    var seen: [NumberRange.View] = []
    for await view in views {
      seen.append(view)
      if view.lowerBound != nil { break }
    }
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
    #expect(seen.count <= 4)
  }

  @Test func facetValuesAreSearched() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    brands.connectSearcher(searcher)
    try await searcher.search()
    var views = brands.views.makeAsyncIterator()
    _ = await views.next()
    try brands.perform { $0.search("a") }
    var view = await views.next()
    while view?.isFromSearch == false { view = await views.next() }
    expectEqual(view?.items.map(\.value).sorted(), ["Acme", "Apple"])
    try brands.perform { $0.toggle("Apple") }
    while view?.isFromSearch == true { view = await views.next() }
    expectEqual(view?.items.count, 5)
    #expect(brands.view.searchText.isEmpty)
  }

  @Test func interactorIsReleasedWithoutItsSearcher() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    weak var released: WidgetInteractor<FacetList>?
    do {
      let brands = WidgetInteractor(FacetList(attribute: "brand"))
      brands.connectSearcher(searcher)
      released = brands
      try await searcher.search()
    }
    #expect(released == nil)
    try await searcher.search()
    let last = try JSON(parsing: shop.transport.requests.last?.body ?? [])
    #expect(last["facets"] == nil)
  }

  @Test func searcherIsReleasedWithoutItsWidgets() async throws {
    let shop = try await Shop()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    weak var released: HitsSearcher?
    var connection: Connection?
    do {
      let searcher = shop.searcher()
      connection = brands.connectSearcher(searcher)
      try await searcher.search()
      released = searcher
    }
    #expect(released == nil)
    #expect(connection?.isConnected == false)
    expectEqual(brands.view.items.count, 5)
    #expect(throws: SearchError.self) { try brands.perform { $0.toggle("Apple") } }
  }
}

/// Widgets of the components of a multi-searcher, and of dynamic facets.
struct WidgetConnectionTests {
  @Test func sharedFiltersAreOneRequestForAllComponents() async throws {
    let shop = try await Shop()
    let multi = MultiSearcher(client: shop.client)
    let first = shop.searcher()
    let second = shop.searcher()
    multi.addSearcher(first)
    multi.addSearcher(second)
    let filters = FilterState()
    multi.connectFilterState(filters)
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let stats = WidgetInteractor(SearchStats())
    let clear = WidgetInteractor(FilterClear(.allExcept([])))
    brands.connectSearcher(first)
    clear.connectSearcher(first)
    stats.connectSearcher(second)
    try await multi.search()
    expectEqual(shop.transport.requests.count, 1)
    try brands.perform { $0.toggle("Apple") }
    expectEqual(filters.text, #""brand":"Apple""#)
    try await multi.settled()
    expectEqual(shop.transport.requests.count, 2)
    expectEqual(stats.view.nbHits, 12)
    expectEqual(brands.view.items.count, 5)
    multi.setQuery("phone")
    try await multi.settled()
    try clear.perform { $0.clear() }
    try await multi.settled()
    try await first.settled()
    #expect(filters.text == nil)
    expectEqual(first.request.query.query, "")
    expectEqual(second.request.query.query, "phone")
    expectEqual(shop.transport.requests.count, 4)
  }

  @Test func dynamicFacetsSearchAgainOnlyForOtherQueries() async throws {
    let shop = try await Shop()
    var settings = IndexSettings()
    settings.attributesForFaceting = ["brand", "color"]
    settings.searchableAttributes = ["name"]
    settings.renderingContent = RenderingContent(
      facetOrdering: FacetOrdering(facets: FacetsOrder(order: ["brand"])))
    try await shop.engine.setSettings(settings, of: "products")
    for (facets, count) in [(["*"], 1), ([], 2)] {
      let before = shop.transport.requests.count
      let searcher = shop.searcher()
      let dynamic = WidgetInteractor(DynamicFacets(facets: facets))
      let brands = WidgetInteractor(FacetList(attribute: "brand"))
      let colors = WidgetInteractor(FacetList(attribute: "color"))
      dynamic.connectSearcher(searcher)
      brands.connectSearcher(searcher)
      colors.connectSearcher(searcher)
      try await searcher.search()
      try await searcher.settled()
      expectEqual(dynamic.view.attributes, ["brand"])
      expectEqual(brands.view.items.count, 5)
      expectEqual(shop.transport.requests.count - before, count, "\(facets)")
    }
  }

  @Test func refinementsOfFacetsThatAreNotListedAnyMoreAreRemoved() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let filters = FilterState()
    searcher.connectFilterState(filters)
    let dynamic = WidgetInteractor(DynamicFacets())
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    dynamic.connectSearcher(searcher)
    brands.connectSearcher(searcher)
    for order in [["brand"], ["color"]] {
      var settings = IndexSettings()
      settings.attributesForFaceting = ["brand", "color"]
      settings.renderingContent = RenderingContent(
        facetOrdering: FacetOrdering(facets: FacetsOrder(order: order)))
      try await shop.engine.setSettings(settings, of: "products")
      try await searcher.search()
      try await searcher.settled()
      if order == ["brand"] {
        try brands.perform { $0.toggle("Apple") }
        try await searcher.settled()
      }
    }
    expectEqual(dynamic.view.attributes, ["color"])
    #expect(filters.text == nil)
  }
}

/// What a review and an attack of connected widgets found.
struct WidgetRegressionTests {
  @Test func connectingAfterASearchDoesNotSearch() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    try await searcher.search()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let pages = WidgetInteractor(InfiniteHits<Shop.Product>())
    brands.connectSearcher(searcher)
    pages.connectSearcher(searcher)
    try await searcher.settled()
    expectEqual(shop.transport.requests.count, 1)
    expectEqual(pages.view.items.count, 20)
  }

  @Test func actionWithoutEffectNeitherSearchesNorChangesTheFilterState() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let filters = FilterState()
    searcher.connectFilterState(filters)
    let free = WidgetInteractor(FilterToggle(attribute: "isFree", off: ["false"]))
    let sizes = WidgetInteractor(HitsPerPage([.init("5", count: 5)], default: 5))
    let clear = WidgetInteractor(FilterClear())
    let box = WidgetInteractor(SearchBox())
    free.connectSearcher(searcher)
    sizes.connectSearcher(searcher)
    clear.connectSearcher(searcher)
    box.connectSearcher(searcher)
    try await searcher.search()
    let request = searcher.request
    try free.perform { $0.set(false) }
    try sizes.perform { $0.select(5) }
    expectEqual(searcher.request, request)
    try box.perform { $0.setQuery("phone") }
    try await searcher.settled()
    #expect(filters.groups.isEmpty)
    #expect(searcher.request.query.hitsPerPage == nil)
    expectEqual(shop.transport.requests.count, 2)
    let last = try JSON(parsing: shop.transport.requests.last?.body ?? [])
    #expect(String(describing: last).contains("isFree:false"))
  }

  @Test func refinementReturnsToTheFirstOffset() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    searcher.update {
      $0.query.offset = 40
      $0.query.length = 10
    }
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    brands.connectSearcher(searcher)
    try brands.perform { $0.toggle("Apple") }
    expectEqual(searcher.request.query.offset, 0)
  }

  @Test func disconnectedWidgetWaitsForNothing() async throws {
    let shop = try await Shop()
    let gate = GatedTransport()
    let searcher = HitsSearcher(client: SearchClient(transport: gate), indexName: "products")
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let connection = brands.connectSearcher(searcher)
    try brands.perform { $0.search("a") }
    await gate.waitForCalls(1)
    connection.disconnect()
    _ = try await brands.settledView()
    brands.connectSearcher(shop.searcher())
    #expect(brands.view.searchError == nil)
  }

  @Test func hitsThatDoNotDecodeKeepTheirPositions() async throws {
    struct Cheap: Codable, Sendable {
      let name: String
      init(from decoder: any Decoder) throws {
        let product = try Shop.Product(from: decoder)
        if product.price == 20 {
          throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "expensive"))
        }
        name = product.name
      }
    }
    let shop = try await Shop()
    let searcher = shop.searcher()
    var errors = searcher.errors.makeAsyncIterator()
    let pages = WidgetInteractor(InfiniteHits<Cheap>())
    pages.connectSearcher(searcher)
    try await searcher.search()
    let page = try #require(pages.view.pages.first)
    expectEqual(page.failures.count, 1)
    let failed = try #require(page.failures.first?.position)
    #expect(!page.items.map(\.position).contains(failed))
    expectEqual(page.items.count, 19)
    expectEqual(page.items.last?.position, 20)
    await expectEqual(errors.next()?.failures.count, 1)
  }

  @Test func longPathsAndManyValuesOfAURLAreRead() throws {
    let list = FacetList(attribute: "brand")
    let menu = HierarchicalMenu(HierarchicalFacet(attributes: ["lvl0", "lvl1"]))
    var screen = try SearchScreen(indexName: "products", widgets: [list, menu])
    var uiState = IndexUIState()
    let count = Thoroughness.count(2_000, thorough: 20_000)
    uiState.refinementList["brand"] = (0..<count).map { "value \($0)" }
    uiState.hierarchicalMenu["lvl0"] = Array(repeating: "a", count: 5 * count)
    screen.read(uiState, at: 0)
    let state = screen.state
    expectEqual(state.values(of: "brand", operator: .or).count, count)
    expectEqual(state.filters[hierarchical: "lvl0"].path.count, 2)
  }

  @Test func paginationOfExtremeNumbersIsBounded() throws {
    for (padding, page, total) in [(Int.max, 0, Int.max), (3, .min, 10), (3, .max, 10)] {
      let widget = Pagination(padding: padding)
      var state = IndexState("products")
      state.query.page = page
      let results = try IndexResults(
        ["nbHits": 10, "nbPages": .int(Int64(total))],
        to: SearchPlan(SearchRequest("products")))
      let view = widget.view(WidgetContext(widget, state: state, results: results))
      #expect(view.pages.count <= 2_001)
    }
  }

  // MARK: Wrong options

  /// Widgets with a number that cannot be used.
  private static func wrong(with number: Int) -> [any SearchWidget] {
    let sources = [Autocomplete.Source.suggestions(indexName: "a")]
    return [
      FacetList(attribute: "brand", limit: number, keepsSelected: true),
      FacetList(attribute: "brand", showMoreLimit: number),
      FacetMenu(attribute: "brand", limit: number),
      HierarchicalMenu(HierarchicalFacet(attributes: ["brand"]), limit: number),
      RatingMenu(attribute: "rating", max: number),
      Autocomplete(sources: sources, recent: RecentSearches(["a"]), recentLimit: number),
      DynamicFacets(maxValuesPerFacet: number), HitsPerPage([.init("", count: number)], default: 1),
      Recommendations<JSON>.trendingItems(in: "products", maxRecommendations: number),
    ]
  }

  /// Widgets that ask for more than a search returns.
  private static func tooMany(_ number: Int) -> [any SearchWidget] {
    [
      FacetList(attribute: "brand", limit: number),
      FacetList(attribute: "brand", showMoreLimit: number),
      FacetMenu(attribute: "brand", limit: number),
      HierarchicalMenu(HierarchicalFacet(attributes: ["brand"]), limit: number),
      DynamicFacets(maxValuesPerFacet: number), HitsPerPage([.init("", count: number)], default: 1),
      Autocomplete(sources: [.suggestions(indexName: "a", limit: number)]),
    ]
  }

  private static let wrongOnes: [any SearchWidget] = [
    RatingMenu(attribute: "rating", max: .max), NumberRange(attribute: "price", precision: .min),
    NumberRange(attribute: "price", precision: .max),
    NumberRange(attribute: "price", min: .nan, max: .infinity),
    NumberComparison(attribute: "price", min: 2, max: 1), SortBy([]), HitsPerPage([], default: 1),
    NumericMenu(attribute: "price", items: [.init("", start: .nan, end: 1)]),
    NumericMenu(attribute: "price", items: []), FilterToggle(attribute: "free", on: []),
    HierarchicalMenu(HierarchicalFacet(attributes: [])),
    Breadcrumb(HierarchicalFacet(attributes: [])), SelectableFilters([Filter]()),
    FilterMap([Int: Filter]()), Autocomplete(sources: []), TrendingFacets("", in: ""),
  ]

  /// Whatever the options are, an interactor can be created, a view can be made of results, and no
  /// screen has the widget.
  @Test func wrongOptionsAreHarmless() throws {
    func check<W: SearchWidget>(_ widget: W) throws {
      #expect(widget.problem?.code == .invalidRequest, "\(widget)")
      _ = WidgetInteractor(widget).view
      var test = try TestScreen()
      test.screen.receive(
        try IndexResults(
          merging: [
            [
              "hits": [], "nbHits": 1,
              "facets": ["brand": ["a": 1, "b": 2], "rating": ["1": 1], "price": ["1": 1]],
            ]
          ], of: test.screen.plan()))
      _ = widget.view(
        WidgetContext(widget, state: IndexState("products"), results: test.results))
      #expect(throws: SearchError.self) {
        try SearchScreen(indexName: "products", widgets: [widget])
      }
    }
    let widgets = [Int.min, -1, 0].flatMap(Self.wrong) + [1_001, .max].flatMap(Self.tooMany)
    for widget in widgets + Self.wrongOnes { try check(widget) }
  }

  /// A widget with wrong options is refused by a screen, and by searches and actions of a searcher.
  @Test func wrongOptionsAreRefusedWhereAWidgetIsUsed() async throws {
    let shop = try await Shop()
    let wrong = RatingMenu(attribute: "rating", max: -1)
    let problem = try #require(wrong.problem)
    expectEqual(problem.code, .invalidRequest)
    for screens in [[], [try SearchScreen(indexName: "other", widgets: [])]] {
      let error = #expect(throws: SearchError.self) {
        try SearchScreen(
          indexName: "products", widgets: [SearchBox(), wrong], indices: screens)
      }
      expectEqual(error, problem)
    }
    let searcher = shop.searcher()
    let interactor = WidgetInteractor(wrong)
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    brands.connectSearcher(searcher)
    let connection = interactor.connectSearcher(searcher)
    expectEqual(
      await #expect(throws: SearchError.self) { try await searcher.search() }, problem)
    expectEqual(
      #expect(throws: SearchError.self) { try interactor.perform { $0.toggle(1) } }, problem)
    #expect(interactor.view.items.isEmpty)
    // Nor do other widgets make requests of their own.
    try brands.perform { $0.search("a") }
    // A multi-searcher does not send it, either.
    let multi = MultiSearcher(client: shop.client)
    multi.addSearcher(searcher)
    _ = try? await multi.search()
    expectEqual(searcher.state, .failed(problem))
    expectEqual(shop.transport.requests.count, 0)
    // The others work without it.
    connection.disconnect()
    try await searcher.search()
    #expect(shop.transport.requests.count > 0)
  }

  /// Nor do the nested indices of a screen that is connected to the same searcher.
  @Test func nestedScreensMakeNoRequestsBesideAWrongWidget() async throws {
    let shop = try await Shop()
    let brands = FacetList(attribute: "brand")
    let trending = Recommendations<JSON>.trendingItems(in: "products", maxRecommendations: 3)
    let searcher = shop.searcher()
    let live = try searcher.connect(
      SearchScreen(
        indexName: "products", widgets: [SearchBox()],
        indices: [SearchScreen(indexName: "other", widgets: [trending, brands])]))
    let interactor = WidgetInteractor(RatingMenu(attribute: "rating", max: -1))
    let connection = interactor.connectSearcher(searcher)
    _ = try? await searcher.search()
    _ = live.view(of: trending)
    try? live.perform(brands.search("b"))
    try? await searcher.settled()
    expectEqual(shop.transport.requests.count, 0)
    connection.disconnect()
  }
}
