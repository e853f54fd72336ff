import InstantSearchJSON
import TestSupport
import Testing

/// Keys that are looked up together.
@Suite struct JSONKeysTests {
  private static func document(_ json: String) throws -> JSONDocument {
    try JSONDocument(Array(json.utf8))
  }

  /// The indices of the keys that an object has, with their numeric values.
  private static func found(
    _ keys: [String], in json: String
  ) throws -> [Int?] {
    let document = try document(json)
    let members = document.members(JSONKeys(keys), ofObjectAt: JSONDocument.rootIndex)
    return keys.indices.map { members[$0].flatMap(document.int(at:)) }
  }

  @Test func keysOfAnyLengthAreDistinguished() throws {
    for length in 0...40 {
      let key = String(repeating: "k", count: length)
      try expectEqual(Self.found([key], in: #"{"\#(key)":7}"#), [7])
      try expectEqual(Self.found([key], in: #"{"\#(key)k":7}"#), [nil])
      for position in 0..<length {
        var other = Array(key)
        other[position] = "K"
        try expectEqual(Self.found([key], in: #"{"\#(String(other))":7}"#), [nil])
        try expectEqual(
          Self.found([key, String(other)], in: #"{"\#(String(other))":7}"#), [nil, 7])
      }
    }
  }

  @Test func orderOfMembersDoesNotMatter() throws {
    let keys = ["one", "two", "three", "four"]
    try expectEqual(Self.found(keys, in: #"{"one":1,"two":2,"three":3,"four":4}"#), [1, 2, 3, 4])
    try expectEqual(Self.found(keys, in: #"{"four":4,"x":0,"two":2,"one":1}"#), [1, 2, nil, 4])
    try expectEqual(Self.found(keys, in: "{}"), [nil, nil, nil, nil])
    try expectEqual(Self.found(keys, in: #"["one",1]"#), [nil, nil, nil, nil])
  }

  @Test func lastOfRepeatedKeysWins() throws {
    try expectEqual(Self.found(["a", "b"], in: #"{"a":1,"b":2,"a":3}"#), [3, 2])
    try expectEqual(Self.found(["a"], in: #"{"a":1,"\u0061":2}"#), [2])
    try expectEqual(Self.found(["a"], in: #"{"\u0061":2,"a":1}"#), [1])
  }

  @Test func escapedKeysAreCompared() throws {
    let escaped = #"{"\u006eame of sixteen!":5,"\u00e9":6}"#
    try expectEqual(Self.found(["name of sixteen!", "é"], in: escaped), [5, 6])
    let long = String(repeating: #"\u0061"#, count: 20)
    try expectEqual(
      Self.found(["name", String(repeating: "a", count: 20)], in: #"{"\#(long)":5}"#),
      [
        nil, 5,
      ])
    try expectEqual(Self.found(["name", "other"], in: #"{"\#(long)":5}"#), [nil, nil])
  }

  @Test func nestedMembersAreNotFound() throws {
    try expectEqual(Self.found(["a", "b"], in: #"{"b":{"a":1},"c":[{"a":2}]}"#), [nil, nil])
  }

  @Test func maximumNumberOfKeysIsDistinguished() throws {
    let keys = (0..<16).map { "key\($0)" }
    let members = keys.enumerated().map { #""\#($1)":\#($0)"# }
    try expectEqual(
      Self.found(keys, in: "{\(members.joined(separator: ","))}"), (0..<16).map { $0 })
  }

  @Test func textIsFoundAtAnyOffset() throws {
    let document = try Self.document(#"["full","none","ful","",7]"#)
    let words = JSONKeys(["none", "full", ""])
    var elements = document.elements(at: JSONDocument.rootIndex)
    var numbers: [Int?] = []
    while let element = elements.nextElement(in: document), numbers.count < 4 {
      numbers.append(words.number(ofTextAt: element, in: document))
    }
    expectEqual(numbers, [1, 0, nil, 2])
  }

  @Test func membersAreFoundByIndex() throws {
    let document = try Self.document(#"{"a":1,"b":[2,3],"a":4,"c":{"d":5}}"#)
    let root = JSONDocument.rootIndex
    expectEqual((0..<3).map { document.member($0, ofObjectAt: root) != nil }, [true, true, true])
    expectEqual(document.member(1, ofObjectAt: root).flatMap(document.int(at:)), 4)
    #expect(document.member(3, ofObjectAt: root) == nil)
    expectEqual(document.member(-1, ofObjectAt: root), document.member(0, ofObjectAt: root))
    #expect(document.member(0, ofObjectAt: root + 3) == nil)
  }
}
