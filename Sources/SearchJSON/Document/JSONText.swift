/// The text of JSON strings whose escapes were validated before.
enum JSONText {
  /// The value of a hexadecimal digit, nil for any other byte.
  static func hexadecimalValue(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The UTF-8 bytes that the escaped text `bytes[range]` stands for.
  ///
  /// An escaped surrogate without its other half becomes U+FFFD, so that one bad value does not
  /// make a whole answer unreadable.
  static func unescaped(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < range.upperBound else {
        text.append(byte)
        continue
      }
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"): appendUnicodeEscape(bytes, &index, range.upperBound, to: &text)
      default: text.append(escape)
      }
    }
    return text
  }

  /// Appends the character whose four digits start at `index`, and goes behind it.
  private static func appendUnicodeEscape(
    _ bytes: [UInt8], _ index: inout Int, _ end: Int, to text: inout [UInt8]
  ) {
    var code = codeUnit(bytes, index, end) ?? 0xFFFD
    index += 4
    if code & 0xFC00 == 0xD800, index + 6 <= end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u"), let low = codeUnit(bytes, index + 2, end),
      low & 0xFC00 == 0xDC00
    {
      code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF)
      index += 6
    }
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private static func codeUnit(_ bytes: [UInt8], _ start: Int, _ end: Int) -> UInt32? {
    guard start + 4 <= end else { return nil }
    var code: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = hexadecimalValue(of: bytes[index]) else { return nil }
      code = code << 4 | digit
    }
    return code
  }
}
