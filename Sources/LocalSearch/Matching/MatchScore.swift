/// What the textual criteria know of a matching document.
package struct MatchScore: Sendable, Hashable {
  /// The typos of all matched words together.
  package var typos = 0
  /// The number of query words matched.
  package var words = 0
  /// The sum of the distances between neighbouring query words; 0 for one word.
  package var proximity = 0
  /// The rank of the best attribute.
  package var attribute = 0
  /// The position of the word in that attribute; 0 where positions do not count.
  package var position = 0
  /// The number of exact words.
  package var exact = 0
}

/// The costly part of the scores of the matching documents of a segment, by their ordinals.
struct ScoreColumns: Sendable {
  /// The sums of the word distances.
  var proximity: [Int32]
  /// The best attribute and position, as ``FieldKeys`` orders them.
  var place: [UInt32]
  /// The numbers of exact words.
  var exact: [UInt16]

  /// Creates columns for `count` documents.
  init(count: Int) {
    proximity = Array(repeating: 0, count: count)
    place = Array(repeating: 0, count: count)
    exact = Array(repeating: 0, count: count)
  }
}

/// Orders occurrences by attribute rank, then by position where positions count.
struct FieldKeys: Sendable {
  private let bases: [UInt32]
  private let masks: [UInt32]
  /// The greatest rank; later ones count as this one.
  private static let maximumRank = 4095

  /// Prepares the keys for the fields of a segment.
  init(_ fields: [TextField]) {
    bases = fields.map { UInt32(min($0.role.rank, Self.maximumRank)) << 20 }
    masks = fields.map { $0.role.isOrdered ? 0xF_FFFF : 0 }
  }

  /// The key of an occurrence; smaller is better.
  @inline(__always)
  func key(of occurrence: Occurrence) -> UInt32 {
    let field = occurrence.field
    return bases[field] | (UInt32(truncatingIfNeeded: occurrence.position) & masks[field])
  }

  /// The attribute rank of a key.
  static func attribute(of key: UInt32) -> Int { Int(key >> 20) }

  /// The position of a key.
  static func position(of key: UInt32) -> Int { Int(key & 0xF_FFFF) }
}
