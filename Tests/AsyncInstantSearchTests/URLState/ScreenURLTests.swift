import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// URLs of a screen: every action is a link, and nothing of a URL is lost in silence.
@Suite struct ScreenURLTests {
  private func problems(of screen: SearchScreen, _ query: String) -> [String] {
    screen.read(query: query).problems.map(\.description)
  }

  // MARK: Links

  @Test func moreValuesAndASearchForValuesAreLinks() async throws {
    let shop = try await Shop()
    let brands = FacetList(attribute: "brand", limit: 2, showMoreLimit: 5)
    let screen = try SearchScreen(
      indexName: "products", widgets: [SearchBox(), brands], routing: .singleIndex("products"))
    let first = try await shop.client.search(screen)
    expectEqual(first.view(of: brands).items.count, 2)
    let more = try first.link(after: brands.toggleShowMore())
    expectEqual(more, "showMore%5Bbrand%5D=true")
    let second = try await shop.client.search(screen, in: screen.read(query: more).state)
    #expect(second.view(of: brands).items.count == 5 && second.view(of: brands).isShowingMore)
    try expectEqual(second.link(after: brands.toggleShowMore()), "")

    let found = try second.link(after: brands.search("a"))
    let third = try await shop.client.search(screen, in: screen.read(query: found).state)
    let view = third.view(of: brands)
    #expect(view.isFromSearch && view.searchText == "a" && view.isShowingMore)
    expectEqual(view.items.map(\.value).sorted(), ["Acme", "Apple"])
    // A choice ends the search for values, and keeps the others shown.
    try expectEqual(
      third.link(after: brands.toggle("Apple")),
      "refinementList%5Bbrand%5D%5B0%5D=Apple&showMore%5Bbrand%5D=true")
  }

  /// A search for values counts what the page finds, with all that its other widgets need.
  @Test func searchForValuesHasTheFiltersOfThePage() async throws {
    let shop = try await Shop()
    let brands = FacetList(attribute: "brand")
    let phones = Configure(SearchQuery().with { $0.filters = "price < 100" })
    let screen = try SearchScreen(indexName: "products", widgets: [phones, brands])
    let state = screen.read(query: "products[facetQuery][brand]=a").state
    let results = try await shop.client.search(screen, in: state)
    let counts = Dictionary(
      grouping: Shop.products.filter { $0.price < 100 }, by: \.brand
    ).mapValues(\.count)
    for item in results.view(of: brands).items { expectEqual(item.count, counts[item.value]) }
    #expect(results.view(of: brands).isFromSearch)
  }

  @Test func formsKeepTheOtherWidgets() async throws {
    let shop = try await Shop()
    let (box, prices) = (SearchBox(), NumberRange(attribute: "price"))
    let brands = FacetList(attribute: "brand")
    let screen = try SearchScreen(
      indexName: "products", widgets: [box, prices, brands, Pagination()],
      routing: .singleIndex("products"))
    let query =
      "query=p&page=2&refinementList[brand][0]=Dell&range[price][min]=100&range[price][max]="
    let (state, problems) = screen.read(query: query)
    #expect(problems.isEmpty)
    expectEqual(state["products"].range["price"], NumberBounds(lower: 100))
    let results = try await shop.client.search(screen, in: state)
    func fields(_ items: [QueryItem]) -> [String] { items.map { "\($0.name)=\($0.value)" } }
    expectEqual(
      fields(results.hiddenFields(without: box)),
      ["refinementList[brand][0]=Dell", "range[price]=100:"])
    expectEqual(
      fields(results.hiddenFields(without: prices)), ["query=p", "refinementList[brand][0]=Dell"])
  }

  // MARK: What has no effect

  @Test(arguments: [
    ("sortBy=evil", "sortBy: found \"evil\""), ("hitsPerPage=1000", "hitsPerPage: found \"1000\""),
    ("range[price]=500:100", "range[price]: found \"500:100\""),
    ("refinementList[evil][0]=x", "refinementList[evil]: found \"[x]\""),
    ("utm_source=mail", "utm_source: found \"mail\""),
    ("ratingMenu[rating]=9", "ratingMenu[rating]: found \"9\""),
    ("showMore[brand]=true", "showMore[brand]: found \"true\""),
  ])
  func whatHasNoEffectIsReported(query: String, problem: String) throws {
    let widgets: [any SearchWidget] = [
      SearchBox(), SortBy([.init("all", indexName: "products")]),
      HitsPerPage([.init("5", count: 5)], default: 5), NumberRange(attribute: "price"),
      FacetList(attribute: "brand"), RatingMenu(attribute: "rating"),
    ]
    let screen = try SearchScreen(
      indexName: "products", widgets: widgets, routing: .singleIndex("products"))
    expectEqual(
      problems(of: screen, query + "&query=phone"),
      [problem + ", expected a value that a widget of the screen reads and offers"])
    #expect(problems(of: screen, "query=phone&refinementList[brand][0]=Dell").isEmpty)
  }

  @Test func unknownKeysAreKeptOnDemand() async throws {
    let shop = try await Shop()
    let brands = FacetList(attribute: "brand")
    let screen = try SearchScreen(
      indexName: "products", widgets: [brands], routing: .singleIndex("products"),
      keepsUnreadParts: true)
    let (state, problems) = screen.read(query: "utm_source=mail&menu[shelf]=sale")
    #expect(problems.isEmpty)
    let results = try await shop.client.search(screen, in: state)
    try expectEqual(
      results.link(after: brands.toggle("Dell")),
      "refinementList%5Bbrand%5D%5B0%5D=Dell&menu%5Bshelf%5D=sale&utm_source=mail")
  }

  @Test func indexOfTheRoutingMustExist() throws {
    #expect(throws: SearchError.self) {
      try SearchScreen(indexName: "i", widgets: [SearchBox()], routing: .singleIndex("typo"))
    }
    let inner = try SearchScreen(indexName: "i", widgets: [])
    #expect(throws: SearchError.self) {
      try SearchScreen(indexName: "i", widgets: [], indices: [inner])
    }
    let screen = try SearchScreen(indexName: "i", widgets: [SearchBox()])
    expectEqual(
      problems(of: screen, "j[query]=a"),
      ["j: found \"values\", expected an index of the screen: i"])
  }

  // MARK: Widgets of one attribute

  @Test func clashingWidgetsAreRefused() throws {
    let lists = [
      FacetList(attribute: "brand", operator: .or),
      FacetList(attribute: "brand", operator: .and),
    ]
    let error = #expect(throws: SearchError.self) {
      try SearchScreen(indexName: "products", widgets: lists)
    }
    #expect(
      error?.message.contains("A FacetList and a FacetList read the part refinementList[brand]")
        == true)
    // Equal forms share the part.
    _ = try SearchScreen(
      indexName: "products", widgets: [lists[0], FacetList(attribute: "brand", limit: 3)])
    let hierarchy = HierarchicalFacet(attributes: ["lvl0", "lvl1"])
    _ = try SearchScreen(
      indexName: "products", widgets: [HierarchicalMenu(hierarchy), Breadcrumb(hierarchy)])
  }

  @Test func rangeAndNumericMenuKeepEachOthersPart() throws {
    let range = NumberRange(attribute: "price")
    let menu = NumericMenu(
      attribute: "price",
      items: [.init("all"), .init("cheap", end: 100), .init("one", start: 5, end: 5)])
    for widgets in [[range, menu], [menu, range]] as [[any SearchWidget]] {
      for query in ["range[price]=10:100", "numericMenu[price]=:100", "numericMenu[price]=5"] {
        var screen = try SearchScreen(
          indexName: "products", widgets: widgets, routing: .singleIndex("products"))
        screen.read(screen.read(query: query).state)
        #expect(!screen.state.filters.isEmpty, "\(query)")
        let written = screen.uiState
        var copy = screen
        copy.read(written)
        #expect(copy.state == screen.state && copy.uiState == written, "\(query)")
      }
    }
  }

  @Test func breadcrumbReadsWhatItWrites() throws {
    let hierarchy = HierarchicalFacet(attributes: ["lvl0", "lvl1"])
    let crumbs = Breadcrumb(hierarchy)
    var test = try TestScreen(crumbs)
    try test.apply(crumbs.show("Audio > Radio"))
    try expectEqual(TestScreen(crumbs, uiState: test.uiState.throughURL()).state, test.state)
    expectEqual(test.view(crumbs).items.map(\.label), ["Audio", "Radio"])
  }

  // MARK: Root paths

  @Test(arguments: ["Audio", "Audio > Radio"]) func rootPathHolds(root: String) throws {
    let hierarchy = HierarchicalFacet(attributes: ["lvl0", "lvl1", "lvl2"], rootPath: root)
    let menu = HierarchicalMenu(hierarchy)
    let depth = root == "Audio" ? 0 : 1
    let filter = JSON.string("lvl\(depth):\(root)")
    func filters(_ test: TestScreen) throws -> JSON? { try test.hitsQuery["facetFilters"] }
    var test = try TestScreen(menu)
    try expectEqual(filters(test), [[filter]])
    // Paths that are not below the root are replaced by it, in actions and in URLs.
    for path in ["Video", root, "Audio", "Video > TVs"] {
      try test.apply(menu.toggle(path))
      try expectEqual(filters(test), [[filter]], "\(path)")
    }
    var uiState = IndexUIState()
    uiState.hierarchicalMenu["lvl0"] = ["Video"]
    try expectEqual(filters(TestScreen(menu, uiState: uiState)), [[filter]])
    let below = root + " > x"
    try test.apply(menu.toggle(below))
    try expectEqual(filters(test), [[.string("lvl\(depth + 1):\(below)")]])
    try expectEqual(TestScreen(menu, uiState: test.uiState.throughURL()).state, test.state)
    try test.apply(menu.toggle(below))
    try expectEqual(filters(test), [[filter]])
  }

  /// A menu that dynamic facets hide limits nothing, and is in no URL.
  @Test func hiddenMenuHasNoRootPath() throws {
    let menu = HierarchicalMenu(
      HierarchicalFacet(attributes: ["lvl0", "lvl1"], rootPath: "Audio"))
    var test = try TestScreen(DynamicFacets(), menu)
    try test.receive(["nbHits": 5_000])
    #expect(try test.hitsQuery["facetFilters"] == nil)
    expectEqual(test.uiState, IndexUIState())
  }

  // MARK: Options

  @Test func optionsThatCannotWorkAreRefused() {
    #expect(HitsPerPage([.init("", count: 5_000)], default: 5_000).problem != nil)
    #expect(FilterToggle(attribute: "").problem != nil)
    #expect(NumberRange(attribute: "").problem != nil)
    #expect(NumericMenu(attribute: "", items: [.init("all")]).problem != nil)
    #expect(RatingMenu(attribute: "").problem != nil)
    #expect(
      NumericMenu(attribute: "price", items: [.init("x", start: .nan)]).problem != nil)
    #expect(RatingMenu(attribute: "rating", max: 1).problem != nil)
    #expect(
      HierarchicalMenu(HierarchicalFacet(attributes: ["a"], rootPath: "Audio")).problem != nil)
    #expect(Breadcrumb(HierarchicalFacet(attributes: ["a", "a"])).problem != nil)
    var context = WidgetContext(RelevantSort(), state: IndexState("products"))
    #expect(throws: SearchError.self) { try RelevantSort().refine(strictness: 500).apply(&context) }
    let sizes = HitsPerPage([.init("5", count: 5)], default: 5)
    #expect(throws: SearchError.self) {
      var context = WidgetContext(sizes, state: IndexState("products"))
      try sizes.select(25).apply(&context)
    }
  }

  /// A visitor's URL with 1,000 refinements is a page of at most 1 MB, with a link for each.
  @Test func thousandRefinementsAreASmallPage() async throws {
    let shop = try await Shop()
    let (list, chosen) = (FacetList(attribute: "brand", limit: 100), CurrentFilters())
    let (pages, box) = (Pagination(), SearchBox())
    let screen = try SearchScreen(indexName: "products", widgets: [list, chosen, pages, box])
    var asked = UIState()
    asked["products"].refinementList["brand"] = (0..<1_000).map { "brand number \($0)" }
    let (state, problems) = screen.read(query: screen.query(of: asked))
    #expect(problems.map(\.description).first?.contains("at most 50 parameters") == true)
    let results = try await shop.client.search(screen, in: state)
    var size = results.hiddenFields(without: box).reduce(0) { $0 + $1.name.utf8.count * 2 }
    let items = results.view(of: chosen).groups.flatMap(\.items)
    expectEqual(items.count, 50)
    for item in items { size += try results.link(after: chosen.remove(item)).utf8.count }
    for item in results.view(of: list).items {
      size += try results.link(after: list.toggle(item.value)).utf8.count
    }
    for page in 0..<10 { size += try results.link(after: pages.show(page)).utf8.count }
    #expect(size < 1_000_000 && size > 200_000, "\(size)")
  }

  @Test func longTextIsCutAndReported() throws {
    let screen = try SearchScreen(
      indexName: "products", widgets: [SearchBox()], routing: .singleIndex("products"))
    let text = String(repeating: "é", count: 300)
    let (state, problems) = screen.read(query: "query=\(text)")
    expectEqual(state["products"].query, String(text.prefix(256)))
    expectEqual(
      problems.map(\.description),
      [#"query: found "600 bytes", expected at most 512 bytes"#])
    #expect(screen.read(query: "query=\(text.prefix(256))").problems.isEmpty)
  }
}
