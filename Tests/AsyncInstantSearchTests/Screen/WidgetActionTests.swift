import AsyncInstantSearch
import AsyncInstantSearchTesting
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Actions that are not possible, actions on several screens, and when views are made.
struct WidgetActionTests {
  private func error<W: SearchWidget>(of action: WidgetAction<W>) -> SearchError? {
    var target = WidgetContext(action.widget, state: IndexState("products"))
    do throws(SearchError) {
      try action.apply(&target)
      return nil
    } catch {
      expectEqual(target.state, IndexState("products"))
      return error
    }
  }

  @Test func impossibleActionsChangeNothing() throws {
    expectEqual(error(of: Pagination().show(-3))?.code, .invalidRequest)
    #expect(error(of: Pagination().show(0)) == nil)
    let rating = RatingMenu(attribute: "rating")
    for number in [-1, 0, 6] {
      expectEqual(error(of: rating.toggle(number))?.code, .invalidRequest)
    }
    for number in 1...5 { #expect(error(of: rating.toggle(number)) == nil) }
    let menu = HierarchicalMenu(HierarchicalFacet(attributes: ["lvl0", "lvl1"]))
    expectEqual(error(of: menu.toggle(""))?.code, .invalidRequest)
    #expect(error(of: menu.toggle("Books")) == nil)
  }

  @Test func filtersOfAllScreensAreListedAndCleared() async throws {
    let shop = try await Shop()
    let brands = FacetList(attribute: "brand")
    let (current, clear, pages) = (CurrentFilters(), FilterClear(), Pagination())
    let inner = try SearchScreen(
      indexName: "products", indexID: "inner", widgets: [brands, current, clear, pages])
    let screen = try SearchScreen(
      indexName: "products", indexID: "outer", widgets: [brands, current, clear], indices: [inner])
    let state = UIState.read(
      query: "outer[refinementList][brand][0]=Apple&inner[refinementList][brand][0]=Dell"
    ).state
    let results = try await shop.client.search(screen, in: state)
    let views = results.views(of: current)
    expectEqual(views.map(\.indexID), ["outer", "inner"])
    expectEqual(views.map { $0.view.groups.flatMap(\.items).map(\.value) }, [["Apple"], ["Dell"]])
    expectEqual(results.views(of: pages).map(\.indexID), ["inner"])
    let cleared = try results.uiState(after: clear.clear(), inAllScreens: true)
    expectEqual(cleared.query(), "")
    try expectEqual(
      results.uiState(after: clear.clear()).query(),
      "inner%5BrefinementList%5D%5Bbrand%5D%5B0%5D=Dell")
    #expect(throws: SearchError.self) { try results.uiState(after: pages.show(1)) }
    #expect(throws: SearchError.self) {
      try results.uiState(after: SearchBox().clear(), inAllScreens: true)
    }
    let second = try results.uiState(after: pages.show(1), inAllScreens: true)
    expectEqual(second["inner"].page, 2)
    expectEqual(second["outer"].page, 1)
  }

  /// Counts how often its view is made.
  private struct Counted: SearchWidget {
    let counts: Counts

    func view(_ context: Context) -> Int { counts.next() }
  }

  /// The same with a view of the status.
  private struct CountedStatus: StatusWidget {
    let counts: Counts

    func view(_ context: Context) -> Int { counts.next() }
  }

  private final class Counts: Sendable, Hashable {
    let number = Lock(0)
    static func == (first: Counts, second: Counts) -> Bool { first === second }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func next() -> Int {
      number.withLock { number in
        number += 1
        return number
      }
    }
  }

  @Test(arguments: [true, false])
  func onlyViewsOfTheStatusAreMadeWhenASearchBegins(showsStatus: Bool) async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let counts = Counts()
    let (plain, status) = (
      WidgetInteractor(Counted(counts: counts)), WidgetInteractor(CountedStatus(counts: counts))
    )
    let views = [plain.views, status.views]
    defer { withExtendedLifetime(views) {} }
    if showsStatus { status.connectSearcher(searcher) } else { plain.connectSearcher(searcher) }
    try await searcher.search()
    let before = counts.number.withLock { $0 }
    try await searcher.search()
    let made = counts.number.withLock { $0 } - before
    if showsStatus { #expect(made >= 2) } else { expectEqual(made, 1) }
  }

  @Test func viewsThatNobodyWaitsForAreMadeWhenTheyAreRead() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let counts = Counts()
    let interactor = WidgetInteractor(Counted(counts: counts))
    interactor.connectSearcher(searcher)
    var stream: AsyncStream<Int>? = interactor.views
    await expectEqual(stream?.first { _ in true }, interactor.view)
    stream = nil
    try await searcher.search()
    let before = counts.number.withLock { $0 }
    try await searcher.search()
    searcher.setQuery("phone")
    try await searcher.settled()
    expectEqual(counts.number.withLock { $0 }, before)
    expectEqual(interactor.view, before + 1)
    // A widget that was removed shows the last view to those who come later.
    interactor.connectSearcher(searcher).disconnect()
    searcher.setQuery("player")
    try await searcher.settled()
    expectEqual(counts.number.withLock { $0 }, before + 1)
    await expectEqual(interactor.views.first { _ in true }, before + 2)
  }

  /// Only typed text waits for the debounce.
  @Test func clicksAreSearchedAtOnce() async throws {
    let shop = try await Shop.shared.value
    let (clock, executor) = (ManualClock(), SeededExecutor(seed: 1))
    let transport = ScriptedTransport { request, _ in try await shop.engine.send(request) }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      debounce: .milliseconds(300), options: SearcherOptions(clock: clock, executor: executor))
    let filters = FilterState()
    searcher.connectFilterState(filters)
    let (box, brands) = (
      WidgetInteractor(SearchBox()), WidgetInteractor(FacetList(attribute: "brand"))
    )
    let clear = WidgetInteractor(FilterClear(.allExcept([])))
    for connect in [box.connectSearcher, brands.connectSearcher, clear.connectSearcher] {
      _ = connect(searcher)
    }
    func searches(_ change: () throws -> Void) rethrows -> Int {
      let before = transport.requests.count
      try change()
      executor.runUntilIdle()
      return transport.requests.count - before
    }
    try expectEqual(searches { try box.perform { $0.setQuery("phone") } }, 0)
    expectEqual(searches { clock.advance(by: .milliseconds(300)) }, 1)
    try expectEqual(searches { try brands.perform { $0.toggle("Dell") } }, 1)
    expectEqual(searches { filters.update { $0[or: "brand"].add("brand" == "Bose") } }, 1)
    expectEqual(searches { searcher.setQuery("phones") }, 0)
    // A click searches the text that waits, too.
    try expectEqual(searches { try brands.perform { $0.toggle("Dell") } }, 1)
    expectEqual(searcher.request.query.query, "phones")
    try expectEqual(searches { try clear.perform { $0.clear() } }, 1)
    var uiState = IndexUIState()
    uiState.query = "player"
    expectEqual(searches { searcher.setUIState(uiState) }, 1)
    expectEqual(searches { clock.advance(by: .seconds(1)) }, 0)
  }

  /// An empty text changes nothing where there is none.
  @Test func firstEmptyTextIsNotSearchedAgain() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    try await searcher.search()
    searcher.setQuery("")
    try await searcher.search(for: "")
    try await searcher.settled()
    #expect(shop.transport.requests.count == 2 && searcher.request.query.query == nil)
  }

  /// A bound of a URL on the other side of the limits would find nothing that the widget can show.
  @Test func boundsOutsideTheLimitsAreIgnored() throws {
    let range = NumberRange(attribute: "price", min: 0, max: 100)
    let empty = try SearchScreen(indexName: "products", widgets: [range])
    func filters(_ lower: Double?, _ upper: Double?) -> String? {
      var (screen, uiState) = (empty, IndexUIState())
      uiState.range["price"] = NumberBounds(lower: lower, upper: upper)
      screen.read(uiState, at: 0)
      return screen.state.filters.text
    }
    #expect(filters(500, nil) == nil)
    #expect(filters(nil, -5) == nil)
    expectEqual(filters(100, nil), #""price" >= 100"#)
    expectEqual(filters(nil, 0), #""price" <= 0"#)
    expectEqual(filters(-1, 50), #""price" <= 50"#)
  }

  @Test func givenFiltersAreInTheURLOfAServer() async throws {
    let shop = try await Shop()
    let list = SelectableFilters(
      ["price" < 50, "price" > 500], groupName: "price")
    let screen = try SearchScreen(indexName: "products", widgets: [list])
    let first = try await shop.client.search(screen)
    let uiState = try first.uiState(after: list.toggle("price" < 50))
    let results = try await shop.client.search(
      screen, in: UIState.read(query: uiState.query()).state)
    expectEqual(results.state.filters.text, #""price" < 50"#)
    expectEqual(results.results?.page.nbHits, 5)
  }
}
