import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Given filters to choose from, comparisons with a number, and the loading indicator.
struct SelectableFiltersTests {
  private let new = Filter.tag(Filter.Tag("new"))
  private let cheap = ("price" < 50).filter
  private let apple = ("brand" == "Apple").filter
  private let dell = ("brand" == "Dell").filter

  private func view<W: SearchWidget>(of widget: W, _ state: IndexState) -> W.View {
    widget.view(WidgetContext(widget, state: state))
  }

  /// The state after an action.
  private func state<W: SearchWidget>(
    _ state: IndexState, after action: WidgetAction<W>, results: IndexResults? = nil
  ) throws -> IndexState {
    var target = WidgetContext(action.widget, state: state, results: results)
    try action.apply(&target)
    return target.state
  }

  // MARK: SelectableFilters

  @Test func optionsAreChecked() {
    #expect(SelectableFilters([Filter]()).problem != nil)
    #expect(SelectableFilters([apple, apple]).problem != nil)
    #expect(SelectableFilters([apple, new], operator: .or).problem != nil)
    #expect(FilterMap([Int: Filter]()).problem != nil)
    #expect(FilterMap([1: apple, 2: apple]).problem != nil)
    #expect(FilterMap([1: apple, 2: new], operator: .or).problem != nil)
    #expect(NumberComparison(attribute: "").problem != nil)
    #expect(NumberComparison(attribute: "a", min: .nan).problem != nil)
    #expect(NumberComparison(attribute: "a", min: 2, max: 1).problem != nil)
  }

  @Test func severalFiltersAreChosen() throws {
    let list = SelectableFilters([new, cheap, apple], groupName: "deals")
    var state = IndexState("products", query: SearchQuery().with { $0.page = 3 })
    state = try self.state(state, after: list.toggle(cheap))
    state = try self.state(state, after: list.toggle(new))
    expectEqual(state.query.page, 0)
    expectEqual(state.filters.text, #""_tags":"new" AND "price" < 50"#)
    expectEqual(view(of: list, state).items.map(\.isRefined), [true, true, false])
    state = try self.state(state, after: list.toggle(cheap))
    expectEqual(view(of: list, state).items.map(\.isRefined), [true, false, false])
    state = try self.state(state, after: list.clear())
    #expect(state.filters.isEmpty && !view(of: list, state).isRefined)
    let before = state
    #expect(throws: SearchError.self) { try self.state(before, after: list.toggle(dell)) }
  }

  @Test(arguments: [FacetOperator.and, .or])
  func singleChoiceReplacesOnlyFiltersOfTheList(_ operator: FacetOperator) throws {
    let list = SelectableFilters(
      [apple, dell], operator: `operator`, selectionMode: .single)
    var state = IndexState("products")
    // Another widget refines by the same facet.
    state.setRefined(true, by: "Bose", of: "brand", operator: `operator`)
    state = try self.state(state, after: list.toggle(apple))
    state = try self.state(state, after: list.toggle(dell))
    expectEqual(state.values(of: "brand", operator: `operator`), ["Bose", "Dell"])
    expectEqual(view(of: list, state).items.map(\.isRefined), [false, true])
    state = try self.state(state, after: list.toggle(dell))
    expectEqual(state.values(of: "brand", operator: `operator`), ["Bose"])
  }

  @Test func disjunctionOfEachKindIsWritten() throws {
    let numbers = SelectableFilters(
      [("price" < 50).filter, ("price" > 500).filter], operator: .or)
    let tags = SelectableFilters(
      [new, Filter.tag(Filter.Tag("used"))], operator: .or, groupName: "tags")
    var state = IndexState("products")
    state = try self.state(state, after: numbers.toggle("price" < 50))
    state = try self.state(state, after: numbers.toggle("price" > 500))
    state = try self.state(state, after: tags.toggle(new))
    expectEqual(state.filters.text, #"("price" < 50 OR "price" > 500) AND "_tags":"new""#)
    expectEqual(view(of: numbers, state).items.map(\.isRefined), [true, true])
    expectEqual(view(of: tags, state).items.map(\.isRefined), [true, false])
  }

  @Test func filtersMeanTheSameOnTheEngine() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let list = WidgetInteractor(
      SelectableFilters(
        [("price" < 100).filter, ("price" > 500).filter], operator: .or))
    let stats = WidgetInteractor(SearchStats())
    list.connectSearcher(searcher)
    stats.connectSearcher(searcher)
    try list.perform { $0.toggle("price" < 100) }
    try list.perform { $0.toggle("price" > 500) }
    try await searcher.search()
    expectEqual(
      stats.view.nbHits, Shop.products.count { $0.price < 100 || $0.price > 500 })
  }

  // MARK: FilterMap

  @Test func oneFilterOfTheMapIsChosen() throws {
    let map = FilterMap(["b": cheap, "a": apple], groupName: "segment")
    var state = IndexState("products")
    expectEqual(view(of: map, state).items.map(\.key), ["a", "b"])
    #expect(view(of: map, state).selected == nil)
    state = try self.state(state, after: map.select("b"))
    state = try self.state(state, after: map.select("a"))
    expectEqual(view(of: map, state).selected, "a")
    expectEqual(state.filters.text, #""brand":"Apple""#)
    let before = state
    #expect(throws: SearchError.self) { try self.state(before, after: map.select("c")) }
    state = try self.state(state, after: map.select(nil))
    #expect(state.filters.isEmpty)
  }

  // MARK: NumberComparison

  @Test func numberStaysWithinItsLimits() throws {
    let seats = NumberComparison(attribute: "seats", min: 1, max: 8)
    var state = IndexState("cars")
    // A range of the same attribute has other operators.
    state.filters[and: "seats"].add(Filter.Numeric("seats", .lessOrEqual, 6))
    func number() -> Double? { view(of: seats, state).number }
    state = try self.state(state, after: seats.decrement())
    expectEqual(number(), 1)
    state = try self.state(state, after: seats.increment(by: 3))
    expectEqual(number(), 4)
    state = try self.state(state, after: seats.set(100))
    expectEqual(number(), 8)
    expectEqual(state.filters.text, #""seats" <= 6 AND "seats" >= 8"#)
    state = try self.state(state, after: seats.set(nil))
    expectEqual(state.filters.text, #""seats" <= 6"#)
    let before = state
    #expect(throws: SearchError.self) { try self.state(before, after: seats.set(.infinity)) }
    #expect(throws: SearchError.self) {
      try self.state(
        before, after: seats.increment(by: .greatestFiniteMagnitude, from: .greatestFiniteMagnitude)
      )
    }
  }

  @Test func limitsAreThoseOfAllRecords() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let ratings = WidgetInteractor(NumberComparison(attribute: "rating"))
    ratings.connectSearcher(searcher)
    #expect(ratings.view.number == nil && !ratings.view.canRefine)
    try await searcher.search()
    try ratings.perform { $0.increment(by: 4) }
    try await searcher.search()
    let view = ratings.view
    #expect(view.number == 4 && view.minimum == 0 && view.maximum == 5 && view.canRefine)
    try ratings.perform { $0.set(9) }
    expectEqual(ratings.view.number, 5)
  }

  // MARK: The UI state

  @Test func choicesAreInTheUIState() throws {
    let list = SelectableFilters([new, cheap])
    let map = FilterMap([1: apple, 2: dell])
    let seats = NumberComparison(attribute: "seats")
    var test = try TestScreen(SearchBox(), list, map, seats)
    try test.apply(list.toggle(cheap))
    try test.apply(map.select(2))
    try test.apply(seats.set(4))
    let uiState = test.uiState
    expectEqual(uiState.filters, ["_tags": [cheap.description], "brand": ["2"]])
    expectEqual(uiState.comparison, ["seats>=": 4])
    expectEqual(uiState.throughURL(), uiState)
    let read = try TestScreen(SearchBox(), list, map, seats, uiState: uiState.throughURL())
    expectEqual(read.state, test.state)
    // What a widget does not offer is ignored.
    var other = IndexUIState()
    other.filters = ["_tags": ["brand:Evil"], "brand": ["3"], "color": ["red"]]
    #expect(try TestScreen(list, map, uiState: other).state.filters.isEmpty)
  }

  // MARK: Loading

  @Test func loadingFollowsTheSearcher() async throws {
    let clock = ManualClock()
    let gate = CallGate()
    let transport = ScriptedTransport { _, number in
      await gate.pass()
      return TransportResponse(status: number == 0 ? 404 : 200, body: Array(#"{"hits":[]}"#.utf8))
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "films",
      options: SearcherOptions(stalledAfter: .milliseconds(200), clock: clock))
    let loading = WidgetInteractor(Loading())
    loading.connectSearcher(searcher)
    let states = searcher.states
    var views = loading.views(buffering: .unbounded).makeAsyncIterator()
    /// Whether a search runs, whether it is stalled, and whether it failed.
    func flags(_ view: Loading.View?) -> [Bool]? {
      view.map { [$0.isLoading, $0.isStalled, $0.error != nil] }
    }
    expectEqual(flags(await views.next()), [false, false, false])
    searcher.submit()
    expectEqual(flags(await views.next()), [true, false, false])
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(200))
    expectEqual(flags(await views.next()), [true, true, false])
    gate.open()
    expectEqual(flags(await views.next()), [false, false, true])
    searcher.submit()
    expectEqual(flags(await views.next()), [true, false, false])
    expectEqual(flags(await views.next()), [false, false, false])
    withExtendedLifetime(states) {}
  }
}
