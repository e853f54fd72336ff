import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct HitsConnectionTests {
  private let transport = ScriptedTransport { request, _ in try rows(request) }

  private func searcher() -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
  }

  @Test func connectingTwiceHasNoEffect() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let connection = interactor.connectSearcher(searcher)
    #expect(interactor.connectSearcher(searcher) === connection)
    let states = interactor.states(buffering: .unbounded)
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    interactor.notifyDidPresentRow(atIndex: 9)
    _ = await interactor.state { $0.hits[10] != nil }
    expectEqual(pages(asked: transport), [0, 1])
    // Nothing, loading, the result, loading a page, the page.
    var shown: [[Bool]] = []
    for await state in states {
      shown.append([state.isLoading, state.isLoadingPage, state.hits[10] != nil])
      if state.hits[10] != nil { break }
    }
    expectEqual(
      shown,
      [
        [false, false, false], [true, false, false], [false, false, false],
        [false, true, false], [false, false, true],
      ])
  }

  @Test func connectionCanBeDisconnectedAndMadeAgain() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let connection = interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    connection.disconnect()
    connection.disconnect()
    #expect(!connection.isConnected)
    try await searcher.search()
    interactor.notifyDidPresentRow(atIndex: 9)
    await #expect(throws: SearchError.self) { try await interactor.loadNext() }
    expectEqual(transport.requests.count, 2)
    expectEqual(interactor.hits.first, Row(text: "a", row: 0), "the rows stay")
    let again = interactor.connectSearcher(searcher)
    #expect(again !== connection)
    #expect(await interactor.state { $0.generation == 2 } != nil)
  }

  @Test func anotherSearcherReplacesTheFirst() async throws {
    let first = searcher()
    let second = searcher()
    let interactor = HitsInteractor<Row>()
    let connection = interactor.connectSearcher(first)
    first.setQuery("first")
    _ = await interactor.state { $0.query == "first" }
    interactor.connectSearcher(second)
    #expect(!connection.isConnected)
    second.setQuery("second")
    _ = await interactor.state { $0.query == "second" }
    try await first.search()
    expectEqual(interactor.state.query, "second")
  }

  @Test func componentSearcherUpdatesItsList() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 0 { await gate.pass() }
      return try rowsOfEach(request)
    }
    let client = SearchClient(transport: transport)
    let searcher = HitsSearcher(
      client: client, indexName: "index", options: .init(clock: ManualClock()))
    let together = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    together.addSearcher(searcher)
    let interactor = HitsInteractor<Row>()
    interactor.connectSearcher(searcher)
    together.setQuery("a")
    await gate.waitForCalls()
    #expect(await interactor.state { $0.isLoading } != nil)
    gate.open()
    let shown = await interactor.state { $0.numberOfHits > 0 }
    #expect(shown?.query == "a" && shown?.isLoading == false)
    // Pages are loaded for this list alone.
    #expect(try await interactor.loadNext())
    expectEqual(interactor.hits[10], Row(text: "a", row: 10))
    expectEqual(transport.requests.count, 2)
  }

  @Test func neitherRetainsTheOther() async throws {
    var searcher: HitsSearcher? = searcher()
    var interactor: HitsInteractor<Row>? = HitsInteractor()
    weak let releasedSearcher = searcher
    weak let releasedInteractor = interactor
    var connection: Connection?
    if let searcher { connection = interactor?.connectSearcher(searcher) }
    searcher?.setQuery("a")
    _ = await interactor?.state { $0.generation == 1 }
    searcher = nil
    #expect(releasedSearcher == nil)
    expectEqual(interactor?.numberOfHits(), 100, "the rows stay")
    let states = interactor?.states
    interactor = nil
    #expect(releasedInteractor == nil)
    // The stream ends with the interactor.
    if let states { for await _ in states {} }
    #expect(connection?.isConnected == false)
  }

  /// A list without rows must not look like the result of a search that was lost.
  @Test(arguments: [true, false])
  func searcherReleasedBeforeItsResponseFailsItsList(isUnderWay: Bool) async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, _ in
      await gate.pass()
      return try rows(request)
    }
    var searcher: HitsSearcher? = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      debounce: isUnderWay ? .zero : .seconds(1), options: .init(clock: ManualClock()))
    let interactor = HitsInteractor<Row>()
    if let searcher { interactor.connectSearcher(searcher) }
    searcher?.setQuery("a")
    if isUnderWay { await gate.waitForCalls() }
    searcher = nil
    await #expect {
      _ = try await interactor.settledState()
    } throws: { error in
      let error = error as? SearchError
      return error?.code == .cancelled
        && error?.message.hasPrefix("The searcher was released") == true
    }
    await #expect {
      try await interactor.loadNext()
    } throws: { error in
      (error as? SearchError)?.message.contains("released") == true
    }
    gate.open()
  }

  @Test func deallocatedInteractorCancelsItsPageLoads() async throws {
    let gate = CallGate()
    let isCancelled = CallGate()
    let transport = ScriptedTransport { request, number in
      guard number > 0 else { return try rows(request) }
      return try await withTaskCancellationHandler {
        await gate.pass()
        return try rows(request)
      } onCancel: {
        isCancelled.open()
      }
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
    var interactor: HitsInteractor<Row>? = HitsInteractor()
    weak let released = interactor
    interactor?.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await interactor?.state { $0.generation == 1 }
    interactor?.notifyDidPresentRow(atIndex: 9)
    await gate.waitForCalls()
    interactor = nil
    #expect(released == nil)
    await isCancelled.waitForCalls()
    gate.open()
  }

  /// The first call of `connectSearcher` stops before it observes the searcher, at the filters that
  /// are connected first, while the second call is made.
  @Test func connectReturnsOnceTheSearcherIsObserved() async throws {
    let stop = StopOnce()
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock())
    ) { _ in
      stop.pass()
      return true
    }
    let filters = FilterState()
    filters.update { $0[and: "a"].add("a" == "b") }
    let interactor = HitsInteractor<Row>()
    interactor.connectFilterState(filters)
    let first = stop.arm { interactor.connectSearcher(searcher) }
    await stop.waitUntilStopped()
    let second = interactor.connectSearcher(searcher)
    expectEqual(searcher.request.filterGroups, filters.groups)
    try await searcher.search()
    expectEqual(interactor.numberOfHits(), 100)
    stop.release()
    #expect(await first.value === second)
    searcher.setQuery("b")
    try await searcher.search()
    expectEqual(interactor.state.query, "b")
    second.disconnect()
    searcher.setQuery("c")
    try await searcher.search()
    expectEqual(interactor.state.query, "b", "nothing observes the searcher")
  }

  @Test func connectAndDisconnectFromSeveralThreads() async {
    let interactor = HitsInteractor<Row>()
    let searchers = [searcher(), searcher(), searcher()]
    await withTaskGroup(of: Void.self) { group in
      for searcher in searchers {
        group.addTask {
          for round in 0..<Thoroughness.count(20, thorough: 100) {
            let connection = interactor.connectSearcher(searcher)
            searcher.setQuery("\(round)")
            if round.isMultiple(of: 3) { connection.disconnect() }
            interactor.notifyDidPresentRow(atIndex: 9)
          }
        }
      }
    }
    interactor.connectSearcher(searchers[0])
    searchers[0].setQuery("end")
    _ = await interactor.state { $0.query == "end" && !$0.isLoading && !$0.isLoadingPage }
    expectEqual(interactor.hit(atIndex: 0), Row(text: "end", row: 0))
  }
}
