/// Integers as the bytes of a file, the lowest first.
package enum LittleEndian {
  /// Returns the bytes of an integer.
  package static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
    stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Returns the number of at most 8 bytes.
  package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
  }
}
