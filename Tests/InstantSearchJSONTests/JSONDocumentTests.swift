import InstantSearchJSON
import TestSupport
import Testing

struct JSONDocumentTests {
  @Test(
    "Says what was expected, what was found and where",
    arguments: [
      ("", "expected a value, found the end of the input", 0, 1, 1),
      ("{\n  \"a\": }", "expected a value, found '}'", 9, 2, 8),
      ("[1\r\n 2]", "expected ',' or ']', found '2'", 5, 2, 2),
      ("[\r1,\r\r}", "expected a value, found '}'", 6, 4, 1),
      ("{\"é\" 1}", "expected ':' after the key, found '1'", 6, 1, 7),
      ("{\"a\":1,}", "expected a key in quotes after ',', found '}'", 7, 1, 8),
      ("{a}", "expected a key in quotes or '}', found 'a'", 1, 1, 2),
      ("012", "expected the end of the number after a leading zero, found '1'", 1, 1, 2),
      ("1.x", "expected a digit after the decimal point, found 'x'", 2, 1, 3),
      ("1e ", "expected a digit in the exponent, found a space", 2, 1, 3),
      ("-", "expected a digit after '-', found the end of the input", 1, 1, 2),
      ("trux", "expected the literal 'true', found 'x'", 3, 1, 4),
      ("\"\\q\"", "expected one of \" \\ / b f n r t u after '\\', found 'q'", 2, 1, 3),
      ("\"\\u12z4\"", "expected four hexadecimal digits after '\\u', found 'z'", 5, 1, 6),
      ("[] 1", "expected the end of the input after the value, found '1'", 3, 1, 4),
      ("\u{FEFF}1", "expected a value, found a byte order mark", 0, 1, 1),
    ])
  func describesErrors(text: String, message: String, offset: Int, line: Int, column: Int) {
    let expected = JSONError(message: message, offset: offset, line: line, column: column)
    #expect(throws: expected) { try JSONDocument(Array(text.utf8)) }
    expectEqual(
      expected.description, "line \(line), column \(column) (offset \(offset)): \(message)")
  }

  @Test func controlCharactersAndInvalidBytesAreNamed() {
    let control = #expect(throws: JSONError.self) { try JSONDocument(Array("\"\u{1}\"".utf8)) }
    #expect(control?.message.hasSuffix("found the control character U+0001") == true)
    let byte = #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xC3, 0x22]) }
    expectEqual(byte?.message, "expected valid UTF-8, found '\"'")
    let lead = #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
    expectEqual(lead?.message, "expected valid UTF-8, found the byte 0xFF")
  }

  @Test func deepNestingDoesNotOverflowTheStack() throws {
    let depth = 300_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let document = try JSONDocument(Array(text.utf8), maximumDepth: depth)
    expectEqual(document.root.sourceRange, 0..<2 * depth)
    #expect(throws: JSONError.self) {
      try JSONDocument(Array(repeating: UInt8(ascii: "["), count: depth), maximumDepth: depth)
    }
  }

  @Test func siblingsDoNotCountAsNesting() throws {
    let text = "[" + Array(repeating: "[[]]", count: 2_000).joined(separator: ",") + "]"
    try expectEqual(JSONDocument(Array(text.utf8), maximumDepth: 3).root.count, 2_000)
  }

  @Test func inputBeyondTheTapeLimitsIsRejected() throws {
    func read(_ text: String, bytes: Int = 100, size: Int = 100) throws(JSONError) -> JSONDocument {
      try JSONDocument(Array(text.utf8), maximumBytes: bytes, maximumSize: size)
    }
    _ = try read("[1,2,3]", bytes: 7)
    let long = #expect(throws: JSONError.self) { try read("[1,2,3]", bytes: 6) }
    expectEqual(long?.message, "expected at most 6 bytes of input, found 7")
    _ = try read("[1,2,3]", size: 3)
    let array = #expect(throws: JSONError.self) { try read("[1,2,3]", size: 2) }
    expectEqual(array?.message, "expected at most 2 elements, found 3")
    let object = #expect(throws: JSONError.self) { try read("{\"a\":1,\"b\":2}", size: 1) }
    expectEqual(object?.message, "expected at most 1 members, found 2")
    let string = #expect(throws: JSONError.self) { try read("\"abc\"", size: 2) }
    expectEqual(string?.message, "expected at most 2 bytes in a string, found 3")
    let number = #expect(throws: JSONError.self) { try read("123", size: 2) }
    expectEqual(number?.message, "expected at most 2 bytes in a number, found 3")
  }
}
