extension JSONParser {
  /// Reads the number that starts at a position with a digit or a minus sign.
  ///
  /// - Returns: The position behind the number.
  @inline(__always)
  mutating func readNumber(from start: Int) throws(JSONError) -> Int {
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
    tape.append(JSONWord(kind, size: size, offset: start))
    return position
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
    while text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position
  }
}
