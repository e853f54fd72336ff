import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Recommendations: requests, responses and rejected calls.
struct RecommendTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  private struct Person: Codable, Sendable, Hashable {
    let name: String
  }

  private typealias Request = RecommendRequest<Film>

  /// The body of the only call.
  private func body(
    _ json: String = #"{"results":[{"hits":[]}]}"#,
    _ call: (SearchClient) async throws -> Void
  ) async throws -> String {
    let transport = ScriptedTransport(json: json)
    try await call(SearchClient(transport: transport))
    let request = try #require(transport.requests.first)
    expectEqual(transport.requests.count, 1)
    expectEqual(request.path, "/1/indexes/*/recommendations")
    #expect(request.method == .post && request.callType == .read)
    return String(decoding: request.body, as: UTF8.self)
  }

  // MARK: Requests

  @Test func eachModelIsWrittenWithItsMembers() async throws {
    let cases: [(Request, String)] = [
      (
        .relatedProducts(to: "1", in: "films"),
        #""model":"related-products","objectID":"1","threshold":0"#
      ),
      (
        .boughtTogether(with: "1", in: "films", threshold: 42.5),
        #""model":"bought-together","objectID":"1","threshold":42.5"#
      ),
      (
        .lookingSimilar(to: "1", in: "films", threshold: 100, maxRecommendations: 30),
        #""model":"looking-similar","objectID":"1","threshold":100,"maxRecommendations":30"#
      ),
      (.trendingItems(in: "films"), #""model":"trending-items","threshold":0"#),
      (
        .trendingItems(in: "films", facet: (name: "genre", value: "Drama"), maxRecommendations: 1),
        #""model":"trending-items","facetName":"genre","facetValue":"Drama","threshold":0,"#
          + #""maxRecommendations":1"#
      ),
    ]
    for (request, members) in cases {
      let text = try await body { _ = try await $0.recommendations(request) }
      expectEqual(text, #"{"requests":[{"indexName":"films",\#(members)}]}"#)
    }
    let text = try await body {
      _ = try await $0.trendingFacets(TrendingFacetsRequest("genre", in: "films", threshold: 5))
    }
    expectEqual(
      text,
      #"{"requests":[{"indexName":"films","model":"trending-facets","facetName":"genre","threshold":5}]}"#
    )
  }

  @Test func parametersAreWrittenAsObjects() async throws {
    let request = Request.relatedProducts(
      to: "1", in: "films", queryParameters: SearchQuery().setting(\.filters, to: "year > 1990"),
      fallbackParameters: SearchQuery().setting(\.facetFilters, to: "genre:Drama"))
    let text = try await body { _ = try await $0.recommendations(request) }
    #expect(text.contains(#""queryParameters":{"filters":"year > 1990"}"#))
    #expect(text.contains(#""fallbackParameters":{"facetFilters":"genre:Drama"}"#))
  }

  // MARK: Responses

  @Test func hitsComeWithTheirScores() async throws {
    let transport = ScriptedTransport(
      json: """
        {"results":[{"hits":[{"objectID":"7","title":"Heat","_score":87.5},{"objectID":"8"}],
        "nbHits":2,"page":0,"nbPages":1,"hitsPerPage":2,"exhaustive":{"nbHits":true}}]}
        """)
    let page = try await SearchClient(transport: transport)
      .recommendations(.relatedProducts(to: "1", in: "films", of: Film.self))
    expectEqual(page.hits.map(\.objectID), ["7"])
    expectEqual(page.hits.first?.searchMetadata.score, 87.5)
    expectEqual(page.hits.first?.title, "Heat")
    expectEqual(page.failures.map(\.objectID), ["8"])
    expectEqual(page.nbHits, 2)
    #expect(page.request == nil)
  }

  @Test func requestsOfOneTypeReturnPagesInOrder() async throws {
    let json = """
      {"results":[{"hits":[{"objectID":"1","title":"a"}]},{"hits":[{"objectID":"2","title":"b"}]}]}
      """
    let requests = [Request.trendingItems(in: "films"), .boughtTogether(with: "1", in: "films")]
    let pages = Lock<[HitsPage<Hit<Film>>]>([])
    let text = try await body(json) { client in
      let answer = try await client.recommendations(requests)
      pages.withLock { $0 = answer }
    }
    expectEqual(pages.withLock { $0.map { $0.hits.map(\.title) } }, [["a"], ["b"]])
    #expect(pages.withLock { $0.allSatisfy { $0.request == nil } })
    #expect(text.contains("trending-items") && text.contains("bought-together"))
  }

  @Test func requestsOfSeveralTypesReturnATuple() async throws {
    let transport = ScriptedTransport(
      json: """
        {"results":[{"hits":[{"objectID":"1","title":"a"}]},{"hits":[{"objectID":"2","name":"b"}]}]}
        """)
    let (films, people) = try await SearchClient(transport: transport).recommendations(
      .relatedProducts(to: "1", in: "films", of: Film.self),
      .trendingItems(in: "people", of: Person.self))
    expectEqual(films.hits.map(\.title), ["a"])
    expectEqual(people.hits.map(\.name), ["b"])
    expectEqual(transport.requests.count, 1)
  }

  @Test func noRequestsSendNothing() async throws {
    let transport = ScriptedTransport(json: "{}")
    let pages = try await SearchClient(transport: transport).recommendations([Request]())
    #expect(pages.isEmpty && transport.requests.isEmpty)
  }

  @Test func trendingFacetsAreAList() async throws {
    let transport = ScriptedTransport(
      json: """
        {"results":[{"hits":[{"facetName":"genre","facetValue":"Drama","_score":12.25},
        {"facetName":"genre","facetValue":"War"}]}]}
        """)
    let values = try await SearchClient(transport: transport)
      .trendingFacets(TrendingFacetsRequest("genre", in: "films"))
    expectEqual(
      values,
      [
        TrendingFacetValue(facetName: "genre", facetValue: "Drama", score: 12.25),
        TrendingFacetValue(facetName: "genre", facetValue: "War"),
      ])
  }

  // MARK: Errors

  @Test(arguments: [
    "{}", #"{"results":[]}"#, #"{"results":[null]}"#, #"{"results":[{"hits":1}]}"#,
    #"{"results":[{"hits":[]}]}"#,
  ])
  func aMissingResultIsADecodingError(json: String) async {
    let client = SearchClient(transport: ScriptedTransport(json: json))
    let error = await #expect(throws: SearchError.self) {
      try await client.recommendations([
        Request.trendingItems(in: "films"), .trendingItems(in: "films"),
      ])
    }
    expectEqual(error?.code, .decoding)
    expectEqual(error?.request, "POST /1/indexes/*/recommendations")
  }

  @Test(arguments: [
    "{}", #"{"results":[{}]}"#, #"{"results":[{"hits":[{}]}]}"#,
    #"{"results":[{"hits":[{"facetName":"a","facetValue":7}]}]}"#,
  ])
  func trendingFacetsOfAnotherShapeAreADecodingError(json: String) async {
    let client = SearchClient(transport: ScriptedTransport(json: json))
    let error = await #expect(throws: SearchError.self) {
      try await client.trendingFacets(TrendingFacetsRequest("genre", in: "films"))
    }
    expectEqual(error?.code, .decoding)
  }

  @Test func requestsAgainstTheContractAreRejectedBeforeSending() async {
    let transport = ScriptedTransport(json: #"{"results":[{"hits":[]}]}"#)
    let client = SearchClient(transport: transport)
    func message(_ request: Request) async -> String {
      let error = await #expect(throws: SearchError.self) {
        try await client.recommendations(request)
      }
      expectEqual(error?.code, .invalidRequest)
      return error?.message ?? ""
    }
    #expect(await message(.trendingItems(in: "")).contains("index"))
    #expect(await message(.relatedProducts(to: "", in: "films")).contains("objectID"))
    #expect(
      await message(.trendingItems(in: "films", facet: (name: "a", value: "")))
        .contains("facetValue"))
    for threshold in [-0.1, 100.1, .nan, .infinity] {
      #expect(
        await message(.trendingItems(in: "films", threshold: threshold)).contains("threshold"))
    }
    for count in [0, 31, .min, .max] {
      #expect(
        await message(.trendingItems(in: "films", maxRecommendations: count))
          .contains("maxRecommendations"))
    }
    let error = await #expect(throws: SearchError.self) {
      try await client.trendingFacets(TrendingFacetsRequest("", in: "films"))
    }
    #expect(error?.message.contains("facetName") == true)
    #expect(transport.requests.isEmpty)
  }

  @Test func unsupportedParametersAreNamed() async {
    let transport = ScriptedTransport(json: #"{"results":[{"hits":[]}]}"#)
    let client = SearchClient(transport: transport)
    let refused = [
      "page", "hitsPerPage", "offset", "length", "ranking", "enableABTest", "mode",
      "semanticSearch", "facetFilters",
    ]
    for name in refused {
      let query = SearchQuery().with { $0.additionalParameters[name] = 1 }
      let error = await #expect(throws: SearchError.self) {
        try await client.recommendations(Request.trendingItems(in: "f", queryParameters: query))
      }
      #expect(error?.message.contains("\(name) in its queryParameters") == true)
      if name == "facetFilters" { continue }
      let fallback = await #expect(throws: SearchError.self) {
        try await client.recommendations(Request.trendingItems(in: "f", fallbackParameters: query))
      }
      #expect(fallback?.message.contains("\(name) in its fallbackParameters") == true)
    }
    let error = await #expect(throws: SearchError.self) {
      try await client.recommendations(
        Request.trendingItems(
          in: "f", queryParameters: SearchQuery().setting(\.page, to: 1).setting(\.length, to: 2)))
    }
    #expect(error?.message.contains("length, page") == true)
    #expect(transport.requests.isEmpty)
  }

  @Test func errorOfTheServiceIsThrown() async {
    let client = SearchClient(
      transport: ScriptedTransport(json: #"{"message":"Model not trained"}"#, status: 404))
    let error = await #expect(throws: SearchError.self) {
      try await client.recommendations(Request.trendingItems(in: "films"))
    }
    expectEqual(error?.status, 404)
    expectEqual(error?.message, "Model not trained")
  }

  @Test func embeddedEngineRejectsTheCall() async {
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: LocalSearch())
        .recommendations(Request.trendingItems(in: "films"))
    }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(error?.status, 402)
    #expect(error?.message.contains("does not answer") == true)
  }
}
