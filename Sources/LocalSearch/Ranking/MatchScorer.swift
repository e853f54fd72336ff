/// Scores documents of one segment by the textual criteria.
///
/// The scores use only the occurrences by which a document matches at its least cost in typos.
/// Documents must be asked for in ascending order.
struct MatchScorer {
  private let matches: SegmentMatches
  private let levels: MatchLevels
  /// The documents that may be asked for.
  private let documents: Bitmap
  private let options: RankingOptions
  private let keys: FieldKeys
  private let cancellation: CancellationCheck
  /// Whether the query is one word that matches by itself only, so that it has no distances.
  private let isSingleWord: Bool
  /// The occurrences of each expansion at each cost, read when they are needed.
  private var postings: [LevelPostings] = []
  /// The number of the postings of each expansion and cost.
  private var postingsOfCost: [[Int?]]
  /// The lowest keys at each cost of the only word of a query.
  private var lowestKeys: [LowestKeys?] = []
  private var cover: WordCover
  private var chain: ProximityChain
  private var unitMatches: [UnitMatch] = []
  private var exactWords: ExactWords
  private var coveredDocument: Int?

  /// Creates a scorer for the matches of a query with `wordCount` words.
  init(
    _ matches: SegmentMatches, _ levels: MatchLevels, in documents: Bitmap, wordCount: Int,
    options: RankingOptions, _ cancellation: CancellationCheck
  ) {
    self.matches = matches
    self.levels = levels
    self.documents = documents
    self.options = options
    self.cancellation = cancellation
    keys = FieldKeys(matches.matcher.view.segment.text.fields)
    isSingleWord = wordCount == 1 && levels.units.count == 1
    postingsOfCost = Array(repeating: [], count: matches.matcher.expansions.count)
    cover = WordCover(wordCount: wordCount, units: levels.units)
    chain = ProximityChain(options)
    exactWords = ExactWords(matches.matcher, wordCount: wordCount, options)
  }

  /// Returns values that the score of a document does not fall below.
  mutating func bounds(of document: Int) throws -> (proximity: Int, key: UInt32) {
    if isSingleWord { return (0, try lowestKey(of: document)) }
    try chooseUnits(document)
    var key = UInt32.max
    for unit in cover.units {
      try withPostings(of: unit, in: document) { postings, cancellation in
        key = min(key, try postings.lowestKey(in: document, cancellation))
      }
    }
    return (chain.leastSum(of: cover.units, levels.units), key)
  }

  /// Returns the proximity of a document, and the key of its best attribute and position.
  mutating func score(of document: Int) throws -> (proximity: Int, key: UInt32) {
    if isSingleWord { return (0, try lowestKey(of: document)) }
    try chooseUnits(document)
    chain.removeAll()
    for unit in cover.units {
      unitMatches.removeAll(keepingCapacity: true)
      var found = unitMatches
      swap(&found, &unitMatches)
      try withPostings(of: unit, in: document) { postings, cancellation in
        try postings.appendMatches(in: document, to: &found, cancellation)
      }
      try found.makeAscending(cancellation)
      try chain.addUnit(words: levels.units[unit].words, found, keys: keys, cancellation)
      swap(&found, &unitMatches)
    }
    return chain.result
  }

  /// Returns the number of exact words of a document.
  mutating func exactCount(of document: Int) throws -> Int {
    try exactWords.count(in: document, cancellation)
  }

  private mutating func chooseUnits(_ document: Int) throws {
    if coveredDocument == document { return }
    coveredDocument = document
    try levels.cover(of: document, into: &cover, cancellation)
  }

  private mutating func lowestKey(of document: Int) throws -> UInt32 {
    let cost = Int(levels.cost(unit: 0, in: document))
    while lowestKeys.count <= cost { lowestKeys.append(nil) }
    if let known = lowestKeys[cost]?.key(of: document) { return known }
    let read = try LowestKeys(
      sources(of: 0, cost: cost),
      in: levels.documents(of: 0, cost: UInt8(truncatingIfNeeded: cost), among: documents),
      keys: keys, cancellation)
    lowestKeys[cost] = read
    return read.key(of: document) ?? .max
  }

  private func sources(of expansion: Int, cost: Int) -> [PostingSource] {
    matches.matcher.expansions[expansion].sources.filter { $0.typos == cost }
  }

  /// Calls a closure with the postings by which a document matches a unit.
  private mutating func withPostings(
    of unit: Int, in document: Int,
    _ body: (inout LevelPostings, CancellationCheck) throws -> Void
  ) throws {
    let expansion = levels.units[unit].expansion
    let cost = Int(levels.cost(unit: unit, in: document))
    while postingsOfCost[expansion].count <= cost { postingsOfCost[expansion].append(nil) }
    if let known = postingsOfCost[expansion][cost] {
      return try body(&postings[known], cancellation)
    }
    var read = try LevelPostings(
      sources(of: expansion, cost: cost),
      in: levels.documents(
        of: expansion, cost: UInt8(truncatingIfNeeded: cost), among: documents),
      keys: keys, cancellation)
    try body(&read, cancellation)
    postingsOfCost[expansion][cost] = postings.count
    postings.append(read)
  }
}

/// The lowest key of a word in each of some documents.
private struct LowestKeys {
  private let documents: RankedBitmap
  private let keys: [UInt32]

  init(
    _ sources: [PostingSource], in documents: Bitmap, keys fieldKeys: FieldKeys,
    _ cancellation: CancellationCheck
  ) throws {
    let selection = Selection(documents)
    var keys = [UInt32](repeating: .max, count: selection.count)
    for source in sources {
      try source.forEachPosting(in: selection, cancellation) { ordinal, encoded in
        let key = try fieldKeys.lowestKey(in: encoded, of: source, cancellation)
        if key < keys[ordinal] { keys[ordinal] = key }
      }
    }
    self.documents = selection.bitmap
    self.keys = keys
  }

  /// Returns the lowest key in a document, or `nil` if it is not one of them.
  @inline(__always)
  func key(of document: Int) -> UInt32? { documents.ordinal(of: document).map { keys[$0] } }
}

/// Counts the exact words of documents, which must be asked for in ascending order.
private struct ExactWords {
  private let wordCount: Int
  private let sources: [ExactSource]
  /// Whether a word must be the whole value of an attribute.
  private let needsWholeValue: Bool
  /// The next posting of each source.
  private var next: [Int]

  init(_ matcher: SegmentMatcher, wordCount: Int, _ options: RankingOptions) {
    self.wordCount = wordCount
    needsWholeValue = wordCount == 1 && options.singleWordExactness == .attribute
    let counts =
      wordCount > 1 || needsWholeValue
      || (options.singleWordExactness != .none && matcher.isSingleWordLongEnough)
    sources = counts ? matcher.exactSources : []
    next = sources.map(\.source.postings.lowerBound)
  }

  mutating func count(in document: Int, _ cancellation: CancellationCheck) throws -> Int {
    let number = UInt32(truncatingIfNeeded: document)
    var count = 0
    for (index, exact) in sources.enumerated() {
      let (source, lists) = (exact.source, exact.source.lists)
      let end = source.postings.upperBound
      next[index] = lists.firstPosting(in: next[index]..<end, notBefore: number)
      guard next[index] < end, lists.documents[next[index]] == number else { continue }
      let encoded = lists.encodedOccurrences[next[index]]
      guard source.allows(encoded) else { continue }
      if needsWholeValue {
        var isExact = false
        try source.forEachOccurrence(in: encoded, cancellation) {
          if $0.isWholeValue { isExact = true }
        }
        count += isExact ? 1 : 0
      } else {
        count += wordCount == 1 ? 1 : exact.wordCount
      }
    }
    return count
  }
}
