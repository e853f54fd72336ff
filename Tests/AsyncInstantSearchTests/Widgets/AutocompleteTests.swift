import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// A search box with suggestions of several indices.
struct AutocompleteTests {
  /// What was saved.
  private final class Saved: Sendable {
    let lists = Lock<[[String]]>([])
  }

  /// A shop with query suggestions.
  private struct Fixture {
    let shop: Shop
    let recent: RecentSearches
    let saved = Saved()
    let autocomplete: Autocomplete
    let pages = Pagination()

    init(recent texts: [String] = [], url: String? = nil, gate: CallGate? = nil) async throws {
      shop = try await Shop(gate: gate)
      try await shop.engine.setSettings(
        IndexSettings(searchableAttributes: ["query"], customRanking: ["desc(popularity)"]),
        of: "suggestions")
      let suggestions: [JSON] = [
        ["objectID": "1", "query": "phone", "popularity": 30],
        ["objectID": "2", "query": "phone case", "popularity": 20],
        ["objectID": "3", "query": "player", "popularity": 10],
      ]
      try await shop.engine.save(suggestions, in: "suggestions")
      recent = RecentSearches(texts) { [saved] texts in saved.lists.withLock { $0.append(texts) } }
      autocomplete = Autocomplete(
        sources: [
          .suggestions(indexName: "suggestions"),
          .records(indexName: "products", attribute: "name", urlAttribute: url, limit: 2),
        ], recent: recent, recentLimit: 2)
    }

    var screen: SearchScreen {
      get throws { try SearchScreen(indexName: "products", widgets: [autocomplete, pages]) }
    }

    func live() throws -> LiveScreen { try shop.searcher().connect(try screen) }

    /// The view once its request is answered.
    func settled(_ live: LiveScreen) async throws -> Autocomplete.View {
      try await live.interactor(of: autocomplete).settledView()
    }
  }

  @Test func allSourcesAreOneCallAndNoOtherSearch() async throws {
    let gate = CallGate()
    let fixture = try await Fixture(recent: ["phone 3", "tv"], gate: gate)
    let (live, autocomplete) = (try fixture.live(), fixture.autocomplete)
    try await live.searcher.search()
    #expect(!live.view(of: autocomplete).isOpen && live.view(of: autocomplete).items.isEmpty)
    expectEqual(fixture.shop.transport.requests.count, 1)
    try live.perform(autocomplete.setQuery("Ph"))
    #expect(live.view(of: autocomplete).isLoading && live.view(of: autocomplete).query == "Ph")
    gate.open()
    let view = try await fixture.settled(live)
    expectEqual(fixture.shop.transport.requests.count, 2)
    expectEqual(view.items.map(\.text), ["phone 3", "phone", "phone case", "phone 0", "phone 12"])
    expectEqual(view.sections.map(\.source?.indexName), [nil, "suggestions", "products"])
    // What is not typed yet is marked in a text to search for, and the match in a record.
    expectEqual(
      view.items.map { $0.highlighted.tagged(pre: "[", post: "]") },
      ["ph[one 3]", "ph[one]", "ph[one case]", "[ph]one 0", "[ph]one 12"])
    #expect(view.completion == "one" && !view.isEmpty)
    expectEqual(
      view.sections.last?.page(of: Shop.Product.self).hits.map(\.objectID), ["p0", "p12"])
    expectEqual(live.view(of: fixture.pages).nbHits, 60)
  }

  @Test func shownEarlierSearchIsNotSuggestedAgain() async throws {
    let fixture = try await Fixture(recent: ["phone", "", "phone ", "pho", "phonograph"])
    let live = try fixture.live()
    try live.perform(fixture.autocomplete.setQuery("phon"))
    let view = try await fixture.settled(live)
    expectEqual(view.items.prefix(3).map(\.text), ["phone", "phonograph", "phone case"])
  }

  @Test func arrowKeysMoveTheSelectionThroughAllItems() async throws {
    let fixture = try await Fixture(recent: ["phone 9"])
    let (live, autocomplete) = (try fixture.live(), fixture.autocomplete)
    try live.perform(autocomplete.selectNext())
    #expect(live.view(of: autocomplete).selection == nil)
    try live.perform(autocomplete.setQuery("phone"))
    let count = try await fixture.settled(live).items.count
    var selections: [Int?] = []
    for _ in 0...count + 1 {
      try live.perform(autocomplete.selectNext())
      selections.append(live.view(of: autocomplete).selection)
    }
    expectEqual(selections, Array(0..<count) + [nil, 0])
    try live.perform(autocomplete.selectPrevious())
    #expect(live.view(of: autocomplete).selection == nil)
    try live.perform(autocomplete.selectPrevious())
    expectEqual(live.view(of: autocomplete).selection, count - 1)
    // Another text has other items.
    try live.perform(autocomplete.setQuery("phone c"))
    #expect(live.view(of: autocomplete).selectedItem == nil)
    #expect(fixture.shop.transport.requests.count <= 3)
  }

  @Test func submittedTextIsSearchedAndSavedOnce() async throws {
    let fixture = try await Fixture(recent: ["tv"])
    let (live, autocomplete) = (try fixture.live(), fixture.autocomplete)
    try live.perform(autocomplete.setQuery("phone"))
    _ = try await fixture.settled(live)
    try live.perform(autocomplete.selectNext())
    try live.perform(autocomplete.submit())
    try await live.searcher.settled()
    #expect(live.uiState["products"].query == "phone" && !live.view(of: autocomplete).isOpen)
    expectEqual(live.view(of: fixture.pages).nbHits, 20)
    expectEqual(fixture.recent.searches, ["phone", "tv"])
    expectEqual(fixture.saved.lists.withLock { $0 }, [["phone", "tv"]])
    // The earlier searches of the open list are those with the new one.
    try live.perform(autocomplete.setQuery(""))
    _ = try await fixture.settled(live)
    expectEqual(live.view(of: autocomplete).items.prefix(2).map(\.text), ["phone", "tv"])
    try live.perform(autocomplete.removeRecent("tv"))
    expectEqual(live.view(of: autocomplete).sections.first?.items.map(\.text), ["phone"])
    try live.perform(autocomplete.removeAllRecent())
    #expect(fixture.recent.searches.isEmpty && fixture.saved.lists.withLock { $0.count } == 3)
    #expect(live.view(of: autocomplete).sections.first?.source != nil)
  }

  @Test func itemWithAnAddressIsNotSearched() async throws {
    let fixture = try await Fixture(url: "shelf")
    let (live, autocomplete) = (try fixture.live(), fixture.autocomplete)
    try live.perform(autocomplete.setQuery("phone"))
    let items = try await fixture.settled(live).items
    let record = try #require(items.last)
    #expect(record.url != nil && record.objectID != nil)
    try live.perform(autocomplete.choose(record))
    #expect(!live.view(of: autocomplete).isOpen && live.uiState.isEmpty)
    #expect(fixture.recent.searches.isEmpty)
    // The same with the keyboard.
    try live.perform(autocomplete.setQuery("phone"))
    _ = try await fixture.settled(live)
    try live.perform(autocomplete.selectPrevious())
    expectEqual(live.view(of: autocomplete).selectedItem, record)
    try live.perform(autocomplete.submit())
    #expect(!live.view(of: autocomplete).isOpen && live.uiState.isEmpty)
    try live.perform(autocomplete.choose(items[0]))
    #expect(live.uiState["products"].query == "phone" && fixture.recent.searches == ["phone"])
  }

  @Test func openListIsInTheURLAndSurvivesAReload() async throws {
    let fixture = try await Fixture(recent: ["phone 3"])
    let (screen, autocomplete) = (try fixture.screen, fixture.autocomplete)
    let first = try await fixture.shop.client.search(screen)
    let query = try first.link(after: autocomplete.setQuery("pho & <"))
    let name = "products%5Bautocomplete%5D%5B"
    expectEqual(query, "\(name)query%5D=pho%20%26%20%3C")
    let (state, problems) = screen.read(query: query)
    #expect(problems.isEmpty)
    let page = try await fixture.shop.client.search(screen, in: state)
    expectEqual(page.view(of: autocomplete).query, "pho & <")
    let next = try page.link(after: autocomplete.setQuery("phone"))
    let open = try await fixture.shop.client.search(screen, in: screen.read(query: next).state)
    let live = try fixture.live()
    try live.setUIState(screen.read(query: next).state)
    try await live.searcher.search()
    try await expectEqual(fixture.settled(live).items, open.view(of: autocomplete).items)
    // Links change nothing: an earlier search is saved when it is made.
    let searched = try open.link(after: autocomplete.choose(open.view(of: autocomplete).items[1]))
    #expect(searched == "products%5Bquery%5D=phone" && fixture.recent.searches == ["phone 3"])
    #expect(
      try open.link(after: autocomplete.selectPrevious())
        .contains("selection%5D=4"))
    #expect(try open.link(after: autocomplete.close()).isEmpty)
  }

  @Test(arguments: [
    "products[autocomplete]=x", "products[autocomplete][selection]=-5",
    "products[autocomplete][query][0]=a", "products[autocomplete][query]=a&x=1",
  ])
  func valuesWithoutEffectAreReported(query: String) async throws {
    let fixture = try await Fixture()
    let (state, problems) = try fixture.screen.read(query: query)
    #expect(!problems.isEmpty)
    let page = try await fixture.shop.client.search(fixture.screen, in: state)
    #expect(page.view(of: fixture.autocomplete).selection == nil)
  }

  @Test func anotherSearchClosesTheList() async throws {
    let fixture = try await Fixture()
    let (live, autocomplete) = (try fixture.live(), fixture.autocomplete)
    try live.perform(autocomplete.setQuery("phone"))
    try live.perform(fixture.pages.show(1))
    #expect(!live.view(of: autocomplete).isOpen)
    try live.perform(autocomplete.open())
    #expect(live.view(of: autocomplete).isOpen)
    live.searcher.setQuery("player")
    #expect(!live.view(of: autocomplete).isOpen && live.view(of: autocomplete).query == "player")
    try live.perform(autocomplete.open())
    expectEqual(live.view(of: autocomplete).query, "player")
    try live.perform(autocomplete.close())
    #expect(!live.view(of: autocomplete).isOpen)
  }

  @Test func typedTextCanBeSearchedBesideTheList() async throws {
    let fixture = try await Fixture()
    let typing = Autocomplete(
      sources: [.suggestions(indexName: "suggestions")], searchesAsYouType: true)
    let live = try fixture.shop.searcher().connect(
      try SearchScreen(indexName: "products", widgets: [typing, fixture.pages]))
    try live.perform(typing.setQuery("phone"))
    try await live.searcher.settled()
    let view = try await live.interactor(of: typing).settledView()
    #expect(view.isOpen && view.items.map(\.text) == ["phone", "phone case"])
    expectEqual(live.view(of: fixture.pages).nbHits, 20)
    expectEqual(fixture.shop.transport.requests.count, 2)
    try live.perform(typing.close())
    expectEqual(live.view(of: typing).query, "phone")
  }

  @Test func failureAndEmptyListAreShown() async throws {
    let fixture = try await Fixture()
    let failing = Autocomplete(sources: [.suggestions(indexName: "missing")])
    let screen = try SearchScreen(indexName: "products", widgets: [failing])
    let live = try fixture.shop.searcher().connect(screen)
    try live.perform(failing.setQuery("a"))
    let failed = try await live.interactor(of: failing).settledView()
    #expect(failed.error != nil && !failed.isEmpty)
    let other = try fixture.live()
    try other.perform(fixture.autocomplete.setQuery("zzzzzz"))
    #expect(try await fixture.settled(other).isEmpty)
  }

  /// Keystrokes within the debounce are one call, and moving the selection is none.
  @Test(arguments: Seed.all(20))
  func typedTextWaitsForTheDebounce(seed: Seed) async throws {
    let (clock, executor) = (ManualClock(), SeededExecutor(seed: seed.value))
    let transport = ScriptedTransport { request, _ in
      let count = try JSON(parsing: request.body)["requests"]?.arrayValue?.count ?? 0
      let answer = #"{"hits":[{"objectID":"1","query":"phone"}],"nbHits":1}"#
      let answers = Array(repeating: answer, count: count).joined(separator: ",")
      return TransportResponse(
        status: 200, body: Array((count > 0 ? "{\"results\":[\(answers)]}" : answer).utf8))
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      debounce: .milliseconds(300), options: SearcherOptions(clock: clock, executor: executor))
    let autocomplete = Autocomplete(
      sources: [.suggestions(indexName: "a"), .suggestions(indexName: "b")])
    let live = try searcher.connect(
      try SearchScreen(indexName: "products", widgets: [autocomplete]))
    for text in ["p", "ph", "pho"] {
      try live.perform(autocomplete.setQuery(text))
      executor.runUntilIdle()
      clock.advance(by: .milliseconds(200))
      executor.runUntilIdle()
    }
    #expect(transport.requests.isEmpty && live.view(of: autocomplete).isLoading)
    clock.advance(by: .milliseconds(100))
    executor.runUntilIdle()
    #expect(transport.requests.count == 1 && live.view(of: autocomplete).items.count == 2)
    try live.perform(autocomplete.selectNext())
    try live.perform(autocomplete.submit())
    executor.runUntilIdle()
    // What is chosen does not wait.
    #expect(transport.requests.count == 2 && live.view(of: autocomplete).query == "phone")
  }

  @Test func optionsThatCannotWorkAreRefused() {
    #expect(Autocomplete(sources: []).problem != nil)
    #expect(Autocomplete(sources: [.suggestions(indexName: "")]).problem != nil)
    #expect(
      Autocomplete(sources: [.records(indexName: "a", attribute: "")]).problem != nil)
    #expect(
      Autocomplete(sources: [.suggestions(indexName: "a", limit: 0)]).problem != nil)
    #expect(
      Autocomplete(sources: [.suggestions(indexName: "a")], recentLimit: 0).problem != nil)
  }

  /// Threads add and remove texts. Calls to save do not overlap, and the last has the newest texts.
  @Test func earlierSearchesAreSavedInOrder() async {
    let calls = Lock((running: 0, last: [String](), overlaps: 0))
    let recent = RecentSearches(limit: 5) { texts in
      calls.withLock {
        $0.running += 1
        if $0.running > 1 { $0.overlaps += 1 }
      }
      calls.withLock {
        $0.last = texts
        $0.running -= 1
      }
    }
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            recent.insert("\(task) \(number % 7)")
            if number % 5 == 0 { recent.remove("\(task) \(number % 3)") }
          }
        }
      }
    }
    recent.insert("last")
    #expect(calls.withLock { $0.last } == recent.searches && calls.withLock { $0.overlaps } == 0)
    #expect(recent.searches.first == "last" && recent.searches.count <= 5)
  }
}
