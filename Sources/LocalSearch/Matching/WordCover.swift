/// The units by which a document matches the query words, at the least total cost.
///
/// Every word that some unit matches is covered. Of equal covers the one with single words is
/// taken.
struct WordCover {
  /// The units chosen, in the order of the words.
  private(set) var units: [Int] = []
  /// The total cost.
  private(set) var cost = 0
  /// The number of words covered.
  private(set) var matchedWordCount = 0

  private let wordCount: Int
  private let allUnits: [MatchUnit]
  /// For each word the units that cover it.
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

  /// Takes every matching unit of a single word; right where no longer unit matches.
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

  /// Chooses among all units; `cost` gives the cost of each in the document, or
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
