import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchJSON
import LocalSearch
import TestSupport
import Testing

/// Records are read from pieces as from the whole text.
struct RecordReaderTests {
  /// The values of a text, or the error.
  private enum Outcome: Equatable {
    case values([String])
    case failure(String)
  }

  /// Reads a text in pieces of some lengths.
  private static func read(_ text: [UInt8], pieces: () -> Int) throws -> Outcome {
    let lengths = (0...text.count).map { _ in max(1, pieces()) }
    let rest = Lock((start: 0, number: 0))
    var reader = RecordReader(named: "a.json", CancellationCheck()) { _ in
      rest.withLock { rest in
        let end = min(rest.start + lengths[rest.number], text.count)
        defer { rest = (end, rest.number + 1) }
        return Array(text[rest.start..<end])
      }
    }
    return try outcome(&reader, count: text.count)
  }

  private static func outcome(_ reader: inout RecordReader, count: Int) throws -> Outcome {
    var values: [String] = []
    do {
      while let value = try reader.next() {
        values.append(reader.location + " " + JSON(node: value.node).text)
        expectEqual(value.node.source, Array(value.bytes[value.bytes.startIndex...]).trimmed)
      }
      expectEqual(reader.byteCount, count)
      #expect(try reader.next() == nil)
      return .values(values)
    } catch let error as SearchError {
      return .failure(error.message)
    }
  }

  /// What a parser of the whole text finds.
  private static func expected(array text: [UInt8]) -> Outcome {
    do {
      let root = try JSONDocument(text).root
      let lines = root.elements.map { element in
        text[..<element.sourceRange.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
      }
      return .values(
        zip(root.elements, lines).enumerated().map { number, element in
          "a.json:\(element.1): record \(number) " + JSON(node: element.0).text
        })
    } catch {
      return .failure("a.json:\(error.line):\(error.column): \(error.message)")
    }
  }

  private static let tokens = [
    "{}", "{\"a\":1}", "{\"a\":[1,{\"b\":\"]\"}],\n\"c\":\"\\\"},\"}", "3", "\"x,y\"", "[[],[]]",
    "null", ",", ",", ",", " ", "\n", "\r\n", "]", "}", "{", "\"", "\\", "tru", "-", "é", "[1,]",
  ]

  /// Elements, lines and errors are those of the whole array, wherever the pieces end.
  @Test(arguments: Seed.all(3000, quick: 300)) func arraysAreReadFromPieces(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    var text = "["
    let isValid = Bool.random(using: &random)
    for number in 0..<Int.random(in: 0...6, using: &random) {
      if isValid {
        text += (number == 0 ? "" : " ,\n ") + Self.tokens[Int.random(in: 0..<7, using: &random)]
      } else {
        text += Self.tokens.randomElement(using: &random) ?? ""
      }
    }
    if isValid || Bool.random(using: &random) { text += "\n] " }
    let bytes = Array(text.utf8)
    let expected = Self.expected(array: bytes)
    var whole = RecordReader(bytes, named: "a.json", CancellationCheck())
    try expectEqual(Self.outcome(&whole, count: bytes.count), expected, "\(text)")
    let longest = Int.random(in: 1...8, using: &random)
    let pieced = try Self.read(bytes) { Int.random(in: 1...longest, using: &random) }
    expectEqual(pieced, expected, "\(text)")
  }

  /// Lines are the same from pieces and from the whole text.
  @Test(arguments: Seed.all(2000, quick: 200)) func linesAreReadFromPieces(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    var text = Bool.random(using: &random) ? "\u{feff}" : ""
    let lines = ["{}", "{\"a\":\"[\"}", "{\"b\":[1,2]}", "", "  ", "{", "7 8", "{\"é\":\"ö\"}\r"]
    for number in 0..<Int.random(in: 0...6, using: &random) {
      text += number == 0 ? "" : "\n"
      text += lines.randomElement(using: &random) ?? ""
    }
    let bytes = Array(text.utf8)
    var whole = RecordReader(bytes, named: "a.json", CancellationCheck())
    let expected = try Self.outcome(&whole, count: bytes.count)
    let longest = Int.random(in: 1...8, using: &random)
    let pieced = try Self.read(bytes) { Int.random(in: 1...longest, using: &random) }
    expectEqual(pieced, expected, "\(text)")
    if case .values(let values) = expected {
      let kept = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .enumerated().filter { $0.element.contains { "{7".utf8.contains($0) } }
      expectEqual(values.count, kept.count)
      for (value, line) in zip(values, kept) {
        #expect(value.hasPrefix("a.json:\(line.offset + 1) "))
      }
    }
  }
}

extension [UInt8] {
  fileprivate var trimmed: [UInt8] {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x0a, 0x0d, 0x09].contains(byte) }
    return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
