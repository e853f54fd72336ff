import InstantSearchAPI
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct GeoTests {
  private static func records(seed: UInt64, _ count: Int) -> [JSON] {
    var generator = SeededGenerator(seed: seed)
    func point() -> JSON {
      [
        "lat": .double(Double(Int.random(in: -900...900, using: &generator)) / 10),
        "lng": .double(Double(Int.random(in: -1800...1800, using: &generator)) / 10),
      ]
    }
    return (0..<count).map { number in
      var record: JSON = ["objectID": .string(String(number))]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: break
      case 1: record["_geoloc"] = .array([point(), point()])
      default: record["_geoloc"] = point()
      }
      return record
    }
  }

  @Test(arguments: Seed.all(6))
  func aRadiusKeepsTheRecordsWithin(seed: Seed) async throws {
    let records = Self.records(seed: seed.value, 400)
    let fixture = try await EngineFixture(records)
    let centers = [(48.9, 2.3), (0.0, 179.9), (89.5, 10.0), (-89.9, -60.0), (0.0, 0.0)]
    for (latitude, longitude) in centers {
      for radius in [50_000, 1_000_000, 9_000_000, 30_000_000] {
        let expected = records.filter { record in
          GeoOracle.points(record).contains {
            GeoOracle.meters($0, (latitude, longitude)) <= Double(radius)
          }
        }
        let ids = try await fixture.ids([
          "aroundLatLng": .string("\(latitude), \(longitude)"), "aroundRadius": .int(Int64(radius)),
        ])
        expectEqual(
          ids.sorted(), expected.map(\.id).sorted(),
          "seed \(seed.value): \(radius) m around \(latitude), \(longitude)")
      }
    }
  }

  @Test(arguments: Seed.all(4))
  func nearerRecordsComeFirst(seed: Seed) async throws {
    let records = Self.records(seed: seed.value, 300)
    let fixture = try await EngineFixture(records)
    let ids = try await fixture.ids(["aroundLatLng": "48.9,2.3", "aroundRadius": "all"])
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    let distances = ids.compactMap { id in
      byID[id].flatMap { GeoOracle.points($0).map { GeoOracle.meters($0, (48.9, 2.3)) }.min() }
    }
    expectEqual(distances.count, ids.count)
    expectEqual(ids.count, records.filter { !GeoOracle.points($0).isEmpty }.count)
    for (left, right) in zip(distances, distances.dropFirst()) { #expect(left < right + 10) }
  }

  /// The first hits are looked for near the point, whatever the size of its buckets.
  @Test(arguments: Seed.all(12, quick: 4))
  func theNearestRecordsAreTheFirstOfAll(seed: Seed) async throws {
    let records = Self.records(seed: seed.value, 700).enumerated().map { number, record in
      var record = record
      record["rank"] = .int(Int64(number * 7 % 11))
      record["kind"] = .string(number % 3 == 0 ? "rare" : "frequent")
      return record
    }
    let fixture = try await EngineFixture(
      records, settings: IndexSettings { $0.customRanking = ["asc(rank)"] })
    let precisions: [JSON] = [
      10, 50_000, 3_000_000, .int(.max),
      [["from": 0, "value": 1000], ["from": 500_000, "value": 700_000]],
    ]
    for (number, center) in ["48.9,2.3", "-89,10", "0,179.9", "12.5,-60"].enumerated() {
      for precision in precisions {
        var query: JSON = [
          "aroundLatLng": .string(center), "aroundRadius": "all", "aroundPrecision": precision,
          "query": .string(["", "frequent", "rare"][number % 3]), "hitsPerPage": 1000,
        ]
        let all = try await fixture.ids(query)
        for count in [1, 5, 20] {
          query["hitsPerPage"] = .int(Int64(count))
          let ids = try await fixture.ids(query)
          expectEqual(ids, Array(all.prefix(count)), "seed \(seed.value): \(query)")
        }
      }
    }
  }

  /// Records far from the point, behind many others that do not match, are not looked for in
  /// growing circles.
  @Test func distantRecordsAreRankedWithoutLookingAtTheNearOnes() async throws {
    let near = (0..<3000).map { number in
      ["objectID": .string("near \(number)"), "_geoloc": ["lat": 48.9, "lng": 2.3]] as JSON
    }
    let far = (0..<400).map { number in
      [
        "objectID": .string("\(number)"), "country": "AU",
        "_geoloc": ["lat": .double(-33.9 - Double(number) / 1000), "lng": 151],
      ] as JSON
    }
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 64
    let fixture = try await EngineFixture(
      near + far, settings: IndexSettings { $0.attributesForFaceting = ["country"] },
      configuration: configuration)
    let query: JSON = [
      "aroundLatLng": "48.9,2.3", "aroundRadius": "all", "filters": "country:AU",
      "hitsPerPage": 5, "attributesToHighlight": [],
    ]
    try await expectEqual(fixture.ids(query), ["0", "1", "2", "3", "4"])
    let clock = CountingClock()
    _ = try await fixture.engine.send(
      TransportRequest(
        .search(index: EngineFixture.index), body: Array(query.text.utf8),
        deadline: clock.deadline(atCheck: nil)))
    // A step for eight points: sixteen circles around all would be 6,400 steps.
    #expect(clock.reads < 60, "\(clock.reads)")
  }

  @Test(arguments: Seed.all(4))
  func boxesKeepTheRecordsInside(seed: Seed) async throws {
    let records = Self.records(seed: seed.value, 400)
    let fixture = try await EngineFixture(records)
    let boxes = [
      (60.0, -10.0, 30.0, 40.0), (-20.0, -180.0, 20.0, -90.0), (90.0, 180.0, 80.0, -180.0),
    ]
    func isInside(_ point: (Double, Double), _ box: (Double, Double, Double, Double)) -> Bool {
      (min(box.0, box.2)...max(box.0, box.2)).contains(point.0)
        && (min(box.1, box.3)...max(box.1, box.3)).contains(point.1)
    }
    for box in boxes {
      let expected = records.filter { GeoOracle.points($0).contains { isInside($0, box) } }
      let ids = try await fixture.ids([
        "insideBoundingBox": [[.double(box.0), .double(box.1), .double(box.2), .double(box.3)]]
      ])
      expectEqual(ids.sorted(), expected.map(\.id).sorted(), "seed \(seed.value): \(box)")
    }
    let all = records.filter { record in
      GeoOracle.points(record).contains { point in boxes.contains { isInside(point, $0) } }
    }
    let text = boxes.map { "\($0.0),\($0.1),\($0.2),\($0.3)" }.joined(separator: ",")
    try await expectEqual(
      fixture.ids(["insideBoundingBox": .string(text)]).sorted(), all.map(\.id).sorted())
  }

  private static let places: [JSON] = [
    ["objectID": "east", "_geoloc": ["lat": 10, "lng": 175]],
    ["objectID": "west", "_geoloc": ["lat": 10, "lng": -175]],
    ["objectID": "paris", "_geoloc": ["lat": 48.8566, "lng": 2.3522]],
    ["objectID": "london", "_geoloc": ["lat": 51.5074, "lng": -0.1278]],
    ["objectID": "nowhere"],
  ]

  @Test func boxesCanCrossThe180thMeridian() async throws {
    let fixture = try await EngineFixture(Self.places)
    let ids = try await fixture.ids(["insideBoundingBox": [[20, 170, 0, 190]]])
    expectEqual(ids.sorted(), ["east", "west"])
  }

  @Test func polygonsKeepTheRecordsInside() async throws {
    let fixture = try await EngineFixture(Self.places)
    let france: JSON = [51, 2.5, 48.4, -4.8, 43.3, -1.8, 42.4, 3.2, 49, 8.2]
    try await expectEqual(fixture.ids(["insidePolygon": [france]]), ["paris"])
    let britain: JSON = [50, -6, 59, -8, 58, 0, 51, 2]
    try await expectEqual(
      fixture.ids(["insidePolygon": [france, britain]]).sorted(), ["london", "paris"])
  }

  @Test func boxTakesPrecedenceOverPolygonAndPolygonOverPoint() async throws {
    let fixture = try await EngineFixture(Self.places)
    let parameters: JSON = [
      "insideBoundingBox": [[52, -1, 51, 1]], "insidePolygon": [[0, 170, 0, 180, 20, 175]],
      "aroundLatLng": "48.8,2.3", "aroundRadius": 100_000,
    ]
    try await expectEqual(fixture.ids(parameters), ["london"])
    var withoutBox = parameters
    withoutBox["insideBoundingBox"] = .null
    try await expectEqual(fixture.ids(withoutBox), ["east"])
    withoutBox["insidePolygon"] = nil
    try await expectEqual(fixture.ids(withoutBox), ["paris"])
  }

  @Test func theAutomaticRadiusHoldsAThousandRecordsAndIsReported() async throws {
    let records = (0..<1500).map { number -> JSON in
      [
        "objectID": .string("\(number)"),
        "_geoloc": ["lat": .double(Double(number) / 100), "lng": 0],
      ]
    }
    let fixture = try await EngineFixture(records)
    let answer = try await fixture.search(["aroundLatLng": "0,0"])
    expectEqual(answer["nbHits"]?.intValue, 1000)
    let radius = answer["automaticRadius"]?.stringValue.flatMap { Int($0) } ?? 0
    #expect(abs(Double(radius) - GeoOracle.meters((0, 0), (9.99, 0))) <= 1)
    expectEqual(answer["aroundLatLng"]?.stringValue, "0.0,0.0")
    let wider = try await fixture.search(["aroundLatLng": "0,0", "minimumAroundRadius": 1_300_000])
    expectEqual(wider["automaticRadius"], "1300000")
    #expect((wider["nbHits"]?.intValue ?? 0) > 1000)
  }

  @Test func distancesOfOneBucketAreEqual() async throws {
    let records: [JSON] = [
      ["objectID": "1", "rank": 1, "_geoloc": ["lat": 0.012, "lng": 0]],
      ["objectID": "2", "rank": 2, "_geoloc": ["lat": 0.005, "lng": 0]],
      ["objectID": "3", "rank": 3, "_geoloc": ["lat": 0.001, "lng": 0]],
    ]
    let fixture = try await EngineFixture(
      records, settings: IndexSettings { $0.customRanking = ["asc(rank)"] })
    let around: JSON = ["aroundLatLng": "0,0", "aroundRadius": "all"]
    try await expectEqual(fixture.ids(around), ["3", "2", "1"])
    var coarse = around
    coarse["aroundPrecision"] = 1000
    try await expectEqual(fixture.ids(coarse), ["2", "3", "1"])
    coarse["aroundPrecision"] = [["from": 0, "value": 10], ["from": 400, "value": 5000]]
    try await expectEqual(fixture.ids(coarse), ["3", "1", "2"])
    coarse["getRankingInfo"] = true
    let info = try await fixture.search(coarse)["hits"]?[1]?["_rankingInfo"]
    expectEqual(info?["geoPrecision"], 5000)
    expectEqual(info?["geoDistance"], 0)
    expectEqual(info?["matchedGeoLocation"]?["distance"], 1334)
  }

  @Test(
    arguments: [
      (["aroundLatLng": "91,0"], "aroundLatLng"), (["aroundLatLng": "here"], "aroundLatLng"),
      (["aroundLatLng": "1,1", "aroundRadius": 0], "aroundRadius"),
      (["aroundLatLng": "1,1", "minimumAroundRadius": 0], "minimumAroundRadius"),
      (["insideBoundingBox": [[1, 2, 3]]], "insideBoundingBox"),
      (["insideBoundingBox": "1,2,3"], "insideBoundingBox"),
      (["insidePolygon": [[1, 2, 3, 4]]], "insidePolygon"),
      (["insidePolygon": [[1, 2, 3, 4, 5, 6, 7]]], "insidePolygon"),
    ] as [(JSON, String)])
  func invalidParametersAreRejected(parameters: JSON, name: String) async throws {
    let message = try await EngineFixture(Self.places).refusal(parameters)
    #expect(
      message?.starts(with: "Invalid value for \"\(name)\" parameter, expected ") == true,
      "\(message ?? "")")
  }
}
