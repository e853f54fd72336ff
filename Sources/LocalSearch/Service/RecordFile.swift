import AsyncInstantSearch
import InstantSearchJSON

/// The values in a file that is a JSON array, or has one value per line, and where they stand.
struct RecordFile {
  /// The values, not yet checked.
  private(set) var nodes: [JSONNode] = []
  /// The file's name, for messages.
  private let name: String
  private let byteCount: Int
  /// The line of each value, from 1; `nil` for an array, whose bytes tell.
  private var lines: [Int]?

  /// Reads the values; text that is no JSON is an error that names the file, line and column.
  init(_ bytes: [UInt8], named name: String, _ checkpoint: Checkpoint) throws {
    self.name = name
    byteCount = bytes.count
    defer { checkpoint.releaseLater(nodes, partCount: nodes.count) }
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let first = try checkpoint.firstIndex(in: bytes, from: start) { !Self.isSpace($0) }
    guard first < bytes.count else { return }
    if bytes[first] == UInt8(ascii: "[") {
      for element in try parse(bytes[start...], line: 1, checkpoint).elements {
        try checkpoint.count()
        nodes.append(element)
      }
    } else {
      try readLines(bytes, from: start, checkpoint)
    }
  }

  /// Where a value stands: the file's name, the line, and its number in an array.
  func place(of number: Int) -> String {
    guard nodes.indices.contains(number) else { return name }
    if let lines { return "\(name):\(lines[number])" }
    let node = nodes[number]
    let before = node.document.bytes(0..<node.sourceRange.lowerBound)
    let line = before.count { $0 == Self.newline } + 1
    return "\(name):\(line): record \(number)"
  }

  private mutating func readLines(
    _ bytes: [UInt8], from first: Int, _ checkpoint: Checkpoint
  ) throws {
    var lines: [Int] = []
    var line = 0
    var start = first
    while start < bytes.count {
      line += 1
      let first = try checkpoint.firstIndex(in: bytes, from: start) {
        !Self.isSpace($0) || $0 == Self.newline
      }
      let end = try checkpoint.firstIndex(in: bytes, from: first) { $0 == Self.newline }
      if first < end {
        nodes.append(try parse(bytes[start..<end], line: line, checkpoint))
        lines.append(line)
      }
      start = end + 1
    }
    self.lines = lines
  }

  /// What is said of a line that is no JSON when the file may be one JSON value in several lines.
  private func hint(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.endIndex < byteCount
      && bytes.prefix(1000).allSatisfy { Self.isSpace($0) || "{[".utf8.contains($0) }
      ? "; write a record in one line, or all of them as one array" : ""
  }

  /// Parses one text that begins on a line of the file.
  private func parse(
    _ bytes: ArraySlice<UInt8>, line: Int, _ checkpoint: Checkpoint
  ) throws -> JSONNode {
    do {
      return try checkpoint.document(bytes).root
    } catch let error as JSONError {
      throw SearchError(
        .invalidRequest,
        "\(name):\(error.line + line - 1):\(error.column): \(error.message)" + hint(bytes))
    }
  }

  private static let newline = UInt8(ascii: "\n")

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}
