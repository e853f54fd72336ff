/// The values of the textual criteria for a matching document.
package struct MatchScore: Sendable, Hashable {
  /// The typos of all matched words together.
  package var typos = 0
  /// The number of query words matched.
  package var words = 0
  /// The sum of the distances between adjacent query words, or 0 for one word.
  package var proximity = 0
  /// The rank of the best attribute.
  package var attribute = 0
  /// The position of the word in that attribute, or 0 if positions do not count.
  package var position = 0
  /// The number of exact words.
  package var exact = 0
}

/// The expensive part of the scores of a segment's matching documents, by their ordinals.
struct ScoreColumns: Sendable {
  /// The sums of the word distances.
  var proximity: [Int32]
  /// The keys of the best attribute and position. See ``FieldKeys``.
  var attributeKeys: [UInt32]
  /// The numbers of exact words.
  var exact: [UInt16]

  /// Creates columns for `count` documents.
  init(count: Int) {
    proximity = Array(repeating: 0, count: count)
    attributeKeys = Array(repeating: 0, count: count)
    exact = Array(repeating: 0, count: count)
  }
}

/// Orders occurrences by attribute rank, then by position if positions count.
struct FieldKeys: Sendable {
  private let bases: [UInt32]
  private let masks: [UInt32]
  /// The greatest rank. Later ones count as this one.
  private static let maximumRank = 4095

  /// Prepares the keys for the fields of a segment.
  init(_ fields: [IndexedField]) {
    bases = fields.map { UInt32(min($0.role.rank, Self.maximumRank)) << 20 }
    masks = fields.map { $0.role.isOrdered ? 0xF_FFFF : 0 }
  }

  /// Returns the key of an occurrence. Smaller keys are better.
  @inline(__always)
  func key(of occurrence: Occurrence) -> UInt32 {
    let field = occurrence.field
    return bases[field] | (UInt32(truncatingIfNeeded: occurrence.position) & masks[field])
  }

  /// Returns the attribute rank of a key.
  static func attribute(of key: UInt32) -> Int { Int(key >> 20) }

  /// Returns the position of a key.
  static func position(of key: UInt32) -> Int { Int(key & 0xF_FFFF) }
}

/// Scores documents of one segment by the textual criteria.
///
/// The scores use only the occurrences by which a document matches at its least cost in typos.
struct MatchScorer {
  private let matcher: SegmentMatcher
  private let costs: MatchCosts
  private let options: RankingOptions
  private let keys: FieldKeys
  private let wordCount: Int

  /// Creates a scorer for the matches of a query with `wordCount` words.
  init(
    _ matcher: SegmentMatcher, costs: MatchCosts, wordCount: Int, options: RankingOptions
  ) {
    self.matcher = matcher
    self.costs = costs
    self.options = options
    self.wordCount = wordCount
    keys = FieldKeys(matcher.view.segment.text.fields)
  }

  /// Scores some of the matching documents.
  ///
  /// - Parameters:
  ///   - ordinals: The ordinals of the documents among all that match, in ascending order, or `nil`
  ///     for all.
  ///   - columns: Receives the scores.
  func score(
    _ ordinals: [UInt32]?, into columns: inout ScoreColumns, _ cancellation: CancellationCheck
  ) throws {
    let part =
      ordinals.map { SelectionPart($0, of: costs.selection) } ?? SelectionPart(costs.selection)
    if wordCount == 1, matcher.units.count == 1 {
      try scoreSingleWord(part, &columns, cancellation)
    } else {
      try scoreSeveralWords(part, &columns, cancellation)
    }
    try countExact(part, &columns, cancellation)
  }

  /// Scores a query of one word, which has no distances, without storing occurrences.
  private func scoreSingleWord(
    _ part: SelectionPart, _ columns: inout ScoreColumns, _ cancellation: CancellationCheck
  ) throws {
    var best = [UInt32](repeating: .max, count: part.count)
    for source in matcher.expansions[matcher.units[0].expansion].sources {
      let cost = UInt8(truncatingIfNeeded: source.typos)
      try source.forEachPosting(in: part.selection, cancellation) { index, encoded in
        guard costs.cost(unit: 0, ordinal: part.ordinal(index)) == cost else { return }
        try source.forEachOccurrence(in: encoded, cancellation) { occurrence in
          best[index] = min(best[index], keys.key(of: occurrence))
        }
      }
    }
    for index in best.indices where best[index] != .max {
      columns.attributeKeys[part.ordinal(index)] = best[index]
    }
  }

  private func scoreSeveralWords(
    _ part: SelectionPart, _ columns: inout ScoreColumns, _ cancellation: CancellationCheck
  ) throws {
    let positions = try MatchPositionTable(costs, part, keys: keys, cancellation)
    let units = matcher.units
    var cover = WordCover(wordCount: wordCount, units: units)
    var chain = ProximityChain(positions, options: options)
    for index in 0..<part.count {
      let ordinal = part.ordinal(index)
      try costs.cover(of: ordinal, into: &cover, cancellation)
      chain.removeAll()
      for unit in cover.units {
        try chain.addUnit(
          words: units[unit].words,
          positions: positions.positions(expansion: units[unit].expansion, index: index),
          cancellation
        )
      }
      let (proximity, key) = chain.result
      columns.proximity[ordinal] = Int32(truncatingIfNeeded: proximity)
      columns.attributeKeys[ordinal] = key
    }
  }

  /// Counts the exact words of each document.
  private func countExact(
    _ part: SelectionPart, _ columns: inout ScoreColumns, _ cancellation: CancellationCheck
  ) throws {
    guard wordCount == 1 else {
      for exact in matcher.exactSources {
        let count = UInt16(truncatingIfNeeded: exact.wordCount)
        try exact.source.forEachPosting(in: part.selection, cancellation) { index, _ in
          columns.exact[part.ordinal(index)] &+= count
        }
      }
      return
    }
    guard let source = matcher.exactSources.first?.source, options.singleWordExactness != .none,
      options.singleWordExactness == .attribute || matcher.isSingleWordLongEnough
    else { return }
    let needsWholeValue = options.singleWordExactness == .attribute
    try source.forEachPosting(in: part.selection, cancellation) { index, encoded in
      var isExact = !needsWholeValue
      if needsWholeValue {
        try source.forEachOccurrence(in: encoded, cancellation) {
          if $0.isWholeValue { isExact = true }
        }
      }
      if isExact { columns.exact[part.ordinal(index)] = 1 }
    }
  }
}
