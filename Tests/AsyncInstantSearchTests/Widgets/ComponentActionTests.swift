import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Actions that change the filters that the components of a multi-searcher share, and more.
struct ComponentActionTests {
  private struct Fixture {
    let executor = SeededExecutor(seed: 1)
    let transport: ScriptedTransport
    let multi: MultiSearcher
    let first: HitsSearcher
    let second: HitsSearcher
    let filters = FilterState()
    let clear = WidgetInteractor(FilterClear(.allExcept([])))
    let brands: WidgetInteractor<FacetList>

    init() async throws {
      let shop = try await Shop.shared.value
      transport = shop.lateTransport(SeededRandom(seed: 1), fails: false)
      let client = SearchClient(transport: transport)
      let options = SearcherOptions(clock: ManualClock(), executor: executor)
      multi = MultiSearcher(client: client, options: options)
      first = HitsSearcher(client: client, indexName: "products", options: options)
      second = HitsSearcher(client: client, indexName: "products", options: options)
      multi.addSearcher(first)
      multi.addSearcher(second)
      multi.connectFilterState(filters)
      brands = WidgetInteractor(FacetList(attribute: "brand"))
      brands.connectSearcher(first)
      clear.connectSearcher(first)
      multi.setQuery("phone")
      try brands.perform { $0.toggle("Apple") }
    }
  }

  /// Clearing the text and the filters is one change, and one request for both components, also
  /// while an earlier search is pending.
  @Test(arguments: [false, true])
  func textAndSharedFiltersAreOneChange(isPending: Bool) async throws {
    let fixture = try await Fixture()
    if !isPending { fixture.executor.runUntilIdle() }
    let before = fixture.transport.requests.count
    var requests = fixture.first.requests(buffering: .unbounded).makeAsyncIterator()
    var others = fixture.second.requests(buffering: .unbounded).makeAsyncIterator()
    #expect(await requests.next()?.filterGroups.isEmpty == false)
    #expect(await others.next()?.filterGroups.isEmpty == false)
    try fixture.clear.perform { $0.clear() }
    #expect(fixture.filters.text == nil)
    let cleared = await requests.next()
    #expect(cleared?.query.query == "" && cleared?.filterGroups.isEmpty == true)
    let other = await others.next()
    #expect(other?.query.query == "phone" && other?.filterGroups.isEmpty == true)
    #expect(cleared == fixture.first.request && other == fixture.second.request)
    fixture.executor.runUntilIdle()
    expectEqual(fixture.transport.requests.count, before + 1)
    expectEqual(fixture.brands.view.items.map(\.count), [12, 12, 12, 12, 12])
    #expect(fixture.second.state == .idle && fixture.multi.state == .idle)
    // A marker shows that there were no other changes.
    fixture.multi.setQuery("end")
    await expectEqual(requests.next()?.query.query, "end")
    await expectEqual(others.next()?.query.query, "end")
  }

  /// A state of the user interface that is set without a search is not searched.
  @Test func stateWithoutASearchIsNotSearched() async throws {
    let fixture = try await Fixture()
    fixture.executor.runUntilIdle()
    let before = fixture.transport.requests.count
    var uiState = IndexUIState()
    uiState.refinementList["brand"] = ["Dell", "Bose"]
    fixture.first.setUIState(uiState, searchesOnChange: false)
    fixture.executor.runUntilIdle()
    expectEqual(fixture.transport.requests.count, before)
    expectEqual(fixture.first.uiState, uiState)
    for searcher in [fixture.first, fixture.second] {
      expectEqual(searcher.request.filterGroups, fixture.filters.groups)
    }
    expectEqual(fixture.second.indexState.values(of: "brand", operator: .or), ["Bose", "Dell"])
    // The next search is one of both, and shows the new filters.
    fixture.multi.submit()
    fixture.executor.runUntilIdle()
    expectEqual(fixture.transport.requests.count, before + 1)
    expectEqual(fixture.brands.view.items.filter(\.isRefined).count, 2)
  }

  /// A change of the page concerns only its component.
  @Test func changeOfOneComponentSearchesOnlyThatOne() async throws {
    let fixture = try await Fixture()
    fixture.executor.runUntilIdle()
    let pages = WidgetInteractor(Pagination())
    pages.connectSearcher(fixture.first)
    let (before, other) = (fixture.transport.requests.count, fixture.second.newestGeneration)
    try pages.perform { $0.show(1) }
    fixture.executor.runUntilIdle()
    expectEqual(fixture.transport.requests.count, before + 1)
    #expect(fixture.first.request.query.page == 1 && fixture.second.newestGeneration == other)
  }

  /// The shared filters change while an action runs that seems not to concern them.
  @Test func sharedFiltersThatChangeDuringAnActionStayShared() async throws {
    let fixture = try await Fixture()
    fixture.filters.update { $0 = FilterGroups() }
    fixture.executor.runUntilIdle()
    let runs = Lock(0)
    try fixture.clear.perform { clear in
      clear.refining { state in
        let run = runs.withLock { runs in
          runs += 1
          return runs
        }
        state.query.query = "player"
        state.filters = FilterGroups()
        if run == 1 {
          onAnotherThread { fixture.filters.update { $0[or: "brand"].add("brand" == "Bose") } }
        }
      }
    }
    fixture.executor.runUntilIdle()
    expectEqual(fixture.first.request.query.query, "player")
    expectEqual(runs.withLock { $0 }, 2)
    for searcher in [fixture.first, fixture.second] {
      expectEqual(searcher.request.filterGroups, fixture.filters.groups)
    }
    #expect(fixture.filters.text == nil)
  }
}
