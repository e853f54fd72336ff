/// The checksum of IEEE 802.3: it tells bytes that were changed by accident from those that were
/// not.
enum CRC32 {
  /// The checksum of bytes.
  static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    var checksum = UInt32.max
    for byte in bytes {
      checksum = table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ checksum >> 8
    }
    return ~checksum
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(byte) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
  }
}
