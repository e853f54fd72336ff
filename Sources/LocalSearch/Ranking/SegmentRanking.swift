/// Ranks the matches of one segment.
struct SegmentRanking {
  private let matches: SegmentMatches
  private let number: Int
  private let wordCount: Int
  private let ranking: Ranking
  private let criteria: [RankingCriterion]
  private let costs: MatchCosts?
  /// The documents scored so far, and their scores by ordinal.
  private var scored: (bitmap: RankedBitmap, scores: [MatchScore])?

  /// Prepares the ranking of the matches of segment `number`.
  init(
    _ matches: SegmentMatches, number: Int, wordCount: Int, ranking: Ranking,
    checkCancellation: () throws -> Void
  ) throws {
    self.matches = matches
    self.number = number
    self.wordCount = wordCount
    self.ranking = ranking
    criteria = ranking.effectiveCriteria(hasWords: wordCount > 0)
    costs =
      wordCount > 0
      ? try MatchCosts(matches, wordCount: wordCount, checkCancellation: checkCancellation) : nil
  }

  private var segment: Segment { matches.matcher.view.segment }

  /// Returns the first `limit` documents in order.
  mutating func ranked(limit: Int, _ checkCancellation: () throws -> Void) throws
    -> [RankedDocument]
  {
    let count = matches.documents.cardinality
    guard count > 0 else { return [] }
    if criteria == [.custom], let documents = firstInCustomOrder(limit: limit, matchCount: count) {
      return try documents.map { try rankedDocument($0, checkCancellation) }
    }
    var candidates = FirstCandidates(matches.documents.members, limit: limit)
    for criterion in criteria {
      if candidates.isSettled { break }
      try checkCancellation()
      if criterion.needsPlaces { try score(candidates.all, checkCancellation) }
      try candidates.narrow(by: values(criterion, of: candidates.undecided, checkCancellation))
    }
    if !candidates.isSettled {
      candidates.narrow(
        by: candidates.undecided.map { Int(segment.records.objectIDOrder(of: Int($0))) })
    }
    return try sorted(candidates.all, limit: limit, checkCancellation)
  }

  /// Sorts documents by all criteria.
  private mutating func sorted(
    _ documents: [UInt32], limit: Int, _ checkCancellation: () throws -> Void
  ) throws -> [RankedDocument] {
    try score(documents, checkCancellation)
    var columns: [[Int]] = []
    for criterion in criteria {
      let column = try values(criterion, of: documents, checkCancellation)
      if let first = column.first, column.contains(where: { $0 != first }) {
        columns.append(column)
      }
    }
    columns.append(documents.map { Int(segment.records.objectIDOrder(of: Int($0))) })
    var order = Array(documents.indices)
    order.sort { left, right in
      for column in columns where column[left] != column[right] {
        return column[left] < column[right]
      }
      return false
    }
    var ranked: [RankedDocument] = []
    ranked.reserveCapacity(min(limit, order.count))
    for index in order.prefix(limit) {
      ranked.append(try rankedDocument(documents[index], checkCancellation))
    }
    return ranked
  }

  /// Takes documents in the order worked out with the segment, if that is cheaper than looking at every match.
  private func firstInCustomOrder(limit: Int, matchCount: Int) -> [UInt32]? {
    let expectedSteps = Double(min(limit, matchCount)) * Double(segment.count) / Double(matchCount)
    guard limit >= matchCount || expectedSteps < Double(matchCount) else { return nil }
    var found: [UInt32] = []
    for document in segment.order.byCustomRank where matches.documents[Int(document)] {
      found.append(document)
      if found.count >= limit { break }
    }
    return found
  }

  private mutating func rankedDocument(
    _ document: UInt32, _ checkCancellation: () throws -> Void
  ) throws -> RankedDocument {
    let document = Int(document)
    return RankedDocument(
      segment: number, document: document,
      features: RankingFeatures(
        score: score(of: document),
        filters: ranking.filterScore(segment: number, document: document),
        geoDistance: ranking.geoDistance(segment: number, document: document)))
  }

  // MARK: Scores

  /// Scores documents by the textual criteria, unless that is done.
  private mutating func score(
    _ documents: [UInt32], _ checkCancellation: () throws -> Void
  ) throws {
    guard let costs else { return }
    if let scored, documents.allSatisfy({ scored.bitmap.bitmap[Int($0)] }) { return }
    var bitmap = Bitmap(count: segment.count)
    for document in documents { bitmap.insert(Int(document)) }
    let selection = Selection(bitmap)
    let scorer = MatchScorer(matches.matcher, wordCount: wordCount, options: ranking.options)
    let scores = try scorer.scores(
      of: selection, costs: costs, checkCancellation: checkCancellation)
    scored = (selection.bitmap, scores)
  }

  private func score(of document: Int) -> MatchScore {
    guard let scored, let ordinal = scored.bitmap.ordinal(of: document) else { return MatchScore() }
    return scored.scores[ordinal]
  }

  // MARK: Values

  /// Returns what a criterion compares, as numbers of which smaller ones come first.
  private func values(
    _ criterion: RankingCriterion, of documents: [UInt32], _ checkCancellation: () throws -> Void
  ) throws -> [Int] {
    switch criterion {
    case .typo: documents.map { costs?.typos(of: Int($0)) ?? 0 }
    case .words: documents.map { -(costs?.words(of: Int($0)) ?? 0) }
    case .geo:
      documents.map { ranking.geoDistance(segment: number, document: Int($0)) ?? .max }
    case .filters:
      documents.map { -ranking.filterScore(segment: number, document: Int($0)) }
    case .proximity: documents.map { score(of: Int($0)).proximity }
    case .attribute:
      documents.map { document in
        let score = score(of: Int(document))
        return score.attribute << 20 | score.position
      }
    case .exact: documents.map { -score(of: Int($0)).exact }
    case .custom: documents.map { Int(segment.order.customRanks[Int($0)]) }
    case .sort(let sort):
      if let ranks = segment.order.ranks(by: sort) {
        documents.map { Int(ranks[Int($0)]) }
      } else {
        ranks(of: documents, by: sort)
      }
    }
  }

  /// Ranks documents by an attribute that the settings do not rank by.
  private func ranks(of documents: [UInt32], by sort: SortCriterion) -> [Int] {
    let values = documents.map {
      segment.attributes.rankingValue(of: sort.attribute, document: Int($0))
    }
    let order = values.indices.sorted { sort.precedes(values[$0], values[$1]) ?? ($0 < $1) }
    var ranks = [Int](repeating: 0, count: documents.count)
    var rank = 0
    for (place, index) in order.enumerated() {
      if place > 0, sort.precedes(values[order[place - 1]], values[index]) != nil { rank += 1 }
      ranks[index] = rank
    }
    return ranks
  }
}

extension MatchCosts {
  /// The typos of a matching document.
  fileprivate func typos(of document: Int) -> Int {
    selection.bitmap.ordinal(of: document).map { Int(typos[$0]) } ?? 0
  }

  /// The number of query words a matching document matches.
  fileprivate func words(of document: Int) -> Int {
    selection.bitmap.ordinal(of: document).map { Int(words[$0]) } ?? 0
  }
}
