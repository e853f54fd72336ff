import InstantSearchAPI
import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

extension HitsSearcher {
  fileprivate func add(_ filters: [Filter.Facet], to state: FilterState) {
    for filter in filters { state.update { $0[and: "numbers"].add(filter) } }
  }

  fileprivate func setTexts(_ texts: [String]) -> String? {
    for text in texts { setQuery(text) }
    return request.query.query
  }
}

/// Code that a user isolates to a searcher, in an extension.
@Suite struct SearcherIsolationTests {
  private func searcher(
    debounce: Duration = .zero, clock: ManualClock = ManualClock(),
    executor: (any TaskExecutor)? = nil
  ) -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try echo(request) }),
      indexName: "index", debounce: debounce, options: .init(clock: clock, executor: executor))
  }

  @Test func isolatedCodeCanChangeTheRequest() async throws {
    let searcher = searcher()
    await expectEqual(searcher.setTexts(["a", "b"]), "b")
    try await expectEqual(searcher.search(of: Echo.self).hits.map(\.text), ["b"])
  }

  @Test(arguments: Seed.all(50))
  func isolatedCodeRunsOnTheGivenExecutor(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let searcher = searcher(executor: executor)
    let seen = Lock<String?>(nil)
    Task(executorPreference: executor) {
      let text = await searcher.setTexts(["a", "b"])
      seen.withLock { $0 = text }
    }
    #expect(seen.withLock { $0 } == nil)
    executor.runUntilIdle()
    expectEqual(seen.withLock { $0 }, "b")
  }

  @Test func isolatedCodeOfTwoSearchersChangesTheStateThatBothFollow() async {
    let searchers = (0..<2).map { _ in searcher(debounce: .seconds(1)) }
    let filterState = FilterState()
    for searcher in searchers { searcher.connectFilterState(filterState) }
    await withTaskGroup { group in
      for searcher in searchers {
        group.addTask {
          for round in 0..<Thoroughness.count(5, thorough: 20) {
            await searcher.add((0..<50).map { "number" == "\(round) \($0)" }, to: filterState)
            filterState.update { $0.removeAll() }
          }
        }
      }
    }
    #expect(searchers.allSatisfy { $0.request.filterGroups == filterState.groups })
  }

  @Test func concurrentChangesAndIsolatedCallsAreAllApplied() async {
    let searcher = searcher(debounce: .seconds(1))
    let count = Thoroughness.count(50, thorough: 500)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for number in 0..<count {
            searcher.update { $0.query.hitsPerPage = ($0.query.hitsPerPage ?? 0) + 1 }
            if number % 4 == 0 { _ = await searcher.setTexts([]) }
          }
        }
      }
    }
    expectEqual(searcher.request.query.hitsPerPage, 8 * count)
  }
}

/// A searcher sleeps for the newest deadline only, in one reused task.
@Suite struct SearchTimerTests {
  private struct Fixture {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    let transport: ScriptedTransport
    let searcher: HitsSearcher
    let list: HitsInteractor<Row>
    private(set) var jobCount = 0

    init(debounce: Duration) {
      let clock = clock
      transport = ScriptedTransport { request, _ in
        try await clock.sleep(until: clock.now.advanced(by: .milliseconds(20)))
        return try rows(request)
      }
      searcher = HitsSearcher(
        client: SearchClient(transport: DirectTransport(base: transport)), indexName: "index",
        debounce: debounce, options: .init(clock: clock, executor: executor))
      list = HitsInteractor<Row>(executor: executor)
      list.connectSearcher(searcher)
    }

    mutating func type(_ text: String, pause: Int) {
      searcher.setQuery(text)
      jobCount += executor.runUntilIdle()
      for _ in 0..<(pause / 10) {
        clock.advance(by: .milliseconds(10))
        jobCount += executor.runUntilIdle()
      }
    }
  }

  @Test(arguments: [0, 150], [170, 200])
  func aKeystrokeTakesAtMostFourJobs(debounce: Int, pause: Int) {
    var fixture = Fixture(debounce: .milliseconds(debounce))
    for number in 0..<60 {
      fixture.type("\(number)", pause: pause)
      expectEqual(fixture.list.hits.first, Row(text: "\(number)", row: 0))
    }
    #expect(fixture.jobCount <= 4 * 60)
  }

  @Test func tenKeystrokesWithinOneDebounceTakeAtMostEightJobsAndOneSleeper() {
    var fixture = Fixture(debounce: .milliseconds(150))
    for number in 0..<10 {
      fixture.type("\(number)", pause: 10)
      expectEqual(fixture.clock.sleeperCount, 1)
    }
    fixture.type("10", pause: 200)
    expectEqual(fixture.transport.requests.count, 1)
    expectEqual(fixture.list.hits.first??.text, "10")
    #expect(fixture.jobCount <= 8)
  }

  @Test func earlyWakeUpDoesNotSearch() {
    var fixture = Fixture(debounce: .milliseconds(150))
    fixture.type("a", pause: 100)
    fixture.type("b", pause: 140)
    #expect(fixture.transport.requests.isEmpty)
    fixture.type("b", pause: 10)
    expectEqual(fixture.transport.requests.count, 1)
  }

  @Test func unneededSleeperEnds() {
    var fixture = Fixture(debounce: .milliseconds(150))
    fixture.type("a", pause: 50)
    fixture.searcher.cancel()
    fixture.type("", pause: 0)
    fixture.searcher.cancel()
    fixture.clock.advance(by: .seconds(1))
    fixture.executor.runUntilIdle()
    #expect(fixture.clock.sleeperCount == 0 && fixture.transport.requests.isEmpty)
    fixture.type("b", pause: 170)
    expectEqual(fixture.list.hits.first??.text, "b")
  }

  @Test func deallocatedSearcherLeavesNoSleeper() {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    var searcher: HitsSearcher? = HitsSearcher(
      client: SearchClient(transport: GatedTransport()), indexName: "index",
      debounce: .milliseconds(150), options: .init(clock: clock, executor: executor))
    let states = searcher?.states
    searcher?.submit()
    executor.runUntilIdle()
    searcher?.setQuery("a")
    executor.runUntilIdle()
    // One for the debounce, and one that detects that the previous search stalls.
    expectEqual(clock.sleeperCount, 2)
    searcher = nil
    executor.runUntilIdle()
    expectEqual(clock.sleeperCount, 0)
    withExtendedLifetime(states) {}
  }

  /// Isolated code of a multi-searcher changes its components while searches of it begin there.
  @Test func isolatedCodeOfAMultiSearcherChangesItsComponents() async throws {
    let client = SearchClient(
      transport: ScriptedTransport { request, _ in try rowsOfEach(request) })
    let multi = MultiSearcher(client: client)
    for name in ["a", "b"] { multi.addSearcher(HitsSearcher(client: client, indexName: name)) }
    let count = Thoroughness.count(20, thorough: 200)
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<count { await multi.refine("\(task) \(number)") }
        }
      }
      group.addTask {
        for _ in 0..<4 * count {
          multi.submit()
          await Task.yield()
        }
      }
    }
    try await multi.search()
    expectEqual(multi.state, .idle)
  }

  /// A change that `shouldSearch` makes to another searcher would be searched later, by a task that
  /// calls the other `shouldSearch`. It is refused, and does not move the deadline.
  @Test func shouldSearchCannotScheduleASearchOfAnotherSearcher() async {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    let client = SearchClient(transport: ScriptedTransport { request, _ in try rows(request) })
    let decisions = (Decision(), Decision())
    let first = HitsSearcher(
      client: client, indexName: "a", options: .init(clock: clock, executor: executor),
      shouldSearch: decisions.0.run)
    let second = HitsSearcher(
      client: client, indexName: "b",
      debounce: .milliseconds(100), options: .init(clock: clock, executor: executor),
      shouldSearch: decisions.1.run)
    var errors = second.errors.makeAsyncIterator()
    second.setQuery("before")
    executor.runUntilIdle()
    clock.advance(by: .milliseconds(50))
    decisions.0.set { [weak second] _ in second?.setQuery("decided") }
    first.setQuery("text")
    decisions.0.set(nil)
    decisions.1.set { [weak first] _ in first?.setQuery("changed") }
    clock.advance(by: .milliseconds(50))
    executor.runUntilIdle()
    #expect(second.request.query.query == "before" && second.state == .idle)
    expectEqual(first.request.query.query, "text")
    expectEqual(decisions.1.runs, 2, "the search begins at its own time")
    let error = await errors.next()
    #expect(error?.message.contains("`shouldSearch` must only look at its argument") == true)
  }
}

extension MultiSearcher {
  fileprivate func refine(_ text: String) { setQuery(text) }
}
