import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct HitsSearcherTests {
  // MARK: Intake (promise 1)

  @Test func pageReplacesASlice() async throws {
    let transport = ScriptedTransport { request, _ in try rows(request) }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      query: SearchQuery("a").with {
        $0.offset = 5
        $0.length = 3
      }, options: .init(clock: ManualClock()))
    let response = try await searcher.search()
    let page = try await searcher.page(2, of: response)
    await expectEqual(page.page(of: Row.self).hits.first, Row(text: "a", row: 20))
    #expect(page.request.query.offset == nil && page.request.query.length == nil)
    let sent = try JSON(parsing: try #require(transport.requests.last).body)
    expectEqual(sent, ["query": "a", "page": 2])
  }

  @Test func requestsAreSetInCallOrder() async {
    let searcher = searcher(ScriptedTransport { request, _ in try echo(request) })
    for number in 0..<100 { searcher.setQuery("\(number)") }
    expectEqual(searcher.request.query.query, "99")
  }

  @Test func onlyRealChangesArePublished() async {
    let searcher = searcher(ScriptedTransport(json: "{}"), debounce: .seconds(1))
    var requests = searcher.requests.makeAsyncIterator()
    #expect(await requests.next()?.query.query == nil)
    searcher.update {
      $0.query.query = "a"
      $0.query.hitsPerPage = 5
      $0.indexName = "other"
    }
    let request = await requests.next()
    expectEqual(request?.query.query, "a")
    expectEqual(request?.indexName, "other")
    searcher.setQuery("a")
    searcher.setQuery("b")
    await expectEqual(requests.next()?.query.query, "b")
  }

  private static let refinements: [@Sendable (HitsSearcher) -> Void] = [
    { $0.setQuery("b") },
    { $0.setIndexName("other") },
    { $0.setFilters("year > 1980") },
    { $0.update { $0.query.hitsPerPage = 7 } },
  ]

  @Test(arguments: refinements.indices)
  func refinementResetsThePageInTheSameEvent(
    number: Int
  ) async {
    let searcher = searcher(ScriptedTransport(json: "{}"), debounce: .seconds(1))
    searcher.update { $0.query.page = 4 }
    var requests = searcher.requests.makeAsyncIterator()
    await expectEqual(requests.next()?.query.page, 4)
    Self.refinements[number](searcher)
    #expect(await requests.next()?.query.page == nil)
  }

  // MARK: Debounce (promise 2)

  @Test func debounceStartsAtTheNewestCall() async {
    let clock = ManualClock()
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport, debounce: .milliseconds(100), clock: clock)
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    searcher.setQuery("a")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(60))
    searcher.setQuery("ab")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(60))
    #expect(transport.requests.isEmpty)
    clock.advance(by: .milliseconds(40))
    await expectEqual(pages.next()?.hits.map(\.text), ["ab"])
    expectEqual(transport.requests.count, 1)
  }

  @Test func submitSkipsTheDebounce() async {
    let searcher = searcher(
      ScriptedTransport { request, _ in try echo(request) }, debounce: .seconds(60))
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    searcher.setQuery("now")
    searcher.submit()
    await expectEqual(pages.next()?.hits.map(\.text), ["now"])
  }

  @Test func awaitedSearchSkipsTheDebounce() async throws {
    let searcher = searcher(
      ScriptedTransport { request, _ in try echo(request) }, debounce: .seconds(60))
    searcher.setQuery("now")
    let page = try await searcher.search(of: Echo.self)
    expectEqual(page.hits.map(\.text), ["now"])
    expectEqual(page.request?.query.query, "now")
  }

  // MARK: Latest wins (promise 3)

  @Test func lateResponseIsNotShown() async {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var pages = searcher.pages(of: Echo.self, buffering: .unbounded).makeAsyncIterator()
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setQuery("new")
    await transport.waitForCalls(2)
    transport.answer(1)
    await expectEqual(pages.next()?.hits.map(\.text), ["new"])
    transport.answer(0)
    searcher.setQuery("newest")
    await transport.waitForCalls(3)
    transport.answer(2)
    await expectEqual(pages.next()?.hits.map(\.text), ["newest"])
  }

  @Test func aLateErrorIsNotShown() async {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    var errors = searcher.errors.makeAsyncIterator()
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setQuery("new")
    await transport.waitForCalls(2)
    transport.fail(0, with: SearchError(.server, "late"))
    transport.answer(1)
    await expectEqual(pages.next()?.hits.map(\.text), ["new"])
    searcher.setQuery("bad")
    await transport.waitForCalls(3)
    transport.fail(2, with: SearchError(.server, "on time"))
    await expectEqual(errors.next()?.message, "on time")
  }

  // MARK: Awaited searches always end (promise 4)

  @Test func supersededCallerGetsAnError() async {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let first = Task { try await searcher.search(of: Echo.self) }
    await transport.waitForCalls(1)
    searcher.setQuery("newer")
    let error = await #expect(throws: SearchError.self) { try await first.value }
    expectEqual(error?.code, .superseded)
  }

  @Test func cancelledCallerReturnsEvenIfTheTransportNeverDoes() async {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let call = Task { try await searcher.search(of: Echo.self) }
    await transport.waitForCalls(1)
    call.cancel()
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .cancelled)
    expectEqual(searcher.state, .idle)
  }

  @Test func aCancelledCallerDoesNotLoseTheQueryThatWasTyped() async {
    let transport = GatedTransport()
    let searcher = searcher(transport, debounce: .seconds(1))
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    searcher.setQuery("typed")
    let call = Task { try await searcher.search(of: Echo.self) }
    await transport.waitForCalls(1)
    call.cancel()
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .cancelled)
    transport.answer(0)
    await expectEqual(pages.next()?.hits.map(\.text), ["typed"])
  }

  @Test func alreadyCancelledCallerReturns() async {
    let searcher = searcher(GatedTransport())
    let call = Task {
      await untilCancelled()
      return try await searcher.search(of: Echo.self)
    }
    call.cancel()
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .cancelled)
  }

  @Test func aFailedSearchThrowsItsError() async {
    let searcher = searcher(
      ScriptedTransport(
        json: #"{"message":"Index index does not exist","status":404}"#, status: 404))
    let error = await #expect(throws: SearchError.self) {
      try await searcher.search(of: Echo.self)
    }
    expectEqual(error?.code, .indexNotFound)
    expectEqual(error?.indexName, "index")
  }

  // MARK: Life after an error (promise 5)

  @Test func aFailureEndsNoStreamAndTheSameQueryRunsAgain() async {
    let transport = ScriptedTransport { request, number in
      if number == 0 { throw SearchError(.server, "down") }
      return try echo(request)
    }
    let searcher = searcher(transport)
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    var errors = searcher.errors.makeAsyncIterator()
    searcher.setQuery("a")
    await expectEqual(errors.next()?.code, .server)
    searcher.setQuery("a")
    await expectEqual(pages.next()?.hits.map(\.text), ["a"])
  }

  // MARK: States (promise 6)

  @Test func statesGoFromIdleThroughStalledAndBack() async {
    let clock = ManualClock()
    let transport = GatedTransport()
    let searcher = searcher(transport, clock: clock)
    var states = searcher.states.makeAsyncIterator()
    await expectEqual(states.next(), .idle)
    searcher.setQuery("slow")
    await expectEqual(states.next(), .searching)
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(300))
    await expectEqual(states.next(), .stalled)
    await transport.waitForCalls(1)
    transport.answer(0)
    await expectEqual(states.next(), .idle)
    searcher.setQuery("bad")
    await expectEqual(states.next(), .searching)
    await transport.waitForCalls(2)
    let error = SearchError(.server, "down")
    transport.fail(1, with: error)
    guard case .failed(let shown) = await states.next() else {
      Issue.record("not failed")
      return
    }
    expectEqual(shown.code, .server)
  }

  // MARK: Nothing searches by itself (promise 7)

  @Test func creatingAndSubscribingNeverSearches() async throws {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport)
    let pages = searcher.pages(of: Echo.self)
    let states = searcher.states
    #expect(transport.requests.isEmpty)
    searcher.submit()
    var iterator = pages.makeAsyncIterator()
    _ = await iterator.next()
    expectEqual(transport.requests.count, 1)
    withExtendedLifetime(states) {}
  }

  @Test func shouldSearchCanRejectARequest() async {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport) { !($0.query.query ?? "").isEmpty }
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    let error = await #expect(throws: SearchError.self) { try await searcher.search() }
    expectEqual(error?.code, .cancelled)
    #expect(transport.requests.isEmpty)
    searcher.setQuery("a")
    await expectEqual(pages.next()?.hits.map(\.text), ["a"])
  }

  // MARK: The end (promise 8) and subscribers

  @Test func deallocatingTheSearcherEndsItsStreams() async {
    var searcher: HitsSearcher? = searcher(GatedTransport())
    weak let released = searcher
    let pages = searcher?.pages(of: Echo.self)
    let errors = searcher?.errors
    let states = searcher?.states
    let requests = searcher?.requests
    searcher?.setQuery("never answered")
    searcher = nil
    #expect(released == nil)
    if let pages { for await _ in pages { Issue.record("a page") } }
    if let errors { for await _ in errors { Issue.record("an error") } }
    if let requests { for await _ in requests {} }
    var last: SearchState?
    if let states { for await state in states { last = state } }
    #expect(last == .idle || last == .searching)
  }

  @Test func bothSubscribersSeeTheLastPageAndASlowOneBuffersOne() async throws {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport)
    var first = searcher.pages(of: Echo.self).makeAsyncIterator()
    var second = searcher.pages(of: Hit<Echo>.self).makeAsyncIterator()
    for text in ["a", "b", "c"] {
      searcher.setQuery(text)
      try await searcher.search()
    }
    await expectEqual(first.next()?.hits.map(\.text), ["c"])
    await expectEqual(second.next()?.hits.map(\.object.text), ["c"])
    var late = searcher.pages(of: Echo.self).makeAsyncIterator()
    await expectEqual(late.next()?.hits.map(\.text), ["c"])
  }

  @Test func undecodableHitIsReportedAndOthersArrive() async {
    let searcher = searcher(
      ScriptedTransport(
        json: #"{"hits":[{"objectID":"1","text":"a"},{"objectID":"2","text":7}],"nbHits":2}"#))
    var pages = searcher.pages(of: Hit<Echo>.self).makeAsyncIterator()
    var errors = searcher.errors.makeAsyncIterator()
    searcher.submit()
    await expectEqual(pages.next()?.hits.map(\.objectID), ["1"])
    let error = await errors.next()
    expectEqual(error?.code, .decoding)
    expectEqual(error?.failures.first?.objectID, "2")
    expectEqual(error?.failures.first?.codingPath, ["text"])
    expectEqual(error?.failures.first?.position, 2)
  }
}
