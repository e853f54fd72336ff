/// Writes one JSON text, compactly, into a byte array; commas and colons are its business.
///
/// The caller opens and closes what belongs together and gives each member a key:
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("query")
///     writer.string("phone")
///     writer.endObject()          // {"query":"phone"}
package struct JSONWriter: Sendable {
  /// What was written so far.
  package private(set) var bytes: [UInt8]
  /// Whether a comma belongs before the next key or element.
  private var needsComma = false

  /// Creates a writer with room for `capacity` bytes.
  package init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(Swift.max(0, capacity))
  }

  /// Opens an object.
  package mutating func beginObject() {
    beginValue()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Closes the innermost object.
  package mutating func endObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Opens an array.
  package mutating func beginArray() {
    beginValue()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Closes the innermost array.
  package mutating func endArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes the key of the member whose value comes next.
  package mutating func key(_ key: String) {
    beginValue()
    appendQuoted(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string.
  package mutating func string(_ string: String) {
    beginValue()
    appendQuoted(string)
    needsComma = true
  }

  /// Writes an integer of any width.
  package mutating func int(_ integer: some FixedWidthInteger) {
    beginValue()
    bytes.append(contentsOf: integer.description.utf8)
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
    bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    needsComma = true
  }

  /// Writes `null`.
  package mutating func null() {
    beginValue()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  /// Splices one complete JSON value, which is not looked at.
  package mutating func raw(_ value: some Collection<UInt8>) {
    beginValue()
    bytes.append(contentsOf: value)
    needsComma = true
  }

  /// Writes a number that is already text, less a trailing `.0`.
  mutating func number(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
    if text.utf8.count > 2, bytes[bytes.count - 1] == UInt8(ascii: "0"),
      bytes[bytes.count - 2] == UInt8(ascii: ".")
    {
      bytes.removeLast(2)
    }
    needsComma = true
  }

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func appendQuoted(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    if string.utf8.contains(where: Self.needsEscape) {
      for byte in string.utf8 { appendEscaped(byte) }
    } else {
      bytes.append(contentsOf: string.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard Self.needsEscape(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case ..<0x20:
      bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    default: bytes.append(byte)
    }
  }
}

// The encoder's own needs: parts that are filled in later, and undoing.
extension JSONWriter {
  /// A state of a writer that can be returned to.
  struct Mark {
    var count: Int
    var needsComma: Bool
  }

  /// The present state.
  var mark: Mark { Mark(count: bytes.count, needsComma: needsComma) }

  /// Forgets everything written since `mark`.
  mutating func rewind(to mark: Mark) {
    bytes.removeSubrange(Swift.min(mark.count, bytes.count)...)
    needsComma = mark.needsComma
  }

  /// Takes the place of a value whose bytes come later; returns where they belong.
  mutating func placeholder() -> Int {
    beginValue()
    needsComma = true
    return bytes.count
  }

  /// Replaces everything since `offset`, the end of a complete value included.
  mutating func replace(from offset: Int, with value: [UInt8]) {
    bytes.replaceSubrange(Swift.min(offset, bytes.count)..., with: value)
    needsComma = true
  }
}
