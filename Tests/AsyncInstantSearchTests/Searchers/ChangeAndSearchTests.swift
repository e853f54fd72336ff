import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// The forms of `search` that change the request in the same step.
struct ChangeAndSearchTests {
  private let transport = ScriptedTransport { request, _ in
    try rowsOfEach(request)
  }

  private var client: SearchClient { SearchClient(transport: transport) }

  private func searcher(
    debounce: Duration = .zero,
    shouldSearch: @escaping @Sendable (SearchRequest<JSON>) -> Bool = { _ in true }
  ) -> HitsSearcher {
    HitsSearcher(
      client: client, indexName: "index", debounce: debounce, options: .init(clock: ManualClock()),
      shouldSearch: shouldSearch)
  }

  @Test(arguments: [Duration.zero, .milliseconds(150)])
  func eachRoundIsOneRequest(debounce: Duration) async throws {
    let searcher = searcher(debounce: debounce)
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    let count = Thoroughness.count(50, thorough: 500)
    for round in 0..<count {
      let page = try await searcher.search(for: "\(round)", of: Row.self)
      expectEqual(page.hits.first, Row(text: "\(round)", row: 0))
      expectEqual(list.hits.first, Row(text: "\(round)", row: 0))
    }
    expectEqual(transport.requests.count, count)
  }

  @Test func anyChangeIsOneRequestAndGoesBackToTheFirstPage() async throws {
    let searcher = searcher()
    searcher.update { $0.query.page = 3 }
    try await searcher.settled()
    let requests = searcher.requests(buffering: .unbounded)
    let page = try await searcher.search(of: Row.self) {
      $0.query.query = "a"
      $0.query.hitsPerPage = 7
    }
    expectEqual(page.hits.first?.text, "a")
    #expect(searcher.request.query.page == nil && searcher.request.query.hitsPerPage == 7)
    expectEqual(transport.requests.count, 2)
    try await searcher.search { $0.query.query = "b" }
    expectEqual(transport.requests.count, 3)
    // One event for each change.
    var texts: [String?] = []
    for await request in requests {
      texts.append(request.query.query)
      if texts.count == 3 { break }
    }
    expectEqual(texts, [nil, "a", "b"])
  }

  @Test func equalTextIsSearchedAgain() async throws {
    let engine = LocalSearch()
    try await engine.save([["objectID": "1", "text": "a"]] as [JSON], in: "index")
    let searcher = HitsSearcher(client: SearchClient(transport: engine), indexName: "index")
    try await expectEqual(searcher.search(for: "a", of: JSON.self).nbHits, 1)
    try await engine.save([["objectID": "2", "text": "a"]] as [JSON], in: "index")
    // A search after an awaited write shows it.
    try await expectEqual(searcher.search(for: "a", of: JSON.self).nbHits, 2)
  }

  @Test func everySearcherHasAForm() async throws {
    let facets = FacetSearcher(
      client: SearchClient(transport: ScriptedTransport(json: #"{"facetHits":[]}"#)),
      indexName: "index", attribute: "color")
    try await facets.search(for: "r")
    try await facets.search { $0.indexName = "other" }
    #expect(facets.request.facetQuery == "r" && facets.request.indexName == "other")

    let several = MultiIndexSearcher(client: client, indexNames: ["a", "b"])
    try await several.search(for: "r")
    try await several.search { $0.query.hitsPerPage = 3 }
    expectEqual(several.request.map(\.query.query), ["r", "r"])
    expectEqual(several.request.map(\.query.hitsPerPage), [3, 3])
    expectEqual(transport.requests.count, 2)

    let places = PlacesSearcher(client: client)
    try await places.search(for: "par")
    try await places.search { $0.language = "fr" }
    #expect(places.request.query == "par" && places.request.language == "fr")
    expectEqual(transport.requests.count, 4)
  }

  @Test func refusedRequestIsSetAndNotSearched() async throws {
    let searcher = searcher { $0.query.query != "no" }
    let error = await #expect(throws: SearchError.self) { try await searcher.search(for: "no") }
    expectEqual(error?.code, .cancelled)
    #expect(searcher.request.query.query == "no" && searcher.state == .idle)
    #expect(transport.requests.isEmpty)
    try await expectEqual(searcher.search(for: "yes", of: Row.self).hits.first?.text, "yes")
  }

  @Test func cancelledTaskChangesNothing() async {
    let searcher = searcher()
    let multi = MultiSearcher(client: client)
    multi.addSearcher(searcher)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await #expect(throws: SearchError.self) { try await searcher.search(for: "a") }
      await #expect(throws: SearchError.self) { try await multi.search(for: "a") }
    }
    await task.value
    #expect(searcher.request.query.query == nil && searcher.state == .idle)
    #expect(transport.requests.isEmpty)
  }

  /// The streams wait for the response to the changed request, too.
  @Test func cancellationDuringTheSearchEndsOnlyTheWait() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, _ in
      await gate.pass()
      return try rows(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    let task = Task { _ = try await searcher.search(for: "a") }
    await gate.waitForCalls()
    task.cancel()
    await #expect(throws: SearchError.self) { try await task.value }
    gate.open()
    try await searcher.settled()
    expectEqual(list.hits.first??.text, "a")
    expectEqual(transport.requests.count, 1)
  }

  @Test func multiSearcherSearchesAllComponentsOnce() async throws {
    let parts = (0..<3).map { _ in searcher() }
    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    for part in parts { multi.addSearcher(part) }
    let count = Thoroughness.count(10, thorough: 100)
    for round in 0..<count {
      try await multi.search(for: "\(round)")
      for part in parts {
        #expect(part.request.query.query == "\(round)" && part.state == .idle)
      }
    }
    expectEqual(transport.requests.count, count)
    // A component of its own takes part as before.
    try await parts[0].search(for: "alone")
    expectEqual(transport.requests.count, count + 1)
    let last = "\(count - 1)"
    try await multi.search(for: last)
    expectEqual(parts[0].request.query.query, last)
    expectEqual(transport.requests.count, count + 2)
  }

  @Test func cancelledMultiSearchLeavesNoComponentWaiting() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 0 { await gate.pass() }
      return try rowsOfEach(request)
    }
    let client = SearchClient(transport: transport)
    let part = HitsSearcher(client: client, indexName: "index")
    let multi = MultiSearcher(client: client)
    multi.addSearcher(part)
    let task = Task { try await multi.search(for: "a") }
    await gate.waitForCalls()
    task.cancel()
    await #expect(throws: SearchError.self) { try await task.value }
    multi.cancel()
    try? await part.settled()
    expectEqual(part.state, .idle)
    try await multi.search(for: "b")
    #expect(part.request.query.query == "b" && part.state == .idle)
    gate.open()
  }
}
