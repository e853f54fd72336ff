@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Random actions, URLs, failures and late responses on a live screen with all widgets and another
/// index.
@Suite(.timeLimit(.minutes(30))) struct LiveScreenSimulationTests {
  private struct Fixture {
    let whole: WholeScreen
    let live: LiveScreen
    let outer: [LiveWidget]
    let inner: [LiveWidget]
    let transport: ScriptedTransport
    let executor: SeededExecutor
    let random: SeededRandom
    let client: SearchClient

    init(_ seed: UInt64) async throws {
      let shop = try await Shop.shared.value
      executor = SeededExecutor(seed: seed)
      random = SeededRandom(seed: seed &+ 40_000)
      transport = shop.lateTransport(random)
      client = SearchClient(transport: shop.engine)
      whole = try WholeScreen()
      let searcher = HitsSearcher(
        client: SearchClient(transport: transport), indexName: "products",
        options: SearcherOptions(clock: ManualClock(), executor: executor))
      live = try searcher.connect(whole.screen)
      (outer, inner) = whole.widgets(of: live)
    }

    var widgets: [LiveWidget] { outer + inner }

    /// Performs random actions, goes back to earlier states, and searches, while responses come.
    func act(_ count: Int, _ label: String) async throws {
      var visited = [UIState()]
      for _ in 0..<count {
        let generation = live.searcher.newestGeneration
        switch random.number(below: 8) {
        case 0: try live.setUIState(random.any(visited) ?? UIState())
        case 1: live.searcher.submit()
        default:
          let widget = random.any(widgets)
          _ = widget?.perform(random)
          #expect(
            live.searcher.newestGeneration <= generation + 1, "\(label), \(widget?.name ?? "")")
        }
        visited.append(live.uiState)
        await random.pause(below: 30)
      }
    }

    /// Runs until all searches have succeeded, and the requests of widgets.
    func settle() throws {
      for _ in 0..<100 {
        executor.runUntilIdle()
        if case .idle = live.searcher.state, failedRequests.isEmpty { return }
        for repeats in failedRequests { try repeats() }
        if case .failed = live.searcher.state { live.searcher.submit() }
      }
      Issue.record("the searches fail again and again")
    }

    /// Makes the requests of widgets that have failed again.
    private var failedRequests: [() throws -> Void] {
      let (field, view) = (whole.autocomplete, live.view(of: whole.autocomplete))
      var repeats: [() throws -> Void] = []
      if view.error != nil {
        repeats.append {
          try live.perform(field.close())
          try live.perform(field.setQuery(view.query))
        }
      }
      for list in [whole.shop.brands] where live.view(of: list).searchError != nil {
        let text = live.view(of: list).searchText
        repeats.append {
          try live.perform(list.search(""))
          try live.perform(list.search(text))
        }
      }
      return repeats
    }

    /// An awaited search with the same widgets in a state.
    func awaited(_ uiState: UIState) async throws -> ScreenResults {
      try await client.search(whole.screen, in: uiState)
    }

    /// The names of the widgets that show something else than an awaited search.
    func differences(from results: ScreenResults) -> [String] {
      outer.filter { !$0.showsResults(results) }.map(\.name)
        + inner.filter { widget in results["inner"].map { !widget.showsResults($0) } ?? true }
        .map { "inner \($0.name)" }
    }
  }

  /// Live and awaited views are equal whenever the searches have settled, and what the address bar
  /// shows leads to the same state.
  @Test(arguments: Seed.all(300))
  func liveViewsAreThoseOfAnAwaitedSearch(seed: Seed) async throws {
    let fixture = try await Fixture(seed.value)
    let (live, screen) = (fixture.live, fixture.whole.screen)
    live.searcher.submit()
    for phase in 0..<3 {
      let user = Task(executorPreference: fixture.executor) {
        try await fixture.act(4, "seed \(seed.value), phase \(phase)")
      }
      fixture.executor.runUntilIdle()
      try await user.value
      try fixture.settle()
      let uiState = live.uiState
      let results = try await fixture.awaited(uiState)
      let label = "seed \(seed.value), phase \(phase), \(screen.query(of: uiState))"
      expectEqual(fixture.differences(from: results), [], "\(label)")
      expectEqual(results.uiState, uiState, "\(label)")
      let (read, problems) = screen.read(query: screen.query(of: uiState))
      #expect(read == uiState && problems.isEmpty, "\(label) \(problems)")
    }
  }

  /// A link of a page that was made by one process leads another process to the views that the
  /// action has on a live screen.
  @Test(arguments: Seed.all(300))
  func linksLeadToTheViewsOfTheirActions(seed: Seed) async throws {
    let fixture = try await Fixture(seed.value &+ 1_000)
    let (live, random, screen) = (fixture.live, fixture.random, fixture.whole.screen)
    for _ in 0..<4 { _ = random.any(fixture.widgets)?.perform(random) }
    live.searcher.submit()
    try fixture.settle()
    for step in 0..<3 {
      let page = try await fixture.awaited(live.uiState)
      let isInner = random.number(below: 3) == 0
      let widgets = isInner ? fixture.inner : fixture.outer
      guard let part = isInner ? page["inner"] : page, let widget = random.any(widgets),
        let (link, perform) = widget.link(random, part)
      else { continue }
      try perform()
      try fixture.settle()
      let (state, problems) = try WholeScreen().screen.read(query: link)
      let label = "seed \(seed.value), step \(step), \(widget.name), \(link)"
      #expect(problems.isEmpty, "\(label) \(problems)")
      let followed = try await fixture.awaited(state)
      expectEqual(fixture.differences(from: followed), [], "\(label)")
      // A fresh page keeps what it has read for an inactive widget until the next change.
      if live.isActive(fixture.whole.shop.colors) {
        expectEqual(live.uiState, followed.uiState, "\(label): \(screen.query(of: live.uiState))")
      }
    }
  }
}
