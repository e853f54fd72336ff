import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Every page has the origin of its response, which is not part of the response.
struct ResponseOriginTests {
  private let origin = ResponseOrigin(name: "replica", isCached: true)

  private var client: SearchClient {
    SearchClient(
      transport: ScriptedTransport { [origin] request, _ in
        var response = try rowsOfEach(request)
        response.origin = origin
        return response
      })
  }

  @Test func pagesOfTheClientHaveAnOrigin() async throws {
    let one = try await client.search("index", of: Row.self)
    expectEqual(one.origin, origin)
    let (first, second) = try await client.search(
      SearchRequest("a", of: Row.self), SearchRequest("b", of: JSON.self))
    #expect(first.origin == origin && second.origin == origin)
    for try await page in client.pages("index", of: Row.self) {
      expectEqual(page.origin, origin)
    }
  }

  @Test func pagesOfSearchersHaveAnOrigin() async throws {
    let hits = HitsSearcher(
      client: client, indexName: "index", options: .init(clock: ManualClock()))
    let page = try await hits.search().page(of: Row.self)
    expectEqual(page.origin, origin)
    try await expectEqual(hits.page(1, of: hits.search()).page(of: Row.self).origin, origin)

    let multiIndex = MultiIndexSearcher(
      client: client, indexNames: ["a", "b"], options: .init(clock: ManualClock()))
    let response = try await multiIndex.search()
    try await expectEqual(response.page(of: Row.self, at: 1).origin, origin)

    let multi = MultiSearcher(client: client, options: .init(clock: ManualClock()))
    multi.addSearcher(hits)
    var pages = hits.pages(of: Row.self, buffering: .unbounded).makeAsyncIterator()
    let before = await pages.next()?.generation ?? 0
    try await multi.search()
    let joined = try #require(await pages.next())
    #expect(joined.generation > before && joined.origin == origin)
  }

  @Test func originIsNotPartOfEqualityOrJSON() async throws {
    let plain = try await SearchClient(
      transport: ScriptedTransport { request, _ in try rows(request) }
    ).search("index", of: Row.self)
    let withOrigin = try await client.search("index", of: Row.self)
    #expect(
      plain.origin == nil && plain != withOrigin, "equal pages have equal origins")
    try expectEqual(ModelCoder.own.encode(plain), ModelCoder.own.encode(withOrigin))
    expectEqual(
      TransportResponse(status: 200, body: [], origin: .primary),
      TransportResponse(status: 200, body: []))
  }

  @Test func originHasADescription() {
    expectEqual(ResponseOrigin.primary.description, "primary")
    expectEqual(origin.description, "replica, cached")
    expectEqual(ResponseOrigin.fallback.description, "fallback")
    expectEqual(
      ResponseOrigin(name: "disk", isCached: true, isFallback: true).description,
      "disk, fallback, cached")
    expectEqual(ResponseOrigin(name: "", isFallback: true).description, "fallback")
    expectEqual(ResponseOrigin(name: "", isCached: true).description, "cached")
  }
}
