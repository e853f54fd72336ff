/// The values of one document after the other, in ascending order, that the criteria compare.
/// Smaller values come first.
struct DocumentValues {
  /// The values of the document that was read last: one for each criterion, and then the order of
  /// the object IDs.
  private(set) var values: [Int]
  /// The number of values.
  var width: Int { values.count }

  private let columns: [Column]
  private let levels: MatchLevels?
  private let objectIDs: RecordStore
  private let number: Int
  private let ranking: Ranking
  private let cancellation: CancellationCheck
  private var scorer: MatchScorer?
  private var document = 0
  /// The proximity of the document, and the key of its best attribute, if they were calculated.
  private var positions: (proximity: Int, key: UInt32)?

  /// Where the values of a criterion come from.
  private enum Column {
    case typos, words, proximity, attribute, exact, filters, geo
    case ranks([UInt32])
    /// The ranks of an attribute that the settings do not name, of the documents to read.
    case ranksOf(RankedBitmap, [UInt32])
  }

  /// Prepares the values of documents in a segment.
  init(
    _ matches: SegmentMatches, _ levels: MatchLevels?, in documents: Bitmap, number: Int,
    criteria: [RankingCriterion], wordCount: Int, ranking: Ranking,
    _ cancellation: CancellationCheck
  ) throws {
    let segment = matches.matcher.view.segment
    self.levels = levels
    self.number = number
    self.ranking = ranking
    self.cancellation = cancellation
    objectIDs = segment.records
    columns = try criteria.map { criterion in
      switch criterion {
      case .typo: .typos
      case .words: .words
      case .proximity: .proximity
      case .attribute: .attribute
      case .exact: .exact
      case .filters: .filters
      case .geo: .geo
      case .custom: .ranks(segment.order.customRanks)
      case .sort(let sort):
        try segment.order.ranks(by: sort).map { .ranks($0) }
          ?? Self.ranks(of: documents, by: sort, in: segment, cancellation)
      }
    }
    scorer = levels.map {
      MatchScorer(
        matches, $0, in: documents, wordCount: wordCount, options: ranking.options, cancellation)
    }
    values = Array(repeating: 0, count: criteria.count + 1)
  }

  /// Reads a document. If `best` is full and its last document is before it, the values are not
  /// complete.
  ///
  /// - Returns: Whether the document belongs to the best.
  mutating func read(_ document: Int, notAfter best: BestDocuments) throws -> Bool {
    self.document = document
    positions = nil
    var isUndecided = best.isFull
    for index in columns.indices {
      if isUndecided, try isBehind(best, index) { return false }
      let value = try value(index)
      values[index] = value
      if isUndecided {
        let last = best.lastValue(index)
        if value > last { return false }
        isUndecided = value == last
      }
    }
    let order = Int(objectIDs.objectIDOrder(of: document))
    values[columns.count] = order
    return !isUndecided || order < best.lastValue(columns.count)
  }

  /// The textual score of the document that was read last.
  mutating func score() throws -> MatchScore {
    guard let levels else { return MatchScore() }
    let (proximity, key) = try readPositions()
    return MatchScore(
      typos: levels.typos[document], words: levels.words[document], proximity: proximity,
      attribute: FieldKeys.attribute(of: key), position: FieldKeys.position(of: key),
      exact: try scorer?.exactCount(of: document) ?? 0)
  }

  /// Whether the document is behind the last one, which is known without reading all positions.
  private mutating func isBehind(_ best: BestDocuments, _ index: Int) throws -> Bool {
    switch columns[index] {
    case .proximity:
      guard let bounds = try scorer?.bounds(of: document) else { return false }
      let last = best.lastValue(index)
      if bounds.proximity != last { return bounds.proximity > last }
      guard index + 1 < columns.count, case .attribute = columns[index + 1] else { return false }
      return Int(bounds.key) > best.lastValue(index + 1)
    case .attribute where positions == nil:
      guard let bounds = try scorer?.bounds(of: document) else { return false }
      return Int(bounds.key) > best.lastValue(index)
    default: return false
    }
  }

  private mutating func value(_ index: Int) throws -> Int {
    switch columns[index] {
    case .ranks(let ranks): return Int(ranks[document])
    case .ranksOf(let documents, let ranks):
      return documents.ordinal(of: document).map { Int(ranks[$0]) } ?? .max
    case .typos: return levels?.typos[document] ?? 0
    case .words: return -(levels?.words[document] ?? 0)
    case .proximity: return try readPositions().proximity
    case .attribute: return Int(try readPositions().key)
    case .exact: return -(try scorer?.exactCount(of: document) ?? 0)
    case .filters: return -ranking.filterScore(segment: number, document: document)
    case .geo:
      return try ranking.geoDistance(segment: number, document: document, cancellation) ?? .max
    }
  }

  private mutating func readPositions() throws -> (proximity: Int, key: UInt32) {
    if let positions { return positions }
    let read = try scorer?.score(of: document) ?? (0, 0)
    positions = read
    return read
  }

  /// Ranks documents by an attribute that is not part of the ranking settings.
  private static func ranks(
    of documents: Bitmap, by sort: SortCriterion, in segment: Segment,
    _ cancellation: CancellationCheck
  ) throws -> Column {
    let column = try segment.attributes.ranking(sort.attribute, cancellation)
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
    return .ranksOf(RankedBitmap(documents), ranks)
  }
}
