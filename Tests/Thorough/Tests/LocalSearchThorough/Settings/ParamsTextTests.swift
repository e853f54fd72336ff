@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The query echoed in a response is counted and bounded like everything else in it.
struct ParamsTextTests {
  private static let interval = 16

  /// The number of checks of a call, and whether its response was rejected.
  private static func call(
    _ path: [String], _ body: JSON, settings: IndexSettings = IndexSettings(),
    maximumResponseSize: Int = .max, endingAt check: Int? = nil
  ) async throws -> (checks: Int, isRefused: Bool) {
    var configuration = LocalSearch.Configuration()
    configuration.maximumResponseSize = maximumResponseSize
    configuration.checkInterval = interval
    configuration.placesIndexName = EngineFixture.index
    let fixture = try await EngineFixture(
      [["objectID": "1", "locale_names": "a"]], settings: settings, configuration: configuration)
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1"] + path, body: Array(body.text.utf8), callType: .read,
        deadline: clock.deadline(atCheck: check)))
    return (clock.reads, response.status == 400)
  }

  private static let calls: [[String]] = [
    ["indexes", EngineFixture.index, "query"], ["indexes", EngineFixture.index, "browse"],
    ["places", "query"],
  ]

  private static func body(_ length: Int) -> JSON {
    ["zone": .string(String(repeating: " é", count: length / 3))]
  }

  @Test(arguments: calls) func echoedParametersTakeLinearSteps(path: [String]) async throws {
    func checks(_ length: Int, endingAt check: Int? = nil) async throws -> Int {
      try await Self.call(path, Self.body(length), settings: .places, endingAt: check).checks
    }
    let (few, many) = try await (checks(60_000), checks(240_000))
    // There is a check for every 4096 bytes.
    #expect(many - few > 40, "\(few), \(many)")
    #expect(many < 5 * few, "\(few), \(many)")
    await #expect {
      _ = try await checks(240_000, endingAt: many - 10)
    } throws: { error in
      (error as? SearchError)?.code == .timedOut
    }
  }

  /// A text that makes the response too large is not completed.
  @Test(arguments: calls) func echoedParametersStopAtTheResponseLimit(path: [String]) async throws {
    let whole = try await Self.call(path, Self.body(240_000), settings: .places)
    let cut = try await Self.call(
      path, Self.body(240_000), settings: .places, maximumResponseSize: 50_000)
    #expect(!whole.isRefused)
    #expect(cut.isRefused)
    #expect(whole.checks - cut.checks > 40, "\(whole), \(cut)")
  }

  @Test func echoedTextEqualsTheQuery() async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    let query = SearchQuery("tom's & co é~").with {
      $0.facetFilters = [["a:\"b\""], []]
      $0.additionalParameters = ["zo ne": "x\\y/"]
      $0.clickAnalytics = true
    }
    let answer = try await fixture.search(JSON(encoding: query))
    expectEqual(answer["params"]?.stringValue, query.urlEncoded)
    expectEqual(answer["queryID"]?.stringValue?.utf8.count, 32)
  }

  // MARK: Limits

  private static func refusal(_ body: JSON) async throws -> String? {
    try await EngineFixture([["objectID": "1", "text": "a"]]).refusal(body)
  }

  @Test func textsAreBounded() async throws {
    let name = "userToken"
    func body(_ length: Int) -> JSON {
      .object([name: .string(String(repeating: " ", count: length))])
    }
    #expect(try await Self.refusal(body(512)) == nil)
    try await expectEqual(
      Self.refusal(body(513)),
      "Invalid value for \"\(name)\" parameter, expected at most 512 bytes, got 513 bytes")
  }

  @Test func optionalWordsAsTextAreBounded() async throws {
    func body(_ length: Int) -> JSON {
      ["optionalWords": .string(String(repeating: " ", count: length))]
    }
    #expect(try await Self.refusal(body(1 << 20)) == nil)
    let message =
      "Invalid value for \"optionalWords\" parameter, expected at most 1048576 bytes,"
      + " got 1048577 bytes"
    try await expectEqual(Self.refusal(body(1 << 20 + 1)), message)
    let fixture = try await EngineFixture()
    let answer = try await fixture.call(
      .put, [EngineFixture.index, "settings"], body(1 << 20 + 1))
    expectEqual(answer.body["message"]?.stringValue, message)
  }

  @Test(arguments: ["facetFilters", "optionalFilters", "tagFilters", "reRankingApplyFilter"])
  func nestedFiltersAreBoundedTogether(name: String) async throws {
    let filter = "a:" + String(repeating: "x", count: 10_000)
    func body(_ count: Int) -> JSON {
      .object([name: .array(Array(repeating: .string(filter), count: count))])
    }
    #expect(try await Self.refusal(body(104)) == nil)
    try await expectEqual(
      Self.refusal(body(105)),
      "Invalid value for \"\(name)\" parameter, expected at most 1048576 bytes together,"
        + " got 1050210 bytes or more")
  }

  /// An array without filters counts as one, in any array.
  @Test(arguments: ["facetFilters", "optionalFilters"])
  func arraysWithoutFiltersAreBounded(name: String) async throws {
    let message =
      "Too many filters: expected at most 10000 in all parameters of a query together"
    func body(_ count: Int, _ element: JSON) -> JSON {
      .object([name: .array(Array(repeating: element, count: count))])
    }
    #expect(try await Self.refusal(body(10_000, [])) == nil)
    try await expectEqual(Self.refusal(body(10_001, [])), message)
    try await expectEqual(Self.refusal(body(5001, [[[]], []])), message)
  }

  /// A value is a step when it is read; a group is one when it is counted and one when it is read.
  @Test(arguments: ["facetFilters", "optionalFilters"])
  func everyGroupIsAStep(name: String) async throws {
    func checks(_ count: Int) async throws -> Int {
      let body = JSON.object([name: .array(Array(repeating: [[[]]], count: count))])
      return try await Self.call(Self.calls[0], body).checks
    }
    let (few, many) = try await (checks(100), checks(2000))
    #expect(many - few > 3 * 3 * 1900 / Self.interval, "\(few), \(many)")
  }

  @Test func parametersAreBoundedBeforeParsing() async throws {
    let values = JSON.array(Array(repeating: 1, count: 250_000))
    let message =
      "Too many values: expected at most 250000 in all parameters of a query together"
    // Values are counted by one piece of code. A quick run tries it with one of the parameters.
    let names = ["zone", "insidePolygon", "renderingContent"]
    for name in names.prefix(Thoroughness.count(1, thorough: names.count)) {
      try await expectEqual(Self.refusal(.object([name: values])), message)
    }
    let most = JSON.array(Array(repeating: 1, count: 249_999))
    #expect(try await Self.refusal(["zone": most]) == nil)
    let text = JSON.string(String(repeating: "1", count: 1 << 20 + 1))
    try await expectEqual(
      Self.refusal(["insidePolygon": text]),
      "Invalid value for \"insidePolygon\" parameter, expected at most 1048576 bytes,"
        + " got 1048577 bytes")
    #expect(try await Self.refusal(["zone": text]) == nil)
    let params = JSON.string("zone=" + String(repeating: "1", count: 1 << 22))
    try await expectEqual(
      Self.refusal(["params": params]),
      "Invalid value for \"params\" parameter, expected at most 4194304 bytes,"
        + " got 4194309 bytes")
  }
}
