package import InstantSearchJSON

/// Reads the values of a JSON array, or of a text with one value per line, one after the other.
///
/// The text comes in pieces, and only the pieces of the current value are in memory.
package struct RecordReader {
  /// A value, and the bytes that it was read from.
  package struct Value {
    package let node: JSONNode
    /// The text that is the document of ``node``.
    package let bytes: ArraySlice<UInt8>
  }

  private enum Form {
    case unknown, lines, array, ended
  }

  /// The name of the text, for messages.
  private let name: String
  private let cancellation: CancellationCheck
  /// Returns the next piece, which is empty at the end. `nil` after the end.
  private var nextPiece: ((CancellationCheck) throws -> [UInt8])?
  /// The bytes from the current value on, and some before it.
  private var window: [UInt8]
  /// The index in the window of the next byte to read.
  private var position = 0
  /// The number of bytes before the window.
  private var droppedCount = 0
  private var form = Form.unknown
  /// The line of ``position``, from 1, and the index in the window at which it starts.
  private var line = 1
  private var lineStart = 0
  /// The number of values so far, and the line of the last one.
  package private(set) var count = 0
  private var valueLine = 1

  /// Creates a reader of bytes in memory.
  package init(_ bytes: [UInt8], named name: String, _ cancellation: CancellationCheck) {
    self.name = name
    self.cancellation = cancellation
    window = bytes
  }

  /// Creates a reader of pieces.
  ///
  /// - Parameter nextPiece: Returns the next piece, which is empty at the end.
  package init(
    named name: String, _ cancellation: CancellationCheck,
    nextPiece: @escaping (CancellationCheck) throws -> [UInt8]
  ) {
    self.name = name
    self.cancellation = cancellation
    self.nextPiece = nextPiece
    window = []
  }

  /// The number of bytes that were read.
  package var byteCount: Int { droppedCount + position }

  /// The location of the last value: the name, the line, and the number in an array from 0.
  package var location: String {
    form == .lines ? "\(name):\(valueLine)" : "\(name):\(valueLine): record \(count - 1)"
  }

  /// Returns the next value, or `nil` after the last one.
  ///
  /// - Throws: `SearchError` with code `invalidRequest` for invalid JSON, with the line and column.
  ///   Otherwise the error of the check or of the source.
  package mutating func next() throws -> Value? {
    if form == .unknown { try begin() }
    let value =
      switch form {
      case .lines: try nextLine()
      case .array: try nextElement()
      case .unknown, .ended: nil as Value?
      }
    if value == nil { form = .ended } else { count += 1 }
    return value
  }

  /// Reads the prefix before the first value.
  private mutating func begin() throws {
    while window.count < 3, try extend() {}
    if window.starts(with: [0xef, 0xbb, 0xbf]) {
      position = 3
      lineStart = 3
    }
    form = .lines
    var index = position
    repeat {
      index = try cancellation.firstIndex(in: window, from: index) { !Self.isSpace($0) }
      if index < window.count {
        guard window[index] == UInt8(ascii: "[") else { return }
        form = .array
        try skipSpace()
        position += 1
        return
      }
      index -= position
      guard try extend() else { return }
      index += position
    } while true
  }

  /// Adds the next piece to the window, in place of the bytes before the position.
  ///
  /// - Returns: `false` at the end.
  private mutating func extend() throws -> Bool {
    guard let nextPiece else { return false }
    let piece = try nextPiece(cancellation)
    guard !piece.isEmpty else {
      self.nextPiece = nil
      return false
    }
    window.removeFirst(position)
    droppedCount += position
    lineStart -= position
    position = 0
    window += piece
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private static let newline = UInt8(ascii: "\n")
}

// MARK: - Lines

extension RecordReader {
  private mutating func nextLine() throws -> Value? {
    while true {
      let end = try endOfLine()
      let start = position
      guard end < window.count || start < end else { return nil }
      let first = try cancellation.firstIndex(in: window, from: start) {
        !Self.isSpace($0) || $0 == Self.newline
      }
      valueLine = line
      let bytes = window[start..<end]
      position = min(end + 1, window.count)
      if end < window.count { line += 1 }
      if first < end { return try value(inLine: bytes) }
    }
  }

  /// Returns the index of the next newline, or of the end.
  private mutating func endOfLine() throws -> Int {
    var length = 0
    while true {
      let end = try cancellation.firstIndex(in: window, from: position + length) {
        $0 == Self.newline
      }
      if end < window.count { return end }
      length = end - position
      guard try extend() else { return window.count }
    }
  }

  private func value(inLine bytes: ArraySlice<UInt8>) throws -> Value {
    do {
      return Value(node: try cancellation.document(bytes).root, bytes: bytes)
    } catch let error as JSONError {
      throw failure(
        error.message + hint(bytes), line: error.line + valueLine - 1, column: error.column)
    }
  }

  /// Returns advice for an invalid line of a text that may be one value in several lines.
  private func hint(_ bytes: ArraySlice<UInt8>) -> String {
    (bytes.endIndex < window.count || nextPiece != nil)
      && bytes.prefix(1000).allSatisfy { Self.isSpace($0) || "{[".utf8.contains($0) }
      ? "; write each record on one line, or all of them as one array" : ""
  }

  private func failure(_ message: String, line: Int, column: Int) -> SearchError {
    SearchError(.invalidRequest, "\(name):\(line):\(column): \(message)")
  }
}

// MARK: - Arrays

extension RecordReader {
  private mutating func nextElement() throws -> Value? {
    // The position is after the bracket, or after the last element.
    let isFirst = count == 0
    let isAtEnd =
      try isAtByte(UInt8(ascii: "]"))
      || !isFirst && !isAtByte(UInt8(ascii: ","))
    guard !isAtEnd else { return try endArray() }
    if !isFirst { position += 1 }
    try skipSpace()
    valueLine = line
    let end = try endOfElement()
    let bytes = window[position..<end]
    do {
      let node = try cancellation.document(bytes).root
      try skip(bytes.count)
      return Value(node: node, bytes: bytes)
    } catch is JSONError {
      throw try failure(after: isFirst ? "[" : "[0,")
    }
  }

  /// Reads the bracket and the space after it.
  private mutating func endArray() throws -> Value? {
    guard try isAtByte(UInt8(ascii: "]")) else {
      throw try failure(after: "[0")
    }
    position += 1
    try skipSpace()
    guard position == window.count else { throw try failure(after: "[]") }
    return nil
  }

  /// Skips space, and returns whether the next byte is a given one.
  private mutating func isAtByte(_ byte: UInt8) throws -> Bool {
    try skipSpace()
    return position < window.count && window[position] == byte
  }

  private mutating func skipSpace() throws {
    repeat {
      let end = try cancellation.firstIndex(in: window, from: position) {
        !(($0 == 0x20) || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d)
      }
      try skip(end - position)
      if end < window.count { return }
    } while try extend()
  }

  /// Moves the position, and counts the lines.
  private mutating func skip(_ length: Int) throws {
    try cancellation.count(bytes: length)
    for index in position..<position + length where window[index] == Self.newline {
      line += 1
      lineStart = index + 1
    }
    position += length
  }

  /// Returns the index of the comma or bracket that ends the element at the position, or of the
  /// end.
  private mutating func endOfElement() throws -> Int {
    var nesting = Nesting()
    var length = 0
    repeat {
      while position + length < window.count {
        let start = position + length
        let end = min(start + Nesting.pieceLength, window.count)
        try cancellation.count(bytes: end - start)
        if let found = nesting.end(in: window, start..<end) { return found }
        length = end - position
      }
    } while try extend()
    return window.count
  }

  /// Returns the error for the text at the position.
  ///
  /// The text is read again, as far as it is in memory, so that the error is the one that parsing
  /// the whole array gives. The first error is in this element or directly after it.
  ///
  /// - Parameter before: The beginning of an array that stands for the text before the position.
  private func failure(after before: String) throws -> SearchError {
    let column = position - lineStart + 1
    do {
      _ = try cancellation.document((Array(before.utf8) + window[position...])[...])
      return failure("expected a JSON array", line: line, column: column)
    } catch let error as JSONError {
      return failure(
        error.message, line: line + error.line - 1,
        column: error.line == 1 ? column + error.column - before.utf8.count - 1 : error.column)
    }
  }
}
