@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The events of a searcher's users.
struct SearchEventsTests {
  private struct Film: Codable, Sendable {
    let title: String
  }

  /// A service that returns hits for each text.
  private struct Service {
    let transport: ScriptedTransport

    /// Creates a service.
    ///
    /// - Parameter response: Returns the query ID and the IDs of the hits for a text.
    init(_ response: @escaping @Sendable (String) async -> (queryID: String?, ids: [String])) {
      transport = ScriptedTransport { request, _ in
        let body = try JSON(parsing: request.body)
        let query = body["requests"]?[0] ?? body
        let (queryID, ids) = await response(query["query"]?.stringValue ?? "")
        let hits = ids.map { id -> JSON in ["objectID": .string(id), "title": "t"] }
        var page: [String: JSON] = [
          "hits": .array(hits), "hitsPerPage": 50, "page": query["page"] ?? 0,
          "nbHits": .int(Int64(ids.count)),
        ]
        if let queryID { page["queryID"] = .string(queryID) }
        let answer: JSON = body["requests"] == nil ? .object(page) : ["results": [.object(page)]]
        return TransportResponse(status: 200, body: Array(answer.text.utf8))
      }
    }

    func searcher() -> HitsSearcher {
      HitsSearcher(client: SearchClient(transport: transport), indexName: "films")
    }
  }

  /// Takes the events that were published until now.
  private func events(_ events: SearchEvents) async throws -> [SearchEvent] {
    let marker = "Marker"
    try events.convert(
      Hit(
        objectID: "marker", object: Film(title: ""),
        searchMetadata: SearchMetadata(position: 1, queryID: "q")), named: marker)
    var found: [SearchEvent] = []
    for await event in events.events {
      if event.name == marker { break }
      found.append(event)
    }
    return found
  }

  private func viewed(_ ids: [String], _ queryID: String?) -> SearchEvent {
    SearchEvent(
      .viewedHits(objectIDs: ids, queryID: queryID), named: "Hits Viewed", in: "films")
  }

  // MARK: Views

  @Test func hitsAreViewedOncePerQueryID() async throws {
    let service = Service { text in
      switch text {
      case "same": ("q1", ["a", "b", "c"])
      case "other": ("q2", ["a"])
      default: ("q1", ["a", "b"])
      }
    }
    let searcher = service.searcher()
    let events = SearchEvents()
    events.connectSearcher(searcher)
    let stream = events.events
    for text in ["", "same", "other", "same"] {
      searcher.setQuery(text)
      try await searcher.search()
    }
    try events.convert(
      Hit(
        objectID: "a", object: Film(title: ""), searchMetadata: SearchMetadata(queryID: "q1")),
      named: "Bought")
    var found: [SearchEvent] = []
    for await event in stream {
      found.append(event)
      if event.name == "Bought" { break }
    }
    expectEqual(
      found,
      [
        viewed(["a", "b"], "q1"), viewed(["c"], "q1"), viewed(["a"], "q2"),
        viewed(["a", "b", "c"], "q1"),
        SearchEvent(.convertedHits(objectIDs: ["a"], queryID: "q1"), named: "Bought", in: "films"),
      ])
  }

  @Test func hitsWithoutQueryIDAreViewedAgain() async throws {
    let service = Service { _ in (nil, ["a"]) }
    let searcher = service.searcher()
    let events = SearchEvents()
    events.connectSearcher(searcher)
    try await searcher.search()
    try await searcher.search()
    try await expectEqual(self.events(events), [viewed(["a"], nil), viewed(["a"], nil)])
  }

  @Test(arguments: [(0, []), (20, [20]), (45, [20, 20, 5])])
  func viewsAreDividedIntoChunks(count: Int, chunks: [Int]) async throws {
    let service = Service { _ in ("q", (0..<count).map { "r\($0)" }) }
    let searcher = service.searcher()
    let events = SearchEvents()
    events.connectSearcher(searcher)
    try await searcher.search()
    let ids = try await self.events(events).map { event -> [String] in
      guard case .viewedHits(let ids, "q") = event.action else { return [] }
      return ids
    }
    expectEqual(ids.map(\.count), chunks)
    expectEqual(ids.flatMap { $0 }, (0..<count).map { "r\($0)" })
  }

  @Test func nothingIsViewedWhileASearchRuns() async throws {
    let gate = CallGate()
    let service = Service { text in
      if text == "slow" { await gate.pass() }
      return (text, [text])
    }
    let searcher = service.searcher()
    searcher.setQuery("first")
    try await searcher.search()
    searcher.setQuery("slow")
    await gate.waitForCalls()
    // The hits of the first search are still displayed.
    let events = SearchEvents()
    events.connectSearcher(searcher)
    #expect(searcher.state != .idle)
    #expect(try await self.events(events).isEmpty)
    gate.open()
    try await searcher.search()
    #expect(service.transport.requests.count >= 2)
    let later = SearchEvents()
    later.connectSearcher(searcher)
    try await expectEqual(self.events(later), [viewed(["slow"], "slow")])
  }

  @Test func hitsOfOtherPagesAreViewedByHand() async throws {
    let service = Service { _ in ("q", ["a", "b"]) }
    let searcher = service.searcher()
    let events = SearchEvents(names: .init(view: "Seen"))
    let hit = Hit(
      objectID: "c", object: Film(title: ""),
      searchMetadata: SearchMetadata(position: 3, queryID: "q"))
    #expect(throws: SearchError.self) { try events.view([hit]) }
    events.connectSearcher(searcher)
    let page = try await searcher.search().page(of: Hit<Film>.self)
    try events.view(page.hits + [hit])
    let found = try await self.events(events)
    expectEqual(
      found.map(\.action),
      [
        .viewedHits(objectIDs: ["a", "b"], queryID: "q"),
        .viewedHits(objectIDs: ["c"], queryID: "q"),
      ])
    #expect(found.allSatisfy { $0.name == "Seen" })
  }

  // MARK: Clicks

  @Test func hitIsClickedAtItsPosition() async throws {
    let service = Service { _ in ("q", ["a", "b"]) }
    let searcher = service.searcher()
    searcher.update { $0.query.page = 2 }
    searcher.cancel()
    let events = SearchEvents(names: .init(click: "Opened"))
    events.connectSearcher(searcher)
    let page = try await searcher.search().page(of: Hit<Film>.self)
    try events.click(page.hits[1])
    let clicks = try await self.events(events).filter { $0.name == "Opened" }
    expectEqual(
      clicks,
      [
        SearchEvent(
          .clickedHits(objectIDs: ["b"], positions: [102], queryID: "q"), named: "Opened",
          in: "films")
      ])
    let error = #expect(throws: SearchError.self) {
      try events.click(Hit(objectID: "x", object: Film(title: "")))
    }
    #expect(error?.message.contains("queryID") == true)
  }

  // MARK: Filters

  @Test func onlyFiltersThatAreSwitchedOnAreClicked() async throws {
    let shop = try await Shop()
    // No task runs: results would change which actions are possible.
    let searcher = HitsSearcher(
      client: shop.client, indexName: "products",
      options: .init(clock: ManualClock(), executor: SeededExecutor(seed: 1)))
    let events = SearchEvents()
    events.connectSearcher(searcher)
    let brands = WidgetInteractor(FacetList(attribute: "brand", showMoreLimit: 20))
    let colors = WidgetInteractor(FacetMenu(attribute: "color"))
    let tree = WidgetInteractor(
      HierarchicalMenu(
        HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"])))
    let free = WidgetInteractor(
      FilterToggle(attribute: "isFree", on: ["true", "yes"], off: ["false"]))
    let ratings = WidgetInteractor(RatingMenu(attribute: "rating"))
    let prices = WidgetInteractor(NumberRange(attribute: "price"))
    let menu = WidgetInteractor(
      NumericMenu(attribute: "price", items: [.init("all"), .init("cheap", end: 100)]))
    let current = WidgetInteractor(CurrentFilters())
    let list = WidgetInteractor(
      SelectableFilters([Filter.Tag("new").filter, ("price" < 50).filter]))
    brands.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    tree.connectSearcher(searcher)
    free.connectSearcher(searcher)
    ratings.connectSearcher(searcher)
    prices.connectSearcher(searcher)
    menu.connectSearcher(searcher)
    current.connectSearcher(searcher)
    list.connectSearcher(searcher)
    try brands.perform { $0.toggle("Apple") }
    try brands.perform { $0.toggle("Apple") }
    try brands.perform { $0.toggleShowMore() }
    try colors.perform { $0.select("red") }
    try colors.perform { $0.select("blue") }
    try colors.perform { $0.select("blue") }
    try tree.perform { $0.toggle("Audio > Speakers") }
    try tree.perform { $0.toggle("Audio > Speakers") }
    try tree.perform { $0.toggle("Audio") }
    try free.perform { $0.set(true) }
    try free.perform { $0.set(false) }
    try ratings.perform { $0.toggle(4) }
    try ratings.perform { $0.toggle(4) }
    try prices.perform { $0.set(10, 20) }
    try menu.perform { $0.select(1) }
    try list.perform { $0.toggle(Filter.Tag("new")) }
    try list.perform { $0.toggle("price" < 50) }
    try list.perform { $0.toggle(Filter.Tag("new")) }
    searcher.cancel()
    let clicks = try await self.events(events).compactMap { event -> [String]? in
      guard case .clickedFilters(let filters) = event.action else { return nil }
      #expect(event.name == "Filter Applied" && event.indexName == "products")
      return filters.map(\.description)
    }
    expectEqual(
      clicks,
      [
        [#""brand":"Apple""#], [#""color":"red""#], [#""color":"blue""#],
        [#""categories.lvl1":"Audio > Speakers""#], [#""isFree":"true""#, #""isFree":"yes""#],
        [#""rating" >= 4"#], [#""_tags":"new""#],
      ])
    withExtendedLifetime(searcher) {}
  }

  // MARK: Searches

  @Test func everySearchRequestsAQueryID() async throws {
    let shop = try await Shop()
    let searcher = shop.searcher()
    let events = SearchEvents(userToken: "visitor-42")
    let connection = events.connectSearcher(searcher)
    #expect(events.connectSearcher(searcher) === connection)
    #expect(shop.transport.requests.isEmpty)
    let response = try await searcher.search()
    _ = try await searcher.page(1, of: response)
    connection.disconnect()
    try await searcher.search()
    let bodies = try shop.transport.requests.map { try JSON(parsing: $0.body) }
    expectEqual(bodies.map { $0["clickAnalytics"] }, [true, true, nil])
    expectEqual(bodies.map { $0["userToken"]?.stringValue }, ["visitor-42", "visitor-42", nil])
  }

  @Test func anotherSearcherReplacesThePrevious() async throws {
    let service = Service { text in (text, [text]) }
    let (first, second) = (service.searcher(), service.searcher())
    let events = SearchEvents()
    events.connectSearcher(first)
    first.setQuery("1")
    try await first.search()
    events.connectSearcher(second)
    first.setQuery("2")
    try await first.search()
    second.setQuery("3")
    try await second.search()
    try await expectEqual(self.events(events), [viewed(["1"], "1"), viewed(["3"], "3")])
    let last = try service.transport.requests.compactMap { request -> Bool? in
      let body = try JSON(parsing: request.body)
      return body["query"] == "2" ? body["clickAnalytics"] != nil : nil
    }
    #expect(!last.contains(true))
  }

  // MARK: The stream

  @Test func oldestEventsAreReplacedBeyondTheLimit() async throws {
    let service = Service { _ in ("q", []) }
    let searcher = service.searcher()
    let events = SearchEvents()
    events.connectSearcher(searcher)
    let count = SearchEvents.maximumWaitingEvents + 10
    for number in 0..<count {
      try events.convert(
        Hit(
          objectID: "\(number)", object: Film(title: ""),
          searchMetadata: SearchMetadata(queryID: "q")))
    }
    var iterator = events.events.makeAsyncIterator()
    let first = await iterator.next()
    expectEqual(first?.action, .convertedHits(objectIDs: ["10"], queryID: "q"))
    // A second consumer receives only later events.
    let second = events.events
    try events.convert(
      Hit(
        objectID: "last", object: Film(title: ""), searchMetadata: SearchMetadata(queryID: "q")))
    var later = second.makeAsyncIterator()
    await expectEqual(later.next()?.action, .convertedHits(objectIDs: ["last"], queryID: "q"))
  }

  @Test func streamEndsWithTheObject() async throws {
    let service = Service { _ in ("q", ["a"]) }
    let searcher = service.searcher()
    weak var released: SearchEvents?
    let stream: AsyncStream<SearchEvent>
    do {
      let events = SearchEvents()
      events.connectSearcher(searcher)
      try await searcher.search()
      stream = events.events
      released = events
    }
    #expect(released == nil)
    var found: [SearchEvent] = []
    for await event in stream { found.append(event) }
    expectEqual(found, [viewed(["a"], "q")])
    try await searcher.search()
  }
}
