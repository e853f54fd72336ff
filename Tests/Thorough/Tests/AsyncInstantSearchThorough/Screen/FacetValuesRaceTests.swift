@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Searches for values of a facet whose responses arrive in another order.
@Suite(.timeLimit(.minutes(30))) struct FacetValuesRaceTests {
  /// A list whose searches for values wait at a gate each.
  private struct Fixture {
    let executor: SeededExecutor
    let gates = [CallGate(), CallGate()]
    let transport: ScriptedTransport
    let searcher: HitsSearcher
    let list: WidgetInteractor<FacetList>

    init(seed: UInt64) throws {
      executor = SeededExecutor(seed: seed)
      let hits = #"{"hits":[],"nbHits":9,"facets":{"brand":{"Apple":4,"acme":2,"Bose":3}}}"#
      transport = ScriptedTransport { [gates] request, number in
        guard case .facetValues = request.endpoint else {
          return TransportResponse(status: 200, body: Array(hits.utf8))
        }
        if number <= gates.count { await gates[number - 1].pass() }
        let text = try JSON(parsing: request.body)["facetQuery"] ?? ""
        let answer: JSON = ["facetHits": [["value": text, "count": 1]]]
        return TransportResponse(status: 200, body: Array(answer.text.utf8))
      }
      let options = SearcherOptions(clock: ManualClock(), executor: executor)
      searcher = HitsSearcher(
        client: SearchClient(transport: transport), indexName: "products", options: options)
      list = WidgetInteractor(FacetList(attribute: "brand"))
      list.connectSearcher(searcher)
      searcher.submit()
      executor.runUntilIdle()
    }

    /// Performs an action, and lets its request arrive at its gate.
    func perform(_ action: WidgetAction<FacetList>) throws {
      try list.perform(action)
      executor.runUntilIdle()
    }

    /// Opens the gate of a search for values, and lets its response arrive.
    func answer(_ number: Int) {
      gates[number].open()
      executor.runUntilIdle()
    }

    var values: [String] { list.view.items.map(\.value) }
  }

  /// The older response arrives after the newer one.
  @Test(arguments: Seed.all(50))
  func newerValuesStay(seed: Seed) throws {
    let fixture = try Fixture(seed: seed.value)
    let (list, widget) = (fixture.list, fixture.list.widget)
    try fixture.perform(widget.search("a"))
    try fixture.perform(widget.search("ap"))
    expectEqual(fixture.gates.map(\.callCount), [1, 1], "seed \(seed.value)")
    #expect(!list.view.isFromSearch, "seed \(seed.value)")
    fixture.answer(1)
    expectEqual(fixture.values, ["ap"], "seed \(seed.value)")
    fixture.answer(0)
    expectEqual(fixture.values, ["ap"], "seed \(seed.value)")
    #expect(list.view.searchText == "ap" && list.view.isFromSearch, "seed \(seed.value)")
  }

  /// The response to a search that was ended arrives while the newer one is pending, or after it.
  @Test(arguments: Seed.all(50))
  func valuesOfACancelledSearchAreNotShown(seed: Seed) throws {
    let fixture = try Fixture(seed: seed.value)
    let (list, widget) = (fixture.list, fixture.list.widget)
    try fixture.perform(widget.search("a"))
    try fixture.perform(widget.search(""))
    try fixture.perform(widget.search("ap"))
    expectEqual(fixture.gates.map(\.callCount), [1, 1], "seed \(seed.value)")
    let order = seed.value.isMultiple(of: 2) ? [0, 1] : [1, 0]
    fixture.answer(order[0])
    if order[0] == 0 { #expect(!list.view.isFromSearch, "seed \(seed.value)") }
    fixture.answer(order[1])
    expectEqual(fixture.values, ["ap"], "seed \(seed.value)")
    #expect(list.view.searchText == "ap" && list.view.isFromSearch, "seed \(seed.value)")
  }

  /// The response to an equal search that was ended is not taken for that of the newer one.
  @Test(arguments: Seed.all(50))
  func repeatedSearchShowsItsOwnResponse(seed: Seed) throws {
    let fixture = try Fixture(seed: seed.value)
    let (list, widget) = (fixture.list, fixture.list.widget)
    for text in ["a", "", "a"] { try fixture.perform(widget.search(text)) }
    expectEqual(fixture.gates.map(\.callCount), [1, 1], "seed \(seed.value)")
    fixture.answer(0)
    #expect(!list.view.isFromSearch && list.view.searchError == nil, "seed \(seed.value)")
    fixture.answer(1)
    #expect(fixture.values == ["a"] && list.view.isFromSearch, "seed \(seed.value)")
  }

  /// A response that arrives after the next results does not replace them.
  @Test(arguments: Seed.all(50))
  func nextResultsEndTheSearch(seed: Seed) throws {
    let fixture = try Fixture(seed: seed.value)
    let (list, widget) = (fixture.list, fixture.list.widget)
    try fixture.perform(widget.search("a"))
    fixture.gates[1].open()
    fixture.searcher.setQuery("phone")
    fixture.executor.runUntilIdle()
    #expect(list.view.searchText.isEmpty, "seed \(seed.value)")
    fixture.answer(0)
    #expect(list.view.searchText.isEmpty && !list.view.isFromSearch, "seed \(seed.value)")
  }
}
