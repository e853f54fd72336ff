@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// What connected widgets and screens must not do to each other.
struct ConnectedScreenTests {
  /// Every connection has a widget of its own, whatever other threads do at the same time.
  @Test func widgetsThatAreConnectedAtOnceAreNotMixedUp() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let count = Thoroughness.count(40, thorough: 400)
    let lists = try await withThrowingTaskGroup(of: [WidgetInteractor<FacetList>].self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<count / 8).map { number in
            let list = WidgetInteractor(FacetList(attribute: "facet \(task) \(number)"))
            list.connectSearcher(searcher)
            return list
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    for list in lists { try list.perform { $0.toggle(list.widget.attribute) } }
    for list in lists {
      let value = list.widget.attribute
      expectEqual(searcher.uiState.refinementList[value], [value])
    }
  }

  /// A request of a widget whose view does not change still ends.
  @Test func settledViewIsReturnedForAnEqualView() async throws {
    let shop = try await Shop()
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let searcher = shop.searcher()
    brands.connectSearcher(searcher)
    try await searcher.search()
    for text in ["zz", "zzz", "zzzz"] {
      try brands.perform { $0.search(text) }
      #expect(try await brands.settledView().items.isEmpty)
    }
  }

  /// Two screens of one searcher with equal widgets, one of which is released.
  @Test @MainActor func screensWithEqualWidgetsAreIndependent() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let box = SearchBox()
    let screen = try SearchScreen(indexName: "products", widgets: [box])
    let single = WidgetInteractor(box)
    single.connectSearcher(searcher)
    var first: LiveScreen? = try searcher.connect(screen)
    let second = try searcher.connect(screen)
    let (interactor, controller) = (second.interactor(of: box), second.controller(of: box))
    try first?.perform(box.setQuery("a"))
    #expect(interactor.view.query == "a" && single.view.query == "a")
    first = nil
    try interactor.perform { $0.setQuery("b") }
    #expect(second.view(of: box).query == "b" && single.view.query == "b")
    try await searcher.search()
    expectEqual(controller.view?.query, "b")
    try second.perform(box.setQuery("c"), inAllScreens: true)
    expectEqual(single.view.query, "c")
  }

  /// A controller shows the views of the searcher to which the widget has moved, whose screen has
  /// changed less often.
  @Test @MainActor func controllerFollowsToAnotherSearcher() async throws {
    let shop = try await Shop()
    let (first, second) = (shop.searcher(), shop.searcher())
    let box = WidgetInteractor(SearchBox())
    let controller = WidgetObservableController<SearchBox>()
    box.connectController(controller)
    box.connectSearcher(first)
    for number in 0..<50 { try box.perform { $0.setQuery("\(number)") } }
    try await first.search()
    expectEqual(controller.view?.query, "49")
    box.connectSearcher(second)
    try box.perform { $0.setQuery("phone") }
    try await second.search()
    expectEqual(controller.view?.query, "phone")
  }

  /// A removed widget no longer has its part in the address bar of others.
  @Test func removedWidgetLeavesTheStatesOfOthers() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let live = try searcher.connect(
      try SearchScreen(indexName: "products", widgets: [SearchBox()]))
    var brands: WidgetInteractor<FacetList>? = WidgetInteractor(FacetList(attribute: "brand"))
    brands?.connectSearcher(searcher)
    try brands?.perform { $0.toggle("Dell") }
    var states = live.uiStates(buffering: .unbounded).makeAsyncIterator()
    await expectEqual(states.next()?["products"].refinementList, ["brand": ["Dell"]])
    brands = nil
    #expect(await states.next()?.isEmpty == true)
  }

  private struct Nested {
    let box = SearchBox()
    let inner = SearchBox()
    let brands = FacetList(attribute: "brand")
    let pages = Pagination()
    let screen: SearchScreen

    init() throws {
      screen = try SearchScreen(
        indexName: "products", widgets: [box],
        indices: [
          try SearchScreen(
            indexName: "products", indexID: "inner", widgets: [inner, brands, pages])
        ])
    }
  }

  /// A click in a nested index is searched at once; a text that is typed there waits.
  @Test(arguments: Seed.all(10))
  func onlyTextWaitsInANestedIndex(seed: Seed) async throws {
    let (clock, executor) = (ManualClock(), SeededExecutor(seed: seed.value))
    let answer = #"{"hits":[],"nbHits":0}"#
    let transport = ScriptedTransport(json: #"{"results":[\#(answer),\#(answer)]}"#)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      debounce: .milliseconds(300), options: SearcherOptions(clock: clock, executor: executor))
    let widgets = try Nested()
    let inner = try #require(try searcher.connect(widgets.screen)["inner"])
    searcher.submit()
    executor.runUntilIdle()
    try inner.perform(widgets.brands.toggle("Dell"))
    executor.runUntilIdle()
    expectEqual(transport.requests.count, 2)
    try inner.perform(widgets.inner.setQuery("a"))
    executor.runUntilIdle()
    expectEqual(transport.requests.count, 2)
    clock.advance(by: .milliseconds(300))
    executor.runUntilIdle()
    expectEqual(transport.requests.count, 3)
  }

  /// A nested choice that schedules no search restarts the one that is running.
  @Test(arguments: Seed.all(10))
  func runningSearchIsRestartedForANestedIndex(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let executor = SeededExecutor(seed: seed.value)
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 0 { await gate.pass() }
      return try await shop.engine.send(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock(), executor: executor))
    let widgets = try Nested()
    let live = try searcher.connect(widgets.screen)
    searcher.submit()
    executor.runUntilIdle()
    var state = UIState()
    state["inner"].refinementList["brand"] = ["Dell"]
    try live.setUIState(state, searchesOnChange: false)
    gate.open()
    executor.runUntilIdle()
    expectEqual(live["inner"]?.view(of: widgets.pages).nbHits, 12)
  }

  /// The fields of a form lead where its action leads.
  @Test func formsLeadWhereTheirActionsLead() async throws {
    let shop = try await Shop()
    let widgets = try Nested()
    var state = UIState()
    state["inner"].page = 2
    state["inner"].refinementList["brand"] = ["Dell"]
    state["inner"].facetQuery["brand"] = "d"
    let results = try await shop.client.search(widgets.screen, in: state)
    expectEqual(
      results.hiddenFields(without: widgets.box).map(\.name),
      ["inner[refinementList][brand][0]", "inner[facetQuery][brand]"])
    let inner = try #require(results["inner"])
    expectEqual(
      inner.hiddenFields(without: widgets.brands, part: "facetQuery").map(\.name),
      ["inner[page]", "inner[refinementList][brand][0]"])
    #expect(inner.hiddenFields(without: widgets.brands).isEmpty)
  }

  @Test func screensWhoseURLsLoseChoicesAreRefused() throws {
    let inner = try SearchScreen(indexName: "b", widgets: [Pagination()])
    #expect(throws: SearchError.self) {
      try SearchScreen(
        indexName: "a", widgets: [SearchBox()], indices: [inner], routing: .singleIndex("a"))
    }
    _ = try SearchScreen(
      indexName: "a", widgets: [SearchBox()],
      indices: [try SearchScreen(indexName: "b", widgets: [SearchStats()])],
      routing: .singleIndex("a"))
  }

  /// A choice before the first results keeps what the URL has for widgets that become active later.
  @Test func choiceBeforeTheResultsKeepsTheURL() async throws {
    let shop = try await Shop.shared.value
    let screen = try ShopScreen()
    let searcher = HitsSearcher(
      client: SearchClient(transport: shop.engine), indexName: "products")
    let live = try searcher.connect(screen.screen)
    var state = UIState()
    state["products"].refinementList["color"] = ["red"]
    try live.setUIState(state, searchesOnChange: false)
    try live.perform(screen.prices.set(0, 500))
    try await searcher.settled()
    expectEqual(live.uiState["products"].refinementList, ["color": ["red"]])
    #expect(live.isActive(screen.colors) && live.uiState["products"].range.count == 1)
  }
}
