@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import Observation
import Measuring
import TestSupport
import Testing

/// What hostile users and busy programs do to a screen with all widgets and another index.
@Suite(.timeLimit(.minutes(30))) struct ScreenAttackTests {
  // MARK: URLs

  /// A live screen takes whatever a URL says, and the actions after it. What has no effect is
  /// reported.
  @Test(arguments: Seed.all(1_000, quick: 40))
  func anyURLIsShownOrReported(seed: Seed) async throws {
    let random = SeededRandom(seed: seed.value)
    let fixture = try await LiveFixture()
    let (live, screen) = (fixture.live, fixture.whole.screen)
    try await live.searcher.search()
    let parameters = (0...random.number(below: 12)).map { _ in HostileQuery.parameter(random) }
    for parameter in parameters {
      let label: Comment = "\(seed), \(parameter)"
      let (state, problems) = screen.read(query: parameter)
      let isDefault = ["=", "=1", "=0", "=false"].contains { parameter.hasSuffix($0) }
      #expect(!state.isEmpty || !problems.isEmpty || isDefault, label)
      expectEqual(screen.read(query: screen.query(of: state)).state, state, label)
    }
    let query = parameters.joined(separator: "&")
    let label: Comment = "\(seed), \(query)"
    let (state, problems) = screen.read(query: query, maximumParameters: 20_000)
    try live.setUIState(state)
    #expect(screen.read(query: screen.query(of: live.uiState)).problems.isEmpty, label)
    if problems.isEmpty { expectEqual(live.uiState, state, label) }
    for _ in 0..<4 { _ = random.any(fixture.widgets)?.perform(random) }
    // Some states cannot be searched, such as one with more hits than a page can have.
    try? await live.searcher.settled()
    guard case .idle = live.searcher.state else { return }
    for widget in fixture.widgets { try await widget.settle() }
    try await expectEqual(fixture.differences(), [], label)
  }

  // MARK: Sizes

  /// What is done to a screen with a number of refinements, each with its time.
  private static func timesOfManyRefinements(_ count: Int) async throws -> [String: Double] {
    let fixture = try await LiveFixture(answered: 1)
    let (live, whole) = (fixture.live, fixture.whole)
    try await live.searcher.search()
    let values = (0..<count).map { "b\($0)" }
    var (state, unread) = (UIState(), UIState())
    for id in ["products", "inner"] { state[id].refinementList["brand"] = values }
    for value in values { unread["products"].facetQuery[value] = "x" }
    let keeping = try SearchScreen(
      indexName: "products", widgets: whole.shop.screen.widgets, keepsUnreadParts: true)
    let queries = (state: state.query(), unread: unread.query())
    func read(_ query: String, _ screen: SearchScreen, gives state: UIState) {
      let read = screen.read(query: query, maximumParameters: 20_000)
      #expect(read.state == state && read.problems.isEmpty)
    }
    let steps: [(String, () throws -> Void)] = [
      ("read", { read(queries.state, whole.screen, gives: state) }),
      ("keep", { read(queries.unread, keeping, gives: unread) }),
      ("set", { try live.setUIState(state) }),
      ("state", { expectEqual(live.uiState, state) }),
      ("toggle", { try live.perform(whole.shop.brands.toggle("b7")) }),
      ("toggle inside", { try live["inner"]?.perform(whole.inner.brands.toggle("b7")) }),
      ("type", { try live.perform(whole.autocomplete.setQuery("b7")) }),
      (
        "remove",
        {
          let item = try #require(live.view(of: whole.shop.current).groups.first?.items.last)
          try live.perform(whole.shop.current.remove(item))
        }
      ),
      ("clear", { try live.perform(whole.shop.clear.clear(), inAllScreens: true) }),
    ]
    var times: [String: Double] = [:]
    for (name, work) in steps { times[name] = try threadSeconds(work) }
    #expect(live.uiState["products"].isEmpty)
    return times
  }

  /// Eight times the refinements take at most 24 times as long, not 64. Each time is the best of
  /// several, so that other load does not matter.
  @Test func manyRefinementsTakeLinearTime() async throws {
    let count = Thoroughness.count(300, thorough: 1_250)
    var (small, large): ([String: Double], [String: Double]) = ([:], [:])
    var slow: [String] = []
    for _ in 0..<6 {
      small.merge(try await Self.timesOfManyRefinements(count)) { min($0, $1) }
      large.merge(try await Self.timesOfManyRefinements(8 * count)) { min($0, $1) }
      slow = large.filter { $0.value > 24 * (small[$0.key] ?? 0) }.map(\.key)
      if slow.isEmpty { break }
    }
    #expect(slow.isEmpty, "\(large)")
  }

  /// A long text in each part, in the actions of a user too.
  @Test func longTextIsShownAndReported() async throws {
    let count = Thoroughness.count(20_000, thorough: 150_000)
    let text = String(repeating: "é x[]&", count: count)
    let fixture = try await LiveFixture(answered: 1)
    let (live, whole) = (fixture.live, fixture.whole)
    try await live.searcher.search()
    var state = UIState()
    state["products"].query = text
    state["products"].refinementList["brand"] = [text]
    state["products"].hierarchicalMenu["categories.lvl0"] = Array(repeating: "x", count: 5_000)
    state["products"].filters["deals"] = [text]
    state["products"].facetQuery["brand"] = text
    state["products"].additional["autocomplete"] = ["query": .text(text)]
    let (read, problems) = whole.screen.read(query: state.query(), maximumParameters: 20_000)
    #expect(read["products"].query.utf8.count <= 512)
    expectEqual(
      Set(problems.map { $0.path[1] }), ["query", "filters", "hierarchicalMenu"])
    #expect(problems.allSatisfy { $0.description.utf8.count < 1_000 })
    try live.setUIState(state)
    expectEqual(live.view(of: whole.shop.box).query, text)
    expectEqual(live.view(of: whole.autocomplete).query, text)
    try live.perform(whole.autocomplete.submit())
    try live.perform(whole.autocomplete.setQuery(text))
    try live.perform(whole.shop.brands.search(text))
    try live.perform(whole.shop.tree.toggle(String(repeating: "a > ", count: count)))
    try live.perform(whole.shop.brands.toggle(text))
    #expect(live.uiState["products"].refinementList["brand"] == nil)
  }

  // MARK: Threads

  /// Eight threads use one screen in all ways while responses are late or fail. No action is lost,
  /// the views are those of the last state, and the streams end with them.
  @Test(arguments: Seed.all(40, quick: 2), BusyScreen.Following.allCases)
  func threadsLoseNothing(seed: Seed, following: BusyScreen.Following) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed.value)
    let fails = Lock(true)
    let transport = ScriptedTransport { request, _ in
      let response = try await shop.engine.send(request)
      await random.pause(below: 8)
      if random.number(below: 6) == 0, fails.withLock({ $0 }) { throw SearchError(.server, "down") }
      return response
    }
    var busy: BusyScreen? = try BusyScreen(transport, following, seed: seed.value)
    let ends = try #require(busy?.ends)
    weak let searcher = busy?.fixture.live.searcher
    weak let live = busy?.fixture.live
    let label: Comment = "\(seed), \(following)"
    try await busy?.storm()
    fails.withLock { $0 = false }
    try await busy?.settle()
    expectEqual(busy?.lost, [], label)
    try await expectEqual(busy?.fixture.differences(), [], label)
    let (state, view) = (busy?.fixture.live.uiState, busy?.brands)
    busy = nil
    await expectEqual(ends.state.value, state, label)
    await expectEqual(ends.view.value, view, label)
    #expect(searcher == nil && live == nil, label)
  }

  /// Screens and threads share earlier searches, and saving them performs further actions.
  @Test func earlierSearchesOfSeveralScreensAreSavedOnce() async throws {
    let saved = Lock<[String]>([])
    let action = Lock<(@Sendable () -> Void)?>(nil)
    let recent = RecentSearches(limit: 1_000) { texts in
      saved.withLock { $0 = texts }
      action.withLock { $0 }?()
    }
    let field = Autocomplete(sources: [], recent: recent)
    let screen = try SearchScreen(indexName: "products", widgets: [field])
    let searcher = try await Shop.shared.value.searcher()
    let lives = try (0..<4).map { _ in try searcher.connect(screen) }
    action.withLock { [weak live = lives[0]] in
      $0 = {
        try? live?.perform(field.open())
        recent.insert("saved")
      }
    }
    let count = Thoroughness.count(10, thorough: 60)
    try await withThrowingTaskGroup { group in
      for (number, live) in (lives + lives).enumerated() {
        group.addTask {
          for step in 0..<count {
            try live.perform(field.setQuery("\(number) \(step)"))
            // Another thread may have typed meanwhile.
            recent.insert("\(number) \(step)")
            try live.perform(field.submit())
          }
        }
      }
      try await group.waitForAll()
    }
    action.withLock { $0 = nil }
    recent.insert("last")
    let all = (0..<8).flatMap { number in (0..<count).map { "\(number) \($0)" } }
    #expect(Set(all + ["saved", "last"]).isSubset(of: recent.searches))
    #expect(saved.withLock { $0 } == recent.searches && recent.searches.first == "last")
  }

  // MARK: Ends

  /// Whatever is dropped or cancelled during a search, each awaited call ends, and nothing stays.
  @Test(arguments: Seed.all(200, quick: 20))
  func whatIsDroppedDuringASearchEnds(seed: Seed) async throws {
    let (random, gate) = (SeededRandom(seed: seed.value), CallGate())
    let shop = try await Shop.shared.value
    var fixture: LiveFixture? = try LiveFixture(
      HitsSearcher(
        ScriptedTransport { request, _ in
          await gate.pass()
          return try await shop.engine.send(request)
        }))
    weak let live = fixture?.live
    weak let searcher = fixture?.live.searcher
    let whole = try #require(fixture?.whole)
    var interactor = live?.interactor(of: whole.shop.brands)
    weak let released = interactor
    try fixture?.live.perform(whole.autocomplete.setQuery("phone"))
    try fixture?.live.perform(whole.shop.brands.search("a"))
    var tasks: [Task<Void, Never>] = []
    tasks.append(Task { [weak searcher] in _ = try? await searcher?.search() })
    tasks.append(Task { [weak searcher] in try? await searcher?.settled() })
    tasks.append(Task { [weak interactor] in _ = try? await interactor?.settledView() })
    let states = try #require(live?.uiStates(buffering: .unbounded))
    let views = try #require(live?.updates(of: whole.inner.brands, buffering: .unbounded))
    tasks.append(Task { for await _ in states {} })
    tasks.append(Task { for await _ in views {} })
    await gate.waitForCalls(1 + random.number(below: 3))
    var acts: [() -> Void] = [
      { fixture = nil }, { interactor = nil }, { for task in tasks { task.cancel() } },
    ]
    if random.number(below: 2) == 0 { acts.append { gate.open() } }
    while !acts.isEmpty {
      acts.remove(at: random.number(below: acts.count))()
      await random.pause(below: 10)
    }
    for task in tasks { await task.value }
    #expect(live == nil && searcher == nil && released == nil, "\(seed)")
    gate.open()
  }

  /// The response to a search of a screen that was dropped is not shown in another one.
  @Test func responseForAnotherScreenIsIgnored() async throws {
    let (gate, pages) = (CallGate(), Pagination())
    let shop = try await Shop.shared.value
    func screen(_ index: String) throws -> SearchScreen {
      let nested = try SearchScreen(indexName: index, indexID: "inner", widgets: [pages])
      return try SearchScreen(indexName: "products", widgets: [pages], indices: [nested])
    }
    let searcher = HitsSearcher(
      ScriptedTransport { request, _ in
        await gate.pass()
        return try await shop.engine.send(request)
      })
    var live: LiveScreen? = try searcher.connect(try screen("offers"))
    searcher.submit()
    await gate.waitForCalls()
    #expect(live?["inner"]?.results == nil)
    live = nil
    let other = try searcher.connect(try screen("products"))
    gate.open()
    try await searcher.settled()
    expectEqual(other.view(of: pages).nbHits, 60)
    expectEqual(other["inner"]?.view(of: pages).nbHits, 0)
    try await searcher.search()
    expectEqual(other["inner"]?.results?.state.indexName, "products")
  }

  /// A widget whose view does not show its response.
  private struct Unmoved: RequestingWidget {
    func request(in context: Context) -> WidgetRequest? {
      .searches([SearchRequest("products", SearchQuery(context.state.query.query ?? ""))])
    }

    func view(_ context: Context) -> Int { 0 }
  }

  /// A response that leaves the view of a widget equal ends the wait for it.
  @Test func responseWithAnEqualViewEndsTheWait() async throws {
    let shop = try await Shop.shared.value
    let (box, widget) = (SearchBox(), Unmoved())
    let live = try shop.searcher().connect(
      try SearchScreen(indexName: "products", widgets: [box, widget]))
    let interactor = live.interactor(of: widget)
    for text in ["phone", "player"] {
      try live.perform(box.setQuery(text))
      try await expectEqual(interactor.settledView(), 0)
    }
  }

  /// A widget that always needs the page after the one that it has.
  private struct Endless: RequestingWidget {
    func request(in context: Context) -> WidgetRequest? {
      .searches([SearchRequest("products", SearchQuery().with { $0.page = view(context) })])
    }

    /// The number of pages that the widget has.
    func view(_ context: Context) -> Int {
      guard case .searches(let requests)? = context.response?.request else { return 0 }
      return (requests.first?.query.page ?? 0) + 1
    }
  }

  /// Requests that follow from responses end.
  @Test func requestsThatFollowFromResponsesEnd() async throws {
    let shop = try await Shop.shared.value
    let (box, widget) = (SearchBox(), Endless())
    let live = try shop.searcher().connect(
      try SearchScreen(indexName: "products", widgets: [box, widget]))
    let interactor = live.interactor(of: widget)
    var pages = 0
    for text in ["phone", "player"] {
      try live.perform(box.setQuery(text))
      let newest = try await interactor.settledView()
      #expect((pages + 1...pages + 40).contains(newest), "\(text)")
      pages = newest
    }
    let results = try await shop.client.search(
      SearchScreen(indexName: "products", widgets: [box, widget]))
    expectEqual(results.view(of: widget), 2)
  }

  // MARK: Recursion

  /// Code of a test that runs in a view.
  private final class Script: Sendable, Hashable {
    let run = Lock<(@Sendable () -> Void)?>(nil)
    let count = Lock(0)

    static func == (left: Script, right: Script) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// A widget whose view runs code, and never equals the one before.
  private struct Restless: StatusWidget {
    let script: Script

    func view(_ context: Context) -> Int {
      script.run.withLock { $0 }?()
      return script.count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// What code does with a live screen where it should not.
  enum Deed: CaseIterable {
    case read, perform, setQuery, setUIState
  }

  private static func deed(_ deed: Deed, _ live: LiveScreen, _ list: FacetList, _ number: Int) {
    switch deed {
    case .read: _ = (live.view(of: list), live.uiState)
    case .perform: try? live.perform(list.toggle("x\(number)"))
    case .setQuery: live.searcher.setQuery("x\(number)")
    case .setUIState:
      var state = UIState()
      state["products"].query = "x\(number)"
      try? live.setUIState(state)
    }
  }

  /// Code in a view, in the closure of an action and in an observer uses the screen again.
  @Test(arguments: Deed.allCases, [false, true])
  func codeInsideOtherCodeEnds(deed: Deed, isWatched: Bool) async throws {
    let shop = try await Shop.shared.value
    let (script, whole) = (Script(), try WholeScreen())
    let (list, restless) = (whole.shop.brands, Restless(script: script))
    let live = try shop.searcher(SearcherOptions(clock: ManualClock())).connect(
      try SearchScreen(
        indexName: "products", widgets: whole.shop.screen.widgets + [restless],
        indices: [try SearchScreen(indexName: "offers", widgets: [whole.inner.brands])]))
    let interactor = live.interactor(of: restless)
    let views = isWatched ? interactor.views : nil
    defer { withExtendedLifetime(views) {} }
    script.run.withLock {
      $0 = { [weak live, interactor] in
        if let live { Self.deed(deed, live, list, script.count.withLock { $0 }) }
        if deed == .read, let live { _ = (interactor.view, live.view(of: restless)) }
      }
    }
    try await live.searcher.search()
    #expect(live.view(of: restless) > 0)
    try live.perform(whole.shop.box.setQuery("phone"))
    #expect(interactor.view > 0)
    try await live.searcher.settled()
    #expect(live.view(of: restless) > 0)
    #expect((1..<30).contains(script.count.withLock { $0 }))
    expectEqual(live.uiState["products"].query, "phone")
    #expect(live.uiState["products"].refinementList.isEmpty)
    script.run.withLock { $0 = nil }
    try live.perform(
      whole.shop.box.action { context in
        Self.deed(deed, live, list, 1)
        context.state.query.query = "player"
      })
    expectEqual(live.uiState["products"].query, "player")
    // A pending answer would call the observer before the action below.
    try await live.searcher.settled()
    // An observer is called after the change, and again for changes that it makes itself.
    let isFirst = Lock(true)
    withObservationTracking {
      _ = live.view(of: list)
    } onChange: { [weak live] in
      guard let live, isFirst.withLock({ $0 }) else { return }
      isFirst.withLock { $0 = false }
      Self.deed(deed, live, list, 2)
    }
    try live.perform(list.toggle("Dell"))
    try await live.searcher.settled()
    let isRefined = live.uiState["products"].refinementList == ["brand": ["Dell", "x2"]]
    expectEqual(isRefined, deed == .perform)
    expectEqual(
      live.uiState["products"].query, deed == .read || deed == .perform ? "player" : "x2")
  }
}
