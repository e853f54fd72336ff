import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct SearchClientPlacesTests {
  private static let answer = """
    {"hits":[{"objectID":"1","locale_names":["Oslo"]},{"locale_names":["nowhere"]},\
    {"objectID":"2","locale_names":{"default":["Bergen"]}}],"nbHits":3,"processingTimeMS":2,\
    "query":"o","params":"query=o","degradedQuery":true}
    """

  @Test func searchIsOneCallWithTheQueryAsBody() async throws {
    let transport = ScriptedTransport(json: Self.answer)
    let page = try await SearchClient(transport: transport).searchPlaces(
      PlacesQuery("o").with { $0.type = [.city] },
      options: RequestOptions(queryItems: [QueryItem(name: "a", value: "b")]))
    let request = try #require(transport.requests.first)
    expectEqual(request.method, .post)
    expectEqual(request.callType, .read)
    expectEqual(request.path, "/1/places/query")
    expectEqual(request.queryString, "a=b")
    try expectEqual(JSON(parsing: request.body), ["query": "o", "type": "city"])
    expectEqual(page.hits.map(\.objectID), ["1", "2"])
    expectEqual(page.hits.map(\.searchMetadata.position), [1, 3])
    expectEqual(page.failures.map(\.position), [2])
    expectEqual(page.nbHits, 3)
    #expect(page.additionalMembers["degradedQuery"] == true)
    expectEqual(page.request?.query.query, "o")
  }

  @Test func reverseGeocodingIsACallWithQueryItems() async throws {
    let transport = ScriptedTransport(json: Self.answer)
    let client = SearchClient(transport: transport)
    let page = try await client.places(
      around: Point(latitude: 59.91, longitude: 10.75), language: .norwegian, hitsPerPage: 5,
      options: RequestOptions(queryItems: [QueryItem(name: "a", value: "b")]))
    _ = try await client.places(around: Point(latitude: 1e-7, longitude: 0))
    let requests = transport.requests
    expectEqual(requests.map(\.method), [.get, .get])
    expectEqual(requests.map(\.path), ["/1/places/reverse", "/1/places/reverse"])
    expectEqual(
      requests.map(\.queryString),
      [
        "aroundLatLng=59.91%2C10.75&hitsPerPage=5&language=no&a=b",
        "aroundLatLng=0.0000001%2C0.0",
      ])
    expectEqual(requests.map(\.body.count), [0, 0])
    expectEqual(page.hits.count, 2)
  }

  @Test func placeIsRequestedByItsID() async throws {
    let transport = ScriptedTransport(
      json: #"{"objectID":"a/b","locale_names":{"default":["Oslo"],"ja":["オスロ"]}}"#)
    let place = try await SearchClient(transport: transport).place("a/b")
    expectEqual(transport.requests.map(\.description), ["GET /1/places/a%2Fb"])
    expectEqual(place.objectID, "a/b")
    expectEqual(place.object.name(in: .japanese), "オスロ")
  }

  @Test func errorsHaveACodeAndNameTheCall() async throws {
    let client = SearchClient(transport: LocalSearch())
    let nowhere = await #expect(throws: SearchError.self) {
      try await client.searchPlaces(PlacesQuery("x"))
    }
    expectEqual(nowhere?.code, .indexNotFound)
    let engine = try await LocalSearch(
      indexName: "places", records: [["objectID": "1"]] as [JSON], settings: .places)
    let places = SearchClient(transport: engine)
    let missing = await #expect(throws: SearchError.self) { try await places.place("2") }
    expectEqual(missing?.code, .objectNotFound)
    expectEqual(missing?.request, "GET /1/places/2")
    let refused = await #expect(throws: SearchError.self) {
      try await places.searchPlaces(PlacesQuery().with { $0.hitsPerPage = 21 })
    }
    expectEqual(refused?.code, .invalidRequest)
    #expect(refused?.message.contains("hitsPerPage") == true)
    try await expectEqual(places.place("1").object, Place())
  }

  @Test(arguments: ["[]", "{}", #"{"objectID":null}"#, "5"])
  func responseThatIsNotAPlaceIsADecodingError(body: String) async throws {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    let error = await #expect(throws: SearchError.self) { try await client.place("1") }
    expectEqual(error?.code, .decoding)
    expectEqual(error?.request, "GET /1/places/1")
  }

  @Test(arguments: ["[]", #"{"hits":5}"#, "nothing"])
  func responseThatIsNotAResultIsADecodingError(body: String) async throws {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    let error = await #expect(throws: SearchError.self) {
      try await client.searchPlaces(PlacesQuery())
    }
    expectEqual(error?.code, .decoding)
  }

  @Test func keyStrategyForRecordsDoesNotAffectPlaces() async throws {
    var client = SearchClient(
      transport: ScriptedTransport(
        json: #"{"hits":[{"objectID":"1","locale_names":["Oslo"],"is_city":true}]}"#))
    client.decoding = RecordDecoding(keys: .convertFromSnakeCase)
    let hit = try #require(try await client.searchPlaces(PlacesQuery()).hits.first)
    expectEqual(hit.object, Place(localeNames: .single(["Oslo"]), isCity: true))
  }
}
