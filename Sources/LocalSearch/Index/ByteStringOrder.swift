/// Sorting of many byte strings by number.
enum ByteStringOrder {
  /// Returns `0..<count` in ascending byte order of the strings.
  ///
  /// The first eight bytes are compared as one integer; the strings are read only where those are
  /// equal.
  static func sorted(
    count: Int, _ checkpoint: Checkpoint, string: (Int) -> ArraySlice<UInt8>
  ) throws -> [UInt32] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    for index in 0..<count {
      try checkpoint.count()
      keys.append(Key(head: head(of: string(index)), index: UInt32(truncatingIfNeeded: index)))
    }
    try checkpoint.sort(&keys) { left, right in
      if left.head != right.head { return left.head < right.head }
      let (first, second) = (string(Int(left.index)), string(Int(right.index)))
      try checkpoint.count(bytes: min(first.count, second.count))
      return first.lexicographicallyPrecedes(second)
    }
    return keys.map(\.index)
  }

  private struct Key {
    let head: UInt64
    let index: UInt32
  }

  /// The first eight bytes as a big-endian number, missing bytes 0.
  private static func head(of string: ArraySlice<UInt8>) -> UInt64 {
    var head: UInt64 = 0
    var shift: UInt64 = 56
    for byte in string.prefix(8) {
      head |= UInt64(byte) &<< shift
      shift = shift &- 8
    }
    return head
  }
}
