@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import Foundation
@testable import LocalSearch
import TestSupport
import Testing

/// Defects of the callback library that must not occur here, in its known order.
///
/// Defects of parts that do not exist here are left out: menus, sliders, sort orders, events.
@Suite(.timeLimit(.minutes(30))) struct KnownDefectsTests {
  private func echoing() -> ScriptedTransport {
    ScriptedTransport { request, _ in try rowsOfEach(request) }
  }

  @Test("1: each component gets one event per request, and none starves another")
  func componentsOfAMultiSearch() async throws {
    let good = echoing()
    let transport = ScriptedTransport { request, number in
      switch number {
      case 2: throw SearchError(.unreachable, "no network")
      case 4:
        let answer = try await good.send(request)
        var results = try JSON(parsing: answer.body)["results"]?.arrayValue ?? []
        results[0] = 7
        let damaged: JSON = ["results": .array(results)]
        return TransportResponse(status: 200, body: Array(damaged.text.utf8))
      default: return try await good.send(request)
      }
    }
    let client = SearchClient(transport: transport)
    let components = (0..<2).map { _ in
      HitsSearcher(client: client, indexName: "index", options: .init(clock: ManualClock()))
    }
    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    for component in components { multi.addSearcher(component) }
    let answers = components.map { $0.responses(buffering: .unbounded) }
    let errors = components.map { $0.errors(buffering: .unbounded) }
    for number in 0..<5 {
      if number == 2 {
        await #expect(throws: SearchError.self) { try await multi.search() }
      } else {
        try await multi.search()
      }
    }
    var generations: [[UInt64]] = [[], []]
    for (index, answers) in answers.enumerated() {
      for await answer in answers {
        generations[index].append(answer.generation)
        if answer.generation == (index == 0 ? 4 : 5) { break }
      }
    }
    expectEqual(generations, [[1, 2, 4], [1, 2, 4, 5]])
    var first = errors[0].makeAsyncIterator()
    await expectEqual(first.next()?.code, .unreachable)
    await expectEqual(first.next()?.code, .decoding)
    var second = errors[1].makeAsyncIterator()
    await expectEqual(second.next()?.code, .unreachable)
    try await multi.search()
    expectEqual(components[1].state, .idle)
  }

  @Test("2: a value selected twice does not trap, and the user's filters are sent")
  func disjunctiveFaceting() async throws {
    let transport = echoing()
    let searcher = searcher(transport)
    let page = try await searcher.search(of: Row.self) {
      $0.query.facets = ["color"]
      $0.query.filters = "stock > 0"
      $0.filterGroups[or: "a"].add("color" == "red")
      $0.filterGroups[or: "b"].add(Filter.Facet("color", .string("red"), score: 3))
      $0.filterGroups[or: "c"].add("color" != "red")
    }
    expectEqual(page.facets["color"]?["red"], 0, "a selected value that no record has")
    let body = try JSON(parsing: #require(transport.requests.first).body)
    let queries = try #require(body["requests"]?.arrayValue)
    expectEqual(queries.count, 2)
    for query in queries {
      #expect(query["filters"]?.stringValue?.contains("stock > 0") == true)
    }
    // They are also sent without a filter state.
    try await searcher.search {
      $0.filterGroups = FilterGroups()
      $0.query.filters = "stock > 1"
    }
    let last = try JSON(parsing: #require(transport.requests.last).body)
    expectEqual(last["filters"], "stock > 1")
  }

  @Test("3: related items exclude the item with any filters, and lists stay lists")
  func relatedItems() async throws {
    struct Product: Codable { let tags: [String] }
    let transport = echoing()
    let searcher = searcher(transport)
    try searcher.setRelatedItems(
      to: Hit(objectID: "7", object: Product(tags: ["a", "b"])),
      matching: [MatchingPattern(attribute: "tags", score: 1, filterPath: \.tags)])
    try await searcher.search {
      $0.query.facets = ["tags"]
      $0.filterGroups[or: "tags"].add("tags" == "new")
    }
    let body = try JSON(parsing: #require(transport.requests.last).body)
    let main = body["requests"]?[0]
    expectEqual(main?["facetFilters"], ["objectID:-7", ["tags:new"]])
    expectEqual(main?["optionalFilters"], [["tags:a<score=1>", "tags:b<score=1>"]])
  }

  @Test("4: a late response is not delivered, and cancellation is not an error")
  func lateResponses() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let pages = searcher.pages(of: Echo.self, buffering: .unbounded)
    let errors = searcher.errors(buffering: .unbounded)
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setQuery("new")
    await transport.waitForCalls(2)
    transport.answer(1)
    transport.fail(0, with: CancellationError())
    for await page in pages {
      expectEqual(page.hits.map(\.text), ["new"])
      break
    }
    searcher.setQuery("last")
    await transport.waitForCalls(3)
    transport.fail(2, with: SearchError(.server, "down"))
    for await error in errors {
      expectEqual(error.code, .server, "the first error is the first failure")
      break
    }
  }

  @Test("5: pages in flight do not cancel each other, and a failed one can be requested again")
  func pagesInFlight() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 1 || number == 2 { await gate.pass() }
      if number == 3 { throw CancellationError() }
      return try rows(request)
    }
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Row>(infiniteScrolling: .on(withOffset: 0))
    interactor.connectSearcher(searcher)
    searcher.submit()
    _ = await interactor.state { $0.generation == 1 }
    interactor.notifyDidPresentRow(atIndex: 15)
    interactor.notifyDidPresentRow(atIndex: 25)
    await gate.waitForCalls(2)
    gate.open()
    let both = await interactor.state { $0.hits[15] != nil && $0.hits[25] != nil }
    expectEqual(both?.numberOfHits, 100)
    interactor.notifyDidPresentRow(atIndex: 35)
    _ = await interactor.state { !$0.isLoadingPage && transport.requests.count == 4 }
    interactor.notifyDidPresentRow(atIndex: 35)
    await expectEqual(interactor.state { $0.hits[35] != nil }?.numberOfHits, 100)
  }

  @Test("5: a later page that arrives first does not set the page size")
  func theSizeOfAPage() async throws {
    let transport = ScriptedTransport { request, _ in try rows(request, of: 12) }
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    searcher.update { $0.query.page = 1 }
    _ = await interactor.state { $0.generation == 1 }
    interactor.notifyDidPresentRow(atIndex: 10)
    let all = await interactor.state { $0.hits[0] != nil }
    expectEqual(all?.hits.map { $0?.row }, (0..<12).map { $0 })
  }

  @Test("6: loadNext stops at the end, waits for loads in flight, and throws errors")
  func loadNextAndPrevious() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 2 { throw SearchError(.server, "down") }
      return try rows(request, of: 20)
    }
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    searcher.submit()
    _ = await interactor.state { $0.generation == 1 }
    async let one = interactor.loadNext()
    async let two = interactor.loadNext()
    #expect(try await [one, two].contains(true))
    expectEqual(transport.requests.count, 2)
    #expect(try await interactor.loadNext() == false)
    expectEqual(interactor.hits.compactMap { $0?.row }, Array(0..<20))
    var errors = searcher.errors.makeAsyncIterator()
    searcher.submit()
    await expectEqual(errors.next()?.code, .server)
    #expect(await interactor.state { $0.failure?.code == .server }?.isLoading == false)
  }

  @Test("7: an equal value typed again after another is searched")
  func equalValues() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport, debounce: .milliseconds(100), clock: clock)
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    for text in ["a", "b", "a"] { searcher.setQuery(text) }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    await expectEqual(pages.next()?.hits.map(\.text), ["a"])
    // Its result exists: it is current again, and nothing is searched.
    searcher.setQuery("b")
    searcher.setQuery("a")
    #expect(searcher.request.query.query == "a" && searcher.state == .idle)
    var current = searcher.pages(of: Echo.self).makeAsyncIterator()
    await expectEqual(current.next()?.hits.map(\.text), ["a"])
    // When searched explicitly, it is searched again.
    try await expectEqual(searcher.search(of: Echo.self).hits.map(\.text), ["a"])
    expectEqual(transport.requests.count, 2)
  }

  @Test("8: only the tags of the response are tags")
  func tags() {
    let text = HighlightedString("if a < b && <em>c</em> > d <b>bold</b> <em>open")
    expectEqual(text.text, "if a < b && c > d <b>bold</b> open")
    expectEqual(
      text.segments.filter(\.isHighlighted).map(\.text), ["c"], "an open tag marks nothing")
  }

  @Test("9: locations are read back as written")
  func places() throws {
    struct Record: Codable {}
    let hit = try JSONDecoder().decode(
      Hit<Record>.self,
      from: Data(#"{"objectID":"1","_geoloc":[{"lat":1,"lng":2},{"lat":3.5,"lng":-4}]}"#.utf8))
    expectEqual(
      hit.geolocation,
      .list([Point(latitude: 1, longitude: 2), Point(latitude: 3.5, longitude: -4)]))
    let again = try JSONDecoder().decode(Hit<Record>.self, from: JSONEncoder().encode(hit))
    expectEqual(again.geolocation, hit.geolocation)
  }

  @Test("10: a change of one group affects only that group")
  func scopes() {
    let state = FilterState()
    state.update { groups in
      groups[hierarchical: "menu"] = HierarchicalFilters(
        attributes: ["cat.0", "cat.1"], path: ["cat.0" == "A", "cat.1" == "A > B"])
      groups[and: "color"].add("color" == "red", "size" == "L")
      groups[or: "other"].add("color" == "red")
      groups[and: "color"].removeAll(for: "color")
    }
    expectEqual(
      state.groups[and: "color"].map(\.description), [(("size" as Attribute) == "L").description])
    expectEqual(state.groups[or: "other"].count, 1)
    expectEqual(state.groups[hierarchical: "menu"].path.count, 2)
    state.update { $0[hierarchical: "menu"].path = [] }
    expectEqual(state.groups[hierarchical: "menu"].attributes, ["cat.0", "cat.1"])
    #expect(!state.groups.isEmpty)
  }

  @Test("11: an attribute's filters in a shared group are removed without the others")
  func sharedGroups() {
    let state = FilterState()
    state.update { $0[or: "shared"].add("color" == "red", "size" == "L") }
    state.update { $0.removeAll(for: "color") }
    expectEqual(state.groups.filters.count, 1)
    expectEqual(state.groups.filters(for: "size").count, 1)
  }

  @MainActor @Test("14: connecting twice has no effect")
  func connections() async throws {
    let transport = echoing()
    let client = SearchClient(transport: transport)
    let filters = FilterState()
    let connector = HitsConnector<Row>(client: client, indexName: "index", filterState: filters)
    connector.connect()
    connector.connect()
    connector.interactor.connectFilterState(filters)
    let states = connector.interactor.states(buffering: .unbounded)
    filters.update { $0[and: "color"].add("color" == "red") }
    var loading: [Bool] = []
    for await state in states {
      loading.append(state.isLoading)
      if state.generation == 1 { break }
    }
    expectEqual(loading, [false, true, false])
    expectEqual(transport.requests.count, 1)
  }

  @Test("16: filters have a text, and reject values they cannot express")
  func filterTexts() throws {
    let odd: Attribute = "na\"me"
    let text = { (filter: Filter) in
      var groups = FilterGroups()
      groups[and: "a"].add(filter)
      return groups.text
    }
    expectEqual(
      text((odd == #"back\slash "quoted" NOT"#).filter),
      #""na\"me":"back\\slash \"quoted\" NOT""#)
    let size: Attribute = "size"
    expectEqual(text((size == 5).filter), #""size" = 5"#)
    expectEqual(text((size > 1e16).filter), #""size" > 10000000000000000"#)
    var groups = FilterGroups()
    groups[and: "a"].add("brand" == "-x")
    try expectEqual(groups.lists().facetFilters, .group([.filter(#"brand:\-x"#)]))
    groups[or: "b", Filter.Numeric.self].add(size.isIn(1...2), size.isIn(4...5))
    try expectEqual(
      groups.lists().numericFilters,
      .group([.group([.filter("size:1 TO 2"), .filter("size:4 TO 5")])]))
    groups[or: "b", Filter.Numeric.self].add(!size.isIn(7...8))
    #expect(throws: SearchError.self) { try groups.lists() }
  }

  @Test("17: one change is one event, with the resulting page")
  func events() async {
    let searcher = searcher(echoing())
    searcher.update { $0.query.page = 4 }
    let requests = searcher.requests(buffering: .unbounded)
    searcher.setQuery("x")
    searcher.setQuery("x")
    searcher.setIndexName("j")
    searcher.setFilters("f")
    var seen: [String] = []
    for await request in requests {
      let query = request.query
      seen.append(
        "\(request.indexName) \(query.query ?? "-") \(query.filters ?? "-") \(query.page ?? 0)")
      if request.query.filters != nil { break }
    }
    expectEqual(seen, ["index - - 4", "index x - 0", "j x - 0", "j x f 0"])
  }

  @Test("18: a rejected request is an error, and absent rows do not trap")
  func noTraps() async throws {
    let transport = ScriptedTransport { _, _ in
      TransportResponse(
        status: 400, body: Array(#"{"message":"attribute not searchable","status":400}"#.utf8))
    }
    let facets = FacetSearcher(
      client: SearchClient(transport: transport), indexName: "index", attribute: "color")
    let error = await #expect(throws: SearchError.self) { try await facets.search() }
    expectEqual(error?.code, .invalidRequest)
    let hits = HitsInteractor<Row>()
    hits.notifyDidPresentRow(atIndex: 3)
    #expect(hits.hit(atIndex: -1) == nil)
    await #expect(throws: SearchError.self) { try await hits.loadNext() }
    let sections = MultiIndexHitsInteractor(hitsInteractors: [hits])
    expectEqual(sections.numberOfHits(inSection: 4), 0)
    #expect(throws: SearchError.self) {
      try sections.hit(atIndex: 0, inSection: 4, as: Row.self)
    }
  }
}
