@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Settings and batches are bounded before their names are used.
struct SettingsSizeTests {
  private static let index = EngineFixture.index

  private static func unknown(_ count: Int) -> JSON {
    .object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("name\($0)", 1) }))
  }

  @Test func unknownSettingsAreBounded() async throws {
    let fixture = try await CountedCall.fixture()
    let path = [Self.index, "settings"]
    let tooMany = "Too many unknown names: expected at most 1000 in all settings together"
    #expect(try await CountedCall.call(fixture, .put, path, Self.unknown(1000)).message == nil)
    try await expectEqual(
      CountedCall.call(fixture, .put, path, Self.unknown(1001)).message, tooMany)
    // Those that the index has count as well.
    try await expectEqual(CountedCall.call(fixture, .put, path, ["other": 1]).message, tooMany)
    #expect(try await CountedCall.call(fixture, .put, path, ["name1": .null]).message == nil)
    #expect(try await CountedCall.call(fixture, .put, path, ["other": 1]).message == nil)
    let many = try await CountedCall.call(fixture, .put, path, Self.unknown(60_000))
    expectEqual(
      many.message,
      "Too many settings: expected at most \(IndexSettings.names.count + 1000), got 60000")
    let text = JSON.string(String(repeating: "x", count: 1 << 22))
    let tooLong =
      "The values of unknown names are too long: expected at most 4194304 bytes in all settings together,"
      + " got 4194307 bytes or more"
    try await expectEqual(CountedCall.call(fixture, .put, path, ["a": text]).message, tooLong)
    let long = String(repeating: "x", count: 1001)
    let longName =
      "A name among the settings is too long: expected at most 1000 bytes, got 1001 bytes"
    try await expectEqual(CountedCall.call(fixture, .put, path, [long: 1]).message, longName)
    for (settings, message) in [
      (["a": text], tooLong), ([long: 1], longName),
    ] as [([String: JSON], String)] {
      await #expect {
        try await fixture.engine.setSettings(
          IndexSettings { $0.additionalSettings = settings }, of: Self.index)
      } throws: { error in
        (error as? SearchError)?.code == .invalidRequest
          && (error as? SearchError)?.message == message
      }
    }
  }

  /// The names of replicas are not used before their number is known.
  @Test(arguments: [
    ("replicas", 1000), ("searchableAttributes", 1000), ("optionalWords", 10_000),
    ("customRanking", 100), ("queryLanguages", 1000),
  ])
  func tooLongListsOfSettingsAreNotRead(name: String, limit: Int) async throws {
    let fixture = try await CountedCall.fixture()
    func put(_ count: Int) async throws -> (checks: Int, message: String?) {
      let list = JSON.array((0..<count).map { .string("name\($0)") })
      return try await CountedCall.call(fixture, .put, [Self.index, "settings"], [name: list])
    }
    // In a quick run, only one list is very long.
    let count = name == "replicas" ? 100_000 : Thoroughness.count(20_000, thorough: 100_000)
    let (few, many) = try await (put(limit + 1), put(count))
    for (result, count) in [(few, limit + 1), (many, count)] {
      expectEqual(
        result.message,
        "Invalid value for \"\(name)\" parameter, expected at most \(limit) entries,"
          + " got \(count)")
    }
    // Only parsing the longer body takes more checks.
    #expect(many.checks - few.checks <= count * 14 / 64 / CountedCall.interval, "\(few), \(many)")
  }

  /// Settings without a property have the limits of the parameters of the same names.
  @Test func additionalSettingsHaveTheLimitsOfTheirParameters() async throws {
    let fixture = try await CountedCall.fixture()
    let long = JSON.string(String(repeating: "x", count: 513))
    let nested = JSON.array(Array(repeating: "a:b", count: 10_001))
    let values: [JSON] = [
      ["mode": long], ["reRankingApplyFilter": nested], ["enableRules": 12],
      ["relevancyStrictness": "high"],
    ]
    for value in values {
      let message = try #require(try await fixture.refusal(value))
      try await expectEqual(
        CountedCall.call(fixture, .put, [Self.index, "settings"], value).message,
        message)
      await #expect {
        try await fixture.engine.setSettings(
          IndexSettings { $0.additionalSettings = value.objectValue ?? [:] }, of: Self.index)
      } throws: { error in
        (error as? SearchError)?.message == message
      }
    }
    let valid: JSON = ["mode": "neuralSearch", "relevancyStrictness": 90, "enableRules": false]
    #expect(
      try await CountedCall.call(fixture, .put, [Self.index, "settings"], valid).message == nil)
  }

  // MARK: Batches

  @Test func theIndicesOfABatchAreBounded() async throws {
    let fixture = try await CountedCall.fixture()
    func batch(_ count: Int) -> JSON {
      let requests = (0..<count).map { number -> JSON in
        [
          "action": "deleteObject", "indexName": .string("index\(number)"),
          "body": ["objectID": "1"],
        ]
      }
      return ["requests": .array(requests + requests.prefix(3))]
    }
    let refusal = try await CountedCall.call(fixture, .post, ["*", "batch"], batch(10_001))
    expectEqual(
      refusal.message,
      "request 10000: Too many indices in one batch: expected at most 10000;"
        + " use several batches")
    expectEqual(fixture.engine.indexNames, [Self.index])
    #expect(
      try await CountedCall.call(fixture, .post, ["*", "batch"], batch(10_000)).message == nil)
  }
}
