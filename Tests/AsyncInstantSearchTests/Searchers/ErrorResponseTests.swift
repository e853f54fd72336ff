import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Responses with status 200 that are errors, or have another number of results than there are
/// queries.
struct ErrorResponseTests {
  private struct Film: Codable, Sendable, Hashable { let title: String }

  private static let errors: [(String, SearchError.Code, Int?)] = [
    (#"{"message":"Index films does not exist","status":404}"#, .indexNotFound, 404),
    (#"{"message":"Invalid key","status":403}"#, .unauthorized, 403),
    (#"{"status":429}"#, .rateLimited, 429),
    (#"{"message":"no","status":400}"#, .invalidRequest, 400),
    (#"{"message":"down","status":503,"nbHits":0}"#, .server, 503),
    (#"{"message":"Something went wrong"}"#, .server, nil),
    (#"{"status":200}"#, .decoding, nil),
    ("{}", .decoding, nil),
    (#"{"title":"a","objectID":"1"}"#, .decoding, nil),
    (#"{"hits":null}"#, .decoding, nil),
  ]

  @Test(arguments: errors)
  func errorResponseOfASearchIsThrown(body: String, code: SearchError.Code, status: Int?)
    async throws
  {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.code, code)
    expectEqual(error?.status, status)
    expectEqual(error?.indexName, "films")
    expectEqual(error?.request, "POST /1/indexes/films/query")
    if let message = try JSON(parsing: body)["message"]?.stringValue {
      expectEqual(error?.message, message)
    }
  }

  @Test(arguments: errors)
  func errorResponseOfOneQueryFailsThatQuery(
    body: String, code: SearchError.Code, status: Int?
  ) async throws {
    let answer = #"{"results":[{"hits":[{"title":"a"}]},\#(body),{"hits":[]}]}"#
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: ScriptedTransport(json: answer)),
      indexNames: ["films", "people", "places"], options: .init(clock: ManualClock()))
    let response = try await searcher.search()
    try await expectEqual(response.page(of: Film.self, at: 0).hits, [Film(title: "a")])
    let error = #expect(throws: SearchError.self) { try response.response(at: 1) }
    expectEqual(error?.code, code)
    expectEqual(error?.status, status)
    expectEqual(error?.indexName, "people")
    #expect(try await response.page(of: Film.self, at: 2).hits.isEmpty)
    let same = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: ScriptedTransport(json: answer)).search(
        SearchRequest("films", of: Film.self), SearchRequest("people", of: JSON.self),
        SearchRequest("places", of: Film.self))
    }
    expectEqual(same?.code, code)
    expectEqual(same?.indexName, "people")
  }

  @Test(arguments: [
    (#"{"results":[{"hits":[]},{"hits":[]},{"hits":[]}]}"#, SearchError.Code.decoding),
    (#"{"results":[{"hits":[]}]}"#, .decoding), (#"{"results":[]}"#, .decoding),
    (#"{"results":[{"hits":[]},null]}"#, .decoding), (#"{"results":7}"#, .decoding),
    ("{}", .decoding), (#"{"message":"No such key","status":403}"#, .unauthorized),
    (#"{"message":"what"}"#, .server),
  ])
  func otherResultCountsAreErrors(body: String, code: SearchError.Code) async {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    let list = await #expect(throws: SearchError.self) {
      try await client.search([
        SearchRequest("films", of: Film.self), SearchRequest("people", of: Film.self),
      ])
    }
    let tuple = await #expect(throws: SearchError.self) {
      try await client.search(
        SearchRequest("films", of: Film.self), SearchRequest("people", of: JSON.self))
    }
    #expect(list?.code == code && tuple?.code == code)
  }

  @Test func searcherPublishesNoPageForSurplusResults() async throws {
    let transport = ScriptedTransport(
      json: #"{"results":[{"hits":[]},{"hits":[]},{"hits":[]}]}"#)
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: transport), indexNames: ["films", "people"],
      options: .init(clock: ManualClock()))
    let error = await #expect(throws: SearchError.self) { try await searcher.search() }
    expectEqual(error?.code, .decoding)
    #expect(error?.message.contains("3 results for 2 queries") == true)
  }

  @Test(arguments: [true, false])
  func responseWithoutHitsIsValidWhenNoneAreRequested(isAdditional: Bool) async throws {
    var query = SearchQuery()
    if isAdditional {
      query.additionalParameters["responseFields"] = ["nbHits"]
    } else {
      query.responseFields = ["nbHits"]
    }
    let request = SearchRequest("films", query, of: Film.self)
    // A message is a warning here: it is among the fields that a result may have.
    let body = #"{"nbHits":3,"message":"slow"}"#
    let page = try await SearchClient(transport: ScriptedTransport(json: body)).search(request)
    #expect(page.nbHits == 3 && page.hits.isEmpty)
    let pages = try await SearchClient(
      transport: ScriptedTransport(json: #"{"results":[\#(body)]}"#)
    ).search([request])
    expectEqual(pages.first?.nbHits, 3)
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: ScriptedTransport(json: #"{"status":404}"#)).search(request)
    }
    expectEqual(error?.status, 404)
    query.additionalParameters = [:]
    for fields in [["nbHits", "hits"], ["*"]] {
      query.responseFields = fields
      let wanted = SearchRequest("films", query, of: Film.self)
      await #expect(throws: SearchError.self) {
        try await SearchClient(transport: ScriptedTransport(json: body)).search(wanted)
      }
    }
  }

  /// The settings of the index can leave the hits out, which the query does not show.
  @Test(arguments: [
    #"{"nbHits":3}"#, #"{"nbHits":3,"message":"slow"}"#, #"{"facets":{"a":{"b":1}}}"#,
    #"{"processingTimeMS":1}"#, #"{"userData":[]}"#,
  ])
  func resultWithoutHitsIsValidIfTheSettingsLeaveThemOut(body: String) async throws {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    #expect(try await client.search("films", of: Film.self).hits.isEmpty)
    let searcher = HitsSearcher(
      client: client, indexName: "films", options: .init(clock: ManualClock()))
    let list = HitsInteractor<Film>()
    list.connectSearcher(searcher)
    try await searcher.search()
    #expect(list.hits.isEmpty && list.state.failure == nil)
  }

  @Test(arguments: [
    #"{}"#, #"{"message":"no"}"#, #"{"nbHits":3,"status":404}"#, #"{"objectID":"1"}"#,
    #"{"index":"films","message":"no"}"#,
  ])
  func resultOfAnotherKindIsAnError(body: String) async {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    await #expect(throws: SearchError.self) {
      try await client.search("films", SearchQuery(), of: Film.self)
    }
  }

  /// A sequence without hits would look like an empty index.
  @Test func sequencesRequireHits() async {
    let client = SearchClient(transport: ScriptedTransport(json: #"{"nbHits":3,"nbPages":1}"#))
    await #expect(throws: SearchError.self) {
      for try await _ in client.hits("films", of: Film.self) {}
    }
    await #expect(throws: SearchError.self) {
      for try await _ in client.browse("films", of: Film.self) {}
    }
    await #expect(throws: SearchError.self) {
      for try await _ in client.browsePages("films", of: Film.self) {}
    }
  }

  @Test func messageBesideHitsIsNotAnError() async throws {
    let body = #"{"hits":[{"title":"a"}],"message":"The facet \"genre\" is not declared."}"#
    let page = try await SearchClient(transport: ScriptedTransport(json: body))
      .search("films", of: Film.self)
    expectEqual(page.hits, [Film(title: "a")])
  }

  @Test func otherReadsThrowTheErrorToo() async {
    let body = #"{"message":"Index films does not exist","status":404}"#
    let client = SearchClient(transport: ScriptedTransport(json: body))
    let objects = await #expect(throws: SearchError.self) {
      try await client.getObjects(["1"], in: "films", of: Film.self)
    }
    let values = await #expect(throws: SearchError.self) {
      try await client.searchFacetValues(of: "genre", in: "films")
    }
    let browsed = await #expect(throws: SearchError.self) {
      for try await _ in client.browse("films", of: Film.self) {}
    }
    let recommended = await #expect(throws: SearchError.self) {
      try await client.recommendations(.trendingItems(in: "films", of: Film.self))
    }
    for error in [objects, values, browsed, recommended] {
      #expect(error?.code == .indexNotFound && error?.status == 404)
    }
  }
}
