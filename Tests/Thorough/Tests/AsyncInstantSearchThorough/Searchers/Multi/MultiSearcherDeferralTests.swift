@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
import TestSupport
import Testing

/// Components between the change made by a multi-searcher and its search.
struct MultiSearcherDeferralTests {
  private struct Fixture {
    let client: SearchClient
    let searcher: HitsSearcher
    let list = HitsInteractor<Row>()
    var multi: MultiSearcher?

    init(_ transport: some SearchTransport = ScriptedTransport { try rowsOfEach($0, $1) }) {
      client = SearchClient(transport: transport)
      searcher = HitsSearcher(
        client: client, indexName: "index", options: .init(clock: ManualClock()))
      multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
      multi?.addSearcher(searcher)
      list.connectSearcher(searcher)
    }

    func shown(_ text: String) async {
      _ = await list.state { !$0.isLoading && $0.query == text }
    }
  }

  @Test func sameTextAgainSearchesAComponentThatSearchedAlone() async throws {
    let fixture = Fixture()
    fixture.multi?.setQuery("together")
    try await fixture.multi?.search()
    fixture.searcher.setQuery("alone")
    await fixture.shown("alone")
    fixture.multi?.setQuery("together")
    await fixture.shown("together")
    expectEqual(fixture.list.hits.first, Row(text: "together", row: 0))
  }

  @Test func sameTextAgainSearchesDuringTheSharedRequest() async throws {
    let gate = CallGate()
    let fixture = Fixture(
      ScriptedTransport { request, number in
        if number == 0 { await gate.pass() }
        return try rowsOfEach(request)
      })
    fixture.multi?.setQuery("together")
    await gate.waitForCalls()
    fixture.searcher.setQuery("alone")
    await fixture.shown("alone")
    fixture.multi?.setQuery("together")
    await fixture.shown("together")
    gate.open()
    expectEqual(fixture.list.hits.first, Row(text: "together", row: 0))
  }

  @Test func sameTextAgainSearchesAComponentWithADamagedResult() async throws {
    let isDamaged = Lock(true)
    let fixture = Fixture(
      ScriptedTransport { request, _ in
        if !isDamaged.withLock({ $0 }) { return try rowsOfEach(request) }
        return TransportResponse(status: 200, body: Array(#"{"results":[7]}"#.utf8))
      })
    fixture.multi?.setQuery("a")
    try await fixture.multi?.search()
    _ = await fixture.list.state { $0.failure?.code == .decoding }
    isDamaged.withLock { $0 = false }
    fixture.multi?.setQuery("a")
    await fixture.shown("a")
    #expect(fixture.list.state.failure == nil)
  }

  @Test func sameTextAgainDoesNotSearchOtherwise() async throws {
    let transport = ScriptedTransport { request, _ in try rowsOfEach(request) }
    let fixture = Fixture(transport)
    try await fixture.multi?.search(for: "a")
    fixture.multi?.setQuery("a")
    fixture.multi?.setQuery("b")
    await fixture.shown("b")
    expectEqual(transport.requests.count, 2)
  }

  @Test func skippedComponentDoesNotStaySearching() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, _ in
      await gate.pass()
      return try rowsOfEach(request)
    }
    let client = SearchClient(transport: transport)
    let searcher = HitsSearcher(
      client: client, indexName: "index", options: .init(clock: ManualClock()),
      shouldSearch: { $0.query.query?.isEmpty == false })
    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    multi.addSearcher(searcher)
    searcher.setQuery("a")
    await gate.waitForCalls()
    expectEqual(searcher.state, .searching)
    multi.setQuery("")
    for await state in searcher.states where state == .idle { break }
    gate.open()
  }

  @Test func cancelledCallerLeavesNothingLoading() async {
    let gate = CallGate()
    let fixture = Fixture(
      ScriptedTransport { request, _ in
        await gate.pass()
        return try rowsOfEach(request)
      })
    let multi = fixture.multi
    let caller = Task { try await multi?.search() }
    await gate.waitForCalls()
    _ = await fixture.list.state { $0.isLoading }
    caller.cancel()
    // The server does not respond and ignores cancellation.
    _ = await fixture.list.state { !$0.isLoading }
    expectEqual(fixture.searcher.state, .idle)
    gate.open()
  }

  @Test func deallocatedMultiSearcherLeavesNothingLoading() async {
    let gate = CallGate()
    var fixture = Fixture(
      ScriptedTransport { request, _ in
        await gate.pass()
        return try rowsOfEach(request)
      })
    fixture.multi?.setQuery("a")
    await gate.waitForCalls()
    _ = await fixture.list.state { $0.isLoading }
    fixture.multi = nil
    _ = await fixture.list.state { !$0.isLoading }
    expectEqual(fixture.searcher.state, .idle)
    gate.open()
  }

  @Test func newerRequestReplacesAnUnansweredOneWithoutGoingIdle() async {
    let gate = CallGate()
    let fixture = Fixture(
      ScriptedTransport { request, number in
        if number == 0 { await gate.pass() }
        return try rowsOfEach(request)
      })
    let states = fixture.searcher.states(buffering: .unbounded)
    let listStates = fixture.list.states(buffering: .unbounded)
    fixture.multi?.submit()
    await gate.waitForCalls()
    fixture.multi?.submit()
    var seen: [SearchState] = []
    for await state in states {
      seen.append(state)
      if seen.count == 3 { break }
    }
    expectEqual(seen, [.idle, .searching, .idle])
    var loading: [Bool] = []
    for await state in listStates {
      loading.append(state.isLoading)
      if !state.hits.isEmpty { break }
    }
    expectEqual(loading, [false, true, false])
    gate.open()
  }

  /// A search was cancelled because a newer one follows, which then does not begin.
  @Test func componentEndsIfTheNewerSearchDoesNotBegin() {
    let gate = CallGate()
    let executor = SeededExecutor(seed: 1)
    let fixture = Fixture()
    var multi: MultiSearcher? = MultiSearcher(
      client: SearchClient(
        transport: ScriptedTransport { request, _ in
          await gate.pass()
          return try rowsOfEach(request)
        }),
      options: .init(clock: ManualClock(), executor: executor))
    multi?.addSearcher(fixture.searcher)
    multi?.submit()
    executor.runUntilIdle()
    #expect(fixture.searcher.state == .searching && fixture.list.state.isLoading)
    // The newer search is pending, but its task does not run before the searcher is released.
    multi?.submit()
    multi = nil
    executor.runUntilIdle()
    #expect(fixture.searcher.state == .idle && !fixture.list.state.isLoading)
    gate.open()
  }

  @Test func cancelledCallerOfTheSameTextLeavesNoComponentWaiting() async throws {
    let executor = SeededExecutor(seed: 1)
    let fixture = Fixture()
    let multi = MultiSearcher(
      client: SearchClient(
        transport: ScriptedTransport { request, number in
          if number == 0 { throw SearchError(.server, "down") }
          return try rowsOfEach(request)
        }),
      options: .init(clock: ManualClock(), executor: executor))
    multi.addSearcher(fixture.searcher)
    multi.setQuery("a")
    executor.runUntilIdle()
    expectEqual(fixture.list.state.failure?.code, .server)
    let states = fixture.list.states
    let caller = Task { try await multi.search(for: "a") }
    for await state in states where state.isLoading { break }
    caller.cancel()
    await #expect(throws: SearchError.self) { try await caller.value }
    executor.runUntilIdle()
    // The component waits for the response, and receives it.
    try await fixture.searcher.settled()
    expectEqual(fixture.list.hits.first, Row(text: "a", row: 0))
  }

  /// The caller is cancelled after its text is set, and before the search begins.
  @Test func callerCancelledBeforeTheSearchLeavesNoComponentWaiting() async throws {
    let client = SearchClient(transport: ScriptedTransport { try rowsOfEach($0, $1) })
    let isFirst = Lock(true)
    let searcher = HitsSearcher(
      client: client, indexName: "index", options: .init(clock: ManualClock()),
      shouldSearch: { _ in
        if isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        }) {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
        return true
      })
    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    multi.addSearcher(searcher)
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    let caller = Task { try await multi.search(for: "a") }
    let error = await #expect(throws: SearchError.self) { try await caller.value }
    expectEqual(error?.code, .cancelled)
    try await searcher.settled()
    expectEqual(list.hits.first, Row(text: "a", row: 0))
  }

  /// A component whose request is cancelled does not go idle before the next one begins.
  @Test(arguments: Seed.all(20))
  func componentSearchesUntilTheNextRequestBegins(seed: Seed) async {
    let executor = SeededExecutor(seed: seed.value)
    let gate = CallGate()
    let client = SearchClient(
      transport: DirectTransport(
        base: ScriptedTransport { request, number in
          if number == 0 { await gate.pass() }
          return try rowsOfEach(request)
        }))
    let states: AsyncStream<SearchState>
    do {
      let options = SearcherOptions(clock: ManualClock(), executor: executor)
      let searcher = HitsSearcher(client: client, indexName: "index", options: options)
      let multi = MultiSearcher(client: client, options: options)
      multi.addSearcher(searcher)
      states = searcher.states(buffering: .unbounded)
      multi.submit()
      executor.runUntilIdle()
      multi.submit()
      gate.open()
      executor.runUntilIdle()
    }
    var seen: [SearchState] = []
    for await state in states { seen.append(state) }
    expectEqual(seen, [.idle, .searching, .idle], "seed \(seed.value)")
  }

  @Test func awaitedSearchEndsTheScheduledSearchOfAComponent() async throws {
    let transport = ScriptedTransport { request, _ in try rowsOfEach(request) }
    let client = SearchClient(transport: transport)
    let searcher = HitsSearcher(
      client: client, indexName: "index", debounce: .seconds(1),
      options: .init(clock: ManualClock()))
    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    multi.addSearcher(searcher)
    searcher.setQuery("alone")
    try await multi.search(for: "together")
    // The search of the change is not scheduled again with the new text.
    expectEqual(searcher.newestGeneration, 2)
    expectEqual(transport.requests.count, 1)
  }

  @Test func componentOfTwoMultiSearchersHasTheLastText() async throws {
    let fixture = Fixture()
    var other: MultiSearcher? = MultiSearcher(
      client: fixture.client, options: .init(clock: ManualClock()))
    other?.addSearcher(fixture.searcher)
    fixture.multi?.setQuery("first")
    other?.setQuery("second")
    await fixture.shown("second")
    fixture.multi?.setQuery("first")
    await fixture.shown("first")
    other?.setQuery("second")
    other = nil
    fixture.multi?.setQuery("third")
    await fixture.shown("third")
  }

  @Test func textsSetConcurrentlyDoNotMix() async {
    let transport = ScriptedTransport { request, _ in try rowsOfEach(request) }
    let client = SearchClient(transport: transport)
    let clock = ManualClock()
    let multi = MultiSearcher(client: client, debounce: .seconds(1), options: .init(clock: clock))
    let searchers = (0..<32).map { _ in
      HitsSearcher(client: client, indexName: "index", options: .init(clock: clock))
    }
    for searcher in searchers { multi.addSearcher(searcher) }
    for round in 0..<Thoroughness.count(100, thorough: 1_000) {
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] {
          group.addTask { multi.setQuery("\(name)\(round)") }
        }
      }
      expectEqual(Set(searchers.map(\.request.query.query)).count, 1)
    }
  }
}

private func rowsOfEach(_ request: TransportRequest, _: Int) throws -> TransportResponse {
  try rowsOfEach(request)
}
