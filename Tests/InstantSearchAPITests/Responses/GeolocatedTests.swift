import InstantSearchAPI
import TestSupport
import Testing

/// Record types with a location.
struct GeolocatedTests {
  private struct Shop: Decodable, Sendable, Geolocated {
    let shopName: String
    let geolocation: SingleOrList<Point>?

    enum CodingKeys: String, CodingKey {
      case shopName
      case geolocation = "_geoloc"
    }
  }

  private static let body = """
    {"hits":[
      {"objectID":"1","shopName":"one","_geoloc":{"lat":1,"lng":2}},
      {"objectID":"2","shopName":"two","_geoloc":[{"lat":3,"lng":4},{"lat":5,"lng":6}]},
      {"objectID":"3","shopName":"none"},
      {"objectID":"4","shopName":"null","_geoloc":null},
      {"objectID":"5","shopName":"empty","_geoloc":[]},
      {"objectID":"6","shopName":"wrong","_geoloc":{"lat":1,"lon":2}}
    ],"nbHits":6,"nbPages":1,"page":0,"hitsPerPage":20}
    """

  private func places(_ records: [some Geolocated]) -> [[Point]?] {
    records.map { $0.geolocation?.values }
  }

  private let expected: [[Point]?] = [
    [Point(latitude: 1, longitude: 2)],
    [Point(latitude: 3, longitude: 4), Point(latitude: 5, longitude: 6)],
    nil, nil, [], nil,
  ]

  private func page<Record>(_ type: Record.Type) throws -> HitsPage<Record> {
    try JSON(parsing: Self.body).decode(HitsPage<Record>.self)
  }

  @Test func hitAndJSONSkipInvalidPlaces() throws {
    try expectEqual(places(page(Hit<JSON>.self).hits), expected)
    try expectEqual(places(page(JSON.self).hits), expected)
    #expect(JSON.string("x").geolocation == nil)
  }

  @Test func customRecordTypeReadsItsPlaces() throws {
    let page = try page(Shop.self)
    expectEqual(places(page.hits), Array(expected.dropLast()))
    expectEqual(page.failures.map(\.objectID), ["6"], "the custom type stays strict")
    try expectEqual(places(self.page(Hit<Shop>.self).hits), Array(expected.dropLast()))
  }
}
