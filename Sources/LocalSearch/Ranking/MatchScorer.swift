/// Scores documents of one segment by the textual criteria.
///
/// The scores use only the occurrences by which a document matches at its least cost in typos.
/// Documents are scored in batches, in ascending order.
struct MatchScorer {
  private let matches: SegmentMatches
  private let levels: MatchLevels
  /// The documents that may be asked for.
  private let documents: Bitmap
  private let keys: FieldKeys
  private let minimum: Int
  private let cancellation: CancellationCheck
  /// The occurrences of each expansion at each cost, read when they are needed.
  private var postings: [[LevelPostings?]]
  private var cover: WordCover
  private var chain: ProximityChain
  private var unitMatches: [UnitMatch] = []

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
    minimum = max(1, options.minimumProximity)
    keys = FieldKeys(matches.matcher.view.segment.text.fields)
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
    if !levels.needsCover(Int(batch[row])) {
      if let score = simpleScore(row) { return score }
      let bound = bound(row)
      if isBehind(bound.proximity, bound.key) { return bound }
    }
    return try fullScore(row)
  }

  /// Returns the score of a document in which each unit has one position at most.
  private func simpleScore(_ row: Int) -> (proximity: Int, key: UInt32)? {
    var sum = 0
    var key = UInt32.max
    var previous: UInt32?
    for unit in levels.simpleUnits {
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

  /// Returns values that the score of a document does not fall below.
  private func bound(_ row: Int) -> (proximity: Int, key: UInt32) {
    var words = 0
    var key = UInt32.max
    for unit in levels.simpleUnits {
      let expansion = levels.units[unit].expansion
      if columns[expansion].starts[row] == PositionColumns.none { continue }
      words += levels.units[unit].words.count
      key = min(key, columns[expansion].lowestKeys[row])
    }
    return (leastProximity(wordCount: words), key)
  }

  /// Returns the proximity of words that follow each other.
  func leastProximity(wordCount: Int) -> Int { max(0, wordCount - 1) * minimum }

  private mutating func fullScore(_ row: Int) throws -> (proximity: Int, key: UInt32) {
    try levels.cover(of: Int(batch[row]), into: &cover, cancellation)
    chain.removeAll()
    for unit in cover.units {
      let expansion = levels.units[unit].expansion
      unitMatches.removeAll(keepingCapacity: true)
      try postings[expansion][Int(costs[expansion][row])]?.appendMatches(
        inRow: row, to: &unitMatches, cancellation)
      try unitMatches.makeAscending(cancellation)
      try chain.addUnit(words: levels.units[unit].words, unitMatches, cancellation)
    }
    return chain.result
  }

  private mutating func preparePostings(of expansion: Int, cost: UInt8) throws {
    while postings[expansion].count <= Int(cost) { postings[expansion].append(nil) }
    guard postings[expansion][Int(cost)] == nil else { return }
    postings[expansion][Int(cost)] = try LevelPostings(
      matches.matcher.expansions[expansion].sources.filter { $0.typos == Int(cost) },
      in: levels.documents(of: expansion, cost: cost, among: documents), keys: keys, cancellation)
  }
}

/// The lowest keys of the only word of a query in some documents, at the cost of each.
struct LowestKeys {
  /// The keys of all documents of the segment.
  private var keys: [UInt32]

  /// Reads the postings.
  init(
    _ matches: SegmentMatches, _ levels: MatchLevels, in documents: Bitmap,
    _ cancellation: CancellationCheck
  ) throws {
    let fieldKeys = FieldKeys(matches.matcher.view.segment.text.fields)
    try cancellation.count(1 + documents.count &>> 6)
    keys = Array(repeating: .max, count: documents.count)
    var rest = documents
    let expansion = levels.units[0].expansion
    var sources = matches.matcher.expansions[expansion].sources[...]
    while let cost = sources.first?.typos, !rest.isEmpty {
      let level = sources.prefix { $0.typos == cost }
      sources = sources.dropFirst(level.count)
      let found = levels.documents(
        of: expansion, cost: UInt8(truncatingIfNeeded: cost), among: rest)
      if found.isEmpty { continue }
      // If all documents have the same cost, it does not matter what is written for others.
      let isOnly = found == documents
      rest.subtract(found)
      let size = found.cardinality
      if isOnly, fieldKeys.areAscending,
        level.allSatisfy({ $0.fields == nil && !$0.isMuchLarger(than: size) })
      {
        for source in level { try read(source, fieldKeys, cancellation) }
        return
      }
      let selection = Selection(found)
      for source in level {
        try source.forEachPosting(in: selection, cancellation) { ordinal, encoded in
          let document = Int(selection.members[ordinal])
          let key = try fieldKeys.lowestKey(in: encoded, of: source, cancellation)
          if key < keys[document] { keys[document] = key }
        }
      }
    }
  }

  /// Reads keys that those of any document do not fall below, whatever it costs to match it.
  init(_ matches: SegmentMatches, _ cancellation: CancellationCheck) throws {
    let fieldKeys = FieldKeys(matches.matcher.view.segment.text.fields)
    try cancellation.count(1 + matches.documents.count &>> 6)
    keys = Array(repeating: .max, count: matches.documents.count)
    for expansion in matches.matcher.expansions {
      for source in expansion.sources { try read(source, fieldKeys, cancellation) }
    }
  }

  /// Reads all postings of a source, also those in fields that do not count.
  private mutating func read(
    _ source: PostingSource, _ fieldKeys: FieldKeys, _ cancellation: CancellationCheck
  ) throws {
    let lists = source.lists
    var start = source.postings.lowerBound
    while start < source.postings.upperBound {
      let end = min(start + 8192, source.postings.upperBound)
      try cancellation.count(1 + (end - start) &>> 4)
      for posting in start..<end {
        let key = fieldKeys.lowestKey(in: lists.encodedOccurrences[posting], of: source)
        let document = Int(lists.documents[posting])
        if key < keys[document] { keys[document] = key }
      }
      start = end
    }
  }

  /// Returns the lowest key in a document.
  @inline(__always)
  subscript(document: Int) -> UInt32 { keys[document] }
}

/// Counts the exact words of documents, which must be asked for in ascending order.
struct ExactWords {
  private let wordCount: Int
  private let sources: [ExactSource]
  /// Whether a word must be the whole value of an attribute.
  private let needsWholeValue: Bool
  /// The next posting of each source.
  private var next: [Int]

  /// Prepares counting.
  init(_ matcher: SegmentMatcher, wordCount: Int, _ options: RankingOptions) {
    self.wordCount = wordCount
    needsWholeValue = wordCount == 1 && options.singleWordExactness == .attribute
    let counts =
      wordCount > 1 || needsWholeValue
      || (options.singleWordExactness != .none && matcher.isSingleWordLongEnough)
    sources = counts ? matcher.exactSources : []
    next = sources.map(\.source.postings.lowerBound)
  }

  /// Adds the number of exact words of each document.
  mutating func count(
    in documents: [UInt32], _ cancellation: CancellationCheck
  ) throws -> [Int] {
    var counts = [Int](repeating: 0, count: documents.count)
    for (index, exact) in sources.enumerated() {
      try cancellation.count(1 + documents.count &>> 3)
      let (source, lists, end) = (
        exact.source, exact.source.lists, exact.source.postings.upperBound
      )
      var next = next[index]
      for (row, document) in documents.enumerated() {
        next = lists.firstPosting(in: next..<end, notBefore: document)
        guard next < end else { break }
        guard lists.documents[next] == document else { continue }
        let encoded = lists.encodedOccurrences[next]
        guard source.allows(encoded) else { continue }
        if needsWholeValue {
          var isExact = false
          try source.forEachOccurrence(in: encoded, cancellation) {
            if $0.isWholeValue { isExact = true }
          }
          counts[row] += isExact ? 1 : 0
        } else {
          counts[row] += wordCount == 1 ? 1 : exact.wordCount
        }
      }
      self.next[index] = next
    }
    return counts
  }
}
