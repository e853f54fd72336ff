@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The parameters of a query are counted and bounded before parsing, in every form.
struct ValueCountTests {
  private static let index = EngineFixture.index
  private static let tooManyParameters =
    "Too many parameters: expected at most 1000 in URL-encoded form"
  private static let tooManyValues =
    "Too many values: expected at most 250000 in all parameters of a query together"

  private static func pairs(_ count: Int, _ pair: (Int) -> String) -> JSON {
    .string((0..<count).map(pair).joined(separator: "&"))
  }

  /// Calls that take `params`, each with its body.
  private static let readers: [(path: [String], body: @Sendable (JSON) -> JSON, place: String)] = [
    ([index, "query"], { ["params": $0] }, ""),
    ([index, "browse"], { ["params": $0] }, ""),
    ([index, "facets", "brand", "query"], { ["params": $0] }, ""),
    ([index, "deleteByQuery"], { ["params": $0] }, ""),
    (
      ["*", "queries"],
      { params in
        let query: JSON = ["indexName": .string(index), "params": params]
        return ["requests": [["indexName": .string(index)], query]]
      }, "request 1, index items: "
    ),
  ]

  /// They share the code that reads `params`, so a quick run tries the first and the last.
  @Test(arguments: Thoroughness.isThorough ? Array(readers.indices) : [0, readers.count - 1])
  func pairsInParamsAreBounded(number: Int) async throws {
    let (path, body, place) = Self.readers[number]
    let fixture = try await CountedCall.fixture()
    for (count, message) in [(1000, nil), (1001, Self.tooManyParameters)] {
      let params = Self.pairs(count) { _ in "page=0" }
      try await expectEqual(
        CountedCall.call(fixture, .post, path, body(params)).message, message.map { place + $0 })
    }
    // Counting is interrupted too.
    let params = Self.pairs(250_001) { _ in "page=0" }
    let refusal = try await CountedCall.call(fixture, .post, path, body(params))
    expectEqual(refusal.message, place + Self.tooManyParameters)
    #expect(refusal.checks > 250, "\(refusal.checks)")
  }

  @Test func valuesInParamsAreValues() async throws {
    let fixture = try await CountedCall.fixture()
    let path = [Self.index, "query"]
    // Values are counted by one piece of code. A quick run tries it with one of the parameters.
    let names = ["zone", "renderingContent", "insidePolygon"]
    for name in names.prefix(Thoroughness.count(1, thorough: names.count)) {
      let list = Array(repeating: "1", count: 250_000).joined(separator: ",")
      let params = JSON.string("\(name)=[\(list)]")
      try await expectEqual(
        CountedCall.call(fixture, .post, path, ["params": params]).message,
        Self.tooManyValues)
    }
    // Both forms count together.
    let list = JSON.array(Array(repeating: 1, count: 200_000))
    let area = Array(repeating: "1", count: 50_000).joined(separator: ",")
    try await expectEqual(
      CountedCall.call(fixture, .post, path, ["zone": list, "params": .string("area=[\(area)]")])
        .message,
      Self.tooManyValues)
  }

  /// Every pair, and every few bytes of a long one, are steps.
  @Test func paramsAreCounted() async throws {
    let fixture = try await CountedCall.fixture()
    func checks(_ params: JSON) async throws -> Int {
      let body: JSON = ["params": params, "responseFields": ["hits"]]
      return try await CountedCall.call(fixture, .post, [Self.index, "query"], body).checks
    }
    let few = try await checks("page=0")
    let many = try await checks(Self.pairs(4000) { _ in "page=0" })
    #expect(many - few >= 4000 / CountedCall.interval, "\(few), \(many)")
    let long = try await checks(.string("zone=" + String(repeating: "%C3%A9", count: 100_000)))
    // A check per few thousand bytes when the text is split, and when it is decoded.
    #expect(long - few >= 150, "\(few), \(long)")
    let list = Array(repeating: "1", count: 4000).joined(separator: ",")
    let values = try await checks(.string("zone=[\(list)]"))
    #expect(values - few >= 2 * 4000 / CountedCall.interval, "\(few), \(values)")
  }

  @Test func theQueryOfPlacesIsCounted() async throws {
    let fixture = try await CountedCall.fixture()
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .get, pathComponents: ["1", "places", "reverse"],
        queryItems: (0..<4000).map { _ in QueryItem(name: "hitsPerPage", value: "1") },
        callType: .read, deadline: clock.deadline(atCheck: nil)))
    expectEqual(response.status, 400)
    #expect(clock.reads >= 4000 / CountedCall.interval, "\(clock.reads)")
  }

  /// Unknown parameters are sorted by name, and each takes memory.
  @Test func unknownParametersAreBounded() async throws {
    let fixture = try await CountedCall.fixture()
    let path = [Self.index, "query"]
    func inline(_ count: Int) -> JSON {
      .object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("name\($0)", 1) }))
    }
    let tooMany =
      "Too many unknown names: expected at most 1000 in all parameters of a query together"
    #expect(try await CountedCall.call(fixture, .post, path, inline(1000)).message == nil)
    try await expectEqual(CountedCall.call(fixture, .post, path, inline(1001)).message, tooMany)
    let params: JSON = ["params": Self.pairs(1000) { "name\($0)=1" }]
    #expect(try await CountedCall.call(fixture, .post, path, params).message == nil)
    var both = inline(600)
    both["params"] = Self.pairs(600) { "other\($0)=1" }
    try await expectEqual(CountedCall.call(fixture, .post, path, both).message, tooMany)
    try await expectEqual(
      CountedCall.call(fixture, .post, path, [String(repeating: "x", count: 1001): 1])
        .message,
      "A name among the parameters of a query is too long: expected at most 1000 bytes,"
        + " got 1001 bytes")
    let text = JSON.string(String(repeating: "x", count: 1 << 21))
    try await expectEqual(
      CountedCall.call(fixture, .post, path, ["a": text, "b": text]).message,
      "The values of unknown names are too long: expected at most 4194304 bytes in all parameters of"
        + " a query together, got 4194310 bytes or more")
  }

  /// A list that is too long is rejected before its entries are parsed, also as one text.
  @Test func longListsAreNotRead() async throws {
    let fixture = try await CountedCall.fixture()
    let path = [Self.index, "query"]
    let count = Thoroughness.count(10_000, thorough: 100_000)
    let message =
      "Invalid value for \"facets\" parameter, expected at most 1000 entries, got \(count)"
    let names = Array(repeating: "a", count: count)
    let text = names.joined(separator: ",")
    let bodies: [JSON] = [
      ["facets": .array(names.map { .string($0) })], ["facets": .string(text)],
      ["params": .string("facets=" + text)],
      ["params": .string("facets=[\"" + names.joined(separator: "\",\"") + "\"]")],
    ]
    for body in bodies {
      try await expectEqual(CountedCall.call(fixture, .post, path, body).message, message)
    }
    try await expectEqual(
      CountedCall.call(
        fixture, .post, path,
        ["insidePolygon": .string(Array(repeating: "1", count: 20_001).joined(separator: ","))]
      ).message,
      "Invalid value for \"insidePolygon\" parameter, expected at most 20000 entries,"
        + " got 20001")
  }

  @Test func bothFormsOfAParameterAreMerged() async throws {
    let fixture = try await CountedCall.fixture()
    let body: JSON = [
      "params": "query=no&hitsPerPage=3&zone=1&area=%5B1%2C+2%5D&area=[2]&name=a+b%26c&&flag",
      "query": "word", "zone": ["a": 1],
    ]
    let answer = try await fixture.search(body)
    expectEqual(answer["query"], "word")
    expectEqual(answer["hitsPerPage"], 3)
    expectEqual(
      answer["params"]?.stringValue,
      "area=%5B2%5D&flag=&hitsPerPage=3&name=a+b%26c&query=word&zone=%7B%22a%22%3A1%7D")
    for (params, message) in [
      ("%=1", "Invalid percent-encoding in a parameter's name"),
      ("a=%", "Invalid value for \"a\" parameter, wrong percent-encoding"),
      ("page=x", "Invalid value for \"page\" parameter, expected integer, got \"x\""),
    ] {
      try await expectEqual(fixture.refusal(["params": .string(params)]), message)
    }
    try await expectEqual(
      fixture.refusal(["params": 1]),
      "Malformed body: expected a string \"params\"")
  }
}
