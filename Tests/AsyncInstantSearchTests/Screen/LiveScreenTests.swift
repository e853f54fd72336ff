import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Observation
import TestSupport
import Testing

/// A screen that a searcher shows, also with screens of other indices.
struct LiveScreenTests {
  private struct Widgets {
    let box = SearchBox()
    let brands = FacetList(attribute: "brand", limit: 2, showMoreLimit: 5)
    let pages = Pagination()
    let current = CurrentFilters()
    let clear = FilterClear()

    /// - Parameter isNested: Whether the screen has one of the same index in it.
    func screen(isNested: Bool = false) throws -> SearchScreen {
      let inner = try SearchScreen(
        indexName: "products", indexID: "inner", widgets: [brands, pages, current, clear])
      return try SearchScreen(
        indexName: "products", indexID: "outer", widgets: [box, brands, pages, current, clear],
        indices: isNested ? [inner] : [])
    }
  }

  @Test func liveScreenShowsWhatAnAwaitedSearchShows() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    let live = try searcher.connect(try widgets.screen())
    #expect(live.view(of: widgets.brands).items.isEmpty && shop.transport.requests.isEmpty)
    try await searcher.search()
    try live.perform(widgets.brands.toggle("Apple"))
    #expect(live.view(of: widgets.brands).items.first?.isRefined == true)
    try live.perform(widgets.brands.toggleShowMore())
    try await searcher.settled()
    expectEqual(shop.transport.requests.count, 2)
    let results = try await shop.client.search(widgets.screen(), in: live.uiState)
    expectEqual(results.uiState, live.uiState)
    expectEqual(results.view(of: widgets.brands), live.view(of: widgets.brands))
    expectEqual(results.view(of: widgets.pages), live.view(of: widgets.pages))
    expectEqual(results.view(of: widgets.current), live.view(of: widgets.current))
  }

  @Test func nestedIndicesAreOneRequestAndInheritTheState() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    let live = try searcher.connect(try widgets.screen(isNested: true))
    let inner = try #require(live["inner"])
    try await searcher.search()
    expectEqual(shop.transport.requests.count, 1)
    // A change of the inner index alone is one request, too.
    try inner.perform(widgets.brands.toggle("Dell"))
    try await searcher.settled()
    expectEqual(shop.transport.requests.count, 2)
    #expect(live.uiState["outer"].isEmpty)
    expectEqual(live.uiState["inner"].refinementList, ["brand": ["Dell"]])
    try live.perform(widgets.box.setQuery("phone"))
    try await searcher.settled()
    let results = try await shop.client.search(widgets.screen(isNested: true), in: live.uiState)
    for id in ["outer", "inner"] {
      let (awaited, live) = (try #require(results[id]), try #require(live[id]))
      expectEqual(awaited.view(of: widgets.brands), live.view(of: widgets.brands), "\(id)")
      expectEqual(awaited.view(of: widgets.pages), live.view(of: widgets.pages), "\(id)")
    }
    expectEqual(live.views(of: widgets.current).map(\.indexID), ["outer", "inner"])
    try live.perform(widgets.clear.clear(), inAllScreens: true)
    try await searcher.settled()
    #expect(live.uiState["inner"].isEmpty && shop.transport.requests.count == 5)
  }

  @Test func componentOfAMultiSearcherShowsNestedIndices() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let (first, second) = (shop.searcher(), shop.searcher())
    let multi = MultiSearcher(client: shop.client)
    multi.addSearcher(first)
    multi.addSearcher(second)
    let live = try first.connect(try widgets.screen(isNested: true))
    try await multi.search()
    expectEqual(shop.transport.requests.count, 1)
    #expect(live["inner"]?.view(of: widgets.pages).nbHits ?? 0 > 0)
    expectEqual(live.view(of: widgets.pages).nbHits, 60)
  }

  @Test func statesForTheAddressBarAreStreamed() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    let live = try searcher.connect(try widgets.screen())
    var states = live.uiStates(buffering: .unbounded).makeAsyncIterator()
    #expect(await states.next()?.isEmpty == true)
    try live.perform(widgets.box.setQuery("phone"))
    await expectEqual(states.next()?["outer"].query, "phone")
    try live.perform(widgets.brands.toggleShowMore())
    await expectEqual(states.next()?["outer"].showMore, ["brand": true])
    // Back in the history of a browser.
    try live.setUIState(UIState())
    #expect(await states.next()?.isEmpty == true)
    try await searcher.settled()
    expectEqual(searcher.request.query.query, "")
  }

  @Test func viewsAreTrackedByObservers() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    let live = try searcher.connect(try widgets.screen())
    let changes = Lock(0)
    withObservationTracking {
      _ = live.view(of: widgets.brands)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    try await searcher.search()
    expectEqual(changes.withLock { $0 }, 1)
  }

  @Test func updatesBeginWithTheCurrentViewAndAreNotRepeated() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    let live = try searcher.connect(try widgets.screen())
    var updates = live.updates(of: widgets.box, buffering: .unbounded).makeAsyncIterator()
    try await searcher.search()
    try live.perform(widgets.box.setQuery("a"))
    try live.perform(widgets.box.setQuery("b"))
    await expectEqual(updates.next()?.query, "")
    await expectEqual(updates.next()?.query, "a")
    await expectEqual(updates.next()?.query, "b")
    let unknown = live.updates(of: SearchStats(), buffering: .unbounded)
    await expectEqual(unknown.reduce(0) { count, _ in count + 1 }, 1)
  }

  @Test func screensThatDoNotFitAreRefused() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    let other = try SearchScreen(indexName: "offers", widgets: [widgets.box])
    #expect(throws: SearchError.self) { try searcher.connect(other) }
    let live = try searcher.connect(try widgets.screen(isNested: true))
    #expect(throws: SearchError.self) { try searcher.connect(try widgets.screen(isNested: true)) }
    let clash = try SearchScreen(
      indexName: "products", widgets: [FacetList(attribute: "brand", operator: .and)])
    #expect(throws: SearchError.self) { try searcher.connect(clash) }
    let missing = SearchStats()
    #expect(throws: SearchError.self) {
      try live.perform(missing.action { $0.state.query.page = 1 })
    }
  }

  /// Ten thousand screens that are connected and dropped leave nothing.
  @Test func droppedScreensLeaveNothing() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let searcher = shop.searcher()
    for _ in 0..<Thoroughness.count(500, thorough: 10_000) {
      _ = try searcher.connect(try widgets.screen(isNested: true))
    }
    try await searcher.search()
    let body = try JSON(parsing: shop.transport.requests.last?.body ?? [])
    #expect(body["facets"] == nil && body["requests"] == nil)
    var live: LiveScreen? = try searcher.connect(try widgets.screen(isNested: true))
    try live?.perform(widgets.brands.toggle("Dell"))
    live = nil
    try await searcher.search()
    #expect(shop.transport.requests.count <= 3)
  }

  @Test func liveScreenRetainsItsSearcherAndNothingRetainsTheScreen() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    weak var released: HitsSearcher?
    var live: LiveScreen? = try shop.searcher().connect(try widgets.screen(isNested: true))
    released = live?.searcher
    try await live?.searcher.search()
    let interactor = try #require(live?.interactor(of: widgets.brands))
    let controller = await live?.controller(of: widgets.brands)
    let states = try #require(live?.uiStates(buffering: .unbounded))
    #expect(interactor.view.items.count == 2 && released != nil)
    live = nil
    #expect(released == nil && interactor.view.items.count == 2)
    await expectEqual(controller?.view?.items.count, 2)
    #expect(throws: SearchError.self) { try interactor.perform { $0.toggle("Dell") } }
    for await _ in states {}
  }

  @Test @MainActor func controllersOfWidgetsAreMadeOnceAndShowTheWidgets() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let live = try shop.searcher().connect(try widgets.screen(isNested: true))
    let inner = try #require(live["inner"])
    let controller = inner.controller(of: widgets.brands)
    #expect(controller.view?.items.isEmpty == true)
    #expect(controller === live["inner"]?.controller(of: widgets.brands))
    #expect(controller !== live.controller(of: widgets.brands))
    try await live.searcher.search()
    expectEqual(controller.view?.items.count, 2)
    controller.perform { $0.toggle("Dell") }
    #expect(controller.actionError == nil)
    expectEqual(live.uiState["inner"].refinementList, ["brand": ["Dell"]])
    #expect(live.uiState["outer"].isEmpty)
    // The interactor of a live screen stays there.
    let other = shop.searcher()
    #expect(inner.interactor(of: widgets.brands).connectSearcher(other).isConnected)
    #expect(other.uiState.isEmpty)
  }
}
