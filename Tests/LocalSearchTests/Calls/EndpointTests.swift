import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct EndpointTests {
  private static let index = EngineFixture.index
  private static let films: [JSON] = [
    ["objectID": "1", "title": "Solaris", "year": 1972], ["objectID": "2", "title": "Stalker"],
  ]

  // MARK: Several queries

  @Test func resultsFollowTheOrderOfTheQueries() async throws {
    let fixture = try await EngineFixture(
      Self.films, settings: IndexSettings { $0.attributesForFaceting = ["searchable(title)"] })
    try await fixture.engine.save([["objectID": "p", "name": "Tarkovsky"] as JSON], in: "people")
    let answer = try await fixture.call(
      .post, ["*", "queries"],
      [
        "requests": [
          ["indexName": "items", "query": "sol"], ["indexName": "people", "params": "query=tark"],
          ["indexName": "items", "type": "facet", "facet": "title", "facetQuery": "st"],
          ["indexName": "items", "type": "default", "params": "query=x&page=3", "query": "stal"],
        ]
      ])
    let results = answer.body["results"]?.arrayValue ?? []
    expectEqual(answer.status, 200)
    expectEqual(results.map { $0["hits"]?[0]?.id }, ["1", "p", nil, nil])
    #expect(results[0]["processed"] == nil)
    expectEqual(results[1]["index"], "people")
    expectEqual(results[2]["facetHits"]?[0]?["value"], "Stalker")
    expectEqual(results[3]["page"], 3)
    expectEqual(results[3]["query"], "stal")
  }

  @Test func queriesAfterEnoughMatchesAreSkipped() async throws {
    let fixture = try await EngineFixture(Self.films)
    func results(_ hitsPerPage: Int64) async throws -> [JSON] {
      try await fixture.call(
        .post, ["*", "queries"],
        [
          "strategy": "stopIfEnoughMatches",
          "requests": [
            ["indexName": "items", "query": "zzz", "hitsPerPage": .int(hitsPerPage)],
            ["indexName": "items", "hitsPerPage": .int(hitsPerPage)],
            ["indexName": "items", "query": "solaris"],
          ],
        ]
      ).body["results"]?.arrayValue ?? []
    }
    let enough = try await results(2)
    expectEqual(enough.map { $0["processed"]?.boolValue }, [true, true, false])
    expectEqual(enough.map { $0["nbHits"]?.intValue }, [0, 2, 0])
    expectEqual(enough[2]["hits"], [])
    let notEnough = try await results(3)
    expectEqual(notEnough.map { $0["processed"]?.boolValue }, [nil, nil, nil])
    expectEqual(notEnough.map { $0["nbHits"]?.intValue }, [0, 2, 1])
  }

  @Test func nullIsTheSameAsAbsent() async throws {
    let fixture = try await EngineFixture(
      Self.films, settings: IndexSettings { $0.attributesForFaceting = ["searchable(title)"] })
    let answer = try await fixture.call(
      .post, ["*", "queries"],
      [
        "strategy": .null,
        "requests": [
          ["indexName": "items", "type": .null],
          ["indexName": "items", "type": "facet", "facet": "title", "maxFacetHits": .null],
        ],
      ])
    expectEqual(answer.status, 200)
    expectEqual(answer.body["results"]?[0]?["nbHits"], 2)
    expectEqual(answer.body["results"]?[1]?["facetHits"]?.arrayValue?.count, 2)
  }

  @Test(
    arguments: [
      (["requests": [["indexName": "nowhere"]]], 404, "Index nowhere does not exist"),
      (
        ["requests": [["indexName": "items"], ["indexName": "items", "page": -1]]], 400,
        "request 1, index items: Invalid value for \"page\" parameter, expected integer of at least 0, got -1"
      ),
      (
        ["requests": [], "strategy": ["none"]], 400,
        "Invalid value for \"strategy\" parameter, expected \"none\" or \"stopIfEnoughMatches\", got [\"none\"]"
      ),
      (["requests": [["query": "x"]]], 400, "Malformed body: expected a string \"indexName\""),
      (
        ["requests": [["query": "x"], ["indexName": "items"]]], 400,
        "request 0: Malformed body: expected a string \"indexName\""
      ),
      (["requests": ["x"]], 400, "Malformed body: expected an object at requests[0]"),
      ([:], 400, "Malformed body: expected an array \"requests\""),
      (
        ["requests": [], "strategy": "fast"], 400,
        "Invalid value for \"strategy\" parameter, expected \"none\" or \"stopIfEnoughMatches\", got \"fast\""
      ),
      (
        ["requests": [["indexName": "items", "type": "x"]]], 400,
        "Invalid value for \"type\" parameter, expected \"default\" or \"facet\", got \"x\""
      ),
      (
        ["requests": [["indexName": "items", "type": "facet"]]], 400,
        "Malformed body: expected a string \"facet\""
      ),
      (
        ["requests": .array(Array(repeating: ["indexName": "items"], count: 51))], 400,
        "Too many queries in one request: 51, expected at most 50"
      ),
    ] as [(JSON, Int, String)])
  func oneInvalidQueryRejectsTheCall(body: JSON, status: Int, message: String) async throws {
    let fixture = try await EngineFixture(Self.films)
    let answer = try await fixture.call(.post, ["*", "queries"], body)
    expectEqual(answer.body, ["message": .string(message), "status": .int(Int64(status))])
    expectEqual(answer.status, status)
  }

  // MARK: Rejected calls

  @Test(arguments: [
    ("{\"query\":", "Malformed JSON: "), ("{\n  \"query\": tru }", "Malformed JSON: "),
    ("[1]", "Malformed body: expected a JSON object"),
    ("{\"params\": 3}", "Malformed body: expected a string \"params\""),
    (
      "{\"hitsPerPage\": \"x\"}",
      "Invalid value for \"hitsPerPage\" parameter, expected integer, got \"x\""
    ),
    (
      "{\"params\": \"hitsPerPage=x\"}",
      "Invalid value for \"hitsPerPage\" parameter, expected integer"
    ),
  ])
  func invalidBodiesAreRejected(body: String, message: String) async throws {
    let fixture = try await EngineFixture(Self.films)
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", Self.index, "query"],
        body: Array(body.utf8),
        callType: .read))
    expectEqual(response.status, 400)
    let text = try JSON(parsing: response.body)["message"]?.stringValue ?? ""
    #expect(text.hasPrefix(message))
    if body.contains("tru") { #expect(text.hasSuffix(" at line 2 column 15"), "\(text)") }
  }

  @Test func longQueriesAreRejected() async throws {
    let fixture = try await EngineFixture(Self.films)
    let long = String(repeating: "é", count: 256)
    #expect(try await fixture.refusal(["query": .string(long)]) == nil)
    try await expectEqual(
      fixture.refusal(["query": .string(long + "a")]),
      "Invalid value for \"query\" parameter, expected at most 512 bytes, got 513 bytes")
    #expect(try await fixture.refusal(["similarQuery": .string(long)]) == nil)
    try await expectEqual(
      fixture.refusal(["query": "a", "similarQuery": .string(long + "a")]),
      "Invalid value for \"similarQuery\" parameter, expected at most 512 bytes, got 513 bytes")
  }

  @Test func numberOfParametersInATextIsLimited() async throws {
    let fixture = try await EngineFixture(Self.films)
    let text = Array(repeating: "page=0", count: 1_000).joined(separator: "&&")
    #expect(try await fixture.refusal(["params": .string(text)]) == nil)
    try await expectEqual(
      fixture.refusal(["params": .string(text + "&page=0")]),
      "Too many parameters: expected at most 1000 in URL-encoded form")
  }

  @Test func unknownParametersAreRejectedInStrictModeOnly() async throws {
    let lenient = try await EngineFixture(Self.films)
    #expect(try await lenient.refusal(["colour": "red"]) == nil)
    let strict = try await EngineFixture(
      Self.films, configuration: LocalSearch.Configuration(accepts: .known))
    try await expectEqual(strict.refusal(["colour": "red"]), "Unknown parameter: colour")
    let several = try await strict.call(
      .post, ["*", "queries"],
      ["requests": [["indexName": "items"], ["indexName": "items", "colour": "red"]]])
    expectEqual(several.body["message"], "request 1, index items: Unknown parameter: colour")
  }

  @Test(
    arguments: [
      (.post, ["x", "y", "z", "w", "v"], 400), (.get, ["items", "query"], 200),
      (.post, ["items", "settings"], 405), (.put, ["*", "queries"], 405), (.get, ["*", "x"], 400),
      (.post, ["nowhere", "query"], 404), (.post, ["nowhere", "browse"], 404),
      (.get, ["nowhere", "settings"], 404), (.get, ["nowhere", "1"], 404),
      (.get, ["items", "none"], 404), (.post, ["nowhere", "facets", "a", "query"], 404),
      (.post, ["nowhere", "rules", "search"], 404), (.get, ["nowhere", "synonyms", "a"], 404),
      (.get, ["items", "task", "x"], 400), (.get, ["items", "task", "12"], 404),
      (.get, ["items", "task", "0"], 200),
    ] as [(Endpoint.Method, [String], Int)])
  func pathsAndMethods(method: Endpoint.Method, path: [String], status: Int) async throws {
    let fixture = try await EngineFixture(Self.films + [["objectID": "query"]])
    let answer = try await fixture.call(method, path)
    expectEqual(answer.status, status)
    if status != 200 { expectEqual(answer.body["status"]?.intValue, status) }
    if path.first == "nowhere" {
      expectEqual(answer.body["message"], "Index nowhere does not exist")
    }
  }

  @Test(arguments: [Endpoint.Method.get, .post])
  func keysInPathsAreNotShown(method: Endpoint.Method) async throws {
    let request = TransportRequest(
      method: method, pathComponents: ["1", "keys", "sekret"], body: [])
    let response = try await LocalSearch().send(request)
    let text = String(decoding: response.body, as: UTF8.self)
    expectEqual(response.status, method == .get ? 402 : 405)
    #expect(text.contains("/1/keys/*") && !text.contains("sekret"))
  }

  @Test func aCallHasUpToFiftyQueries() async throws {
    let fixture = try await EngineFixture(Self.films)
    let answer = try await fixture.call(
      .post, ["*", "queries"],
      ["requests": .array(Array(repeating: ["indexName": "items"], count: 50))])
    expectEqual(answer.body["results"]?.arrayValue?.count, 50)
  }

  // MARK: Records

  @Test func singleRecordsAreReadAndProjected() async throws {
    let fixture = try await EngineFixture(
      Self.films, settings: IndexSettings { $0.unretrievableAttributes = ["year"] })
    let whole = try await fixture.call(.get, ["items", "1"])
    expectEqual(whole.body, ["objectID": "1", "title": "Solaris"])
    let part = try await fixture.call(
      .get, ["items", "1"],
      queryItems: [QueryItem(name: "attributesToRetrieve", value: "year, other")])
    expectEqual(part.body, ["objectID": "1"])
    let spaced = try await fixture.call(
      .get, ["items", "1"],
      queryItems: [QueryItem(name: "attributesToRetrieve", value: "other, title ")])
    expectEqual(spaced.body, whole.body)
  }

  @Test func manyRecordsAreReadInOrderWithNullForMissingOnes() async throws {
    let fixture = try await EngineFixture(Self.films)
    let answer = try await fixture.call(
      .post, ["*", "objects"],
      [
        "requests": [
          ["indexName": "items", "objectID": "2"], ["indexName": "items", "objectID": "0"],
          ["indexName": "items", "objectID": "1", "attributesToRetrieve": ["year"]],
          ["indexName": "items", "objectID": "2", "attributesToRetrieve": nil],
        ]
      ])
    expectEqual(
      answer.body["results"],
      [
        ["objectID": "2", "title": "Stalker"], .null, ["objectID": "1", "year": 1972],
        ["objectID": "2", "title": "Stalker"],
      ])
    let unknown = try await fixture.call(
      .post, ["*", "objects"], ["requests": [["indexName": "nowhere", "objectID": "2"]]])
    expectEqual(unknown.body["results"], [.null])
    expectEqual(unknown.body["message"], "Index nowhere does not exist.")
  }
}
