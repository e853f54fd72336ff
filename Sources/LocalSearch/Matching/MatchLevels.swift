/// The typos and the number of matched words of each matching document of a segment.
struct MatchLevels: Sendable {
  /// The typos of the documents.
  private(set) var typos: BitCounts
  /// The numbers of query words that the documents match.
  private(set) var words: BitCounts
  /// The ways to match the query words.
  let units: [MatchUnit]
  /// The units, without overlapping units of several words, in the order of the words. No two of
  /// them share a word.
  let simpleUnits: [Int]
  /// The simple units whose distances count. A word that the query repeats counts once; otherwise,
  /// a query of one word 250 times would take 250 times as long.
  let chainUnits: [Int]
  /// The number of words of ``chainUnits``.
  let chainWordCount: Int
  /// Whether every document matches every query word, and no units overlap.
  let allDocumentsMatchAllWords: Bool
  /// The documents that match a unit of several words that overlaps with another unit.
  private let covered: Bitmap?
  private let costs: [ExpansionCosts]

  /// The cost of a unit that does not match.
  static let absent = UInt8.max

  /// Adds up the costs of the expansions.
  init(_ matches: SegmentMatches, wordCount: Int, _ cancellation: CancellationCheck) throws {
    let documents = matches.documents
    let units = matches.matcher.units
    self.units = units
    let costs = try matches.allCosts(cancellation)
    self.costs = costs
    typos = BitCounts(count: documents.count)
    words = BitCounts(count: documents.count)
    let covering = units.covering(wordCount: wordCount)
    // Without the overlapping units of several words, no two units overlap.
    let isShared = units.map { unit in
      unit.words.count > 1 && unit.words.contains { covering[$0].count > 1 }
    }
    let simpleUnits = units.indices.filter { !isShared[$0] }
      .sorted { units[$0].words.lowerBound < units[$1].words.lowerBound }
    self.simpleUnits = simpleUnits
    var seen: Set<Int> = []
    chainUnits = simpleUnits.filter { seen.insert(units[$0].expansion).inserted }
    chainWordCount = chainUnits.reduce(0) { $0 + units[$1].words.count }
    for (expansion, uses) in Self.uses(of: simpleUnits.map { units[$0] }) {
      try cancellation.count(1 + documents.count &>> 6)
      typos.add(costs[expansion].planes, times: uses.units)
      words.add([costs[expansion].documents], times: uses.words)
    }
    guard isShared.contains(true) else {
      covered = nil
      let matchesAll = try simpleUnits.allSatisfy { unit in
        try cancellation.count(1 + documents.count &>> 8)
        var others = documents
        others.subtract(costs[units[unit].expansion].documents)
        return others.isEmpty
      }
      allDocumentsMatchAllWords = matchesAll
      return
    }
    allDocumentsMatchAllWords = false
    var covered = Bitmap(count: documents.count)
    for (unit, isShared) in zip(units, isShared) where isShared {
      try cancellation.count(1 + documents.count &>> 8)
      covered.formUnion(costs[unit.expansion].documents)
    }
    covered.formIntersection(documents)
    self.covered = covered
    var cover = WordCover(wordCount: wordCount, units: units)
    try covered.forEach { document in
      try cancellation.count(1 + units.count &>> 3)
      cover.choose { cost(unit: $0, in: document) }
      typos[document] = cover.cost
      words[document] = cover.matchedWordCount
    }
  }

  /// Returns the number of units and of words that match by each expansion, in the order of the
  /// units.
  private static func uses(
    of units: [MatchUnit]
  ) -> [(expansion: Int, uses: (units: Int, words: Int))] {
    var result: [(expansion: Int, uses: (units: Int, words: Int))] = []
    var position: [Int: Int] = [:]
    for unit in units {
      let index = position[unit.expansion] ?? result.count
      if index == result.count {
        position[unit.expansion] = index
        result.append((unit.expansion, (0, 0)))
      }
      result[index].uses.units += 1
      result[index].uses.words += unit.words.count
    }
    return result
  }

  /// Whether the query is one word, possibly repeated, that matches in one way.
  var isSingleWord: Bool {
    chainUnits.count == 1 && chainWordCount == 1 && units.count == simpleUnits.count
  }

  /// Whether the units that match a document must be chosen among some that share words.
  @inline(__always)
  func needsCover(_ document: Int) -> Bool { covered?[document] == true }

  /// Returns the cost of an expansion in each of some documents, or ``absent``.
  func costs(of expansion: Int, in documents: [UInt32]) -> [UInt8] {
    let costs = costs[expansion]
    return documents.map { costs.cost(of: Int($0)) }
  }

  /// Returns the cost of a unit in a document, or ``absent``.
  @inline(__always)
  func cost(unit: Int, in document: Int) -> UInt8 {
    costs[units[unit].expansion].cost(of: document)
  }

  /// Returns the documents that an expansion matches at a cost, among some documents.
  func documents(of expansion: Int, cost: UInt8, among documents: Bitmap) -> Bitmap {
    var result = documents
    result.formIntersection(costs[expansion].documents)
    for (bit, plane) in costs[expansion].planes.enumerated() {
      if cost &>> UInt8(bit) & 1 != 0 {
        result.formIntersection(plane)
      } else {
        result.subtract(plane)
      }
    }
    return result
  }
}

/// The units that match the query words in a document, at the least total cost.
///
/// Every word that some unit matches is covered. Of equal covers, the one with the fewest units is
/// chosen, so that a word that a join covers is not matched a second time.
struct WordCover {
  /// The chosen units, in the order of the words.
  private(set) var units: [Int] = []
  /// The total cost.
  private(set) var cost = 0
  /// The number of words covered.
  private(set) var matchedWordCount = 0

  private let wordCount: Int
  private let allUnits: [MatchUnit]
  /// The units that cover each word.
  private let covering: [[Int]]
  /// For each number of words: the least cost of covering them, the number of units that this
  /// takes, and the last of them.
  private var least: [Int]
  private var unitCounts: [Int]
  private var choice: [Int]

  /// Creates a cover for a query of `wordCount` words that match by `units`.
  init(wordCount: Int, units: [MatchUnit]) {
    self.wordCount = wordCount
    allUnits = units
    covering = units.covering(wordCount: wordCount)
    least = Array(repeating: 0, count: wordCount + 1)
    unitCounts = least
    choice = Array(repeating: -1, count: wordCount + 1)
  }

  /// Chooses the units. `cost` returns the cost of each in the document, or
  /// ``MatchLevels/absent``.
  mutating func choose(cost: (Int) -> UInt8) {
    matchedWordCount = 0
    for end in 1..<wordCount + 1 {
      least[end] = .max
      choice[end] = -1
      for unit in covering[end - 1] {
        let unitCost = cost(unit)
        guard unitCost != MatchLevels.absent else { continue }
        let start = allUnits[unit].words.lowerBound
        let total = least[start] + Int(unitCost)
        if total < least[end] || (total == least[end] && unitCounts[start] + 1 < unitCounts[end]) {
          least[end] = total
          unitCounts[end] = unitCounts[start] + 1
          choice[end] = unit
        }
      }
      if choice[end] < 0 {
        least[end] = least[end - 1]
        unitCounts[end] = unitCounts[end - 1]
      } else {
        matchedWordCount += 1
      }
    }
    self.cost = least[wordCount]
    units.removeAll(keepingCapacity: true)
    var end = wordCount
    while end > 0 {
      let unit = choice[end]
      if unit >= 0 {
        units.append(unit)
        end = allUnits[unit].words.lowerBound
      } else {
        end -= 1
      }
    }
    units.reverse()
  }
}
