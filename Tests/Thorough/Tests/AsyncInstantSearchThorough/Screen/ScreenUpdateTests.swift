@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import Observation
import TestSupport
import Testing

/// What a live screen displays, as one stream of results and errors.
struct ScreenUpdateTests {
  private struct Widgets {
    let box = SearchBox()
    let brands = FacetList(attribute: "brand", limit: 2, showMoreLimit: 5)
    let tree = HierarchicalMenu(
      HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"], separator: " > "))
    let pages = Pagination()
    let chosen = CurrentFilters()

    func screen() throws -> SearchScreen {
      try SearchScreen(
        indexName: "products", widgets: [box, brands, tree, pages, chosen],
        routing: .singleIndex("products"))
    }

    /// Everything that a page displays of results.
    func shown(_ results: ScreenResults) throws -> [String] {
      try [
        "\(results.view(of: box))", "\(results.view(of: brands))", "\(results.view(of: tree))",
        "\(results.view(of: pages))", "\(results.view(of: chosen))",
        results.page(of: Shop.Product.self).hits.map(\.objectID).joined(separator: " "),
        results.link(after: brands.toggle("Dell")), results.link(after: pages.show(1)),
        "\(results.hiddenFields(without: box))",
      ]
    }
  }

  /// Reads updates until one fulfils a condition.
  private func update(
    of updates: inout AsyncStream<ScreenResults>.Iterator,
    until isFulfilled: (ScreenResults) throws -> Bool
  ) async throws -> ScreenResults? {
    while let update = await updates.next(isolation: nil) {
      if try isFulfilled(update) { return update }
    }
    return nil
  }

  @Test func updatesBeginWithTheCurrentScreenAndEndWithIt() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    var live: LiveScreen? = try shop.searcher().connect(try widgets.screen())
    let stream = try #require(live?.updates())
    var updates = stream.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.results == nil && first.searchState == .idle)
    try live?.perform(widgets.box.setQuery("phone"))
    let results = try await update(of: &updates) { $0.view(of: widgets.pages).nbHits == 20 }
    expectEqual(results?.view(of: widgets.box).query, "phone")
    live = nil
    while await updates.next() != nil {}
  }

  /// A page that is rendered for the updates that are not pending is never one of old results.
  @Test func updatesOfOldResultsArePending() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let live = try shop.searcher().connect(try widgets.screen())
    try await live.searcher.search()
    var updates = live.updates().makeAsyncIterator()
    #expect(await updates.next()?.isPending == false)
    for (text, count) in [("phone", 20), ("player", 40), ("phone 3", 5), ("", 60)] {
      try live.perform(widgets.box.setQuery(text))
      let ended = try await update(of: &updates) { !$0.isPending }
      expectEqual(ended?.view(of: widgets.pages).nbHits, count, "\(text)")
    }
    // What needs no search is not pending.
    try live.perform(widgets.brands.toggleShowMore())
    #expect(await updates.next()?.isPending == false)
    live.searcher.cancel()
    #expect(!live.current.isPending)
  }

  /// A consumer that skips pending values draws again after a search that is not made.
  @Test func updatesDoNotStayPending() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let clock = ManualClock()
    let searcher = HitsSearcher(
      client: shop.client, indexName: "products", debounce: .milliseconds(100),
      options: SearcherOptions(clock: clock))
    let live = try searcher.connect(try widgets.screen())
    _ = try await searcher.search(for: "phone")
    var updates = live.updates().makeAsyncIterator()
    func settles(_ step: () throws -> Void) async throws {
      try live.perform(widgets.box.setQuery("phone 3"))
      #expect(try await update(of: &updates) { $0.isPending } != nil)
      try step()
      #expect(try await update(of: &updates) { !$0.isPending } != nil)
    }
    // Back to the text that is answered, before the debounce.
    try await settles { try live.perform(widgets.box.setQuery("phone")) }
    try await settles { searcher.cancel() }
    expectEqual(shop.transport.requests.count, 1)
  }

  @Test func aSearchThatIsTriedAgainIsPending() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 0 { throw SearchError(.unreachable, "gone") }
      await gate.pass()
      return try await shop.engine.send(request)
    }
    let searcher = HitsSearcher(client: SearchClient(transport: transport), indexName: "products")
    let live = try searcher.connect(try widgets.screen())
    _ = try? await searcher.search()
    #expect(!live.current.isPending)
    try live.setUIState(UIState())
    #expect(live.current.isPending)
    gate.open()
    try await searcher.settled()
    #expect(!live.current.isPending && live.current.view(of: widgets.pages).nbHits == 60)
  }

  @Test func indexKeepsItsIDInLinks() async throws {
    let shop = try await Shop()
    let brands = FacetList(attribute: "brand")
    let screen = try SearchScreen(
      indexName: "products", indexID: "main", widgets: [brands], routing: .singleIndex("main"))
    let live = try shop.searcher().connect(screen)
    try live.perform(brands.toggle("Dell"))
    try await live.searcher.settled()
    let awaited = try await shop.client.search(screen, in: live.uiState)
    #expect(live.current.uiState == awaited.uiState && live.current["main"] != nil)
    try expectEqual(
      live.current.link(after: brands.toggle("Acme")),
      awaited.link(after: brands.toggle("Acme")))
    expectEqual(live.current.views(of: brands).map(\.indexID), ["main"])
  }

  @Test func stateOfTheSearchIsTrackedByObservers() async throws {
    let live = try HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { _, _ in throw SearchError(.server, "") }),
      indexName: "products"
    ).connect(try SearchScreen(indexName: "products", widgets: []))
    let changes = Lock(0)
    withObservationTracking {
      _ = live.current.searchState
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    _ = try? await live.searcher.search()
    expectEqual(changes.withLock { $0 }, 1)
  }

  @Test func screenWithoutWidgetsIsUpdated() async throws {
    let shop = try await Shop()
    let live = try shop.searcher().connect(try SearchScreen(indexName: "products", widgets: []))
    var updates = live.updates().makeAsyncIterator()
    #expect(await updates.next()?.results == nil)
    live.searcher.setQuery("phone")
    let results = try await update(of: &updates) { $0.results != nil && $0.searchState == .idle }
    expectEqual(results?.page(of: Shop.Product.self).nbHits, 20)
  }

  @Test func failureKeepsTheResultsAndTheNextSearchEndsIt() async throws {
    let shop = try await Shop()
    let widgets = Widgets()
    let fails = Lock(false)
    let failure = SearchError(.unreachable, "gone")
    let transport = ScriptedTransport { request, _ in
      if fails.withLock({ $0 }) { throw failure }
      return try await shop.engine.send(request)
    }
    let searcher = HitsSearcher(client: SearchClient(transport: transport), indexName: "products")
    let live = try searcher.connect(try widgets.screen())
    var updates = live.updates().makeAsyncIterator()
    try live.perform(widgets.box.setQuery("phone"))
    _ = try await update(of: &updates) { $0.results != nil && $0.searchState == .idle }
    fails.withLock { $0 = true }
    for text in ["player", "play"] {
      try live.perform(widgets.box.setQuery(text))
      let gone = try await update(of: &updates) { update in
        if case .failed(let error) = update.searchState {
          error.message == failure.message
        } else {
          false
        }
      }
      let failed = try #require(gone)
      expectEqual(failed.view(of: widgets.pages).nbHits, 20)
      expectEqual(failed.view(of: widgets.box).query, text)
    }
    fails.withLock { $0 = false }
    try live.perform(widgets.box.setQuery("player"))
    let found = try await update(of: &updates) { $0.view(of: widgets.pages).nbHits == 40 }
    expectEqual(found?.searchState, .idle)
  }

  /// After random actions, the newest update displays what an awaited search of its state does,
  /// links and hidden fields included.
  @Test(arguments: Seed.all(300, quick: 20))
  func updatesDisplayWhatAnAwaitedSearchDoes(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let shop = try await Shop()
    let widgets = Widgets()
    let live = try shop.searcher().connect(try widgets.screen())
    var updates = live.updates().makeAsyncIterator()
    try await live.searcher.search()
    for _ in 0..<8 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let text = ["", "phone", "play", "4"].randomElement(using: &random)
          try live.perform(widgets.box.setQuery(text ?? ""))
        case 1:
          try live.perform(widgets.brands.toggle(Shop.brands.randomElement(using: &random) ?? ""))
        case 2: try live.perform(widgets.brands.toggleShowMore())
        case 3: try live.perform(widgets.tree.toggle("Audio"))
        default: try live.perform(widgets.pages.show(Int.random(in: 0..<2, using: &random)))
        }
      }
      try await live.searcher.settled()
      let awaited = try await shop.client.search(widgets.screen(), in: live.uiState)
      let shown = try widgets.shown(awaited)
      for (found, expected) in zip(try widgets.shown(live.current), shown) {
        expectEqual(found, expected)
      }
      // A change may still be on its way to the stream, after the one that was read.
      #expect(try await update(of: &updates) { try widgets.shown($0) == shown } != nil)
    }
  }
}
