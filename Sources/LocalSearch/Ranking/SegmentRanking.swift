/// Ranks the matches of one segment.
///
/// Documents are split into groups by the first criteria as long as these count typos or words,
/// which is cheap for all documents at once. Only groups that reach into the requested ranks are
/// looked at further, in one pass: the values of a document are calculated one criterion after the
/// other, until one is behind that of the last of the best documents so far.
struct SegmentRanking {
  private let matches: SegmentMatches
  private let segment: Segment
  private let number: Int
  private let wordCount: Int
  private let ranking: Ranking
  private let criteria: [RankingCriterion]
  /// The typos and words of the matches, or `nil` for a query without words.
  private let levels: MatchLevels?
  private let cancellation: CancellationCheck

  /// The number of documents that are not worth splitting.
  private static let smallGroup = 64

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
    levels =
      wordCount > 0 && !matches.documents.isEmpty
      ? try MatchLevels(matches, wordCount: wordCount, cancellation) : nil
  }

  /// Returns the first `limit` documents, in order.
  func ranked(limit: Int) throws -> [RankedDocument] {
    var result: [RankedDocument] = []
    try append(matches.documents, by: criteria[...], to: &result, limit: limit)
    return result
  }

  /// Appends documents in the order of some criteria, until there are `limit`.
  private func append(
    _ documents: Bitmap, by criteria: ArraySlice<RankingCriterion>,
    to result: inout [RankedDocument], limit: Int
  ) throws {
    try cancellation.count(1 + documents.count &>> 8)
    let count = documents.cardinality
    if count == 0 { return }
    let room = limit - result.count
    if let levels, count > max(Self.smallGroup, room), let first = criteria.first,
      first == .typo || first == .words
    {
      return try appendGroups(
        of: documents, by: first == .typo ? levels.typos : levels.words, criteria, to: &result,
        limit: limit)
    }
    if criteria.elementsEqual([.custom]), levels == nil,
      let first = try firstInCustomOrder(of: documents, count: count, limit: room)
    {
      return try cancellation.forEach(first) {
        result.append(try rankedDocument(Int($0), MatchScore()))
      }
    }
    try appendInOnePass(documents, by: Array(criteria), to: &result, limit: min(room, count))
  }

  /// Appends the groups of documents with equal typos or words. Those that are needed as a whole
  /// are ranked together.
  private func appendGroups(
    of documents: Bitmap, by numbers: BitCounts, _ criteria: ArraySlice<RankingCriterion>,
    to result: inout [RankedDocument], limit: Int
  ) throws {
    var joined = Bitmap(count: documents.count)
    var joinedCount = 0
    var rest: Bitmap?
    try numbers.forEachGroup(
      of: documents, descending: criteria.first == .words, cancellation
    ) { _, group in
      let count = group.cardinality
      if result.count + joinedCount + count > limit {
        rest = group
        return false
      }
      joined.formUnion(group)
      joinedCount += count
      return result.count + joinedCount < limit
    }
    if joinedCount > 0 {
      try appendInOnePass(joined, by: Array(criteria), to: &result, limit: joinedCount)
    }
    if let rest { try append(rest, by: criteria.dropFirst(), to: &result, limit: limit) }
  }

  // MARK: One pass

  private func appendInOnePass(
    _ documents: Bitmap, by criteria: [RankingCriterion], to result: inout [RankedDocument],
    limit: Int
  ) throws {
    var columns = try CriterionColumns(
      matches, levels, in: documents, number: number, criteria: criteria, wordCount: wordCount,
      ranking: ranking, cancellation)
    var best = BestDocuments(
      limit: limit, of: documents.cardinality, width: columns.criteria.count + 1)
    var scores: [MatchScore] = []
    try columns.addAll(to: &best, &scores)
    try cancellation.forEach(best.sorted(cancellation)) { slot, document in
      result.append(try rankedDocument(Int(document), scores[slot]))
    }
  }

  /// Returns documents in the custom order of the segment, if that is cheaper than ranking every
  /// match.
  private func firstInCustomOrder(
    of documents: Bitmap, count: Int, limit: Int
  ) throws -> [UInt32]? {
    let expectedSteps = Double(min(limit, count)) * Double(segment.count) / Double(count)
    guard limit >= count || expectedSteps < Double(count) else { return nil }
    var found: [UInt32] = []
    for (rank, document) in segment.order.byCustomRank.enumerated() {
      try cancellation.count(element: rank)
      guard documents[Int(document)] else { continue }
      found.append(document)
      if found.count >= limit { break }
    }
    return found
  }

  private func rankedDocument(_ document: Int, _ score: MatchScore) throws -> RankedDocument {
    try RankedDocument(
      segment: number, document: document,
      features: RankingFeatures(
        score: score, filters: ranking.filterScore(segment: number, document: document),
        geoDistance: ranking.geoDistance(segment: number, document: document, cancellation)))
  }
}
