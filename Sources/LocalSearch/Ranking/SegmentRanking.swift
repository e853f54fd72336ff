/// Ranks the matches of one segment.
struct SegmentRanking {
  private let matches: SegmentMatches
  private let segment: Segment
  private let number: Int
  private let wordCount: Int
  private let ranking: Ranking
  private let criteria: [RankingCriterion]
  /// What the words cost in each matching document; `nil` for a query without words.
  private let costs: MatchCosts?
  /// The matching documents, ascending; candidates are ordinals among them.
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

  /// Returns the first `limit` documents in order.
  mutating func ranked(limit: Int, _ checkpoint: Checkpoint) throws -> [RankedDocument] {
    guard !documents.isEmpty else { return [] }
    if criteria == [.custom], costs == nil, let first = firstInCustomOrder(limit: limit) {
      return first.map { rankedDocument(Int($0), score: MatchScore()) }
    }
    var candidates = FirstCandidates(
      documents.indices.map { UInt32(truncatingIfNeeded: $0) }, limit: limit)
    for criterion in criteria {
      if candidates.isSettled { break }
      try checkpoint.count(1 + candidates.undecided.count &>> 2)
      if criterion.needsPlaces { try score(candidates.all, checkpoint) }
      candidates.narrow(by: try values(criterion, of: candidates.undecided, checkpoint))
    }
    if !candidates.isSettled { candidates.narrow(by: objectIDOrder(of: candidates.undecided)) }
    try score(candidates.all, checkpoint)
    return try sorted(candidates.all, limit: limit, checkpoint)
  }

  /// Sorts documents by all criteria.
  private func sorted(
    _ ordinals: [UInt32], limit: Int, _ checkpoint: Checkpoint
  ) throws -> [RankedDocument] {
    var columns: [[Int]] = []
    for criterion in criteria {
      try checkpoint.count(1 + ordinals.count &>> 2)
      let column = try values(criterion, of: ordinals, checkpoint)
      if let first = column.first, column.contains(where: { $0 != first }) {
        columns.append(column)
      }
    }
    columns.append(objectIDOrder(of: ordinals))
    var order = Array(ordinals.indices)
    try checkpoint.sort(&order) { left, right in
      for column in columns where column[left] != column[right] {
        return column[left] < column[right]
      }
      return false
    }
    return order.prefix(limit).map { index in
      let ordinal = Int(ordinals[index])
      return rankedDocument(Int(documents[ordinal]), score: score(of: ordinal))
    }
  }

  /// Takes documents in the order worked out with the segment, if that is cheaper than looking at
  /// every match.
  private func firstInCustomOrder(limit: Int) -> [UInt32]? {
    let count = documents.count
    let expectedSteps = Double(min(limit, count)) * Double(segment.count) / Double(count)
    guard limit >= count || expectedSteps < Double(count) else { return nil }
    var found: [UInt32] = []
    for document in segment.order.byCustomRank where matches.documents[Int(document)] {
      found.append(document)
      if found.count >= limit { break }
    }
    return found
  }

  private func rankedDocument(_ document: Int, score: MatchScore) -> RankedDocument {
    RankedDocument(
      segment: number, document: document,
      features: RankingFeatures(
        score: score, filters: ranking.filterScore(segment: number, document: document),
        geoDistance: ranking.geoDistance(segment: number, document: document)))
  }

  // MARK: Scores

  /// Scores documents by the textual criteria, unless that is done.
  private mutating func score(
    _ ordinals: [UInt32], _ checkpoint: Checkpoint
  ) throws {
    guard let costs else { return }
    if ordinals.allSatisfy({ isScored[Int($0)] }) { return }
    for ordinal in ordinals { isScored.insert(Int(ordinal)) }
    let scorer = MatchScorer(
      matches.matcher, costs: costs, wordCount: wordCount, options: ranking.options)
    try scorer.score(ordinals.sorted(), into: &columns, checkpoint)
  }

  private func score(of ordinal: Int) -> MatchScore {
    guard let costs else { return MatchScore() }
    return MatchScore(
      typos: Int(costs.typos[ordinal]), words: Int(costs.words[ordinal]),
      proximity: Int(columns.proximity[ordinal]),
      attribute: FieldKeys.attribute(of: columns.place[ordinal]),
      position: FieldKeys.position(of: columns.place[ordinal]), exact: Int(columns.exact[ordinal]))
  }

  // MARK: Values

  /// Returns what a criterion compares, as numbers of which smaller ones come first.
  private func values(
    _ criterion: RankingCriterion, of ordinals: [UInt32], _ checkpoint: Checkpoint
  ) throws -> [Int] {
    switch criterion {
    case .typo: return Self.pick(costs?.typos ?? [], ordinals)
    case .words: return Self.pick(costs?.words ?? [], ordinals).map { -$0 }
    case .proximity: return Self.pick(columns.proximity, ordinals)
    case .attribute: return Self.pick(columns.place, ordinals)
    case .exact: return Self.pick(columns.exact, ordinals).map { -$0 }
    case .geo:
      return ordinals.map {
        ranking.geoDistance(segment: number, document: Int(documents[Int($0)])) ?? .max
      }
    case .filters:
      return ordinals.map {
        -ranking.filterScore(segment: number, document: Int(documents[Int($0)]))
      }
    case .custom:
      return Self.pick(segment.order.customRanks, ordinals.map { documents[Int($0)] })
    case .sort(let sort):
      let documents = ordinals.map { self.documents[Int($0)] }
      return try segment.order.ranks(by: sort).map { Self.pick($0, documents) }
        ?? ranks(of: documents, by: sort, checkpoint)
    }
  }

  private func objectIDOrder(of ordinals: [UInt32]) -> [Int] {
    ordinals.map { Int(segment.records.objectIDOrder(of: Int(documents[Int($0)]))) }
  }

  private static func pick(_ column: [some FixedWidthInteger], _ indices: [UInt32]) -> [Int] {
    indices.map { Int(truncatingIfNeeded: column[Int($0)]) }
  }

  /// Ranks documents by an attribute that the settings do not rank by.
  private func ranks(
    of documents: [UInt32], by sort: SortCriterion, _ checkpoint: Checkpoint
  ) throws -> [Int] {
    let values = try documents.map {
      try checkpoint.count()
      return segment.attributes.rankingValue(of: sort.attribute, document: Int($0))
    }
    var order = Array(values.indices)
    try checkpoint.sort(&order) { sort.precedes(values[$0], values[$1]) ?? ($0 < $1) }
    var ranks = [Int](repeating: 0, count: documents.count)
    var rank = 0
    for (place, index) in order.enumerated() {
      if place > 0, sort.precedes(values[order[place - 1]], values[index]) != nil { rank += 1 }
      ranks[index] = rank
    }
    return ranks
  }
}
