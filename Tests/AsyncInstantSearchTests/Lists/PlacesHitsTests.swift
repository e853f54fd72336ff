import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// A searcher for places as the source of a list of rows.
struct PlacesHitsTests {
  /// Responds with the requested number of places, named after the text.
  private let transport = ScriptedTransport { request, _ in
    let body = try JSON(parsing: request.body)
    let text = body["query"]?.stringValue ?? ""
    let count = body["hitsPerPage"]?.intValue ?? 20
    let hits = (0..<count).map { row -> JSON in
      ["objectID": .string("\(row)"), "locale_names": [.string("\(text) \(row)")]]
    }
    let answer: JSON = [
      "hits": .array(hits), "nbHits": .int(Int64(count)), "query": .string(text),
      "degradedQuery": false,
    ]
    return TransportResponse(status: 200, body: Array(answer.text.utf8))
  }

  private func searcher(_ transport: some SearchTransport) -> PlacesSearcher {
    PlacesSearcher(client: SearchClient(transport: transport), options: .init(clock: ManualClock()))
  }

  @Test func rowsShowThePlacesOfTheNewestSearch() async throws {
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Hit<Place>>()
    interactor.connectSearcher(searcher)
    #expect(transport.requests.isEmpty, "connecting does not search")
    searcher.setQuery("a")
    let first = await interactor.state { $0.generation == 1 }
    expectEqual(first?.hits.count, 20)
    expectEqual(first?.hits[19]?.name, "a 19")
    expectEqual(first?.query, "a")
    searcher.update { $0.hitsPerPage = 3 }
    let second = await interactor.state { $0.generation == 2 }
    expectEqual(second?.hits.count, 3)
    expectEqual(second?.nbHits, 3)
  }

  @Test func thereIsNothingMoreToLoad() async throws {
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Hit<Place>>(infiniteScrolling: .on(withOffset: 50))
    interactor.connectSearcher(searcher)
    try await searcher.search()
    _ = await interactor.state { $0.generation == 1 }
    for row in 0..<25 { interactor.notifyDidPresentRow(atIndex: row) }
    #expect(try await interactor.loadNext() == false)
    #expect(try await interactor.loadPrevious() == false)
    #expect(interactor.state.isLoadingPage == false)
    expectEqual(transport.requests.count, 1)
  }

  @Test func responseWithALargerCountLoadsNothing() async throws {
    let transport = ScriptedTransport(
      json: #"{"hits":[{"objectID":"1"}],"nbHits":50,"hitsPerPage":1,"nbPages":50}"#)
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Hit<Place>>()
    interactor.connectSearcher(searcher)
    try await searcher.search()
    _ = await interactor.state { $0.generation == 1 }
    let error = await #expect(throws: SearchError.self) { try await interactor.loadNext() }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(transport.requests.count, 1)
  }

  @Test func newRequestKeepsTheRowsUntilItsResponse() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Hit<Place>>()
    interactor.connectSearcher(searcher)
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    transport.answer(0)
    _ = await interactor.state { $0.generation == 1 && !$0.isLoading }
    searcher.setLanguage(.french)
    let loading = await interactor.state { $0.isLoading }
    expectEqual(loading?.hits.count, 1)
    await transport.waitForCalls(2)
    searcher.setQuery("new")
    await transport.waitForCalls(3)
    transport.answer(1)
    transport.answer(2)
    let shown = await interactor.state { !$0.isLoading && $0.generation != 1 }
    expectEqual(shown?.generation, 3)
    expectEqual(shown?.hits[0]?.objectID, "id-new")
  }

  @Test func failureKeepsTheRows() async throws {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Hit<Place>>()
    interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    await transport.waitForCalls(1)
    transport.answer(0)
    _ = await interactor.state { $0.generation == 1 && !$0.isLoading }
    var errors = searcher.errors.makeAsyncIterator()
    searcher.setQuery("b")
    await transport.waitForCalls(2)
    transport.fail(1, with: SearchError(.server, "no"))
    await expectEqual(errors.next()?.message, "no")
    let shown = await interactor.state { !$0.isLoading }
    expectEqual(shown?.hits[0]?.objectID, "id-a")
  }

  @Test func rowsCanBeHiddenWhileTheTextIsEmpty() async throws {
    let searcher = searcher(transport)
    let interactor = HitsInteractor<Hit<Place>>(showItemsOnEmptyQuery: false)
    interactor.connectSearcher(searcher)
    try await searcher.search()
    searcher.setQuery("a")
    await expectEqual(interactor.state { $0.generation == 2 }?.hits.count, 20)
    searcher.setQuery("")
    await expectEqual(interactor.state { $0.generation == 3 }?.hits.count, 0)
  }

  @Test func anotherSearcherReplacesTheFirst() async throws {
    let places = searcher(transport)
    let hits = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try echo(request) }),
      indexName: "index", options: .init(clock: ManualClock()))
    let interactor = HitsInteractor<Hit<Place>>()
    let connection = interactor.connectSearcher(places)
    #expect(interactor.connectSearcher(places) === connection)
    interactor.connectSearcher(hits)
    #expect(!connection.isConnected)
    hits.setQuery("b")
    await expectEqual(interactor.state { $0.query == "b" }?.hits[0]?.objectID, "id-b")
    interactor.connectSearcher(places)
    places.setQuery("a")
    await expectEqual(interactor.state { $0.query == "a" }?.hits.count, 20)
  }

  @Test func interactorDoesNotRetainTheSearcher() async throws {
    let interactor = HitsInteractor<Hit<Place>>()
    var searcher: PlacesSearcher? = searcher(transport)
    weak let released = searcher
    if let searcher { interactor.connectSearcher(searcher) }
    try await searcher?.search()
    _ = await interactor.state { $0.generation == 1 }
    searcher = nil
    #expect(released == nil)
    expectEqual(interactor.state.hits.count, 20, "the rows stay")
  }

  @MainActor @Test func connectorAcceptsAPlacesSearcher() async throws {
    let searcher = searcher(transport)
    let controller = HitsObservableController<Hit<Place>>()
    let connector = PlacesConnector(searcher: searcher, controller: controller)
    #expect(connector.searcher === searcher)
    connector.searcher.setQuery("a")
    _ = await connector.interactor.state { $0.generation == 1 }
    let shown = connector.connectController(controller)
    #expect(shown.isConnected && controller.hitsSource === connector.interactor)
    connector.disconnect()
    #expect(!shown.isConnected)
    try await searcher.search()
    expectEqual(connector.interactor.state.generation, 1)
    connector.connect()
    #expect(connector.connectController(controller) !== shown)
    #expect(controller.hitsSource === connector.interactor)
    await expectEqual(connector.interactor.state { $0.generation == 2 }?.hits.count, 20)
  }
}
