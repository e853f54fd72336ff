import TestSupport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import LocalSearch
import Testing

struct PlacesSearcherTests {
  private func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.setSettings(.places, of: "places")
    try await engine.load(contentsOf: SnippetData.file("places.json"), into: "places")
    return engine
  }

  private func searcher(
    _ transport: some SearchTransport, debounce: Duration = .zero,
    clock: ManualClock = ManualClock(),
    shouldSearch: @escaping @Sendable (PlacesQuery) -> Bool = { _ in true }
  ) -> PlacesSearcher {
    PlacesSearcher(
      client: SearchClient(transport: transport), debounce: debounce, options: .init(clock: clock),
      shouldSearch: shouldSearch)
  }

  // MARK: Against the engine

  @Test func placesFollowTheTextAndTheLanguage() async throws {
    let searcher = searcher(try await engine())
    var pages = searcher.pages.makeAsyncIterator()
    searcher.setQuery("lond")
    let page = try #require(await pages.next())
    expectEqual(page.hits.first?.localeNames?.value(in: .french), ["Londres"])
    expectEqual(page.hits.first?.highlighted("locale_names.default")?.raw, "<em>Lond</em>on")
    searcher.setLanguage(.french)
    await expectEqual(pages.next()?.hits.first?.localeNames, .single(["Londres"]))
    searcher.update { ($0.countries, $0.type) = (["ca"], [.city]) }
    await expectEqual(pages.next()?.hits.map(\.objectID), ["london-ontario"])
    searcher.setQuery(nil)
    await expectEqual(pages.next()?.query, "")
    searcher.setLanguage(nil)
    #expect(await pages.next()?.hits.first?.localeNames?.languages.isEmpty == false)
  }

  @Test func rejectedRequestIsAnErrorAndTheSearcherContinues() async throws {
    let searcher = searcher(try await engine())
    var pages = searcher.pages.makeAsyncIterator()
    var errors = searcher.errors.makeAsyncIterator()
    searcher.update { $0.type = ["ferry"] }
    await expectEqual(errors.next()?.code, .invalidRequest)
    guard case .failed = searcher.state else {
      Issue.record("the searcher is not in the failed state")
      return
    }
    searcher.update { $0.type = [.airport] }
    await expectEqual(pages.next()?.hits.count, 3)
    expectEqual(searcher.state, .idle)
  }

  // MARK: The request

  @Test func eachRealChangeIsOneRequest() async throws {
    let transport = ScriptedTransport(json: #"{"hits":[]}"#)
    let searcher = searcher(transport, debounce: .seconds(1))
    var requests = searcher.requests(buffering: .unbounded).makeAsyncIterator()
    searcher.setQuery("a")
    searcher.setQuery("a")
    searcher.setLanguage(.french)
    searcher.setLanguage(.french)
    searcher.update { $0.countries = ["fr"] }
    await expectEqual(requests.next(), PlacesQuery())
    await expectEqual(requests.next(), PlacesQuery("a"))
    await expectEqual(requests.next(), PlacesQuery("a").with { $0.language = .french })
    await expectEqual(requests.next(), searcher.request)
    expectEqual(searcher.request.countries, ["fr"])
  }

  @Test func onlyTheNewestTextIsSearchedAfterTheDebounce() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport, debounce: .milliseconds(100), clock: clock)
    var pages = searcher.pages.makeAsyncIterator()
    searcher.setQuery("a")
    searcher.setQuery("ab")
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(99))
    #expect(transport.requests.isEmpty)
    clock.advance(by: .milliseconds(1))
    await expectEqual(pages.next()?.query, "ab")
    expectEqual(transport.requests.count, 1)
  }

  @Test func submittingDoesNotWait() async throws {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport, debounce: .seconds(1))
    var pages = searcher.pages.makeAsyncIterator()
    searcher.setQuery("a")
    searcher.submit()
    await expectEqual(pages.next()?.query, "a")
  }

  // MARK: Latest wins

  @Test func lateResponseIsNotShown() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var pages = searcher.pages(of: Hit<Place>.self, buffering: .unbounded).makeAsyncIterator()
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setLanguage(.french)
    await transport.waitForCalls(2)
    searcher.setQuery("new")
    await transport.waitForCalls(3)
    transport.answer(2)
    await expectEqual(pages.next()?.query, "new")
    transport.answer(0)
    transport.answer(1)
    searcher.setQuery("newer")
    await transport.waitForCalls(4)
    transport.answer(3)
    await expectEqual(pages.next()?.query, "newer")
  }

  @Test func lateFailureIsNotShownAndFailuresEndNoStream() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var errors = searcher.errors.makeAsyncIterator()
    var pages = searcher.pages.makeAsyncIterator()
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setQuery("new")
    await transport.waitForCalls(2)
    transport.fail(0, with: SearchError(.server, "late"))
    transport.fail(1, with: SearchError(.server, "on time"))
    await expectEqual(errors.next()?.message, "on time")
    // The same request again: it has no result, so it is searched.
    searcher.setQuery("new")
    await transport.waitForCalls(3)
    transport.answer(2)
    await expectEqual(pages.next()?.query, "new")
    expectEqual(searcher.state, .idle)
  }

  // MARK: Awaiting

  @Test func supersededSearchThrows() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let first = Task { try await searcher.search(of: Hit<Place>.self) }
    await transport.waitForCalls(1)
    let second = Task { try await searcher.search(of: Hit<Place>.self) }
    await transport.waitForCalls(2)
    let error = await #expect(throws: SearchError.self) { try await first.value }
    expectEqual(error?.code, .superseded)
    transport.answer(1)
    try await expectEqual(second.value.generation, 2)
  }

  @Test func aCancelledCallerEndsItsSearchQuietly() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    var errors = searcher.errors.makeAsyncIterator()
    var pages = searcher.pages(of: Hit<Place>.self, buffering: .unbounded).makeAsyncIterator()
    let task = Task { try await searcher.search(of: Hit<Place>.self) }
    await transport.waitForCalls(1)
    task.cancel()
    let error = await #expect(throws: SearchError.self) { try await task.value }
    expectEqual(error?.code, .cancelled)
    expectEqual(searcher.state, .idle)
    transport.answer(0)
    // The streams continue with the events of later searches.
    searcher.setQuery("a")
    await transport.waitForCalls(2)
    transport.answer(1)
    await expectEqual(pages.next()?.query, "a")
    searcher.setQuery("b")
    await transport.waitForCalls(3)
    transport.fail(2, with: SearchError(.server, "later"))
    await expectEqual(errors.next()?.message, "later")
  }

  @Test func cancellingTheSearcherStopsScheduledSearches() async throws {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let clock = ManualClock()
    let searcher = searcher(transport, debounce: .seconds(1), clock: clock)
    searcher.setQuery("a")
    await clock.waitForSleepers()
    searcher.cancel()
    clock.advance(by: .seconds(2))
    try await expectEqual(searcher.search(of: Hit<Place>.self).query, "a")
    expectEqual(transport.requests.count, 1)
  }

  @Test func rejectedRequestIsNotSearched() async throws {
    let transport = ScriptedTransport { request, _ in try echo(request) }
    let searcher = searcher(transport) { $0.query?.isEmpty == false }
    let error = await #expect(throws: SearchError.self) {
      try await searcher.search(of: Hit<Place>.self)
    }
    expectEqual(error?.code, .cancelled)
    searcher.setQuery("a")
    try await expectEqual(searcher.search(of: Hit<Place>.self).hits.count, 1)
  }

  @Test func observersReceiveTheWholeStatus() async throws {
    let searcher = searcher(ScriptedTransport { request, _ in try echo(request) })
    let statuses = Shared<[HitsSearcherStatus]>([])
    let observer = HitsObserver(
      prepare: { _ in },
      stage: { status in
        statuses.change { $0.append(status) }
        return {}
      },
      present: { true }, end: {})
    let id = try #require(searcher.addObserver(observer))
    searcher.setQuery("a")
    _ = try await searcher.search()
    searcher.removeObserver(id)
    let status = try #require(statuses.value.last)
    expectEqual(status.requestRevision, 1)
    expectEqual(status.currentRequest.query.query, "a")
    #expect(status.generation > 0)
    expectEqual(status.responseGeneration, status.generation)
    #expect(statuses.value.contains { $0.state == .searching })
    expectEqual(status.state, .idle)
  }

  // MARK: Hits that do not fit

  @Test func placeWithoutAnIDIsAFailureOfItsPage() async throws {
    let searcher = searcher(
      ScriptedTransport(json: #"{"hits":[{"locale_names":["a"]},{"objectID":"2"}],"nbHits":2}"#))
    var errors = searcher.errors.makeAsyncIterator()
    let page = try await searcher.search(of: Hit<Place>.self)
    expectEqual(page.hits.map(\.objectID), ["2"])
    expectEqual(page.failures.count, 1)
    await expectEqual(errors.next()?.code, .decoding)
  }

  // MARK: The end

  @Test func deallocatingTheSearcherEndsItsStreams() async throws {
    let transport = GatedTransport()
    var searcher: PlacesSearcher? = searcher(transport)
    weak let released = searcher
    guard let pages = searcher?.pages, let errors = searcher?.errors,
      let states = searcher?.states, let requests = searcher?.requests
    else { return }
    searcher?.setQuery("a")
    await transport.waitForCalls(1)
    searcher = nil
    #expect(released == nil)
    transport.answer(0)
    for await _ in pages { Issue.record("a page") }
    for await _ in errors { Issue.record("an error") }
    for await _ in states {}
    for await _ in requests {}
  }
}
