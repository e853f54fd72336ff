extension JSONScanner {
  /// The word of the string whose opening quote is at a position; its UTF-8 and escapes are
  /// checked.
  @inline(__always)
  func readString(from quote: Int) throws(JSONError) -> JSONWord {
    var kind = JSONWord.Kind.string
    var end = PlainText.end(in: text, from: quote &+ 1)
    if text[end] != UInt8(ascii: "\"") { (kind, end) = try endOfString(from: end) }
    let size = end &- quote &- 1
    guard size <= limits.stringSize else {
      throw tooLarge(size, "bytes in a string", limit: limits.stringSize, at: quote + 1)
    }
    return JSONWord(kind, size: size, offset: quote &+ 1)
  }

  /// The closing quote of a string that has more than plain characters, the first at a position.
  @inline(never)
  private func endOfString(
    from start: Int
  ) throws(JSONError) -> (kind: JSONWord.Kind, end: Int) {
    var kind = JSONWord.Kind.string
    var position = start
    // What is longer is refused by its caller, before its end is known.
    let furthest = start &+ limits.stringSize
    while true {
      if position > furthest { return (kind, position) }
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""): return (kind, position)
      case UInt8(ascii: "\\"):
        kind = .escapedString
        position = try endOfEscape(from: position)
      case ..<0x20:
        throw unexpected(
          position < text.count
            ? "a character of the string (control characters are escaped)"
            : "'\"' at the end of the string",
          at: position)
      case ..<0x80: position = PlainText.end(in: text, from: position + 1)
      default: position = try endOfCharacter(from: position)
      }
    }
  }

  /// The position behind an escape sequence, whose backslash is at a position.
  private func endOfEscape(from backslash: Int) throws(JSONError) -> Int {
    let position = backslash + 1
    switch text[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return position + 1
    case UInt8(ascii: "u"):
      for digit in position + 1..<position + 5
      where Hexadecimal.value(of: text[digit]) == nil {
        throw unexpected("four hexadecimal digits after '\\u'", at: digit)
      }
      return position + 5
    default:
      throw unexpected(
        position < text.count
          ? "one of \" \\ / b f n r t u after '\\'" : "an escape character after '\\'",
        at: position)
    }
  }

  /// The position behind a character of two to four bytes.
  ///
  /// The bounds of the second byte exclude overlong forms, surrogates and values over U+10FFFF
  /// (The Unicode Standard, table 3-7).
  private func endOfCharacter(from start: Int) throws(JSONError) -> Int {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch text[start] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: throw unexpected("valid UTF-8", at: start)
    }
    for step in 1..<length {
      let allowed = step == 1 ? second : 0x80...0xBF
      guard allowed.contains(text[start + step]) else {
        throw unexpected("valid UTF-8", at: start + step)
      }
    }
    return start + length
  }
}
