@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Compares filters and the order of equally good places with a naive evaluation on every record.
struct PlacesOracleTests {
  private typealias Coordinates = (lat: Double, lng: Double)

  private static let tags: [String: [String]] = [
    "city": ["city"], "country": ["country"], "address": ["address"],
    "busStop": ["amenity/bus_station"], "townhall": ["amenity/townhall"],
    "trainStation": ["railway/station"],
    "airport": ["aeroway/aerodrome", "aeroway/terminal", "aeroway/gate"],
  ]

  /// Parameters, and a naive test whether a place matches them.
  private struct Question {
    var parameters: JSON = [:]
    var conditions: [(JSON) -> Bool] = []
    var center: Coordinates?
  }

  private static func coordinates(_ place: JSON) -> Coordinates {
    (place["_geoloc"]?["lat"]?.doubleValue ?? 0, place["_geoloc"]?["lng"]?.doubleValue ?? 0)
  }

  /// The distance by the dot product of vectors, a formula that the engine does not use.
  private static func meters(_ a: Coordinates, _ b: Coordinates) -> Double {
    func vector(_ point: Coordinates) -> [Double] {
      let (latitude, longitude) = (point.lat * .pi / 180, point.lng * .pi / 180)
      return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
    }
    let product = zip(vector(a), vector(b)).reduce(0) { $0 + $1.0 * $1.1 }
    return 6_371_008.8 * acos(min(1, max(-1, product)))
  }

  private static func question(_ generator: inout SeededGenerator) -> Question {
    var question = Question()
    if Bool.random(using: &generator) {
      let types = tags.keys.sorted().shuffled(using: &generator).prefix(
        Int.random(in: 1...3, using: &generator))
      question.parameters["type"] = .array(types.map(JSON.string))
      let wanted = Set(types.flatMap { tags[$0] ?? [] })
      question.conditions.append { place in
        place["_tags"]?.arrayValue?.contains { wanted.contains($0.stringValue ?? "") } == true
      }
    }
    if Bool.random(using: &generator) {
      let countries = ["fr", "de", "us", "gb", "zz"].shuffled(using: &generator).prefix(
        Int.random(in: 1...3, using: &generator))
      question.parameters["countries"] = .string(countries.joined(separator: ","))
      question.conditions.append { countries.contains($0["country_code"]?.stringValue ?? "") }
    }
    geo(&question, &generator)
    return question
  }

  private static func geo(_ question: inout Question, _ generator: inout SeededGenerator) {
    let center: Coordinates = (
      Double(Int.random(in: 300...560, using: &generator)) / 10,
      Double(Int.random(in: -100...160, using: &generator)) / 10
    )
    let point = JSON.string("\(center.lat),\(center.lng)")
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: break
    case 1:
      question.parameters["aroundLatLng"] = point
      question.center = center
    case 2:
      let radius = Int.random(in: 1...2_000_000, using: &generator)
      question.parameters["aroundLatLng"] = point
      question.parameters["aroundRadius"] = .int(Int64(radius))
      question.center = center
      question.conditions.append { meters(coordinates($0), center) <= Double(radius) }
    case 3:
      let (height, width) = (8.0, 12.0)
      question.parameters["insideBoundingBox"] = [
        [
          .double(center.lat), .double(center.lng), .double(center.lat + height),
          .double(center.lng + width),
        ]
      ]
      question.conditions.append { place in
        let (lat, lng) = coordinates(place)
        return (center.lat...center.lat + height).contains(lat)
          && (center.lng...center.lng + width).contains(lng)
      }
    default:
      // A right triangle, so that a naive test is one inequality.
      let side = 20.0
      question.parameters["insidePolygon"] = [
        [
          .double(center.lat), .double(center.lng), .double(center.lat + side), .double(center.lng),
          .double(center.lat), .double(center.lng + side),
        ]
      ]
      question.conditions.append { place in
        let (lat, lng) = coordinates(place)
        return lat >= center.lat && lng >= center.lng
          && (lat - center.lat) + (lng - center.lng) <= side
      }
    }
  }

  /// The IDs of the places in the order of the contract, by sorting all of them.
  private static func answer(_ question: Question, _ places: [JSON]) -> [String] {
    let nearest = question.center.flatMap { center in
      places.min { meters(coordinates($0), center) < meters(coordinates($1), center) }
    }
    func key(_ place: JSON) -> ([Double], String) {
      let popular = place["is_popular"] == true ? 0.0 : 1
      var numbers = [
        popular, place["importance"]?.doubleValue ?? .infinity,
        place["population"]?.doubleValue.map { -$0 } ?? .infinity,
      ]
      if let center = question.center {
        let isNear = meters(coordinates(place), center) < 10_000
        let isInCountry = place["country_code"] == nearest?["country_code"]
        numbers = [isNear ? 0 : 1, isInCountry ? 0 : 1] + numbers
      }
      return (numbers, place["objectID"]?.stringValue ?? "")
    }
    return
      places
      .filter { place in question.conditions.allSatisfy { $0(place) } }
      .map(key)
      .sorted {
        $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.lexicographicallyPrecedes($1.0)
      }
      .prefix(20).map(\.1)
  }

  @Test(arguments: Seed.all(8))
  func filtersAndOrderMatchANaiveSearch(seed: Seed) async throws {
    let fixture = try await PlacesFixture()
    let places = try PlacesFixture.records()
    var generator = SeededGenerator(seed: seed.value)
    var counts: Set<Int> = []
    for _ in 0..<60 {
      let question = Self.question(&generator)
      let expected = Self.answer(question, places)
      try await expectEqual(fixture.ids(question.parameters), expected, "\(question.parameters)")
      counts.insert(expected.count)
    }
    #expect(counts.count > 4, "the parameters vary")
  }

  @Test func reverseGeocodingSortsByDistance() async throws {
    let fixture = try await PlacesFixture()
    let places = try PlacesFixture.records()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<Thoroughness.count(5, thorough: 40) {
      let point: Coordinates = (
        Double(Int.random(in: -890...890, using: &generator)) / 10,
        Double(Int.random(in: -1800...1800, using: &generator)) / 10
      )
      let answer = try await fixture.call(
        .get, "reverse",
        queryItems: [
          QueryItem(name: "aroundLatLng", value: "\(point.lat),\(point.lng)"),
          QueryItem(name: "hitsPerPage", value: "5"),
        ])
      let distances = places.map { Self.meters(Self.coordinates($0), point) }.sorted()
      let found = (answer.body["hits"]?.arrayValue ?? []).map {
        Self.meters(Self.coordinates($0), point)
      }
      expectEqual(found.count, 5)
      // Distances within the same ten meters count as equal.
      for (found, expected) in zip(found, distances) { #expect(abs(found - expected) <= 10) }
    }
  }
}
