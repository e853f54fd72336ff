/// Writes one compact JSON text into a byte array. It inserts commas and colons.
///
/// The caller opens and closes containers and writes the key of each member:
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("query")
///     writer.string("phone")
///     writer.endObject()          // {"query":"phone"}
package struct JSONWriter: ~Copyable {
  private var buffer: ByteBuffer
  /// Whether a comma is needed before the next key or element.
  private var needsComma = false

  /// Creates a writer with an initial capacity in bytes.
  package init(capacity: Int = 256) {
    buffer = ByteBuffer(capacity: capacity)
  }

  /// The bytes written so far.
  package var bytes: [UInt8] { buffer.array }

  /// The bytes written so far, which can be many.
  ///
  /// - Parameter check: Called at least once for every megabyte. Its error ends the copying.
  package func bytes(check: () throws -> Void) rethrows -> [UInt8] {
    try buffer.array(check: check)
  }

  /// The number of bytes written.
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

  /// Writes a key. The value of the member must follow.
  package mutating func key(_ key: String) {
    quoted(key, isKey: true)
    needsComma = false
  }

  /// Writes a string.
  package mutating func string(_ string: String) {
    quoted(string, isKey: false)
    needsComma = true
  }

  /// Begins a string whose text follows in parts.
  package mutating func beginString() {
    beginValue()
    buffer.append(UInt8(ascii: "\""))
  }

  /// Writes a part of the UTF-8 text of a string.
  package mutating func text(_ part: ArraySlice<UInt8>) {
    unsafe part.withUnsafeBufferPointer { unsafe JSONEscape.append($0, to: &buffer) }
  }

  /// Ends a string.
  package mutating func endString() {
    buffer.append(UInt8(ascii: "\""))
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

  /// Writes the shortest text that reads as the same double, without a trailing `.0`.
  ///
  /// Infinities and NaN, for which JSON has no numbers, are written as `null`.
  package mutating func double(_ double: Double) {
    number(double.isFinite ? double.description : "null")
  }

  /// Writes the shortest text that reads as the same single-precision value.
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

  /// Writes one complete JSON value without checking it.
  package mutating func raw(_ value: [UInt8]) { raw(value[...]) }

  /// Writes one complete JSON value without checking it.
  package mutating func raw(_ value: ArraySlice<UInt8>) {
    beginValue()
    unsafe value.withUnsafeBufferPointer { unsafe buffer.append($0) }
    needsComma = true
  }

  /// Writes one complete JSON value without checking it.
  package mutating func raw(_ value: some Collection<UInt8>) { raw(Array(value)) }

  /// Writes complete members of an object without checking them, such as `"level":"none"`.
  package mutating func members(_ text: StaticString) {
    beginValue()
    buffer.append(text)
    needsComma = true
  }

  /// Writes a value of a document as it was written there.
  package mutating func raw(_ node: JSONNode) {
    splice(node.sourceRange, of: node.document)
  }

  /// Writes a nonempty object of a document as it was written there, and leaves it open for more
  /// members.
  package mutating func openObject(_ object: JSONNode) {
    let range = object.sourceRange
    splice(range.lowerBound..<range.upperBound - 1, of: object.document)
  }

  private mutating func splice(_ range: Range<Int>, of document: JSONDocument) {
    beginValue()
    unsafe buffer.append(document.text.buffer(range))
    needsComma = true
  }

  /// Writes the text of a number without a trailing `.0`.
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

  /// Writes a string with its comma, and a key with its colon.
  private mutating func quoted(_ string: String, isKey: Bool) {
    beginValue()
    buffer.append(UInt8(ascii: "\""))
    // Unlike `withUTF8` this does not copy the string. Bridged Objective-C strings have no such
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

// Values that are inserted later, and undoing.
extension JSONWriter {
  /// The bytes of a range, clamped to the text.
  func bytes(in range: Range<Int>) -> [UInt8] { buffer.array(in: range) }

  /// Whether there is a comma at an offset.
  func hasComma(at offset: Int) -> Bool { buffer[offset] == UInt8(ascii: ",") }

  /// A state of a writer that can be restored.
  package struct Mark {
    var count: Int
    var needsComma: Bool
  }

  /// The current state.
  package var mark: Mark { Mark(count: count, needsComma: needsComma) }

  /// Removes everything written since `mark`.
  package mutating func rewind(to mark: Mark) {
    buffer.truncate(to: mark.count)
    needsComma = mark.needsComma
  }

  /// Begins a value whose bytes are inserted later, and returns their offset.
  mutating func placeholder() -> Int {
    beginValue()
    needsComma = true
    return count
  }

  /// Replaces everything from `offset` on with a complete value.
  mutating func replace(from offset: Int, with value: [UInt8]) {
    buffer.truncate(to: offset)
    unsafe value.withUnsafeBufferPointer { unsafe buffer.append($0) }
    needsComma = true
  }
}
