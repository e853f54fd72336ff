/// Scores documents of one segment by the textual criteria.
///
/// The scores use only the occurrences by which a document matches at its least cost in typos.
/// Documents are scored in batches, in ascending order.
struct MatchScorer {
  private let matches: SegmentMatches
  private let levels: MatchLevels
  /// The documents that may be scored.
  private let documents: Bitmap
  private let keys: FieldKeys
  private let options: RankingOptions
  private let minimum: Int
  private let cancellation: CancellationCheck
  /// The occurrences of each expansion at each cost, read when they are needed.
  private var postings: [[LevelPostings?]]
  private var cover: WordCover
  private var chain: ProximityChain
  private var unitMatches: [UnitMatch] = []
  private var chainedExpansions: Set<Int> = []

  // The batch.
  private var batch: [UInt32] = []
  private var costs: [[UInt8]] = []
  private var columns: [PositionColumns] = []

  /// Creates a scorer for the matches of a query with `wordCount` words.
  init(
    _ matches: SegmentMatches, _ levels: MatchLevels, in documents: Bitmap, wordCount: Int,
    options: RankingOptions, _ cancellation: CancellationCheck
  ) {
    self.matches = matches
    self.levels = levels
    self.documents = documents
    self.cancellation = cancellation
    self.options = options
    minimum = max(1, options.minimumProximity)
    keys = matches.matcher.view.segment.text.keys
    postings = Array(repeating: [], count: matches.matcher.expansions.count)
    cover = WordCover(wordCount: wordCount, units: levels.units)
    chain = ProximityChain(options, keys: keys)
  }

  /// Begins with another batch of documents.
  mutating func begin(_ batch: [UInt32]) throws {
    self.batch = batch
    costs.removeAll(keepingCapacity: true)
    columns.removeAll(keepingCapacity: true)
    for expansion in matches.matcher.expansions.indices {
      try cancellation.count(1 + batch.count &>> 4)
      let costs = levels.costs(of: expansion, in: batch)
      var columns = PositionColumns(count: batch.count)
      var rest = batch.indices.filter { costs[$0] != MatchLevels.absent }
      while let cost = rest.first.map({ costs[$0] }) {
        let rows = rest.allSatisfy { costs[$0] == cost } ? rest : rest.filter { costs[$0] == cost }
        rest = rows.count == rest.count ? [] : rest.filter { costs[$0] != cost }
        try preparePostings(of: expansion, cost: cost)
        try postings[expansion][Int(cost)]?.read(batch, rows: rows, into: &columns, cancellation)
      }
      self.costs.append(costs)
      self.columns.append(columns)
    }
  }

  /// Returns the proximity of the document in a row of the batch, and the key of its best attribute
  /// and position.
  ///
  /// - Parameter isBehind: Whether a document with at least these values does not matter. Then
  ///   they may be returned instead.
  mutating func score(
    row: Int, unless isBehind: (_ proximity: Int, _ key: UInt32) -> Bool
  ) throws -> (proximity: Int, key: UInt32) {
    try cancellation.count(1 + levels.chainUnits.count &>> 3)
    chain.removeAll()
    if levels.needsCover(Int(batch[row])) {
      try cancellation.count(1 + levels.units.count &>> 3)
      cover.choose { costs[levels.units[$0].expansion][row] }
      chainedExpansions.removeAll(keepingCapacity: true)
      for unit in cover.units
      where chainedExpansions.insert(levels.units[unit].expansion).inserted {
        try addUnit(unit, row)
      }
      return chain.result
    }
    if let score = simpleScore(row) { return score }
    // The bound includes the least distances of the words that are not in the chain yet.
    var bound = bound(row)
    var open = bound.words
    for unit in levels.chainUnits {
      if open > 0, isBehind(bound.proximity, bound.key) { return (bound.proximity, bound.key) }
      let wordCount = try addUnit(unit, row)
      guard wordCount > 0 else { continue }
      open -= wordCount
      bound.proximity = chain.leastSum + open * minimum
    }
    return chain.result
  }

  /// Returns the score of a document in which each unit has at most one position. A single unit,
  /// such as a phrase, may have several, because they need not be compared.
  private func simpleScore(_ row: Int) -> (proximity: Int, key: UInt32)? {
    if levels.chainUnits.count == 1 {
      let bound = bound(row)
      return (bound.proximity, bound.words > 0 ? bound.key : 0)
    }
    var sum = 0
    var key = UInt32.max
    var previous: UInt32?
    for unit in levels.chainUnits {
      let expansion = levels.units[unit].expansion
      let start = columns[expansion].starts[row]
      if start == PositionColumns.none { continue }
      if start == PositionColumns.several { return nil }
      if let previous { sum += max(minimum, Self.distance(previous, start)) }
      sum += (levels.units[unit].words.count - 1) * minimum
      key = min(key, columns[expansion].lowestKeys[row])
      previous = start
    }
    return (sum, previous == nil ? 0 : key)
  }

  @inline(__always)
  private static func distance(_ first: UInt32, _ second: UInt32) -> Int {
    WordDistance.between(UnitMatch(start: first, span: 0), UnitMatch(start: second, span: 0))
  }

  /// Returns a lower bound of a document's score, and the number of matching words.
  private func bound(_ row: Int) -> (proximity: Int, key: UInt32, words: Int) {
    var words = 0
    var key = UInt32.max
    for unit in levels.chainUnits {
      let expansion = levels.units[unit].expansion
      if columns[expansion].starts[row] == PositionColumns.none { continue }
      words += levels.units[unit].words.count
      key = min(key, columns[expansion].lowestKeys[row])
    }
    return (options.leastProximity(wordCount: words), key, words)
  }

  /// Adds the matches of a unit to the chain, and returns the number of its words, or 0 if it has
  /// no match.
  @discardableResult
  private mutating func addUnit(_ unit: Int, _ row: Int) throws -> Int {
    let expansion = levels.units[unit].expansion
    let cost = costs[expansion][row]
    guard cost != MatchLevels.absent else { return 0 }
    unitMatches.removeAll(keepingCapacity: true)
    try postings[expansion][Int(cost)]?.appendMatches(inRow: row, to: &unitMatches, cancellation)
    try unitMatches.makeAscending(cancellation)
    let words = levels.units[unit].words
    try chain.addUnit(words: words, unitMatches, cancellation)
    return words.count
  }

  private mutating func preparePostings(of expansion: Int, cost: UInt8) throws {
    while postings[expansion].count <= Int(cost) { postings[expansion].append(nil) }
    guard postings[expansion][Int(cost)] == nil else { return }
    postings[expansion][Int(cost)] = try LevelPostings(
      matches.matcher.expansions[expansion].sources.filter { $0.typos == Int(cost) },
      in: levels.documents(of: expansion, cost: cost, among: documents), keys: keys, cancellation)
  }
}
