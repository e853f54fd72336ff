import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Copying, moving, deleting and listing indices over the contract.
struct IndexOperationTests {
  private static let index = EngineFixture.index

  private func operate(
    _ fixture: EngineFixture, _ body: JSON, of index: String = IndexOperationTests.index
  ) async throws -> (status: Int, body: JSON) {
    try await fixture.call(.post, [index, "operation"], body)
  }

  private func names(_ fixture: EngineFixture, of index: String) async throws -> [String]? {
    let answer = try await fixture.call(.post, [index, "query"], ["attributesToHighlight": []])
    return answer.body["hits"]?.arrayValue?.compactMap { $0["objectID"]?.stringValue }
  }

  private static func fixture() async throws -> EngineFixture {
    let fixture = try await EngineFixture(
      [["objectID": "1", "n": 1], ["objectID": "2", "n": 2]],
      settings: IndexSettings {
        $0.customRanking = ["desc(n)"]
        $0.hitsPerPage = 7
      })
    _ = try await fixture.call(
      .put, [index, "rules", "r"], ["objectID": "r", "consequence": ["hide": [["objectID": "1"]]]])
    _ = try await fixture.call(
      .put, [index, "synonyms", "s"],
      ["objectID": "s", "type": "synonym", "synonyms": ["tv", "television"]])
    return fixture
  }

  @Test func copyTakesEverythingButReplicas() async throws {
    let fixture = try await Self.fixture()
    var settings = try await fixture.engine.settings(of: Self.index)
    settings.replicas = ["by_name"]
    try await fixture.engine.setSettings(settings, of: Self.index)
    try await fixture.engine.save([["objectID": "old"] as JSON], in: "copy")
    let answer = try await operate(fixture, ["operation": "copy", "destination": "copy"])
    expectEqual(answer.status, 200)
    #expect(answer.body["updatedAt"] != nil && answer.body["taskID"]?.intValue != nil)
    try await expectEqual(names(fixture, of: "copy"), ["2", "1"])
    try await expectEqual(fixture.engine.settings(of: "copy").hitsPerPage, 7)
    try await expectEqual(fixture.engine.settings(of: "copy").replicas, [])
    try await expectEqual(fixture.call(.get, ["copy", "rules", "r"]).status, 200)
    try await expectEqual(fixture.call(.get, ["copy", "synonyms", "s"]).status, 200)
    // The copy is on its own.
    try await fixture.engine.delete(objectIDs: ["2"], from: "copy")
    try await expectEqual(names(fixture, of: Self.index), ["2", "1"])
    // A replica is copied to an index of its own.
    _ = try await operate(
      fixture, ["operation": "copy", "destination": "free"], of: "by_name")
    #expect(try await fixture.call(.get, ["free", "settings"]).body["primary"] == nil)
  }

  @Test(arguments: ["settings", "synonyms", "rules"])
  func aScopeIsCopiedWithoutRecords(scope: String) async throws {
    let fixture = try await Self.fixture()
    try await fixture.engine.save([["objectID": "old"] as JSON], in: "copy")
    _ = try await operate(
      fixture, ["operation": "copy", "destination": "copy", "scope": [.string(scope)]])
    try await expectEqual(names(fixture, of: "copy"), ["old"])
    try await expectEqual(
      fixture.engine.settings(of: "copy").hitsPerPage, scope == "settings" ? 7 : 20)
    let rule = try await fixture.call(.get, ["copy", "rules", "r"])
    expectEqual(rule.status, scope == "rules" ? 200 : 404)
    let synonym = try await fixture.call(.get, ["copy", "synonyms", "s"])
    expectEqual(synonym.status, scope == "synonyms" ? 200 : 404)
  }

  @Test func moveReplacesTheDestinationAndItsReplicas() async throws {
    let fixture = try await Self.fixture()
    try await fixture.engine.save([["objectID": "old"] as JSON], in: "shop")
    try await fixture.engine.setSettings(
      IndexSettings {
        $0.replicas = ["shop_by_n"]
        $0.hitsPerPage = 9
      }, of: "shop")
    var replica = try await fixture.engine.settings(of: "shop_by_n")
    replica.customRanking = ["asc(n)"]
    try await fixture.engine.setSettings(replica, of: "shop_by_n")
    let answer = try await operate(
      fixture, ["operation": "move", "destination": "shop", "scope": ["settings"]])
    expectEqual(answer.status, 200)
    #expect(fixture.engine.recordCount(of: Self.index) == nil)
    try await expectEqual(names(fixture, of: "shop"), ["2", "1"])
    try await expectEqual(names(fixture, of: "shop_by_n"), ["1", "2"])
    try await expectEqual(fixture.engine.settings(of: "shop").hitsPerPage, 7)
    try await expectEqual(fixture.engine.settings(of: "shop").replicas, ["shop_by_n"])
    try await expectEqual(fixture.call(.get, ["shop", "rules", "r"]).status, 200)
    // The task is asked for under the name that no longer exists.
    let task = answer.body["taskID"]?.intValue ?? 0
    let state = try await fixture.call(.get, [Self.index, "task", "\(task)"])
    expectEqual(state.body["status"], "published")
    try await expectEqual(fixture.call(.get, [Self.index, "task", "\(task + 1)"]).status, 404)
  }

  @Test func missingSourceIsCopiedEmptyAndNotMoved() async throws {
    let fixture = try await Self.fixture()
    _ = try await operate(
      fixture, ["operation": "move", "destination": .string(Self.index)], of: "none")
    try await expectEqual(names(fixture, of: Self.index), ["2", "1"])
    _ = try await operate(
      fixture, ["operation": "copy", "destination": .string(Self.index)], of: "none")
    try await expectEqual(names(fixture, of: Self.index), [])
    try await expectEqual(fixture.engine.settings(of: Self.index), IndexSettings())
  }

  @Test(
    arguments: [
      (["operation": "copy", "destination": "primary"], "items", 403, "cannot copy to a primary"),
      (["operation": "copy", "destination": "replica"], "items", 403, "cannot copy to a primary"),
      (["operation": "move", "destination": "replica"], "items", 403, "cannot move to a primary"),
      (["operation": "move", "destination": "x"], "primary", 403, "cannot move a primary"),
      (["operation": "move", "destination": "x"], "replica", 403, "cannot move a primary"),
      (["operation": "copy", "destination": "items"], "items", 400, "its own copy"),
      (["operation": "copy", "destination": ""], "items", 400, "index name"),
      (["operation": "copy"], "items", 400, "destination"),
      (["operation": "swap", "destination": "x"], "items", 400, "copy or move, got swap"),
      (
        ["operation": "copy", "destination": "x", "scope": ["records"]], "items", 400,
        "got \"records\""
      ),
    ] as [(JSON, String, Int, String)])
  func refusedOperationsChangeNothing(
    body: JSON, index: String, status: Int, message: String
  ) async throws {
    let fixture = try await Self.fixture()
    try await fixture.engine.save([["objectID": "p"] as JSON], in: "primary")
    try await fixture.engine.setSettings(IndexSettings(replicas: ["replica"]), of: "primary")
    let answer = try await operate(fixture, body, of: index)
    expectEqual(answer.status, status)
    #expect(answer.body["message"]?.stringValue?.contains(message) == true, "\(answer.body.text)")
    expectEqual(fixture.engine.indexNames, ["items", "primary", "replica"])
    expectEqual(fixture.engine.recordCount(of: "items"), 2)
    expectEqual(fixture.engine.recordCount(of: "replica"), 1)
  }

  @Test func whatIsMissingIsDeletedInSilence() async throws {
    let fixture = try await Self.fixture()
    for (method, path, body) in [
      (.delete, ["none"], nil), (.delete, ["none", "1"], nil), (.post, ["none", "clear"], nil),
      (.post, ["none", "deleteByQuery"], ["filters": "n=1"]),
      (.delete, [Self.index, "9"], nil), (.delete, ["none", "rules", "r"], nil),
      (.post, ["none", "synonyms", "clear"], nil),
      (.post, ["none", "x", "partial"], ["n": 1]),
    ] as [(Endpoint.Method, [String], JSON?)] {
      let keepsMissing = [QueryItem(name: "createIfNotExists", value: "false")]
      let answer = try await fixture.call(
        method, path, body, queryItems: path.last == "partial" ? keepsMissing : [])
      #expect(answer.status == 200 && answer.body["taskID"] != nil, "\(path)")
    }
    expectEqual(fixture.engine.indexNames, [Self.index])
    expectEqual(fixture.engine.recordCount(of: Self.index), 2)
  }

  @Test func listHasTheMembersOfTheContractAndPages() async throws {
    let fixture = try await EngineFixture(
      [["objectID": "1", "n": 1]],
      configuration: LocalSearch.Configuration(timestamp: { "2026-01-02T03:04:05Z" }))
    try await fixture.engine.setSettings(
      IndexSettings(replicas: ["standard", "virtual(view)"]), of: Self.index)
    try await fixture.engine.setSettings(IndexSettings(), of: "empty")
    let all = try await fixture.call(.get, [])
    expectEqual(all.body["nbPages"], 1)
    let items = all.body["items"]?.arrayValue ?? []
    expectEqual(items.map { $0["name"]?.stringValue }, ["empty", "items", "standard", "view"])
    expectEqual(
      items[0],
      [
        "name": "empty", "createdAt": "", "updatedAt": "2026-01-02T03:04:05Z", "entries": 0,
        "dataSize": 0, "fileSize": 0, "lastBuildTimeS": 0, "numberOfPendingTasks": 0,
        "pendingTask": false,
      ])
    #expect(items[1]["createdAt"] == "2026-01-02T03:04:05Z" && items[1]["entries"] == 1)
    expectEqual(items[1]["dataSize"], .int(Int64(#"{"objectID":"1","n":1}"#.utf8.count)))
    expectEqual(items[1]["replicas"], ["standard", "view"])
    #expect(items[2]["primary"] == "items" && items[2]["virtual"] == nil)
    #expect(items[3]["primary"] == "items" && items[3]["virtual"] == true)
    func page(_ page: String, _ size: String?) async throws -> JSON {
      let items = [("page", page), ("hitsPerPage", size)]
        .compactMap { name, value in value.map { QueryItem(name: name, value: $0) } }
      return try await fixture.call(.get, [], queryItems: items).body
    }
    let last = try await page("1", "3")
    #expect(last["items"]?.arrayValue?.map { $0["name"] } == ["view"] && last["nbPages"] == 2)
    try await expectEqual(page("0", nil)["items"]?.arrayValue?.count, 4)
    try await expectEqual(page("9", "3")["items"], [])
    for (number, size) in [("-1", "3"), ("x", "3"), ("0", "0"), ("0", "1001")] {
      try await expectEqual(page(number, size)["status"], 400)
    }
  }

  @Test func settingsAreForwardedToReplicasThatExist() async throws {
    let fixture = try await EngineFixture()
    try await fixture.engine.setSettings(
      IndexSettings {
        $0.replicas = ["old", "gone"]
      }, of: Self.index)
    var own = try await fixture.engine.settings(of: "old")
    own.customRanking = ["asc(n)"]
    try await fixture.engine.setSettings(own, of: "old")
    let forward = [QueryItem(name: "forwardToReplicas", value: "true")]
    _ = try await fixture.call(
      .put, [Self.index, "settings"], ["hitsPerPage": 5, "replicas": ["old", "new"]],
      queryItems: forward)
    let replica = try await fixture.engine.settings(of: "old")
    #expect(replica.hitsPerPage == 5 && replica.customRanking == ["asc(n)"])
    expectEqual(replica.replicas, [])
    // It was created with the settings of its primary; one that left keeps its own.
    try await expectEqual(fixture.engine.settings(of: "new").hitsPerPage, 5)
    try await expectEqual(fixture.engine.settings(of: "gone").hitsPerPage, 20)
    _ = try await fixture.call(.put, [Self.index, "settings"], ["hitsPerPage": 6])
    try await expectEqual(fixture.engine.settings(of: "old").hitsPerPage, 5)
  }

  @Test func recordsOfAMissingIndexAreNull() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "n": 1, "m": 2]])
    let answer = try await fixture.call(
      .post, ["*", "objects"],
      [
        "requests": [
          ["indexName": "items", "objectID": "1"], ["indexName": "items", "objectID": "x"],
          ["indexName": "nope", "objectID": "1"],
        ]
      ])
    expectEqual(answer.status, 200)
    expectEqual(answer.body["results"]?.arrayValue?.map(\.isNull), [false, true, true])
    expectEqual(answer.body["message"], "Index nope does not exist.")
    for text in ["n,objectID", #"["n","objectID"]"#] {
      let record = try await fixture.call(
        .get, ["items", "1"], queryItems: [QueryItem(name: "attributesToRetrieve", value: text)])
      expectEqual(record.body, ["objectID": "1", "n": 1], "\(text)")
    }
    let refused = try await fixture.call(
      .get, ["items", "1"], queryItems: [QueryItem(name: "attributesToRetrieve", value: "[1]")])
    expectEqual(refused.status, 400)
  }
}
