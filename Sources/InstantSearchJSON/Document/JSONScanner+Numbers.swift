extension JSONScanner {
  /// The word of the number that starts at a position with a digit or a minus sign.
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

  /// The position behind an exponent, which starts at a position with its letter.
  private func endOfExponent(from letter: Int) throws(JSONError) -> Int {
    var digits = letter + 1
    if text[digits] == UInt8(ascii: "+") || text[digits] == UInt8(ascii: "-") { digits += 1 }
    let end = endOfDigits(from: digits)
    if end == digits { throw unexpected("a digit in the exponent", at: end) }
    return end
  }

  /// The position behind a run of digits.
  @inline(__always)
  private func endOfDigits(from start: Int) -> Int {
    var position = start
    while text[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
    return position
  }

  /// The word of the literal whose first letter is at a position.
  func readLiteral(from start: Int) throws(JSONError) -> JSONWord {
    switch text[start] {
    case UInt8(ascii: "t"): try readLiteral("true", .true, from: start)
    case UInt8(ascii: "f"): try readLiteral("false", .false, from: start)
    default: try readLiteral("null", .null, from: start)
    }
  }

  @inline(__always)
  private func readLiteral(
    _ literal: StaticString, _ kind: JSONWord.Kind, from start: Int
  ) throws(JSONError) -> JSONWord {
    for index in 0..<literal.utf8CodeUnitCount {
      // The index is below the literal's count.
      guard unsafe literal.utf8Start[index] == text[start + index] else {
        throw unexpected("the literal '\(literal)'", at: start + index)
      }
    }
    return JSONWord(kind, size: literal.utf8CodeUnitCount, offset: start)
  }
}
