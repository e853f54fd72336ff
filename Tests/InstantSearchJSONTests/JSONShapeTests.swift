import InstantSearchJSON
import TestSupport
import Testing

/// The size of the tape is bounded by the input, and large inputs of awkward shapes are read.
struct JSONShapeTests {
  @Test func valueTakesOneWordAndContainerTwo() throws {
    func words(_ text: String) throws -> Int { try JSONDocument(Array(text.utf8)).tapeCount }
    try expectEqual(words("1"), 1)
    try expectEqual(words("[]"), 2)
    try expectEqual(words("[[],[]]"), 6)
    try expectEqual(words(#"{"a":1}"#), 4)
    try expectEqual(words(#"{"a":[1,2],"b":3}"#), 9)
    try expectEqual(words("\"" + String(repeating: "\\\"", count: 1_000) + "\""), 1)
  }

  @Test func theTapeIsLinearInTheInput() throws {
    let count = 20_000
    let shapes: [(text: String, words: Int)] = [
      ("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]", count + 2),
      ("[" + Array(repeating: "[]", count: count).joined(separator: ",") + "]", 2 * count + 2),
      ("[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]", 2 * count + 2),
      ("[" + Array(repeating: #""\\\"""#, count: count).joined(separator: ",") + "]", count + 2),
      ("{" + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}", 2 * count + 2),
    ]
    for shape in shapes {
      let document = try JSONDocument(Array(shape.text.utf8))
      expectEqual(document.tapeCount, shape.words)
      expectEqual(document.root.count, count)
    }
  }

  /// A million of them in a thorough run.
  @Test func veryManyKeysAreRead() throws {
    let count = Thoroughness.count(100_000, thorough: 1_000_000)
    var writer = JSONWriter(capacity: 16 * count)
    writer.beginObject()
    for index in 0..<count {
      writer.key("key\(index)")
      writer.int(index)
    }
    writer.key("key0")
    writer.int(-1)
    writer.endObject()
    let root = try JSONDocument(writer.bytes).root
    expectEqual(root.count, count + 1)
    expectEqual(root["key0"]?.int, -1)
    expectEqual(root["key\(count - 1)"]?.int, count - 1)
    let values = try JSONValueDecoder().decode([String: Int].self, from: root)
    expectEqual(values.count, count)
    expectEqual(values["key0"], -1)
  }

  /// A container over any keys, which the standard library fills key by key.
  @Test func keyByKeyDecodingOfManyKeysFollowsTheText() throws {
    let count = Thoroughness.count(10_000, thorough: 100_000)
    let text = "{" + (0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ",") + ",\"0\":7}"
    let values = try JSONValueDecoder().decode([Int: Int].self, from: Array(text.utf8))
    expectEqual(values.count, count)
    expectEqual(values[0], 7)
    expectEqual(values[count - 1], count - 1)
  }

  @Test func codingPathsOfDeepValuesAreComplete() throws {
    let depth = 500
    let text = String(repeating: "[0,", count: depth) + "7" + String(repeating: "]", count: depth)
    var node = try JSONDocument(Array(text.utf8)).root
    while let next = node[1] { node = next }
    expectEqual(node.int, 7)
    expectEqual(node.codingPath.map(\.intValue), Array(repeating: 1, count: depth))
  }
}
