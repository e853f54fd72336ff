import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct MultiSearcherTests {
  private struct Film: Codable, Sendable, Equatable { let title: String }

  private func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings(
        searchableAttributes: ["title"], attributesForFaceting: ["searchable(country)", "genre"]),
      of: "films")
    try await engine.save(
      [
        ["objectID": "1", "title": "Italian Holiday", "country": "Italy", "genre": "Comedy"],
        ["objectID": "2", "title": "Ice", "country": "Iceland", "genre": "Drama"],
        ["objectID": "3", "title": "Ital", "country": "Italy", "genre": "Drama"],
      ] as [JSON], in: "films")
    try await engine.save([["objectID": "9", "title": 7]] as [JSON], in: "odd")
    return engine
  }

  private func films(_ client: SearchClient, _ indexName: String = "films") -> HitsSearcher {
    HitsSearcher(
      client: client, indexName: indexName, query: SearchQuery().with { $0.facets = ["genre"] },
      options: .init(clock: ManualClock()))
  }

  private func multi(
    _ client: SearchClient, executor: (any TaskExecutor)? = nil
  ) -> MultiSearcher {
    MultiSearcher(client: client, options: .init(clock: ManualClock(), executor: executor))
  }

  @Test func eachComponentReceivesItsPartOfTheResponse() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let client = SearchClient(transport: transport)
    let first = films(client)
    try await first.search { $0.filterGroups[or: "genre"].add("genre" == "Drama") }
    let countries = FacetSearcher(
      client: client, indexName: "films", attribute: "country", options: .init(clock: ManualClock())
    )
    let second = films(client)
    let multi = multi(client)
    multi.addSearcher(first)
    multi.addSearcher(countries)
    multi.addSearcher(second)
    multi.addSearcher(second)

    try await multi.search(for: "ital")
    var pages = first.pages(of: Film.self).makeAsyncIterator()
    let page = try #require(await pages.next())
    expectEqual(page.hits, [Film(title: "Ital")])
    expectEqual(page.facets["genre"]?["Comedy"], 1)
    var values = countries.pages.makeAsyncIterator()
    await expectEqual(values.next()?.facetHits.map(\.value), ["Italy"])
    var others = second.pages(of: Film.self).makeAsyncIterator()
    await expectEqual(others.next()?.nbHits, 2)
    #expect(first.state == .idle && countries.state == .idle && multi.state == .idle)
    let bodies = try transport.requests.map { try JSON(parsing: $0.body) }
    expectEqual(bodies.dropFirst().map { $0["requests"]?.arrayValue?.count }, [4])
  }

  @Test func errorOfAComponentAffectsOnlyThatComponent() async throws {
    let transport = ScriptedTransport(
      json: #"{"results":[{"hits":[{"title":"a"}],"nbHits":1},7,{"hits":[],"nbHits":0}]}"#)
    let client = SearchClient(transport: transport)
    let searchers = (0..<4).map { _ in films(client) }
    let multi = multi(client)
    for searcher in searchers { multi.addSearcher(searcher) }
    let errors = searchers.map(\.errors)
    try await multi.search()
    for index in [0, 2] {
      var pages = searchers[index].pages(of: Film.self).makeAsyncIterator()
      await expectEqual(pages.next()?.nbHits, index == 0 ? 1 : 0)
      expectEqual(searchers[index].state, .idle)
    }
    // The second element is not a result, the fourth is missing.
    for index in [1, 3] {
      var iterator = errors[index].makeAsyncIterator()
      await expectEqual(iterator.next()?.code, .decoding)
    }
  }

  @Test func failedRequestIsReportedOncePerComponent() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, number in
      if number == 1 { throw SearchError(.server, "down") }
      return try await engine.send(request)
    }
    let client = SearchClient(transport: transport)
    let searchers = [films(client), films(client)]
    let multi = multi(client)
    for searcher in searchers { multi.addSearcher(searcher) }
    let errors = searchers.map { $0.errors(buffering: .unbounded) }
    try await multi.search()
    let error = await #expect(throws: SearchError.self) { try await multi.search() }
    expectEqual(error?.message, "down")
    try await multi.search()
    let responses = searchers.map { $0.responses }
    for index in 0..<2 {
      var iterator = responses[index].makeAsyncIterator()
      await expectEqual(iterator.next()?.generation, 3)
    }
    // A marker shows that each received one error.
    for (searcher, stream) in zip(searchers, errors) {
      searcher.setIndexName("missing")
      var iterator = stream.makeAsyncIterator()
      await expectEqual(iterator.next()?.message, "down")
      await expectEqual(iterator.next()?.code, .indexNotFound)
    }
  }

  @Test func undecodableRecordIsReportedByItsSearcherOnly() async throws {
    let client = SearchClient(transport: try await engine())
    let good = films(client)
    let odd = films(client, "odd")
    let multi = multi(client)
    multi.addSearcher(good)
    multi.addSearcher(odd)
    var errors = odd.errors.makeAsyncIterator()
    try await multi.search()
    var pages = odd.pages(of: Film.self).makeAsyncIterator()
    await expectEqual(pages.next()?.failures.count, 1)
    await expectEqual(errors.next()?.failures.first?.objectID, "9")
    var goodPages = good.pages(of: Film.self).makeAsyncIterator()
    #expect(await goodPages.next()?.failures.isEmpty == true)
  }

  @Test func listOfAComponentIsLoadingDuringTheDebounce() async throws {
    let clock = ManualClock()
    let client = SearchClient(transport: try await engine())
    let first = films(client)
    var multi: MultiSearcher? = MultiSearcher(
      client: client, debounce: .milliseconds(100), options: .init(clock: clock))
    multi?.addSearcher(first)
    let list = HitsInteractor<Film>()
    list.connectSearcher(first)
    multi?.setQuery("ital")
    _ = await list.state { $0.isLoading }
    multi?.setQuery("ice")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    let shown = await list.state { !$0.isLoading && $0.query == "ice" }
    expectEqual(shown?.hits.loaded, [Film(title: "Ice")])
    // A cancelled search leaves nothing loading.
    multi?.setQuery("a")
    _ = await list.state { $0.isLoading }
    multi?.cancel()
    _ = await list.state { !$0.isLoading }
    multi?.setQuery("b")
    _ = await list.state { $0.isLoading }
    multi = nil
    _ = await list.state { !$0.isLoading }
    expectEqual(Array(list.hits), [Film(title: "Ice")])
  }

  @Test func queryOfAFacetComponent() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let client = SearchClient(transport: transport)
    let countries = FacetSearcher(
      client: client, indexName: "films", attribute: "country",
      context: SearchQuery("ital"), maxFacetHits: 1, options: .init(clock: ManualClock()))
    let multi = multi(client)
    multi.addSearcher(countries)
    try await multi.search()
    countries.update { $0.facetQuery = "ice" }
    try await multi.search()
    let queries = try transport.requests.compactMap {
      try JSON(parsing: $0.body)["requests"]?.arrayValue?.first
    }
    let expected: JSON = [
      "indexName": "films", "type": "facet", "facet": "country", "maxFacetHits": 1, "query": "ital",
    ]
    expectEqual(queries.first, expected)
    expectEqual(queries.last?["facetQuery"], "ice")
    var values = countries.pages.makeAsyncIterator()
    #expect(await values.next()?.facetHits.isEmpty == true, "no record matches both")
  }

  @Test func componentRejectedByShouldSearchIsSkipped() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let client = SearchClient(transport: transport)
    let silent = HitsSearcher(
      client: client, indexName: "films", options: .init(clock: ManualClock()),
      shouldSearch: { _ in false })
    let multi = multi(client)
    multi.addSearcher(silent)
    multi.addSearcher(films(client))
    try await multi.search()
    let body = try JSON(parsing: try #require(transport.requests.first).body)
    expectEqual(body["requests"]?.arrayValue?.count, 1)
    expectEqual(silent.state, .idle)
  }

  /// Keystrokes and responses in 300 orders of execution: every component ends with its own last
  /// result.
  @Test(arguments: Seed.all(300))
  func everyComponentShowsTheLastTextTyped(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let random = SeededRandom(seed: seed.value &+ 1_000)
    let transport = ScriptedTransport { request, _ in
      for _ in 0..<random.number(below: 8) { await Task.yield() }
      let text = String(decoding: request.body, as: UTF8.self)
      if !text.contains("last"), random.number(below: 3) == 0 {
        throw SearchError(.server, "down")
      }
      let requests = try JSON(parsing: request.body)["requests"]?.arrayValue ?? []
      let results = requests.map { request -> JSON in
        let name =
          "\(request["indexName"]?.stringValue ?? "") \(request["query"]?.stringValue ?? "")"
        return ["hits": [["title": .string(name)]], "nbHits": 1]
      }
      let answer: JSON = ["results": .array(results)]
      return TransportResponse(status: 200, body: Array(answer.text.utf8))
    }
    let client = SearchClient(transport: transport)
    let names = ["a", "b"]
    let searchers = names.map {
      HitsSearcher(
        client: client, indexName: $0, options: .init(clock: ManualClock(), executor: executor))
    }
    let multi = multi(client, executor: executor)
    for searcher in searchers { multi.addSearcher(searcher) }
    let shown = Shown()
    var consumers: [Task<Void, Never>] = []
    for (name, searcher) in zip(names, searchers) {
      let pages = searcher.pages(of: Film.self)
      consumers.append(
        Task(executorPreference: executor) {
          for await page in pages { shown.set(page.hits.first?.title, for: name) }
        })
    }
    let typist = Task(executorPreference: executor) {
      for text in ["o", "on", "one", "last"] {
        multi.setQuery(text)
        await Task.yield()
      }
    }
    executor.runUntilIdle()
    expectEqual(shown.titles, ["a": "a last", "b": "b last"], "seed \(seed.value)")
    #expect(searchers.allSatisfy { $0.state == .idle }, "seed \(seed.value)")
    for consumer in consumers { consumer.cancel() }
    typist.cancel()
    executor.runUntilIdle()
  }

  /// A transport that ignores cancellation retains neither the searcher nor its components.
  @Test func droppedSearcherIsReleasedDuringACallThatIgnoresCancellation() async throws {
    let gate = CallGate()
    let client = SearchClient(
      transport: ScriptedTransport { request, _ in
        await gate.pass()
        return try rowsOfEach(request)
      })
    var component: HitsSearcher? = films(client)
    var multi: MultiSearcher? = self.multi(client)
    weak let releasedComponent = component
    weak let released = multi
    guard let responses = component?.responses, let states = multi?.states else { return }
    component.map { multi?.addSearcher($0) }
    component = nil
    multi?.submit()
    await gate.waitForCalls()
    multi = nil
    for await _ in responses { Issue.record("a response") }
    for await _ in states {}
    #expect(released == nil && releasedComponent == nil)
    gate.open()
  }
}

/// What each component shows.
private final class Shown: Sendable {
  private let state = Lock<[String: String]>([:])
  var titles: [String: String] { state.withLock { $0 } }
  func set(_ title: String?, for name: String) { state.withLock { $0[name] = title } }
}
