import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

@Suite struct SearchClientTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  private struct Person: Codable, Sendable, Hashable {
    let name: String
  }

  @Test func searchIsOneCallWithTheQueryAsBody() async throws {
    let transport = ScriptedTransport(json: #"{"hits":[]}"#)
    let client = SearchClient(transport: transport)
    _ = try await client.search(
      "my films/1", SearchQuery("tom").setting(\.hitsPerPage, to: 5), of: Film.self,
      options: RequestOptions(
        headers: [HTTPHeader(name: "X-Algolia-User-ID", value: "7")],
        queryItems: [QueryItem(name: "a b", value: "c&d")]))
    let request = try #require(transport.requests.first)
    expectEqual(request.method, .post)
    expectEqual(request.callType, .read)
    expectEqual(request.path, "/1/indexes/my%20films%2F1/query")
    expectEqual(request.queryString, "a%20b=c%26d")
    expectEqual(request.headers.firstValue(named: "x-algolia-user-id"), "7")
    try expectEqual(JSON(parsing: request.body), ["query": "tom", "hitsPerPage": 5])
    #expect(request.deadline == nil)
  }

  @Test func onlySetParametersAreSent() async throws {
    let transport = ScriptedTransport(json: #"{"hits":[]}"#)
    _ = try await SearchClient(transport: transport).search("films", of: Film.self)
    try expectEqual(JSON(parsing: #require(transport.requests.first).body), [:])
  }

  @Test func timeoutBecomesADeadlineOnTheClock() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport(json: #"{"hits":[]}"#)
    _ = try await SearchClient(transport: transport, clock: clock)
      .search("films", of: Film.self, options: RequestOptions(timeout: .seconds(2)))
    let deadline = try #require(transport.requests.first?.deadline)
    expectEqual(deadline.remaining, .seconds(2))
    clock.advance(by: .seconds(3))
    #expect(deadline.hasPassed)
  }

  @Test func severalTypesAreOneRequestAndATypedTuple() async throws {
    let transport = ScriptedTransport(
      json: """
        {"results":[{"hits":[{"objectID":"f","title":"Ran"}],"nbHits":1},
        {"hits":[{"objectID":"p","name":"Tatsuya Nakadai"}],"nbHits":1}]}
        """)
    let (films, people) = try await SearchClient(transport: transport).search(
      SearchRequest("films", SearchQuery("ran"), of: Hit<Film>.self),
      SearchRequest("people", SearchQuery("nakadai"), of: Person.self))
    expectEqual(films.hits.map(\.object.title), ["Ran"])
    expectEqual(people.hits, [Person(name: "Tatsuya Nakadai")])
    expectEqual(transport.requests.count, 1)
    try expectEqual(
      JSON(parsing: #require(transport.requests.first).body),
      [
        "requests": [
          ["indexName": "films", "query": "ran"], ["indexName": "people", "query": "nakadai"],
        ]
      ])
    expectEqual(transport.requests.first?.path, "/1/indexes/*/queries")
  }

  @Test func severalQueriesOfOneTypeAreAnArrayInOrder() async throws {
    let transport = ScriptedTransport(
      json: #"{"results":[{"hits":[{"title":"a"}]},{"hits":[]},{"hits":[{"title":"c"}]}]}"#)
    let pages = try await SearchClient(transport: transport).search(
      ["a", "b", "c"].map { SearchRequest("films", SearchQuery($0), of: Film.self) },
      strategy: .stopIfEnoughMatches)
    expectEqual(pages.map { $0.hits.map(\.title) }, [["a"], [], ["c"]])
    expectEqual(pages.map { $0.request?.query.query }, ["a", "b", "c"])
    let body = try JSON(parsing: #require(transport.requests.first).body)
    expectEqual(body["strategy"], "stopIfEnoughMatches")
  }

  @Test func missingResultIsAnError() async {
    let client = SearchClient(transport: ScriptedTransport(json: #"{"results":[{"hits":[]}]}"#))
    let error = await #expect(throws: SearchError.self) {
      try await client.search(
        ["a", "b"].map { SearchRequest("films", SearchQuery($0), of: Film.self) })
    }
    expectEqual(error?.code, .decoding)
  }

  @Test func facetValuesAreSearchedWithTheirContext() async throws {
    let transport = ScriptedTransport(
      json: """
        {"facetHits":[{"value":"Italy","highlighted":"<em>It</em>aly","count":42}],
        "exhaustiveFacetsCount":true}
        """)
    let page = try await SearchClient(transport: transport).searchFacetValues(
      of: "country", matching: "it", in: "films",
      context: SearchQuery().setting(\.filters, to: "year > 1980"), maxFacetHits: 3)
    expectEqual(page.facetHits.map(\.value), ["Italy"])
    expectEqual(page.facetHits.map(\.count), [42])
    let request = try #require(transport.requests.first)
    expectEqual(request.path, "/1/indexes/films/facets/country/query")
    try expectEqual(
      JSON(parsing: request.body),
      [
        "facetQuery": "it", "maxFacetHits": 3, "params": "filters=year+%3E+1980",
      ])
  }

  @Test func objectsComeInOrderWithNilForMissingOnes() async throws {
    let transport = ScriptedTransport(
      json: #"{"results":[{"objectID":"1","title":"Ran"},null]}"#)
    let films = try await SearchClient(transport: transport)
      .getObjects(["1", "2"], in: "films", of: Film.self, attributesToRetrieve: ["title"])
    expectEqual(films, [Film(title: "Ran"), nil])
  }

  @Test func undecodableObjectIsNamed() async {
    let transport = ScriptedTransport(
      json: #"{"results":[{"objectID":"1","title":"Ran"},{"objectID":"2","title":false}]}"#)
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: transport)
        .getObjects(["1", "2"], in: "films", of: Film.self)
    }
    expectEqual(error?.failures.map(\.objectID), ["2"])
    expectEqual(error?.failures.map(\.codingPath), [["title"]])
  }

  @Test func withoutRequestsNothingIsSent() async throws {
    let transport = ScriptedTransport(json: #"{"results":[]}"#)
    let client = SearchClient(transport: transport)
    let none: () = try await client.search()
    #expect(none == ())
    #expect(try await client.search([SearchRequest<Film>]()).isEmpty)
    #expect(transport.requests.isEmpty)
  }
}
