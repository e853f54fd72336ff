import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct HitsInteractorTests {
  private let transport = ScriptedTransport { request, _ in try rows(request) }

  private func searcher() -> HitsSearcher { searcher(on: transport) }

  private func searcher(on transport: some SearchTransport) -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
  }

  @Test func connectingDoesNotSearchAndResponsesBecomeRows() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Hit<Row>>()
    interactor.connectSearcher(searcher)
    #expect(transport.requests.isEmpty)
    #expect(interactor.numberOfHits() == 0 && interactor.hits.isEmpty)
    searcher.setQuery("a")
    let state = try #require(await interactor.state { $0.generation == 1 })
    #expect(state.numberOfHits == 100 && state.nbHits == 100)
    #expect(state.query == "a" && !state.isLoading)
    #expect(state.hits[9]?.row == 9 && state.hits[9]?.searchMetadata.position == 10)
    #expect(state.hits[10] == nil)
    expectEqual(interactor.numberOfHits(), 100)
    expectEqual(interactor.currentHits.map(\.row), Array(0..<10))
  }

  @Test func existingResultIsShownOnConnecting() async throws {
    let searcher = searcher()
    try await searcher.search()
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    #expect(await interactor.state { $0.numberOfHits > 0 } != nil)
  }

  @Test func disconnectedListDoesNotLoad() async throws {
    let searcher = searcher()
    try await searcher.search()
    for _ in 0..<10 {
      // The response is decoded in a task, which begins after this in most rounds.
      let interactor = HitsInteractor<Row>()
      interactor.connectSearcher(searcher).disconnect()
      #expect(!interactor.state.isLoading)
    }
  }

  @Test func presentedRowsLoadTheirPagesWithoutTheSearcher() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Hit<Row>>()
    interactor.connectSearcher(searcher)
    searcher.update {
      $0.query.query = "a"
      $0.query.filters = "x:y"
    }
    _ = await interactor.state { $0.generation == 1 }
    let request = searcher.request
    expectEqual(interactor.hit(atIndex: 7)?.row, 7)
    interactor.notifyDidPresentRow(atIndex: 7)
    let state = try #require(await interactor.state { $0.hits[12] != nil })
    #expect(state.hits[12]?.row == 12 && state.hits[12]?.searchMetadata.position == 13)
    expectEqual(pages(asked: transport), [0, 1])
    #expect(searcher.request == request && searcher.state == .idle)
    let sent = try transport.requests.map { try JSON(parsing: $0.body)["filters"] }
    expectEqual(sent, ["x:y", "x:y"])
  }

  @Test func rowsCanBeReadRawAndGeneric() async throws {
    let transport = ScriptedTransport(
      json: #"""
        {"hits":[{"objectID":"1","text":"a","row":1},{"objectID":"2","text":7}],
        "nbHits":2,"nbPages":1,"page":0,"hitsPerPage":20}
        """#)
    let searcher = searcher(on: transport)
    let interactor = HitsInteractor<Row>(infiniteScrolling: .off)
    var errors = interactor.errors.makeAsyncIterator()
    interactor.connectSearcher(searcher)
    searcher.submit()
    _ = await interactor.state { $0.generation == 1 }
    expectEqual(Array(interactor.hits), [Row(text: "a", row: 1), nil])
    expectEqual(interactor.rawHit(atIndex: 0)?["text"], "a")
    // Records that cannot be decoded are available as JSON.
    expectEqual(interactor.rawHitAtIndex(1), ["objectID": "2", "text": 7])
    #expect(interactor.rawHit(atIndex: 2) == nil && interactor.rawHitAtIndex(-1) == nil)
    try expectEqual(interactor.genericHit(atIndex: 0, as: Row.self)?.row, 1)
    #expect(try interactor.genericHit(atIndex: 5, as: Int.self) == nil)
    let error = #expect(throws: SearchError.self) {
      try interactor.genericHit(atIndex: 0, as: JSON.self)
    }
    expectEqual(error?.code, .decoding)
    let failure = await errors.next()
    expectEqual(failure?.failures.map(\.objectID), ["2"])
  }

  @Test func failedPageLoadIsReportedAndCanBeRepeated() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 1 { throw SearchError(.server, "down") }
      return try rows(request)
    }
    let searcher = searcher(on: transport)
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    var errors = interactor.errors.makeAsyncIterator()
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    interactor.notifyDidPresentRow(atIndex: 9)
    await expectEqual(errors.next()?.code, .server)
    expectEqual(searcher.state, .idle)
    interactor.notifyDidPresentRow(atIndex: 9)
    #expect(await interactor.state { $0.hits[10] != nil } != nil)
  }

  @Test func loadNextAndPreviousReachBothEnds() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>(infiniteScrolling: .off, pageCleanUpOffset: 1)
    await #expect(throws: SearchError.self) { try await interactor.loadNext() }
    interactor.connectSearcher(searcher)
    searcher.update { $0.query.page = 8 }
    _ = await interactor.state { $0.generation == 1 }
    #expect(try await interactor.loadNext())
    #expect(try await interactor.loadNext() == false)
    while try await interactor.loadPrevious() {
      expectEqual(interactor.numberOfHits(), 100)
    }
    expectEqual(interactor.currentHits.map(\.row), Array(0..<20))
    expectEqual(pages(asked: transport), [8, 9, 7, 6, 5, 4, 3, 2, 1, 0])
  }

  @Test func concurrentCallsForAPageMakeOneRequest() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number > 0 { await gate.pass() }
      return try rows(request)
    }
    let searcher = searcher(on: transport)
    let interactor = HitsInteractor<Row>(infiniteScrolling: .off)
    interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    async let first = interactor.loadNext()
    await gate.waitForCalls()
    async let second = interactor.loadNext()
    // A third caller that is cancelled returns even if the server does not respond.
    let third = Task { try await interactor.loadNext() }
    third.cancel()
    let error = await #expect(throws: SearchError.self) { try await third.value }
    expectEqual(error?.code, .cancelled)
    gate.open()
    let loaded = try await [first, second]
    #expect(loaded.allSatisfy { $0 } && transport.requests.count <= 3)
    expectEqual(pages(asked: transport).filter { $0 == 1 }.count, 1)
  }

  @Test func newerSearchEndsACallForAPage() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 1 { await gate.pass() }
      return try rows(request)
    }
    let searcher = searcher(on: transport)
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    let call = Task { try await interactor.loadNext() }
    await gate.waitForCalls()
    searcher.setQuery("b")
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .superseded)
    let shown = await interactor.state { $0.generation == 2 }
    gate.open()
    expectEqual(shown?.hits.loaded.map(\.text), Array(repeating: "b", count: 10))
  }

  @Test func anEmptyQueryHidesTheRowsFromEveryAccessor() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>(showItemsOnEmptyQuery: false)
    interactor.connectSearcher(searcher)
    searcher.submit()
    let state = await interactor.state { $0.generation == 1 }
    #expect(state?.hits.isEmpty == true && state?.nbHits == 0)
    #expect(interactor.numberOfHits() == 0 && interactor.hits.isEmpty)
    #expect(interactor.currentHits.isEmpty && interactor.state.hits.isEmpty)
    #expect(interactor.hit(atIndex: 0) == nil && interactor.rawHit(atIndex: 0) == nil)
    #expect(interactor.rawHitAtIndex(0) == nil)
    #expect(try interactor.genericHit(atIndex: 0, as: Row.self) == nil)
    expectEqual(transport.requests.count, 1, "hidden rows load no pages")
    searcher.setQuery("a")
    _ = await interactor.state { $0.numberOfHits > 0 }
    #expect(interactor.numberOfHits() == 100 && interactor.hit(atIndex: 0)?.text == "a")
  }

  @Test func aFailedSearchLeavesTheRows() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 1 { throw SearchError(.server, "down") }
      return try rows(request)
    }
    let searcher = searcher(on: transport)
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    let states = interactor.states(buffering: .unbounded)
    searcher.setQuery("b")
    var loading: [Bool] = []
    for await state in states {
      #expect(state.query == "a" && state.hits[0]?.text == "a")
      loading.append(state.isLoading)
      if loading.count == 3 { break }
    }
    expectEqual(loading, [false, true, false])
  }
}
