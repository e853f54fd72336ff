import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Testing

/// Searches that begin after a response has arrived, and before the dynamic facets have received
/// it, so that they do not request the values of a facet that is listed.
@Suite(.timeLimit(.minutes(30))) struct DynamicFacetsRaceTests {
  /// A searcher with dynamic facets and a widget that they manage. The second call waits for the
  /// gate.
  private struct Fixture {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    let gate = CallGate()
    let transport: ScriptedTransport
    let searcher: HitsSearcher
    let dynamic: WidgetInteractor<SlowDynamicFacets>
    let colors: WidgetInteractor<FacetList>

    /// - Parameter begin: Begins a search when the first response has arrived.
    init(
      debounce: Duration = .zero, _ begin: @escaping @Sendable (HitsSearcher) -> Void
    ) async throws {
      let shop = try await Shop.shared.value
      transport = ScriptedTransport { [gate] request, number in
        if number == 1 { await gate.pass() }
        return try await shop.engine.send(request)
      }
      searcher = HitsSearcher(
        client: SearchClient(transport: transport), indexName: "products", debounce: debounce,
        options: SearcherOptions(clock: clock, executor: executor))
      let isBegun = Lock(false)
      dynamic = WidgetInteractor(
        SlowDynamicFacets(base: try DynamicFacets(managing: ["color"], facets: [])) {
          [weak searcher, executor] in
          guard let searcher, !isBegun.withLock({ $0 }) else { return }
          isBegun.withLock { $0 = true }
          begin(searcher)
          executor.runUntilIdle()
        }, executor: executor)
      colors = WidgetInteractor(try FacetList(attribute: "color"), executor: executor)
      dynamic.connectSearcher(searcher)
      colors.connectSearcher(searcher)
      searcher.submit()
      executor.runUntilIdle()
    }

    /// Releases the second call.
    func openGate() {
      gate.open()
      executor.runUntilIdle()
    }
  }

  @Test func searchIsRepeatedWhenTheFacetsAreKnown() async throws {
    let fixture = try await Fixture { $0.submit() }
    #expect(fixture.transport.requests.count == 2 && fixture.gate.callCount == 1)
    fixture.openGate()
    #expect(fixture.colors.view.items.count == 4)
    #expect(fixture.transport.requests.count == 3 && fixture.searcher.state == .idle)
  }

  /// Each search is made again once: without the facet that it does not list, or with the one that
  /// it lists.
  @Test func eachSearchIsRepeatedOnce() async throws {
    let fixture = try await Fixture { $0.submit() }
    fixture.openGate()
    let count = fixture.transport.requests.count
    fixture.searcher.setIndexName("offers")
    fixture.executor.runUntilIdle()
    fixture.searcher.setIndexName("products")
    fixture.executor.runUntilIdle()
    #expect(fixture.colors.view.items.count == 4)
    #expect(fixture.transport.requests.count == count + 4)
  }

  /// Neither a search that was cancelled nor a connection begins a search.
  @Test func cancelledSearchIsNotRepeated() async throws {
    let fixture = try await Fixture { $0.submit() }
    #expect(fixture.gate.callCount == 1)
    fixture.searcher.cancel()
    fixture.openGate()
    let stats = WidgetInteractor(SearchStats(), executor: fixture.executor)
    stats.connectSearcher(fixture.searcher)
    fixture.dynamic.connectSearcher(fixture.searcher)
    fixture.executor.runUntilIdle()
    #expect(fixture.transport.requests.count == 2 && fixture.searcher.state == .idle)
  }

  /// The text changes and changes back, so the first response is the newest again.
  @Test func responseThatIsCurrentAgainIsChecked() async throws {
    let fixture = try await Fixture(debounce: .seconds(1)) { $0.setQuery("phone") }
    #expect(fixture.transport.requests.count == 1)
    fixture.searcher.setQuery(nil)
    fixture.openGate()
    #expect(fixture.colors.view.items.count == 4)
    #expect(fixture.transport.requests.count == 2 && fixture.searcher.state == .idle)
  }
}

/// Dynamic facets to which something happens before they receive a response.
private struct SlowDynamicFacets: SearchWidget {
  let base: DynamicFacets
  let willReceive: @Sendable () -> Void

  var initialMemory: DynamicFacets.Memory { base.initialMemory }

  func deactivates(_ facet: String, memory: DynamicFacets.Memory) -> Bool {
    base.deactivates(facet, memory: memory)
  }

  func declare(
    in parameters: inout WidgetParameters, for state: IndexState, memory: DynamicFacets.Memory
  ) {
    base.declare(in: &parameters, for: state, memory: memory)
  }

  func receive(_ results: IndexResults, memory: inout DynamicFacets.Memory) {
    willReceive()
    base.receive(results, memory: &memory)
  }

  func view(_ context: WidgetContext<DynamicFacets.Memory>) -> DynamicFacets.View {
    base.view(context)
  }

  static func == (a: Self, b: Self) -> Bool { a.base == b.base }
  func hash(into hasher: inout Hasher) { hasher.combine(base) }
}
