@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import LocalSearch
import TestSupport
import Testing

// The documented examples of the callback library, translated. The parts between the marks are
// shown in the migration guide.

@Suite(.timeLimit(.minutes(30))) struct HitsExamples {
  // snippet.model
  struct CustomHitModel: Codable {
    let name: String
  }
  // snippet.end

  // snippet.movie
  struct Movie: Codable {
    let title: String
    let year: Int
  }

  // It reads {"title": "Titanic", "year": 1997}, whatever else the record has.
  // snippet.end

  /// A stand-in for a table on platforms without one.
  private final class CustomHitsTableViewController: HitsController {
    weak var hitsSource: HitsInteractor<CustomHitModel>?
    let reloads: AsyncStream<[String]>
    private let continuation: AsyncStream<[String]>.Continuation

    init() { (reloads, continuation) = AsyncStream.makeStream() }

    func reload() {
      continuation.yield(hitsSource?.currentHits.map(\.name) ?? [])
    }
  }

  private static func client() async throws -> SearchClient {
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings(searchableAttributes: ["name", "title"], attributesForFaceting: ["color"]),
      of: "index")
    try await engine.save(
      [
        ["objectID": "1", "name": "red lamp", "color": "red"],
        ["objectID": "2", "name": "blue lamp", "color": "blue"],
      ] as [JSON], in: "index")
    try await engine.save(
      [
        [
          "objectID": "t", "title": "Titanic", "year": 1997,
          "_geoloc": ["lat": 41.7, "lng": -49.9],
        ]
      ] as [JSON], in: "movies")
    return SearchClient(transport: engine)
  }

  @MainActor @Test func aConnector() async throws {
    let client = try await Self.client()
    // snippet.connector
    let filterState = FilterState()
    let hitsTableViewController = CustomHitsTableViewController()
    let hitsConnector = HitsConnector<CustomHitModel>(
      client: client, indexName: "index", filterState: filterState,
      controller: hitsTableViewController)

    hitsConnector.searcher.submit()
    // snippet.end
    var reloads = hitsTableViewController.reloads.makeAsyncIterator()
    await expectEqual(reloads.next(), ["red lamp", "blue lamp"])
    filterState.update { $0[and: "colors"].add("color" == "blue") }
    await expectEqual(reloads.next(), ["blue lamp"])
    hitsConnector.disconnect()
  }

  @MainActor @Test func theSignature() async throws {
    let client = try await Self.client()
    let filterState = FilterState()
    let controller = CustomHitsTableViewController()
    // snippet.signature
    let hitsConnector = HitsConnector<CustomHitModel>(
      client: client,
      indexName: "index",
      infiniteScrolling: .on(withOffset: 5),
      showItemsOnEmptyQuery: true,
      filterState: filterState,
      controller: controller)
    // snippet.end
    #expect(hitsConnector.filterState === filterState)
    #expect(controller.hitsSource === hitsConnector.interactor)
  }

  @MainActor @Test func theLowLevelAPI() async throws {
    let client = try await Self.client()
    // snippet.lowlevel
    let searcher = HitsSearcher(client: client, indexName: "index")

    let filterState = FilterState()
    let hitsInteractor = HitsInteractor<CustomHitModel>()
    let hitsTableViewController = CustomHitsTableViewController()

    hitsInteractor.connectSearcher(searcher)
    hitsInteractor.connectFilterState(filterState)
    hitsInteractor.connectController(hitsTableViewController)
    searcher.submit()
    // snippet.end
    var reloads = hitsTableViewController.reloads.makeAsyncIterator()
    await expectEqual(reloads.next(), ["red lamp", "blue lamp"])
    filterState.update { $0[and: "colors"].add("color" == "red") }
    await expectEqual(reloads.next(), ["red lamp"])
  }

  @Test func recordsWithAndWithoutMetadata() async throws {
    let client = try await Self.client()
    let searcher = HitsSearcher(client: client, indexName: "movies")
    let plain = Lock<HitsInteractor<Movie>?>(nil)
    do {
      // snippet.plain
      let hitsInteractor = HitsInteractor<Movie>()
      // snippet.end
      plain.withLock { $0 = hitsInteractor }
    }
    plain.withLock { $0 }?.connectSearcher(searcher)
    searcher.update { $0.query.query = "titanic" }
    var isThere = false
    defer { #expect(isThere, "the rows are there when the search returns") }
    // snippet.hit
    let hitsInteractor = HitsInteractor<Hit<Movie>>()
    hitsInteractor.connectSearcher(searcher)
    try await searcher.search()

    guard let movieHit: Hit<Movie> = hitsInteractor.hit(atIndex: 0) else { return }
    let movie: Movie = movieHit.object
    // snippet.end
    isThere = true
    expectEqual(movie.year, 1997)
    expectEqual(movieHit.title, "Titanic", "members of the record are members of the hit")
    // snippet.fields
    // The ID of the record
    let objectID: String = movieHit.objectID

    // Passages around the matches
    let snippetResult: TreeModel<SnippetResult>? = movieHit.snippetResult

    // Attributes with the matches marked
    let highlightResult: TreeModel<HighlightResult>? = movieHit.highlightResult

    // How the hit was ranked
    let rankingInfo: RankingInfo? = movieHit.rankingInfo

    // Where it is: one place or several
    let geolocation: SingleOrList<Point>? = movieHit.geolocation
    // snippet.end
    expectEqual(objectID, "t")
    #expect(snippetResult == nil && rankingInfo == nil, "only requested members")
    #expect(highlightResult?["title"]?.value?.value.isHighlighted == true)
    expectEqual(geolocation, .single(Point(latitude: 41.7, longitude: -49.9)))
  }

  @Test func rawHits() async throws {
    let client = try await Self.client()
    let searcher = HitsSearcher(client: client, indexName: "index")
    // snippet.raw
    let hitsInteractor = HitsInteractor<JSON>()
    hitsInteractor.connectSearcher(searcher)
    try await searcher.search()
    // snippet.end
    // snippet.rawhit
    let members: [String: JSON]? = hitsInteractor.rawHitAtIndex(0)
    let name = members?["name"]?.stringValue
    // snippet.end
    expectEqual(name, "red lamp")
  }

  @Test func errors() async throws {
    let searcher = HitsSearcher(client: try await Self.client(), indexName: "index")
    let (logged, continuation) = AsyncStream<[String?]>.makeStream()
    @Sendable func log(_ error: SearchError) {
      continuation.yield(error.failures.map(\.objectID))
    }
    let hitsInteractor = HitsInteractor<Movie>()
    // snippet.errors
    let logging = hitsInteractor.errors.subscribe { error in log(error) }
    // snippet.end
    hitsInteractor.connectSearcher(searcher)
    try await searcher.search()
    var logs = logged.makeAsyncIterator()
    await expectEqual(logs.next(), ["1", "2"])
    expectEqual(hitsInteractor.numberOfHits(), 2)
    logging.disconnect()
  }

  @Test func whatIsShownAfterAChange() async throws {
    let searcher = HitsSearcher(client: try await Self.client(), indexName: "movies")
    let hitsInteractor = HitsInteractor<Movie>()
    hitsInteractor.connectSearcher(searcher)
    // snippet.settled
    searcher.setQuery("titanic")
    let rows = try await hitsInteractor.settledState().hits
    withExtendedLifetime(searcher) {}
    // snippet.end
    expectEqual(rows.loaded.map(\.year), [1997])
  }

  @Test func changeAndSearchInOneStep() async throws {
    let searcher = HitsSearcher(client: try await Self.client(), indexName: "movies")
    // snippet.change
    let page = try await searcher.search(for: "titanic", of: Hit<Movie>.self)
    let first = try await searcher.search(of: Hit<Movie>.self) { $0.query.hitsPerPage = 1 }
    // snippet.end
    expectEqual(page.hits.map(\.year), [1997])
    expectEqual(first.hitsPerPage, 1)
  }
}
