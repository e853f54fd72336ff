@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Paths with very many dots take steps proportional to their bytes, in lists and in records.
struct DottedPathTests {
  private static let interval = 16

  private static func fixture(
    _ settings: IndexSettings = IndexSettings()
  ) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = interval
    return try await EngineFixture(
      [["objectID": "1", "text": "word"]], settings: settings, configuration: configuration)
  }

  /// Paths that differ in their last components, the costliest ones, or in the first component.
  private static func paths(
    _ count: Int, length: Int, differFirst: Bool = false
  ) -> [String] {
    (0..<count).map { number in
      let dots = String(repeating: ".", count: length - "\(number)".utf8.count)
      return differFirst ? "\(number)\(dots)" : "\(dots)\(number)"
    }
  }

  /// The number of checks of a call.
  private static func checks(
    _ fixture: EngineFixture, _ path: [String], _ body: JSON? = nil,
    method: Endpoint.Method = .post, queryItems: [QueryItem] = [],
    endingAt check: Int? = nil
  ) async throws -> Int {
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: method, pathComponents: ["1", "indexes"] + path, queryItems: queryItems,
        body: body.map { Array($0.text.utf8) } ?? [],
        callType: method == .put ? .write : .read, deadline: clock.deadline(atCheck: check)))
    expectEqual(
      response.status, 200, "\(String(decoding: response.body.prefix(200), as: UTF8.self))")
    return clock.reads
  }

  private static let lists = [
    "attributesToHighlight", "attributesToRetrieve", "attributesToSnippet",
    "disableExactOnAttributes", "disableTypoToleranceOnAttributes",
    "restrictSearchableAttributes",
  ]

  private static func checks(
    _ fixture: EngineFixture, _ name: String, _ paths: [String], endingAt check: Int? = nil
  ) async throws -> Int {
    var body: JSON = ["query": "word", "responseFields": ["hits"]]
    body[name] = .array(paths.map { .string($0) })
    return try await checks(fixture, [EngineFixture.index, "query"], body, endingAt: check)
  }

  @Test(arguments: lists) func listsOfAQueryTakeLinearSteps(name: String) async throws {
    let fixture = try await Self.fixture()
    let paths = Self.paths(80, length: 960)
    let few = try await Self.checks(fixture, name, Array(paths.prefix(20)))
    let short = try await Self.checks(fixture, name, Self.paths(80, length: 240))
    let many = try await Self.checks(fixture, name, paths)
    for checks in [few, short] {
      #expect(many > 3 * checks && many < 5 * checks, "\(few), \(many), \(short)")
    }
    // Each dot takes a step or two.
    let dotCount = 80 * 960
    #expect(many > dotCount / 2 / Self.interval && many < 4 * dotCount / Self.interval, "\(many)")
    for check in [many / 3, many / 2, many - 2] {
      await #expect {
        _ = try await Self.checks(fixture, name, paths, endingAt: check)
      } throws: { error in
        (error as? SearchError)?.code == .timedOut
      }
    }
  }

  /// Components of a single path are not split at their dots.
  @Test(arguments: lists) func pathsThatDifferTakeAFewSteps(name: String) async throws {
    let fixture = try await Self.fixture()
    // In a quick run, only one list has a megabyte.
    let count = name == Self.lists[0] ? 1000 : Thoroughness.count(200, thorough: 1000)
    let checks = try await Self.checks(
      fixture, name, Self.paths(count, length: 1000, differFirst: true))
    #expect(checks < 40 * count / Self.interval, "\(checks)")
  }

  @Test func listAtItsLimitsTakesLinearSteps() async throws {
    let fixture = try await Self.fixture()
    let paths = Self.paths(1000, length: 1000)
    let checks = try await Self.checks(fixture, "restrictSearchableAttributes", paths)
    #expect(checks > 500_000 / Self.interval, "\(checks)")
    #expect(checks < 4_000_000 / Self.interval, "\(checks)")
  }

  /// The lists of settings are created once and not for every search.
  @Test func listsOfSettingsAreKept() async throws {
    let paths = Self.paths(50, length: 900)
    let fixture = try await Self.fixture(
      IndexSettings {
        $0.searchableAttributes = paths + ["text"]
        $0.attributesToHighlight = paths
        $0.attributesToSnippet = paths
        $0.unretrievableAttributes = paths
        $0.disableTypoToleranceOnAttributes = paths
        $0.disableExactOnAttributes = paths
        $0.disablePrefixOnAttributes = paths
      })
    let path = [EngineFixture.index, "query"]
    let first = try await Self.checks(fixture, path, ["query": "word"])
    let second = try await Self.checks(fixture, path, ["query": "word"])
    #expect(first > 5 * 50 * 900 / Self.interval, "\(first)")
    #expect(second < first / 20, "\(first), \(second)")
    let objects: JSON = [
      "requests": .array(
        Array(
          repeating: ["indexName": .string(EngineFixture.index), "objectID": "1"], count: 10))
    ]
    let read = try await Self.checks(fixture, ["*", "objects"], objects)
    #expect(read < first / 20, "\(first), \(read)")
  }

  @Test(arguments: [[], ["title"], ["....."]])
  func recordTakesLinearSteps(searchable: [String]) async throws {
    func checks(_ dots: Int, endingAt check: Int? = nil) async throws -> Int {
      let fixture = try await Self.fixture(IndexSettings(searchableAttributes: searchable))
      let record = JSON.object([
        String(repeating: ".", count: dots): ["a": "x", "b": ["c": 1]], "title": "x",
      ])
      return try await Self.checks(
        fixture, [EngineFixture.index, "2"], record, method: .put, endingAt: check)
    }
    let (few, many) = try await (checks(10_000), checks(40_000))
    #expect(many > 2 * few && many < 8 * few, "\(few), \(many)")
    #expect(many * Self.interval > 40_000 && many * Self.interval < 40 * 40_000, "\(many)")
    await #expect {
      _ = try await checks(40_000, endingAt: many / 2)
    } throws: { error in
      (error as? SearchError)?.code == .timedOut
    }
  }

  @Test func recordsWithDottedKeysAreProjectedAndHighlighted() async throws {
    let fixture = try await Self.fixture()
    let key = String(repeating: ".", count: 5000)
    try await fixture.engine.save(
      [JSON.object(["objectID": "2", key: ["a": "word", "b": "word"]])], in: EngineFixture.index)
    let path = "\(key.prefix(900))"
    let hits = try await fixture.search([
      "query": "word", "filters": "objectID:2", "attributesToRetrieve": [.string(path)],
      "attributesToHighlight": [.string(String(key.prefix(999)) + "x")],
    ])["hits"]
    expectEqual(hits?[0]?[key], ["a": "word", "b": "word"])
    #expect(hits?[0]?["_highlightResult"] == nil)
  }

  // MARK: Records by their IDs

  @Test func attributeListsOfRecordCallsAreBounded() async throws {
    let fixture = try await Self.fixture()
    func refusal(_ list: [String]) async throws -> [String?] {
      let request: JSON = [
        "indexName": .string(EngineFixture.index), "objectID": "1",
        "attributesToRetrieve": .array(list.map { .string($0) }),
      ]
      let several = try await fixture.call(.post, ["*", "objects"], ["requests": [request]])
      let one = try await fixture.call(
        .get, [EngineFixture.index, "1"],
        queryItems: [
          QueryItem(name: "attributesToRetrieve", value: list.joined(separator: ","))
        ])
      return [several.body["message"]?.stringValue, one.body["message"]?.stringValue]
    }
    let names = (0..<1001).map { "name\($0)" }
    let dots = String(repeating: ".", count: 1001)
    try await expectEqual(refusal(Array(names.dropLast())), [nil, nil])
    try await expectEqual(
      refusal(names),
      [
        "Invalid value for \"attributesToRetrieve\" parameter, expected at most 1000 entries,"
          + " got 1001",
        "Invalid value for \"attributesToRetrieve\" parameter, expected at most 1000 attributes,"
          + " got 1001",
      ])
    try await expectEqual(
      refusal(["a", dots]),
      Array(
        repeating: "Invalid value for \"attributesToRetrieve\" parameter, expected entries of at"
          + " most 1000 bytes, got 1001 bytes at 1", count: 2))
  }

  @Test(arguments: [true, false])
  func attributeListsOfRecordCallsTakeLinearSteps(isOne: Bool) async throws {
    let fixture = try await Self.fixture()
    func checks(_ count: Int) async throws -> Int {
      let paths = Self.paths(count, length: 960)
      if isOne {
        return try await Self.checks(
          fixture, [EngineFixture.index, "1"], method: .get,
          queryItems: [
            QueryItem(name: "attributesToRetrieve", value: paths.joined(separator: ","))
          ])
      }
      let request: JSON = [
        "indexName": .string(EngineFixture.index), "objectID": "1",
        "attributesToRetrieve": .array(paths.map { .string($0) }),
      ]
      return try await Self.checks(fixture, ["*", "objects"], ["requests": [request]])
    }
    let (few, many) = try await (checks(20), checks(80))
    #expect(many > 3 * few && many < 5 * few, "\(few), \(many)")
    #expect(many * Self.interval < 4 * 80 * 960, "\(many)")
  }
}
