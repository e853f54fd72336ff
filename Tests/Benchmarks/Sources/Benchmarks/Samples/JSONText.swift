/// Writes a compact JSON text. It inserts commas and colons.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  /// Whether a comma is needed before the next key or element.
  private var needsComma = false

  mutating func beginObject() { begin("{") }

  mutating func endObject() { end("}") }

  mutating func beginArray() { begin("[") }

  mutating func endArray() { end("]") }

  /// Writes a key. The value of the member must follow.
  mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ string: String) {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(scalar)
      }
    }
    value(text + "\"")
  }

  mutating func int(_ integer: Int) { value("\(integer)") }

  /// Writes the shortest text that reads as the same number, without a trailing `.0`.
  mutating func double(_ double: Double) {
    let text = "\(double)"
    value(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  mutating func bool(_ bool: Bool) { value("\(bool)") }

  private mutating func value(_ text: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    bytes += text.utf8
    needsComma = true
  }

  private mutating func begin(_ bracket: String) {
    value(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: String) {
    bytes += bracket.utf8
    needsComma = true
  }
}
