/// The bytes of one JSON text and the tape of its values.
///
/// Creating a document reads and validates all of it, in one pass and without recursion, but makes
/// no value: strings and numbers stay slices of the text until somebody asks for them, through a
/// ``JSONNode`` or by their index on the tape.
///
/// RFC 8259 is kept to the letter: no byte order mark, no trailing comma, no leading zero, no raw
/// control character, valid UTF-8 only, one value and nothing after it. Beyond the grammar, escaped
/// lone surrogates are read as U+FFFD and of members with equal keys the last counts.
///
/// A document takes three allocations: itself, a copy of the text, and the tape, which for a search
/// response is smaller than the text and never has more than a word for each byte.
package final class JSONDocument: Sendable {
  /// The memory of the text and the tape.
  ///
  /// Both are written before the initialiser returns, by the only thread that knows them, and are
  /// never written again; their memory is freed by `deinit`, when nobody refers to the document. So
  /// any thread may read them through the document without a lock.
  nonisolated(unsafe) let readText: PaddedText
  nonisolated(unsafe) let readTape: JSONTape
  /// Where the paths of errors led.
  let pathHints = PathHints()

  /// The text.
  @inline(__always)
  var text: PaddedText { unsafe readText }
  /// The values in it; see ``JSONWord`` for the layout.
  @inline(__always)
  var tape: JSONTape { unsafe readTape }

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: The text, at most 4 GiB, or 2 GiB where `Int` has 32 bits; each string, number and
  ///     container at most 2²⁸ − 1 long.
  ///   - maximumDepth: How many arrays and objects may be nested.
  /// - Throws: ``JSONError`` with the first byte that is wrong.
  /// - Complexity: O(`bytes.count`).
  package convenience init(_ bytes: [UInt8], maximumDepth: Int = 512) throws(JSONError) {
    try self.init(bytes[...], limits: JSONParser.Limits(depth: maximumDepth))
  }

  /// Reads one JSON text that is part of other bytes; positions in errors count from its start.
  package convenience init(_ bytes: ArraySlice<UInt8>) throws(JSONError) {
    try self.init(bytes, limits: JSONParser.Limits())
  }

  /// Reads one JSON text that may be long, and asks from time to time whether to go on.
  ///
  /// - Parameters:
  ///   - maximumMembers: How many members an object may have.
  ///   - maximumKeySize: How many bytes a key may have as written.
  ///   - maximumNumberSize: How many bytes a number may have.
  ///   - maximumStringSize: How many bytes a string may have as written.
  ///   - check: Called at least once for every 16 MiB of values; what it throws ends the reading.
  /// - Throws: ``JSONError`` with the first byte that is wrong, or what the check threw.
  package convenience init(
    _ bytes: ArraySlice<UInt8>, maximumMembers: Int = .max, maximumKeySize: Int = .max,
    maximumNumberSize: Int = .max, maximumStringSize: Int = .max, check: @escaping () throws -> Void
  ) throws {
    let text = try unsafe bytes.withUnsafeBytes { try unsafe PaddedText(copying: $0, check: check) }
    let limits = JSONParser.Limits(
      stringSize: min(maximumStringSize, JSONWord.maximumSize),
      members: min(maximumMembers, JSONWord.maximumSize),
      keySize: min(maximumKeySize, JSONWord.maximumSize),
      numberSize: min(maximumNumberSize, JSONWord.maximumSize))
    var parser = JSONParser(text: text, limits: limits, check: check)
    do throws(JSONError) {
      try parser.parse()
    } catch {
      unsafe parser.tape.deallocate()
      unsafe text.deallocate()
      throw parser.interruption ?? error
    }
    self.init(text: text, tape: parser.tape)
  }

  private init(text: PaddedText, tape: JSONTape) {
    unsafe readText = text
    unsafe readTape = tape
  }

  /// Reads one JSON text within tighter limits than the tape's own, which keep tests small.
  package convenience init(
    _ bytes: [UInt8], maximumBytes: Int, maximumSize: Int
  ) throws(JSONError) {
    let limits = JSONParser.Limits(
      bytes: Swift.min(maximumBytes, JSONWord.maximumOffset),
      size: Swift.min(maximumSize, JSONWord.maximumSize),
      stringSize: Swift.min(maximumSize, JSONWord.maximumSize),
      members: Swift.min(maximumSize, JSONWord.maximumSize))
    try self.init(bytes[...], limits: limits)
  }

  private init(_ bytes: ArraySlice<UInt8>, limits: JSONParser.Limits) throws(JSONError) {
    let text = unsafe bytes.withUnsafeBytes { unsafe PaddedText(copying: $0) }
    var parser = JSONParser(text: text, limits: limits)
    do throws(JSONError) {
      try parser.parse()
    } catch {
      unsafe parser.tape.deallocate()
      unsafe text.deallocate()
      throw error
    }
    unsafe readText = text
    unsafe readTape = parser.tape
  }

  /// The document `null`.
  private init() {
    let text = unsafe Array("null".utf8).withUnsafeBytes { unsafe PaddedText(copying: $0) }
    var tape = JSONTape(forBytes: text.count)
    tape.append(JSONWord(.null, size: text.count, offset: 0))
    unsafe readText = text
    unsafe readTape = tape
  }

  /// The document `null`.
  static let null = JSONDocument()

  deinit {
    // Nobody refers to the document, so nobody reads.
    unsafe tape.deallocate()
    unsafe text.deallocate()
  }

  /// The outermost value.
  package var root: JSONNode { JSONNode(document: self, index: 0) }

  /// The number of 8-byte words the values take; at most as many as the text has bytes.
  package var tapeCount: Int { tape.count }

  /// Some bytes of the text.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    text.bytes(range.clamped(to: 0..<text.count))
  }
}
