/// The orders of a segment's documents that do not depend on a query, calculated once.
///
/// Attribute values become dense ranks. Equal values have equal ranks, and smaller ranks come
/// first. So comparing documents of a segment is comparing integers.
struct SegmentOrder: Sendable {
  /// The rank of every document by all of `customRanking`.
  let customRanks: [UInt32]
  /// The documents by custom rank, then by object ID.
  let byCustomRank: [UInt32]
  /// The ranks of the documents by the `asc` and `desc` entries of the `ranking` setting.
  let ranks: [SortCriterion: [UInt32]]

  /// Creates orders that are known.
  init(customRanks: [UInt32], byCustomRank: [UInt32], ranks: [SortCriterion: [UInt32]]) {
    self.customRanks = customRanks
    self.byCustomRank = byCustomRank
    self.ranks = ranks
  }

  /// Returns the ranks of all documents by `criterion`, if the settings name it.
  func ranks(by criterion: SortCriterion) -> [UInt32]? { ranks[criterion] }

  /// Calculates the orders.
  ///
  /// - Parameters:
  ///   - custom: The criteria of `customRanking`.
  ///   - sorting: The `asc` and `desc` criteria of `ranking`.
  ///   - objectIDOrder: Returns the rank of a document's object ID.
  ///   - value: Returns the value of an attribute in a document.
  init(
    count: Int, custom: [SortCriterion], sorting: [SortCriterion],
    objectIDOrder: (Int) -> UInt32, value: (String, Int) throws -> RankingValue,
    _ cancellation: CancellationCheck
  ) throws {
    var ranks: [SortCriterion: [UInt32]] = [:]
    for criterion in sorting where ranks[criterion] == nil {
      ranks[criterion] = try Self.denseRanks(
        count: count, by: criterion, value: value, cancellation)
    }
    let columns = try custom.map { criterion in
      try ranks[criterion]
        ?? Self.denseRanks(count: count, by: criterion, value: value, cancellation)
    }
    self.ranks = ranks
    var keys: [UInt64] = try cancellation.map(0..<count) { document in
      UInt64(objectIDOrder(document)) << 32 | UInt64(UInt32(truncatingIfNeeded: document))
    }
    try cancellation.sort(&keys, by: <)
    var byCustomRank = try cancellation.map(keys) { UInt32(truncatingIfNeeded: $0) }
    // The least significant criterion comes first. Each pass is stable, because the old rank breaks
    // ties.
    for column in columns.reversed() {
      keys = try cancellation.map(byCustomRank.indices) { index in
        UInt64(column[Int(byCustomRank[index])]) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
      }
      try cancellation.sort(&keys, by: <)
      byCustomRank = try cancellation.map(keys) {
        byCustomRank[Int(UInt32(truncatingIfNeeded: $0))]
      }
    }
    var customRanks = [UInt32](repeating: 0, count: count)
    var rank: UInt32 = 0
    var previous: Int?
    for document in byCustomRank {
      try cancellation.count()
      let document = Int(document)
      if let previous, columns.contains(where: { $0[previous] != $0[document] }) { rank += 1 }
      customRanks[document] = rank
      previous = document
    }
    self.byCustomRank = byCustomRank
    self.customRanks = customRanks
  }

  /// Returns the rank of every document by one criterion.
  private static func denseRanks(
    count: Int, by criterion: SortCriterion, value: (String, Int) throws -> RankingValue,
    _ cancellation: CancellationCheck
  ) throws -> [UInt32] {
    var values: [RankingValue] = []
    values.reserveCapacity(count)
    for document in 0..<count {
      try cancellation.count()
      values.append(try value(criterion.attribute, document))
    }
    var order = try cancellation.map(0..<count) { UInt32(truncatingIfNeeded: $0) }
    try cancellation.sort(&order) {
      criterion.precedes(values[Int($0)], values[Int($1)]) ?? ($0 < $1)
    }
    var ranks = [UInt32](repeating: 0, count: count)
    var rank: UInt32 = 0
    var previous: Int?
    for document in order {
      try cancellation.count()
      let document = Int(document)
      if let previous, criterion.precedes(values[previous], values[document]) != nil { rank += 1 }
      ranks[document] = rank
      previous = document
    }
    return ranks
  }
}
