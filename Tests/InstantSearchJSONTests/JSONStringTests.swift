import InstantSearchJSON
import TestSupport
import Testing

struct JSONStringTests {
  private func string(_ text: String) throws -> String? {
    try JSONDocument(Array(text.utf8)).root.string
  }

  @Test func everyScalarIsReadRawAndEscaped() throws {
    var scalars: [Unicode.Scalar] = []
    let step = Thoroughness.count(971, thorough: 97)
    for value in stride(from: 0x20, to: 0x110000 as UInt32, by: step) {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    for value in [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32] {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
    for scalar in scalars where scalar != "\"" && scalar != "\\" {
      let expected = String(scalar)
      try expectEqual(string("\"\(expected)\""), expected)
      let escaped = expected.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      try expectEqual(string("\"\(escaped.joined())\""), expected)
    }
  }

  @Test func longRunsOfEscapesAreRead() throws {
    let count = 200_000
    let quotes = "\"" + String(repeating: "\\\"", count: count) + "\""
    try expectEqual(string(quotes), String(repeating: "\"", count: count))
    let backslashes = "\"" + String(repeating: "\\\\", count: count) + "\""
    try expectEqual(string(backslashes), String(repeating: "\\", count: count))
    #expect(throws: JSONError.self) { try string(String(backslashes.dropLast()) + "\\\"") }
  }
}
