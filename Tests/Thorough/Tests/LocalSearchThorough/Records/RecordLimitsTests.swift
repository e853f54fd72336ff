import Foundation
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

struct RecordLimitsTests {
  private static let index = EngineFixture.index
  private static let tooDeep = "A record must not have more than 200 nested arrays and objects"

  /// A record of this many nested objects and arrays, including itself.
  private func record(nested depth: Int, _ id: String = "deep") -> JSON {
    var value: JSON = "word"
    for level in 1..<depth { value = level.isMultiple(of: 2) ? ["a": value] : [value] }
    return ["objectID": .string(id), "value": value]
  }

  // MARK: Depth

  @Test func aRecordAtTheLimitIsFoundByManyQueries() async throws {
    let fixture = try await EngineFixture([record(nested: 200), ["objectID": "flat"]])
    let answer = try await fixture.call(
      .post, ["*", "queries"],
      ["requests": [["indexName": .string(Self.index), "attributesToHighlight": ["*"]]]])
    let hits = answer.body["results"]?[0]?["hits"]
    expectEqual(hits?.arrayValue?.map(\.id), ["deep", "flat"])
    expectEqual(hits?[0]?["value"], record(nested: 200)["value"])
    let page = try await fixture.page(SearchQuery("word"), of: Hit<JSON>.self)
    expectEqual(page.hits.count, 1)
  }

  @Test func tooDeepRecordsAreRejectedByEveryCall() async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    let deep = record(nested: 201)
    await #expect {
      try await fixture.engine.save([["objectID": "2"], deep], in: Self.index)
    } throws: { ($0 as? SearchError)?.message == "request 1: " + Self.tooDeep }
    await #expect {
      try await fixture.engine.load(Array("{}\n\(deep.text)".utf8), into: Self.index)
    } throws: { ($0 as? SearchError)?.message == "input:2: " + Self.tooDeep }
    let put = try await fixture.call(.put, [Self.index, "2"], deep)
    expectEqual(put.body["message"]?.stringValue, Self.tooDeep)
    let batch = try await fixture.call(
      .post, [Self.index, "batch"], ["requests": [["action": "addObject", "body": deep]]])
    expectEqual(batch.body["message"]?.stringValue, "request 0: " + Self.tooDeep)
    expectEqual(fixture.engine.recordCount(of: Self.index), 1)
  }

  @Test func partialUpdateCannotNestARecordTooDeeply() async throws {
    let fixture = try await EngineFixture([record(nested: 200)])
    let allowed = try await fixture.call(
      .post, [Self.index, "deep", "partial"], ["other": record(nested: 199)])
    expectEqual(allowed.status, 200)
    let refused = try await fixture.call(
      .post, [Self.index, "deep", "partial"], ["other": record(nested: 200)])
    expectEqual(refused.status, 400)
    expectEqual(refused.body["message"]?.stringValue, Self.tooDeep)
    await #expect {
      try await fixture.engine.partialUpdate(
        [["objectID": "deep", "n": 1], ["objectID": "deep", "other": record(nested: 200)]],
        in: Self.index)
    } throws: { ($0 as? SearchError)?.message == "request 1: " + Self.tooDeep }
    #expect(try await fixture.engine.record(withID: "deep", in: Self.index)?["n"] == nil)
  }

  @Test func bracketsInTextDoNotCountAsNesting() async throws {
    let text = String(repeating: #"[{"\"#, count: 300)
    let fixture = try await EngineFixture([["objectID": "1", "text": .string(text)]])
    try await expectEqual(fixture.ids(), ["1"])
  }

  // MARK: Numbers

  @Test(
    arguments: [
      (.uint(.max), "Increment", 1, "18446744073709551616"),
      (.int(.min), "Decrement", 1, "-9223372036854775809"),
      (.int(.min), "Increment", .int(.min), "-18446744073709551616"),
      (0, "IncrementFrom", 0, nil),
      (.uint(.max), "IncrementFrom", .uint(.max), "18446744073709551616"),
    ] as [(JSON, String, JSON, String?)])
  func sumOutOfRangeIsRejected(
    old: JSON, operation: String, value: JSON, sum: String?
  ) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "n": old]])
    let answer = try await fixture.call(
      .post, [Self.index, "1", "partial"],
      ["n": ["_operation": .string(operation), "value": value], "m": 1])
    let record = try await fixture.engine.record(withID: "1", in: Self.index)
    if let sum {
      expectEqual(answer.status, 400)
      expectEqual(
        answer.body["message"]?.stringValue,
        "Attribute n would become an integer out of range, \(sum)")
      expectEqual(record, ["objectID": "1", "n": old])
    } else {
      expectEqual(record?["m"], 1)
    }
  }

  @Test func nonFiniteSumIsRejected() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "n": 1e308]])
    await #expect {
      try await fixture.engine.partialUpdate(
        [
          ["objectID": "1", "m": 1],
          ["objectID": "1", "n": ["_operation": "Increment", "value": 1e308]],
        ] as [JSON], in: Self.index)
    } throws: {
      ($0 as? SearchError)?.message == "request 1: Attribute n would become a number too large"
    }
    let record = try await fixture.engine.record(withID: "1", in: Self.index)
    expectEqual(record, ["objectID": "1", "n": 1e308])
  }

  /// Many clients cannot read a response with a number beyond the largest `Double`.
  @Test(arguments: ["1e999", "-1e400", String(repeating: "9", count: 400)], [false, true])
  func numbersOutOfRangeAreRejected(number: String, isNested: Bool) async throws {
    let fixture = try await EngineFixture()
    let value = isNested ? "[{\"deep\":[\(number)]}]" : number
    let record = Array("{\"objectID\":\"1\",\"n\":\(value)}".utf8)
    await #expect {
      try await fixture.engine.load(record, into: Self.index)
    } throws: {
      ($0 as? SearchError)?.message.contains("is too large") == true
    }
    let put = try await fixture.engine.send(
      TransportRequest(
        method: .put, pathComponents: ["1", "indexes", Self.index, "1"], body: record,
        callType: .write))
    expectEqual(put.status, 400)
    expectEqual(fixture.engine.recordCount(of: Self.index), 0)
  }

  /// Foundation's decoder refuses a response with half a surrogate pair as a whole.
  @Test func halvesOfSurrogatePairsAreReplaced() async throws {
    let texts = [
      (#"\ud800"#, "\u{FFFD}"), (#"a\udc00b"#, "a\u{FFFD}b"), (#"\ud83d\ude00"#, "😀"),
      (#"\ud83d\ud83d\ude00\ude00"#, "\u{FFFD}😀\u{FFFD}"), (#"\\ud800"#, #"\ud800"#),
      (#"\uD800\u0041"#, "\u{FFFD}A"), (#"\ud800\"\udfff\\"#, "\u{FFFD}\"\u{FFFD}\\"),
    ]
    for (text, expected) in texts {
      let fixture = try await EngineFixture()
      let record = "{\"objectID\":\"1\",\"\(text)\":[\"\(text)\"]}"
      try await fixture.engine.load(Array(record.utf8), into: Self.index)
      let response = try await fixture.engine.send(
        TransportRequest(.search(index: Self.index), body: Array("{}".utf8)))
      let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
      let hit = (object?["hits"] as? [[String: Any]])?.first
      expectEqual((hit?[expected] as? [String]), [expected], "\(text)")
    }
  }
}
