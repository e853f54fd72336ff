/// The hash function SHA-256 of FIPS 180-4.
///
/// The toolchain has no cryptography on Linux, and this package has no dependencies. Bytes can be
/// added in parts:
///
///     var hash = SHA256()
///     hash.update(head)
///     hash.update(tail)
///     let digest = hash.digest()
package struct SHA256: Sendable {
  /// The number of bytes in a block.
  static let blockSize = 64

  private var state: SIMD8<UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
    0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  /// The words of the incomplete block, with zeros after its bytes.
  private var block: SIMD16<UInt32> = .zero
  private var byteCount: UInt64 = 0

  /// Creates a hash of no bytes.
  package init() {}

  /// The 32-byte digest of some bytes.
  package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }

  /// Adds bytes to the hash.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      let index = Int(byteCount % UInt64(Self.blockSize))
      block[index / 4] |= UInt32(byte) << UInt32(24 - index % 4 * 8)
      // The length is counted modulo 2 to the power of 64, like its field in the last block.
      byteCount &+= 1
      if index == Self.blockSize - 1 { compress() }
    }
  }

  /// The 32-byte digest of all added bytes.
  package consuming func digest() -> [UInt8] {
    let bitCount = byteCount &* 8
    // A one bit, zeros up to 8 bytes before the end of a block, and the length.
    let used = Int(byteCount % UInt64(Self.blockSize))
    update(CollectionOfOne(0x80))
    update(repeatElement(0, count: (2 * Self.blockSize - 9 - used) % Self.blockSize))
    update(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bitCount >> $0) })
    return state.indices.flatMap { index in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: state[index] >> $0) }
    }
  }

  /// Mixes the full block into the state and empties it. Sums are modulo 2 to the power of 32.
  private mutating func compress() {
    let constants = Self.constants
    // The last 16 words of the schedule.
    var words = block
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let place = index & 15
      if index >= 16 {
        let early = words[(index + 1) & 15]
        let late = words[(index + 14) & 15]
        let sigma0 = early.rotated(by: 7) ^ early.rotated(by: 18) ^ early >> 3
        let sigma1 = late.rotated(by: 17) ^ late.rotated(by: 19) ^ late >> 10
        words[place] = words[place] &+ sigma0 &+ words[(index + 9) & 15] &+ sigma1
      }
      let sum1 = e.rotated(by: 6) ^ e.rotated(by: 11) ^ e.rotated(by: 25)
      let choice = e & f ^ ~e & g
      let first = h &+ sum1 &+ choice &+ constants[index] &+ words[place]
      let sum0 = a.rotated(by: 2) ^ a.rotated(by: 13) ^ a.rotated(by: 22)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
    block = .zero
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}

extension UInt32 {
  /// The bits rotated to the right.
  fileprivate func rotated(by count: UInt32) -> UInt32 { self &>> count | self &<< (32 - count) }
}

/// The authentication code HMAC of RFC 2104, with SHA-256.
///
/// A value is a key whose two blocks are already hashed, for many codes with the same key.
package struct HMACSHA256: Sendable {
  private let inner: SHA256
  private let outer: SHA256

  /// Prepares a key.
  package init(key: [UInt8]) {
    var key = key.count > SHA256.blockSize ? SHA256.digest(of: key) : key
    key += repeatElement(0, count: SHA256.blockSize - key.count)
    var (inner, outer) = (SHA256(), SHA256())
    inner.update(key.lazy.map { $0 ^ 0x36 })
    outer.update(key.lazy.map { $0 ^ 0x5C })
    self.inner = inner
    self.outer = outer
  }

  /// The 32-byte code of a message, which only a holder of the key can compute.
  package func code(for message: some Sequence<UInt8>) -> [UInt8] {
    var (inner, outer) = (inner, outer)
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()
  }

  /// The 32-byte code of a message with a key.
  package static func code(for message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    HMACSHA256(key: key).code(for: message)
  }

  /// Whether a code is the expected one. The time it takes does not depend on the codes.
  package func isCode(_ code: [UInt8], for message: some Sequence<UInt8>) -> Bool {
    Secrecy.hasSameBytes(code, self.code(for: message))
  }
}
