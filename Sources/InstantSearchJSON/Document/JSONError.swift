#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why some bytes are not one JSON value, and where.
package struct JSONError: Error, Sendable, Hashable {
  /// What was expected and what was found instead, in words.
  package var message: String
  /// The position of the first byte that is wrong, counted from 0.
  package var offset: Int
  /// The line of that byte, counted from 1.
  package var line: Int
  /// The column of that byte within its line, in bytes, counted from 1.
  package var column: Int

  /// Creates an error whose position is known.
  package init(message: String, offset: Int, line: Int, column: Int) {
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Creates an error at `offset` of a text, counting the lines before it.
  ///
  /// A line ends with `\n`, `\r\n` or a lone `\r`.
  init(_ message: String, at offset: Int, in text: PaddedText) {
    let end = Swift.min(offset, text.count)
    var line = 1
    var lineStart = 0
    var index = 0
    while index < end {
      let byte = text[index]
      index += 1
      let isPair = byte == UInt8(ascii: "\r") && index < end && text[index] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !isPair) {
        line += 1
        lineStart = index
      }
    }
    self.init(message: message, offset: offset, line: line, column: end - lineStart + 1)
  }
}

extension JSONError: CustomStringConvertible {
  /// `line 3, column 7 (offset 42): expected a value, found '}'`
  package var description: String {
    "line \(line), column \(column) (offset \(offset)): \(message)"
  }
}

extension JSONError: LocalizedError {
  /// The text of ``description``.
  package var errorDescription: String? { description }
}
