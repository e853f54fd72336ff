/// Decoding of single scalars from UTF-8 bytes.
enum UTF8Scalars {
  /// A scalar and the number of bytes it took.
  typealias Decoded = (scalar: Unicode.Scalar, length: Int)

  /// Returns the scalar that begins at `index`; bytes that are not UTF-8 give U+FFFD and are passed
  /// one by one.
  ///
  /// `index` must be inside `bytes`.
  @inline(__always)
  static func decode(_ bytes: [UInt8], at index: Int, limit: Int) -> Decoded {
    let first = bytes[index]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    return decodeLong(bytes, at: index, limit: limit)
  }

  private static func decodeLong(_ bytes: [UInt8], at index: Int, limit: Int) -> Decoded {
    let first = bytes[index]
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, index + length <= limit else { return ("\u{FFFD}", 1) }
    var value = UInt32(first) & (0x7F &>> UInt32(length))
    for offset in 1..<length {
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", 1) }
    return (scalar, length)
  }

  /// Returns the values of all scalars of `bytes`.
  static func values(of bytes: some Collection<UInt8>) -> [UInt32] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
  }
}
