/// Orders occurrences by attribute rank, then by position if positions count.
struct FieldKeys: Sendable {
  private let bases: [UInt32]
  private let masks: [UInt32]
  /// The greatest rank. Later ones count as this one.
  private static let maximumRank = 4095
  /// Whether the first of some occurrences in a document has the lowest key. Fields of equal rank
  /// in which positions count can have a lower one later.
  let areAscending: Bool

  /// Prepares the keys for the fields of a segment.
  init(_ fields: [IndexedField]) {
    bases = fields.map { UInt32(min($0.role.rank, Self.maximumRank)) << 20 }
    masks = fields.map { $0.role.isOrdered ? 0xF_FFFF : 0 }
    let pairs = zip(zip(bases, masks), bases.dropFirst())
    areAscending = pairs.allSatisfy { first, next in
      first.0 < next || first.0 == next && first.1 == 0
    }
  }

  /// Returns the key of an occurrence. Smaller keys are better.
  @inline(__always)
  func key(of occurrence: Occurrence) -> UInt32 {
    let field = occurrence.field
    return bases[field] | (UInt32(truncatingIfNeeded: occurrence.position) & masks[field])
  }

  /// Returns the lowest key of the occurrences of a posting.
  @inline(__always)
  func lowestKey(in encoded: UInt32, of lists: PostingLists) -> UInt32 {
    if areAscending || encoded & PostingLists.overflowFlag == 0 {
      return key(of: lists.firstOccurrence(in: encoded))
    }
    var lowest = UInt32.max
    lists.forEachOccurrence(in: encoded) { lowest = min(lowest, key(of: $0)) }
    return lowest
  }

  /// Returns the lowest key of the attributes of a rank.
  static func first(ofRank rank: Int) -> Int { min(rank, maximumRank) << 20 }

  /// Returns the attribute rank of a key.
  static func attribute(of key: UInt32) -> Int { Int(key >> 20) }

  /// Returns the position of a key.
  static func position(of key: UInt32) -> Int { Int(key & 0xF_FFFF) }
}
