@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import Observation
import TestSupport
import Testing

/// A live screen of 22 widgets, with 5 of another index.
struct LiveFixture: Sendable {
  let whole: WholeScreen
  let live: LiveScreen
  let outer: [LiveWidget]
  let inner: [LiveWidget]

  init(_ searcher: HitsSearcher) throws {
    whole = try WholeScreen()
    live = try searcher.connect(whole.screen)
    (outer, inner) = whole.widgets(of: live)
  }

  /// - Parameter answered: The number of calls that are answered. The others wait until they are
  ///   cancelled.
  init(answered: Int = .max) async throws {
    let shop = try await Shop.shared.value
    let transport = ScriptedTransport { request, number in
      if number >= answered { await untilCancelled() }
      return try await shop.engine.send(request)
    }
    try self.init(HitsSearcher(transport))
  }

  var widgets: [LiveWidget] { outer + inner }

  /// The names of the widgets that show something else than an awaited search.
  func differences() async throws -> [String] {
    let client = SearchClient(transport: try await Shop.shared.value.engine)
    let results = try await client.search(whole.screen, in: live.uiState)
    let nested = try #require(results["inner"])
    return (results.uiState == live.uiState ? [] : ["the state"])
      + outer.filter { !$0.showsResults(results) }.map(\.name)
      + inner.filter { !$0.showsResults(nested) }.map { "inner \($0.name)" }
  }
}

extension HitsSearcher {
  /// A searcher of the products.
  init(_ transport: ScriptedTransport) {
    self.init(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock()))
  }
}

/// A screen, its searcher, and a filter state and a multi-searcher around them.
struct BusyScreen: Sendable {
  let fixture: LiveFixture
  let filters: FilterState?
  let multi: MultiSearcher?
  let other: HitsSearcher
  let seed: UInt64
  /// The filter state that the searcher follows.
  enum Following: CaseIterable {
    case none, own, shared
  }

  /// The last values of streams that end.
  let ends: (state: Task<UIState?, Never>, view: Task<FacetList.View?, Never>)
  private static let threads = 0..<8

  init(_ transport: ScriptedTransport, _ following: Following, seed: UInt64) throws {
    let searcher = HitsSearcher(transport)
    other = HitsSearcher(transport)
    self.seed = seed
    filters = following == .none ? nil : FilterState()
    multi = following == .shared ? MultiSearcher(client: SearchClient(transport: transport)) : nil
    if let multi {
      multi.addSearcher(searcher)
      multi.addSearcher(other)
      if let filters { multi.connectFilterState(filters) }
    } else if let filters {
      searcher.connectFilterState(filters)
    }
    fixture = try LiveFixture(searcher)
    let states = fixture.live.uiStates(buffering: .unbounded)
    let views = fixture.live.updates(of: fixture.whole.shop.brands, buffering: .unbounded)
    ends = (Task { await states.reduce(nil) { $1 } }, Task { await views.reduce(nil) { $1 } })
  }

  /// Whether the state is set as a whole too, so that it does not tell what was lost.
  private var isReset: Bool { seed.isMultiple(of: 2) }

  var brands: FacetList.View { fixture.live.view(of: fixture.whole.shop.brands) }

  /// The values that were added an odd number of times and are not there.
  var lost: Set<String> {
    if isReset { return [] }
    let own = Set(Self.threads.map { "t\($0)" })
    let followed = Set(filters == nil ? [] : Self.threads.map { "f\($0)" })
    func values(_ id: String) -> Set<String> {
      Set(fixture.live.uiState[id].refinementList["brand"] ?? [])
    }
    return values("products").symmetricDifference(own.union(followed))
      .union(values("inner").symmetricDifference(own))
  }

  func storm() async throws {
    try await withThrowingTaskGroup { group in
      for number in Self.threads {
        group.addTask {
          try await work(number, SeededRandom(seed: seed &* 100 &+ UInt64(number)))
        }
      }
      try await group.waitForAll()
    }
  }

  private func work(_ number: Int, _ random: SeededRandom) async throws {
    let (live, whole) = (fixture.live, fixture.whole)
    let inner = try #require(live["inner"])
    let widgets = fixture.widgets.filter { widget in
      isReset
        || !["FacetList", "CurrentFilters", "FilterClear"].contains { widget.name.hasPrefix($0) }
    }
    let pages = WidgetInteractor(Pagination())
    var second: LiveScreen?
    for _ in 0..<Thoroughness.count(5, thorough: 15) {
      try live.perform(whole.shop.brands.toggle("t\(number)"))
      try inner.perform(whole.inner.brands.toggle("t\(number)"))
      filters?.update { $0[or: "brand"].toggle("brand" == "f\(number)") }
      for _ in 0..<3 {
        switch random.number(below: 14) {
        case 0: _ = live.views(of: whole.inner.current)
        case 1: for await _ in live.updates(of: whole.shop.stats) { break }
        case 2:
          // Equal widgets, twice on one screen too.
          let widgets: [any SearchWidget] = [whole.shop.brands, whole.autocomplete, Pagination()]
          second = try live.searcher.connect(
            try SearchScreen(indexName: "products", widgets: widgets + widgets))
        case 3: second = nil
        case 4: pages.connectSearcher(random.number(below: 2) == 0 ? live.searcher : other)
        case 5: live.searcher.submit()
        case 6: live.searcher.cancel()
        case 7: _ = try? await live.searcher.search()
        case 8: _ = await live.controller(of: whole.shop.brands).view
        case 9 where isReset: try live.setUIState(UIState())
        case 9: live.searcher.setQuery(random.any(["", "p", "phone"]))
        case 10:
          withObservationTracking {
            _ = live.view(of: whole.shop.pages)
          } onChange: { [weak live] in
            _ = live?.uiState
          }
        case 11: await random.pause(below: 4)
        default: _ = random.any(widgets)?.perform(random)
        }
      }
    }
    withExtendedLifetime(second) {}
  }

  /// Searches until no search is superseded, and waits for the requests of widgets.
  func settle() async throws {
    // The requests of widgets may have failed.
    try fixture.live.perform(fixture.whole.autocomplete.close())
    try fixture.live.perform(fixture.whole.shop.brands.search(""))
    for _ in 0..<100 {
      do {
        try await fixture.live.searcher.search()
        try await fixture.live.searcher.settled()
        break
      } catch { if error.code != .superseded { throw error } }
    }
    for widget in fixture.widgets { try await widget.settle() }
  }
}
