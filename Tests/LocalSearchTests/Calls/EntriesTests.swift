import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Synonyms and rules, which the engine stores and returns.
struct EntriesTests {
  private static let index = EngineFixture.index
  private static let phone: JSON = [
    "objectID": "phone", "type": "oneWaySynonym", "input": "phone",
    "synonyms": ["iPhone", "pixel"],
  ]
  private static let tv: JSON = [
    "objectID": "tv", "type": "synonym", "synonyms": ["tv", "television"],
  ]
  private static let sale: JSON = [
    "objectID": "sale", "enabled": false,
    "conditions": [["pattern": "sale", "anchoring": "contains", "context": "mobile"]],
    "consequence": ["params": ["filters": "on_sale:true"]], "future": ["x": 1],
  ]

  @Test func synonymsAreSavedReadSearchedAndDeleted() async throws {
    let fixture = try await EngineFixture()
    let saved = try await fixture.call(.put, ["new", "synonyms", "phone"], Self.phone)
    #expect(saved.status == 200 && saved.body["id"] == "phone" && saved.body["updatedAt"] != nil)
    let batch = try await fixture.call(.post, ["new", "synonyms", "batch"], [Self.tv])
    #expect(batch.body["taskID"] != nil && batch.body["id"] == nil)
    try await expectEqual(fixture.call(.get, ["new", "synonyms", "phone"]).body, Self.phone)
    func search(_ body: JSON) async throws -> [JSON?] {
      let answer = try await fixture.call(.post, ["new", "synonyms", "search"], body)
      let hits = answer.body["hits"]?.arrayValue ?? []
      return hits.map { $0["objectID"] } + [answer.body["nbHits"], answer.body["nbPages"]]
    }
    try await expectEqual(search([:]), ["phone", "tv", 2, 1])
    try await expectEqual(search(["query": "IPHONE"]), ["phone", 1, 1])
    // The names of members are not searched.
    try await expectEqual(search(["query": "synonyms"]), [0, 0])
    try await expectEqual(search(["type": "synonym"]), ["tv", 1, 1])
    try await expectEqual(search(["type": "onewaysynonym,SYNONYM"]), ["phone", "tv", 2, 1])
    try await expectEqual(search(["page": 1, "hitsPerPage": 1]), ["tv", 2, 2])
    let replaced = try await fixture.call(
      .post, ["new", "synonyms", "batch"], [Self.phone],
      queryItems: [QueryItem(name: "replaceExistingSynonyms", value: "true")])
    expectEqual(replaced.status, 200)
    try await expectEqual(search([:]), ["phone", 1, 1])
    let deleted = try await fixture.call(.delete, ["new", "synonyms", "phone"])
    #expect(deleted.body["deletedAt"] != nil)
    let missing = try await fixture.call(.get, ["new", "synonyms", "phone"])
    #expect(missing.status == 404 && missing.body["message"] == "Synonym set does not exist")
    // Records and settings do not matter to them.
    _ = try await fixture.call(.put, ["new", "synonyms", "tv"], Self.tv)
    try await fixture.engine.save([["objectID": "1"] as JSON], in: "new")
    try await fixture.engine.clear("new")
    try await fixture.engine.setSettings(IndexSettings(customRanking: ["asc(a)"]), of: "new")
    try await expectEqual(search([:]), ["tv", 1, 1])
    try await fixture.engine.deleteIndex("new")
    try await expectEqual(fixture.call(.post, ["new", "synonyms", "search"], [:]).status, 404)
  }

  @Test func rulesAreSavedReadSearchedAndDeleted() async throws {
    let fixture = try await EngineFixture()
    let other: JSON = ["objectID": "other", "consequence": ["hide": [["objectID": "1"]]]]
    let batch = try await fixture.call(
      .post, [Self.index, "rules", "batch"], [Self.sale, other])
    #expect(batch.status == 200 && batch.body["updatedAt"] != nil)
    try await expectEqual(fixture.call(.get, [Self.index, "rules", "sale"]).body, Self.sale)
    func search(_ body: JSON) async throws -> [JSON?]? {
      let answer = try await fixture.call(.post, [Self.index, "rules", "search"], body)
      return answer.body["hits"]?.arrayValue?.map { $0["objectID"] }
    }
    try await expectEqual(search([:]), ["other", "sale"])
    try await expectEqual(search(["query": "SALE"]), ["sale"])
    try await expectEqual(search(["enabled": true]), ["other"])
    try await expectEqual(search(["anchoring": "contains"]), ["sale"])
    try await expectEqual(search(["context": "mobile", "anchoring": "is"]), [])
    let deleted = try await fixture.call(.delete, [Self.index, "rules", "sale"])
    #expect(deleted.body["updatedAt"] != nil)
    try await expectEqual(search([:]), ["other"])
    _ = try await fixture.call(
      .post, [Self.index, "rules", "batch"], [Self.sale],
      queryItems: [QueryItem(name: "clearExistingRules", value: "true")])
    try await expectEqual(search([:]), ["sale"])
    _ = try await fixture.call(.post, [Self.index, "rules", "clear"])
    try await expectEqual(search([:]), [])
    let missing = try await fixture.call(.get, [Self.index, "rules", "sale"])
    #expect(missing.status == 404 && missing.body["message"] == "ObjectID does not exist")
  }

  @Test func replicasGetThemIfForwarded() async throws {
    let fixture = try await EngineFixture()
    try await fixture.engine.setSettings(IndexSettings(replicas: ["replica"]), of: Self.index)
    let forward = [QueryItem(name: "forwardToReplicas", value: "true")]
    _ = try await fixture.call(.put, [Self.index, "synonyms", "tv"], Self.tv)
    try await expectEqual(fixture.call(.get, ["replica", "synonyms", "tv"]).status, 404)
    _ = try await fixture.call(
      .put, [Self.index, "synonyms", "tv"], Self.tv, queryItems: forward)
    try await expectEqual(fixture.call(.get, ["replica", "synonyms", "tv"]).status, 200)
    // The records that the primary gets later do not end them.
    try await fixture.engine.save([["objectID": "1"] as JSON], in: Self.index)
    try await expectEqual(fixture.call(.get, ["replica", "synonyms", "tv"]).status, 200)
    _ = try await fixture.call(
      .post, [Self.index, "synonyms", "clear"], queryItems: forward)
    try await expectEqual(fixture.call(.get, ["replica", "synonyms", "tv"]).status, 404)
  }

  @Test(
    arguments: [
      ("synonyms", ["objectID": "a"], "type"),
      ("synonyms", ["objectID": "a", "type": "x"], "Unknown type of synonym x"),
      (
        "synonyms", ["objectID": "a", "type": "synonym", "synonyms": ["tv"]],
        "at least two words"
      ),
      ("synonyms", ["objectID": "b", "type": "synonym", "synonyms": ["x", "y"]], "of the path"),
      ("synonyms", ["type": "synonym", "synonyms": ["x", "y"]], "objectID"),
      ("rules", ["objectID": "a"], "at least one consequence"),
      ("rules", ["objectID": "a", "consequence": [:]], "at least one consequence"),
      (
        "rules",
        ["objectID": "a", "condition": [:], "conditions": [], "consequence": ["hide": []]],
        "either condition or conditions"
      ),
      ("rules", ["objectID": "a", "conditions": 1, "consequence": ["hide": []]], "an array"),
    ] as [(String, JSON, String)])
  func invalidEntriesAreRefused(kind: String, body: JSON, message: String) async throws {
    let fixture = try await EngineFixture()
    let answer = try await fixture.call(.put, ["new", kind, "a"], body)
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.contains(message) == true, "\(answer.body.text)")
    if body["objectID"] == "a" {
      let batch = try await fixture.call(.post, ["new", kind, "batch"], [body])
      #expect(batch.body["message"]?.stringValue?.hasPrefix("[0]: ") == true)
    }
    expectEqual(fixture.engine.indexNames, [Self.index])
  }

  @Test func strictEngineRefusesWhatHasNoEffect() async throws {
    let fixture = try await EngineFixture(configuration: .init(rejectsMistakes: true))
    let answer = try await fixture.call(.put, [Self.index, "rules", "sale"], Self.sale)
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.contains("no effect") == true)
    try await expectEqual(fixture.call(.post, [Self.index, "rules", "clear"]).status, 200)
  }

  @Test(
    arguments: [
      Synonym("a", .equivalent(["x", "y"])), Synonym("b", .oneWay(from: "x", to: ["y"])),
      Synonym("c", .oneTypo(of: "x", ["y"])), Synonym("d", .twoTypos(of: "x", ["y"])),
      Synonym("e", .placeholder("<x>", ["y"])),
    ])
  func synonymsAreReadAsTheyAreWritten(synonym: Synonym) throws {
    let json = try JSON(encoding: synonym)
    try expectEqual(json.decode(Synonym.self), synonym)
    var lowercased = json.objectValue ?? [:]
    lowercased["type"] = .string(json["type"]?.stringValue?.lowercased() ?? "")
    try expectEqual(JSON.object(lowercased).decode(Synonym.self), synonym)
  }

  @Test func rulesAreReadAsTheyAreWritten() throws {
    let rule = Rule(
      "r", conditions: [.init(pattern: "x", anchoring: .is, alternatives: true, filters: "a:b")],
      consequence: .init(
        parameters: ["query": ["remove": ["x"]]], promote: [.init(["1", "2"], at: 3)],
        filterPromotes: true, hide: ["4"], userData: ["k": 1]),
      validity: [.init(from: 1, until: 2)], enabled: true, description: "d",
      additionalMembers: ["scope": "redirect"])
    try expectEqual(JSON(encoding: rule).decode(Rule.self), rule)
    try expectEqual(Self.sale.decode(Rule.self).additionalMembers, ["future": ["x": 1]])
    let old: JSON = ["objectID": "o", "condition": ["pattern": "x"], "consequence": ["hide": []]]
    try expectEqual(old.decode(Rule.self).conditions, [.init(pattern: "x")])
  }
}
