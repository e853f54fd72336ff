extension JSONParser {
  /// Reads the string whose opening quote is at the position, and checks its UTF-8 and escapes.
  mutating func readString() throws(JSONError) {
    position += 1
    let start = position
    var isEscaped = false
    scan: while true {
      position = PlainText.end(in: bytes, from: position)
      guard position < bytes.count else { throw unexpected("'\"' at the end of the string") }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""): break scan
      case UInt8(ascii: "\\"):
        isEscaped = true
        try skipEscape()
      case ..<0x20: throw unexpected("a character of the string (control characters are escaped)")
      case ..<0x80: position += 1
      default: try skipMultibyteCharacter(startingWith: byte)
      }
    }
    let size = position - start
    position += 1
    try checkSize(size, from: start, "bytes in a string")
    pending.append(JSONWord(isEscaped ? .escapedString : .string, size: size, offset: start))
  }

  private mutating func skipEscape() throws(JSONError) {
    position += 1
    guard position < bytes.count else { throw unexpected("an escape character after '\\'") }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard position < bytes.count, JSONText.hexadecimalValue(of: bytes[position]) != nil else {
          throw unexpected("four hexadecimal digits after '\\u'")
        }
        position += 1
      }
    default: throw unexpected("one of \" \\ / b f n r t u after '\\'")
    }
  }

  /// Steps over a character of two to four bytes.
  ///
  /// The bounds of the second byte exclude overlong forms, surrogates and values over U+10FFFF
  /// (The Unicode Standard, table 3-7).
  private mutating func skipMultibyteCharacter(startingWith lead: UInt8) throws(JSONError) {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: throw unexpected("valid UTF-8")
    }
    position += 1
    for step in 1..<length {
      let allowed = step == 1 ? second : 0x80...0xBF
      guard position < bytes.count, allowed.contains(bytes[position]) else {
        throw unexpected("valid UTF-8")
      }
      position += 1
    }
  }

  /// Reads the number that starts at the position with a digit or a minus sign.
  mutating func readNumber() throws(JSONError) {
    let start = position
    var kind = JSONWord.Kind.integer
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let firstDigit = position
    guard skipDigits() else { throw unexpected("a digit after '-'") }
    if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
      position = firstDigit + 1
      throw unexpected("the end of the number after a leading zero")
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      kind = .real
      position += 1
      guard skipDigits() else { throw unexpected("a digit after the decimal point") }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      kind = .real
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      guard skipDigits() else { throw unexpected("a digit in the exponent") }
    }
    try checkSize(position - start, from: start, "bytes in a number")
    pending.append(JSONWord(kind, size: position - start, offset: start))
  }

  /// Steps over a run of digits; false when there is none.
  private mutating func skipDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start
  }

  private func checkSize(_ size: Int, from start: Int, _ what: String) throws(JSONError) {
    guard size <= limits.size else {
      throw JSONError(
        "expected at most \(limits.size) \(what), found \(size)", at: start, in: bytes)
    }
  }

  /// An error at the position: what was expected, and the byte found there.
  func unexpected(_ expected: String) -> JSONError {
    let found: String
    if position >= bytes.count {
      found = "the end of the input"
    } else {
      let byte = bytes[position]
      switch byte {
      case 0x21..<0x7F: found = "'\(Character(Unicode.Scalar(byte)))'"
      case 0x20: found = "a space"
      case 0x80...: found = "the byte 0x\(String(byte, radix: 16, uppercase: true))"
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        found = "the control character U+00\(digits.count < 2 ? "0" : "")\(digits)"
      }
    }
    return JSONError("expected \(expected), found \(found)", at: position, in: bytes)
  }
}
