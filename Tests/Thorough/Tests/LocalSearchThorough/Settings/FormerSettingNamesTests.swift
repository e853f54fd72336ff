@testable import InstantSearchAPI
@testable import InstantSearchJSON
@testable import LocalSearch
import TestSupport
import Testing

/// Settings with the names that they had before.
struct FormerSettingNamesTests {
  private static let path = [EngineFixture.index, "settings"]
  private static let records: [JSON] = [
    ["objectID": "1", "title": "red", "text": "blue", "price": 1, "size": 2],
    ["objectID": "2", "title": "blue", "text": "red", "price": 2, "size": 1],
  ]
  /// A settings file of an older index.
  private static let file: JSON = [
    "attributesToIndex": ["unordered(title)"], "numericAttributesToIndex": ["equalOnly(price)"],
    "slaves": ["copy"], "customRanking": ["desc(price)"],
  ]
  private static let expected = IndexSettings {
    $0.searchableAttributes = ["unordered(title)"]
    $0.numericAttributesForFiltering = ["equalOnly(price)"]
    $0.replicas = ["copy"]
    $0.customRanking = ["desc(price)"]
  }

  /// Checks that an engine has the settings of the file, and applies them.
  private static func check(_ fixture: EngineFixture) async throws {
    try await expectEqual(fixture.engine.settings(of: EngineFixture.index), expected)
    try await expectEqual(fixture.ids(["query": "red"]), ["1"])
    try await expectEqual(fixture.ids(["query": "blue"]), ["2"])
    #expect(try await fixture.ids(filters: "price > 0").isEmpty)
    try await expectEqual(fixture.ids(filters: "price = 1"), ["1"])
    #expect(try await fixture.ids(filters: "size = 1").isEmpty)
    expectEqual(fixture.engine.recordCount(of: "copy"), 2)
    let answer = try await fixture.call(.get, path).body
    for (name, value) in try #require(JSON(encoding: expected).objectValue) {
      expectEqual(answer[name], value, "\(name)")
    }
    for name in ["attributesToIndex", "numericAttributesToIndex", "slaves"] {
      #expect(answer[name] == nil, "\(name)")
    }
    #expect(try await fixture.search(["query": "red"])["message"] == nil)
  }

  @Test func theCallReadsThem() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.rejectsMistakes = true
    let fixture = try await EngineFixture(Self.records, configuration: configuration)
    try await expectEqual(fixture.call(.put, Self.path, Self.file).status, 200)
    try await expectEqual(fixture.engine.settings(of: EngineFixture.index), Self.expected)
    // Strict engines report no such setting as unknown.
    try await expectEqual(fixture.ids(["query": "red"]), ["1"])
  }

  @Test(arguments: [false, true])
  func aSettingsFileIsApplied(byCall: Bool) async throws {
    let fixture = try await EngineFixture(Self.records)
    if byCall {
      try await expectEqual(fixture.call(.put, Self.path, Self.file).status, 200)
    } else {
      let settings = try JSONValueDecoder().decode(
        IndexSettings.self, from: Array(Self.file.text.utf8))
      try await fixture.engine.setSettings(settings, of: EngineFixture.index)
    }
    try await Self.check(fixture)
  }

  @Test func theyAreMembersLikeTheCurrentNames() async throws {
    let fixture = try await EngineFixture()
    func put(_ body: JSON) async throws -> String? {
      let answer = try await fixture.call(.put, Self.path, body)
      return answer.status == 400 ? answer.body["message"]?.stringValue : nil
    }
    func settings() async throws -> IndexSettings {
      try await fixture.engine.settings(of: EngineFixture.index)
    }
    #expect(try await put(["attributesToIndex": ["a"]]) == nil)
    #expect(try await put(["hitsPerPage": 5]) == nil)
    try await expectEqual(settings().searchableAttributes, ["a"])
    #expect(try await put(["attributesToIndex": .null]) == nil)
    try await expectEqual(settings().searchableAttributes, [])
    #expect(
      try await put(["slaves": "copy"])?.hasPrefix("Invalid settings: ") == true)
    #expect(
      try await put(["numericAttributesToIndex": ["of(a)"]])?.contains(
        "\"numericAttributesForFiltering\" parameter, expected attribute or equalOnly") == true)
    let many = JSON.array((0...1000).map { .string("a\($0)") })
    try await expectEqual(
      put(["attributesToIndex": many]),
      "Invalid value for \"searchableAttributes\" parameter, expected at most 1000 entries,"
        + " got 1001")
    try await expectEqual(settings(), IndexSettings { $0.hitsPerPage = 5 })
  }

  @Test(
    arguments: [
      (["searchableAttributes": ["new"], "attributesToIndex": ["old"]], ["new"]),
      (["attributesToIndex": ["old"], "searchableAttributes": ["new"]], ["new"]),
      (["attributesToIndex": ["old"], "searchableAttributes": []], []),
      (["attributesToIndex": ["old"], "searchableAttributes": .null], ["old"]),
      (["attributesToIndex": .null, "searchableAttributes": ["new"]], ["new"]),
    ] as [(JSON, [String])])
  func theValueOfTheCurrentNameCounts(body: JSON, attributes: [String]) async throws {
    let settings = try body.decode(IndexSettings.self)
    expectEqual(settings, IndexSettings { $0.searchableAttributes = attributes })
    let fixture = try await EngineFixture(
      settings: IndexSettings { $0.searchableAttributes = ["before"] })
    try await expectEqual(fixture.call(.put, Self.path, body).status, 200)
    try await expectEqual(fixture.engine.settings(of: EngineFixture.index), settings)
  }
}
