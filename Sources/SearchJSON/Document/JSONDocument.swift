/// The bytes of one JSON text and the tape of its values.
///
/// Creating a document reads and validates all of it, in one pass and without recursion, but makes
/// no value: strings and numbers stay slices of ``bytes`` until a ``JSONNode`` is asked for them.
///
/// RFC 8259 is kept to the letter: no byte order mark, no trailing comma, no leading zero, no raw
/// control character, valid UTF-8 only, one value and nothing after it. Beyond the grammar, escaped
/// lone surrogates are read as U+FFFD and of members with equal keys the last counts.
package final class JSONDocument: Sendable {
  /// The text, UTF-8.
  package let bytes: [UInt8]
  /// The values; see ``JSONWord`` for the layout.
  let tape: [JSONWord]

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: The text, at most 4 GiB, or 2 GiB where `Int` has 32 bits; each string, number and container at most 2²⁸ − 1 long.
  ///   - maximumDepth: How many arrays and objects may be nested.
  /// - Throws: ``JSONError`` with the first byte that is wrong.
  /// - Complexity: O(`bytes.count`).
  package convenience init(_ bytes: [UInt8], maximumDepth: Int = 512) throws(JSONError) {
    try self.init(bytes, limits: JSONParser.Limits(depth: maximumDepth))
  }

  /// Reads one JSON text within tighter limits than the tape's own, which keep tests small.
  package convenience init(
    _ bytes: [UInt8], maximumBytes: Int, maximumSize: Int
  ) throws(JSONError) {
    let limits = JSONParser.Limits(
      bytes: Swift.min(maximumBytes, JSONWord.maximumOffset),
      size: Swift.min(maximumSize, JSONWord.maximumSize))
    try self.init(bytes, limits: limits)
  }

  private init(_ bytes: [UInt8], limits: JSONParser.Limits) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, limits: limits)
    tape = try parser.parse()
    self.bytes = bytes
  }

  /// Takes a tape made elsewhere for these bytes.
  init(bytes: [UInt8], tape: [JSONWord]) {
    self.bytes = bytes
    self.tape = tape
  }

  /// The outermost value.
  package var root: JSONNode { JSONNode(document: self, index: tape.count - 1) }

  /// The number of 8-byte words the values take; at most `bytes.count + 1`.
  package var tapeCount: Int { tape.count }
}
