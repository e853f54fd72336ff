/// Writes one JSON text, compactly, into a byte array; commas and colons are its business.
///
/// The caller opens and closes what belongs together and gives each member a key:
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("query")
///     writer.string("phone")
///     writer.endObject()          // {"query":"phone"}
package struct JSONWriter: ~Copyable {
  private var buffer: ByteBuffer
  /// Whether a comma belongs before the next key or element.
  private var needsComma = false

  /// Creates a writer with room for `capacity` bytes.
  package init(capacity: Int = 256) {
    buffer = ByteBuffer(capacity: capacity)
  }

  /// What was written so far.
  package var bytes: [UInt8] { buffer.array }

  /// What was written so far, which may be long.
  ///
  /// - Parameter check: Called at least once for every megabyte; what it throws ends the copying.
  package func bytes(check: () throws -> Void) rethrows -> [UInt8] {
    try buffer.array(check: check)
  }

  /// How many bytes were written.
  package var count: Int { buffer.count }

  /// Opens an object.
  package mutating func beginObject() {
    beginValue()
    buffer.append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Closes the innermost object.
  package mutating func endObject() {
    buffer.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Opens an array.
  package mutating func beginArray() {
    beginValue()
    buffer.append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Closes the innermost array.
  package mutating func endArray() {
    buffer.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes the key of the member whose value comes next.
  package mutating func key(_ key: String) {
    quoted(key, isKey: true)
    needsComma = false
  }

  /// Writes a string.
  package mutating func string(_ string: String) {
    quoted(string, isKey: false)
    needsComma = true
  }

  /// Writes an integer.
  package mutating func int(_ integer: Int) { int(Int64(integer)) }

  /// Writes an integer.
  package mutating func int(_ integer: Int64) {
    beginValue()
    if integer < 0 { buffer.append(UInt8(ascii: "-")) }
    buffer.append(digitsOf: integer.magnitude)
    needsComma = true
  }

  /// Writes an integer.
  package mutating func int(_ integer: UInt64) {
    beginValue()
    buffer.append(digitsOf: integer)
    needsComma = true
  }

  /// Writes an integer of any width.
  package mutating func int(_ integer: some FixedWidthInteger) {
    if let integer = Int64(exactly: integer) { return int(integer) }
    beginValue()
    buffer.append(integer.description)
    needsComma = true
  }

  /// Writes the shortest text that reads back as the same double, without a trailing `.0`.
  ///
  /// JSON has no word for infinities and NaN; they are written as `null`.
  package mutating func double(_ double: Double) {
    number(double.isFinite ? double.description : "null")
  }

  /// Writes the shortest text that reads back as the same single-precision value.
  package mutating func float(_ float: Float) {
    number(float.isFinite ? float.description : "null")
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ bool: Bool) {
    beginValue()
    buffer.append(bool ? "true" as StaticString : "false")
    needsComma = true
  }

  /// Writes `null`.
  package mutating func null() {
    beginValue()
    buffer.append("null" as StaticString)
    needsComma = true
  }

  /// Splices one complete JSON value, which is not looked at.
  package mutating func raw(_ value: [UInt8]) { raw(value[...]) }

  /// Splices one complete JSON value, which is not looked at.
  package mutating func raw(_ value: ArraySlice<UInt8>) {
    beginValue()
    unsafe value.withUnsafeBufferPointer { unsafe buffer.append($0) }
    needsComma = true
  }

  /// Splices one complete JSON value, which is not looked at.
  package mutating func raw(_ value: some Collection<UInt8>) { raw(Array(value)) }

  /// Splices a value as it was written.
  package mutating func raw(_ node: JSONNode) {
    splice(node.sourceRange, of: node.document)
  }

  /// Splices an object that has members, as it was written, and leaves it open for more.
  package mutating func openObject(_ object: JSONNode) {
    let range = object.sourceRange
    splice(range.lowerBound..<range.upperBound - 1, of: object.document)
  }

  private mutating func splice(_ range: Range<Int>, of document: JSONDocument) {
    beginValue()
    unsafe buffer.append(document.text.buffer(range))
    needsComma = true
  }

  /// Writes a number that is already text, less a trailing `.0`.
  mutating func number(_ text: String) {
    beginValue()
    buffer.append(text)
    if text.utf8.count > 2, text.utf8.suffix(2).elementsEqual(".0".utf8) {
      buffer.truncate(to: buffer.count - 2)
    }
    needsComma = true
  }

  private mutating func beginValue() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
  }

  /// Writes a string and what belongs around it.
  private mutating func quoted(_ string: String, isKey: Bool) {
    beginValue()
    buffer.append(UInt8(ascii: "\""))
    // Unlike `withUTF8` this needs no copy of the string; strings of Objective-C have no such
    // storage.
    let written: Void? = unsafe string.utf8.withContiguousStorageIfAvailable { text in
      unsafe JSONEscape.append(text, to: &buffer)
    }
    if written == nil {
      unsafe Array(string.utf8).withUnsafeBufferPointer {
        unsafe JSONEscape.append($0, to: &buffer)
      }
    }
    buffer.append(UInt8(ascii: "\""))
    if isKey { buffer.append(UInt8(ascii: ":")) }
  }
}

// Parts that are filled in later, and undoing.
extension JSONWriter {
  /// The bytes of a range, less what lies beyond the end.
  func bytes(in range: Range<Int>) -> [UInt8] { buffer.array(in: range) }

  /// Whether there is a comma at an offset.
  func hasComma(at offset: Int) -> Bool { buffer[offset] == UInt8(ascii: ",") }

  /// A state of a writer that can be returned to.
  package struct Mark {
    var count: Int
    var needsComma: Bool
  }

  /// The present state.
  package var mark: Mark { Mark(count: count, needsComma: needsComma) }

  /// Forgets everything written since `mark`.
  package mutating func rewind(to mark: Mark) {
    buffer.truncate(to: mark.count)
    needsComma = mark.needsComma
  }

  /// Takes the place of a value whose bytes come later; returns where they belong.
  mutating func placeholder() -> Int {
    beginValue()
    needsComma = true
    return count
  }

  /// Replaces everything since `offset`, the end of a complete value included.
  mutating func replace(from offset: Int, with value: [UInt8]) {
    buffer.truncate(to: offset)
    unsafe value.withUnsafeBufferPointer { unsafe buffer.append($0) }
    needsComma = true
  }
}
