/// The checksum of a section of a file: XXH64 with seed 0, as in the specification of xxHash.
///
/// It detects damage, but not intentional changes.
package struct Checksum: Sendable {
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  private var count: UInt64 = 0
  /// The last bytes, fewer than a stripe.
  private var rest: [UInt8] = []

  private static let (prime1, prime2): (UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F
  )
  private static let (prime3, prime4, prime5): (UInt64, UInt64, UInt64) = (
    0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63, 0x27D4_EB2F_1656_67C5
  )
  private static let stripeLength = 32

  /// Creates the checksum of no bytes.
  package init() {
    lanes = (
      Self.prime1 &+ Self.prime2, Self.prime2, 0, 0 &- Self.prime1
    )
  }

  /// Returns the checksum of some bytes.
  package static func of(_ bytes: [UInt8]) -> UInt64 {
    var checksum = Checksum()
    checksum.update(bytes[...])
    return checksum.value
  }

  /// Adds bytes.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    count &+= UInt64(bytes.count)
    var bytes = bytes
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.stripeLength - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == Self.stripeLength else { return }
      addStripes(rest[...])
      rest = []
    }
    let whole = bytes.count / Self.stripeLength * Self.stripeLength
    addStripes(bytes.prefix(whole))
    rest += bytes.dropFirst(whole)
  }

  /// Adds whole stripes.
  ///
  /// Reading words without checks makes opening a file of 100,000 records 1.5 times faster than
  /// putting them together from bytes: 34 ms instead of 51, medians of three alternating runs.
  private mutating func addStripes(_ bytes: ArraySlice<UInt8>) {
    var lanes = lanes
    // Safe: the offsets are below the count, a multiple of 32, and the loads need no alignment.
    unsafe bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: Self.stripeLength) {
        func word(_ index: Int) -> UInt64 {
          UInt64(
            littleEndian: unsafe bytes.loadUnaligned(
              fromByteOffset: start &+ 8 &* index, as: UInt64.self))
        }
        lanes.0 = Self.round(lanes.0, word(0))
        lanes.1 = Self.round(lanes.1, word(1))
        lanes.2 = Self.round(lanes.2, word(2))
        lanes.3 = Self.round(lanes.3, word(3))
      }
    }
    self.lanes = lanes
  }

  /// The checksum of the bytes so far.
  package var value: UInt64 {
    var hash: UInt64
    if count < Self.stripeLength {
      hash = Self.prime5
    } else {
      hash =
        Self.rotated(lanes.0, 1) &+ Self.rotated(lanes.1, 7) &+ Self.rotated(lanes.2, 12)
        &+ Self.rotated(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
      }
    }
    hash &+= count
    var rest = rest[...]
    while rest.count >= 8 {
      hash = Self.rotated(hash ^ Self.round(0, LittleEndian.number(rest.prefix(8))), 27)
      hash = hash &* Self.prime1 &+ Self.prime4
      rest = rest.dropFirst(8)
    }
    if rest.count >= 4 {
      hash = Self.rotated(hash ^ LittleEndian.number(rest.prefix(4)) &* Self.prime1, 23)
      hash = hash &* Self.prime2 &+ Self.prime3
      rest = rest.dropFirst(4)
    }
    for byte in rest {
      hash = Self.rotated(hash ^ UInt64(byte) &* Self.prime5, 11) &* Self.prime1
    }
    hash = (hash ^ hash &>> 33) &* Self.prime2
    hash = (hash ^ hash &>> 29) &* Self.prime3
    return hash ^ hash &>> 32
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 &- bits)
  }
}
