import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// A search is sent and counted in the same way with widgets and without.
struct OneFormTests {
  fileprivate struct Fixture {
    let client: SearchClient
    let transport: ScriptedTransport

    init() async throws {
      let records = (0..<40).map { number -> JSON in
        [
          "objectID": .string("\(number)"), "name": .string("item \(number % 3)"),
          "brand": .string("b\(number % 4)"), "color": .string("-c\(number % 3)"),
          "price": .int(Int64(number % 7)), "released": .int(Int64(number * 86_400)),
          "_tags": [.string("t\(number % 2)")], "lvl0": .string("A\(number % 2)"),
          "lvl1": .string("A\(number % 2) > B\(number % 5)"),
        ]
      }
      let engine = try await LocalSearch(
        indexName: "index", records: records,
        settings: IndexSettings(
          searchableAttributes: ["name"],
          attributesForFaceting: ["brand", "color", "price", "lvl0", "lvl1"]))
      transport = ScriptedTransport { request, _ in try await engine.send(request) }
      client = SearchClient(transport: transport)
    }

    /// The paths and bodies of the calls since the last one.
    func sent(after count: Int) -> [[String]] {
      transport.requests.dropFirst(count).map {
        [
          $0.endpoint.pathComponents.joined(separator: "/"),
          String(decoding: $0.body, as: UTF8.self),
        ]
      }
    }
  }

  /// A request with filters of any kinds.
  private static func request(_ random: SeededRandom) -> SearchRequest<JSON> {
    func isChosen(_ one: Int = 2) -> Bool { random.number(below: one) == 0 }
    var query = SearchQuery(isChosen() ? "item" : "")
    let facets = ["brand", "color", "price", "lvl0", "lvl1", "*"]
    if !isChosen(5) {
      query.facets = (0..<random.number(below: 4)).map { _ in
        facets[random.number(below: facets.count)]
      }
    }
    if isChosen(4) { query.filters = "price > 0" }
    if isChosen(4) { query.facetFilters = ["brand:-b3"] }
    if isChosen(4) { query.maxValuesPerFacet = random.number(below: 4) + 1 }
    if isChosen(4) { query.hitsPerPage = 5 }
    var groups = FilterGroups()
    if isChosen() { groups[or: "brand"].add("brand" == "b1", "brand" == "b2") }
    if isChosen(3) { groups[and: "brand"].add("brand" != "b0") }
    if isChosen(3) {
      groups[or: "colors"].add(Filter.Facet("color", .string("-c1"), score: isChosen() ? 2 : nil))
    }
    if isChosen(3) { groups[and: "color"].add("color" == "-c1") }
    if isChosen(3) { groups[and: "price"].add("price" >= 1, "price" < 6) }
    if isChosen(4) { groups[and: "price"].add(Attribute("price").isIn(1...4)) }
    if isChosen(4) {
      groups[or: "prices", Filter.Numeric.self].add(
        Filter.Numeric("price", .equal, 1), Filter.Numeric("price", .greater, 5))
    }
    if isChosen(4) { groups[and: "released"].add(!Filter.Numeric("released", .greater, 2e6)) }
    if isChosen(4) { groups[and: "tags"].add(Filter.Tag("t1")) }
    if isChosen(4) { groups[or: "tags", Filter.Tag.self].add(Filter.Tag("t0"), Filter.Tag("t1")) }
    if isChosen(3) {
      groups[hierarchical: "lvl0"].attributes = ["lvl0", "lvl1"]
      groups[hierarchical: "lvl0"].path = ["lvl0" == "A0"]
      if isChosen() { groups[hierarchical: "lvl0"].path.append("lvl1" == "A0 > B2") }
    }
    return SearchRequest("index", query, of: JSON.self, filterGroups: groups)
  }

  @Test(arguments: Seed.all(300, quick: 100))
  func widgetsChangeNoByte(seed: Seed) async throws {
    let fixture = try await Fixture()
    let random = SeededRandom(seed: seed.value)
    let request = Self.request(random)

    func search(connecting: Bool) async throws -> (sent: [[String]], pages: [HitsPage<JSON>]) {
      let searcher = HitsSearcher(
        client: fixture.client, indexName: "index", options: .init(clock: ManualClock()))
      let connection =
        connecting
        ? try searcher.connect(
          SearchScreen(indexName: "index", widgets: [SearchBox(), Pagination()])) : nil
      let count = fixture.transport.requests.count
      let answer = try await searcher.search { $0 = request }
      let second = try await searcher.page(1, of: answer)
      let third = try await searcher.page(2, of: second)
      withExtendedLifetime(connection) {}
      var pages: [HitsPage<JSON>] = []
      for answer in [answer, second, third] { pages.append(await answer.page(of: JSON.self)) }
      return (fixture.sent(after: count), pages)
    }

    let plain = try await search(connecting: false)
    let connected = try await search(connecting: true)
    expectEqual(plain.sent, connected.sent, "\(seed)")
    let count = fixture.transport.requests.count
    let awaited = try await fixture.client.search(request, disjunctive: true)
    expectEqual(Array(plain.sent.prefix(1)), fixture.sent(after: count), "\(seed)")
    for (one, other) in zip(plain.pages, connected.pages) + [(plain.pages[0], awaited)] {
      expectEqual(one.facets, other.facets, "\(seed)")
      expectEqual(one.facetStats, other.facetStats, "\(seed)")
      expectEqual(one.hits, other.hits, "\(seed)")
      expectEqual(one.page, other.page, "\(seed)")
    }
  }

  /// A widget that needs what the request asks for adds nothing to the queries.
  @Test func aWidgetOfARequestedFacetChangesNoByte() async throws {
    let fixture = try await Fixture()
    var request = SearchRequest("index", SearchQuery("item"), of: JSON.self)
    request.query.facets = ["color", "brand"]
    request.query.maxValuesPerFacet = 20
    request.filterGroups[or: "brand"].add("brand" == "b1")
    func sent(connecting: Bool) async throws -> [[String]] {
      let searcher = HitsSearcher(
        client: fixture.client, indexName: "index", options: .init(clock: ManualClock()))
      let connection =
        connecting
        ? try searcher.connect(
          SearchScreen(indexName: "index", widgets: [FacetList(attribute: "brand")])) : nil
      let count = fixture.transport.requests.count
      try await searcher.search { $0 = request }
      withExtendedLifetime(connection) {}
      return fixture.sent(after: count)
    }
    let plain = try await sent(connecting: false)
    #expect(plain.first?.last?.contains(#""facets":["color","brand"]"#) == true)
    try await expectEqual(sent(connecting: true), plain)
  }
}

extension OneFormTests {
  /// Indices in others have the options of the searcher, too.
  @Test(arguments: [true, false]) func nestedIndicesHaveTheOptionsOfTheSearcher(
    isEnabled: Bool
  ) async throws {
    let fixture = try await Fixture()
    let searcher = HitsSearcher(
      client: fixture.client, indexName: "index", options: .init(clock: ManualClock()),
      isDisjunctiveFacetingEnabled: isEnabled, keepSelectedEmptyFacets: isEnabled)
    let brands = FacetList(attribute: "brand", operator: .or)
    let inner = try SearchScreen(indexName: "index", indexID: "inner", widgets: [brands])
    let live = try searcher.connect(
      SearchScreen(indexName: "index", widgets: [SearchBox()], indices: [inner]))
    let list = try #require(live["inner"])
    try await searcher.search()
    try list.perform(brands.toggle("b1"))
    try await searcher.settled()
    let body = try JSON(parsing: #require(fixture.transport.requests.last).body)
    expectEqual(body["requests"]?.arrayValue?.count, isEnabled ? 3 : 2)
    expectEqual(list.view(of: brands).items.count, isEnabled ? 4 : 1)
  }

  /// A list in another index goes on, whatever the outer index adds to its search.
  @Test func aNestedListGoesOn() async throws {
    let fixture = try await Fixture()
    let searcher = HitsSearcher(
      client: fixture.client, indexName: "index", options: .init(clock: ManualClock()))
    let box = SearchBox()
    let rows = InfiniteHits(of: JSON.self)
    let inner = try SearchScreen(indexName: "index", indexID: "inner", widgets: [rows])
    let configured = Configure(SearchQuery().with { $0.hitsPerPage = 5 })
    let live = try searcher.connect(
      SearchScreen(indexName: "index", widgets: [box, configured], indices: [inner]))
    let list = try #require(live["inner"])
    // Before the first search, so that no earlier one has pages.
    try live.perform(box.setQuery("item"))
    try await searcher.search()
    try list.perform(rows.showMore())
    try await searcher.settled()
    expectEqual(list.view(of: rows).items.count, 10)
  }
}
