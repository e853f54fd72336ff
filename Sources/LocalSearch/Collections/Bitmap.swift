/// A set of document numbers below a fixed count, one bit each.
///
/// Bits at and past ``count`` are never set. Operations on two bitmaps expect equal counts. A
/// shorter bitmap counts as having unset bits.
package struct Bitmap: Sendable, Hashable {
  /// The number of documents that can be members.
  package let count: Int
  /// The bits, 64 in a word, lowest document first.
  private(set) var words: [UInt64]

  /// Creates an empty or a full set.
  package init(count: Int, filledWith value: Bool = false) {
    self.count = max(0, count)
    words = Array(repeating: value ? .max : 0, count: (self.count + 63) / 64)
    if value { clearTail() }
  }

  /// Creates a set from its bits, or returns `nil` if they do not fit the count.
  init?(words: [UInt64], count: Int) {
    self.init(count: count)
    guard words.count == self.words.count else { return nil }
    self.words = words
    clearTail()
    if self.words != words { return nil }
  }

  /// Whether `document` is a member. Numbers outside `0..<count` never are, and cannot be added.
  package subscript(document: Int) -> Bool {
    @inline(__always) get {
      guard document >= 0, document < count else { return false }
      return words[document &>> 6] &>> UInt64(truncatingIfNeeded: document & 63) & 1 != 0
    }
    @inline(__always) set {
      guard document >= 0, document < count else { return }
      let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: document & 63)
      if newValue { words[document &>> 6] |= bit } else { words[document &>> 6] &= ~bit }
    }
  }

  /// Adds `document`, which must be in `0..<count`.
  @inline(__always)
  package mutating func insert(_ document: Int) {
    words[document &>> 6] |= 1 as UInt64 &<< UInt64(truncatingIfNeeded: document & 63)
  }

  /// The number of members.
  package var cardinality: Int {
    var count = 0
    // A sum that is not checked is calculated for several words at once. Measured: half the time.
    for word in words { count &+= word.nonzeroBitCount }
    return count
  }

  /// Whether there are no members.
  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Adds the members of `other`.
  package mutating func formUnion(_ other: Bitmap) {
    for index in 0..<min(words.count, other.words.count) { words[index] |= other.words[index] }
    if other.count > count { clearTail() }
  }

  /// Keeps only the members of `other`.
  package mutating func formIntersection(_ other: Bitmap) {
    for index in words.indices {
      words[index] &= index < other.words.count ? other.words[index] : 0
    }
  }

  /// Keeps the members of exactly one of both sets, and returns the common members.
  mutating func formSymmetricDifference(returningCommon other: Bitmap) -> Bitmap {
    var common = other
    for index in 0..<min(words.count, other.words.count) {
      common.words[index] = words[index] & other.words[index]
      words[index] ^= other.words[index]
    }
    return common
  }

  /// Removes the members of `other`.
  package mutating func subtract(_ other: Bitmap) {
    for index in 0..<min(words.count, other.words.count) { words[index] &= ~other.words[index] }
  }

  /// Replaces the set by its complement.
  package mutating func invert() {
    for index in words.indices { words[index] = ~words[index] }
    clearTail()
  }

  /// Calls `body` with every member, in ascending order.
  @inline(__always)
  package func forEach(_ body: (Int) throws -> Void) rethrows {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        try body(index &<< 6 | word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// The members in ascending order.
  package var members: [UInt32] {
    var members: [UInt32] = []
    members.reserveCapacity(cardinality)
    forEach { members.append(UInt32(truncatingIfNeeded: $0)) }
    return members
  }

  /// The members in ascending order, without an array of them.
  var elements: BitmapElements { BitmapElements(words: words) }

  private mutating func clearTail() {
    let used = count & 63
    if used != 0, let last = words.indices.last { words[last] &= 1 as UInt64 &<< UInt64(used) &- 1 }
  }
}

/// The members of a bitmap in ascending order.
struct BitmapElements: Sequence, IteratorProtocol {
  private let words: [UInt64]
  private var index = 0
  private var word: UInt64

  fileprivate init(words: [UInt64]) {
    self.words = words
    word = words.first ?? 0
  }

  @inline(__always)
  mutating func next() -> UInt32? {
    while word == 0 {
      index &+= 1
      if index >= words.count { return nil }
      word = words[index]
    }
    let bit = word.trailingZeroBitCount
    word &= word &- 1
    return UInt32(truncatingIfNeeded: index &<< 6 | bit)
  }
}

/// A bitmap that also knows the ordinal of each member.
///
/// - Complexity: O(1) for membership and ordinals.
package struct RankedBitmap: Sendable {
  /// The members.
  package let bitmap: Bitmap
  /// The number of members.
  package let cardinality: Int
  /// The number of members before each word of the bitmap.
  private let before: [UInt32]

  /// Counts the members of `bitmap`.
  package init(_ bitmap: Bitmap) {
    self.bitmap = bitmap
    let words = bitmap.words
    var before = [UInt32](repeating: 0, count: words.count)
    // Counting first, which is done for several words at once, takes two thirds of the time.
    for index in 0..<min(before.count, words.count) {
      before[index] = UInt32(truncatingIfNeeded: words[index].nonzeroBitCount)
    }
    var total: UInt32 = 0
    for index in before.indices {
      let count = before[index]
      before[index] = total
      total &+= count
    }
    self.before = before
    cardinality = Int(total)
  }

  /// Returns the number of members before `document`, or `nil` if it is not a member.
  @inline(__always)
  package func ordinal(of document: Int) -> Int? {
    let index = document &>> 6
    let word = bitmap.words[index]
    let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: document & 63)
    guard word & bit != 0 else { return nil }
    return Int(before[index]) &+ (word & (bit &- 1)).nonzeroBitCount
  }
}

extension Bitmap {
  /// Returns the number of documents in both sets.
  func intersectionCount(with other: Bitmap) -> Int {
    let left = words
    let right = other.words
    var count = 0
    for index in 0..<min(left.count, right.count) {
      count &+= (left[index] & right[index]).nonzeroBitCount
    }
    return count
  }
}
