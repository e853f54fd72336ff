import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct BoundingBoxTests {
  private func point(_ latitude: Double, _ longitude: Double) -> Point {
    Point(latitude: latitude, longitude: longitude)
  }

  private func edges(_ box: BoundingBox?) -> [Double]? {
    box.map { [$0.south, $0.west, $0.north, $0.east] }
  }

  @Test func smallestBoxOfPoints() {
    let europe = [point(48.9, 2.4), point(52.5, 13.4), point(38.7, -9.1)]
    expectEqual(edges(BoundingBox(holding: europe)), [38.7, -9.1, 52.5, 13.4])
    expectEqual(edges(BoundingBox(holding: [point(1, 2)])), [1, 2, 1, 2])
    #expect(BoundingBox(holding: []) == nil)
    #expect(BoundingBox(holding: [point(.nan, 0), point(0, 181), point(-91, 0)]) == nil)
    expectEqual(edges(BoundingBox(holding: [point(91, 0), point(3, 4)])), [3, 4, 3, 4])
    // 180° to each side: the box that does not cross the 180th meridian.
    expectEqual(edges(BoundingBox(holding: [point(0, 0), point(0, 180)])), [0, 0, 0, 180])
    expectEqual(edges(BoundingBox(holding: [point(0, -90), point(0, 90)])), [0, -90, 0, 90])
  }

  @Test func smallestBoxCanCrossThe180thMeridian() throws {
    let fiji = [point(-17.8, 177.4), point(-16.8, -179.9), point(-18.1, 178.4)]
    let box = try #require(BoundingBox(holding: fiji))
    expectEqual(edges(box), [-18.1, 177.4, -16.8, -179.9])
    #expect(box.crossesAntimeridian)
    #expect(abs(box.longitudeDelta - 2.7) < 1e-9)
    #expect(abs(box.center.longitude - 178.75) < 1e-9)
    expectEqual(BoundingBox(south: 0, west: 170, north: 2, east: -160).center, point(1, -175))
    // Two equal meridians have no width.
    let line = try #require(BoundingBox(holding: [point(0, 180), point(1, -180)]))
    expectEqual(line.longitudeDelta, 0)
    #expect(line.contains(point(0.5, 180)) && line.contains(point(0.5, -180)))
    #expect(!line.contains(point(0.5, 0)))
    let west = BoundingBox(south: 0, west: 170, north: 1, east: 180)
    let east = BoundingBox(south: 0, west: -180, north: 1, east: -170)
    for longitude in [180.0, -180] {
      #expect(west.contains(point(0.5, longitude)) && east.contains(point(0.5, longitude)))
    }
  }

  /// The width of the smallest box that begins at one of the points.
  private func leastWidth(_ points: [Point]) -> Double? {
    points.map { start in
      points.map { point in
        let width = point.longitude - start.longitude
        return width < 0 ? width + 360 : width
      }.max() ?? 0
    }.min()
  }

  @Test(arguments: Seed.all(200))
  func boxIsTheSmallestThatContainsEachPoint(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    // Whole degrees from a small range, so that points coincide and lie on the 180th meridian.
    let points = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      point(
        Double(Int.random(in: -90...90, using: &random)),
        Double(Int.random(in: -18...18, using: &random) * 10))
    }
    let box = try #require(BoundingBox(holding: points))
    for point in points { #expect(box.contains(point), "\(point) in \(box)") }
    // -180 and 180 are the same meridian to the box, but different numbers to the oracle.
    let same = points.map { point($0.latitude, $0.longitude == 180 ? -180 : $0.longitude) }
    expectEqual(box.longitudeDelta, leastWidth(same))
  }

  @Test func edgesAreNormalized() {
    expectEqual(
      edges(BoundingBox(south: -100, west: 170, north: 95, east: 190)), [-90, 170, 90, -170])
    expectEqual(edges(BoundingBox(south: 0, west: -200, north: 1, east: -170)), [0, 160, 1, -170])
    expectEqual(edges(BoundingBox(south: 0, west: 530, north: 1, east: 540)), [0, 170, 1, -180])
    expectEqual(edges(BoundingBox(south: 0, west: -10, north: 1, east: 350)), [0, -180, 1, 180])
    #expect(
      BoundingBox(south: 0, west: -180, north: 1, east: 180).contains(point(0.5, 77)))
  }

  @Test func visibleRegionOfAMap() {
    let paris = point(48.75, 2.25)
    let box = BoundingBox(center: paris, latitudeDelta: 0.5, longitudeDelta: 1.5)
    expectEqual(edges(box), [48.5, 1.5, 49, 3])
    #expect(box.center == paris && box.latitudeDelta == 0.5 && box.longitudeDelta == 1.5)
    let pacific = BoundingBox(center: point(80, 179), latitudeDelta: 40, longitudeDelta: 4)
    expectEqual(edges(pacific), [60, 177, 90, -179])
    #expect(pacific.contains(point(90, -180)) && pacific.contains(point(60, 177)))
    #expect(!pacific.contains(point(59, 178)) && !pacific.contains(point(70, -178)))
    let earth = BoundingBox(center: paris, latitudeDelta: 180, longitudeDelta: 400)
    #expect(earth.longitudeDelta == 360 && earth.contains(point(80, -179)))
  }

  @Test func boxIsSentAsOneOrTwoRectangles() {
    var query = SearchQuery()
    query.insideBoundingBox = .box(BoundingBox(south: 1, west: 2, north: 3, east: 4))
    expectEqual(query.insideBoundingBox, [[1, 2, 3, 4]])
    query.insideBoundingBox = .box(BoundingBox(south: 1, west: 170, north: 3, east: -160))
    expectEqual(query.insideBoundingBox, [[1, 170, 3, 180], [1, -180, 3, -160]])
    let several = InsideBoundingBox([
      BoundingBox(south: 1, west: 2, north: 3, east: 4),
      BoundingBox(south: 5, west: 179, north: 6, east: -179),
    ])
    expectEqual(several, [[1, 2, 3, 4], [5, 179, 6, 180], [5, -180, 6, -179]])
  }

  @Test func searchInABoxFindsItsRecords() async throws {
    var random = SeededGenerator(seed: 7)
    let places = (0..<300).map { _ in
      point(Double.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
    }
    let engine = try await LocalSearch(
      indexName: "places",
      records: places.enumerated().map { number, place -> JSON in
        [
          "objectID": .string("\(number)"),
          "_geoloc": ["lat": .double(place.latitude), "lng": .double(place.longitude)],
        ]
      })
    let client = SearchClient(transport: engine)
    for center in [point(0, 0), point(10, 170), point(-80, -175), point(40, 100)] {
      let box = BoundingBox(center: center, latitudeDelta: 90, longitudeDelta: 60)
      let query = SearchQuery().with {
        $0.insideBoundingBox = .box(box)
        $0.hitsPerPage = 1000
      }
      let found = try await client.search("places", query, of: Hit<JSON>.self).hits
      let expected = places.indices.filter { box.contains(places[$0]) }
      expectEqual(Set(found.map(\.objectID)), Set(expected.map { "\($0)" }))
      #expect(!found.isEmpty)
    }
  }

  @Test func invalidBoxIsRejected() async throws {
    let engine = try await LocalSearch(indexName: "places", records: [JSON.object([:])])
    var query = SearchQuery()
    query.insideBoundingBox = .box(BoundingBox(south: .nan, west: 0, north: 1, east: .infinity))
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: engine).search("places", query, of: JSON.self)
    }
    expectEqual(error?.code, .invalidRequest)
  }

  @Test(arguments: Seed.all(200))
  func boxOf360DegreesContainsAllLongitudes(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    let middle = Double.random(in: -180...180, using: &random)
    let map = BoundingBox(center: point(0, middle), latitudeDelta: 2, longitudeDelta: 360)
    let edges = BoundingBox(south: -1, west: middle - 180, north: 1, east: middle + 180)
    for box in [map, edges] {
      #expect(box.longitudeDelta > 359)
      for longitude in stride(from: -180.0, through: 180, by: 30) {
        #expect(box.contains(point(0, longitude)), "\(longitude) in \(box)")
      }
    }
    let sliver = BoundingBox(center: point(0, middle), latitudeDelta: 2, longitudeDelta: 1e-9)
    #expect(sliver.longitudeDelta < 1e-8)
  }

  @Test func latitudesAreAcceptedInEitherOrder() {
    expectEqual(edges(BoundingBox(south: 10, west: 1, north: -5, east: 2)), [-5, 1, 10, 2])
    let map = BoundingBox(center: point(0, 0), latitudeDelta: -4, longitudeDelta: 2)
    expectEqual(edges(map), [-2, -1, 2, 1])
  }

  @Test(arguments: [
    BoundingBox(south: .nan, west: 0, north: 1, east: 1),
    BoundingBox(south: 0, west: .nan, north: 1, east: 1),
    BoundingBox(south: 0, west: 0, north: .nan, east: 1),
    BoundingBox(south: 0, west: 0, north: 1, east: .nan),
    BoundingBox(south: -.infinity, west: 0, north: 1, east: 1),
    BoundingBox(south: 0, west: 0, north: .infinity, east: 1),
    BoundingBox(south: 0, west: -.infinity, north: 1, east: 1),
    BoundingBox(south: 0, west: 0, north: 1, east: .infinity),
    BoundingBox(
      center: Point(latitude: 0, longitude: 0), latitudeDelta: 1, longitudeDelta: .infinity),
  ])
  func boxWithANonFiniteEdgeIsEmptyAndRejected(box: BoundingBox) async throws {
    #expect(!box.contains(point(0.5, 0.5)))
    let engine = try await LocalSearch(indexName: "places", records: [JSON.object([:])])
    let query = SearchQuery().with { $0.insideBoundingBox = .box(box) }
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: engine).search("places", query, of: JSON.self)
    }
    expectEqual(error?.code, .invalidRequest)
  }
}
