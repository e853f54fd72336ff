import AsyncInstantSearch
import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

/// The product of the documented examples.
private struct Product: Codable, Sendable {
  var name = "productName"
  var brand = "Amazon"
  var categories = ["Streaming Media Players", "TV & Home Theater"]
}

struct RelatedItemsQueryTests {
  private static let patterns: [MatchingPattern<Product>] = [
    MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
    MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
  ]
  private static let hit = Hit(objectID: "1234", object: Product())
  private static let sent = """
    {"facetFilters":["objectID:-1234"],"optionalFilters":["brand:Amazon<score=1>",\
    ["categories:Streaming Media Players<score=2>","categories:TV & Home Theater<score=2>"]],\
    "sumOrFiltersScores":true}
    """

  /// A query as sent.
  private static func text(_ query: SearchQuery) -> String {
    var writer = JSONWriter()
    query.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func documentedProductGivesTheDocumentedParameters() throws {
    var query = SearchQuery()
    try query.setRelatedItems(to: Self.hit, matching: Self.patterns)
    expectEqual(Self.text(query), Self.sent)
  }

  @Test func clientAndSearcherSendTheParameters() async throws {
    let transport = ScriptedTransport { _, _ in page(of: ["x"]) }
    let client = SearchClient(transport: transport)
    let direct = try await client.relatedItems(
      to: Self.hit, matching: Self.patterns, in: "products", of: Echo.self)
    expectEqual(direct.hits.map(\.text), ["x"])
    let searcher = HitsSearcher(
      client: client, indexName: "products", options: .init(clock: ManualClock()))
    try searcher.setRelatedItems(to: Self.hit, matching: Self.patterns)
    try await searcher.settled()
    expectEqual(transport.requests.count, 2)
    for request in transport.requests {
      expectEqual(String(decoding: request.body, as: UTF8.self), Self.sent)
    }
  }

  @Test func connectingSetsTheParametersWithoutSearching() throws {
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { _, _ in page(of: []) }),
      indexName: "products")
    let hits = HitsInteractor<Hit<Product>>()
    try hits.connectSearcher(searcher, withRelatedItemsTo: Self.hit, with: Self.patterns)
    expectEqual(Self.text(searcher.request.query), Self.sent)
    expectEqual(searcher.newestGeneration, 0)
  }

  @Test func settingTheParametersIsOneChange() async throws {
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { _, _ in page(of: []) }),
      indexName: "products", query: SearchQuery("x").setting(\.page, to: 3),
      shouldSearch: { _ in false })
    var requests = searcher.requests(buffering: .newest(8)).makeAsyncIterator()
    let before = await requests.next()
    try searcher.setRelatedItems(to: Self.hit, matching: Self.patterns)
    searcher.removeRelatedItems()
    let related = await requests.next()
    expectEqual(related?.query.query, "x")
    #expect(related?.query.page == nil)
    expectEqual(related?.query.facetFilters, ["objectID:-1234"])
    let after = await requests.next()
    expectEqual(after?.query, before?.query.setting(\.page, to: nil))
  }

  @Test(
    arguments: [
      ("1234", "objectID:-1234"), ("-1", #"objectID:-\-1"#), ("a b:c", "objectID:-a b:c"),
      (#""q""#, #"objectID:-"q""#), ("x<score=3>", "objectID:-x<score=3><score=1>"),
      ("🧵", "objectID:-🧵"),
    ])
  func objectIDOfTheHitIsNotChanged(objectID: String, filter: String) throws {
    var query = SearchQuery()
    try query.setRelatedItems(to: Hit(objectID: objectID, object: Product()), matching: [])
    let expected = SearchQuery().with {
      $0.facetFilters = [.filter(filter)]
      $0.sumOrFiltersScores = true
    }
    expectEqual(query, expected)
  }

  @Test func objectIDThatListsCannotExpressIsExcludedByFilterText() throws {
    let hit = Hit(objectID: #"\-1"#, object: Product())
    var query = SearchQuery()
    try query.setRelatedItems(to: hit, matching: [])
    expectEqual(query.filters, #"NOT "objectID":"\\-1""#)
    query = SearchQuery()
    query.filters = "a:b OR a:c"
    try query.setRelatedItems(to: hit, matching: [])
    expectEqual(query.filters, #"a:b OR a:c AND NOT "objectID":"\\-1""#)
    query.removeRelatedItems()
    expectEqual(query, SearchQuery().with { $0.filters = "a:b OR a:c" })
  }

  // MARK: The user's own filters

  private static let own: [SearchQuery] = [
    SearchQuery(),
    SearchQuery("x").with {
      $0.filters = "price < 5"
      $0.facetFilters = [["a:1", "a:2"], "b:3"]
      $0.optionalFilters = ["c:4", ["d:5", "d:6"]]
      $0.sumOrFiltersScores = false
    },
    SearchQuery().with {
      $0.additionalParameters["optionalFilters"] = ["c:4"]
      $0.additionalParameters["facetFilters"] = "b:3"
    },
  ]

  @Test func filtersOfTheQueryAreKept() throws {
    var query = Self.own[1]
    try query.setRelatedItems(to: Self.hit, matching: Self.patterns)
    expectEqual(query.query, "x")
    expectEqual(query.filters, "price < 5")
    expectEqual(query.facetFilters, [["a:1", "a:2"], "b:3", "objectID:-1234"])
    expectEqual(
      query.optionalFilters,
      [
        "c:4", ["d:5", "d:6"], "brand:Amazon<score=1>",
        ["categories:Streaming Media Players<score=2>", "categories:TV & Home Theater<score=2>"],
      ])
    query = Self.own[2]
    try query.setRelatedItems(to: Self.hit, matching: [])
    expectEqual(query.facetFilters, ["b:3", "objectID:-1234"])
    #expect(query.additionalParameters["facetFilters"] == nil)
    expectEqual(query.optionalFilters, ["c:4"])
  }

  @Test(arguments: own[..<2])
  func relatedItemsCanBeReplacedAndRemoved(own: SearchQuery) throws {
    let other = Hit(objectID: "5", object: Product(brand: "Sony", categories: []))
    var direct = own
    try direct.setRelatedItems(to: other, matching: Self.patterns)
    var query = own
    try query.setRelatedItems(to: Self.hit, matching: Self.patterns)
    try query.setRelatedItems(to: Self.hit, matching: Self.patterns)
    query.hitsPerPage = 3
    try query.setRelatedItems(to: other, matching: Self.patterns)
    query.hitsPerPage = nil
    expectEqual(query, direct)
    query.removeRelatedItems()
    expectEqual(query, own)
    query.removeRelatedItems()
    expectEqual(query, own)
  }

  @Test func laterChangesOfTheUserAreKept() throws {
    var query = SearchQuery()
    try query.setRelatedItems(to: Self.hit, matching: Self.patterns)
    query.facetFilters = ["b:3"]
    query.optionalFilters = nil
    query.sumOrFiltersScores = false
    query.removeRelatedItems()
    expectEqual(query.facetFilters, ["b:3"])
    #expect(query.sumOrFiltersScores == false)
  }

  /// Of two equal elements the added one is removed. The user's own keeps its position.
  @Test func equalElementOfTheUserKeepsItsPosition() throws {
    let own = SearchQuery().with {
      $0.facetFilters = ["objectID:-1234", "b:3"]
      $0.optionalFilters = ["brand:Amazon<score=1>", "c:4"]
    }
    var query = own
    try query.setRelatedItems(to: Self.hit, matching: Self.patterns)
    query.removeRelatedItems()
    expectEqual(query, own)
  }
}
