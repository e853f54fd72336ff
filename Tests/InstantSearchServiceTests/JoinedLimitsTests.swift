import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// A secured key and a caller narrow what a key allows, whatever they send.
struct JoinedLimitsTests {
  private static let index = "/1/indexes/films/query"

  /// Twelve films on a line: the number is the longitude.
  private static func fixture(_ parameters: String, hits: Int = 0) async throws -> ServiceFixture {
    let fixture = try ServiceFixture(keys: [
      APIKey(
        "k", acl: [.search, .browse], queryParameters: parameters, maxHitsPerQuery: hits)
    ])
    var settings = IndexSettings(
      attributesForFaceting: ["searchable(owner)", "cost"], customRanking: ["asc(n)"])
    settings.attributeForDistinct = "owner"
    try await fixture.engine.setSettings(settings, of: "films")
    let records =
      (0..<12).map { n in
        let place: JSON = ["lat": 40, "lng": .int(Int64(n))]
        let owner: JSON = n % 2 == 0 ? "me" : "other"
        let members: [String: JSON] = [
          "objectID": .string("\(n)"), "n": .int(Int64(n)), "title": .string("film \(n)"),
          "owner": owner, "cost": .int(Int64(n) * 10), "_geoloc": place,
        ]
        return JSON.object(members)
      }
    try await fixture.engine.save(records, in: "films")
    return fixture
  }

  private static func ids(
    _ fixture: ServiceFixture, _ query: JSON, key: String = "k"
  ) async throws -> [String]? {
    let answer = try await fixture.call("POST", index, query, key: key)
    guard answer.status == 200 else { return nil }
    return answer.body["hits"]?.arrayValue?.compactMap { $0["objectID"]?.stringValue }
  }

  private static func child(_ restrictions: SecuredAPIKey.Restrictions) throws -> String {
    try SecuredAPIKey.generate(parentKey: "k", restrictions: restrictions)
  }

  private static func child(_ parameters: SearchQuery) throws -> String {
    try child(SecuredAPIKey.Restrictions(searchParameters: parameters))
  }

  /// What a secured key or a caller adds to a key, and the IDs that are found; `nil` is a refusal.
  struct Case: Sendable {
    var key: String
    var added: SearchQuery
    var child: [String]?
    var caller: [String]?
  }

  private static let box = "insideBoundingBox=39,1.5,41,4.5"
  private static let world: [[Double]] = [[-90, -180, 90, 180]]
  private static let polygon: [[Double]] = [[-80, -170, -80, 170, 80, 170, 80, -170]]

  private static let cases: [Case] = [
    // Numbers: the smaller one.
    Case(
      key: "hitsPerPage=2", added: .init().with { $0.hitsPerPage = 1_000 },
      child: ["0", "1"], caller: ["0", "1"]),
    Case(
      key: "hitsPerPage=2", added: .init().with { $0.hitsPerPage = 1 },
      child: ["0"], caller: ["0"]),
    Case(
      key: "distinct=1", added: .init().with { $0.distinct = false },
      child: ["0", "1"], caller: ["0", "1"]),
    Case(
      key: "distinct=2", added: .init().with { $0.distinct = 1 },
      child: ["0", "1"], caller: ["0", "1"]),
    // Text: the secured key cannot have another one, the caller's is replaced.
    Case(key: "query=film%203", added: SearchQuery(""), child: nil, caller: ["3"]),
    Case(key: "query=film%203", added: SearchQuery("film 4"), child: nil, caller: ["3"]),
    Case(key: "query=film%203", added: SearchQuery("film 3"), child: ["3"], caller: ["3"]),
    Case(
      key: "query=film%203", added: .init().with { $0.optionalWords = "3" },
      child: nil, caller: nil),
    Case(
      key: "query=film%203%20zzz",
      added: .init().with { $0.removeWordsIfNoResults = .allOptional }, child: nil, caller: []),
    Case(
      key: "query=film%203", added: .init().with { $0.similarQuery = "film" },
      child: nil, caller: nil),
    Case(
      key: "query=film%203", added: .init().with { $0.restrictSearchableAttributes = ["title"] },
      child: nil, caller: nil),
    // Areas: boxes are cut, others are not possible.
    Case(
      key: box, added: .init().with { $0.insideBoundingBox = .value(.boxes(world)) },
      child: ["2", "3", "4"], caller: ["2", "3", "4"]),
    Case(
      key: box, added: .init().with { $0.insideBoundingBox = [[39, 3.5, 41, 9]] },
      child: ["4"], caller: ["4"]),
    Case(
      key: box, added: .init().with { $0.insideBoundingBox = [[39, 7, 41, 9]] },
      child: nil, caller: []),
    Case(
      key: box, added: .init().with { $0.insideBoundingBox = [[39, 363.5, 41, 369]] },
      child: ["4"], caller: ["4"]),
    Case(
      key: box, added: .init().with { $0.insidePolygon = polygon },
      child: nil, caller: ["2", "3", "4"]),
    Case(
      key: box, added: .init().with { $0.aroundLatLng = Point(latitude: 40, longitude: 9) },
      child: nil, caller: ["2", "3", "4"]),
    Case(
      key: "aroundLatLng=40,0&aroundRadius=100000",
      added: .init().with { $0.insidePolygon = polygon }, child: nil, caller: nil),
    Case(
      key: "aroundLatLng=40,0&aroundRadius=100000",
      added: .init().with { $0.insideBoundingBox = .value(.boxes(world)) }, child: nil, caller: nil),
    Case(
      key: "aroundLatLng=40,0&aroundRadius=100000",
      added: .init().with { $0.aroundRadius = .all }, child: ["0", "1"], caller: ["0", "1"]),
    Case(
      key: "aroundLatLng=40,0&aroundRadius=100000",
      added: .init().with { $0.aroundRadius = 10 }, child: ["0"], caller: ["0"]),
    Case(
      key: "insidePolygon=39,1.5,41,1.5,41,4.5,39,4.5",
      added: .init().with { $0.insideBoundingBox = .value(.boxes(world)) }, child: nil, caller: nil),
    // Filters of all kinds are added.
    Case(
      key: "facetFilters=owner%3Ame", added: .init().with { $0.filters = "n < 3" },
      child: ["0", "2"], caller: ["0", "2"]),
    Case(
      key: "numericFilters=n%3C3", added: .init().with { $0.numericFilters = ["n > 0"] },
      child: ["1", "2"], caller: ["1", "2"]),
  ]

  @Test(arguments: cases) func addedParametersOnlyNarrow(_ it: Case) async throws {
    let fixture = try await Self.fixture(it.key)
    let query = try JSON(encoding: it.added)
    try await expectEqual(Self.ids(fixture, query), it.caller, "caller")
    try await expectEqual(
      Self.ids(fixture, ["query": ""], key: Self.child(it.added)), it.child, "secured key")
  }

  @Test func attributesAreThoseOfBoth() async throws {
    for (parent, child, expected) in [
      ("title,owner", ["*"], ["owner", "title"]), ("title,owner", ["owner", "cost"], ["owner"]),
      ("title", ["cost"], []), ("*,-cost", ["*"], ["_geoloc", "n", "owner", "title"]),
      ("*,-cost", ["*", "-n"], ["_geoloc", "owner", "title"]),
      ("*,-_geoloc.lat", ["_geoloc.lat", "n"], ["n"]), ("*,-_geoloc.lat", ["_geoloc"], nil),
    ] as [(String, [String], [String]?)] {
      let fixture = try await Self.fixture("attributesToRetrieve=\(parent)")
      let added = SearchQuery().with { $0.attributesToRetrieve = child }
      func names(_ query: JSON, _ key: String) async throws -> [String]? {
        let answer = try await fixture.call("POST", Self.index, query, key: key)
        let members = answer.body["hits"]?[0]?.objectValue?.keys.sorted()
        return members?.filter { !["objectID", "_highlightResult"].contains($0) }
      }
      try await expectEqual(names([:], Self.child(added)), expected, "\(parent) and \(child)")
      if let expected {
        try await expectEqual(names(JSON(encoding: added), "k"), expected)
      }
    }
  }

  @Test func hitsAreLimitedWithTheirGroups() async throws {
    for hits in 1...4 {
      let fixture = try await Self.fixture("", hits: hits)
      for distinct in 1...4 {
        for query in [
          ["distinct": .int(Int64(distinct))],
          ["distinct": .int(Int64(distinct)), "offset": 0, "length": 100],
          ["distinct": .int(Int64(distinct)), "hitsPerPage": 100],
        ] as [JSON] {
          let found = try await Self.ids(fixture, query)?.count ?? 0
          #expect((1...hits).contains(found), "\(found) hits for \(query) with at most \(hits)")
        }
      }
    }
  }

  @Test func groupsOfTheSettingsCount() async throws {
    let fixture = try await Self.fixture("", hits: 3)
    let settings: JSON = ["distinct": 2]
    try await expectEqual(fixture.call("PUT", "/1/indexes/films/settings", settings).status, 200)
    try await expectEqual(Self.ids(fixture, [:])?.count, 2)
  }

  @Test func rankingInformationDoesNotTellHiddenPlaces() async throws {
    let fixture = try await Self.fixture("attributesToRetrieve=title")
    let query: JSON = ["getRankingInfo": true, "aroundLatLng": "40,1", "aroundRadius": "all"]
    let answer = try await fixture.call("POST", Self.index, query, key: "k")
    #expect(!answer.body.text.contains("matchedGeoLocation"))
    let admin = try await fixture.call("POST", Self.index, query)
    #expect(admin.body.text.contains("matchedGeoLocation"))
    try await expectEqual(
      fixture.call("POST", Self.index, ["ranking": ["desc( cost )"]], key: "k").status, 403)
    try await expectEqual(
      fixture.call("POST", Self.index, ["ranking": ["desc(title)"]], key: "k").status, 200)
  }

  @Test func namesOfAttributesAreComparedWhole() async throws {
    let fixture = try await Self.fixture("attributesToRetrieve=title")
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["title:x", "title"]), of: "films")
    try await fixture.engine.save(
      [["objectID": "1", "title:x": "secret", "title": "open"] as JSON], in: "films")
    let query: JSON = [
      "facets": ["title:x", "title"], "attributesToHighlight": ["title:x"],
      "attributesToSnippet": ["title:x", "title:x:9", "title:9"],
    ]
    let answer = try await fixture.call("POST", Self.index, query, key: "k")
    expectEqual(answer.status, 200)
    #expect(!answer.body.text.contains("secret"), "\(answer.body.text)")
    expectEqual(answer.body["facets"]?.objectValue?.keys.sorted(), ["title"])
  }

  @Test func unknownParametersAreRefused() async throws {
    let fixture = try await Self.fixture("filters=owner%3Ame")
    for query in [["facetFilter": "owner:other"], ["params": "fliters=x"]] as [JSON] {
      let answer = try await fixture.call("POST", Self.index, query, key: "k")
      expectEqual(answer.status, 400)
      #expect(answer.body["message"]?.stringValue?.hasPrefix("Unknown parameter: f") == true)
    }
  }
}
