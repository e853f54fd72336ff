@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct RelatedItemsExamples {
  // snippet.product
  struct Product: Codable {
    let name: String
    let brand: String
    let type: String
    let categories: [String]
    let image: URL
  }

  let matchingPatterns: [MatchingPattern<Product>] =
    [
      MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
      MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
    ]
  // snippet.end

  private final class CustomHitsTableViewController: HitsController {
    weak var hitsSource: HitsInteractor<JSON>?
    let reloads: AsyncStream<[JSON?]>
    private let continuation: AsyncStream<[JSON?]>.Continuation

    init() { (reloads, continuation) = AsyncStream.makeStream() }

    func reload() {
      continuation.yield(hitsSource?.currentHits.map { $0["name"] } ?? [])
    }
  }

  private func hit() throws -> Hit<Product> {
    let image = try #require(URL(string: "https://example.com/stick.png"))
    // snippet.reference
    let product = Product(
      name: "productName", brand: "Amazon", type: "stick",
      categories: ["Streaming Media Players", "TV & Home Theater"], image: image)
    let hit: Hit<Product> = .init(objectID: "1234", object: product)
    // snippet.end
    return hit
  }

  @MainActor @Test func theSetup() async throws {
    let transport = ScriptedTransport(
      json: #"{"hits":[{"objectID":"9","name":"another"}],"nbHits":1,"nbPages":1}"#)
    let client = SearchClient(transport: transport)
    let hit = try hit()
    // snippet.setup
    let searcher = HitsSearcher(client: client, indexName: "products")
    let hitsInteractor = HitsInteractor<JSON>()
    let hitsTableViewController = CustomHitsTableViewController()

    try hitsInteractor.connectSearcher(
      searcher, withRelatedItemsTo: hit, with: matchingPatterns)
    hitsInteractor.connectController(hitsTableViewController)
    searcher.submit()
    // snippet.end
    var reloads = hitsTableViewController.reloads.makeAsyncIterator()
    await expectEqual(reloads.next(), ["another"])
    expectEqual(transport.requests.count, 1, "connecting does not search")
    let sent = try JSON(parsing: #require(transport.requests.first).body)
    let expected = try JSON(
      parsing: Array(
        #"""
        {
          "sumOrFiltersScores": true,
          "facetFilters": ["objectID:-1234"],
          "optionalFilters": [
            "brand:Amazon<score=1>",
            [
              "categories:Streaming Media Players<score=2>",
              "categories:TV & Home Theater<score=2>"
            ]
          ]
        }
        """#.utf8))
    expectEqual(sent, expected)
  }

  @Test func connectingAgainReplacesTheReference() throws {
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport(json: "{}")), indexName: "products")
    searcher.update { $0.query.facetFilters = .group([.filter("brand:Amazon")]) }
    let hitsInteractor = HitsInteractor<JSON>()
    let hit = try hit()
    let connection = try hitsInteractor.connectSearcher(
      searcher, withRelatedItemsTo: hit, with: matchingPatterns)
    let other = Hit(objectID: "77", object: hit.object)
    let again = try hitsInteractor.connectSearcher(
      searcher, withRelatedItemsTo: other, with: [])
    #expect(again === connection)
    expectEqual(
      searcher.request.query.facetFilters,
      .group([.filter("brand:Amazon"), .filter("objectID:-77")]))
    #expect(searcher.request.query.optionalFilters == nil)
    // A value that cannot be expressed changes nothing.
    let patterns = [
      MatchingPattern(attribute: "a:b", score: 1, filterPath: \Product.brand)
    ]
    #expect(throws: SearchError.self) {
      try HitsInteractor<JSON>().connectSearcher(
        searcher, withRelatedItemsTo: hit, with: patterns)
    }
    expectEqual(
      searcher.request.query.facetFilters,
      .group([.filter("brand:Amazon"), .filter("objectID:-77")]))
  }
}
