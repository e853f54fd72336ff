@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// The endpoints of places: parameters, responses and rejected calls.
struct PlacesContractTests {
  // MARK: Responses

  @Test func responseHasTheMembersOfTheContract() async throws {
    let fixture = try await PlacesFixture()
    let answer = try await fixture.search(["query": "nice", "type": "city", "language": "fr"])
    expectEqual(
      answer.objectValue?.keys.sorted(),
      [
        "degradedQuery", "hits", "nbHits", "params", "processingTimeMS", "query",
      ])
    expectEqual(answer["nbHits"], 1)
    expectEqual(answer["query"], "nice")
    expectEqual(answer["params"], "language=fr&query=nice&type=city")
    expectEqual(answer["processingTimeMS"], 0)
  }

  @Test func anEmptyBodyAndAnEmptyQueryFindTheFirstTwentyPlaces() async throws {
    let fixture = try await PlacesFixture()
    for body in ["", "{}", #"{"query":""}"#, #"{"params":""}"#, #"{"type":[],"countries":""}"#] {
      let answer = try await fixture.call(.post, "query", body: Array(body.utf8)).body
      expectEqual(answer["hits"]?.arrayValue?.count, 20, "\(body)")
      expectEqual(answer["nbHits"], 20, "only returned places are counted")
      #expect(answer["degradedQuery"] == false)
    }
  }

  @Test func parametersCanBeText() async throws {
    let fixture = try await PlacesFixture()
    let text: JSON = [
      "params": "query=par&type=city,airport&countries=%5B%22fr%22%2C%22us%22%5D&hitsPerPage=2"
    ]
    let json: JSON = [
      "query": "par", "type": ["city", "airport"], "countries": ["fr", "us"], "hitsPerPage": 2,
    ]
    let ids = try await fixture.ids(text)
    expectEqual(ids, ["paris", "paris-texas"])
    try await expectEqual(fixture.ids(json), ids)
    try await expectEqual(fixture.ids(["params": "query=lyon", "query": "nice"]).first, "nice")
  }

  @Test func placeByIDHasAllLanguages() async throws {
    let fixture = try await PlacesFixture()
    let record = try #require(try PlacesFixture.records().first { $0["objectID"] == "cdg" })
    #expect(try await fixture.call(.get, "cdg") == (200, record))
    let missing = try await fixture.call(.get, "atlantis")
    #expect(missing == (404, ["message": "ObjectID does not exist", "status": 404]))
  }

  @Test func placesCanBeInAnotherIndex() async throws {
    let fixture = try await PlacesFixture(configuration: .init(placesIndexName: "geo"))
    expectEqual(fixture.engine.indexNames, ["geo"])
    try await expectEqual(fixture.ids(["query": "lyon"]).first, "lyon")
    try await expectEqual(fixture.call(.get, "lyon").status, 200)
  }

  // MARK: Missing parts

  @Test func missingIndexIsReported() async throws {
    let engine = LocalSearch()
    for (method, path) in [
      (.post, "query"), (.get, "reverse"), (.get, "x"),
    ] as [(Endpoint.Method, String)] {
      let response = try await engine.send(
        TransportRequest(
          method: method, pathComponents: ["1", "places", path],
          queryItems: [QueryItem(name: "aroundLatLng", value: "1,2")], callType: .read))
      expectEqual(response.status, 404)
      try expectEqual(JSON(parsing: response.body)["message"], "Index places does not exist")
    }
  }

  @Test(arguments: [
    (IndexSettings(), "locale_names is not in searchableAttributes"),
    (
      IndexSettings(searchableAttributes: ["city"], attributesForFaceting: ["country_code"]),
      "locale_names is not in searchableAttributes"
    ),
    (
      IndexSettings(searchableAttributes: ["locale_names"]),
      "country_code is not in attributesForFaceting"
    ),
  ])
  func missingSettingsAreNamed(
    settings: IndexSettings, missing: String
  ) async throws {
    let fixture = try await PlacesFixture(settings: settings)
    let message = JSON.string(
      "Index places cannot be searched for places: \(missing);"
        + " set its settings to IndexSettings.places")
    try await expectEqual(fixture.refusal(["query": "paris"]).map(JSON.string), message)
    let reverse = try await fixture.call(
      .get, "reverse", queryItems: [QueryItem(name: "aroundLatLng", value: "1,2")])
    #expect(reverse == (400, ["message": message, "status": 400]))
    try await expectEqual(fixture.call(.get, "paris").status, 200)
  }

  @Test func customSettingsWorkIfTheyNameTheSearchedAttributes() async throws {
    let settings = IndexSettings(
      searchableAttributes: ["locale_names"], attributesForFaceting: ["searchable(country_code)"])
    let fixture = try await PlacesFixture(settings: settings)
    try await expectEqual(
      fixture.ids(["query": "lyon", "countries": "fr", "type": "city"]), ["lyon"])
  }

  // MARK: Rejected calls

  @Test(
    arguments: [
      (["hitsPerPage": 0], #""hitsPerPage" parameter, expected integer between 1 and 20, got 0"#),
      (["hitsPerPage": 21], #""hitsPerPage" parameter, expected integer between 1 and 20, got 21"#),
      (["hitsPerPage": "x"], #""hitsPerPage" parameter, expected integer, got "x""#),
      (
        ["type": "village"],
        #""type" parameter, expected one of country, city, busStop, townhall, trainStation, airport,"#
          + " address, got village"
      ),
      (["type": ["city", 5]], #""type" parameter, expected array of strings, got ["city",5]"#),
      (["type": true], #""type" parameter, expected array of strings, got true"#),
      (
        ["countries": ["fr", "USA"]],
        #""countries" parameter, expected ISO 3166-1 codes of two letters in lower case, got USA"#
      ),
      (
        ["countries": "fr,"],
        #""countries" parameter, expected ISO 3166-1 codes of two letters in lower case, got "#
      ),
      (["countries": "FR"], #"in lower case, got FR"#),
      (["countries": "f\u{301}r"], #"in lower case, got f\#u{301}r"#),
      (
        ["countries": ["fr": 1]], #""countries" parameter, expected array of strings, got {"fr":1}"#
      ),
      (["language": 7], #""language" parameter, expected string, got 7"#),
      (["language": ["fr"]], #""language" parameter, expected string, got ["fr"]"#),
      (["query": 12], #""query" parameter, expected string, got 12"#),
      (["aroundLatLng": "91,0"], #"aroundLatLng"#),
      (
        ["aroundLatLng": "1,2", "aroundRadius": 0], #""aroundRadius" parameter, expected positive"#
      ),
      (
        ["insideBoundingBox": [[1, 2, 3]]], #""insideBoundingBox" parameter, expected groups of 4"#
      ),
      (
        ["insidePolygon": [[1, 2, 3, 4]]], #""insidePolygon" parameter, expected polygons of 3 to"#
      ),
      (["params": 5], #"expected a string "params""#),
      (["params": "type=5"], #""type" parameter, expected array of strings, got 5"#),
    ] as [(JSON, String)])
  func wrongValueIsRejectedByName(parameters: JSON, message: String) async throws {
    let fixture = try await PlacesFixture()
    let refusal = try await fixture.refusal(parameters)
    #expect(refusal?.contains(message) == true, "\(refusal ?? "no refusal")")
  }

  @Test func anUnknownCountryHasNoPlaces() async throws {
    let fixture = try await PlacesFixture()
    try await expectEqual(fixture.ids(["countries": "zz"]), [])
  }

  @Test func nullIsTheSameAsAbsent() async throws {
    let fixture = try await PlacesFixture()
    let query: JSON = ["query": "lyon", "type": nil, "countries": nil, "language": nil]
    try await expectEqual(fixture.ids(query), fixture.ids(["query": "lyon"]))
  }

  @Test(arguments: ["{", "[]", "null", "\"x\"", "\u{0}", "{}}"])
  func bodyThatIsNotAnObjectIsRejected(body: String) async throws {
    let fixture = try await PlacesFixture()
    let answer = try await fixture.call(.post, "query", body: Array(body.utf8))
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.hasPrefix("Malformed") == true)
  }

  @Test func invalidUTF8IsRejected() async throws {
    let fixture = try await PlacesFixture()
    let body = Array(#"{"query":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8)
    try await expectEqual(fixture.call(.post, "query", body: body).status, 400)
  }

  @Test func tooLongQueryIsRejected() async throws {
    let fixture = try await PlacesFixture()
    let long = String(repeating: "a ", count: 257)
    #expect(try await fixture.refusal(["query": .string(long)])?.contains("512 bytes") == true)
  }

  @Test func reverseGeocodingRequiresAPoint() async throws {
    let fixture = try await PlacesFixture()
    func message(_ items: [QueryItem]) async throws -> String? {
      let answer = try await fixture.call(.get, "reverse", queryItems: items)
      return answer.status == 400 ? answer.body["message"]?.stringValue : nil
    }
    let point = QueryItem(name: "aroundLatLng", value: "1,2")
    #expect(try await message([])?.hasPrefix(#"Missing "aroundLatLng" parameter"#) == true)
    let empty = [QueryItem(name: "aroundLatLng", value: "")]
    #expect(try await message(empty)?.hasPrefix(#"Missing "aroundLatLng" parameter"#) == true)
    for value in ["x", "1", "1,2,3", "91,2", "1;2"] {
      let refusal = try await message([QueryItem(name: "aroundLatLng", value: value)])
      #expect(refusal?.hasPrefix(#"Invalid value for "aroundLatLng" parameter"#) == true)
    }
    for value in ["0", "21", "-1", "ten"] {
      let refusal = try await message([point, QueryItem(name: "hitsPerPage", value: value)])
      #expect(refusal?.hasPrefix(#"Invalid value for "hitsPerPage" parameter"#) == true)
    }
    #expect(try await message([point]) == nil)
  }

  @Test func unknownParametersAreRejectedInStrictMode() async throws {
    let query: JSON = ["query": "lyon", "filters": "population > 1", "aroundLatLngViaIP": true]
    let lenient = try await PlacesFixture()
    try await expectEqual(lenient.ids(query), lenient.ids(["query": "lyon"]))
    let strict = try await PlacesFixture(configuration: .init(accepts: .known))
    try await expectEqual(strict.refusal(query), "Unknown parameter: filters")
    try await expectEqual(strict.refusal(["zone": "city"]), "Unknown parameter: zone")
    let known: JSON = [
      "query": "lyon", "type": "city", "countries": "fr", "language": "fr", "hitsPerPage": 1,
      "getRankingInfo": true, "aroundLatLng": "1,2", "aroundRadius": "all",
      "aroundLatLngViaIP": true, "insidePolygon": [[0, 0, 0, 90, 90, 0]],
      "restrictSearchableAttributes": "postcode",
    ]
    #expect(try await strict.refusal(known) == nil)
  }

  @Test func otherPathsAndMethodsAreRejected() async throws {
    let fixture = try await PlacesFixture()
    func status(
      _ method: Endpoint.Method, _ path: [String]
    ) async throws -> Int {
      try await fixture.engine.send(
        TransportRequest(
          method: method, pathComponents: ["1", "places"] + path, callType: .read)
      ).status
    }
    try await expectEqual(status(.get, ["query"]), 405)
    try await expectEqual(status(.post, ["reverse"]), 405)
    try await expectEqual(status(.delete, ["paris"]), 405)
    try await expectEqual(status(.post, []), 400)
    try await expectEqual(status(.get, [""]), 400)
    try await expectEqual(status(.get, ["paris", "x"]), 400)
    expectEqual(fixture.engine.recordCount(of: "places"), 30)
  }

  // MARK: Cancellation

  @Test func aCancelledCallThrows() async throws {
    let fixture = try await PlacesFixture()
    let task = Task {
      await untilCancelled()
      return try await fixture.search(["query": "paris"])
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
