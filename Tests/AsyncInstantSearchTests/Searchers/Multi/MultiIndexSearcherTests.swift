import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct MultiIndexSearcherTests {
  private struct Actor: Codable, Sendable, Equatable { let name: String }
  private struct Movie: Codable, Sendable, Equatable { let title: String }

  private struct Fixture {
    let transport: ScriptedTransport
    let searcher: MultiIndexSearcher

    init(debounce: Duration = .zero, clock: ManualClock = ManualClock()) async throws {
      let engine = LocalSearch()
      try await engine.setSettings(
        IndexSettings(searchableAttributes: ["title"], attributesForFaceting: ["genre"]),
        of: "movies")
      try await engine.save(
        [["objectID": "1", "name": "Tom Hanks"], ["objectID": "2", "name": "Toni Collette"]]
          as [JSON], in: "actors")
      try await engine.save(
        [
          ["objectID": "1", "title": "Tom Jones", "genre": "Comedy"],
          ["objectID": "2", "title": "Tommy", "genre": "Musical"],
        ] as [JSON], in: "movies")
      transport = ScriptedTransport { request, _ in try await engine.send(request) }
      searcher = MultiIndexSearcher(
        client: SearchClient(transport: transport), indexNames: ["actors", "movies"],
        query: SearchQuery().with { $0.facets = ["genre"] },
        debounce: debounce, options: .init(clock: clock))
    }

    func bodies() throws -> [JSON] {
      try transport.requests.map { try JSON(parsing: $0.body) }
    }
  }

  @Test func searchIsOneRequestWithTypedPagesByPosition() async throws {
    let fixture = try await Fixture()
    var responses = fixture.searcher.responses.makeAsyncIterator()
    fixture.searcher.setQuery("tom")
    let response = try #require(await responses.next())
    let (actors, movies) = try await response.pages(of: Hit<Actor>.self, Movie.self)
    expectEqual(actors.hits.map(\.name), ["Tom Hanks"])
    expectEqual(Set(movies.hits.map(\.title)), ["Tom Jones", "Tommy"])
    try expectEqual(fixture.bodies().map { $0["requests"]?.arrayValue?.count }, [2])
    expectEqual(fixture.searcher.state, .idle)
    var pages = fixture.searcher.pages(of: Actor.self, at: 0).makeAsyncIterator()
    await expectEqual(pages.next()?.hits, [Actor(name: "Tom Hanks")])
    let error = #expect(throws: SearchError.self) { try response.response(at: 2) }
    expectEqual(error?.code, .invalidRequest)
  }

  @Test func aFilterStateFiltersItsIndexAndSearchesAllInOneRequest() async throws {
    let fixture = try await Fixture()
    let filters = FilterState()
    #expect(fixture.searcher.connectFilterState(filters, withQueryAtIndex: 2) == nil)
    let connection = fixture.searcher.connectFilterState(filters, withQueryAtIndex: 1)
    #expect(connection?.isConnected == true)
    #expect(fixture.transport.requests.isEmpty)
    var responses = fixture.searcher.responses.makeAsyncIterator()
    filters.update { $0[or: "genre"].add("genre" == "Comedy") }
    let response = try #require(await responses.next())
    try await expectEqual(response.page(of: Movie.self, at: 1).nbHits, 1)
    try await expectEqual(response.page(of: Actor.self, at: 0).nbHits, 2)
    try await expectEqual(response.page(of: Movie.self, at: 1).facets["genre"]?["Musical"], 1)
    let requests = try #require(try fixture.bodies().last?["requests"]?.arrayValue)
    expectEqual(requests.map { $0["indexName"] }, ["actors", "movies", "movies"])
    expectEqual(fixture.transport.requests.count, 1)
  }

  @Test func indexWithoutAResultDoesNotAffectTheOthers() async throws {
    let searcher = MultiIndexSearcher(
      client: SearchClient(
        transport: ScriptedTransport(json: #"{"results":[{"hits":[{"name":"a"}]},{"hits":7}]}"#)),
      indexNames: ["actors", "movies", "missing"], options: .init(clock: ManualClock()))
    var errors = searcher.errors.makeAsyncIterator()
    let response = try await searcher.search()
    try await expectEqual(response.page(of: Actor.self, at: 0).hits, [Actor(name: "a")])
    for position in 1...2 {
      let error = #expect(throws: SearchError.self) { try response.response(at: position) }
      expectEqual(error?.code, .decoding)
    }
    await expectEqual(errors.next()?.indexName, "movies")
    await expectEqual(errors.next()?.indexName, "missing")
    expectEqual(searcher.state, .idle)
    var pages = searcher.pages(of: Actor.self, at: 0).makeAsyncIterator()
    await expectEqual(pages.next()?.generation, 1)
  }

  @Test func eachIndexHasItsOwnParameters() async throws {
    let clock = ManualClock()
    let fixture = try await Fixture(debounce: .milliseconds(100), clock: clock)
    // With a text, which waits for the debounce.
    fixture.searcher.update(at: 1) {
      $0.query.hitsPerPage = 1
      $0.query.query = "t"
    }
    fixture.searcher.update(at: 7) { $0.query.hitsPerPage = 1 }
    fixture.searcher.setQuery("to")
    var responses = fixture.searcher.responses.makeAsyncIterator()
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    let response = try #require(await responses.next())
    try await expectEqual(response.page(of: Movie.self, at: 1).hits.count, 1)
    try await expectEqual(response.page(of: Actor.self, at: 0).hits.count, 2)
    expectEqual(fixture.transport.requests.count, 1)
    expectEqual(fixture.searcher.request.map(\.query.query), ["to", "to"])
  }

  @Test func anInvalidPositionDoesNothing() async throws {
    let fixture = try await Fixture(debounce: .seconds(1))
    for position in [-1, 2, .max] {
      fixture.searcher.update(at: position) { $0.query.hitsPerPage = 1 }
    }
    let response = try await fixture.searcher.search()
    expectEqual(response.generation, 1, "no search was scheduled before")
  }

  @Test func deallocatingTheSearcherEndsItsStreams() async throws {
    var searcher: MultiIndexSearcher? = try await Fixture().searcher
    weak let released = searcher
    let filters = FilterState()
    searcher?.connectFilterState(filters, withQueryAtIndex: 0)
    guard let responses = searcher?.responses, let pages = searcher?.pages(of: JSON.self, at: 0)
    else { return }
    searcher = nil
    #expect(released == nil)
    for await _ in responses { Issue.record("a response") }
    for await _ in pages { Issue.record("a page") }
  }
}
