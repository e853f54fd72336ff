/// Reads single tokens of a text.
///
/// It has no state, so that the parser's loop can keep it in registers.
struct JSONScanner {
  let text: PaddedText
  let limits: JSONParser.Limits
}

extension JSONScanner {
  /// The error at a position, with the expected token and the byte that was found.
  @inline(never)
  func unexpected(_ expected: String, at position: Int) -> JSONError {
    let found: String
    if position >= text.count {
      found = "the end of the input"
    } else {
      let byte = text[position]
      switch byte {
      case 0x21..<0x7F: found = "'\(Character(Unicode.Scalar(byte)))'"
      case 0x20: found = "a space"
      case 0x80...: found = "the byte 0x\(String(byte, radix: 16, uppercase: true))"
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        found = "the control character U+00\(digits.count < 2 ? "0" : "")\(digits)"
      }
    }
    return JSONError("expected \(expected), found \(found)", at: position, in: text)
  }

  /// The error for a key that is longer than allowed.
  @inline(never)
  func keyTooLong(_ size: Int, at position: Int) -> JSONError {
    JSONError(
      "expected a key of at most \(limits.keySize) bytes, found \(size)", at: position, in: text)
  }

  /// The error for a value that exceeds the size of a word of the tape.
  @inline(never)
  func tooLarge(_ size: Int, _ what: String, limit: Int? = nil, at position: Int) -> JSONError {
    JSONError(
      "expected at most \(limit ?? limits.size) \(what), found \(size)", at: position, in: text)
  }

  /// The error for a container that is nested too deeply.
  @inline(never)
  func tooDeep(at position: Int) -> JSONError {
    JSONError(
      "expected at most \(limits.depth) nested arrays and objects, found one more",
      at: position, in: text)
  }
}

extension JSONScanner {
  /// The word of a number that starts at a position with a digit or a minus sign.
  @inline(__always)
  func readNumber(from start: Int) throws(JSONError) -> JSONWord {
    var kind = JSONWord.Kind.integer
    let firstDigit = text[start] == UInt8(ascii: "-") ? start + 1 : start
    var position = endOfDigits(from: firstDigit)
    if position == firstDigit { throw unexpected("a digit after '-'", at: position) }
    if text[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
      throw unexpected("the end of the number after a leading zero", at: firstDigit + 1)
    }
    if text[position] == UInt8(ascii: ".") {
      kind = .real
      let fraction = position + 1
      position = endOfDigits(from: fraction)
      if position == fraction { throw unexpected("a digit after the decimal point", at: position) }
    }
    if text[position] | 0x20 == UInt8(ascii: "e") {
      kind = .real
      position = try endOfExponent(from: position)
    }
    let size = position - start
    guard size <= limits.size else { throw tooLarge(size, "bytes in a number", at: start) }
    return JSONWord(kind, size: size, offset: start)
  }

  /// The position after an exponent, which starts at a position with its letter.
  private func endOfExponent(from letter: Int) throws(JSONError) -> Int {
    var digits = letter + 1
    if text[digits] == UInt8(ascii: "+") || text[digits] == UInt8(ascii: "-") { digits += 1 }
    let end = endOfDigits(from: digits)
    if end == digits { throw unexpected("a digit in the exponent", at: end) }
    return end
  }

  /// The position after a run of digits.
  @inline(__always)
  private func endOfDigits(from start: Int) -> Int {
    var position = start
    while text[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
    return position
  }

  /// The word of a literal whose first letter is at a position.
  func readLiteral(from start: Int) throws(JSONError) -> JSONWord {
    switch text[start] {
    case UInt8(ascii: "t"): try readLiteral("true", 0x6575_7274, 4, .true, from: start)
    case UInt8(ascii: "f"): try readLiteral("false", 0x65_736C_6166, 5, .false, from: start)
    default: try readLiteral("null", 0x6C6C_756E, 4, .null, from: start)
    }
  }

  /// Compares the text with a literal, also given as a little-endian number of `size` bytes.
  @inline(__always)
  private func readLiteral(
    _ literal: StaticString, _ bytes: UInt64, _ size: Int, _ kind: JSONWord.Kind, from start: Int
  ) throws(JSONError) -> JSONWord {
    let difference = (text.word(at: start) ^ bytes) & (1 << UInt64(8 * size) - 1)
    guard difference == 0 else {
      throw unexpected("the literal '\(literal)'", at: start + difference.trailingZeroBitCount / 8)
    }
    return JSONWord(kind, size: size, offset: start)
  }
}

extension JSONScanner {
  /// The word of the string whose opening quote is at a position. Checks its UTF-8 and escapes.
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

  /// The closing quote of a string with characters that are not plain, the first at a position.
  @inline(never)
  private func endOfString(
    from start: Int
  ) throws(JSONError) -> (kind: JSONWord.Kind, end: Int) {
    var kind = JSONWord.Kind.string
    var position = start
    // The caller rejects a longer string before its end is known.
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

  /// The position after an escape sequence whose backslash is at a position.
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

  /// The position after a character of two to four bytes.
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
