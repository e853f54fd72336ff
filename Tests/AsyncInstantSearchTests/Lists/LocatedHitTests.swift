import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct LocatedHitTests {
  private struct Place: Codable, Sendable, Hashable, Geolocated {
    let name: String
    let geolocation: SingleOrList<Point>?

    enum CodingKeys: String, CodingKey {
      case name
      case geolocation = "_geoloc"
    }
  }

  private static func point(_ number: Int) -> JSON {
    ["lat": .int(Int64(number)), "lng": .int(Int64(170 + number))]
  }

  /// Five pages of two: rows without a location, with one and with two alternately. Row 4 does not
  /// decode. The rows have the text of the query as their name.
  private static func answer(_ request: TransportRequest) throws -> TransportResponse {
    let body = try JSON(parsing: request.body)
    let page = body["page"]?.intValue ?? 0
    let hits = (2 * page..<2 * page + 2).map { row -> JSON in
      var hit: JSON = ["objectID": .string("\(row)"), "name": body["query"] ?? ""]
      switch row % 3 {
      case 1: hit["_geoloc"] = Self.point(row)
      case 2: hit["_geoloc"] = [Self.point(row), ["lat": 0, "lng": -175]]
      default: break
      }
      if row == 4 { hit["name"] = 7 }
      return hit
    }
    let answer: JSON = [
      "hits": .array(hits), "nbHits": 10, "nbPages": 5, "page": .int(Int64(page)),
      "hitsPerPage": 2, "query": body["query"] ?? "",
    ]
    return TransportResponse(status: 200, body: Array(answer.text.utf8))
  }

  private let transport = ScriptedTransport { request, _ in try answer(request) }

  private func searcher() -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "places",
      options: .init(clock: ManualClock()))
  }

  private func pins<Record>(_ located: [LocatedHit<Record>]) -> [[Int]] {
    located.map { [$0.row, $0.id.place, Int($0.point.latitude), Int($0.point.longitude)] }
  }

  @Test func pinsBelongToTheLoadedRows() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Hit<Place>>(
      infiniteScrolling: .off, pageCleanUpOffset: nil)
    #expect(interactor.locatedHits.isEmpty && interactor.boundingBox == nil)
    interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    let first = try #require(await interactor.state { $0.generation == 1 })
    expectEqual(pins(first.locatedHits), [[1, 0, 1, 171]])
    expectEqual(first.locatedHits.first?.record.name, "a")
    for _ in 1...4 { try await interactor.loadNext() }
    let expected = [
      [1, 0, 1, 171], [2, 0, 2, 172], [2, 1, 0, -175], [5, 0, 5, 175], [5, 1, 0, -175],
      [7, 0, 7, 177], [8, 0, 8, 178], [8, 1, 0, -175],
    ]
    expectEqual(pins(interactor.locatedHits), expected)
    expectEqual(Set(interactor.locatedHits.map(\.id)).count, expected.count)
    expectEqual(interactor.state.locatedHits, interactor.state.hits.locatedHits)
    for pin in interactor.locatedHits {
      expectEqual(interactor.state.hits[pin.row]?.objectID, pin.record.objectID)
    }
    let box = try #require(interactor.boundingBox)
    expectEqual([box.south, box.west, box.north, box.east], [0, 171, 8, -175])
    expectEqual(interactor.state.boundingBox, box)
    expectEqual(transport.requests.count, 5, "reading the pins presents no row")
  }

  @Test func anyLocatedRecordHasPins() async throws {
    let searcher = searcher()
    let bare = HitsInteractor<Place>(infiniteScrolling: .off)
    let raw = HitsInteractor<JSON>(infiniteScrolling: .off)
    bare.connectSearcher(searcher)
    raw.connectSearcher(searcher)
    searcher.update {
      $0.query.query = "a"
      $0.query.page = 2
    }
    // A page in the middle. Of row 4 only the JSON can be read.
    let places = try #require(await bare.state { $0.generation == 1 })
    expectEqual(pins(places.locatedHits), [[5, 0, 5, 175], [5, 1, 0, -175]])
    let json = try #require(await raw.state { $0.generation == 1 })
    expectEqual(pins(json.locatedHits), [[4, 0, 4, 174], [5, 0, 5, 175], [5, 1, 0, -175]])
  }

  @Test func hiddenRowsHaveNoPins() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Place>(showItemsOnEmptyQuery: false)
    interactor.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await interactor.state { $0.generation == 1 }
    #expect(!interactor.locatedHits.isEmpty)
    searcher.setQuery("")
    _ = await interactor.state { $0.generation == 2 && !$0.isLoading }
    #expect(interactor.locatedHits.isEmpty && interactor.boundingBox == nil)
  }

  /// Grouping gives pages more hits than their size, which moves the following rows.
  @Test func rowsFollowPagesWithMoreHitsThanTheirSize() {
    func page(_ number: Int, _ count: Int) -> HitsPage<JSON> {
      let hits = (0..<count).map { hit -> JSON in ["_geoloc": Self.point(3 * number + hit)] }
      return HitsPage(hits: hits, nbHits: 6, page: number, nbPages: 3, hitsPerPage: 2)
    }
    var map = PageMap(page(0, 3))
    map.insert(page(2, 3), number: 2)
    let rows = HitsRows(map)
    expectEqual(rows.locatedHits.map(\.row), [0, 1, 2, 5, 6, 7])
    for pin in rows.locatedHits { expectEqual(rows[pin.row], pin.record) }
  }

  // MARK: The view

  /// A map that records its calls, also those that must not occur.
  private final class Map: GeoHitsController {
    weak var hitsSource: HitsInteractor<Hit<Place>>?
    let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream() }

    func reload() {
      let pins = hitsSource?.locatedHits ?? []
      continuation.yield("\(pins.count) of \(pins.first?.record.name ?? "nothing")")
    }

    func scrollToTop() { continuation.yield("scroll") }
  }

  /// A map as in the article on live search.
  @MainActor private final class MapView {
    let center = Point(latitude: 45, longitude: 9)
    let latitudeDelta = 2.0
    let longitudeDelta = 4.0
    let pinCounts: AsyncStream<Int>.Continuation

    init(pinCounts: AsyncStream<Int>.Continuation) { self.pinCounts = pinCounts }

    func show(_ pins: [LocatedHit<Hit<Place>>]) { pinCounts.yield(pins.count) }
  }

  @MainActor @Test func aMapShowsPinsAndSearchesWhereItIsMoved() async throws {
    let searcher = searcher()
    let hits = HitsInteractor<Hit<Place>>()
    hits.connectSearcher(searcher)
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    let map = MapView(pinCounts: continuation)
    // snippet.pins
    hits.states.subscribe { @MainActor state in map.show(state.locatedHits) }
    // snippet.end
    try await searcher.search()
    for await count in counts where count > 0 { break }
    // snippet.moved
    let visible = BoundingBox(
      center: map.center, latitudeDelta: map.latitudeDelta, longitudeDelta: map.longitudeDelta)
    searcher.update { $0.query.insideBoundingBox = .box(visible) }
    // snippet.end
    expectEqual(searcher.request.query.insideBoundingBox, .box(visible))
  }

  @MainActor @Test func aMapIsReloadedAndNeverScrolled() async {
    let map = Map()
    let connector = HitsConnector(searcher: searcher(), controller: map)
    var events = map.events.makeAsyncIterator()
    connector.searcher.submit()
    await expectEqual(events.next(), "1 of ")
    for text in ["a", "b"] {
      connector.searcher.setQuery(text)
      await expectEqual(events.next(), "1 of \(text)")
    }
    connector.interactor.notifyDidPresentRow(atIndex: 1)
    // The pages around a row arrive one by one, in any order.
    while let event = await events.next() {
      #expect(event.hasSuffix("of b"))
      if event == "6 of b" { break }
    }
  }
}
