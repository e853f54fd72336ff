/// Bytes as lower-case hexadecimal digits.
package enum Hexadecimal {
  /// The number of digits of a signature.
  static let signatureLength = 64

  /// Returns two digits for each byte, as UTF-8.
  package static func text(of bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// Returns the digits of unpredictable random bytes.
  package static func random(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    // One system call per eight bytes instead of one per byte.
    let bytes = (0..<(byteCount + 7) / 8).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return String(decoding: text(of: bytes.prefix(byteCount)), as: UTF8.self)
  }

  /// The 32 bytes of a signature, or `nil` for any other text.
  static func bytes(ofSignature text: some Collection<UInt8>) -> [UInt8]? {
    text.count == signatureLength ? bytes(of: text) : nil
  }

  /// Returns the bytes of lower-case digits, or `nil` for any other text.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    let values = text.compactMap(value)
    guard values.count == text.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Comparisons of secrets.
package enum Secrecy {
  /// Whether two secrets are equal. The time it takes does not depend on where they differ.
  package static func hasSameBytes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
