import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import InstantSearchAPI
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// A key opens only what it names, in whichever form a call names it.
struct RightsTests {
  /// Messages tell which attributes records have.
  @Test(arguments: ["filters=team%3Ared", "attributesToRetrieve=team"])
  func aKeyWithLimitsGetsNoHints(limits: String) async throws {
    let fixture = try ServiceFixture(
      keys: [
        APIKey("limited", acl: [.search], queryParameters: limits),
        APIKey("all", acl: [.search]),
      ])
    try await fixture.engine.setSettings(TeamRecord.settings, of: "films")
    try await fixture.engine.save(
      [["objectID": "1", "team": "blue", "amount": 1] as JSON], in: "films")
    for body in [
      ["numericFilters": ["amaunt > 1"]], ["restrictSearchableAttributes": ["taem"]],
      ["facets": ["taem"]], ["attributesToHighlight": ["amaunt"]],
    ] as [JSON] {
      for (key, hasMessage) in [("limited", false), ("all", true)] {
        let answer = try await fixture.call("POST", "/1/indexes/films/query", body, key: key)
        expectEqual(answer.status, 200)
        expectEqual(answer.body["message"] != nil, hasMessage, "\(key) \(body.text)")
      }
    }
  }

  /// Neither do the errors of a search for facet values, where mistakes are errors.
  @Test func facetSearchesOfAKeyWithLimitsGiveNoHints() async throws {
    let limited = APIKey("limited", acl: [.search], queryParameters: "filters=team%3Ared")
    let fixture = try ServiceFixture(
      keys: [limited, APIKey("all", acl: [.search])],
      engine: LocalSearch(configuration: .init(rejectsMistakes: true)))
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["searchable(team)"]), of: "films")
    try await fixture.engine.save(
      [["objectID": "1", "team": "blue", "amount": 1] as JSON], in: "films")
    for (key, status) in [("limited", 200), ("all", 400)] {
      let answer = try await fixture.call(
        "POST", "/1/indexes/films/facets/team/query",
        ["facetQuery": "b", "numericFilters": ["amaunt > 1"]], key: key)
      expectEqual(answer.status, status, "\(answer.body.text)")
    }
  }

  /// All indices have the same dictionaries.
  @Test func aKeyOfSomeIndicesHasNoDictionaries() async throws {
    let rights: [Right] = [.editSettings, .settings]
    let fixture = try ServiceFixture(
      keys: [APIKey("some", acl: rights, indexes: ["films"]), APIKey("all", acl: rights)])
    for (method, path, body) in [
      ("POST", "stopwords/search", ["query": ""]), ("GET", "*/languages", nil),
      ("GET", "*/settings", nil), ("PUT", "*/settings", ["disableStandardEntries": [:]]),
      ("POST", "plurals/batch", ["requests": []]),
    ] as [(String, String, JSON?)] {
      let path = "/1/dictionaries/\(path)"
      try await expectEqual(fixture.call(method, path, body, key: "some").status, 403, "\(path)")
      try await expectEqual(fixture.call(method, path, body, key: "all").status, 200, "\(path)")
    }
  }

  private static func fixture(_ keys: APIKey...) async throws -> ServiceFixture {
    let fixture = try ServiceFixture(keys: keys)
    for index in ["films", "secret"] {
      try await fixture.engine.save(
        (0..<3).map { ["objectID": .string("\(index)\($0)"), "n": .int(Int64($0))] as JSON },
        in: index)
    }
    return fixture
  }

  // MARK: Indices

  @Test(arguments: [
    #"{"replicas":["secret"]}"#, #"{"slaves":["secret"]}"#, #"{"replicas":["virtual(secret)"]}"#,
    #"{"slaves":[" virtual(secret) "]}"#, #"{"replicas":null,"slaves":["secret"]}"#,
    #"{"replicas":["films_a","films _x"]}"#, #"{"replicas":["films\n_1"]}"#,
  ])
  func replicasOfOtherIndicesAreNotSet(settings: String) async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.editSettings], indexes: ["films", "films_*"]))
    let answer = try await fixture.call(
      "PUT", "/1/indexes/films/settings", JSON(parsing: Array(settings.utf8)), key: "k")
    expectEqual(answer.status, 403)
    expectEqual(fixture.engine.indexNames, ["films", "secret"])
    expectEqual(fixture.engine.recordCount(of: "secret"), 3)
  }

  @Test(arguments: ["replicas", "slaves"]) func replicasOfOthersAreNotRemoved(
    name: String
  ) async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.editSettings, .settings], indexes: ["films"]))
    try await fixture.engine.setSettings(IndexSettings(replicas: ["other"]), of: "films")
    for value in [[], [""], "", .null] as [JSON] {
      let answer = try await fixture.call(
        "PUT", "/1/indexes/films/settings", .object([name: value]), key: "k")
      expectEqual(answer.status, 403, "\(value)")
    }
    let settings = try await fixture.call("GET", "/1/indexes/films/settings", key: "k")
    expectEqual(settings.body["replicas"], [])
    try await expectEqual(fixture.engine.settings(of: "films").replicas, ["other"])
  }

  @Test func replicasOfOthersAreNotReleasedWithTheirPrimary() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.deleteIndex], indexes: ["films"]))
    try await fixture.engine.setSettings(IndexSettings(replicas: ["other"]), of: "films")
    let delete: JSON = ["requests": [["action": "delete", "indexName": "films"]]]
    try await expectEqual(fixture.call("DELETE", "/1/indexes/films", key: "k").status, 403)
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/batch", delete, key: "k").status, 403)
    try await expectEqual(fixture.call("POST", "/1/indexes/*/batch", delete, key: "k").status, 403)
    expectEqual(fixture.engine.indexNames, ["films", "other", "secret"])
  }

  @Test func facetsOfAKeyLimitTheSearchForTheirValues() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.search], queryParameters: "facets=a"))
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["searchable(a)", "searchable(b)"]), of: "films")
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/facets/a/query", [:], key: "k").status, 200)
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/facets/b/query", [:], key: "k").status, 403)
  }

  @Test func membersThatTheCheckDoesNotKnowAreRefused() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.editSettings, .addObject, .search], indexes: ["films"]))
    for (method, path, body) in [
      ("PUT", "/1/indexes/films/settings", #"{"replicaNames":["secret"]}"#),
      ("PUT", "/1/indexes/films/settings", #"{"replicas":["films"],"replicas":[]}"#),
      (
        "POST", "/1/indexes/*/batch",
        #"{"requests":[{"indexName":"secret","indexName":"films","action":"clear"}]}"#
      ),
      (
        "POST", "/1/indexes/*/queries",
        #"{"requests":[{"indexName":"secret"}],"requests":[{"indexName":"films"}]}"#
      ),
    ] {
      let response = await fixture.service.respond(
        to: ServiceRequest(
          method: method, target: path,
          headers: [HTTPHeader(name: "X-Algolia-API-Key", value: "k")], body: Array(body.utf8)))
      expectEqual(response.status, 400, "\(body)")
    }
    expectEqual(fixture.engine.recordCount(of: "secret"), 3)
  }

  // MARK: Records

  @Test func idsInOtherUnicodeFormsAreOtherRecords() async throws {
    let (composed, decomposed) = ("\u{E9}1", "e\u{301}1")
    let fixture = try ServiceFixture(keys: [
      APIKey("k", acl: [.search], queryParameters: "filters=owner%3Ame")
    ])
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["owner"]), of: "films")
    for (mine, others) in [(composed, decomposed), (decomposed, composed)] {
      try await fixture.engine.replaceAll(
        with: [
          ["objectID": .string(mine), "owner": "me"], ["objectID": .string(others), "owner": "x"],
        ] as [JSON], in: "films")
      for order in [[mine, others], [others, mine]] {
        let names = order.map { ["indexName": "films", "objectID": .string($0)] as JSON }
        let answer = try await fixture.call(
          "POST", "/1/indexes/*/objects", ["requests": .array(names)], key: "k")
        let results = answer.body["results"]?.arrayValue ?? []
        expectEqual(results.map(\.isNull), order.map { !$0.utf8.elementsEqual(mine.utf8) })
      }
      for (id, status) in [(mine, 200), (others, 404)] {
        let name = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let path = "/1/indexes/films/" + name
        try await expectEqual(fixture.call("GET", path, key: "k").status, status)
      }
    }
  }

  @Test func unretrievableAttributesAreForThoseWhoMaySeeThem() async throws {
    let fixture = try ServiceFixture(keys: [
      APIKey("k", acl: [.search, .browse]),
      APIKey("all", acl: [.search, .browse, .seeUnretrievableAttributes]),
    ])
    var settings = IndexSettings(attributesForFaceting: ["searchable(cost)", "title"])
    settings.unretrievableAttributes = ["cost", "_geoloc"]
    try await fixture.engine.setSettings(settings, of: "films")
    let record: JSON = [
      "objectID": "1", "title": "open", "cost": "secret", "_geoloc": ["lat": 12.5, "lng": 2],
    ]
    try await fixture.engine.save([record], in: "films")
    let query: JSON = [
      "query": "open", "facets": ["*", "cost"], "getRankingInfo": true,
      "aroundLatLng": "12,2", "aroundRadius": "all", "attributesToSnippet": ["*"],
    ]
    for (method, path, body) in [
      ("POST", "/1/indexes/films/query", query), ("POST", "/1/indexes/films/browse", [:]),
      ("POST", "/1/indexes/*/queries", ["requests": [["indexName": "films", "facets": ["cost"]]]]),
      ("GET", "/1/indexes/films/1", nil),
      ("POST", "/1/indexes/*/objects", ["requests": [["indexName": "films", "objectID": "1"]]]),
      ("POST", "/1/indexes/films/facets/cost/query", ["facetQuery": ""]),
    ] as [(String, String, JSON?)] {
      let hidden = try await fixture.call(method, path, body, key: "k")
      let text = hidden.body.text
      #expect(!text.contains("secret") && !text.contains("12.5"), "\(path): \(text)")
      for key in ["all", ServiceFixture.adminKey] {
        let seen = try await fixture.call(method, path, body, key: key)
        expectEqual(seen.status, 200)
        #expect(seen.body.text.contains("secret"), "\(path): \(seen.body.text)")
      }
    }
    let sorted: JSON = ["ranking": ["asc(cost)"]]
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/query", sorted, key: "k").status, 400)
    try await expectEqual(fixture.call("POST", "/1/indexes/films/query", sorted).status, 200)
    let read = try await fixture.call("GET", "/1/indexes/films/settings")
    expectEqual(read.body["unretrievableAttributes"], ["cost", "_geoloc"])
  }

  /// A cache between the service and the engine, and cursors, belong to the rights of a caller.
  @Test func whatOneCallerSeesIsNotGivenToAnother() async throws {
    let engine = LocalSearch()
    var settings = IndexSettings()
    settings.unretrievableAttributes = ["cost"]
    try await engine.setSettings(settings, of: "films")
    try await engine.save(
      (0..<3).map { ["objectID": .string("\($0)"), "cost": "secret"] as JSON }, in: "films")
    let service = SearchService(
      transport: CachingTransport(wrapping: engine),
      keys: try ServiceKeys(
        adminKey: "admin", changes: [.saved(APIKey("k", acl: [.search, .browse]))]),
      configuration: SearchService.Configuration(clock: ManualClock()) { 1_800_000_000 })
    func body(_ path: String, _ body: JSON, key: String) async throws -> (Int, JSON) {
      let response = await service.respond(
        to: ServiceRequest(
          method: "POST", target: path,
          headers: [HTTPHeader(name: "X-Algolia-API-Key", value: key)],
          body: Array(body.text.utf8)))
      return (response.status, try JSON(parsing: response.bytes))
    }
    for key in ["admin", "k", "admin"] {
      let answer = try await body("/1/indexes/films/query", ["query": ""], key: key)
      expectEqual(answer.1.text.contains("secret"), key == "admin")
    }
    let browse = try await body("/1/indexes/films/browse", ["hitsPerPage": 1], key: "admin")
    let cursor = try #require(browse.1["cursor"])
    let stolen = try await body("/1/indexes/films/browse", ["cursor": cursor], key: "k")
    expectEqual(stolen.0, 400)
    let next = try await body("/1/indexes/films/browse", ["cursor": cursor], key: "admin")
    expectEqual(next.1["hits"]?[0]?["cost"], "secret")
  }

  @Test func anExplanationNeedsTheSettings() async throws {
    let fixture = try await Self.fixture(
      APIKey("search", acl: [.search]), APIKey("settings", acl: [.search, .settings]),
      APIKey(
        "filter", acl: [.search, .settings], queryParameters: "filters=objectID%3A1"),
      APIKey(
        "list", acl: [.search, .settings], queryParameters: "attributesToRetrieve=title"))
    let inline: JSON = ["query": "a", "explain": ["match.alternatives"]]
    let encoded: JSON = ["params": "query=a&explain=%5B%22match.alternatives%22%5D"]
    for query in [inline, encoded] {
      for (key, status) in [("search", 403), ("filter", 403), ("list", 403), ("settings", 200)] {
        let one = try await fixture.call("POST", "/1/indexes/films/query", query, key: key)
        expectEqual(one.status, status, "\(key)")
        expectEqual(one.body["explain"] != nil, status == 200)
        var request = query
        request["indexName"] = "films"
        let several = try await fixture.call(
          "POST", "/1/indexes/*/queries", ["requests": [request]], key: key)
        expectEqual(several.status, status, "\(key)")
      }
      try await expectEqual(
        fixture.call("POST", "/1/indexes/films/query", query).status, 200)
    }
  }

  // MARK: Keys

  @Test func unknownMembersOfKeysAreErrors() async throws {
    let fixture = try await Self.fixture()
    for (member, value) in [("index", ["films"]), ("maxHits", 3), ("Acl", [])] as [(String, JSON)] {
      let answer = try await fixture.call(
        "POST", "/1/keys", .object(["acl": ["search"], member: value]))
      expectEqual(answer.status, 400)
      expectEqual(answer.body["message"], .string("Unknown member \"\(member)\" of a key"))
    }
    for parameters in [
      "filters=a%3Ab&filters=c%3Ad", "filters=", "filters=%20", "facetFilters=%5B%5D",
      "insideBoundingBox=", "aroundLatLng=",
    ] {
      let key: JSON = ["acl": ["search"], "queryParameters": .string(parameters)]
      try await expectEqual(fixture.call("POST", "/1/keys", key).status, 400, "\(parameters)")
    }
  }

  @Test(arguments: [
    "restrictIndices=&userToken=a", "filters=", "filters=%20", "userToken=&filters=n%3E1",
    "restrictSources=&filters=n%3E1", "tagFilters=%5B%5D", "numericFilters=&userToken=a",
    "restrictSearchableAttributes=&userToken=a",
  ])
  func emptyRestrictionsAreRefused(text: String) async throws {
    let fixture = try await Self.fixture(APIKey("k", acl: [.search]))
    let code = HMACSHA256.code(for: text.utf8, key: Array("k".utf8))
    let key = Data(Hexadecimal.text(of: code) + Array(text.utf8)).base64EncodedString()
    let answer = try await fixture.call("POST", "/1/indexes/films/query", [:], key: key)
    #expect([400, 403].contains(answer.status), "\(answer.status)")
  }

  @Test func securedKeysCountForTheAddressOfTheirParent() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.search], maxQueriesPerIPPerHour: 3))
    func status(_ user: String?, from address: String) async throws -> Int {
      let key =
        try user.map {
          try SecuredAPIKey.generate(
            parentKey: "k", restrictions: SecuredAPIKey.Restrictions(userToken: $0))
        } ?? "k"
      return try await fixture.call(
        "POST", "/1/indexes/films/query", [:], key: key, from: address
      ).status
    }
    var statuses: [Int] = []
    for user in 0..<8 { statuses.append(try await status("u\(user)", from: "192.0.2.1")) }
    expectEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429])
    // The same user elsewhere has used the same limit.
    statuses = []
    for address in 2..<6 { statuses.append(try await status("one", from: "192.0.2.\(address)")) }
    expectEqual(statuses, [200, 200, 200, 429])
  }

  @Test func searchesForParentsAreLimitedForAnAddress() async throws {
    let fixture = try await Self.fixture(APIKey("k", acl: [.search]))
    func status(_ parent: String, _ number: Int, from address: String) async throws -> Int {
      let key = try SecuredAPIKey.generate(
        parentKey: parent, restrictions: SecuredAPIKey.Restrictions(userToken: "user \(number)"))
      return try await fixture.call(
        "POST", "/1/indexes/films/query", [:], key: key, from: address
      ).status
    }
    var refused = 0
    for number in 0..<800 {
      refused += try await status("foreign", number, from: "192.0.2.1") == 429 ? 1 : 0
    }
    #expect((100..<500).contains(refused), "\(refused)")
    // Keys of the service are not affected, and neither are other addresses.
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/query", [:], key: "k", from: "192.0.2.1").status, 200)
    try await expectEqual(status("k", 1, from: "192.0.2.2"), 200)
    fixture.advance(by: 3_600)
    try await expectEqual(status("k", 2, from: "192.0.2.1"), 200)
  }

  // MARK: Writes

  @Test func deletionByQueryHasFiltersOnly() async throws {
    let fixture = try await Self.fixture()
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["n"]), of: "films")
    for body in [
      ["filters": "n:1", "facetFilter": ["n:2"]], ["aroundLatLng": "0,0"],
      ["filters": "n:1", "query": "a"], ["filters": "n:1", "hitsPerPage": 1],
      ["filters": "n:1", "distinct": true], ["filters": "n:1", "page": 0], [:],
      ["aroundRadius": 10], ["filters": ""],
    ] as [JSON] {
      let answer = try await fixture.call("POST", "/1/indexes/films/deleteByQuery", body)
      expectEqual(answer.status, 400, "\(body.text)")
      expectEqual(fixture.engine.recordCount(of: "films"), 3)
    }
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/deleteByQuery", ["filters": "n:1"]).status, 200)
    expectEqual(fixture.engine.recordCount(of: "films"), 2)
  }

  @Test func writesThatAreProbablyMistakesAreRefused() async throws {
    let fixture = try await Self.fixture()
    for (method, path, body) in [
      (
        "POST", "/1/indexes/films/batch",
        ["requests": [["action": "delete", "body": ["objectID": "films1"]]]]
      ),
      (
        "POST", "/1/indexes/films/batch",
        ["requests": [["action": "clear", "body": ["objectID": "films1"]]]]
      ),
      (
        "POST", "/1/indexes/films/batch",
        ["requests": [["action": "delete", "objectID": "films1"]]]
      ),
      (
        "POST", "/1/indexes/films/batch",
        ["requests": [["action": "addObject", "body": ["objectID": .null]]]]
      ),
      ("PUT", "/1/indexes/films/films1", nil), ("POST", "/1/indexes/films", nil),
      ("POST", "/1/indexes/films/films1/partial", nil), ("PUT", "/1/indexes/films/settings", nil),
    ] as [(String, String, JSON?)] {
      let answer = try await fixture.call(method, path, body)
      expectEqual(answer.status, 400, "\(path) \(answer.body.text)")
    }
    expectEqual(fixture.engine.recordCount(of: "films"), 3)
    try await expectEqual(
      fixture.call("GET", "/1/indexes/films/films1").body, ["objectID": "films1", "n": 1])
  }
}
