import AsyncInstantSearch
import AsyncInstantSearchTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// Requests that are reverted, rejected, or changed inside a change.
struct RequestChangeTests {
  private let transport = ScriptedTransport { request, _ in try rowsOfEach(request) }

  private func searcher(
    debounce: Duration = .zero, clock: ManualClock = ManualClock(),
    shouldSearch: @escaping @Sendable (SearchRequest<JSON>) -> Bool = { _ in true }
  ) -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      debounce: debounce, options: .init(clock: clock), shouldSearch: shouldSearch)
  }

  @Test func rejectedRequestIsNeverLoading() async throws {
    let searcher = searcher { $0.query.query?.isEmpty == false }
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    searcher.setQuery("a")
    try await searcher.search()
    let listStates = list.states(buffering: .unbounded)
    let states = searcher.states(buffering: .unbounded)
    searcher.setQuery("")
    searcher.submit()
    await #expect { try await searcher.search() } throws: { error in
      (error as? SearchError)?.code == .cancelled
    }
    #expect(!list.state.isLoading && list.hit(atIndex: 0)?.text == "a")
    // The following change is the first that loads anything again.
    searcher.setQuery("b")
    try await searcher.search()
    var loading: [Bool] = []
    for await state in listStates {
      loading.append(state.isLoading)
      if state.query == "b" { break }
    }
    #expect(loading.filter { $0 }.count <= 2 && loading.first == false)
    #expect(loading.prefix { !$0 }.count >= 1)
    var shown: [SearchState] = []
    for await state in states {
      shown.append(state)
      if shown.count == 3 { break }
    }
    expectEqual(shown, [.idle, .searching, .idle])
  }

  /// The time that `shouldSearch` takes is part of the debounce.
  @Test func debounceBeginsWithTheChange() async {
    let clock = ManualClock()
    let searcher = searcher(debounce: .seconds(1), clock: clock) { _ in
      clock.advance(by: .milliseconds(600))
      return true
    }
    searcher.setQuery("a")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(400))
    expectEqual(clock.sleeperCount, 0)
  }

  @Test func rejectedRequestEndsThePreviousSearch() async throws {
    let transport = GatedTransport()
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()),
      shouldSearch: { $0.query.query != "no" })
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    searcher.setQuery("a")
    await transport.waitForCalls(1)
    #expect(list.state.isLoading)
    searcher.setQuery("no")
    #expect(!list.state.isLoading && searcher.state == .idle)
    transport.answer(0)
    #expect(try await list.settledState().hits.isEmpty)
  }

  /// Types and reverts within the debounce, with a list connected to the searcher or its component.
  private func typeAndRevert(
    _ searcher: some Searcher, _ list: HitsInteractor<Row>, _ clock: ManualClock,
    setQuery: (String) -> Void
  ) async throws {
    setQuery("a")
    _ = try await searcher.search()
    #expect(try await list.loadNext())
    let count = transport.requests.count
    setQuery("ab")
    #expect(list.state.isLoading)
    setQuery("a")
    #expect(!list.state.isLoading && searcher.state == .idle)
    clock.advance(by: .seconds(1))
    expectEqual(list.currentHits.count, 20)
    #expect(try await list.loadNext())
    expectEqual(transport.requests.count, count + 1, "only the page was requested")
    // The next search has a new generation.
    setQuery("abc")
    _ = try await searcher.search()
    expectEqual(list.hit(atIndex: 0)?.text, "abc")
  }

  @Test func revertingWithinTheDebounceKeepsTheResultAndItsPages() async throws {
    let clock = ManualClock()
    let searcher = searcher(debounce: .milliseconds(100), clock: clock)
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    try await typeAndRevert(searcher, list, clock) { searcher.setQuery($0) }
  }

  @Test func afterAFailureTheSameRequestIsSearchedAgain() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport { request, number in
      if number == 1 { throw SearchError(.server, "down") }
      return try rows(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      debounce: .milliseconds(100), options: .init(clock: clock))
    searcher.setQuery("a")
    try await searcher.search()
    searcher.setQuery("ab")
    await #expect(throws: SearchError.self) { try await searcher.search() }
    searcher.setQuery("abc")
    searcher.setQuery("a")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    var pages = searcher.pages(of: Row.self, buffering: .unbounded).makeAsyncIterator()
    while let page = await pages.next(), page.generation < 3 {}
    expectEqual(transport.requests.count, 3)
  }

  @Test func nestedChangeIsRefusedAndReported() async throws {
    let searcher = searcher()
    let other = self.searcher()
    var errors = searcher.errors(buffering: .unbounded).makeAsyncIterator()
    var runs = 0
    searcher.update {
      runs += 1
      $0.query.hitsPerPage = 3
      searcher.setQuery("x")
    }
    await expectEqual(errors.next()?.code, .invalidRequest)
    #expect(runs == 1 && searcher.request.query.query == nil)
    expectEqual(searcher.request.query.hitsPerPage, 3)
    // The request of another searcher can be changed inside, which makes the inner change of the
    // first one no less nested.
    searcher.update {
      runs += 1
      $0.query.hitsPerPage = 4
      other.update {
        $0.query.query = "y"
        searcher.submit()
        searcher.setQuery("z")
      }
    }
    for _ in 0..<2 { await expectEqual(errors.next()?.code, .invalidRequest) }
    #expect(runs == 2 && searcher.request.query.query == nil)
    #expect(searcher.request.query.hitsPerPage == 4 && other.request.query.query == "y")
  }

  @Test func taskOfAClosureChangesTheRequestAfterIt() async {
    let searcher = searcher()
    let closureEnded = Promise<Void>()
    var later: Task<Void, Never>?
    searcher.update { _ in
      later = Task {
        await closureEnded.outcome()
        searcher.setQuery("x")
      }
    }
    closureEnded.fulfill(with: ())
    await later?.value
    expectEqual(searcher.request.query.query, "x")
  }

  @Test func nestedFilterChangeIsRefusedAndReported() async throws {
    let filters = FilterState()
    var errors = filters.errors.makeAsyncIterator()
    var runs = 0
    let isChanged = filters.update {
      runs += 1
      $0[and: "a"].add("a" == "b")
      let isNestedChanged = filters.update { $0[and: "c"].toggle("c" == "d") }
      #expect(!isNestedChanged)
    }
    #expect(runs == 1 && isChanged)
    let error = await errors.next()
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains("the filters of the same filter state") == true)
    #expect(!filters.groups[and: "a"].isEmpty && filters.groups[and: "c"].isEmpty)
    // The filters of another state can be changed inside.
    let other = FilterState()
    filters.update {
      $0[and: "g"].add("g" == "h")
      other.update { $0[and: "e"].add("e" == "f") }
    }
    #expect(!filters.groups[and: "g"].isEmpty && !other.groups[and: "e"].isEmpty)
  }

  @Test(arguments: [false, true])
  func filterChangeInsideAChangeOfASearcherIsRefusedAndReported(isShared: Bool) async {
    let filters = FilterState()
    var errors = filters.errors.makeAsyncIterator()
    let searcher = searcher()
    let multi = MultiSearcher(client: SearchClient(transport: transport))
    if isShared {
      multi.addSearcher(searcher)
      multi.addSearcher(self.searcher())
      multi.connectFilterState(filters)
    } else {
      searcher.connectFilterState(filters)
    }
    searcher.update {
      $0.query.hitsPerPage = 3
      let isChanged = filters.update { $0[and: "a"].add("a" == "b") }
      #expect(!isChanged)
    }
    let error = await errors.next()
    #expect(error?.message.contains("before or after it") == true)
    #expect(filters.groups.isEmpty && searcher.request.filterGroups.isEmpty)
    expectEqual(searcher.request.query.hitsPerPage, 3)
    filters.update { $0[and: "a"].add("a" == "b") }
    expectEqual(searcher.request.filterGroups, filters.groups)
  }

  @Test func settingAnEqualRequestChangesNothing() {
    let searcher = searcher()
    searcher.setQuery("a")
    var runs = 0
    searcher.update {
      runs += 1
      if runs < 50 { onAnotherThread { searcher.setQuery("a") } }
      $0.query.hitsPerPage = 3
    }
    expectEqual(runs, 1)
    #expect(searcher.request.query.query == "a" && searcher.request.query.hitsPerPage == 3)
  }

  @Test func constantlyContestedChangeIsReportedAndEnds() async {
    let searcher = searcher()
    var errors = searcher.errors.makeAsyncIterator()
    var runs = 0
    searcher.update {
      runs += 1
      let number = runs
      if number < 5000 { onAnotherThread { searcher.setQuery("\(number)") } }
      $0.query.hitsPerPage = 3
    }
    expectEqual(runs, 1000)
    let error = await errors.next()
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains("by other threads during each of 1000 runs") == true)
    #expect(searcher.request.query.query == "1000" && searcher.request.query.hitsPerPage == nil)
    // The next one is applied.
    searcher.update { $0.query.hitsPerPage = 4 }
    expectEqual(searcher.request.query.hitsPerPage, 4)
  }

  @Test func constantlyContestedFilterChangeIsReportedAndEnds() async {
    let filters = FilterState()
    var errors = filters.errors.makeAsyncIterator()
    var runs = 0
    filters.update {
      runs += 1
      let number = runs
      if number < 5000 {
        onAnotherThread { filters.update { $0[and: "n"].add("n" == "\(number)") } }
      }
      $0[and: "a"].add("a" == "b")
    }
    expectEqual(runs, 1000)
    #expect(await errors.next()?.message.contains("of 1000 runs") == true)
  }

  /// Whether filters that could not be applied are applied later, by a searcher with this
  /// `connect`.
  private func appliesLater(
    isChange: Bool, byConnecting: Bool,
    connect: (HitsSearcher) -> (FilterState) -> Connection
  ) async {
    let own = Lock<HitsSearcher?>(nil)
    let runs = Lock(0)
    let searcher = searcher { request in
      if !request.filterGroups.isEmpty, let searcher = own.withLock({ $0 }) {
        let number = runs.withLock { runs in
          runs += 1
          return runs
        }
        onAnotherThread {
          own.withLock { $0 = nil }
          searcher.setQuery("\(number)")
          own.withLock { $0 = searcher }
        }
      }
      return true
    }
    let connect = connect(searcher)
    let filters = FilterState()
    if isChange { _ = connect(filters) }
    own.withLock { $0 = searcher }
    var errors = searcher.errors.makeAsyncIterator()
    filters.update { $0[and: "a"].add("a" == "b") }
    if !isChange { _ = connect(filters) }
    await expectEqual(errors.next()?.code, .invalidRequest)
    #expect(searcher.request.filterGroups.isEmpty)
    own.withLock { $0 = nil }
    if byConnecting {
      _ = connect(filters)
    } else {
      filters.update { $0[and: "c"].add("c" == "d") }
    }
    expectEqual(searcher.request.filterGroups, filters.groups)
  }

  @Test(arguments: [false, true], [false, true])
  func nextChangeOrConnectionAppliesFiltersThatFailed(
    isChange: Bool, byConnecting: Bool
  ) async {
    await appliesLater(isChange: isChange, byConnecting: byConnecting) { searcher in
      { searcher.connectFilterState($0) }
    }
    let multi = MultiSearcher(client: SearchClient(transport: transport))
    let other = searcher()
    await appliesLater(isChange: isChange, byConnecting: byConnecting) { searcher in
      multi.addSearcher(searcher)
      multi.addSearcher(other)
      return { multi.connectFilterState($0) }
    }
    #expect(!other.request.filterGroups.isEmpty)
  }

  @Test func nextConnectionAppliesFiltersThatFailedForAComponent() async {
    let multi = MultiSearcher(client: SearchClient(transport: transport))
    let filters = FilterState()
    filters.update { $0[and: "a"].add("a" == "b") }
    multi.connectFilterState(filters)
    let own = Lock<HitsSearcher?>(nil)
    let searcher = searcher { _ in
      if let searcher = own.withLock({ $0 }) { multi.addSearcher(searcher) }
      return true
    }
    own.withLock { $0 = searcher }
    var errors = searcher.errors.makeAsyncIterator()
    searcher.setQuery("a")
    await expectEqual(errors.next()?.code, .invalidRequest)
    #expect(searcher.request.filterGroups.isEmpty)
    own.withLock { $0 = nil }
    multi.connectFilterState(filters)
    expectEqual(searcher.request.filterGroups, filters.groups)
  }

  @Test func searchWhoseRequestChangesDuringItsCheckThrows() async throws {
    let own = Lock<HitsSearcher?>(nil)
    let runs = Lock(0)
    // The debounce does not end, so no change begins a search that calls the closure as well.
    let searcher = searcher(debounce: .seconds(1)) { _ in
      let number = runs.withLock { runs in
        runs += 1
        return runs
      }
      if let searcher = own.withLock({ $0 }), number < 5000 {
        onAnotherThread {
          own.withLock { $0 = nil }
          searcher.setQuery("\(number)")
          own.withLock { $0 = searcher }
        }
      }
      return true
    }
    own.withLock { $0 = searcher }
    await #expect { try await searcher.search() } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
    expectEqual(runs.withLock { $0 }, 2000)
    own.withLock { $0 = nil }
    try await searcher.search()
  }

  @Test func multiSearchWithARejectedChangeThrows() async throws {
    let own = Lock<HitsSearcher?>(nil)
    let runs = Counter(from: 0)
    let part = searcher(debounce: .seconds(1)) { _ in
      guard let searcher = own.withLock({ $0 }) else { return true }
      onAnotherThread {
        own.withLock { $0 = nil }
        searcher.setQuery("\(runs.next())")
        own.withLock { $0 = searcher }
      }
      return true
    }
    let multi = MultiSearcher(
      client: SearchClient(transport: transport), options: .init(clock: ManualClock()))
    multi.addSearcher(part)
    own.withLock { $0 = part }
    await #expect {
      try await multi.search(for: "a")
    } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
    own.withLock { $0 = nil }
    try await multi.search(for: "b")
    expectEqual(part.request.query.query, "b")
  }

  @Test func revertingKeepsTheResultsOfComponents() async throws {
    let clock = ManualClock()
    let client = SearchClient(transport: transport)
    let part = HitsSearcher(client: client, indexName: "index", options: .init(clock: clock))
    let multi = MultiSearcher(
      client: client, debounce: .milliseconds(100), options: .init(clock: clock))
    multi.addSearcher(part)
    let list = HitsInteractor<Row>()
    list.connectSearcher(part)
    try await typeAndRevert(multi, list, clock) { multi.setQuery($0) }
  }

  @Test func concurrentFilterChangesAreAllApplied() async throws {
    let client = SearchClient(transport: transport)
    for _ in 0..<Thoroughness.count(5, thorough: 50) {
      let parts = (0..<2).map { _ in HitsSearcher(client: client, indexName: "index") }
      let multi = MultiSearcher(client: client)
      multi.addSearcher(parts[0])
      let filters = FilterState()
      multi.connectFilterState(filters)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask { filters.update { $0[and: "\(number)"].add("a" == "\(number)") } }
        }
        group.addTask { multi.addSearcher(parts[1]) }
      }
      #expect(parts.allSatisfy { $0.request.filterGroups == filters.groups })
    }
  }

  @Test func filterChangeOfAMultiSearcherIsOneRequest() async throws {
    let client = SearchClient(transport: transport)
    let parts = (0..<3).map { _ in
      HitsSearcher(client: client, indexName: "index", options: .init(clock: ManualClock()))
    }
    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    for part in parts.prefix(2) { multi.addSearcher(part) }
    let filters = FilterState()
    filters.update { $0[and: "a"].add("a" == "1") }
    let connection = multi.connectFilterState(filters)
    multi.addSearcher(parts[2])
    #expect(transport.requests.isEmpty, "connecting does not search")
    let lists = parts.map { part in
      let list = HitsInteractor<Row>()
      list.connectSearcher(part)
      return list
    }
    filters.update { $0[and: "b"].add("b" == "2") }
    for list in lists {
      try await expectEqual(list.settledState().request?.filterGroups, filters.groups)
    }
    expectEqual(transport.requests.count, 1)
    connection.disconnect()
    filters.update { $0[and: "c"].add("c" == "3") }
    try await multi.search()
    expectEqual(transport.requests.count, 2)
    #expect(parts.allSatisfy { $0.request.filterGroups != filters.groups })
  }

  @Test func subscriptionDoesNotRetainTheSearcher() async throws {
    let (texts, continuation) = AsyncStream<String>.makeStream()
    var searcher: HitsSearcher? = searcher()
    weak let released = searcher
    let subscription = searcher?.pages(of: Row.self).subscribe { page in
      continuation.yield(page.hits.first?.text ?? "nothing")
    }
    searcher?.setQuery("a")
    var received = texts.makeAsyncIterator()
    await expectEqual(received.next(), "a")
    searcher = nil
    #expect(released == nil)
    // A disconnected subscription receives nothing more.
    let other = self.searcher()
    let undone = other.states.subscribe { _ in }
    undone.disconnect()
    #expect(!undone.isConnected)
    withExtendedLifetime(subscription) {}
  }

  @Test func connectingAFilterStateLaterKeepsTheListLoading() async throws {
    let searcher = searcher()
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    try await searcher.search(for: "a")
    let filters = FilterState()
    filters.update { $0[and: "color"].add("color" == "red") }
    let revisions = list.states(buffering: .unbounded)
    searcher.connectFilterState(filters)
    #expect(try await list.loadNext(), "pages of the displayed list can be loaded")
    expectEqual(list.currentHits.count, 20)
    list.notifyDidPresentRow(atIndex: 18)
    for await state in revisions where state.hits[20] != nil { break }
    let sent = try transport.requests.map { try JSON(parsing: $0.body)["facetFilters"] }
    expectEqual(sent, [nil, nil, nil], "the pages belong to the displayed search")
    try await searcher.search()
    #expect(list.currentHits.first?.text.contains("color") == true)
  }
}
