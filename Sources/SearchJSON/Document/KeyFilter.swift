/// Whether some keys of an object may be equal, told without comparing them.
///
/// Each key sets one of 64 bits, by its length and its first and last bytes. Only where two keys set
/// the same bit must they be compared.
struct KeyFilter {
  private var bits: UInt64 = 0
  /// Whether two keys may be equal; when `false`, no two are.
  private(set) var mayRepeat = false

  /// Adds a key.
  @inline(__always)
  mutating func insert(_ key: JSONWord, in text: PaddedText) {
    // The same text can be written with other escapes, so these keys have to be compared.
    if key.isEscaped { mayRepeat = true }
    let bit: UInt64 = 1 << (Self.hash(of: key, in: text) >> 58)
    if bits & bit != 0 { mayRepeat = true }
    bits |= bit
  }

  @inline(__always)
  private static func hash(of key: JSONWord, in text: PaddedText) -> UInt64 {
    let size = key.size
    var hash = text.word(at: key.offset)
    if size < 8 {
      hash &= (1 << (8 * UInt64(size))) - 1
    } else {
      hash ^= text.word(at: key.offset + size - 8) &* 0xFF51_AFD7_ED55_8CCD
    }
    return (hash ^ UInt64(size)) &* 0x9E37_79B9_7F4A_7C15
  }
}
