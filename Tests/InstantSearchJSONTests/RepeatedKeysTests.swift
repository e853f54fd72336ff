import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

struct RepeatedKeysTests {
  private func root(_ text: String) throws -> JSONNode {
    try JSONDocument(Array(text.utf8)).root
  }

  @Test func duplicateKeysKeepTheLast() throws {
    let root = try root(#"{"a":1,"b":2,"a":3,"a":4,"c":{"b":5,"b":6}}"#)
    expectEqual(root["a"]?.int, 4)
    expectEqual(root["b"]?.int, 2)
    expectEqual(root["c"]?["b"]?.int, 6)
    expectEqual(root.count, 5)
    expectEqual(root.members.map(\.isSuperseded), [true, false, true, false, false])
  }

  @Test func escapedKeysAreTheSameKeys() throws {
    let root = try root(#"{"\u0061b":1,"ab":2,"\u0063":3,"c":4,"\u0063":5}"#)
    expectEqual(root["ab"]?.int, 2)
    expectEqual(root["c"]?.int, 5)
    expectEqual(root.members.map(\.isSuperseded), [true, false, true, true, false])
  }

  @Test(arguments: [2, 3, 23, 24, 25, 26, 100, 1_000], Seed.all(20))
  func repeatedKeysAreFoundInObjectsOfAnySize(count: Int, seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let keys = (0..<count).map { _ in "k\(Int.random(in: 0..<count, using: &random))" }
    let members = keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
    let root = try root("{\(members)}")
    var latest: [String: Int] = [:]
    for (index, key) in keys.enumerated() { latest[key] = index }
    expectEqual(
      root.members.map(\.isSuperseded), keys.enumerated().map { latest[$1] != $0 },
      "seed \(seed.value)")
    for (key, index) in latest { expectEqual(root[key]?.int, index, "seed \(seed.value)") }
    try expectEqual(
      JSONValueDecoder().decode([String: Int].self, from: root), latest, "seed \(seed.value)")
  }

  @Test func decodingUsesTheLastAfterAnyLookups() throws {
    struct Record: Decodable, Equatable {
      var a: Int
      var b: Int
      var c: Int
    }
    for text in [
      #"{"a":1,"b":2,"c":3,"a":4}"#, #"{"a":1,"a":4,"b":2,"c":3}"#, #"{"b":9,"c":3,"b":2,"a":4}"#,
      #"{"c":3,"a":0,"b":0,"a":4,"b":2}"#,
    ] {
      let record = try JSONValueDecoder().decode(Record.self, from: Array(text.utf8))
      expectEqual(record, Record(a: 4, b: 2, c: 3))
    }
  }
}
