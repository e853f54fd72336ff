/// A bitmap that also knows the ordinal of each member among the members.
///
/// - Complexity: membership and ordinal are O(1).
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
    var before: [UInt32] = []
    before.reserveCapacity(bitmap.words.count)
    var total: UInt32 = 0
    for word in bitmap.words {
      before.append(total)
      total &+= UInt32(truncatingIfNeeded: word.nonzeroBitCount)
    }
    self.before = before
    cardinality = Int(total)
  }

  /// Returns how many members precede `document`, or `nil` if it is no member.
  @inline(__always)
  package func ordinal(of document: Int) -> Int? {
    let index = document &>> 6
    let word = bitmap.words[index]
    let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: document & 63)
    guard word & bit != 0 else { return nil }
    return Int(before[index]) &+ (word & (bit &- 1)).nonzeroBitCount
  }
}
