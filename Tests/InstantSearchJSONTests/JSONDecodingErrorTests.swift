import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Kinds and coding paths of errors, side by side with Foundation's.
struct JSONDecodingErrorTests {
  struct Outer: Decodable, Equatable {
    struct Inner: Decodable, Equatable {
      var id: Int
      var name: String?
    }
    var list: [Inner]
    var map: [String: Inner]?
    var flag: Bool?
    var text: String?
    var number: Double?
    var date: Date?
    var link: URL?
    var blob: Data?
    var price: Decimal?
  }

  @Test(arguments: [
    "null", "1", "[]", "\"x\"", "true", "{}", #"{"list":null}"#, #"{"list":{}}"#, #"{"list":[1]}"#,
    #"{"list":[null]}"#, #"{"list":[{}]}"#, #"{"list":[{"id":null}]}"#,
    #"{"list":[{"id":1},{"id":"x"}]}"#,
    #"{"list":[{"id":1,"name":2}]}"#, #"{"list":[{"id":1,"name":null}]}"#, #"{"list":[{"id":[]}]}"#,
    #"{"list":[],"map":[]}"#, #"{"list":[],"map":null}"#,
    #"{"list":[],"map":{"a":{"id":1},"b":{}}}"#,
    #"{"list":[],"map":{"k":null}}"#, #"{"list":[],"map":{"k":{"id":true}}}"#,
    #"{"list":[],"flag":1}"#,
    #"{"list":[],"flag":"true"}"#, #"{"list":[],"text":1}"#, #"{"list":[],"text":{}}"#,
    #"{"list":[],"number":"1"}"#, #"{"list":[],"number":true}"#, #"{"list":[],"date":"x"}"#,
    #"{"list":[],"date":{}}"#, #"{"list":[],"link":1}"#, #"{"list":[],"link":""}"#,
    #"{"list":[],"blob":"%"}"#, #"{"list":[],"blob":[]}"#, #"{"list":[],"price":"1"}"#,
    #"{"list":[],"price":null}"#, #"{"list":[],"flag":null,"text":null,"number":null}"#, "{", "",
    "[1,",
  ])
  func recordsFailAlike(text: String) {
    expectSameDecoding(Outer.self, text)
  }

  @Test(arguments: ["null", "1", "\"a\"", "[]", "{}", "true", "1.5", "-1", "[null]", "[[]]"])
  func scalarsFailAlike(text: String) {
    expectSameDecoding(Bool.self, text)
    expectSameDecoding(String.self, text)
    expectSameDecoding(Double.self, text)
    expectSameDecoding([Int].self, text)
    expectSameDecoding([[Int]].self, text)
    expectSameDecoding([String: Int].self, text)
    expectSameDecoding([Int: Int].self, text)
    expectSameDecoding(Bool?.self, text)
    expectSameDecoding([String?].self, text)
    expectSameDecoding(Decimal.self, text)
    expectSameDecoding(Data.self, text)
    expectSameDecoding(URL.self, text)
    expectSameDecoding(Date.self, text)
    expectSameDecoding(Outer.self, text)
  }

  @Test(arguments: [
    ("256", "dataCorrupted at [Index 0]"), ("-1", "dataCorrupted at [Index 0]"),
    ("1.5", "dataCorrupted at [Index 0]"), ("1e400", "dataCorrupted at [Index 0]"),
  ])
  func numbersThatDoNotFitAreReportedWithTheirPath(number: String, expected: String) {
    let ours = outcome {
      try JSONValueDecoder().decode([UInt8].self, from: Array("[\(number)]".utf8))
    }
    expectEqual(ours, .error(expected))
  }

  @Test func doublesOutOfRangeAreReportedWithTheirPath() {
    let text = Array(#"{"a":[1,1e400]}"#.utf8)
    let ours = outcome { try JSONValueDecoder().decode([String: [Double]].self, from: text) }
    expectEqual(ours, .error("dataCorrupted at [a.Index 1]"))
    let float = outcome { try JSONValueDecoder().decode(Float.self, from: Array("1e39".utf8)) }
    expectEqual(float, .error("dataCorrupted at []"))
    expectEqual(
      outcome { try JSONValueDecoder().decode(Double.self, from: Array("1e-400".utf8)) },
      .value(0))
  }

  @Test func textThatIsNotJSONCarriesTheReason() throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONValueDecoder().decode(Int.self, from: Array("[1,\n2,]".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("not dataCorrupted")
      return
    }
    let reason = try #require(context.underlyingError as? JSONError)
    #expect((reason.line, reason.column) == (2, 3))
    #expect(context.debugDescription.contains(reason.description))
  }

  /// Walks containers by hand, the way hand-written `init(from:)` do.
  struct Manual: Decodable, Equatable {
    var log: [String] = []
    enum Keys: String, CodingKey { case a, b, c, list }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      log.append(container.allKeys.map(\.stringValue).sorted().joined(separator: " "))
      log.append("\(container.contains(.a)) \(container.contains(.c))")
      log.append("\(outcome { try container.decodeNil(forKey: .a) })")
      log.append("\(outcome { try container.decodeNil(forKey: .c) })")
      log.append("\(outcome { try container.decodeIfPresent(Int.self, forKey: .c) })")
      log.append("\(outcome { try container.decode(Int.self, forKey: .b) })")
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      log.append("\(list.count ?? -1) \(list.isAtEnd) \(list.currentIndex)")
      log.append("\(outcome { try list.decode(String.self) }) \(list.currentIndex)")
      log.append("\(outcome { try list.decode(Int.self) }) \(list.currentIndex)")
      log.append("\(outcome { try list.decodeNil() }) \(list.currentIndex)")
      log.append("\(outcome { try list.decodeNil() }) \(list.currentIndex)")
      log.append("\(outcome { try list.decodeIfPresent(Bool.self) }) \(list.currentIndex)")
      let nested = try list.nestedContainer(keyedBy: Keys.self)
      log.append("\(outcome { try nested.decode(Int.self, forKey: .a) })")
      log.append("\(nested.codingPath.map(\.stringValue))")
      var inner = try list.nestedUnkeyedContainer()
      log.append("\(outcome { try inner.decode(Int.self) }) \(inner.codingPath.map(\.stringValue))")
      log.append("\(outcome { try inner.nestedUnkeyedContainer().count })")
      log.append("\(outcome { try inner.nestedContainer(keyedBy: Keys.self).allKeys.count })")
      log.append("\(outcome { try inner.superDecoder().codingPath.count })")
      log.append("\(outcome { try Int(from: list.superDecoder()) })")
      log.append("\(outcome { try Int(from: list.superDecoder()) }) \(list.isAtEnd)")
      log.append("\(outcome { try list.decode(Int.self) }) \(list.isAtEnd)")
      log.append("\(outcome { try list.decode(Double.self) }) \(list.isAtEnd)")
      log.append(
        "\(outcome { try container.nestedContainer(keyedBy: Keys.self, forKey: .c).allKeys.count })"
      )
      log.append(
        "\(outcome { try container.nestedContainer(keyedBy: Keys.self, forKey: .a).allKeys.count })"
      )
      log.append("\(outcome { try container.nestedUnkeyedContainer(forKey: .b).count })")
      log.append(
        "\(outcome { try container.superDecoder(forKey: .c).singleValueContainer().decodeNil() })")
      log.append("\(outcome { try container.superDecoder(forKey: .c).unkeyedContainer().count })")
      log.append("\(try container.superDecoder().codingPath.map(\.stringValue))")
      log.append("\(decoder.codingPath.map(\.stringValue))")
    }
  }

  @Test func containersWalkedByHandBehaveAlike() {
    let text =
      #"{"x":[{"a":null,"b":"text","list":[1,null,null,{"a":5},[],6,"seven",8]}]}"#
    expectSameDecoding([String: [Manual]].self, text)
  }
}
