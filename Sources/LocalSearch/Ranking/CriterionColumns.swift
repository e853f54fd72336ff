/// Calculates the values of the criteria for the documents of a segment, batch after batch in
/// ascending order.
struct CriterionColumns {
  /// The criteria that can differ.
  let criteria: [RankingCriterion]
  private let segment: Segment
  private let number: Int
  private let ranking: Ranking
  private let levels: MatchLevels?
  private let cancellation: CancellationCheck
  /// The numbers of attributes that the settings do not name, by document.
  private var numbers: [SortCriterion: [Double]] = [:]
  /// The ranks of such attributes with other values, by the ordinal of the document.
  private var ranks: [SortCriterion: [UInt32]] = [:]
  private let documents: Bitmap
  /// The documents with their ordinals, if there are ``ranks``.
  private let rankedDocuments: RankedBitmap?
  private var scorer: MatchScorer?
  /// The key of all documents, if it is known.
  private let knownKey: UInt32?
  /// The keys of the only word of a query.
  private var wordKeys: LowestKeys?
  /// A lower bound of the key of each document, once read.
  private var keyBounds: LowestKeys?
  private let matches: SegmentMatches
  /// The numbers of exact words, once counted.
  private var exactCounts: BitCounts?
  private let wordCount: Int

  /// The sizes of the first and of the greatest batch of documents.
  private static let (firstBatchSize, greatestBatchSize) = (64, 1024)
  /// The maximum number of postings to read per document for a lower bound of its key.
  private static let postingsOfDocument = 16

  /// Prepares the values of documents.
  init(
    _ matches: SegmentMatches, _ levels: MatchLevels?, in documents: Bitmap, number: Int,
    criteria: [RankingCriterion], wordCount: Int, isSingleWord: Bool, _ known: KnownScores,
    ranking: Ranking, _ cancellation: CancellationCheck
  ) throws {
    self.matches = matches
    segment = matches.matcher.view.segment
    self.criteria = criteria
    knownKey = known.key
    exactCounts = known.exactCounts
    self.levels = levels
    self.number = number
    self.ranking = ranking
    self.cancellation = cancellation
    self.documents = documents
    self.wordCount = wordCount
    for case .sort(let sort) in criteria where segment.order.ranks(by: sort) == nil {
      let column = try segment.attributes.ranking(sort.attribute, cancellation)
      if let numbers = column?.numbers {
        self.numbers[sort] = numbers
      } else {
        ranks[sort] = try Self.ranks(of: documents, by: sort, in: column, cancellation)
      }
    }
    rankedDocuments = ranks.isEmpty ? nil : RankedBitmap(documents)
    guard let levels, known.key == nil else { return }
    if isSingleWord {
      wordKeys = try LowestKeys(matches, levels, in: documents, cancellation)
    } else {
      scorer = MatchScorer(
        matches, levels, in: documents, wordCount: wordCount, options: ranking.options,
        cancellation)
    }
  }

  /// Adds the documents that rank among the best.
  ///
  /// - Parameter scores: Receives the textual score of each slot of the best.
  mutating func addAll(to best: inout BestDocuments, _ scores: inout [MatchScore]) throws {
    // The first batches are short, so that there are soon documents to compare with.
    var size = Self.firstBatchSize
    var word = 0
    while word < documents.words.count {
      let batch = try nextBatch(from: &word, size: size, best)
      if !batch.isEmpty { try add(batch, to: &best, &scores) }
      size = min(2 * size, Self.greatestBatchSize)
    }
  }

  /// Adds the documents of a batch that belong to the best.
  private mutating func add(
    _ documents: [UInt32], to best: inout BestDocuments, _ scores: inout [MatchScore]
  ) throws {
    var batch = CandidateBatch(documents, areAhead: !best.isFull)
    for index in criteria.indices {
      try cancellation.count(1 + batch.documents.count &>> 3)
      let column = try values(index, &batch, best)
      batch.add(column, last: best.isFull ? best.lastValue(index) : nil)
      if batch.documents.isEmpty { return }
    }
    try readTextualValues(&batch, best)
    var values = [Int](repeating: 0, count: criteria.count + 1)
    for (row, document) in batch.documents.enumerated() {
      for index in criteria.indices { values[index] = batch.values[index][row] }
      values[criteria.count] = Int(segment.records.objectIDOrder(of: Int(document)))
      if best.isFull, !best.isBeforeLast(values) { continue }
      scores[best.add(document, values)] = score(of: batch, row)
    }
  }

  // MARK: Batches

  /// Returns the next documents, without documents that a quick check shows to be behind the last
  /// of the best.
  ///
  /// - Parameters:
  ///   - word: The word of the bitmap to begin with, and then the next one.
  ///   - size: The number of documents. A batch may exceed it by the documents of one bitmap word.
  private mutating func nextBatch(
    from word: inout Int, size: Int, _ best: BestDocuments
  ) throws -> [UInt32] {
    guard best.isFull, let first = criteria.first else {
      return try nextBatch(from: &word, size: size) { _ in true }
    }
    let last = best.lastValue(0)
    if criteria.contains(.exact) { try countExactWords() }
    switch first {
    case .attribute:
      guard let wordKeys else { break }
      return try nextBatch(from: &word, size: size) {
        let key = Int(wordKeys[$0])
        return key < last || key == last && !isBehind($0, best, from: 1)
      }
    case .proximity:
      guard criteria.count > 1, criteria[1] == .attribute,
        let keyBounds = try keyBounds(ifLeastIs: last)
      else { break }
      let lastKey = best.lastValue(1)
      return try nextBatch(from: &word, size: size) {
        let key = Int(keyBounds[$0])
        return key < lastKey || key == lastKey && !isBehind($0, best, from: 2)
      }
    case .custom:
      let ranks = segment.order.customRanks
      return try nextBatch(from: &word, size: size) { Int(ranks[$0]) <= last }
    case .sort(let sort):
      if let ranks = segment.order.ranks(by: sort) {
        return try nextBatch(from: &word, size: size) { Int(ranks[$0]) <= last }
      }
      guard let numbers = numbers[sort] else { break }
      return try nextBatch(from: &word, size: size) { sort.key(of: numbers[$0]) <= last }
    default: break
    }
    return try nextBatch(from: &word, size: size) { _ in true }
  }

  /// Whether a document is behind the last one by the criteria from `start` on, whose values are
  /// not greater than the values compared here.
  private func isBehind(_ document: Int, _ best: BestDocuments, from start: Int) -> Bool {
    for index in start..<criteria.count {
      let least: Int
      switch criteria[index] {
      case .exact:
        guard let exactCounts else { return false }
        least = -exactCounts[document]
      case .custom: least = Int(segment.order.customRanks[document])
      // Only the standard criteria; others would cost too much for each document.
      default: return false
      }
      let last = best.lastValue(index)
      if least != last { return least > last }
    }
    return Int(segment.records.objectIDOrder(of: document)) > best.lastValue(criteria.count)
  }

  @inline(__always)
  private func nextBatch(
    from word: inout Int, size: Int, where isWanted: (Int) -> Bool
  ) throws -> [UInt32] {
    let words = documents.words
    var batch: [UInt32] = []
    batch.reserveCapacity(size + 64)
    while word < words.count, batch.count < size {
      var bits = words[word]
      if word & 15 == 0 { try cancellation.count(64) }
      while bits != 0 {
        let document = word &<< 6 | bits.trailingZeroBitCount
        bits &= bits &- 1
        if isWanted(document) { batch.append(UInt32(truncatingIfNeeded: document)) }
      }
      word += 1
    }
    return batch
  }

  /// Returns a lower bound of each document's key, if no document can have a lower proximity than
  /// the given one and reading the keys is worth it.
  private mutating func keyBounds(ifLeastIs proximity: Int) throws -> LowestKeys? {
    if let keyBounds { return keyBounds }
    guard let levels, scorer != nil,
      levels.allDocumentsMatchAllWords,
      proximity == ranking.options.leastProximity(wordCount: levels.chainWordCount)
    else { return nil }
    let postingCount = matches.matcher.expansions.reduce(0) { $0 + $1.postingCount }
    guard postingCount < Self.postingsOfDocument * documents.cardinality else { return nil }
    keyBounds = try LowestKeys(matches, cancellation)
    return keyBounds
  }

  /// Returns the values of a criterion.
  private mutating func values(
    _ index: Int, _ batch: inout CandidateBatch, _ best: BestDocuments
  ) throws -> [Int] {
    switch criteria[index] {
    case .typo:
      guard let levels else { return batch.zeros }
      return batch.documents.map { levels.typos[Int($0)] }
    case .words:
      guard let levels else { return batch.zeros }
      return batch.documents.map { -levels.words[Int($0)] }
    case .proximity:
      try readPositions(&batch, best, index)
      return batch.positions.map(\.proximity)
    case .attribute:
      try readPositions(&batch, best, index)
      return batch.positions.map { Int($0.key) }
    case .exact:
      try countExactWords()
      guard let exactCounts else { return batch.zeros }
      return batch.documents.map { -exactCounts[Int($0)] }
    case .filters:
      return batch.documents.map {
        -ranking.filterScore(segment: number, document: Int($0))
      }
    case .geo:
      return try batch.documents.map {
        try ranking.geoDistance(segment: number, document: Int($0), cancellation) ?? .max
      }
    case .custom: return batch.documents.map { Int(segment.order.customRanks[Int($0)]) }
    case .sort(let sort):
      if let ranks = segment.order.ranks(by: sort) {
        return batch.documents.map { Int(ranks[Int($0)]) }
      }
      if let numbers = numbers[sort] {
        return batch.documents.map { sort.key(of: numbers[Int($0)]) }
      }
      guard let ranks = ranks[sort] else { return batch.zeros }
      return batch.documents.map { document in
        rankedDocuments?.ordinal(of: Int(document)).map { Int(ranks[$0]) } ?? .max
      }
    }
  }

  /// Calculates the positions of a batch, if a criterion needs them and they are missing.
  ///
  /// - Parameter index: The criterion, Proximity or Attribute, or `nil` if all values matter.
  private mutating func readPositions(
    _ batch: inout CandidateBatch, _ best: BestDocuments, _ index: Int?
  ) throws {
    guard batch.positions.isEmpty else { return }
    if let knownKey {
      batch.positions = batch.documents.map { _ in (0, knownKey) }
      return
    }
    if let wordKeys {
      batch.positions = batch.documents.map { (0, wordKeys[Int($0)]) }
      return
    }
    guard var scorer else {
      batch.positions = batch.documents.map { _ in (0, 0) }
      return
    }
    self.scorer = nil
    try scorer.begin(batch.documents)
    var last: Int?
    var lastKey = Int.max
    var isProximity = false
    if let index, best.isFull {
      last = best.lastValue(index)
      isProximity = criteria[index] == .proximity
      if isProximity, criteria.dropFirst(index + 1).first == .attribute {
        lastKey = best.lastValue(index + 1)
      }
    }
    var positions: [(proximity: Int, key: UInt32)] = []
    positions.reserveCapacity(batch.documents.count)
    for row in batch.documents.indices {
      let ties = batch.ties(row)
      positions.append(
        try scorer.score(row: row) { proximity, key in
          guard ties, let last else { return false }
          if !isProximity { return Int(key) > last }
          return proximity > last || proximity == last && Int(key) > lastKey
        })
    }
    batch.positions = positions
    self.scorer = scorer
  }

  private mutating func countExactWords() throws {
    guard exactCounts == nil, levels != nil else { return }
    exactCounts = try BitCounts(
      exactWordsOf: matches.matcher, in: documents, wordCount: wordCount, ranking.options,
      cancellation)
  }

  // MARK: Scores

  /// Calculates the values of the scores that no criterion needed.
  private mutating func readTextualValues(
    _ batch: inout CandidateBatch, _ best: BestDocuments
  ) throws {
    guard levels != nil else { return }
    try readPositions(&batch, best, nil)
    try countExactWords()
  }

  private func score(of batch: CandidateBatch, _ row: Int) -> MatchScore {
    guard let levels else { return MatchScore() }
    let (document, position) = (Int(batch.documents[row]), batch.positions[row])
    return MatchScore(
      typos: levels.typos[document], words: levels.words[document],
      proximity: position.proximity, attribute: FieldKeys.attribute(of: position.key),
      position: FieldKeys.position(of: position.key), exact: exactCounts?[document] ?? 0)
  }

  /// Ranks documents by an attribute that is not part of the ranking settings.
  private static func ranks(
    of documents: Bitmap, by sort: SortCriterion, in column: RankingColumn?,
    _ cancellation: CancellationCheck
  ) throws -> [UInt32] {
    let values = try cancellation.map(documents.members) { column?[Int($0)] ?? .missing }
    var order = Array(values.indices)
    try cancellation.sort(&order) { sort.precedes(values[$0], values[$1]) ?? ($0 < $1) }
    var ranks = [UInt32](repeating: 0, count: values.count)
    var rank: UInt32 = 0
    for (offset, index) in order.enumerated() {
      try cancellation.count(element: offset)
      if offset > 0, sort.precedes(values[order[offset - 1]], values[index]) != nil { rank += 1 }
      ranks[index] = rank
    }
    return ranks
  }
}

extension CandidateBatch {
  /// Equal values for all documents.
  fileprivate var zeros: [Int] { Array(repeating: 0, count: documents.count) }
}
