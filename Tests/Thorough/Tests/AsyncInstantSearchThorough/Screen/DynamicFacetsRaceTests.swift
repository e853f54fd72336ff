@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Searches that begin after a response has arrived, and before the widgets show it.
@Suite(.timeLimit(.minutes(30))) struct DynamicFacetsRaceTests {
  /// A searcher with dynamic facets and a widget that they manage. The second call waits for the
  /// gate.
  private struct Fixture {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    let gate = CallGate()
    let transport: ScriptedTransport
    let searcher: HitsSearcher
    let slow: WidgetInteractor<SlowWidget>
    let dynamic: WidgetInteractor<DynamicFacets>
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
      slow = WidgetInteractor(
        SlowWidget { [weak searcher, executor] in
          guard let searcher, !isBegun.withLock({ $0 }) else { return }
          isBegun.withLock { $0 = true }
          // A widget itself cannot change the search here.
          onAnotherThread {
            begin(searcher)
            executor.runUntilIdle()
          }
        })
      dynamic = WidgetInteractor(DynamicFacets(managing: ["color"], facets: []))
      colors = WidgetInteractor(FacetList(attribute: "color"))
      slow.connectSearcher(searcher)
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

  @Test func searchRequestsWhatTheResponseLists() async throws {
    let fixture = try await Fixture { $0.submit() }
    #expect(fixture.transport.requests.count == 2 && fixture.gate.callCount == 1)
    fixture.openGate()
    expectEqual(fixture.colors.view.items.count, 4)
    #expect(fixture.transport.requests.count == 2 && fixture.searcher.state == .idle)
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
    expectEqual(fixture.colors.view.items.count, 4)
    expectEqual(fixture.transport.requests.count, count + 4)
  }

  /// Neither a search that was cancelled nor a connection begins a search.
  @Test func cancelledSearchIsNotRepeated() async throws {
    let fixture = try await Fixture { $0.submit() }
    expectEqual(fixture.gate.callCount, 1)
    fixture.searcher.cancel()
    fixture.openGate()
    let stats = WidgetInteractor(SearchStats())
    stats.connectSearcher(fixture.searcher)
    fixture.dynamic.connectSearcher(fixture.searcher)
    fixture.executor.runUntilIdle()
    #expect(fixture.transport.requests.count == 2 && fixture.searcher.state == .idle)
  }

  /// The text changes and changes back, so the first response is the newest again.
  @Test func responseThatIsCurrentAgainIsChecked() async throws {
    let fixture = try await Fixture(debounce: .seconds(1)) { $0.setQuery("phone") }
    expectEqual(fixture.transport.requests.count, 1)
    fixture.searcher.setQuery(nil)
    fixture.openGate()
    expectEqual(fixture.colors.view.items.count, 4)
    #expect(fixture.transport.requests.count == 2 && fixture.searcher.state == .idle)
  }
}

/// A widget to which something happens before it receives a response.
private struct SlowWidget: RememberingWidget {
  let willReceive: @Sendable () -> Void

  var initialMemory: Int { 0 }

  func receive(_ results: IndexResults, memory: inout Int) {
    willReceive()
    memory += 1
  }

  func view(_ context: Context) -> Int { context.memory }

  static func == (a: Self, b: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
