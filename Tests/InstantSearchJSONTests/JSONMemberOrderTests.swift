import Foundation
import InstantSearchJSON
import TestSupport
import Testing

/// Members that are encoded again, and members without a defined order.
struct JSONMemberOrderTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONValueEncoder().encode(value), as: UTF8.self)
  }

  /// Encodes a member twice, around containers that are filled later.
  private struct Repeating: Encodable {
    enum Keys: String, CodingKey { case a, b, c }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("old", forKey: .a)
      var nested = container.nestedUnkeyedContainer(forKey: .b)
      try container.encode([Interleaved()], forKey: .c)
      try container.encode("new", forKey: .a)
      try nested.encode(1)
      try container.encode([Interleaved()], forKey: .c)
      try container.encode("newest", forKey: .a)
    }
  }

  @Test func memberEncodedAgainReplacesTheFirst() throws {
    struct Pair: Encodable {
      var x = 1; var list = [Repeating(), Repeating()]; var y = Interleaved()
    }
    let bytes = try JSONValueEncoder().encode(Repeating())
    let root = try JSONDocument(bytes).root
    expectEqual(root.members.map(\.key), ["b", "c", "a"])
    expectEqual(root["a"]?.string, "newest")
    expectSameEncoding(Repeating())
    expectSameEncoding(Pair())
    expectSameEncoding([[Repeating()], [Repeating()]])
  }

  @Test func manyMembersEncodedAgainAreReplaced() throws {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Many: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for index in 0..<100 {
          try container.encode(index, forKey: Key(stringValue: "k\(index % 30)"))
        }
      }
    }
    try expectEqual(JSONDocument(JSONValueEncoder().encode(Many())).root.count, 30)
    expectSameEncoding([Many()])
  }

  /// Elements whose members are encoded twice around a container that is filled later.
  private struct Overriding: Encodable {
    var count: Int

    func encode(to encoder: any Encoder) throws {
      var array = encoder.unkeyedContainer()
      for _ in 0..<count { try array.encode(Repeating()) }
    }
  }

  @Test func repeatedMembersAreReplacedInLinearTime() throws {
    let one = try JSONValueEncoder().insertionsVisited(encoding: Overriding(count: 1))
    #expect(one > 0)
    try expectEqual(
      JSONValueEncoder().insertionsVisited(encoding: Overriding(count: 300)), 300 * one)
    expectSameEncoding(Overriding(count: 3))
  }

  @Test func dictionariesAreWrittenByKey() throws {
    enum Level: String, Codable, CodingKeyRepresentable { case high, low, middle }
    let names = (0..<40).map { "k\($0)" }
    let dictionary = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.count) })
    try expectEqual(
      JSONDocument(JSONValueEncoder().encode(dictionary)).root.members.map(\.key),
      names.sorted())
    try expectEqual(
      text([3: ["b": 1, "a": 2], 10: [:], 2: [:]]), #"{"10":{},"2":{},"3":{"a":2,"b":1}}"#)
    try expectEqual(
      text([[Level.low: [1], .high: [2], .middle: [3]]]),
      #"[{"high":[2],"low":[1],"middle":[3]}]"#)
    try expectEqual(
      text([2: Interleaved(), 1: Interleaved()]),
      "{\"1\":\(text(Interleaved())),\"2\":\(text(Interleaved()))}")
  }
}
