import SearchJSON
import Testing

struct JSONStringTests {
  private func string(_ text: String) throws -> String? {
    try JSONDocument(Array(text.utf8)).root.string
  }

  @Test(arguments: [
    (#""""#, ""), (#""\"""#, "\""), (#""\\""#, "\\"), (#""\/""#, "/"),
    (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
    (#""\u0000""#, "\0"), (#""\u001f""#, "\u{1F}"), (#""\u00E9\u00e9""#, "éé"),
    (#""\uFFFF""#, "\u{FFFF}"), (#""\\u0041""#, "\\u0041"), (#""\\\\""#, "\\\\"),
    (#""a\nb""#, "a\nb"),
    (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    (#""\uD800\uDC00""#, "\u{10000}"),
  ])
  func escapesAreResolved(text: String, expected: String) throws {
    #expect(try string(text) == expected)
  }

  @Test(
    "A surrogate without its other half becomes U+FFFD",
    arguments: [
      (#""\ud800""#, "\u{FFFD}"), (#""\udc00""#, "\u{FFFD}"), (#""a\ud800b""#, "a\u{FFFD}b"),
      (#""\ud800\ud800""#, "\u{FFFD}\u{FFFD}"), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\u0041""#, "\u{FFFD}A"),
      (#""\ud800\n""#, "\u{FFFD}\n"), (#""\ud800\\udc00""#, "\u{FFFD}\\udc00"),
      (#""\ud83dx\ude00""#, "\u{FFFD}x\u{FFFD}"), (#""\ud800é""#, "\u{FFFD}é"),
    ])
  func loneSurrogates(text: String, expected: String) throws {
    #expect(try string(text) == expected)
  }

  @Test func everyScalarSurvivesRawAndEscaped() throws {
    var scalars: [Unicode.Scalar] = []
    for value in stride(from: 0x20, to: 0x110000 as UInt32, by: 97) {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    for value in [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32] {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    for scalar in scalars where scalar != "\"" && scalar != "\\" {
      let expected = String(scalar)
      #expect(try string("\"\(expected)\"") == expected)
      let escaped = expected.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      #expect(try string("\"\(escaped.joined())\"") == expected)
    }
  }

  @Test func longRunsOfEscapesAreRead() throws {
    let count = 200_000
    let quotes = "\"" + String(repeating: "\\\"", count: count) + "\""
    #expect(try string(quotes) == String(repeating: "\"", count: count))
    let backslashes = "\"" + String(repeating: "\\\\", count: count) + "\""
    #expect(try string(backslashes) == String(repeating: "\\", count: count))
    #expect(throws: JSONError.self) { try string(String(backslashes.dropLast()) + "\\\"") }
  }
}
