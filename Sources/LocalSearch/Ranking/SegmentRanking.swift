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
  private let cancellation: CancellationCheck

  /// Prepares the ranking of the matches of segment `number`.
  init(
    _ matches: SegmentMatches, number: Int, wordCount: Int, ranking: Ranking,
    _ cancellation: CancellationCheck
  ) throws {
    self.matches = matches
    self.number = number
    self.wordCount = wordCount
    self.ranking = ranking
    self.cancellation = cancellation
    segment = matches.matcher.view.segment
    criteria = ranking.effectiveCriteria(hasWords: wordCount > 0)
    if wordCount > 0 {
      let costs = try MatchCosts(matches, wordCount: wordCount, cancellation)
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
  mutating func ranked(limit: Int) throws -> [RankedDocument] {
    guard !documents.isEmpty else { return [] }
    if criteria == [.custom], costs == nil,
      let first = try firstInCustomOrder(limit: limit)
    {
      return try cancellation.map(first) {
        try rankedDocument(Int($0), score: MatchScore())
      }
    }
    var candidates = TopCandidates(
      try cancellation.map(documents.indices) { UInt32(truncatingIfNeeded: $0) }, limit: limit)
    for criterion in criteria {
      if candidates.isSettled { break }
      if criterion.needsPositions { try score(candidates.all) }
      try candidates.narrow(
        by: values(criterion, of: candidates.tied), cancellation)
    }
    if !candidates.isSettled {
      try candidates.narrow(by: objectIDOrder(of: candidates.tied), cancellation)
    }
    try score(candidates.all)
    return try sorted(candidates.all, limit: limit)
  }

  /// Sorts documents by all criteria.
  private func sorted(_ ordinals: [UInt32], limit: Int) throws -> [RankedDocument] {
    var columns: [[Int]] = []
    for criterion in criteria {
      let column = try values(criterion, of: ordinals)
      if let first = column.first, column.contains(where: { $0 != first }) {
        columns.append(column)
      }
    }
    columns.append(try objectIDOrder(of: ordinals))
    var order = Array(ordinals.indices)
    try cancellation.sort(&order) { left, right in
      for column in columns where column[left] != column[right] {
        return column[left] < column[right]
      }
      return false
    }
    return try cancellation.map(order.prefix(limit)) { index in
      let ordinal = Int(ordinals[index])
      return try rankedDocument(Int(documents[ordinal]), score: score(of: ordinal))
    }
  }

  /// Returns documents in the custom order of the segment, if that is cheaper than ranking every
  /// match.
  private func firstInCustomOrder(limit: Int) throws -> [UInt32]? {
    let count = documents.count
    let expectedSteps = Double(min(limit, count)) * Double(segment.count) / Double(count)
    guard limit >= count || expectedSteps < Double(count) else { return nil }
    var found: [UInt32] = []
    for (rank, document) in segment.order.byCustomRank.enumerated() {
      try cancellation.count(element: rank)
      guard matches.documents[Int(document)] else { continue }
      found.append(document)
      if found.count >= limit { break }
    }
    return found
  }

  private func rankedDocument(_ document: Int, score: MatchScore) throws -> RankedDocument {
    try RankedDocument(
      segment: number, document: document,
      features: RankingFeatures(
        score: score, filters: ranking.filterScore(segment: number, document: document),
        geoDistance: ranking.geoDistance(segment: number, document: document, cancellation)))
  }

  // MARK: Scores

  /// Scores documents by the textual criteria, unless they are scored already.
  private mutating func score(_ ordinals: [UInt32]) throws {
    guard let costs else { return }
    var areScored = true
    try cancellation.forEach(ordinals) { ordinal in
      guard !isScored[Int(ordinal)] else { return }
      areScored = false
      isScored.insert(Int(ordinal))
    }
    if areScored { return }
    let scorer = MatchScorer(
      matches.matcher, costs: costs, wordCount: wordCount, options: ranking.options)
    var sorted = ordinals
    try cancellation.sort(&sorted, by: <)
    try scorer.score(sorted, into: &columns, cancellation)
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
    _ criterion: RankingCriterion, of ordinals: [UInt32]
  ) throws -> [Int] {
    switch criterion {
    case .typo: return try pick(costs?.typos ?? [], ordinals)
    case .words: return try pick(costs?.words ?? [], ordinals, sign: -1)
    case .proximity: return try pick(columns.proximity, ordinals)
    case .attribute: return try pick(columns.attributeKeys, ordinals)
    case .exact: return try pick(columns.exact, ordinals, sign: -1)
    case .geo:
      return try cancellation.map(ordinals) {
        try ranking.geoDistance(
          segment: number, document: Int(documents[Int($0)]), cancellation) ?? .max
      }
    case .filters:
      return try cancellation.map(ordinals) {
        -ranking.filterScore(segment: number, document: Int(documents[Int($0)]))
      }
    case .custom:
      return try pick(
        segment.order.customRanks, cancellation.map(ordinals) { documents[Int($0)] })
    case .sort(let sort):
      let documents = try cancellation.map(ordinals) { self.documents[Int($0)] }
      return try segment.order.ranks(by: sort).map { try pick($0, documents) }
        ?? ranks(of: documents, by: sort)
    }
  }

  private func objectIDOrder(of ordinals: [UInt32]) throws -> [Int] {
    try cancellation.map(ordinals) {
      Int(segment.records.objectIDOrder(of: Int(documents[Int($0)])))
    }
  }

  private func pick(
    _ column: [some FixedWidthInteger], _ indices: [UInt32], sign: Int = 1
  ) throws -> [Int] {
    try cancellation.map(indices) { sign &* Int(truncatingIfNeeded: column[Int($0)]) }
  }

  /// Ranks documents by an attribute that is not part of the ranking settings.
  private func ranks(of documents: [UInt32], by sort: SortCriterion) throws -> [Int] {
    let column = try segment.attributes.ranking(sort.attribute, cancellation)
    let values = try cancellation.map(documents) { column?[Int($0)] ?? .missing }
    var order = Array(values.indices)
    try cancellation.sort(&order) { sort.precedes(values[$0], values[$1]) ?? ($0 < $1) }
    var ranks = [Int](repeating: 0, count: documents.count)
    var rank = 0
    for (offset, index) in order.enumerated() {
      try cancellation.count(element: offset)
      if offset > 0, sort.precedes(values[order[offset - 1]], values[index]) != nil { rank += 1 }
      ranks[index] = rank
    }
    return ranks
  }
}
