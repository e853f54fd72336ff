/// Ranks the matches of one segment.
///
/// Documents are split into groups by the first criteria as long as these count typos, words or
/// exact words, which is cheap for all documents at once. Only groups that reach into the requested
/// ranks are ranked further. For frequent words, sets of documents also record the documents with
/// the word at the start. The rest is one pass: the values of a document are calculated one
/// criterion after the other, until one is behind the last of the best documents so far.
struct SegmentRanking {
  private let matches: SegmentMatches
  private let segment: Segment
  private let number: Int
  private let wordCount: Int
  private let ranking: Ranking
  private let criteria: [RankingCriterion]
  /// The typos and words of the matches, or `nil` for a query without words.
  private let levels: MatchLevels?
  /// Whether a query of one word matches in one way, or there are no words.
  private let isSingleWord: Bool
  private let cancellation: CancellationCheck

  /// The maximum size of a group that is not worth splitting.
  private static let smallGroup = 64
  /// The minimum size of a group for ranking documents with all words in the first attributes
  /// before the others.
  private static let largeGroup = 128
  /// The maximum number of postings to read per document when splitting a group by first attribute.
  private static let postingsOfDocument = 8

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
    let levels =
      wordCount > 0 && !matches.documents.isEmpty
      ? try MatchLevels(matches, wordCount: wordCount, cancellation) : nil
    self.levels = levels
    let isSingleWord = levels?.isSingleWord ?? true
    self.isSingleWord = isSingleWord
    // One word has no distances.
    criteria = ranking.effectiveCriteria(hasWords: wordCount > 0)
      .filter { !isSingleWord || $0 != .proximity }
  }

  /// Returns the first `limit` documents, in order.
  ///
  /// - Parameter last: A document of another segment. Documents behind it may be missing.
  func ranked(
    limit: Int, before last: RankedDocument?, _ merger: HitMerger
  ) throws -> [RankedDocument] {
    let bound = try last.map {
      try merger.bound($0, in: number, by: criteria)
    }
    var result: [RankedDocument] = []
    try append(
      matches.documents, KnownScores(), by: criteria[...], bound?[...] ?? [], to: &result,
      limit: limit)
    return result
  }

  /// Appends documents in the order of some criteria, until there are `limit`.
  ///
  /// - Parameters:
  ///   - known: The scores that all documents share.
  ///   - bound: The values of the first of these criteria. Documents behind them are not needed.
  private func append(
    _ documents: Bitmap, _ known: KnownScores, by criteria: ArraySlice<RankingCriterion>,
    _ bound: ArraySlice<Int>, to result: inout [RankedDocument], limit: Int
  ) throws {
    try cancellation.count(1 + documents.count &>> 8)
    let count = documents.cardinality
    if count == 0 { return }
    let room = limit - result.count
    if let levels, count > max(Self.smallGroup, room), let first = criteria.first {
      switch first {
      case .typo:
        return try appendGroups(
          of: documents, known, by: levels.typos, criteria, bound, to: &result, limit: limit)
      case .words:
        return try appendGroups(
          of: documents, known, by: levels.words, criteria, bound, to: &result, limit: limit)
      case .exact:
        var known = known
        let exactCounts = try known.exactCounts ?? exactCounts(in: documents)
        known.exactCounts = exactCounts
        return try appendGroups(
          of: documents, known, by: exactCounts, criteria, bound, to: &result, limit: limit)
      case .attribute where known.key == nil:
        guard let sets = try sets(of: documents) else { break }
        return try appendByAttribute(
          documents, known, sets, criteria, bound, to: &result, limit: limit)
      default: break
      }
    }
    if criteria.first == .geo, isWorthOrdering(room, of: count),
      let nearest = try ranking.nearest(
        segment: number, documents, count: room, cancellation)
    {
      // The others are farther than all of these.
      return try appendInOnePass(
        nearest, known, by: Array(criteria), bound, to: &result, limit: room)
    }
    if criteria.elementsEqual([.custom]), levels == nil || known.key != nil,
      let first = try firstInCustomOrder(
        of: documents, count: count, limit: room, lastRank: bound.first)
    {
      return try cancellation.forEach(first) {
        result.append(try rankedDocument(Int($0), score(of: Int($0), known)))
      }
    }
    try appendInOnePass(
      documents, known, by: Array(criteria), bound, to: &result, limit: min(room, count))
  }

  /// Appends the groups of documents with equal numbers of the first criterion. Groups that are
  /// needed as a whole are ranked together.
  private func appendGroups(
    of documents: Bitmap, _ known: KnownScores, by numbers: BitCounts,
    _ criteria: ArraySlice<RankingCriterion>, _ bound: ArraySlice<Int>,
    to result: inout [RankedDocument], limit: Int
  ) throws {
    var joined = Bitmap(count: documents.count)
    var joinedCount = 0
    var rest: Bitmap?
    var restBound: ArraySlice<Int> = []
    let isDescending = criteria.first != .typo
    try numbers.forEachGroup(of: documents, descending: isDescending, cancellation) {
      number, group in
      let value = isDescending ? -number : number
      if let last = bound.first {
        if value > last { return false }
        if value == last { restBound = bound.dropFirst() }
      }
      let count = group.cardinality
      if result.count + joinedCount + count > limit || value == bound.first {
        rest = group
        return false
      }
      joined.formUnion(group)
      joinedCount += count
      return result.count + joinedCount < limit
    }
    if joinedCount > 0 {
      try appendInOnePass(joined, known, by: Array(criteria), [], to: &result, limit: joinedCount)
    }
    if let rest {
      try append(rest, known, by: criteria.dropFirst(), restBound, to: &result, limit: limit)
    }
  }

  // MARK: Frequent words

  /// Returns the sets of the word by which all of some documents match, if it is frequent and the
  /// only one of the query.
  private func sets(of documents: Bitmap) throws -> FrequentSets? {
    guard isSingleWord, let levels, let expansion = levels.units.first?.expansion else {
      return nil
    }
    var elements = documents.elements
    guard let first = elements.next() else { return nil }
    let cost = levels.cost(unit: 0, in: Int(first))
    let sources = matches.matcher.expansions[expansion].sources.filter { $0.typos == Int(cost) }
    guard sources.count == 1, let sets = sources.first?.sets else { return nil }
    try cancellation.count(1 + documents.count &>> 8)
    return levels.documents(of: expansion, cost: cost, among: documents) == documents ? sets : nil
  }

  /// Appends documents with a frequent word: first the documents with it at the lowest key, then
  /// the documents with it in an attribute of the first rank.
  private func appendByAttribute(
    _ documents: Bitmap, _ known: KnownScores, _ sets: FrequentSets,
    _ criteria: ArraySlice<RankingCriterion>, _ bound: ArraySlice<Int>,
    to result: inout [RankedDocument], limit: Int
  ) throws {
    try cancellation.count(1 + documents.count &>> 6)
    var rest = documents
    var atStart = documents
    atStart.formIntersection(sets.atStart)
    let exactCounts = try known.exactCounts ?? exactCounts(in: atStart)
    try append(
      atStart, KnownScores(key: 0, exactCounts: exactCounts), by: criteria.dropFirst(),
      bound.first == 0 ? bound.dropFirst() : [], to: &result, limit: limit)
    if bound.first == 0 { return }
    rest.subtract(atStart)
    var inFirst = rest
    inFirst.formIntersection(sets.inFirstAttributes)
    rest.subtract(inFirst)
    for (rank, part) in [inFirst, rest].enumerated() {
      let limit = min(limit - result.count, part.cardinality)
      guard limit > 0, bound.first ?? .max >= FieldKeys.first(ofRank: rank) else { continue }
      try appendInOnePass(part, known, by: Array(criteria), bound, to: &result, limit: limit)
    }
  }

  private func exactCounts(in documents: Bitmap) throws -> BitCounts {
    try BitCounts(
      exactWordsOf: matches.matcher, in: documents, wordCount: wordCount, ranking.options,
      cancellation)
  }

  // MARK: One pass

  private func appendInOnePass(
    _ documents: Bitmap, _ known: KnownScores, by criteria: [RankingCriterion],
    _ bound: ArraySlice<Int>, to result: inout [RankedDocument], limit: Int
  ) throws {
    var best = BestDocuments(
      limit: limit, of: documents.cardinality, width: criteria.count + 1, bound: bound)
    var scores = [MatchScore](repeating: MatchScore(), count: limit)
    for (number, part) in try parts(of: documents, criteria).enumerated() {
      if number > 0, isBehind(best) { break }
      var columns = try CriterionColumns(
        matches, levels, in: part, number: self.number, criteria: criteria, wordCount: wordCount,
        isSingleWord: isSingleWord, known, ranking: ranking, cancellation)
      try columns.addAll(to: &best, &scores)
    }
    try cancellation.forEach(best.sorted(cancellation)) { slot, document in
      result.append(try rankedDocument(Int(document), scores[slot]))
    }
  }

  /// If nearby words rank first, splits a large group into the documents with all words in
  /// attributes of the first rank, and the others.
  private func parts(of documents: Bitmap, _ criteria: [RankingCriterion]) throws -> [Bitmap] {
    let count = documents.cardinality
    guard let levels, levels.allDocumentsMatchAllWords,
      criteria.starts(with: [.proximity, .attribute]),
      !criteria.contains(where: \.isSort),
      ranking.options.minimumProximity < WordDistance.maximum,
      count > Self.largeGroup
    else { return [documents] }
    let postingCount = matches.matcher.expansions.reduce(0) { count, expansion in
      count + expansion.sources.reduce(0) { $0 + ($1.sets == nil ? $1.postings.count : 0) }
    }
    guard postingCount <= Self.postingsOfDocument * count else { return [documents] }
    var first = documents
    for unit in levels.chainUnits {
      var found = Bitmap(count: documents.count)
      for source in matches.matcher.expansions[levels.units[unit].expansion].sources {
        try source.insertDocumentsInFirstAttributes(segment.text.keys, into: &found, cancellation)
      }
      first.formIntersection(found)
    }
    var others = documents
    others.subtract(first)
    return first.isEmpty || others.isEmpty ? [documents] : [first, others]
  }

  /// Whether documents that do not have all words in attributes of the first rank are behind the
  /// last one of the best. If their words are next to each other, it is in a later attribute.
  private func isBehind(_ best: BestDocuments) -> Bool {
    best.isFull
      && best.lastValue(0)
        <= ranking.options.leastProximity(wordCount: levels?.chainWordCount ?? wordCount)
      && best.lastValue(1) < FieldKeys.first(ofRank: 1)
  }

  /// Whether going through all documents of the segment in an order, until there are enough of a
  /// set, takes fewer steps than the set has members.
  private func isWorthOrdering(_ limit: Int, of count: Int) -> Bool {
    limit < count && Double(limit) * Double(segment.count) / Double(count) < Double(count)
  }

  /// Returns documents in the custom order of the segment, if that is cheaper than ranking every
  /// match.
  ///
  /// - Parameter lastRank: The custom rank behind which documents are not needed.
  private func firstInCustomOrder(
    of documents: Bitmap, count: Int, limit: Int, lastRank: Int?
  ) throws -> [UInt32]? {
    guard limit >= count || isWorthOrdering(limit, of: count) else { return nil }
    var found: [UInt32] = []
    for (rank, document) in segment.order.byCustomRank.enumerated() {
      try cancellation.count(element: rank)
      guard documents[Int(document)] else { continue }
      if let lastRank, segment.order.customRanks[Int(document)] > lastRank { break }
      found.append(document)
      if found.count >= limit { break }
    }
    return found
  }

  /// Returns the textual score of a document with a known key.
  private func score(of document: Int, _ known: KnownScores) -> MatchScore {
    guard let levels, let key = known.key else { return MatchScore() }
    return MatchScore(
      typos: levels.typos[document], words: levels.words[document], proximity: 0,
      attribute: FieldKeys.attribute(of: key), position: FieldKeys.position(of: key),
      exact: known.exactCounts?[document] ?? 0)
  }

  private func rankedDocument(_ document: Int, _ score: MatchScore) throws -> RankedDocument {
    try RankedDocument(
      segment: number, document: document,
      features: RankingFeatures(
        score: score, filters: ranking.filterScore(segment: number, document: document),
        geoDistance: ranking.geoDistance(segment: number, document: document, cancellation)))
  }
}

/// The textual scores that are known for a group of documents.
struct KnownScores {
  /// The key of the only word of the query, which they share.
  var key: UInt32?
  /// The numbers of exact words.
  var exactCounts: BitCounts?
}

extension PostingSource {
  /// Adds the documents with an occurrence in an attribute of the first rank.
  fileprivate func insertDocumentsInFirstAttributes(
    _ keys: FieldKeys, into result: inout Bitmap, _ cancellation: CancellationCheck
  ) throws {
    if let sets { return result.formUnion(sets.inFirstAttributes) }
    // Occurrences are in the order of the ranks of their attributes.
    let end = FieldKeys.first(ofRank: 1)
    try Self.forEachBlock(of: postings, cancellation) { block in
      for posting in block
      where keys.key(of: lists.firstOccurrence(in: lists.encodedOccurrences[posting])) < end {
        result.insert(Int(lists.documents[posting]))
      }
    }
  }
}
