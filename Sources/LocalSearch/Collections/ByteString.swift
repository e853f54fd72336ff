/// Text that compares by its bytes.
///
/// `String` treats both Unicode forms of `é` as equal. Object IDs compare by their bytes
/// everywhere, so collections of IDs use this as their key.
struct ByteString: Sendable, Hashable {
  /// The text in UTF-8.
  let bytes: [UInt8]

  /// Creates the bytes of a text.
  init(_ text: String) { bytes = Array(text.utf8) }
}

/// Sorts many byte strings by number.
enum ByteStringOrder {
  /// Returns `0..<count` in ascending byte order of the strings. Equal strings keep their order.
  ///
  /// The first eight bytes are compared as one integer. The strings are read only if these are
  /// equal.
  static func sorted(
    count: Int, _ cancellation: CancellationCheck, string: (Int) -> ArraySlice<UInt8>
  ) throws -> [UInt32] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    for index in 0..<count {
      try cancellation.count()
      keys.append(Key(head: head(of: string(index)), index: UInt32(truncatingIfNeeded: index)))
    }
    try cancellation.sort(&keys) { left, right in
      if left.head != right.head { return left.head < right.head }
      let (first, second) = (string(Int(left.index)), string(Int(right.index)))
      try cancellation.count(bytes: min(first.count, second.count))
      var (one, other) = (first.startIndex, second.startIndex)
      while one < first.endIndex, other < second.endIndex {
        if first[one] != second[other] { return first[one] < second[other] }
        one += 1
        other += 1
      }
      return first.count == second.count ? left.index < right.index : first.count < second.count
    }
    return keys.map(\.index)
  }

  private struct Key {
    let head: UInt64
    let index: UInt32
  }

  /// The first eight bytes as a big-endian number. Missing bytes are 0.
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

/// Numbers distinct byte strings in the order of their first occurrence.
///
/// An open-addressing hash table over one flat byte array. The hash is seeded per process, so that
/// crafted input cannot cause collisions. Only the speed depends on it.
struct TermTable: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var offsets: [Int] = [0]
  /// The term number plus 1, or 0 for a free slot. The count is a power of two.
  private var slots: [UInt32] = Array(repeating: 0, count: 1024)
  private var hashes: [UInt32] = []
  /// The number of bytes of a long string that are read between two checks. A power of two.
  private static let pieceLength = 1 << 16
  private static let seed = UInt64.random(in: .min ... .max)

  /// The number of distinct strings.
  var count: Int { offsets.count - 1 }

  /// Returns the bytes of a term.
  func bytes(of term: Int) -> ArraySlice<UInt8> { bytes[offsets[term]..<offsets[term + 1]] }

  /// Returns the number of the string `source[range]`, a new one for a new string.
  mutating func intern(
    _ source: [UInt8], _ range: Range<Int>, _ cancellation: CancellationCheck
  ) throws -> Int {
    var state = Self.seed
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + Self.pieceLength, range.upperBound)
      for index in start..<end {
        state = (state ^ UInt64(source[index])) &* 0x0000_0100_0000_01B3
      }
      if end < range.upperBound { try cancellation.count(bytes: end - start) }
      start = end
    }
    state ^= state &>> 32
    let hash = UInt32(truncatingIfNeeded: state &* 0x9E37_79B9_7F4A_7C15 &>> 32)
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let term = Int(slots[slot]) - 1
      if hashes[term] == hash, try equals(term, source, range, cancellation) { return term }
      slot = (slot + 1) & mask
    }
    let term = count
    bytes.append(contentsOf: source[range])
    offsets.append(bytes.count)
    hashes.append(hash)
    slots[slot] = UInt32(truncatingIfNeeded: term + 1)
    if count * 2 > slots.count { try grow(cancellation) }
    return term
  }

  private func equals(
    _ term: Int, _ source: [UInt8], _ range: Range<Int>, _ cancellation: CancellationCheck
  ) throws -> Bool {
    let start = offsets[term]
    guard offsets[term + 1] - start == range.count else { return false }
    var first = 0
    while first < range.count {
      let end = min(first + Self.pieceLength, range.count)
      for offset in first..<end
      where bytes[start + offset] != source[range.lowerBound + offset] {
        return false
      }
      if end < range.count { try cancellation.count(bytes: end - first) }
      first = end
    }
    return true
  }

  private mutating func grow(_ cancellation: CancellationCheck) throws {
    let mask = slots.count * 2 - 1
    slots = Array(repeating: 0, count: mask + 1)
    for (term, hash) in hashes.enumerated() {
      try cancellation.count(element: term)
      var slot = Int(hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: term + 1)
    }
  }
}

extension RandomAccessCollection {
  /// Returns the first index whose element does not match the predicate. All elements that match
  /// must come first.
  func partitionPoint(_ isBefore: (Element) throws -> Bool) rethrows -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if try isBefore(self[middle]) {
        low = index(after: middle)
        length -= half + 1
      } else {
        length = half
      }
    }
    return low
  }
}
