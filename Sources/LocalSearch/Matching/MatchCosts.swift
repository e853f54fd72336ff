/// For each matching document of a segment: what each unit costs in it, its typos and its matched words.
struct MatchCosts: Sendable {
  /// The matching documents; all tables are by their ordinals.
  let selection: Selection
  /// The typos of each document.
  private(set) var typos: [UInt16]
  /// The number of query words each document matches.
  private(set) var words: [UInt16]
  /// The ways to match the query words.
  let units: [MatchUnit]
  /// The cost of each unit in each document, unit by unit.
  private var unitCosts: [UInt8]
  private let wordCount: Int
  /// The first unit of several words, and the number of units if there is none.
  private let firstLongUnit: Int

  /// The cost of a unit that does not match.
  static let absent = UInt8.max

  /// Reads the postings of all units.
  init(
    _ matches: SegmentMatches, wordCount: Int, checkCancellation: () throws -> Void
  ) throws {
    selection = Selection(matches.documents)
    units = matches.matcher.units
    self.wordCount = wordCount
    firstLongUnit = units.firstIndex { $0.words.count > 1 } ?? units.count
    let count = selection.count
    typos = Array(repeating: 0, count: count)
    words = Array(repeating: 0, count: count)
    var costs = [UInt8](repeating: Self.absent, count: count * units.count)
    for (number, unit) in units.enumerated() {
      let base = number * count
      for source in unit.sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        try source.forEachPosting(in: selection, checkCancellation: checkCancellation) {
          ordinal, _ in
          if cost < costs[base &+ ordinal] { costs[base &+ ordinal] = cost }
        }
      }
    }
    unitCosts = costs
    try addUp(checkCancellation)
  }

  /// Adds the costs up: directly where single words match, else over the cheapest cover.
  private mutating func addUp(_ checkCancellation: () throws -> Void) throws {
    let count = selection.count
    for unit in 0..<firstLongUnit {
      try checkCancellation()
      let base = unit * count
      for ordinal in 0..<count {
        let cost = unitCosts[base &+ ordinal]
        guard cost != Self.absent else { continue }
        typos[ordinal] &+= UInt16(truncatingIfNeeded: cost)
        words[ordinal] &+= 1
      }
    }
    guard firstLongUnit < units.count else { return }
    var cover = WordCover(wordCount: wordCount)
    for ordinal in 0..<count where hasLongUnit(ordinal) {
      if ordinal & 0xFFF == 0 { try checkCancellation() }
      self.cover(of: ordinal, into: &cover)
      typos[ordinal] = UInt16(truncatingIfNeeded: cover.cost)
      words[ordinal] = UInt16(truncatingIfNeeded: cover.matchedWordCount)
    }
  }

  /// The cost of a unit in a document, or ``absent``.
  @inline(__always)
  func cost(unit: Int, ordinal: Int) -> UInt8 { unitCosts[unit &* selection.count &+ ordinal] }

  private func hasLongUnit(_ ordinal: Int) -> Bool {
    for unit in firstLongUnit..<units.count where cost(unit: unit, ordinal: ordinal) != Self.absent
    {
      return true
    }
    return false
  }

  /// Chooses the units that match the words of a document at the least cost.
  func cover(of ordinal: Int, into cover: inout WordCover) {
    if hasLongUnit(ordinal) {
      cover.choose(units: units) { cost(unit: $0, ordinal: ordinal) }
    } else {
      cover.takeWords(0..<firstLongUnit) { cost(unit: $0, ordinal: ordinal) }
    }
  }
}
