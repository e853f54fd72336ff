@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Random actions of many widgets on the embedded engine, with late and failing responses.
@Suite(.timeLimit(.minutes(30))) struct WidgetSimulationTests {
  /// Actions while responses are pending, in 300 orders of execution: each is at most one search,
  /// and all views are those of the newest response.
  @Test(arguments: Seed.all(300))
  func viewsAreThoseOfTheNewestResponse(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let executor = SeededExecutor(seed: seed.value)
    let random = SeededRandom(seed: seed.value)
    let transport = shop.lateTransport(random)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock(), executor: executor))
    let filters = FilterState()
    let isConnected = random.number(below: 2) == 0
    if isConnected { searcher.connectFilterState(filters) }
    let screen = try ShopScreen()
    let search = LiveSearch(screen, searcher)
    let outcome = Lock<Result<Void, any Error>?>(nil)
    let user = Task(executorPreference: executor) {
      for _ in 0..<7 {
        if let change = search.performAny(random) { Self.check(change, seed.value) }
        if random.number(below: 5) == 0 {
          expectEqual(search.differencesFromModel, [], "seed \(seed.value)")
        }
        if isConnected, random.number(below: 6) == 0 {
          filters.update { $0[or: "brand"].toggle("brand" == "Bose") }
        }
        await random.pause(below: 40)
      }
      let result: Result<Void, any Error>
      do { result = .success(try await search.search()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
    }
    executor.runUntilIdle()
    await user.value
    try #require(outcome.withLock { $0 }, "seed \(seed.value)").get()
    // A search for values can have failed.
    try search.live.brands.perform { $0.search("") }
    #expect(transport.searchCount <= Int(searcher.newestGeneration), "seed \(seed.value)")

    let state = searcher.indexState
    if isConnected {
      expectEqual(searcher.request.filterGroups, filters.groups, "seed \(seed.value)")
    }
    let scratch = try await Scratch(
      screen.screen, showing: searcher.uiState, on: shop.engine)
    expectEqual(scratch.state.filters.text, state.filters.text, "seed \(seed.value)")
    expectEqual(search.differencesFromModel, [], "seed \(seed.value)")
    expectEqual(search.live.differences(from: scratch), [], "seed \(seed.value)")
    #expect(await search.isOrdered(), "seed \(seed.value)")
    try await Self.searchValues(search, scratch, screen, shop, executor, seed.value)
  }

  /// An action changes the search as its pure form does, and is one search if it changes it.
  static func check(_ change: LiveSearch.Change, _ seed: UInt64) {
    let label = "seed \(seed), \(change.deed.name)"
    expectEqual(change.deed.isPerformed, change.deed.isPossible, "\(label)")
    #expect(change.after.isSameSearch(as: change.deed.expected), "\(label)")
    if change.isChange {
      expectEqual(change.searches, 1, "\(label)")
    } else {
      #expect(change.searches <= (change.isRepeated ? 1 : 0), "\(label)")
    }
  }

  /// Searches values of a facet until a search succeeds; it shows those from scratch.
  private static func searchValues(
    _ search: LiveSearch, _ scratch: Scratch, _ screen: ShopScreen, _ shop: Shop,
    _ executor: SeededExecutor, _ seed: UInt64
  ) async throws {
    let (brands, text) = (search.live.brands, ["a", "ca", "x"][Int(seed % 3)])
    let generation = search.searcher.newestGeneration
    for _ in 0..<100 {
      try brands.perform { $0.search(text) }
      executor.runUntilIdle()
      if brands.view.searchError == nil { break }
      try brands.perform { $0.search("") }
    }
    let expected = try await scratch.view(of: screen.brands, searchingFor: text, on: shop.engine)
    #expect(expected.isFromSearch, "seed \(seed)")
    expectEqual(brands.view, expected, "seed \(seed)")
    expectEqual(search.searcher.newestGeneration, generation, "seed \(seed)")
  }

  /// However many widgets are connected, an action is exactly one request if it changes the search,
  /// and none if it does not. Only other dynamic facets in its response take a second one.
  @Test(arguments: Seed.all(20))
  func eachChangeIsOneRequest(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let executor = SeededExecutor(seed: seed.value)
    let random = SeededRandom(seed: seed.value &+ 9_000)
    let transport = shop.lateTransport(random, fails: seed.value.isMultiple(of: 2))
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock(), executor: executor))
    let search = LiveSearch(try ShopScreen(), searcher)
    let copies = (0..<30).map { _ in WidgetInteractor(SearchStats()) }
    for copy in copies { copy.connectSearcher(searcher) }
    let listed = WidgetInteractor(DynamicFacets(managing: [], facets: []))
    listed.connectSearcher(searcher)
    var changes = 0
    for _ in 0..<10 {
      let (before, facets) = (transport.searchCount, listed.view)
      guard let change = search.performAny(random) else { continue }
      Self.check(change, seed.value)
      executor.runUntilIdle()
      let sent = transport.searchCount - before
      let label = "seed \(seed.value), \(change.deed.name)"
      #expect(sent >= change.searches, "\(label)")
      #expect(sent <= change.searches + (listed.view == facets ? 0 : 1), "\(label)")
      if change.isChange { changes += 1 }
    }
    #expect(changes > 0, "seed \(seed.value)")
    withExtendedLifetime(copies) {}
  }

  /// The filters of random states mean on the engine what a predicate over the records means.
  @Test(arguments: Seed.all(300))
  func filtersAreAPredicate(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let screen = try ShopScreen()
    let random = SeededRandom(seed: seed.value &+ 5_000)
    var state = IndexUIState()
    state.query = ["", "", "phone", "player"][random.number(below: 4)]
    func some(_ values: [String]) -> [String] {
      values.filter { _ in random.number(below: 3) == 0 }
    }
    state.refinementList["brand"] = some(Shop.brands)
    state.refinementList["color"] = random.number(below: 2) == 0 ? some(Shop.colors) : []
    if random.number(below: 3) == 0 {
      let path = Shop.trees[random.number(below: Shop.trees.count)]
      state.hierarchicalMenu["categories.lvl0"] = path.split(separator: " > ").map(String.init)
    }
    if random.number(below: 2) == 0 {
      let lower = random.number(below: 600)
      state.range["price"] = NumberBounds(
        lower: random.number(below: 2) == 0 ? Double(lower) : nil,
        upper: random.number(below: 2) == 0 ? Double(lower + 200) : nil)
    }
    if random.number(below: 3) == 0 {
      state.ratingMenu["rating"] = Double(1 + random.number(below: 4))
    }
    if random.number(below: 3) == 0 { state.toggle["isFree"] = true }
    var uiState = UIState()
    uiState["products"] = state
    let widgets = screen.screen.widgets + [Configure(SearchQuery().with { $0.hitsPerPage = 1_000 })]
    let results = try await SearchClient(transport: shop.engine).search(
      try SearchScreen(indexName: "products", widgets: widgets), in: uiState)
    let found = results.page(of: Shop.Product.self).hits.map(\.objectID).sorted()
    let expected = Shop.products.filter { $0.matches(state) }.map(\.objectID).sorted()
    expectEqual(found, expected, "seed \(seed.value): \(uiState.query())")
  }
}

extension Shop.Product {
  /// Whether the product is found in a state, by a plain reading of the state.
  fileprivate func matches(_ state: IndexUIState) -> Bool {
    let brands = state.refinementList["brand"] ?? []
    let colors = state.refinementList["color"] ?? []
    let path = state.hierarchicalMenu["categories.lvl0"]?.joined(separator: " > ")
    let range = state.range["price"]
    return (state.query.isEmpty || name.hasPrefix(state.query))
      && (brands.isEmpty || brands.contains(brand)) && colors.allSatisfy(color.contains)
      && (path == nil || categories.values.contains(path ?? ""))
      && price >= range?.lower ?? 0 && price <= range?.upper ?? .infinity
      && Double(rating) >= state.ratingMenu["rating"] ?? 0
      && (state.toggle["isFree"] == nil || isFree)
  }
}
