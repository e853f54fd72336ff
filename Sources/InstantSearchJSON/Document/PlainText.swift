/// Runs of bytes that need no closer look, found eight bytes at a time.
package enum PlainText {
  /// The first byte from a position on that may end a run: a quote, a backslash, a control
  /// character or one beyond ASCII. The zeros behind the text end every run.
  ///
  /// - Complexity: O(length of the run).
  @inline(__always)
  package static func end(in text: PaddedText, from start: Int) -> Int {
    var position = start
    while true {
      let marks = special(text.word(at: position))
      if marks != 0 { return position &+ marks.trailingZeroBitCount / 8 }
      position &+= 8
    }
  }

  /// The upper bit of each byte that ends a run; bits above the lowest one may be wrong.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    escaped(word) | (word & 0x8080_8080_8080_8080)
  }

  /// The upper bit of each byte that must be escaped, a quote, a backslash or a control character;
  /// bits above the lowest one may be wrong.
  @inline(__always)
  static func escaped(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let upperBits: UInt64 = 0x8080_8080_8080_8080
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let isQuote = (quotes &- ones) & ~quotes
    let isBackslash = (backslashes &- ones) & ~backslashes
    let isControl = (word &- (ones &* 0x20)) & ~word
    return (isQuote | isBackslash | isControl) & upperBits
  }
}

extension PaddedText {
  /// The same, where there is mostly none.
  @inline(__always)
  func skipSpace(from start: Int) -> Int {
    self[start] > 0x20 ? start : endOfSpace(from: start)
  }

  /// The position of the first byte from a position on that is no whitespace.
  @inline(never)
  func endOfSpace(from start: Int) -> Int {
    var position = start
    while true {
      switch self[position] {
      case 0x20:
        position &+= 1
        while word(at: position) == 0x2020_2020_2020_2020 { position &+= 8 }
      case 0x0A, 0x0D, 0x09: position &+= 1
      default: return position
      }
    }
  }

  /// The position of the first backslash from a position on, or the end of what is looked at.
  func endOfPlain(from start: Int, to end: Int) -> Int {
    var position = start
    while position < end {
      let word = word(at: position) ^ 0x5C5C_5C5C_5C5C_5C5C
      let marks = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if marks != 0 { return min(position &+ marks.trailingZeroBitCount / 8, end) }
      position &+= 8
    }
    return end
  }
}
