/// The cost of each unit, the typos and the matched words of each matching document of a segment.
struct MatchCosts: Sendable {
  /// The matching documents. All tables are in the order of their ordinals.
  let selection: Selection
  /// The typos of each document.
  private(set) var typos: [UInt16]
  /// The number of query words each document matches.
  private(set) var words: [UInt16]
  /// The ways to match the query words.
  let units: [MatchUnit]
  /// The expansions of the units.
  let expansions: [Expansion]
  /// The cost of each expansion in each document, expansion by expansion.
  private var costs: [UInt8]
  private let wordCount: Int
  /// The index of the first unit of several words, or the number of units.
  private let firstLongUnit: Int
  /// The expansions of the units of several words, each once.
  private let longExpansions: [Int]

  /// The cost of a unit that does not match.
  static let absent = UInt8.max

  /// Reads the postings of all expansions.
  init(_ matches: SegmentMatches, wordCount: Int, _ cancellation: CancellationCheck) throws {
    selection = Selection(matches.documents)
    units = matches.matcher.units
    expansions = matches.matcher.expansions
    self.wordCount = wordCount
    firstLongUnit = units.firstIndex { $0.words.count > 1 } ?? units.count
    longExpansions = Set(units[firstLongUnit...].map(\.expansion)).sorted()
    let count = selection.count
    typos = Array(repeating: 0, count: count)
    words = Array(repeating: 0, count: count)
    try cancellation.count(bytes: count * expansions.count)
    var costs = [UInt8](repeating: Self.absent, count: count * expansions.count)
    for (number, expansion) in expansions.enumerated() {
      let base = number * count
      for source in expansion.sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        try source.forEachPosting(in: selection, cancellation) { ordinal, _ in
          if cost < costs[base &+ ordinal] { costs[base &+ ordinal] = cost }
        }
      }
    }
    self.costs = costs
    try addUp(cancellation)
  }

  /// Adds the costs: directly if single words match, otherwise over the cheapest cover.
  private mutating func addUp(_ cancellation: CancellationCheck) throws {
    let count = selection.count
    var wordCounts = [UInt16](repeating: 0, count: expansions.count)
    for unit in units[..<firstLongUnit] { wordCounts[unit.expansion] &+= 1 }
    for (expansion, wordCount) in wordCounts.enumerated() where wordCount > 0 {
      try cancellation.count(1 + count &>> 4)
      let base = expansion * count
      for ordinal in 0..<count {
        let cost = costs[base &+ ordinal]
        guard cost != Self.absent else { continue }
        typos[ordinal] &+= UInt16(truncatingIfNeeded: cost) &* wordCount
        words[ordinal] &+= wordCount
      }
    }
    guard firstLongUnit < units.count else { return }
    var cover = WordCover(wordCount: wordCount, units: units)
    for ordinal in 0..<count {
      try cancellation.count(1 + longExpansions.count &>> 4)
      guard hasLongUnit(ordinal) else { continue }
      try self.cover(of: ordinal, into: &cover, cancellation)
      typos[ordinal] = UInt16(truncatingIfNeeded: cover.cost)
      words[ordinal] = UInt16(truncatingIfNeeded: cover.matchedWordCount)
    }
  }

  /// Returns the cost of an expansion in a document, or ``absent``.
  @inline(__always)
  func cost(expansion: Int, ordinal: Int) -> UInt8 {
    costs[expansion &* selection.count &+ ordinal]
  }

  /// Returns the cost of a unit in a document, or ``absent``.
  @inline(__always)
  func cost(unit: Int, ordinal: Int) -> UInt8 {
    cost(expansion: units[unit].expansion, ordinal: ordinal)
  }

  private func hasLongUnit(_ ordinal: Int) -> Bool {
    longExpansions.contains { cost(expansion: $0, ordinal: ordinal) != Self.absent }
  }

  /// Chooses the units that match the words of a document at the least cost.
  func cover(of ordinal: Int, into cover: inout WordCover, _ cancellation: CancellationCheck) throws
  {
    try cancellation.count(1 + wordCount &>> 3)
    if hasLongUnit(ordinal) {
      cover.choose { cost(unit: $0, ordinal: ordinal) }
    } else {
      cover.takeWords(0..<firstLongUnit) { cost(unit: $0, ordinal: ordinal) }
    }
  }
}

/// The units that match the query words in a document, at the least total cost.
///
/// Every word that some unit matches is covered. Of equal covers, the one with single words is
/// chosen.
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
  private var least: [Int]
  private var choice: [Int]

  /// Creates a cover for a query of `wordCount` words that match by `units`.
  init(wordCount: Int, units: [MatchUnit]) {
    self.wordCount = wordCount
    allUnits = units
    covering = units.covering(wordCount: wordCount)
    least = Array(repeating: 0, count: wordCount + 1)
    choice = Array(repeating: -1, count: wordCount + 1)
  }

  /// Chooses every matching unit of a single word. Correct if no unit of several words matches.
  mutating func takeWords(_ words: Range<Int>, cost unitCost: (Int) -> UInt8) {
    units.removeAll(keepingCapacity: true)
    cost = 0
    for unit in words {
      let unitCost = unitCost(unit)
      guard unitCost != MatchCosts.absent else { continue }
      cost += Int(unitCost)
      units.append(unit)
    }
    matchedWordCount = units.count
  }

  /// Chooses among all units. `cost` returns the cost of each in the document, or
  /// ``MatchCosts/absent``.
  mutating func choose(cost: (Int) -> UInt8) {
    matchedWordCount = 0
    for end in 1..<wordCount + 1 {
      least[end] = .max
      choice[end] = -1
      for unit in covering[end - 1] {
        let unitCost = cost(unit)
        guard unitCost != MatchCosts.absent else { continue }
        let total = least[allUnits[unit].words.lowerBound] + Int(unitCost)
        if total < least[end] {
          least[end] = total
          choice[end] = unit
        }
      }
      if choice[end] < 0 { least[end] = least[end - 1] } else { matchedWordCount += 1 }
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
