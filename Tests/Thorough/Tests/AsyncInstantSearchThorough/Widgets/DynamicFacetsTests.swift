@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The second search of dynamic facets, when results list facets that were not requested, and the
/// actions of widgets that they deactivate.
struct DynamicFacetsTests {
  /// `settled()` waits for the second search as well, and so does the view of a widget.
  @Test(arguments: Seed.all(100))
  func settledWaitsForTheSecondSearch(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let executor = SeededExecutor(seed: seed.value)
    let transport = shop.lateTransport(SeededRandom(seed: seed.value), fails: false)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock(), executor: executor))
    let dynamic = WidgetInteractor(DynamicFacets(managing: ["color"], facets: []))
    let colors = WidgetInteractor(FacetList(attribute: "color"))
    dynamic.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    let shown = Lock<Int?>(nil)
    let waiter = Task(executorPreference: executor) {
      searcher.submit()
      if seed.value.isMultiple(of: 2) {
        try await searcher.settled()
      } else {
        _ = try await dynamic.settledView()
      }
      shown.withLock { $0 = colors.view.items.count }
    }
    executor.runUntilIdle()
    try await waiter.value
    expectEqual(shown.withLock { $0 }, 4, "seed \(seed.value)")
    expectEqual(transport.requests.count, 2, "seed \(seed.value)")
    expectEqual(searcher.newestGeneration, 2, "seed \(seed.value)")
    expectEqual(dynamic.view.attributes, ["brand", "color"], "seed \(seed.value)")
  }

  /// On several threads.
  @Test(arguments: Seed.all(20))
  func settledWaitsOnSeveralThreads(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let transport = shop.lateTransport(SeededRandom(seed: seed.value), fails: false)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock()))
    let dynamic = WidgetInteractor(DynamicFacets(managing: ["color"], facets: []))
    let colors = WidgetInteractor(FacetList(attribute: "color"))
    dynamic.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    searcher.submit()
    try await searcher.settled()
    expectEqual(colors.view.items.count, 4, "seed \(seed.value)")
    expectEqual(transport.requests.count, 2, "seed \(seed.value)")
  }

  /// An action of an inactive widget would limit the hits invisibly.
  @Test func actionOfAnInactiveWidgetIsNotPossible() async throws {
    let shop = try await Shop.shared.value
    let transport = shop.lateTransport(SeededRandom(seed: 1), fails: false)
    let searcher = HitsSearcher(client: SearchClient(transport: transport), indexName: "offers")
    let dynamic = WidgetInteractor(DynamicFacets(managing: ["color"]))
    let colors = WidgetInteractor(FacetList(attribute: "color"))
    dynamic.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    // Before the first results nobody knows which facets they list.
    try colors.perform { $0.toggle("red") }
    try await searcher.settled()
    #expect(searcher.request.filterGroups.isEmpty)
    let count = transport.requests.count
    let error = #expect(throws: SearchError.self) { try colors.perform { $0.toggle("red") } }
    expectEqual(error?.code, .invalidRequest)
    #expect(searcher.request.filterGroups.isEmpty && searcher.state == .idle)
    expectEqual(transport.requests.count, count)
    searcher.setIndexName("products")
    try await searcher.settled()
    try colors.perform { $0.toggle("red") }
    expectEqual(searcher.request.filterGroups.text, #""color":"red""#)

    let screen = try SearchScreen(
      indexName: "offers", widgets: [dynamic.widget, colors.widget])
    let results = try await SearchClient(transport: shop.engine).search(screen)
    #expect(throws: SearchError.self) { try results.uiState(after: colors.widget.toggle("red")) }
  }

  /// Results that deactivate a widget arrive while it performs an action.
  @Test func refinementOfAWidgetThatBecomesInactiveIsRemoved() async throws {
    let shop = try await Shop.shared.value
    let executor = SeededExecutor(seed: 1)
    let searcher = HitsSearcher(
      client: SearchClient(transport: shop.engine), indexName: "products",
      options: SearcherOptions(clock: ManualClock(), executor: executor))
    let dynamic = WidgetInteractor(DynamicFacets(managing: ["color"]))
    let colors = WidgetInteractor(FacetList(attribute: "color"))
    dynamic.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    searcher.submit()
    executor.runUntilIdle()
    expectEqual(dynamic.view.attributes, ["brand", "color"])
    searcher.setIndexName("offers")
    let runs = Lock(0)
    let action: FacetList.Action = colors.widget.action { target in
      let isChange = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isChange { executor.runUntilIdle() }
      target.state.setRefined(true, by: "red", of: "color", operator: .or)
    }
    #expect(throws: SearchError.self) { try colors.perform(action) }
    expectEqual(dynamic.view.attributes, ["brand"])
    #expect(searcher.request.filterGroups.isEmpty)
    executor.runUntilIdle()
    #expect(searcher.request.filterGroups.isEmpty && searcher.state == .idle)
  }

  /// The first results activate a widget, which reads its part of the URL and takes a second
  /// search. It is no change of the user, so what the URL has opened stays.
  @Test func openedPartsStayWhenResultsActivateWidgets() async throws {
    let shop = try await Shop.shared.value
    let screen = try ShopScreen()
    let query = "products[refinementList][color][0]=red&products[facetQuery][brand]=a"
    let uiState = screen.screen.read(query: query).state
    let client = SearchClient(transport: shop.engine)
    let results = try await client.search(screen.screen, in: uiState)
    #expect(results.isActive(screen.colors) && results.view(of: screen.brands).isFromSearch)
    expectEqual(results.uiState, uiState)
  }
}
