import InstantSearchJSON
import TestSupport
import Testing

struct JSONWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func writerInsertsCommasAndColons() {
    let text = text { writer in
      writer.beginObject()
      writer.key("empty")
      writer.beginObject()
      writer.endObject()
      writer.key("list")
      writer.beginArray()
      writer.int(1)
      writer.beginArray()
      writer.endArray()
      writer.string("a")
      writer.bool(true)
      writer.bool(false)
      writer.null()
      writer.raw("{\"x\":1}".utf8)
      writer.beginObject()
      writer.key("y")
      writer.double(1.5)
      writer.key("z")
      writer.raw([UInt8(ascii: "2")])
      writer.endObject()
      writer.double(2)
      writer.endArray()
      writer.key("last")
      writer.null()
      writer.endObject()
    }
    expectEqual(
      text,
      #"{"empty":{},"list":[1,[],"a",true,false,null,{"x":1},{"y":1.5,"z":2},2],"last":null}"#)
  }

  @Test func scalarsCanBeTopLevelValues() {
    expectEqual(text { $0.null() }, "null")
    expectEqual(text { $0.string("") }, "\"\"")
    expectEqual(
      text {
        $0.beginArray(); $0.endArray()
      }, "[]")
  }

  @Test func onlyRequiredCharactersAreEscaped() {
    expectEqual(
      text { $0.string("\"\\/\u{8}\u{9}\n\u{C}\r\u{0}\u{1F}\u{7F}é\u{2028}😀") },
      "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}é\u{2028}😀\"")
    expectEqual(
      text {
        $0.beginObject(); $0.key("a\"b"); $0.int(1); $0.endObject()
      }, "{\"a\\\"b\":1}")
  }

  @Test func everyASCIIStringIsReadBack() throws {
    for byte in 0..<0x80 as Range<UInt8> {
      let expected = "x" + String(Unicode.Scalar(byte)) + "y"
      var writer = JSONWriter()
      writer.string(expected)
      try expectEqual(JSONDocument(writer.bytes).root.string, expected)
    }
  }

  @Test func integersOfAnyWidthAreWritten() {
    expectEqual(text { $0.int(Int64.min) }, "-9223372036854775808")
    expectEqual(text { $0.int(UInt64.max) }, "18446744073709551615")
    expectEqual(text { $0.int(UInt8.max) }, "255")
    expectEqual(text { $0.int(UInt128.max) }, "340282366920938463463374607431768211455")
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (1e16, "1e+16"), (1e100, "1e+100"),
    (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"), (123456789.125, "123456789.125"),
    (.infinity, "null"),
    (-.infinity, "null"), (.nan, "null"), (10, "10"), (100, "100"),
  ])
  func doublesAreShort(value: Double, expected: String) {
    expectEqual(text { $0.double(value) }, expected)
  }

  @Test func slicesOfADocumentAreSpliced() throws {
    let document = try JSONDocument(Array(#"{"a":[1, 2],"b":"x"}"#.utf8))
    let text = text { writer in
      writer.beginArray()
      for member in document.root.members { writer.raw(member.value.source) }
      writer.endArray()
    }
    expectEqual(text, #"[[1, 2],"x"]"#)
  }

  /// A long text is written into growing memory, and copied with a check per megabyte.
  @Test func longTextsAreCopiedInPieces() throws {
    let expected = String(repeating: "0123456789abcdef", count: 300_000)
    var writer = JSONWriter(capacity: 1)
    writer.string(expected)
    var checks = 0
    let bytes = writer.bytes { checks += 1 }
    expectEqual(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self), expected)
    expectEqual(bytes, writer.bytes)
    #expect(checks >= bytes.count >> 20)
    #expect(throws: CancellationError.self) {
      try writer.bytes {
        checks -= 1
        if checks == 2 { throw CancellationError() }
      }
    }
    expectEqual(checks, 2)
    let empty = JSONWriter(capacity: 0)
    #expect(empty.bytes { checks += 1 }.isEmpty)
  }
}
