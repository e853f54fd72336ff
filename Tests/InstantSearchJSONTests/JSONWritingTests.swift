import AsyncInstantSearchTesting
import Foundation
import InstantSearchJSON
import TestSupport
import Testing

/// Texts and numbers of every length and kind, compared with the expected bytes, and read back with
/// this library and with Foundation.
struct JSONWritingTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 0)
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A string with its escapes, scalar by scalar.
  private func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "\0"..<"\u{10}": text += "\\u000" + String(scalar.value, radix: 16)
      case "\u{10}"..<" ": text += "\\u00" + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  @Test(arguments: ["\"", "\\", "\n", "\u{1F}", "é", "😀", "\u{7F}"])
  func scalarIsEscapedAtEveryOffsetOfEveryLength(scalar: String) {
    for length in 0...33 {
      for place in 0...length {
        let string =
          String(repeating: "a", count: place) + scalar
          + String(repeating: "!", count: length - place)
        expectEqual(text { $0.string(string) }, quoted(string))
        expectEqual(text { $0.string(string + scalar) }, quoted(string + scalar))
      }
    }
  }

  @Test(arguments: Seed.all(20))
  func randomStringsAreReadBack(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let scalars = Array("abc xyz#!~\"\\/\u{8}\t\n\u{C}\r\0\u{1F}\u{7F}éß語😀\u{2028}".unicodeScalars)
    for _ in 0..<200 {
      var string = ""
      // Runs of plain letters, so that whole words without escapes occur.
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        string += String(repeating: "p", count: Int.random(in: 0...20, using: &random))
        string.unicodeScalars.append(scalars.randomElement(using: &random) ?? " ")
      }
      let text = text { writer in
        writer.beginObject()
        writer.key(string)
        writer.string(string)
        writer.endObject()
      }
      expectEqual(text, "{\(quoted(string)):\(quoted(string))}")
      let root = try JSONDocument(Array(text.utf8)).root
      expectEqual(root[string]?.string, string)
      try expectEqual(
        JSONDecoder().decode([String: String].self, from: Data(text.utf8)), [string: string])
    }
  }

  @Test func stringsThatShareStorageAreWrittenCorrectly() {
    let whole = "a longer string whose parts are \"written\" one by one"
    let part = whole.dropFirst(9).dropLast(11)
    expectEqual(text { $0.string(String(part)) }, quoted(String(part)))
    expectEqual(text { $0.string(NSString(string: whole) as String) }, quoted(whole))
  }

  @Test func integersHaveAllTheirDigits() {
    var power: UInt64 = 1
    for _ in 0..<20 {
      for number in [power &- 1, power, power &+ 1, power &* 9] {
        expectEqual(text { $0.int(number) }, "\(number)")
        expectEqual(text { $0.int(Int64(bitPattern: number)) }, "\(Int64(bitPattern: number))")
        expectEqual(text { $0.int(UInt128(number) << 40) }, "\(UInt128(number) << 40)")
        expectEqual(
          text { $0.int(Int16(truncatingIfNeeded: number)) },
          "\(Int16(truncatingIfNeeded: number))")
      }
      power &*= 10
    }
    for number in [Int.min, .min + 1, -1, 0, .max] {
      expectEqual(text { $0.int(number) }, "\(number)")
    }
    expectEqual(text { $0.int(UInt64.max) }, "\(UInt64.max)")
  }

  @Test(arguments: Seed.all(20))
  func randomNumbersAreReadByFoundation(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let integers = (0..<100).map { _ in
      Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<63, using: &random)
    }
    let doubles = (0..<100).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    let text = text { writer in
      writer.beginArray()
      for integer in integers { writer.int(integer) }
      for double in doubles { writer.double(double) }
      writer.endArray()
    }
    let read = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
    expectEqual(read, integers.map { Double($0) } + doubles)
    let root = try JSONDocument(Array(text.utf8)).root
    expectEqual(root.elements.prefix(integers.count).map(\.int), integers)
  }

  @Test func objectIsLeftOpenForMoreMembers() throws {
    let record = try JSONDocument(Array(#"[{"a":{"b":[]}}]"#.utf8)).root
    let object = try #require(record[0])
    let text = text { writer in
      writer.beginArray()
      writer.int(1)
      writer.openObject(object)
      writer.key("c")
      writer.beginObject()
      writer.endObject()
      writer.endObject()
      writer.openObject(object)
      writer.endObject()
      writer.endArray()
    }
    expectEqual(text, #"[1,{"a":{"b":[]},"c":{}},{"a":{"b":[]}}]"#)
  }

  @Test func writtenBytesCanBeReadAtAnyTime() {
    var writer = JSONWriter(capacity: 0)
    writer.beginArray()
    expectEqual(writer.bytes, Array("[".utf8))
    for number in 0..<1_000 {
      writer.int(number)
      writer.raw(Array("[]".utf8))
    }
    let bytes = writer.bytes
    writer.endArray()
    expectEqual(writer.bytes, bytes + Array("]".utf8))
    let expected = (0..<1_000).map { "\($0),[]" }.joined(separator: ",")
    expectEqual(String(decoding: writer.bytes, as: UTF8.self), "[\(expected)]")
  }
}
