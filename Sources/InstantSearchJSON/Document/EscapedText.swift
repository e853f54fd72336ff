/// Strings with escape sequences, validated when the document was read.
enum EscapedText {
  /// The unescaped text of a range of bytes.
  ///
  /// An escaped lone surrogate becomes U+FFFD, so that one bad value does not make a whole response
  /// unreadable.
  static func string(_ text: PaddedText, _ range: Range<Int>) -> String {
    // An unescaped sequence is never longer than its escapes, so the text fits into the buffer. The
    // bytes between two escapes are copied unchanged.
    // Measured: an array in between takes 1.1 times as long, and one more allocation per string.
    unsafe String(unsafeUninitializedCapacity: range.count) { buffer in
      var count = 0
      var position = range.lowerBound
      while position < range.upperBound {
        let plain = position..<text.endOfPlain(from: position, to: range.upperBound)
        unsafe _ = UnsafeMutableBufferPointer(rebasing: buffer[count...])
          .update(fromContentsOf: text.buffer(plain))
        count += plain.count
        position = plain.upperBound
        guard position < range.upperBound else { break }
        takeEscape(text, &position, range.upperBound) { byte in
          unsafe buffer[count] = byte
          count += 1
        }
      }
      return count
    }
  }

  /// The unescaped UTF-8 bytes of a range of bytes.
  static func bytes(_ text: PaddedText, _ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    forEachByte(text, range) { bytes.append($0) }
    return bytes
  }

  /// Calls `take` with each unescaped byte. There are at most as many as the range has.
  @inline(__always)
  static func forEachByte(
    _ text: PaddedText, _ range: Range<Int>, _ take: (UInt8) -> Void
  ) {
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = text[position]
      if byte == UInt8(ascii: "\\") {
        takeEscape(text, &position, range.upperBound, take)
      } else {
        position += 1
        take(byte)
      }
    }
  }

  /// Calls `take` with the bytes of the escape sequence at a position, and moves the position
  /// behind it.
  ///
  /// The parser has checked that a character follows the backslash.
  @inline(__always)
  private static func takeEscape(
    _ text: PaddedText, _ position: inout Int, _ end: Int, _ take: (UInt8) -> Void
  ) {
    let escape = text[position + 1]
    position += 2
    switch escape {
    case UInt8(ascii: "b"): take(0x08)
    case UInt8(ascii: "f"): take(0x0C)
    case UInt8(ascii: "n"): take(0x0A)
    case UInt8(ascii: "r"): take(0x0D)
    case UInt8(ascii: "t"): take(0x09)
    case UInt8(ascii: "u"):
      for byte in UTF8.encode(scalar(text, &position, end)) ?? UTF8.encodedReplacementCharacter {
        take(byte)
      }
    default: take(escape)
    }
  }

  /// The character whose four digits start at a position, which moves behind it.
  private static func scalar(
    _ text: PaddedText, _ position: inout Int, _ end: Int
  ) -> Unicode.Scalar {
    var code = codeUnit(text, position, end) ?? 0xFFFD
    position += 4
    if code & 0xFC00 == 0xD800, position + 6 <= end, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u"), let low = codeUnit(text, position + 2, end),
      low & 0xFC00 == 0xDC00
    {
      code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF)
      position += 6
    }
    return Unicode.Scalar(code) ?? "\u{FFFD}"
  }

  private static func codeUnit(_ text: PaddedText, _ start: Int, _ end: Int) -> UInt32? {
    guard start + 4 <= end else { return nil }
    var code: UInt32 = 0
    for position in start..<start + 4 {
      guard let digit = Hexadecimal.value(of: text[position]) else { return nil }
      code = code << 4 | digit
    }
    return code
  }
}

/// The digits of escape sequences.
enum Hexadecimal {
  /// The value of a digit, or nil for any other byte.
  static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
