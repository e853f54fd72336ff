import AsyncInstantSearchTesting
import Foundation
import InstantSearchJSON
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// Keys: their calls, their limits, and secured keys.
struct KeyTests {
  private static func fixture(_ keys: APIKey...) async throws -> ServiceFixture {
    let fixture = try ServiceFixture(keys: keys)
    for index in ["films", "people"] {
      try await fixture.engine.setSettings(TeamRecord.settings, of: index)
      let records = (0..<30).map {
        TeamRecord($0, team: $0 % 2 == 0 ? "red" : "blue", isOpen: $0 % 3 == 0)
      }
      try await fixture.engine.save(records, in: index)
    }
    return fixture
  }

  /// A program stores its keys, and has the same ones at its next start.
  @Test func keysAreEncodedAsTheCallsReturnThem() async throws {
    let key = APIKey(
      "secret", acl: [.search, "analytics"], indexes: ["films", "p*"],
      referers: ["*.example.com/*"],
      queryParameters: "filters=a%3Ab&restrictSources=192.0.2.0%2F24", maxHitsPerQuery: 5,
      maxQueriesPerIPPerHour: 6, validity: 7, note: "A \"note\"", createdAt: 1_800_000_000_123)
    let bytes = try JSONEncoder().encode([key, APIKey("other", acl: [])])
    try expectEqual(
      JSONDecoder().decode([APIKey].self, from: bytes),
      [key, APIKey("other", acl: [])])
    let read = try await Self.fixture(key).call("GET", "/1/keys/secret")
    try expectEqual(JSON(parsing: Array(JSONEncoder().encode(key))), read.body)
    for text in [
      #"{"acl": []}"#, #"{"value": "a", "createdAt": 1}"#, "[]", "1",
      #"{"value": "a", "acl": "search"}"#, #"{"value": "a", "acl": [1]}"#,
      #"{"value": "a", "acl": [], "validity": "1"}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(APIKey.self, from: Data(text.utf8))
      }
    }
    // What another service may have, this one does not accept.
    for text in [
      #"{"value": "a", "createdAt": 1, "acl": ["unknown"]}"#,
      #"{"value": "a", "createdAt": 1, "acl": [], "validity": -1}"#,
      #"{"value": "a", "createdAt": 1, "acl": [], "indexes": [""]}"#,
    ] {
      _ = try JSONDecoder().decode(APIKey.self, from: Data(text.utf8))
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(
          ServiceKeyChange.self, from: Data("{\"saved\": \(text)}".utf8))
      }
    }
  }

  @Test func keysAreAddedReadChangedDeletedAndRestored() async throws {
    let fixture = try await Self.fixture()
    let added = try await fixture.call(
      "POST", "/1/keys",
      ["acl": ["search"], "indexes": ["films"], "description": "web", "maxHitsPerQuery": 5])
    expectEqual(added.status, 200)
    expectEqual(added.body["createdAt"], "2027-01-15T08:00:00Z")
    let key = try #require(added.body["key"]?.stringValue)
    expectEqual(key.utf8.count, 32)
    let read = try await fixture.call("GET", "/1/keys/\(key)")
    expectEqual(
      read.body,
      [
        "value": .string(key), "createdAt": 1_800_000_000_000, "acl": ["search"],
        "indexes": ["films"], "maxHitsPerQuery": 5, "validity": 0, "description": "web",
      ])
    // It reads itself, and nothing else.
    let own = try await fixture.call("GET", "/1/keys/\(key)", key: key)
    #expect(own.body["description"] == "<redacted>" && own.body["acl"] == ["search"])
    try await expectEqual(fixture.call("GET", "/1/keys", key: key).status, 403)
    try await expectEqual(fixture.call("GET", "/1/keys/other", key: key).status, 403)
    try await expectEqual(fixture.call("POST", "/1/keys", ["acl": []], key: key).status, 403)
    // What an update does not name returns to its default.
    let changed = try await fixture.call("PUT", "/1/keys/\(key)", ["acl": ["browse"]])
    #expect(changed.body["updatedAt"] != nil)
    let list = try await fixture.call("GET", "/1/keys")
    expectEqual(list.body["keys"]?.arrayValue?.map { $0["acl"] }, [["browse"]])
    #expect(list.body["keys"]?[0]?["indexes"] == nil)
    let deleted = try await fixture.call("DELETE", "/1/keys/\(key)")
    #expect(deleted.body["deletedAt"] != nil)
    try await expectEqual(fixture.call("POST", "/1/indexes/films/browse", key: key).status, 403)
    try await expectEqual(fixture.call("GET", "/1/keys/\(key)").status, 404)
    try await expectEqual(fixture.call("DELETE", "/1/keys/\(key)").status, 404)
    try await expectEqual(fixture.call("POST", "/1/keys/\(key)/restore").status, 200)
    try await expectEqual(fixture.call("POST", "/1/indexes/films/browse", key: key).status, 200)
    try await expectEqual(fixture.call("POST", "/1/keys/\(key)/restore").status, 404)
  }

  @Test(
    arguments: [
      [:], ["acl": "search"], ["acl": ["fly"]], ["acl": [""]], ["acl": [], "indexes": [1]],
      ["acl": [], "validity": -1], ["acl": [], "maxHitsPerQuery": "5"],
      ["acl": [], "queryParameters": "nothing=1"],
      ["acl": [], "queryParameters": "filters=a:b%20AND"],
      ["acl": [], "queryParameters": "restrictSources=here"],
      ["acl": [], "queryParameters": "hitsPerPage=x"], [1],
    ] as [JSON])
  func keysThatCannotBeEnforcedAreRefused(body: JSON) async throws {
    let fixture = try await Self.fixture()
    let answer = try await fixture.call("POST", "/1/keys", body)
    expectEqual(answer.status, 400, "\(answer.body.text)")
    #expect(fixture.service.keys.all.isEmpty)
  }

  @Test func eachLimitOfAKeyIsChecked() async throws {
    let fixture = try await Self.fixture(
      APIKey(
        "k", acl: [.search], indexes: ["fil*"], referers: ["https://shop.example/*"],
        queryParameters: "restrictSources=10.0.0.0%2F8", maxQueriesPerIPPerHour: 3, validity: 60,
        createdAt: 1_800_000_000_000))
    func status(
      _ index: String = "films", _ call: String = "query", referer: String? = nil,
      from address: String? = "10.1.1.1"
    ) async throws -> (Int, JSON?) {
      let referer = referer ?? "https://SHOP.example/page"
      let answer = try await fixture.call(
        "POST", "/1/indexes/\(index)/\(call)", key: "k", headers: [("Referer", referer)],
        from: address)
      return (answer.status, answer.body["message"])
    }
    try await expectEqual(status().0, 200)
    try await expectEqual(status("people").1, "Index not allowed with this API key")
    // An index that does not exist is refused in the same way.
    try await expectEqual(status("nothing").1, "Index not allowed with this API key")
    try await expectEqual(status("films", "browse").1, "Method not allowed with this API key")
    try await expectEqual(
      status(referer: "https://other.example/").1,
      "Method not allowed with this referer")
    try await expectEqual(status(from: "11.1.1.1").0, 403)
    try await expectEqual(status(from: nil).0, 403)
    // Refused requests do not count. The third counts, and the fourth is too much.
    try await expectEqual(status().0, 200)
    try await expectEqual(status().0, 200)
    try await expectEqual(status().0, 429)
    try await expectEqual(status(from: "10.1.1.2").0, 200)
    fixture.advance(by: 59)
    try await expectEqual(status(from: "10.1.1.3").0, 200)
    fixture.advance(by: 1)
    try await expectEqual(status(from: "10.1.1.3").1, "Invalid Application-ID or API key")
  }

  @Test func requestsOfAnHourAreCounted() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.search], maxQueriesPerIPPerHour: 2))
    func status() async throws -> Int {
      try await fixture.call("POST", "/1/indexes/films/query", key: "k", from: "1.1.1.1").status
    }
    try await expectEqual([status(), status(), status()], [200, 200, 429])
    fixture.advance(by: 59 * 60)
    try await expectEqual(status(), 429)
    fixture.advance(by: 60)
    try await expectEqual([status(), status(), status()], [200, 200, 429])
    // At once, too.
    fixture.advance(by: 60 * 60)
    try await expectEqual([status(), status(), status()], [200, 200, 429])
  }

  @Test func sourceBehindAProxyIsTheLastThatIsNotTrusted() async throws {
    let fixture = try ServiceFixture(
      keys: [
        APIKey("k", acl: [.listIndexes], queryParameters: "restrictSources=9.9.9.9")
      ]
    ) { $0.trustedProxies = [IPNetwork("10.0.0.0/8")].compactMap(\.self) }
    func status(_ peer: String, _ forwarded: String) async throws -> Int {
      try await fixture.call(
        "GET", "/1/indexes", key: "k", headers: [("X-Forwarded-For", forwarded)], from: peer
      ).status
    }
    try await expectEqual(status("10.0.0.1", "1.1.1.1, 9.9.9.9, 10.0.0.7"), 200)
    try await expectEqual(status("10.0.0.1", "9.9.9.9, 1.1.1.1"), 403)
    // A client that is no proxy cannot choose its address.
    try await expectEqual(status("1.1.1.1", "9.9.9.9"), 403)
  }

  @Test func parametersOfAKeyAreForced() async throws {
    let fixture = try await Self.fixture(
      APIKey(
        "k", acl: [.search, .browse, .addObject, .settings],
        queryParameters: "filters=open%3Atrue&attributesToRetrieve=team&hitsPerPage=4",
        maxHitsPerQuery: 3))
    func ids(_ body: JSON, _ call: String = "query") async throws -> [String] {
      let answer = try await fixture.call("POST", "/1/indexes/films/\(call)", body, key: "k")
      return answer.body["hits"]?.arrayValue?.compactMap { $0["objectID"]?.stringValue } ?? []
    }
    try await expectEqual(ids(["filters": "team:red OR team:blue"]), ["0", "3", "6"])
    try await expectEqual(ids(["params": "filters=team%3Ared&hitsPerPage=1000"]), ["0", "6", "12"])
    try await expectEqual(ids(["hitsPerPage": 1000, "page": 3]), ["27"])
    try await expectEqual(ids(["length": 10, "offset": 8]), ["24", "27"])
    // A browse is paged by the same limit.
    try await expectEqual(ids([:], "browse").count, 3)
    let multi = try await fixture.call(
      "POST", "/1/indexes/*/queries",
      [
        "requests": [
          ["indexName": "films", "filters": "objectID:1 OR objectID:3"],
          ["indexName": "people", "attributesToRetrieve": ["*"]],
        ]
      ], key: "k")
    expectEqual(multi.body["results"]?[0]?["hits"]?.arrayValue?.map { $0["objectID"] }, ["3"])
    #expect(multi.body["results"]?[1]?["hits"]?[0]?["open"] == nil)
    // Records that a search does not find are not there.
    try await expectEqual(fixture.call("GET", "/1/indexes/films/1", key: "k").status, 404)
    let record = try await fixture.call(
      "GET", "/1/indexes/films/3?attributesToRetrieve=open", key: "k")
    expectEqual(record.body, ["objectID": "3", "team": "blue"])
    let records = try await fixture.call(
      "POST", "/1/indexes/*/objects",
      [
        "requests": [
          ["indexName": "films", "objectID": "1"], ["indexName": "films", "objectID": "6"],
          ["indexName": "films", "objectID": "none"],
        ]
      ], key: "k")
    expectEqual(
      records.body, ["results": [.null, ["objectID": "6", "team": "red"], .null]])
    // It cannot write what it cannot read, nor learn of what it does not see.
    for (method, path) in [
      ("PUT", "/1/indexes/films/x"), ("POST", "/1/indexes/films/batch"),
      ("GET", "/1/indexes/films/settings"), ("POST", "/1/indexes/films/rules/search"),
    ] {
      let answer = try await fixture.call(method, path, ["requests": []], key: "k")
      expectEqual(answer.status, 403, "\(path)")
    }
  }

  /// No text of a caller reaches beyond its own part.
  @Test(
    arguments: [
      "team:blue) OR (open:false", "team:blue OR", "OR team:blue", "NOT", "team:'blue", ")", "(",
      #"team:"blue"#, "team:blue)) OR ((open:false", "it's) OR (open:false AND x:'y",
      #"team:"a\" OR open:false"#, "AND open:false",
    ])
  func filtersCannotEscape(text: String) async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.search], queryParameters: "filters=open%3Atrue"))
    for body in [["filters": .string(text)], ["params": "filters=\(encoded(text))"]] as [JSON] {
      let answer = try await fixture.call("POST", "/1/indexes/films/query", body, key: "k")
      expectEqual(answer.status, 400, "\(answer.body.text)")
    }
  }

  private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
  }

  @Test func cursorIsOfItsKeyAndIndex() async throws {
    let fixture = try await Self.fixture(
      APIKey("all", acl: [.browse]),
      APIKey("red", acl: [.browse], queryParameters: "filters=team%3Ared"),
      APIKey("blue", acl: [.browse], queryParameters: "filters=team%3Ablue"))
    func browse(
      _ key: String, _ body: JSON, in index: String = "films"
    ) async throws -> (status: Int, ids: [String], cursor: JSON?) {
      let answer = try await fixture.call(
        "POST", "/1/indexes/\(index)/browse", body, key: key)
      let ids = answer.body["hits"]?.arrayValue?.compactMap { $0["objectID"]?.stringValue }
      return (answer.status, ids ?? [], answer.body["cursor"])
    }
    let open = try #require(try await browse("all", ["hitsPerPage": 2]).cursor)
    let red = try #require(try await browse("red", ["hitsPerPage": 2]).cursor)
    let next = try await browse("red", ["cursor": red])
    #expect(next.ids.count == 2 && next.cursor != nil)
    for cursor in [open, red, "1-0", "x.1-0", ".", ""] as [JSON] {
      try await expectEqual(browse("blue", ["cursor": cursor]).status, 400)
      let params = "cursor=\(encoded(cursor.stringValue ?? ""))"
      let hidden = try await browse("blue", ["params": .string(params), "hitsPerPage": 30])
      #expect(hidden.ids.allSatisfy { (Int($0) ?? 0) % 2 == 1 } && hidden.ids.count == 15)
    }
    try await expectEqual(browse("red", ["cursor": red], in: "people").status, 400)
  }

  @Test func replicasOutsideOfAKeyAreNotWritten() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.editSettings, .settings], indexes: ["films", "films_*"]))
    func status(_ body: JSON, _ query: String = "") async throws -> Int {
      try await fixture.call("PUT", "/1/indexes/films/settings" + query, body, key: "k").status
    }
    try await expectEqual(status(["replicas": ["people"]]), 403)
    try await expectEqual(status(["replicas": ["virtual( people )"]]), 403)
    try await expectEqual(status(["replicas": ["films_new"]]), 200)
    _ = try await fixture.call(
      "PUT", "/1/indexes/films/settings", ["replicas": ["films_new", "other"]])
    // It may neither change the foreign replica nor take it off the list.
    try await expectEqual(status(["replicas": ["films_new"]]), 403)
    try await expectEqual(status(["hitsPerPage": 5], "?forwardToReplicas=true"), 403)
    try await expectEqual(status(["hitsPerPage": 5]), 200)
    let rules = try await fixture.call(
      "POST", "/1/indexes/films/rules/clear?forwardToReplicas=true", key: "k")
    expectEqual(rules.status, 403)
    try await expectEqual(fixture.engine.settings(of: "other").hitsPerPage, 20)
  }

  @Test func attributesOfAKeyAreNotShownElsewhere() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.search], queryParameters: "attributesToRetrieve=team"),
      APIKey("m", acl: [.search], queryParameters: "attributesToRetrieve=*,-open"))
    for key in ["k", "m"] {
      let answer = try await fixture.call(
        "POST", "/1/indexes/films/query",
        [
          "query": "red", "attributesToHighlight": ["*", "open", "rank"],
          "attributesToSnippet": ["open:5", "*:3"], "facets": ["*", "open", "team"],
          "hitsPerPage": 1,
        ], key: key)
      expectEqual(answer.status, 200)
      #expect(!answer.body.text.contains(#""open""#), "\(answer.body.text)")
      #expect(answer.body["facets"]?["team"] != nil)
      let values = try await fixture.call(
        "POST", "/1/indexes/films/facets/open/query", [:], key: key)
      expectEqual(values.status, 403)
      let multi = try await fixture.call(
        "POST", "/1/indexes/*/queries",
        ["requests": [["indexName": "films", "type": "facet", "facet": "open"]]], key: key)
      expectEqual(multi.status, 403)
    }
  }

  @Test func aMaximumHoldsForEveryFormOfAPage() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.search, .browse], maxHitsPerQuery: 3),
      APIKey("forced", acl: [.search], queryParameters: "hitsPerPage=4"))
    func count(_ body: JSON, _ key: String = "k", _ call: String = "query") async throws -> Int? {
      let answer = try await fixture.call("POST", "/1/indexes/films/\(call)", body, key: key)
      return answer.body["hits"]?.arrayValue?.count
    }
    try await expectEqual(count(["length": 1, "hitsPerPage": 1000]), 3)
    try await expectEqual(count(["length": 1000, "offset": 0]), 3)
    try await expectEqual(count(["length": 1, "hitsPerPage": 1000], "k", "browse"), 3)
    try await expectEqual(count(["length": 1000, "offset": 0], "forced"), 4)
    let many = [JSON](repeating: ["indexName": "films"], count: 51)
    let queries = try await fixture.call(
      "POST", "/1/indexes/*/queries", ["requests": .array(many)], key: "k")
    expectEqual(queries.status, 400)
  }

  @Test func recordsByIDFollowEveryRestriction() async throws {
    let fixture = try await Self.fixture(
      APIKey("near", acl: [.search], queryParameters: "insideBoundingBox=1,1,2,2"),
      APIKey("red", acl: [.search, .listIndexes], queryParameters: "filters=team%3Ared"))
    try await expectEqual(fixture.call("GET", "/1/indexes/films/1", key: "near").status, 404)
    try await expectEqual(fixture.call("GET", "/1/indexes", key: "red").status, 403)
    try await expectEqual(fixture.call("POST", "/1/places/query", [:], key: "red").status, 403)
    // More than a multi-query has, of two indices and one that does not exist.
    var requests = (0..<60).map {
      ["indexName": "films", "objectID": .string("\($0 % 30)")] as JSON
    }
    requests.append(["indexName": "none", "objectID": "1"])
    requests.append(["indexName": "people", "objectID": "2"])
    let answer = try await fixture.call(
      "POST", "/1/indexes/*/objects", ["requests": .array(requests)], key: "red")
    let found = answer.body["results"]?.arrayValue?.map { !$0.isNull }
    expectEqual(found, (0..<60).map { $0 % 2 == 0 } + [false, true])
  }

  /// The name of an index in another Unicode form is the same index.
  @Test func patternsMatchNamesInAnyForm() async throws {
    let fixture = try await Self.fixture(APIKey("k", acl: [.search], indexes: ["e*"]))
    try await fixture.engine.save([["a": 1]], in: "\u{e9}t\u{e9}")
    for name in ["%C3%A9t%C3%A9", "e%CC%81te%CC%81"] {
      let answer = try await fixture.call("POST", "/1/indexes/\(name)/query", key: "k")
      expectEqual(answer.status, 403)
    }
  }

  @Test func indicesOfAKeyAreListedAlone() async throws {
    let fixture = try await Self.fixture(
      APIKey("k", acl: [.listIndexes], indexes: ["film*", "z*"]))
    for name in ["film1", "film2", "zoo", "other"] {
      try await fixture.engine.save([["a": 1]], in: name)
    }
    func names(_ query: String) async throws -> [JSON?] {
      let answer = try await fixture.call("GET", "/1/indexes" + query, key: "k")
      return (answer.body["items"]?.arrayValue ?? []).map { $0["name"] } + [answer.body["nbPages"]]
    }
    try await expectEqual(names(""), ["film1", "film2", "films", "zoo", 1])
    try await expectEqual(names("?page=1&hitsPerPage=3"), ["zoo", 2])
    try await expectEqual(names("?page=2147483647&hitsPerPage=3"), [2])
  }

  // MARK: Secured keys

  @Test func securedKeysNarrowTheirParent() async throws {
    let fixture = try await Self.fixture(
      APIKey("parent", acl: [.search], indexes: ["fil*"], queryParameters: "filters=team:red"),
      APIKey("other", acl: [.search]))
    let key = try SecuredAPIKey.generate(
      parentKey: "parent",
      restrictions: .init(
        filters: "open:true", validUntil: 1_800_000_010, restrictIndices: ["films", "people"]))
    func call(_ index: String, _ key: String) async throws -> (status: Int, body: JSON) {
      try await fixture.call(
        "POST", "/1/indexes/\(index)/query", ["filters": "objectID:0 OR objectID:2 OR objectID:3"],
        key: key)
    }
    let found = try await call("films", key)
    expectEqual(found.body["hits"]?.arrayValue?.map { $0["objectID"] }, ["0"])
    try await expectEqual(call("people", key).status, 403)
    for position in key.indices {
      var changed = key
      let byte: Character = key[position] == "A" ? "B" : "A"
      changed.replaceSubrange(position...position, with: [byte])
      let answer = try await call("films", changed)
      // The last digits of base64 may not matter.
      if changed != key {
        #expect(answer.status == 403 || position >= key.index(key.endIndex, offsetBy: -4))
      }
    }
    fixture.advance(by: 11)
    let expired = try await call("films", key)
    expectEqual(expired.status, 400)
    expectEqual(
      expired.body["message"], "\"validUntil\" parameter expired (less than current date)")
    // The admin key and another secured key are no parents, and restrictions are needed.
    fixture.advance(by: -11)
    for parent in [ServiceFixture.adminKey, key, "unknown"] {
      let derived = try SecuredAPIKey.generate(
        parentKey: parent, restrictions: .init(filters: "open:true"))
      try await expectEqual(call("films", derived).status, 403)
    }
    let empty = try SecuredAPIKey.generate(parentKey: "other", restrictions: .init())
    try await expectEqual(call("films", empty).body["message"], "Invalid API key")
    // A deleted parent ends its children.
    try await expectEqual(fixture.call("DELETE", "/1/keys/parent").status, 200)
    try await expectEqual(call("films", key).status, 403)
  }

  /// A key that another implementation made, with `*` encoded.
  @Test func keyOfAnotherImplementationIsAccepted() async throws {
    let fixture = try ServiceFixture(
      keys: [APIKey("parent-search-key", acl: [.search])])
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["team", "public"]), of: "shop_a")
    try await fixture.engine.save(
      [["objectID": "1", "team": "red", "public": "true"], ["objectID": "2", "team": "red"]],
      in: "shop_a")
    let key = """
      MTU2ZTYyNzJlZjUzMTQwMzVjYmYzOWE3YjkyYTk1MDVlNDUzZjMzODU2NGM5OWVkY2Q3NWNhYzFhMjZiMTYyNWZpbHRl\
      cnM9dGVhbSUzQXJlZCUyMEFORCUyMHB1YmxpYyUzQXRydWUmaGl0c1BlclBhZ2U9NSZyZXN0cmljdEluZGljZXM9c2hv\
      cF8lMkElMkNibG9nJnVzZXJUb2tlbj11LTcmdmFsaWRVbnRpbD0xOTAwMDAwMDAw
      """
    let found = try await fixture.call("POST", "/1/indexes/shop_a/query", key: key)
    #expect(found.status == 200 && found.body["hitsPerPage"] == 5)
    expectEqual(found.body["hits"]?.arrayValue?.map { $0["objectID"] }, ["1"])
    try await expectEqual(fixture.call("POST", "/1/indexes/other/query", key: key).status, 403)
  }

  @Test func applicationIDIsChecked() async throws {
    let fixture = try ServiceFixture { $0.applicationID = "APP" }
    func status(_ headers: [(String, String)]) async throws -> Int {
      try await fixture.call("GET", "/1/indexes", headers: headers).status
    }
    try await expectEqual(status([("X-Algolia-Application-Id", "APP")]), 200)
    try await expectEqual(status([("X-Algolia-Application-Id", "app")]), 403)
    try await expectEqual(status([]), 403)
    try await expectEqual(fixture.call("GET", "/1/indexes", key: nil).status, 403)
  }

  @Test func nothingShowsAKey() throws {
    let key = APIKey("secret-value", acl: [.search], indexes: ["films"])
    let keys = try ServiceKeys(adminKey: "secret-admin", changes: [.saved(key)])
    let request = ServiceRequest(
      method: "GET", target: "/1/keys/secret-value?x-algolia-api-key=secret-admin",
      headers: [HTTPHeader(name: "X-Algolia-API-Key", value: "secret-admin")])
    let change = ServiceKeyChange.deleted("secret-value")
    for value in [key, keys, request, change, keys.changes] as [Any] {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(!text.contains("secret"), "\(text)")
    }
    #expect(throws: SearchError.self) { try ServiceKeys(adminKey: "") }
    #expect(throws: SearchError.self) {
      try ServiceKeys(adminKey: "a", changes: [.saved(APIKey("a", acl: []))])
    }
  }
}
