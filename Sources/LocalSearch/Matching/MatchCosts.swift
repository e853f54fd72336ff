/// For each matching document of a segment: what each unit costs in it, its typos and its matched words.
struct MatchCosts: Sendable {
  /// The matching documents; all tables are by their ordinals.
  let selection: Selection
  /// The typos of each document.
  private(set) var typos: [UInt16]
  /// The number of query words each document matches.
  private(set) var words: [UInt16]
  /// The cost of each unit in each document; ``absent`` where the unit does not match.
  private(set) var unitCosts: [[UInt8]]
  private let units: [MatchUnit]
  private let wordCount: Int

  /// The cost of a unit that does not match.
  static let absent = UInt8.max

  /// Reads the postings of all units.
  init(
    _ matches: SegmentMatches, wordCount: Int, checkCancellation: () throws -> Void
  ) throws {
    selection = Selection(matches.documents)
    units = matches.matcher.units
    self.wordCount = wordCount
    let count = selection.count
    typos = Array(repeating: 0, count: count)
    words = Array(repeating: 0, count: count)
    unitCosts = []
    for unit in units {
      var costs = [UInt8](repeating: Self.absent, count: count)
      for source in unit.sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        try source.forEachPosting(in: selection, checkCancellation: checkCancellation) {
          ordinal, _ in
          if cost < costs[ordinal] { costs[ordinal] = cost }
        }
      }
      unitCosts.append(costs)
    }
    try addUp(checkCancellation)
  }

  /// Adds the costs up: directly where each unit is one word, else over the cheapest cover.
  private mutating func addUp(_ checkCancellation: () throws -> Void) throws {
    let hasLongUnits = units.contains { $0.words.count > 1 }
    var cover = WordCover(wordCount: wordCount)
    for ordinal in 0..<selection.count {
      if ordinal & 0xFFF == 0 { try checkCancellation() }
      if hasLongUnits {
        self.cover(of: ordinal, into: &cover)
        typos[ordinal] = UInt16(truncatingIfNeeded: cover.cost)
        words[ordinal] = UInt16(truncatingIfNeeded: cover.matchedWordCount)
      } else {
        for unit in unitCosts.indices where unitCosts[unit][ordinal] != Self.absent {
          typos[ordinal] &+= UInt16(unitCosts[unit][ordinal])
          words[ordinal] &+= 1
        }
      }
    }
  }

  /// Chooses the units that match the words of a document at the least cost.
  func cover(of ordinal: Int, into cover: inout WordCover) {
    cover.choose(units: units) { unitCosts[$0][ordinal] }
  }
}

/// The units by which a document matches the query words, at the least total cost.
///
/// Every word that some unit matches is covered. Of equal covers the one with single words is taken.
struct WordCover {
  /// The units chosen, in the order of the words.
  private(set) var units: [Int] = []
  /// The total cost.
  private(set) var cost = 0
  /// The number of words covered.
  private(set) var matchedWordCount = 0

  private let wordCount: Int
  private var least: [Int]
  private var choice: [Int]

  /// Creates a cover for queries of `wordCount` words.
  init(wordCount: Int) {
    self.wordCount = wordCount
    least = Array(repeating: 0, count: wordCount + 1)
    choice = Array(repeating: -1, count: wordCount + 1)
  }

  /// Chooses among `units`; `cost` gives the cost of each in the document, or ``MatchCosts/absent``.
  mutating func choose(units all: [MatchUnit], cost: (Int) -> UInt8) {
    matchedWordCount = 0
    for end in 1..<wordCount + 1 {
      least[end] = .max
      choice[end] = -1
      for unit in all.indices where all[unit].words.contains(end - 1) {
        let unitCost = cost(unit)
        guard unitCost != MatchCosts.absent else { continue }
        let total = least[all[unit].words.lowerBound] + Int(unitCost)
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
        end = all[unit].words.lowerBound
      } else {
        end -= 1
      }
    }
    units.reverse()
  }
}
