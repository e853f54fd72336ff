import InstantSearchAPI
import AsyncInstantSearchTesting
import Foundation
import LocalSearch
import TestSupport
import Testing

struct ProjectionTests {
  private static let source =
    #"{"objectID":"1","title":"A\u0042","price":1.50,"author":{"name":"Ann","age":3,"#
    + #""home":{"city":"X"}},"cast":[{"name":"B","role":"r"},{"role":"s"},"C"],"a.b":1,"n":null}"#

  private func hit(
    _ parameters: JSON, _ change: (inout IndexSettings) -> Void = { _ in }
  ) async throws -> String {
    let fixture = try await EngineFixture(settings: IndexSettings(change))
    try await fixture.engine.load(Array("[\(Self.source)]".utf8), into: EngineFixture.index)
    var parameters = parameters
    parameters["attributesToHighlight"] = []
    parameters["responseFields"] = ["hits"]
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(parameters.text.utf8), callType: .read))
    let text = String(decoding: response.body, as: UTF8.self)
    // An attribute that no record has is reported after the hits.
    let hits =
      text.components(separatedBy: #"],"message":"#)[0] + (text.hasSuffix("]}") ? "" : "]}")
    return String(hits.dropFirst(#"{"hits":["#.count).dropLast(2))
  }

  @Test func bytesOfARecordAreReturnedUnchanged() async throws {
    try await expectEqual(hit([:]), Self.source)
    try await expectEqual(hit(["attributesToRetrieve": ["*"]]), Self.source)
  }

  @Test(
    arguments: [
      (["title"], #"{"objectID":"1","title":"A\u0042"}"#),
      ([], #"{"objectID":"1"}"#), (["missing"], #"{"objectID":"1"}"#),
      (["-title"], #"{"objectID":"1"}"#),
      (["author.name"], #"{"objectID":"1","author":{"name":"Ann"}}"#),
      (
        ["author.home.city", "price"],
        #"{"objectID":"1","price":1.50,"author":{"home":{"city":"X"}}}"#
      ),
      (["author.nothing"], #"{"objectID":"1"}"#),
      (["cast.name"], #"{"objectID":"1","cast":[{"name":"B"},{}]}"#),
      (["a.b", "n"], #"{"objectID":"1","a.b":1,"n":null}"#),
      (
        ["*", "-author", "-cast", "-a.b", "-objectID"],
        #"{"objectID":"1","title":"A\u0042","price":1.50,"n":null}"#
      ),
      (
        ["*", "-author.home", "-author.age", "-cast.role", "-title", "-price", "-n", "-a.b"],
        #"{"objectID":"1","author":{"name":"Ann"},"cast":[{"name":"B"},{},"C"]}"#
      ),
    ] as [([String], String)])
  func attributesAreChosen(attributes: [String], expected: String) async throws {
    try await expectEqual(
      hit(["attributesToRetrieve": .array(attributes.map { .string($0) })]), expected)
  }

  @Test func unretrievableAttributesAreNeverReturned() async throws {
    let text = try await hit(["attributesToRetrieve": ["author", "title", "price"]]) {
      $0.unretrievableAttributes = ["author.age", "title"]
    }
    expectEqual(
      text, #"{"objectID":"1","price":1.50,"author":{"name":"Ann","home":{"city":"X"}}}"#)
  }

  @Test func theSettingAppliesWithoutTheParameter() async throws {
    try await expectEqual(
      hit([:]) { $0.attributesToRetrieve = ["n"] }, #"{"objectID":"1","n":null}"#)
  }

  @Test func membersOfAHitAreNotWrittenTwice() async throws {
    let record: JSON = [
      "objectID": "1", "name": "Ann", "_highlightResult": ["name": "old"], "_snippetResult": "old",
      "_rankingInfo": "old", "_distinctSeqID": "old",
    ]
    let fixture = try await EngineFixture(
      [record], settings: IndexSettings { $0.attributeForDistinct = "name" })
    let parameters: JSON = [
      "query": "ann", "getRankingInfo": true, "distinct": true, "attributesToSnippet": ["*"],
      "attributesToHighlight": ["*", "_highlightResult"],
    ]
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(parameters.text.utf8), callType: .read))
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(!text.contains("old"))
    for name in ["_highlightResult", "_snippetResult", "_rankingInfo", "_distinctSeqID"] {
      expectEqual(text.split(separator: "\"\(name)\":").count, 2, "\(name)")
    }
    // Unless requested, a hit does not contain the record's own members of these names either.
    let plain = try await fixture.search(["attributesToHighlight": []])["hits"]?[0]
    expectEqual(plain, ["objectID": "1", "name": "Ann"])
    try await expectEqual(fixture.engine.record(withID: "1", in: EngineFixture.index), record)
  }

  /// Two spellings of a letter that are equal as characters are the same name.
  @Test func namesAreComparedByCharacters() throws {
    let list = try AttributeList(["caf\u{e9}.a.b", "cafe\u{301}.a.c"], CancellationCheck())
    for name in ["caf\u{e9}", "cafe\u{301}"] {
      #expect(try list.covers(name + ".a.b.d", CancellationCheck()))
      #expect(try list.covers(name + ".a.c", CancellationCheck()))
      #expect(try !list.covers(name + ".a", CancellationCheck()))
      #expect(try list.relation(to: name + ".a", CancellationCheck()).isAbove)
    }
  }

  @Test(arguments: Seed.all(10))
  func listsOfAttributesCoverNestedOnes(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    func path() -> String {
      (0..<Int.random(in: 1...4, using: &random))
        .map { _ in ["a", "b", "ab", ""].randomElement(using: &random) ?? "" }
        .joined(separator: ".")
    }
    let names = (0..<Int.random(in: 0...6, using: &random)).map { _ in path() }
    let list = try AttributeList(names, CancellationCheck())
    for _ in 0..<50 {
      let path = path()
      let covers = names.contains { path == $0 || path.hasPrefix($0 + ".") }
      let beneath = names.contains { $0.hasPrefix(path + ".") }
      let relation = try list.relation(to: path, CancellationCheck())
      expectEqual(relation.isCovered, covers, "\(names) \(path)")
      expectEqual(relation.isAbove, beneath, "\(names) \(path)")
      try expectEqual(list.covers(path, CancellationCheck()), covers, "\(names) \(path)")
      try expectEqual(
        list.mayContain(path, CancellationCheck()), covers || beneath, "\(names) \(path)")
    }
  }
}
