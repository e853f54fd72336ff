import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct PlacesQueryTests {
  private static let full = PlacesQuery("rue").with {
    $0.type = [.address, .airport]
    $0.language = .french
    $0.countries = ["fr"]
    $0.hitsPerPage = 5
    $0.aroundLatLng = Point(latitude: 48.85, longitude: 2.35)
    $0.aroundLatLngViaIP = false
    $0.aroundRadius = 1000
    $0.insideBoundingBox = [[49, 2, 48, 3]]
    $0.insidePolygon = [[0, 0, 1, 0, 0, 1]]
    $0.restrictSearchableAttributes = ["postcode"]
    $0.getRankingInfo = true
    $0.additionalParameters["tomorrow"] = 1
  }

  private static let fullJSON: JSON = [
    "query": "rue", "type": ["address", "airport"], "language": "fr", "countries": "fr",
    "hitsPerPage": 5, "aroundLatLng": "48.85,2.35", "aroundLatLngViaIP": false,
    "aroundRadius": 1000, "insideBoundingBox": [[49, 2, 48, 3]],
    "insidePolygon": [[0, 0, 1, 0, 0, 1]], "restrictSearchableAttributes": ["postcode"],
    "getRankingInfo": true, "tomorrow": 1,
  ]

  private func sent(_ query: PlacesQuery) throws -> JSON {
    try JSON(parsing: JSONValueEncoder().encode(query))
  }

  @Test func onlySetParametersAreSent() throws {
    try expectEqual(sent(PlacesQuery()), [:])
    try expectEqual(sent(PlacesQuery("paris")), ["query": "paris"])
  }

  @Test func everyParameterIsSentUnderItsName() throws {
    try expectEqual(sent(Self.full), Self.fullJSON)
  }

  @Test(arguments: ModelCoder.allCases)
  func queryIsReadBack(coder: ModelCoder) throws {
    try expectEqual(coder.roundTrip(Self.full), Self.full)
    try expectEqual(coder.roundTrip(PlacesQuery()), PlacesQuery())
  }

  @Test func everyAcceptedFormIsRead() throws {
    func read(_ text: String) throws -> PlacesQuery {
      try JSONValueDecoder().decode(PlacesQuery.self, from: Array(text.utf8))
    }
    try expectEqual(read(#"{"type":"city"}"#).type, [.city])
    try expectEqual(read(#"{"type":"city, airport"}"#).type, [.city, .airport])
    try expectEqual(read(#"{"type":["ferry"]}"#).type, ["ferry"])
    try expectEqual(read(#"{"countries":["us","fr"]}"#).countries, ["us", "fr"])
    try expectEqual(read(#"{"language":null,"type":null}"#), PlacesQuery())
    for text in [#"{"type":5}"#, #"{"language":["fr"]}"#, #"{"hitsPerPage":"x"}"#] {
      #expect(throws: DecodingError.self) { try read(text) }
    }
  }

  @Test func propertyWinsOverAnAdditionalParameterOfItsName() throws {
    var query = PlacesQuery()
    query.additionalParameters["language"] = "de"
    try expectEqual(sent(query), ["language": "de"])
    query.language = .french
    try expectEqual(sent(query), ["language": "fr"])
    query.language = nil
    query.type = []
    try expectEqual(sent(query), ["language": "de", "type": []])
  }

  @Test func queryIsAValue() {
    expectEqual(Self.full, Self.full.with { _ in })
    expectEqual(Set([PlacesQuery("a"), PlacesQuery("a"), PlacesQuery("b")]).count, 2)
    #expect(PlacesQuery("a") != PlacesQuery("a").with { $0.language = .french })
    #expect(PlacesQuery("a") != PlacesQuery("a").with { $0.countries = [] })
    #expect(PlacesQuery("a") != PlacesQuery("a").with { $0.type = [.city] })
  }

  @Test func descriptionIsSafeToLog() {
    var query = PlacesQuery("paris")
    query.language = .french
    query.additionalParameters["userToken"] = "secret"
    expectEqual(
      "\(query)", #"PlacesQuery({"language":"fr","query":"paris","userToken":"…"})"#)
    #expect(!String(reflecting: query).contains("secret"))
    var dumped = ""
    dump(query, to: &dumped)
    #expect(!dumped.contains("secret"))
  }
}
