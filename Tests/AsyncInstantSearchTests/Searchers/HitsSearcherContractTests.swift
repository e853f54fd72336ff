import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The guarantees of a searcher that random scheduling would rarely break: each test forces the
/// order of steps in which a guarantee could break.
struct HitsSearcherContractTests {
  /// Never responds, and counts the calls that were cancelled.
  private func silent(_ cancelled: Counter) -> ScriptedTransport {
    ScriptedTransport { _, _ in
      await untilCancelled()
      cancelled.add()
      throw CancellationError()
    }
  }

  // MARK: Intake (promise 1)

  @Test func concurrentChangesAreAllApplied() async {
    let searcher = searcher(ScriptedTransport(json: "{}"), debounce: .seconds(1))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            searcher.update { $0.query.hitsPerPage = ($0.query.hitsPerPage ?? 0) + 1 }
          }
        }
      }
    }
    expectEqual(searcher.request.query.hitsPerPage, 1600)
  }

  @Test func aChangeThatSetsAPageKeepsIt() {
    let searcher = searcher(ScriptedTransport(json: "{}"), debounce: .seconds(1))
    searcher.update {
      $0.query.query = "a"
      $0.query.page = 3
    }
    expectEqual(searcher.request.query.page, 3)
  }

  @Test func refinementResetsTheOffset() {
    let searcher = searcher(ScriptedTransport(json: "{}"), debounce: .seconds(1))
    searcher.update {
      $0.query.offset = 40
      $0.query.length = 20
    }
    searcher.setQuery("a")
    expectEqual(searcher.request.query.offset, 0)
    expectEqual(searcher.request.query.length, 20)
  }

  // MARK: Debounce (promise 2)

  @Test func debounceStartsAtTheCall() {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(
      transport, debounce: .milliseconds(100), clock: clock, executor: executor)
    searcher.setQuery("a")
    clock.advance(by: .milliseconds(60))
    executor.runUntilIdle()
    #expect(transport.requests.isEmpty)
    clock.advance(by: .milliseconds(40))
    executor.runUntilIdle()
    expectEqual(transport.requests.count, 1)
  }

  @Test func infiniteDurationsAreAccepted() async throws {
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try echo(request) }),
      indexName: "index",
      debounce: .seconds(Int64.max), options: .init(stalledAfter: .seconds(Int64.max)))
    searcher.setQuery("a")
    try await expectEqual(searcher.search(of: Echo.self).hits.map(\.text), ["a"])
  }

  // MARK: Latest wins (promise 3)

  @Test func supersededWorkIsCancelled() {
    let executor = SeededExecutor(seed: 1)
    let cancelled = Counter()
    let searcher = searcher(silent(cancelled), executor: executor)
    searcher.setQuery("a")
    executor.runUntilIdle()
    searcher.setQuery("b")
    executor.runUntilIdle()
    expectEqual(cancelled.value, 1)
  }

  @Test func aSecondAwaitedSearchSupersedesTheFirst() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let first = Task { try await searcher.search(of: Echo.self) }
    await transport.waitForCalls(1)
    let second = Task { try await searcher.search(of: Echo.self) }
    await transport.waitForCalls(2)
    let error = await #expect(throws: SearchError.self) { try await first.value }
    expectEqual(error?.code, .superseded)
    transport.answer(1)
    try await expectEqual(second.value.generation, 2)
  }

  @Test func failuresOfAnOlderPageAreNotReported() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 2 { throw SearchError(.server, "the next error") }
      return number == 0 ? Self.unfit : try echo(request)
    }
    let searcher = searcher(transport)
    var errors = searcher.errors.makeAsyncIterator()
    let old = try await searcher.search()
    try await searcher.search()
    await expectEqual(old.page(of: Echo.self).failures.count, 1)
    _ = try? await searcher.search()
    await expectEqual(errors.next()?.message, "the next error")
  }

  private static let unfit = TransportResponse(
    status: 200, body: Array(#"{"hits":[{"objectID":"1","text":7}]}"#.utf8))

  // MARK: Awaited searches end (promise 4)

  @Test func cancelEndsOnlyTheSearch() async {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    let call = Task { try await searcher.search(of: Echo.self) }
    await transport.waitForCalls(1)
    searcher.cancel()
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .cancelled)
    expectEqual(searcher.state, .idle)
    searcher.setQuery("next")
    await transport.waitForCalls(2)
    transport.answer(1)
    await expectEqual(pages.next()?.hits.map(\.text), ["next"])
  }

  // MARK: Errors (promise 5)

  @Test func aLateSubscriberReceivesNoOldError() async {
    let searcher = searcher(
      ScriptedTransport { _, number in throw SearchError(.server, "\(number)") })
    _ = try? await searcher.search()
    var errors = searcher.errors.makeAsyncIterator()
    _ = try? await searcher.search()
    await expectEqual(errors.next()?.message, "1")
  }

  @Test func outcomesAreOneStreamOfPagesAndErrors() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 1 || number == 2 { throw SearchError(.server, "\(number)") }
      return try echo(request)
    }
    let searcher = searcher(transport)
    var outcomes = searcher.outcomes(of: Echo.self, buffering: .unbounded).makeAsyncIterator()
    for text in ["a", "b", "c", "d"] { _ = try? await searcher.search(for: text) }
    try await expectEqual(outcomes.next()?.get().hits.map(\.text), ["a"])
    for message in ["1", "2"] {
      let outcome = try #require(await outcomes.next())
      #expect(throws: SearchError.self) { try outcome.get() }
      if case .failure(let error) = outcome { expectEqual(error.message, message) }
    }
    try await expectEqual(outcomes.next()?.get().hits.map(\.text), ["d"])
    // A later subscriber begins with the newest outcome.
    var late = searcher.outcomes(of: Echo.self).makeAsyncIterator()
    try await expectEqual(late.next()?.get().hits.map(\.text), ["d"])
    // A refused change is no search.
    searcher.update { _ in searcher.setQuery("inside") }
    _ = try await searcher.search(for: "e")
    try await expectEqual(outcomes.next()?.get().hits.map(\.text), ["e"])
  }

  @Test func outcomesOfSupersededSearchesAreNotPublished() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var outcomes = searcher.outcomes(of: Echo.self, buffering: .unbounded).makeAsyncIterator()
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setQuery("next")
    await transport.waitForCalls(2)
    transport.answer(0)
    transport.answer(1)
    try await expectEqual(outcomes.next()?.get().hits.map(\.text), ["next"])
  }

  @Test func cancellationThatTheTransportMadeUpIsReported() async {
    let searcher = searcher(ScriptedTransport { _, _ in throw CancellationError() })
    var errors = searcher.errors.makeAsyncIterator()
    searcher.setQuery("a")
    await expectEqual(errors.next()?.code, .transport)
  }

  @Test func hitThatFitsNeitherTypeIsReportedOnce() async throws {
    let transport = ScriptedTransport { _, number in
      if number == 1 { throw SearchError(.server, "the next error") }
      return Self.unfit
    }
    let searcher = searcher(transport)
    var errors = searcher.errors.makeAsyncIterator()
    let response = try await searcher.search()
    await expectEqual(response.page(of: Echo.self).failures.count, 1)
    await expectEqual(response.page(of: Hit<Echo>.self).failures.count, 1)
    _ = try? await searcher.search()
    await expectEqual(errors.next()?.code, .decoding)
    await expectEqual(errors.next()?.message, "the next error")
  }

  // MARK: States (promise 6)

  @Test func slowSubscriberReceivesTheNewestState() async {
    let searcher = searcher(ScriptedTransport { _, _ in throw SearchError(.server, "down") })
    var states = searcher.states.makeAsyncIterator()
    _ = try? await searcher.search()
    guard case .failed = await states.next() else {
      Issue.record("not the newest state")
      return
    }
  }

  @Test func stateIsNotRepeatedToASlowSubscriber() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 1 { throw SearchError(.server, "down") }
      return try echo(request)
    }
    let searcher = searcher(transport)
    var states = searcher.states.makeAsyncIterator()
    await expectEqual(states.next(), .idle)
    try await searcher.search()
    _ = try? await searcher.search()
    #expect(await states.next() != .idle)
  }

  @Test func debounceDoesNotCountAsStalled() async {
    let clock = ManualClock()
    let transport = GatedTransport()
    let searcher = searcher(transport, clock: clock) { _ in
      clock.advance(by: .seconds(1))
      return true
    }
    let states = searcher.states(buffering: .unbounded)
    searcher.setQuery("a")
    await transport.waitForCalls(1)
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(300))
    var seen: [SearchState] = []
    for await state in states {
      seen.append(state)
      if state == .stalled { break }
    }
    expectEqual(seen, [.idle, .searching, .stalled])
  }

  @Test func noTaskSleepsForStatesThatNobodyReads() async {
    let clock = ManualClock()
    let transport = GatedTransport()
    let searcher = searcher(transport, clock: clock)
    searcher.setQuery("a")
    await transport.waitForCalls(1)
    expectEqual(clock.sleeperCount, 0)
    clock.advance(by: .milliseconds(299))
    expectEqual(searcher.state, .searching)
    clock.advance(by: .milliseconds(1))
    expectEqual(searcher.state, .stalled)
    var states = searcher.states.makeAsyncIterator()
    await expectEqual(states.next(), .stalled)
    searcher.cancel()
    #expect(searcher.state == .idle && clock.sleeperCount == 0)
  }

  @Test func subscriberOfARunningSearchSeesItStall() async {
    let clock = ManualClock()
    let transport = GatedTransport()
    let searcher = searcher(transport, clock: clock)
    searcher.setQuery("a")
    await transport.waitForCalls(1)
    clock.advance(by: .milliseconds(200))
    var states = searcher.states.makeAsyncIterator()
    await expectEqual(states.next(), .searching)
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    await expectEqual(states.next(), .stalled)
  }

  @Test func endedSearchDoesNotStallUnobserved() async throws {
    let clock = ManualClock()
    let searcher = searcher(ScriptedTransport { request, _ in try echo(request) }, clock: clock)
    searcher.setQuery("a")
    try await searcher.search()
    clock.advance(by: .seconds(1))
    expectEqual(searcher.state, .idle)
  }

  // MARK: The end (promise 8)

  @Test func deallocatingTheSearcherCancelsItsWork() {
    let executor = SeededExecutor(seed: 1)
    let cancelled = Counter()
    var searcher: HitsSearcher? = searcher(silent(cancelled), executor: executor)
    searcher?.setQuery("a")
    executor.runUntilIdle()
    expectEqual(cancelled.value, 0)
    searcher = nil
    executor.runUntilIdle()
    expectEqual(cancelled.value, 1)
  }

  @Test func loopOverAStreamDoesNotRetainTheSearcher() async {
    var searcher: HitsSearcher? = searcher(ScriptedTransport { request, _ in try echo(request) })
    weak let released = searcher
    guard let pages = searcher?.pages(of: Echo.self) else { return }
    let seen = AsyncStream.makeStream(of: Void.self)
    let loop = Task {
      for await _ in pages { seen.continuation.yield() }
    }
    searcher?.setQuery("a")
    for await _ in seen.stream { break }
    searcher = nil
    #expect(released == nil)
    await loop.value
  }

  // MARK: Pages, calls, locks

  @Test(arguments: Seed.all(50))
  func pageIsDecodedOnceForAllCallers(seed: Seed) {
    let decoded = Counter()
    let executor = SeededExecutor(seed: seed.value)
    let searcher = searcher(
      ScriptedTransport { request, _ in try echo(request) }, executor: executor)
    let consumers = (0..<3).map { _ in
      let pages = searcher.pages(of: CountedRecord.self)
      return Task(executorPreference: executor) {
        await CountedRecord.$counter.withValue(decoded) {
          for await _ in pages {}
        }
      }
    }
    executor.runUntilIdle()
    searcher.setQuery("a")
    executor.runUntilIdle()
    expectEqual(decoded.value, 1, "seed \(seed.value)")
    for consumer in consumers { consumer.cancel() }
    executor.runUntilIdle()
  }

  @Test func optionsAreSentWithEveryCall() async throws {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(
      transport,
      options: RequestOptions(headers: [HTTPHeader(name: "x-forwarded-for", value: "10.0.0.1")]))
    try await searcher.search()
    let headers = try #require(transport.requests.first).headers
    #expect(headers.contains(HTTPHeader(name: "x-forwarded-for", value: "10.0.0.1")))
  }

  @Test func continuationsAreResumedOutsideTheLock() async throws {
    let searcherBox = Lock<HitsSearcher?>(nil)
    let executor = ProbingExecutor { _ = searcherBox.withLock { $0 }?.request }
    let searcher = searcher(
      ScriptedTransport { request, _ in try echo(request) }, executor: executor)
    searcherBox.withLock { $0 = searcher }
    let pages = searcher.pages(of: Echo.self)
    let consumer = Task(executorPreference: executor) {
      for await page in pages { return page.hits.first?.text }
      return nil
    }
    let caller = Task(executorPreference: executor) { try await searcher.search(of: Echo.self) }
    executor.runUntilIdle()
    try await expectEqual(caller.value.hits.count, 1)
    searcher.setQuery("a")
    executor.runUntilIdle()
    #expect(await consumer.value != nil)
    searcherBox.withLock { $0 = nil }
  }
}

/// A counter that tasks share.
private final class Counter: Sendable {
  private let state = Lock(0)
  var value: Int { state.withLock { $0 } }
  func add() { state.withLock { $0 += 1 } }
}

/// A record that counts how often it is decoded.
private struct CountedRecord: Decodable, Sendable {
  @TaskLocal static var counter: Counter?

  init(from decoder: any Decoder) throws { Self.counter?.add() }
}
