/// A match of a unit in a document, as one number: the start, then the distance to its last word.
package struct UnitMatch: Hashable, Comparable, Sendable {
  private let packed: UInt64

  /// Creates a match.
  ///
  /// - Parameters:
  ///   - start: An ``Occurrence`` without its lowest bit, which is field and position.
  ///   - span: The distance to the last word, in positions.
  @inline(__always)
  package init(start: UInt32, span: UInt16) { packed = UInt64(start) << 16 | UInt64(span) }

  /// The occurrence without its lowest bit, which is field and position.
  @inline(__always) package var start: UInt32 { UInt32(truncatingIfNeeded: packed &>> 16) }
  /// The distance to the last word.
  @inline(__always) package var span: UInt16 { UInt16(truncatingIfNeeded: packed) }
  /// The start of the last word.
  @inline(__always) var end: Int { Int(start) &+ Int(span) }

  package static func < (left: UnitMatch, right: UnitMatch) -> Bool { left.packed < right.packed }
}

extension [UnitMatch] {
  /// Sorts the matches, and removes duplicates.
  ///
  /// A text with more words than positions has many words at the last position.
  ///
  /// - Complexity: O(n log n), and O(n) for matches in order.
  package mutating func makeAscending(_ cancellation: CancellationCheck) throws {
    if count < 2 { return }
    var ascending = 1
    while ascending < count, self[ascending - 1] < self[ascending] {
      try cancellation.count(element: ascending)
      ascending += 1
    }
    if ascending == count { return }
    try cancellation.sort(&self)
    var kept = 1
    for index in 1..<count where self[index] != self[kept - 1] {
      self[kept] = self[index]
      kept += 1
    }
    removeSubrange(kept...)
  }
}
