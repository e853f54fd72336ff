import SearchJSON
import Testing

struct JSONDocumentTests {
  @Test(
    "Accepts what RFC 8259 allows",
    arguments: [
      "null", "true", "false", "0", "-0", "1", "-1", "10", "0.0", "-0.5", "1e0", "1E+2", "1e-2",
      "1.5e300", "1e400", "-1e-400", "\"\"", "\"a\"", "[]", "{}", " [ ] ", "\t{\n}\r\n", "[1,2]",
      "[ 1 , 2 ]", "{\"a\":1}", "{ \"a\" : [ ] , \"b\" : { } }", "{\"\":0}", "{\"a\":1,\"a\":2}",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"é€😀\"",
      "\"\u{7F}\u{80}\u{2028}\"", "\"\u{10FFFF}\u{E000}\u{D7FF}\"", "[[[[[]]]]]",
      "[null,true,false]",
      "123456789012345678901234567890", "\" \\t \"", "\"/\"",
    ])
  func accepts(text: String) throws {
    let document = try JSONDocument(Array(text.utf8))
    #expect(document.tapeCount <= text.utf8.count + 1)
  }

  @Test(
    "Refuses everything else",
    arguments: [
      "", " ", "\n", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'",
      "a",
      "00", "01", "-01", "-", "+1", ".5", "5.", "-.5", "1.e1", "1e", "1e+", "1e1.5", "0x1", "1_000",
      "1 2", "1,2", "\"", "\"a", "\"\\\"", "\"\\\\\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
      "\"\\U0041\"", "\"a\nb\"", "\"a\tb\"", "\"\u{0}\"", "\"\u{1F}\"", "[", "]", "[1", "[1,",
      "[1,]",
      "[,1]", "[1,,2]", "[1 2]", "[1}", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
      "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{a:1}", "{1:1}", "{null:1}",
      "{\"a\":}",
      "{\"a\"]", "{\"a\":1]", "[1]]", "{}{}", "[] []", "null null", "// c\n1", "/* */1", "1 //",
      "[1]x",
      "\u{FEFF}1", "\u{FEFF}", "1\u{FEFF}", "\u{A0}1", "\u{B}1", "\u{C}1", "--1", "1-", "tru",
      "fals",
      "[tru]", "\"\\", "\"\\u", "\"\\ud800", "{\"a\":1,,\"b\":2}", "{\"a\"::1}", "[:]", "[\"a\":1]",
    ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
  }

  @Test(
    "Refuses invalid UTF-8 inside strings",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xE1, 0x80, 0xC0], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF1, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF4, 0x8F, 0xBF],
    ] as [[UInt8]])
  func refusesInvalidUTF8(bytes: [UInt8]) {
    let quote = [UInt8(ascii: "\"")]
    #expect(throws: JSONError.self) { try JSONDocument(quote + bytes + quote) }
    #expect(throws: JSONError.self) { try JSONDocument(quote + bytes) }
    #expect(throws: JSONError.self) { try JSONDocument(bytes) }
  }

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
    #expect(
      expected.description == "line \(line), column \(column) (offset \(offset)): \(message)")
  }

  @Test func controlCharactersAndInvalidBytesAreNamed() {
    let control = #expect(throws: JSONError.self) { try JSONDocument(Array("\"\u{1}\"".utf8)) }
    #expect(control?.message.hasSuffix("found the control character U+0001") == true)
    let byte = #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xC3, 0x22]) }
    #expect(byte?.message == "expected valid UTF-8, found '\"'")
    let lead = #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
    #expect(lead?.message == "expected valid UTF-8, found the byte 0xFF")
  }

  @Test func everyTruncationIsAnError() throws {
    let bytes = Array(Samples.searchResponse.utf8)
    _ = try JSONDocument(bytes)
    for length in 0..<bytes.count {
      let error = #expect(throws: JSONError.self) { try JSONDocument(Array(bytes[..<length])) }
      #expect((error?.offset ?? .max) <= length)
    }
  }

  @Test func everySuffixIsAnError() {
    let bytes = Array(Samples.searchResponse.utf8)
    for start in 1..<bytes.count - 3 where bytes[start] != UInt8(ascii: " ") {
      #expect(throws: JSONError.self) { try JSONDocument(Array(bytes[start...])) }
    }
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func nestingStopsAtTheLimit(open: String, close: String) throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    _ = try JSONDocument(nested(512))
    let error = #expect(throws: JSONError.self) { try JSONDocument(nested(513)) }
    #expect(error?.offset == 512 * open.utf8.count)
    _ = try JSONDocument(nested(3), maximumDepth: 3)
    #expect(throws: JSONError.self) { try JSONDocument(nested(4), maximumDepth: 3) }
    _ = try JSONDocument(Array("1".utf8), maximumDepth: 0)
    #expect(throws: JSONError.self) { try JSONDocument(nested(1), maximumDepth: 0) }
  }

  @Test func nestingFarBeyondTheLimitOfTheStackIsRead() throws {
    let depth = 300_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let document = try JSONDocument(Array(text.utf8), maximumDepth: depth)
    #expect(document.root.sourceRange == 0..<2 * depth)
    #expect(throws: JSONError.self) {
      try JSONDocument(Array(repeating: UInt8(ascii: "["), count: depth), maximumDepth: depth)
    }
  }

  @Test func siblingsDoNotCountAsNesting() throws {
    let text = "[" + Array(repeating: "[[]]", count: 2_000).joined(separator: ",") + "]"
    #expect(try JSONDocument(Array(text.utf8), maximumDepth: 3).root.count == 2_000)
  }

  @Test func inputBeyondTheTapesReachIsRefused() throws {
    func read(_ text: String, bytes: Int = 100, size: Int = 100) throws(JSONError) -> JSONDocument {
      try JSONDocument(Array(text.utf8), maximumBytes: bytes, maximumSize: size)
    }
    _ = try read("[1,2,3]", bytes: 7)
    let long = #expect(throws: JSONError.self) { try read("[1,2,3]", bytes: 6) }
    #expect(long?.message == "expected at most 6 bytes of input, found 7")
    _ = try read("[1,2,3]", size: 3)
    let array = #expect(throws: JSONError.self) { try read("[1,2,3]", size: 2) }
    #expect(array?.message == "expected at most 2 elements, found 3")
    let object = #expect(throws: JSONError.self) { try read("{\"a\":1,\"b\":2}", size: 1) }
    #expect(object?.message == "expected at most 1 members, found 2")
    let string = #expect(throws: JSONError.self) { try read("\"abc\"", size: 2) }
    #expect(string?.message == "expected at most 2 bytes in a string, found 3")
    let number = #expect(throws: JSONError.self) { try read("123", size: 2) }
    #expect(number?.message == "expected at most 2 bytes in a number, found 3")
  }
}
