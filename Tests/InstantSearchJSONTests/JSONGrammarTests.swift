import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// The corners of RFC 8259: which texts are accepted as which value, and which are rejected where.
struct JSONGrammarTests {
  /// Each text alone, among others in an array, and as the value of a member.
  @Test(arguments: GrammarCases.all) func textIsReadAsTheGrammarDefines(text: GrammarCase) throws {
    // The other reader must pass the same table.
    expectEqual(DocumentComparison.violations(in: text.bytes), [])
    switch text.expectation {
    case .value(let value):
      let node = try JSONDocument(text.bytes).root
      let expected = try ReferenceReader.read(Array(value.utf8))
      expectEqual(Self.summary(of: node), Self.summary(of: expected))
      let inside =
        Array("[0, ".utf8) + text.bytes + Array(" ,{\"k\":".utf8) + text.bytes + Array("}]".utf8)
      let root = try JSONDocument(inside).root
      expectEqual(root[1].map(Self.summary), Self.summary(of: expected))
      expectEqual(root[2]?["k"].map(Self.summary), Self.summary(of: expected))
    case .refused(let offset):
      let error = try #require(throws: JSONError.self) { try JSONDocument(text.bytes) }
      expectEqual(error.offset, offset)
      #expect(throws: DecodingError.self) {
        try JSONValueDecoder().decode(JSONTree.self, from: text.bytes)
      }
      expectEqual(DocumentComparison.violations(in: [0x5B] + text.bytes + [0x5D]), [])
      expectEqual(DocumentComparison.violations(in: [0x20] + text.bytes + [0x20]), [])
    }
  }

  /// A text that is equal only for equal values: numbers to the last bit, keys in order.
  private static func summary(of node: JSONNode) -> String {
    switch node.kind {
    case .null: "null"
    case .bool: "\(node.bool as Any)"
    case .number: "\(node.double.map { "\($0)" } ?? "too large") \(node.int64 as Any)"
    case .string: "\(Array((node.string ?? "").utf8))"
    case .array: "[\(node.elements.map(summary))]"
    case .object: "{\(node.currentMembers.map { "\($0.key): \(summary(of: $0.value))" })}"
    }
  }

  private static func summary(of value: ReferenceValue) -> String {
    switch value.content {
    case .null: "null"
    case .bool(let value): "\(value as Bool? as Any)"
    case .number(let text):
      "\(ReferenceNumber.double(text).map { "\($0)" } ?? "too large") "
        + "\(ReferenceNumber.integer(text).flatMap { Int64($0) } as Any)"
    case .string(let text): "\(text)"
    case .array(let elements): "[\(elements.map(summary))]"
    case .object: "{\(value.currentMembers.map { "\($0.name): \(summary(of: $0.value))" })}"
    }
  }

  @Test(arguments: [("[", "]", 512), ("{\"a\":", "}", 512), ("[", "]", 3), ("{\"\":[", "]}", 6)])
  func nestingStopsAtTheLimit(open: String, close: String, limit: Int) throws {
    let levels = limit / open.count { "[{".contains($0) }
    func nested(_ count: Int, _ inside: String) -> [UInt8] {
      Array(
        (String(repeating: open, count: count) + inside + String(repeating: close, count: count))
          .utf8)
    }
    for inside in ["1", "\"\"", "[1]"] {
      let depth = inside == "[1]" ? levels - 1 : levels
      expectEqual(DocumentComparison.violations(in: nested(depth, inside), maximumDepth: limit), [])
      _ = try JSONDocument(nested(depth, inside), maximumDepth: limit)
    }
    for inside in ["[]", "{}", "[", "[[[[", "{\"a\":1}"] {
      let bytes = nested(levels, inside)
      let error = try #require(throws: JSONError.self) {
        try JSONDocument(bytes, maximumDepth: limit)
      }
      expectEqual(error.offset, levels * open.utf8.count)
      expectEqual(DocumentComparison.violations(in: bytes, maximumDepth: limit), [])
    }
  }
}
