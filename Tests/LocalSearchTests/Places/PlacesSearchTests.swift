import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct PlacesSearchTests {
  // MARK: Words

  @Test func prefixFindsPopularThenImportantThenPopulousPlaces() async throws {
    let fixture = try await PlacesFixture()
    // Paris is popular; Parintins and Paris in Texas are equally important, one has more people.
    let ids = try await fixture.ids(["query": "pari", "language": "en"])
    expectEqual(
      ids,
      [
        "paris", "parintins", "paris-texas", "pariser-platz", "rue-de-paris", "cdg", "gare-de-lyon",
        "hotel-de-ville", "rue-de-lyon", "rue-de-rivoli",
      ])
  }

  @Test func typingMistakesAreTolerated() async throws {
    let fixture = try await PlacesFixture()
    try await expectEqual(fixture.ids(["query": "Marseile"]), ["marseille"])
    try await expectEqual(fixture.ids(["query": "sao paolo"]).first, "sao-paulo")
  }

  @Test func aCityComesBeforeAnAddressThatMatchesAsWell() async throws {
    let fixture = try await PlacesFixture()
    for text in ["ly", "lyo", "lyon"] {
      let ids = try await fixture.ids(["query": .string(text), "countries": "fr"])
      expectEqual(ids.prefix(3), ["lyon", "rue-de-lyon", "gare-de-lyon"], "\(text)")
    }
  }

  @Test func nameOfAPlaceRanksAboveItsAddress() async throws {
    let fixture = try await PlacesFixture()
    let ids = try await fixture.ids(["query": "france"])
    expectEqual(ids.first, "france")
    expectEqual(ids.count, 11, "everything in France has the country's name")
    try await expectEqual(fixture.ids(["query": "berlin"]).first, "berlin")
  }

  @Test func wordsOfSeveralAttributesAreFoundTogether() async throws {
    let fixture = try await PlacesFixture()
    try await expectEqual(fixture.ids(["query": "london ontario"]).first, "london-ontario")
    try await expectEqual(fixture.ids(["query": "paris texas"]), ["paris-texas"])
    try await expectEqual(fixture.ids(["query": "rivoli france"]), ["rue-de-rivoli"])
  }

  // MARK: Numbers

  @Test func numbersAreOptionalAndRankIfTheyMatch() async throws {
    let fixture = try await PlacesFixture()
    try await expectEqual(fixture.ids(["query": "99 downing street"]), ["downing-street"])
    let streets = try await fixture.ids(["query": "rue 75012", "type": "address"])
    expectEqual(streets, ["rue-de-lyon", "rue-de-rivoli", "rue-de-paris"])
  }

  @Test func aNumberAloneIsAPostcode() async throws {
    let fixture = try await PlacesFixture()
    try await expectEqual(fixture.ids(["query": "59000"]), ["rue-de-paris"])
    try await expectEqual(fixture.ids(["query": "59001"]), [], "not a typing mistake")
    let two = try await fixture.search(["query": "59000 75460"])
    #expect(two["degradedQuery"] == true, "no place has both")
    expectEqual(two["hits"]?.arrayValue?.map { $0["objectID"] }, ["paris-texas"])
    let restricted: JSON = ["query": "7500", "restrictSearchableAttributes": "postcode"]
    expectEqual(
      Set(try await fixture.ids(restricted)), ["paris", "rue-de-rivoli", "hotel-de-ville"])
    try await expectEqual(
      fixture.ids(["query": "paris", "restrictSearchableAttributes": "postcode"]), [])
  }

  // MARK: Nothing found

  @Test func citiesOfAnyWordAreSearchedIfNothingIsFound() async throws {
    let fixture = try await PlacesFixture()
    let answer = try await fixture.search(["query": "lyon kilimanjaro"])
    expectEqual(answer["hits"]?.arrayValue?.map { $0["objectID"] }, ["lyon"])
    #expect(answer["degradedQuery"] == true)
    #expect(try await fixture.search(["query": "lyon"])["degradedQuery"] == false)
    for types in [["airport", "city"], []] as [JSON] {
      try await expectEqual(fixture.ids(["query": "lyon kilimanjaro", "type": types]), ["lyon"])
    }
    try await expectEqual(fixture.ids(["query": "lyon kilimanjaro", "type": "airport"]), [])
    try await expectEqual(fixture.ids(["query": "lyon kilimanjaro", "countries": "us"]), [])
    try await expectEqual(fixture.ids(["query": "kilimanjaro lyon"]).first, "lyon", "any word")
  }

  // MARK: Around a point

  @Test func placesWithinTenKilometersComeFirstThenThoseOfTheCountry() async throws {
    let fixture = try await PlacesFixture()
    try await expectEqual(fixture.ids(["query": "london"]).prefix(2), ["london", "london-ontario"])
    let toronto: JSON = ["query": "london", "aroundLatLng": "43.65,-79.38"]
    try await expectEqual(
      fixture.ids(toronto).prefix(2), ["london-ontario", "london"],
      "the nearest place is in Canada")
    let dallas: JSON = ["query": "paris", "aroundLatLng": "32.7767,-96.7970", "language": "en"]
    try await expectEqual(fixture.ids(dallas).prefix(2), ["paris-texas", "paris"])
    let rue: JSON = ["query": "rue", "type": "address", "aroundLatLng": "50.63,3.06"]
    try await expectEqual(fixture.ids(rue).first, "rue-de-paris")
  }

  @Test func farPlaceIsFoundAmongManyNearbyOnes() async throws {
    let bars = (0..<1100).map { number -> JSON in
      [
        "objectID": .string("bar-\(number)"), "locale_names": [.string("Bar \(number)")],
        "country_code": "it", "_geoloc": ["lat": 41.9, "lng": 12.5],
      ]
    }
    let far: JSON = [
      "objectID": "far", "locale_names": ["Bar"], "_geoloc": ["lat": 42.1, "lng": 19.1],
    ]
    let fixture = try await PlacesFixture(adding: bars + [far])
    let query: JSON = ["query": "bar", "aroundLatLng": "41.9,12.5"]
    try await expectEqual(fixture.ids(query).first, "far", "its name is the text")
    var near = query
    near["aroundRadius"] = 10_000
    #expect(try await fixture.ids(near).contains("far") == false)
  }

  @Test func pointIsIgnoredInsideAnArea() async throws {
    let fixture = try await PlacesFixture()
    let areas: [JSON] = [
      ["insideBoundingBox": [[35, -10, 60, 20]]],
      ["insidePolygon": [[35, -10, 60, -10, 60, 20, 35, 20]]],
    ]
    for area in areas {
      let expected = try await fixture.ids(area)
      #expect(expected.count > 10)
      for point in ["52.5,13.4", "43.7,7.26"] as [JSON] {
        var query = area
        query["aroundLatLng"] = point
        try await expectEqual(fixture.ids(query), expected, "\(query)")
      }
    }
    let around: JSON = ["aroundLatLng": "43.65,-79.38"]
    var nowhere = around
    nowhere["insideBoundingBox"] = []
    nowhere["insidePolygon"] = []
    try await expectEqual(
      fixture.ids(nowhere), fixture.ids(around),
      "an empty list restricts nothing")
  }

  @Test func placeWithoutLocationIsNotFoundAroundAPoint() async throws {
    let place: JSON = ["objectID": "utopia", "locale_names": ["Utopia"], "country_code": "de"]
    let fixture = try await PlacesFixture(adding: [place])
    try await expectEqual(fixture.ids(["query": "utopia"]), ["utopia"])
    try await expectEqual(fixture.ids(["query": "utopia", "aroundLatLng": "52.5,13.4"]), [])
  }

  @Test(arguments: ["", "-fr", "fr<score=x>", "a:b\"", "\u{FC}r"])
  func nearestPlaceCanHaveAnyCountryCode(code: String) async throws {
    let place: JSON = [
      "objectID": "odd", "locale_names": ["Odd"], "country_code": .string(code),
      "_geoloc": ["lat": 0, "lng": -30],
    ]
    let fixture = try await PlacesFixture(adding: [place])
    let ids = try await fixture.ids(["query": "london", "aroundLatLng": "0,-30"])
    expectEqual(ids, try await fixture.ids(["query": "london"]))
  }

  @Test func aroundLatLngViaIPIsAcceptedAndIgnored() async throws {
    let fixture = try await PlacesFixture()
    let plain = try await fixture.ids(["query": "l"])
    try await expectEqual(fixture.ids(["query": "l", "aroundLatLngViaIP": true]), plain)
    try await expectEqual(fixture.ids(["query": "l", "aroundLatLngViaIP": false]), plain)
  }

  @Test func reverseGeocodingIsByDistance() async throws {
    let fixture = try await PlacesFixture()
    let answer = try await fixture.call(
      .get, "reverse",
      queryItems: [
        QueryItem(name: "aroundLatLng", value: "48.8564, 2.3525"),
        QueryItem(name: "hitsPerPage", value: "4"), QueryItem(name: "language", value: "fr"),
        QueryItem(name: "x-algolia-api-key", value: "secret"),
        QueryItem(name: "X-Algolia-User-Token", value: "secret"),
      ])
    expectEqual(answer.status, 200)
    let hits = answer.body["hits"]?.arrayValue ?? []
    expectEqual(
      hits.map { $0["objectID"] }, ["hotel-de-ville", "paris", "rue-de-rivoli", "rue-de-lyon"])
    expectEqual(hits[1]["locale_names"], ["Paris", "Lutèce"])
    expectEqual(answer.body["nbHits"], 4)
    #expect(!answer.body.text.contains("secret"))
  }

  // MARK: Ranking info

  @Test func rankingInfoHasTheDistance() async throws {
    let fixture = try await PlacesFixture()
    let query: JSON = [
      "query": "paris", "type": "city", "aroundLatLng": "48.8,2.3", "getRankingInfo": true,
    ]
    let info = try await fixture.search(query)["hits"]?[0]?["_rankingInfo"]
    expectEqual(info?["geoDistance"], 0)
    expectEqual(info?["geoPrecision"], 10_000)
    #expect(try await fixture.search(["query": "paris"])["hits"]?[0]?["_rankingInfo"] == nil)
  }

  // MARK: Determinism

  @Test func equalCallsGiveEqualBytes() async throws {
    let body = Array(#"{"query":"par","aroundLatLng":"48.8,2.3","getRankingInfo":true}"#.utf8)
    var answers: Set<[UInt8]> = []
    for _ in 0..<3 {
      let engine = try await PlacesFixture().engine
      for _ in 0..<2 {
        let request = TransportRequest(
          method: .post, pathComponents: ["1", "places", "query"], body: body, callType: .read)
        answers.insert(try await engine.send(request).body)
      }
    }
    expectEqual(answers.count, 1)
  }
}
