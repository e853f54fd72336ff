import AsyncInstantSearch
import InstantSearchJSON

/// The values in a file that is a JSON array, or has one value per line, and where they stand.
struct RecordFile {
  /// The values, not yet checked.
  private(set) var nodes: [JSONNode] = []
  /// The file's name, for messages.
  private let name: String
  /// The line of each value, from 1; `nil` for an array, whose bytes tell.
  private var lines: [Int]?

  /// Reads the values; text that is no JSON is an error that names the file, line and column.
  init(_ bytes: [UInt8], named name: String) throws {
    self.name = name
    let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    guard let first = bytes.first(where: { !Self.isSpace($0) }) else { return }
    if first == UInt8(ascii: "[") {
      nodes = Array(try parse(bytes, line: 1).elements)
    } else {
      try readLines(bytes)
    }
  }

  /// Where a value stands: the file's name, the line, and its number in an array.
  func place(of number: Int) -> String {
    guard nodes.indices.contains(number) else { return name }
    if let lines { return "\(name):\(lines[number])" }
    let node = nodes[number]
    let before = node.document.bytes(0..<node.sourceRange.lowerBound)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return "\(name):\(line): record \(number)"
  }

  private mutating func readLines(_ bytes: [UInt8]) throws {
    var lines: [Int] = []
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if line & 1023 == 1023 { try Task.checkCancellation() }
      if text.allSatisfy(Self.isSpace) { continue }
      nodes.append(try parse(Array(text), line: line))
      lines.append(line)
    }
    self.lines = lines
  }

  /// Parses one text that begins on a line of the file.
  private func parse(_ bytes: [UInt8], line: Int) throws(SearchError) -> JSONNode {
    do {
      return try JSONDocument(bytes).root
    } catch {
      throw SearchError(
        .invalidRequest, "\(name):\(error.line + line - 1):\(error.column): \(error.message)")
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}
