import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct HitsPageFailureTests {
  struct Film: Codable, Sendable, Hashable {
    struct Role: Codable, Sendable, Hashable { var age: Int }
    var title: String
    var cast: [Role]
  }

  private func page(
    _ coder: ModelCoder, _ hits: String, members: String = ""
  ) throws -> HitsPage<Hit<Film>> {
    try coder.decode(HitsPage<Hit<Film>>.self, #"{"hits":[\#(hits)]\#(members)}"#)
  }

  private func film(_ id: String) -> String { #"{"title":"\#(id)","cast":[],"objectID":"\#(id)"}"# }

  @Test(arguments: ModelCoder.allCases)
  func undecodableHitIsAFailureAndOthersAreDelivered(coder: ModelCoder) throws {
    let bad = #"{"title":"b","cast":[{"age":1},{"age":"old"}],"objectID":"b"}"#
    let page = try page(
      coder, "\(film("a")),\(bad),\(film("c"))", members: #","page":1,"hitsPerPage":3"#)
    expectEqual(page.hits.map(\.objectID), ["a", "c"])
    expectEqual(page.hits.map(\.searchMetadata.position), [4, 6])
    let failure = try #require(page.failures.first)
    expectEqual(page.failures.count, 1)
    expectEqual(failure.position, 5)
    expectEqual(failure.objectID, "b")
    expectEqual(failure.codingPath, ["cast", "1", "age"])
  }

  @Test(arguments: [
    (
      #"{"title":"b","cast":[{"age":"old"}],"objectID":"b"}"#, ["cast", "0", "age"],
      "expected a number, found a string"
    ),
    (#"{"title":7,"cast":[],"objectID":"b"}"#, ["title"], "expected a string, found a number"),
    (#"{"title":"b","cast":{},"objectID":"b"}"#, ["cast"], "expected an array, found an object"),
    (
      #"{"title":"b","cast":[true],"objectID":"b"}"#, ["cast", "0"],
      "expected an object, found a boolean"
    ),
    (#"{"title":null,"cast":[],"objectID":"b"}"#, ["title"], "expected a string, found null"),
    (#"{"cast":[],"objectID":"b"}"#, ["title"], "the member is missing"),
    (#"{"title":"b","cast":[]}"#, ["objectID"], "the member is missing"),
    (#"{"title":"b","cast":[],"objectID":[]}"#, ["objectID"], "expected a string, found an array"),
    ("null", [], "expected an object, found null"),
    ("17", [], "expected an object, found a number"),
  ])
  func reasonIsReadable(hit: String, path: [String], reason: String) throws {
    let page = try page(.own, "\(film("a")),\(hit)")
    let failure = try #require(page.failures.first)
    expectEqual(page.hits.count, 1)
    expectEqual(failure.codingPath, path)
    expectEqual(failure.reason, reason)
    expectEqual(failure.position, 2)
    expectEqual(failure.objectID, hit.contains(#""objectID":"b""#) ? "b" : nil)
  }

  @Test func everyDecoderReportsTheSameFailures() throws {
    let hits = [
      film("a"), "null", #"{"title":"b","cast":3,"objectID":7}"#, "[]", #""x""#, film("c"), "1",
      #"{"objectID":"d"}"#, film("e"), "null",
    ].joined(separator: ",")
    let own = try page(.own, hits)
    let foundation = try page(.foundation, hits)
    expectEqual(own.hits.map(\.objectID), ["a", "c", "e"])
    expectEqual(foundation.hits, own.hits)
    expectEqual(own.failures.map(\.position), [2, 3, 4, 5, 7, 8, 10])
    expectEqual(foundation.failures.map(\.position), own.failures.map(\.position))
    expectEqual(foundation.failures.map(\.objectID), own.failures.map(\.objectID))
    expectEqual(foundation.failures.map(\.codingPath), own.failures.map(\.codingPath))
    expectEqual(own.failures[1].objectID, "7")
    for coder in ModelCoder.allCases {
      // Null is valid JSON and can stand for a missing record, but it is not a hit.
      let json = try coder.decode(HitsPage<JSON>.self, #"{"hits":[null,1]}"#)
      expectEqual(json.hits, [1], "\(coder)")
      let optional = try coder.decode(HitsPage<Int?>.self, #"{"hits":[null,1]}"#)
      expectEqual(optional.hits, [1], "\(coder)")
      let failure = HitFailure(
        position: 1, objectID: nil, codingPath: [], reason: "expected an object, found null")
      expectEqual(json.failures, [failure], "\(coder)")
      expectEqual(optional.failures, [failure], "\(coder)")
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func unknownRankIsNil(coder: ModelCoder) throws {
    let page = try page(coder, #"{"objectID":"b"}"#, members: #","page":2"#)
    let failure = try #require(page.failures.first)
    #expect(failure.position == nil)
    expectEqual(failure.description, "a record (objectID b) at title: the member is missing")
  }

  @Test(arguments: ModelCoder.allCases)
  func failuresAreSavedWithTheirPage(coder: ModelCoder) throws {
    let page = try page(
      coder, #"\#(film("a")),{"objectID":"b"},null,\#(film("c"))"#,
      members: #","page":1,"hitsPerPage":4,"queryID":"q""#)
    expectEqual(page.failures.count, 2)
    expectEqual(page.hits.map(\.searchMetadata.position), [5, 8])
    try expectEqual(coder.roundTrip(page), page)
    try expectEqual(coder.roundTrip(page.failures), page.failures)
    #expect(throws: DecodingError.self) {
      try coder.decode(HitFailure.self, #"{"reason":"none"}"#)
    }
  }

  @Test func codingPathIsRelativeToTheHit() throws {
    let document = try JSONDocument(
      Array(#"{"results":[{},{"hits":[{"objectID":"1","title":"t","cast":[{}]}]}]}"#.utf8))
    let node = try #require(document.root["results"]?[1])
    let page = HitsPage<Hit<Film>>(node: node, options: JSONDecodingOptions(), query: nil)
    expectEqual(page.failures.first?.codingPath, ["cast", "0", "age"])
  }

  @Test func errorThrownByTheRecordKeepsItsText() throws {
    struct Refusal: Error, CustomStringConvertible { var description: String { "too old" } }
    struct Picky: Decodable, Sendable {
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let page = try ModelCoder.own.decode(
      HitsPage<Hit<Picky>>.self, #"{"hits":[{"objectID":"1"}]}"#)
    expectEqual(
      page.failures, [HitFailure(position: 1, objectID: "1", codingPath: [], reason: "too old")])
  }

  @Test func unknownEnumValueIsNamed() throws {
    enum Colour: String, Decodable { case red }
    struct Shirt: Decodable, Sendable { var colour: Colour }
    let page = try ModelCoder.own.decode(
      HitsPage<Shirt>.self, #"{"hits":[{"objectID":"1","colour":"blue"}]}"#)
    let failure = try #require(page.failures.first)
    expectEqual(failure.codingPath, ["colour"])
    #expect(failure.reason.contains("blue"))
  }

  @Test func integerKeyIsNamed() throws {
    enum Keys: Int, CodingKey { case title = 7 }
    struct Numbered: Decodable, Sendable {
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .title)
      }
    }
    let page = try ModelCoder.own.decode(
      HitsPage<Numbered>.self, #"{"hits":[{"objectID":"1"},{"7":1}]}"#)
    expectEqual(page.failures.first?.codingPath, ["title"])
    let steps: [any CodingKey] = [
      JSONCodingKey(index: 3), JSONCodingKey(intValue: 4), Keys.title,
      JSONCodingKey(stringValue: "a"),
    ]
    expectEqual(DecodingIssue.steps(steps), ["3", "4", "title", "a"])
  }

  @Test(arguments: ModelCoder.allCases)
  func failuresOfBareRecordsAreReported(coder: ModelCoder) throws {
    let page = try coder.decode(
      HitsPage<Movie>.self, #"{"hits":[{"title":"a"},{"title":"b","year":1}]}"#)
    expectEqual(page.hits, [Movie(title: "b", year: 1)])
    expectEqual(page.failures.first?.codingPath, ["year"])
  }
}
