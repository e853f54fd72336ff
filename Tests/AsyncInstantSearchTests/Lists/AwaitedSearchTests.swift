import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// When an awaited search returns, everything connected to the searcher shows its result.
struct AwaitedSearchTests {
  private let transport = ScriptedTransport { request, _ in try rowsOfEach(request) }

  /// Responds after a random number of yields.
  private static func randomlyDelayed(_ random: SeededRandom) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      for _ in 0..<random.number(below: 40) { await Task.yield() }
      return try rowsOfEach(request)
    }
  }

  // MARK: Lists

  @Test func searchesUnderLoadShowTheirResults() async throws {
    let wrong = try await withThrowingTaskGroup(of: [String].self) { group in
      for worker in 0..<8 {
        group.addTask {
          let transport = Self.randomlyDelayed(SeededRandom(seed: UInt64(worker)))
          var wrong: [String] = []
          for number in 0..<Thoroughness.count(25, thorough: 250) {
            let failure = try await Self.runOnce(on: transport, number: number)
            if let failure { wrong.append("\(worker).\(number): \(failure)") }
          }
          return wrong
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    expectEqual(Array(wrong.prefix(5)), [])
  }

  /// A description of what is not shown as expected; `nil` if everything is.
  private static func runOnce(on transport: ScriptedTransport, number: Int) async throws -> String?
  {
    let client = SearchClient(transport: transport)
    let searcher = HitsSearcher(client: client, indexName: "index")
    let list = HitsInteractor<Hit<Row>>()
    let raw = HitsInteractor<JSON>()
    list.connectSearcher(searcher)
    raw.connectSearcher(searcher)
    try await searcher.search()
    if list.hit(atIndex: 0)?.text != "" { return "no first result" }
    if raw.rawHitAtIndex(0)?["text"] != "" { return "no raw hit" }
    searcher.setQuery("b\(number)")
    try await searcher.search()
    if list.hit(atIndex: 0)?.text != "b\(number)" { return "an older result" }
    if list.state.isLoading { return "still loading" }
    var pageCount = 1
    while try await list.loadNext() { pageCount += 1 }
    if pageCount != 10 { return "\(pageCount) pages" }

    let multi = MultiIndexSearcher(client: client, indexNames: ["a", "b"])
    let sections = MultiIndexHits(HitsInteractor<Row>(), HitsInteractor<JSON>())
    sections.connectSearcher(multi)
    multi.setQuery("c")
    try await multi.search()
    let (first, second) = sections.state
    if first.hits[0]?.text != "c" || second.hits[0]?["text"] != "c" { return "no sections" }

    let parts = (0..<2).map { _ in HitsSearcher(client: client, indexName: "index") }
    let all = MultiSearcher(client: client)
    for part in parts { all.addSearcher(part) }
    let lists = parts.map { part in
      let list = HitsInteractor<Row>()
      list.connectSearcher(part)
      return list
    }
    all.setQuery("d")
    try await all.search()
    if lists.contains(where: { $0.hit(atIndex: 0)?.text != "d" }) { return "no component" }
    return nil
  }

  @Test func listConnectedDuringTheSearchShowsItsResults() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, _ in
      await gate.pass()
      return try rows(request)
    }
    let searcher = searcher(transport)
    async let answer = searcher.search()
    await gate.waitForCalls(1)
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    gate.open()
    _ = try await answer
    expectEqual(list.numberOfHits(), 100)
  }

  @Test func rowsStayWhenTheSearcherIsReleasedAfterItsSearch() async throws {
    let list = HitsInteractor<Row>()
    do {
      let searcher = searcher(transport)
      list.connectSearcher(searcher)
      try await searcher.search()
    }
    expectEqual(list.numberOfHits(), 100)
  }

  @Test func resultIsShownIfTheSearcherIsReleasedAfterConnecting() async throws {
    let list = HitsInteractor<Row>()
    let sections = MultiIndexHits(HitsInteractor<Row>(), HitsInteractor<JSON>())
    let connections = try await {
      let searcher = searcher(transport)
      try await searcher.search()
      let multi = MultiIndexSearcher(
        client: SearchClient(transport: transport), indexNames: ["a", "b"])
      try await multi.search()
      return [list.connectSearcher(searcher), sections.connectSearcher(multi)]
    }()
    try await expectEqual(list.settledState().numberOfHits, 100)
    let (first, second) = try await sections.settledState()
    #expect(first.numberOfHits == 100 && second.numberOfHits == 100)
    // The searchers of the connections have been released.
    for await state in list.states where !state.isLoading { break }
    #expect(try await list.settledState().failure == nil)
    withExtendedLifetime(connections) {}
  }

  // MARK: Views

  @MainActor
  private final class Table: HitsController {
    weak var hitsSource: HitsInteractor<Row>?
    var texts: [String] = []
    var statuses: [HitsStatus] = []

    func reload() { texts.append(hitsSource?.currentHits.first?.text ?? "nothing") }
    let isLoading = CallGate()

    func update(_ status: HitsStatus) {
      statuses.append(status)
      if status.isLoading { isLoading.open() }
    }
  }

  @MainActor @Test func aViewHasReadTheRowsWhenTheSearchReturns() async throws {
    let searcher = searcher(transport)
    let list = HitsInteractor<Row>()
    let table = Table()
    let observable = HitsObservableController<Row>()
    list.connectSearcher(searcher)
    list.connectController(table)
    list.connectController(observable)
    for number in 0..<Thoroughness.count(5, thorough: 50) {
      searcher.setQuery("q\(number)")
      try await searcher.search()
      expectEqual(table.texts.last, "q\(number)")
      expectEqual(observable.hits[0]?.text, "q\(number)")
      #expect(!observable.isLoading)
    }
  }

  @MainActor @Test func aViewHasReadTheRowsWhenTheListIsAwaited() async throws {
    let searcher = searcher(transport)
    let list = HitsInteractor<Row>(infiniteScrolling: .off)
    let sections = MultiIndexHits(HitsInteractor<Row>(), HitsInteractor<JSON>())
    let multi = MultiIndexSearcher(
      client: SearchClient(transport: transport), indexNames: ["a", "b"])
    let table = Table()
    let sectionTable = Table()
    list.connectSearcher(searcher)
    list.connectController(table)
    sections.connectSearcher(multi)
    sections.interactors.0.connectController(sectionTable)
    for number in 0..<Thoroughness.count(5, thorough: 50) {
      searcher.setQuery("q\(number)")
      _ = try await list.settledState()
      expectEqual(table.texts.last, "q\(number)")
      let reloadCount = table.texts.count
      #expect(try await list.loadNext())
      #expect(table.texts.count > reloadCount)
      multi.setQuery("m\(number)")
      _ = try await sections.settledState()
      expectEqual(sectionTable.texts.last, "m\(number)")
    }
  }

  /// The main actor is busy when the call is cancelled: it returns no result that no view shows.
  @MainActor @Test func cancelledSearchReturnsNoResultThatViewsDoNotShow() async throws {
    let searcher = searcher(transport, debounce: .seconds(1))
    let list = HitsInteractor<Row>()
    let table = Table()
    list.connectSearcher(searcher)
    list.connectController(table)
    try await searcher.search()
    let count = Thoroughness.count(5, thorough: 20)
    for number in 0..<count {
      searcher.setQuery("q\(number)")
      let call = Task.detached {
        let page = try await searcher.search(of: Row.self)
        return page.hits.count
      }
      block(until: { list.currentHits.first?.text == "q\(number)" })
      call.cancel()
      #expect(table.texts.last != "q\(number)")
      switch await call.result {
      case .success: expectEqual(table.texts.last, "q\(number)")
      case .failure(let error): expectEqual(code(of: error), .cancelled)
      }
    }
    _ = try await list.settledState()
    expectEqual(table.texts.last, "q\(count - 1)")
  }

  /// Blocks the thread until others have met a condition.
  private func block(until condition: () -> Bool) {
    while !condition() { sched_yield() }
  }

  @MainActor @Test func viewCanShowLoadingAndFailures() async throws {
    let gate = CallGate()
    let fails = Lock(true)
    let transport = ScriptedTransport { request, number in
      if number == 0 { await gate.pass() }
      if number > 0, fails.withLock({ $0 }) { throw SearchError(.server, "down") }
      return try rows(request)
    }
    let searcher = searcher(transport)
    let list = HitsInteractor<Row>()
    let table = Table()
    list.connectController(table)
    list.connectSearcher(searcher)
    async let first = searcher.search()
    // The view receives the newest status only, so it would miss a short one.
    await table.isLoading.waitForCalls()
    gate.open()
    _ = try await first
    expectEqual(table.statuses.last, HitsStatus())
    for _ in 0..<Thoroughness.count(5, thorough: 20) {
      await #expect(throws: SearchError.self) { try await searcher.search() }
      expectEqual(table.statuses.last?.failure?.code, .server)
      #expect(table.statuses.last?.isLoading == false)
    }
    fails.withLock { $0 = false }
    try await searcher.search()
    expectEqual(table.statuses.last, HitsStatus())
  }

  // MARK: Waiting for displayed state

  @Test func listWithoutASearchIsSettled() async throws {
    let list = HitsInteractor<Row>()
    #expect(try await list.settledState().hits.isEmpty)
    list.connectSearcher(searcher(transport))
    try await expectEqual(list.settledState().generation, 0)
    #expect(transport.requests.isEmpty)
  }

  @Test func waitIsForTheNewestSearch() async throws {
    let clock = ManualClock()
    let searcher = searcher(transport, debounce: .milliseconds(100), clock: clock)
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    searcher.setQuery("a")
    async let state = list.settledState()
    searcher.setQuery("ab")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    try await expectEqual(state.query, "ab")
  }

  @Test func waitThrowsTheErrorOfTheSearch() async throws {
    let searcher = searcher(ScriptedTransport { _, _ in throw SearchError(.server, "down") })
    let list = HitsInteractor<Row>()
    let sections = MultiIndexHits(HitsInteractor<Row>(), HitsInteractor<Row>())
    let multi = MultiIndexSearcher(
      client: SearchClient(
        transport: ScriptedTransport { _, _ in throw SearchError(.server, "down") }),
      indexNames: ["a", "b"])
    list.connectSearcher(searcher)
    sections.connectSearcher(multi)
    searcher.submit()
    multi.submit()
    await #expect { try await list.settledState() } throws: { code(of: $0) == .server }
    await #expect { try await list.loadNext() } throws: { code(of: $0) == .server }
    await #expect { try await sections.settledState() } throws: { code(of: $0) == .server }
  }

  @Test func theWaitEndsWithItsTaskAndWithTheList() async throws {
    let searcher = searcher(GatedTransport())
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    searcher.submit()
    let waiting = Task { try await list.settledState() }
    waiting.cancel()
    await #expect { try await waiting.value } throws: { code(of: $0) == .cancelled }
    let loading = Task { try await list.loadNext() }
    loading.cancel()
    await #expect { try await loading.value } throws: { code(of: $0) == .cancelled }
  }

  // MARK: loadNext and loadPrevious

  @Test func loadedPageBelongsToTheNewestSearch() async throws {
    let searcher = searcher(transport)
    let list = HitsInteractor<Row>()
    list.connectSearcher(searcher)
    searcher.setQuery("a")
    // There is no result yet: the call waits for it.
    #expect(try await list.loadNext())
    expectEqual(list.currentHits.map(\.row), Array(0..<20))
    searcher.setQuery("b")
    #expect(try await list.loadNext())
    expectEqual(list.currentHits.map(\.text), Array(repeating: "b", count: 20))
  }

  @Test func loadNextThrowsWithoutASearch() async throws {
    let list = HitsInteractor<Row>(pageCleanUpOffset: nil)
    await #expect { try await list.loadNext() } throws: { code(of: $0) == .invalidRequest }
    let searcher = searcher(transport)
    list.connectSearcher(searcher)
    await #expect { try await list.loadNext() } throws: { code(of: $0) == .invalidRequest }
    try await searcher.search()
    while try await list.loadNext() {}
    expectEqual(list.currentHits.count, 100)
  }
}

private func code(of error: any Error) -> SearchError.Code? { (error as? SearchError)?.code }
