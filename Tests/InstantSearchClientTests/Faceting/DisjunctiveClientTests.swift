import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Awaited searches that count disjunctive facets as a searcher does.
struct DisjunctiveClientTests {
  private struct Phone: Codable, Sendable, Hashable {
    let brand: String
    let price: Int
  }

  private static let records: [JSON] = [
    ["objectID": "1", "brand": "Apple", "color": "red", "price": 100],
    ["objectID": "2", "brand": "Apple", "color": "blue", "price": 900],
    ["objectID": "3", "brand": "Sony", "color": "red", "price": 300],
    ["objectID": "4", "brand": "LG", "color": "green", "price": 400],
  ]

  private func transport() async throws -> ScriptedTransport {
    let engine = try await LocalSearch(
      indexName: "phones", records: Self.records,
      settings: IndexSettings(attributesForFaceting: ["brand", "color", "price"]))
    return ScriptedTransport { request, _ in try await engine.send(request) }
  }

  private static func filters(_ change: (inout FilterGroups) -> Void) -> FilterGroups {
    var groups = FilterGroups()
    change(&groups)
    return groups
  }

  private static let query = SearchQuery().with { $0.facets = ["brand", "color", "price"] }

  private static let apple = SearchRequest(
    "phones", query, of: Hit<Phone>.self,
    filterGroups: filters {
      $0[or: "brand"].add("brand" == "Apple", "brand" == "Nokia")
      $0[and: "price"].add("price" < 500)
    })

  @Test func oneRequestGivesATypedPageWithTheCountsOfTheSearcher() async throws {
    let transport = try await transport()
    let client = SearchClient(transport: transport)
    let page = try await client.search(Self.apple, disjunctive: true)
    expectEqual(transport.requests.map(\.path), ["/1/indexes/*/queries"])
    expectEqual(page.hits.map(\.object), [Phone(brand: "Apple", price: 100)])
    expectEqual(page.hits.first?.searchMetadata.position, 1)
    expectEqual(page.request, Self.apple)
    expectEqual(page.facets["brand"]?.counts, ["Apple": 1, "Sony": 1, "LG": 1, "Nokia": 0])
    expectEqual(page.facets["color"]?.counts, ["red": 1])
    #expect(page.facetStats["price"]?.min == 100 && page.facetStats["price"]?.max == 900)
  }

  @Test func filtersNarrowEveryFacetByDefault() async throws {
    let transport = try await transport()
    let page = try await SearchClient(transport: transport).search(Self.apple)
    expectEqual(page.facets["brand"]?.counts, ["Apple": 1])
    expectEqual(page.facetStats["price"]?.max, 100)
    expectEqual(transport.requests.map(\.path), ["/1/indexes/phones/query"])
  }

  @Test func requestWithoutDisjunctiveFiltersIsASingleQuery() async throws {
    let transport = try await transport()
    let request = SearchRequest("phones", Self.query, of: Phone.self)
    try await expectEqual(
      SearchClient(transport: transport).search(request, disjunctive: true).nbHits, 4)
    expectEqual(transport.requests.map(\.path), ["/1/indexes/phones/query"])
  }

  @Test func severalSearchesAreOneRequestWithSeparateCounts() async throws {
    let transport = try await transport()
    let client = SearchClient(transport: transport)
    let red = SearchRequest(
      "phones", Self.query, of: Phone.self,
      filterGroups: Self.filters { $0[or: "color"].add("color" == "red") })
    let all = SearchRequest("phones", Self.query, of: JSON.self)
    let (apples, reds, everything) = try await client.search(
      Self.apple, red, all, disjunctive: true)
    expectEqual(transport.requests.count, 1)
    expectEqual(apples.facets["brand"]?.counts, ["Apple": 1, "Sony": 1, "LG": 1, "Nokia": 0])
    expectEqual(apples.hits.map(\.objectID), ["1"])
    expectEqual(reds.facets["color"]?.counts, ["red": 2, "blue": 1, "green": 1])
    expectEqual(reds.facets["brand"]?.counts, ["Apple": 1, "Sony": 1])
    expectEqual(reds.hits.count, 2)
    #expect(everything.nbHits == 4 && everything.facets["color"]?.counts["red"] == 2)

    var parallel = client
    parallel.bytesToReadInParallel = 0
    for client in [client, parallel] {
      let pages = try await client.search(
        [Self.apple.reading(Phone.self), red], disjunctive: true)
      expectEqual(pages.map(\.nbHits), [1, 2])
      expectEqual(pages.first?.facets, apples.facets)
      expectEqual(pages.last?.facets, reds.facets)
    }
    expectEqual(transport.requests.count, 3)
  }

  @Test func strategyThatSkipsQueriesIsRejected() async throws {
    let transport = try await transport()
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: transport).search(
        [Self.apple], strategy: .stopIfEnoughMatches, disjunctive: true)
    }
    expectEqual(error?.code, .invalidRequest)
    #expect(transport.requests.isEmpty)
  }

  @Test func anErrorNamesTheSearchThatFailed() async throws {
    let transport = ScriptedTransport(
      json: #"{"results":[{"hits":[]},{"hits":[]},{"message":"no","status":400},{"hits":[]}]}"#)
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: transport).search(
        SearchRequest("films", of: JSON.self), Self.apple, disjunctive: true)
    }
    expectEqual(error?.indexName, "phones")
    #expect(error?.code == .invalidRequest && error?.message == "no")
  }

  @Test func aFurtherPageHasNeitherAnOffsetNorALength() {
    let query = SearchQuery("a").with {
      $0.offset = 3
      $0.additionalParameters = ["length": 2, "page": 1]
    }
    let plan = SearchPlan(SearchRequest("films", query, of: JSON.self)).onPage(4)
    expectEqual(plan.queries, [SearchQuery("a").with { $0.page = 4 }])
  }
}

extension SearchRequest {
  /// The same request with its hits read as another type.
  fileprivate func reading<Other>(_ type: Other.Type) -> SearchRequest<Other> {
    SearchRequest<Other>(indexName, query, filterGroups: filterGroups)
  }
}
