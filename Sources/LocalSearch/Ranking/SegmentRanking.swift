/// Ranks the matches of one segment.
struct SegmentRanking {
  private let matches: SegmentMatches
  private let segment: Segment
  private let number: Int
  private let wordCount: Int
  private let ranking: Ranking
  private let criteria: [RankingCriterion]
  /// The costs of the words in each matching document, or `nil` for a query without words.
  private let costs: MatchCosts?
  /// The matching documents, in ascending order. Candidates are ordinals among them.
  private let documents: [UInt32]
  private var columns: ScoreColumns
  private var isScored: Bitmap

  /// Prepares the ranking of the matches of segment `number`.
  init(
    _ matches: SegmentMatches, number: Int, wordCount: Int, ranking: Ranking,
    _ checkpoint: Checkpoint
  ) throws {
    self.matches = matches
    self.number = number
    self.wordCount = wordCount
    self.ranking = ranking
    segment = matches.matcher.view.segment
    criteria = ranking.effectiveCriteria(hasWords: wordCount > 0)
    if wordCount > 0 {
      let costs = try MatchCosts(matches, wordCount: wordCount, checkpoint)
      self.costs = costs
      documents = costs.selection.members
      columns = ScoreColumns(count: documents.count)
      isScored = Bitmap(count: documents.count)
    } else {
      costs = nil
      documents = matches.documents.members
      columns = ScoreColumns(count: 0)
      isScored = Bitmap(count: 0)
    }
  }

  /// Returns the first `limit` documents, in order.
  mutating func ranked(limit: Int, _ checkpoint: Checkpoint) throws -> [RankedDocument] {
    guard !documents.isEmpty else { return [] }
    if criteria == [.custom], costs == nil,
      let first = try firstInCustomOrder(limit: limit, checkpoint)
    {
      return try checkpoint.map(first) {
        try rankedDocument(Int($0), score: MatchScore(), checkpoint)
      }
    }
    var candidates = TopCandidates(
      try checkpoint.map(documents.indices) { UInt32(truncatingIfNeeded: $0) }, limit: limit)
    for criterion in criteria {
      if candidates.isSettled { break }
      if criterion.needsPositions { try score(candidates.all, checkpoint) }
      try candidates.narrow(
        by: values(criterion, of: candidates.tied, checkpoint), checkpoint)
    }
    if !candidates.isSettled {
      try candidates.narrow(by: objectIDOrder(of: candidates.tied, checkpoint), checkpoint)
    }
    try score(candidates.all, checkpoint)
    return try sorted(candidates.all, limit: limit, checkpoint)
  }

  /// Sorts documents by all criteria.
  private func sorted(
    _ ordinals: [UInt32], limit: Int, _ checkpoint: Checkpoint
  ) throws -> [RankedDocument] {
    var columns: [[Int]] = []
    for criterion in criteria {
      let column = try values(criterion, of: ordinals, checkpoint)
      if let first = column.first, column.contains(where: { $0 != first }) {
        columns.append(column)
      }
    }
    columns.append(try objectIDOrder(of: ordinals, checkpoint))
    var order = Array(ordinals.indices)
    try checkpoint.sort(&order) { left, right in
      for column in columns where column[left] != column[right] {
        return column[left] < column[right]
      }
      return false
    }
    return try checkpoint.map(order.prefix(limit)) { index in
      let ordinal = Int(ordinals[index])
      return try rankedDocument(Int(documents[ordinal]), score: score(of: ordinal), checkpoint)
    }
  }

  /// Returns documents in the custom order of the segment, if that is cheaper than ranking every
  /// match.
  private func firstInCustomOrder(
    limit: Int, _ checkpoint: Checkpoint
  ) throws -> [UInt32]? {
    let count = documents.count
    let expectedSteps = Double(min(limit, count)) * Double(segment.count) / Double(count)
    guard limit >= count || expectedSteps < Double(count) else { return nil }
    var found: [UInt32] = []
    for (rank, document) in segment.order.byCustomRank.enumerated() {
      try checkpoint.count(element: rank)
      guard matches.documents[Int(document)] else { continue }
      found.append(document)
      if found.count >= limit { break }
    }
    return found
  }

  private func rankedDocument(
    _ document: Int, score: MatchScore, _ checkpoint: Checkpoint
  ) throws -> RankedDocument {
    try RankedDocument(
      segment: number, document: document,
      features: RankingFeatures(
        score: score, filters: ranking.filterScore(segment: number, document: document),
        geoDistance: ranking.geoDistance(segment: number, document: document, checkpoint)))
  }

  // MARK: Scores

  /// Scores documents by the textual criteria, unless they are scored already.
  private mutating func score(
    _ ordinals: [UInt32], _ checkpoint: Checkpoint
  ) throws {
    guard let costs else { return }
    var areScored = true
    try checkpoint.forEach(ordinals) { ordinal in
      guard !isScored[Int(ordinal)] else { return }
      areScored = false
      isScored.insert(Int(ordinal))
    }
    if areScored { return }
    let scorer = MatchScorer(
      matches.matcher, costs: costs, wordCount: wordCount, options: ranking.options)
    var sorted = ordinals
    try checkpoint.sort(&sorted, by: <)
    try scorer.score(sorted, into: &columns, checkpoint)
  }

  private func score(of ordinal: Int) -> MatchScore {
    guard let costs else { return MatchScore() }
    return MatchScore(
      typos: Int(costs.typos[ordinal]), words: Int(costs.words[ordinal]),
      proximity: Int(columns.proximity[ordinal]),
      attribute: FieldKeys.attribute(of: columns.attributeKeys[ordinal]),
      position: FieldKeys.position(of: columns.attributeKeys[ordinal]),
      exact: Int(columns.exact[ordinal]))
  }

  // MARK: Values

  /// Returns the values that a criterion compares, as numbers of which smaller ones come first.
  private func values(
    _ criterion: RankingCriterion, of ordinals: [UInt32], _ checkpoint: Checkpoint
  ) throws -> [Int] {
    switch criterion {
    case .typo: return try Self.pick(costs?.typos ?? [], ordinals, checkpoint)
    case .words: return try Self.pick(costs?.words ?? [], ordinals, sign: -1, checkpoint)
    case .proximity: return try Self.pick(columns.proximity, ordinals, checkpoint)
    case .attribute: return try Self.pick(columns.attributeKeys, ordinals, checkpoint)
    case .exact: return try Self.pick(columns.exact, ordinals, sign: -1, checkpoint)
    case .geo:
      return try checkpoint.map(ordinals) {
        try ranking.geoDistance(
          segment: number, document: Int(documents[Int($0)]), checkpoint) ?? .max
      }
    case .filters:
      return try checkpoint.map(ordinals) {
        -ranking.filterScore(segment: number, document: Int(documents[Int($0)]))
      }
    case .custom:
      return try Self.pick(
        segment.order.customRanks, checkpoint.map(ordinals) { documents[Int($0)] }, checkpoint)
    case .sort(let sort):
      let documents = try checkpoint.map(ordinals) { self.documents[Int($0)] }
      return try segment.order.ranks(by: sort).map { try Self.pick($0, documents, checkpoint) }
        ?? ranks(of: documents, by: sort, checkpoint)
    }
  }

  private func objectIDOrder(
    of ordinals: [UInt32], _ checkpoint: Checkpoint
  ) throws -> [Int] {
    try checkpoint.map(ordinals) {
      Int(segment.records.objectIDOrder(of: Int(documents[Int($0)])))
    }
  }

  private static func pick(
    _ column: [some FixedWidthInteger], _ indices: [UInt32], sign: Int = 1,
    _ checkpoint: Checkpoint
  ) throws -> [Int] {
    try checkpoint.map(indices) { sign &* Int(truncatingIfNeeded: column[Int($0)]) }
  }

  /// Ranks documents by an attribute that is not part of the ranking settings.
  private func ranks(
    of documents: [UInt32], by sort: SortCriterion, _ checkpoint: Checkpoint
  ) throws -> [Int] {
    let column = try segment.attributes.ranking(sort.attribute, checkpoint)
    let values = try checkpoint.map(documents) { column?[Int($0)] ?? .missing }
    var order = Array(values.indices)
    try checkpoint.sort(&order) { sort.precedes(values[$0], values[$1]) ?? ($0 < $1) }
    var ranks = [Int](repeating: 0, count: documents.count)
    var rank = 0
    for (offset, index) in order.enumerated() {
      try checkpoint.count(element: offset)
      if offset > 0, sort.precedes(values[order[offset - 1]], values[index]) != nil { rank += 1 }
      ranks[index] = rank
    }
    return ranks
  }
}
