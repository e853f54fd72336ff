import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct SettingsTests {
  private static let index = EngineFixture.index
  private static let records: [JSON] = [
    ["objectID": "1", "title": "b", "rank": 1, "kind": "x"],
    ["objectID": "2", "title": "a", "rank": 2, "kind": "y"],
  ]

  @Test func settingsAreChangedOneByOneAndResetByNull() async throws {
    let fixture = try await EngineFixture(Self.records)
    _ = try await fixture.call(
      .put, [Self.index, "settings"],
      ["customRanking": ["desc(rank)"], "attributesForFaceting": ["kind"], "hitsPerPage": 1])
    try await expectEqual(fixture.search()["hits"]?.arrayValue?.map(\.id), ["2"])
    try await expectEqual(fixture.ids(filters: "kind:x"), ["1"])
    _ = try await fixture.call(
      .put, [Self.index, "settings"], ["hitsPerPage": .null, "customRanking": ["asc(rank)"]])
    try await expectEqual(fixture.search()["hits"]?.arrayValue?.map(\.id), ["1", "2"])
    let settings = try await fixture.call(.get, [Self.index, "settings"])
    expectEqual(settings.body["hitsPerPage"], 20)
    expectEqual(settings.body["attributesForFaceting"], ["kind"])
    try await expectEqual(fixture.engine.settings(of: Self.index).customRanking, ["asc(rank)"])
  }

  @Test func settingsCreateAnIndexAndUnknownOnesAreKept() async throws {
    let fixture = try await EngineFixture()
    let answer = try await fixture.call(
      .put, ["new", "settings"], ["decompoundedAttributes": ["de": ["a"]]])
    expectEqual(answer.status, 200)
    let settings = try await fixture.call(.get, ["new", "settings"])
    expectEqual(settings.body["decompoundedAttributes"], ["de": ["a"]])
  }

  @Test(
    arguments: [
      (
        ["hitsPerPage": 1001],
        "Invalid value for \"hitsPerPage\" parameter, expected integer between 0 and 1000, got 1001"
      ),
      (
        ["paginationLimitedTo": 20_001],
        "Invalid value for \"paginationLimitedTo\" parameter, expected integer between 0 and 20000, got 20001"
      ),
      (
        ["attributesForFaceting": ["filterOnly(searchable(a))"]],
        "Invalid value for \"attributesForFaceting\" parameter, a cannot be both filterOnly and searchable"
      ),
    ] as [(JSON, String)])
  func wrongSettingsAreRejected(settings: JSON, message: String) async throws {
    let fixture = try await EngineFixture(Self.records)
    let answer = try await fixture.call(.put, [Self.index, "settings"], settings)
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"]?.stringValue, message)
    try await expectEqual(fixture.engine.settings(of: Self.index), IndexSettings())
  }

  @Test func settingOfTheWrongTypeIsRejectedByName() async throws {
    let fixture = try await EngineFixture(Self.records)
    let answer = try await fixture.call(.put, [Self.index, "settings"], ["customRanking": 3])
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.contains("customRanking") == true)
  }

  /// What every response repeats leaves room for all queries of a call.
  @Test func settingsRepeatedInResponsesAreBounded() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.maximumResponseSize = 100_000
    let fixture = try await EngineFixture(
      [["objectID": "1", "text": "a"]], configuration: configuration)
    func settings(_ name: String, _ length: Int) async throws -> String? {
      let text = JSON.string(String(repeating: "x", count: length))
      let value: JSON = name == "userData" ? text : ["redirect": ["url": text]]
      let answer = try await fixture.call(
        .put, [EngineFixture.index, "settings"], .object([name: value]))
      return answer.status == 400 ? answer.body["message"]?.stringValue : nil
    }
    try await expectEqual(
      settings("userData", 499),
      "Invalid value for \"userData\" parameter, expected at most 500 bytes of JSON, because"
        + " every response contains it, got 501 bytes")
    #expect(try await settings("userData", 498) == nil)
    #expect(
      try await settings("renderingContent", 500)?.hasPrefix(
        "Invalid value for \"renderingContent\" parameter, expected at most 500 bytes") == true)
    #expect(try await settings("renderingContent", 450) == nil)
    var change = IndexSettings()
    change.userData = .string(String(repeating: "x", count: 600))
    await #expect {
      try await fixture.engine.setSettings(change, of: EngineFixture.index)
    } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
    let query: JSON = ["indexName": .string(EngineFixture.index)]
    let answer = try await fixture.call(
      .post, ["*", "queries"], ["requests": .array(Array(repeating: query, count: 50))])
    expectEqual(answer.status, 200)
    expectEqual(answer.body["results"]?[49]?["userData"]?.stringValue?.utf8.count, 498)
  }

  @Test func tooDeepUserDataIsRejected() async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    func userData(depth: Int) throws -> JSON {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return ["userData": try JSON(parsing: text)]
    }
    let path = [EngineFixture.index, "settings"]
    try await expectEqual(fixture.call(.put, path, userData(depth: 201)).status, 400)
    try await expectEqual(fixture.call(.put, path, userData(depth: 200)).status, 200)
    try await expectEqual(fixture.ids(), ["1"])
  }

  @Test func replicasReceiveTheWritesAndRankOnTheirOwn() async throws {
    let fixture = try await EngineFixture(
      Self.records,
      settings: IndexSettings {
        $0.customRanking = ["asc(rank)"]
        $0.replicas = ["byTitle"]
      })
    _ = try await fixture.call(
      .put, ["byTitle", "settings"], ["ranking": ["asc(title)", "custom"]])
    try await fixture.engine.save(
      [["objectID": "3", "title": "0", "rank": 3] as JSON], in: Self.index)
    try await expectEqual(fixture.ids(), ["1", "2", "3"])
    let sorted = try await fixture.call(.post, ["byTitle", "query"], [:])
    expectEqual(sorted.body["hits"]?.arrayValue?.map(\.id), ["3", "2", "1"])
    try await expectEqual(fixture.call(.get, ["byTitle", "settings"]).body["primary"], "items")
    let refused = try await fixture.call(.post, ["byTitle"], ["title": "x"])
    expectEqual(refused.status, 403)
    #expect(refused.body["message"]?.stringValue?.hasSuffix("write to its primary items") == true)
    _ = try await fixture.call(.put, [Self.index, "settings"], ["replicas": []])
    try await expectEqual(fixture.call(.post, ["byTitle"], ["title": "x"]).status, 201)
    expectEqual(fixture.engine.recordCount(of: Self.index), 3)
  }

  /// Two orders of one index take a call for each order, and the records are saved once.
  @Test func replicasOfTheInitializerAreCreatedAndSorted() async throws {
    let fixture = try await EngineFixture(
      Self.records,
      settings: IndexSettings(
        searchableAttributes: ["title"], customRanking: ["asc(rank)"], replicas: ["descending"]))
    expectEqual(fixture.engine.indexNames, ["descending", Self.index])
    try await fixture.engine.setSettings(
      IndexSettings(searchableAttributes: ["title"], customRanking: ["desc(rank)"]),
      of: "descending")
    try await expectEqual(fixture.ids(), ["1", "2"])
    let sorted = try await fixture.call(.post, ["descending", "query"], [:])
    expectEqual(sorted.body["hits"]?.arrayValue?.map(\.id), ["2", "1"])
  }

  @Test(
    arguments: [
      ("items", ["items"], "Index items cannot be a replica of itself"),
      (
        "other", ["taken"],
        "Index taken is a replica of items already; remove it from its replicas first"
      ),
      ("other", ["new", "virtual(new)"], "Index new is named twice in replicas"),
      ("other", ["items"], "Index items has replicas; it cannot be a replica"),
      ("taken", ["new"], "Index taken is a replica of items; it cannot have replicas"),
    ])
  func replicaBelongsToOneIndex(index: String, replicas: [String], message: String) async throws {
    let fixture = try await EngineFixture(
      Self.records, settings: IndexSettings { $0.replicas = ["taken"] })
    try await fixture.engine.save([["objectID": "1"] as JSON], in: "other")
    await #expect {
      try await fixture.engine.setSettings(IndexSettings { $0.replicas = replicas }, of: index)
    } throws: { error in
      let error = error as? SearchError
      return error?.code == .invalidRequest && error?.message == message
    }
    try await expectEqual(fixture.engine.settings(of: "items").replicas, ["taken"])
    expectEqual(fixture.engine.recordCount(of: "taken"), fixture.engine.recordCount(of: "items"))
    expectEqual(fixture.engine.recordCount(of: "other"), 1)
  }

  @Test func indexThatBecomesAReplicaKeepsOnlyItsSettings() async throws {
    let fixture = try await EngineFixture(Self.records)
    try await fixture.engine.save([["objectID": "x"] as JSON], in: "other")
    try await fixture.engine.setSettings(
      IndexSettings { $0.ranking = ["asc(rank)"] }, of: "other")
    try await fixture.engine.setSettings(IndexSettings { $0.replicas = ["other"] }, of: "items")
    expectEqual(fixture.engine.recordCount(of: "other"), Self.records.count)
    try await expectEqual(fixture.engine.settings(of: "other").ranking, ["asc(rank)"])
  }
}
