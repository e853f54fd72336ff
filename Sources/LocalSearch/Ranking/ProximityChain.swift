/// Finds the nearest matches of the units of one document, one of each, in the order of the query.
/// A word that the query repeats is one unit.
///
/// The proximity is the sum of the distances from each match to the next unit's match, and between
/// neighbors inside a unit, each at least the minimum of the options. Among chains with the least
/// sum, the best attribute key counts. The best chain that ends in each match of a unit is kept, so
/// the cost is linear in the number of matches, times the number of matches within reach of one.
struct ProximityChain {
  private let keys: FieldKeys
  private let minimum: Int
  private let isKeyOfNearest: Bool
  /// The best chains that end in each match of the last unit, and of the one before.
  private var ends: [End] = []
  private var previousEnds: [End] = []
  private var lastWords: Range<Int>?
  private var bestKey = UInt32.max

  /// The best chain that ends in a match.
  private struct End {
    var match: UnitMatch
    var sum: Int32
    var key: UInt32
  }

  /// Creates an empty chain.
  init(_ options: RankingOptions, keys: FieldKeys) {
    self.keys = keys
    minimum = max(1, options.minimumProximity)
    isKeyOfNearest = options.isAttributeChosenByProximity
  }

  /// Removes the chain of a document.
  mutating func removeAll() {
    ends.removeAll(keepingCapacity: true)
    lastWords = nil
    bestKey = .max
  }

  /// Adds the matches of the next unit.
  ///
  /// - Parameter matches: The matches, ascending and each once.
  mutating func addUnit(
    words: Range<Int>, _ matches: [UnitMatch], _ cancellation: CancellationCheck
  ) throws {
    guard !matches.isEmpty else { return }
    swap(&ends, &previousEnds)
    ends.removeAll(keepingCapacity: true)
    if let before = lastWords {
      // Words that the previous unit covers add no distance.
      let isOverlapping = words.lowerBound < before.upperBound
      let inner = isOverlapping ? words.upperBound - before.upperBound : words.count - 1
      try connect(
        matches, isOverlapping: isOverlapping, inner: max(0, inner) * minimum, cancellation)
    } else {
      let sum = Int32(truncatingIfNeeded: (words.count - 1) * minimum)
      for (index, match) in matches.enumerated() {
        try cancellation.count(element: index)
        append(match, sum: sum, key: .max)
      }
    }
    lastWords = words
  }

  @inline(__always)
  private mutating func append(_ match: UnitMatch, sum: Int32, key: UInt32) {
    let ownKey = keys.key(of: Occurrence(packed: match.start &<< 1))
    if ownKey < bestKey { bestKey = ownKey }
    ends.append(End(match: match, sum: sum, key: min(key, ownKey)))
  }

  /// Connects the matches of a unit with the matches of the previous one.
  private mutating func connect(
    _ matches: [UnitMatch], isOverlapping: Bool, inner: Int, _ cancellation: CancellationCheck
  ) throws {
    let base = Self.best(of: previousEnds)
    let far = Int(base.sum) + (isOverlapping ? 0 : max(WordDistance.maximum, minimum))
    var first = 0
    for (index, match) in matches.enumerated() {
      try cancellation.count(element: index)
      var sum = far
      var key = base.key
      if !isOverlapping {
        // A match beyond the maximum distance is no nearer than a match elsewhere.
        while first < previousEnds.count,
          previousEnds[first].match.end &+ WordDistance.maximum < Int(match.start)
        { first &+= 1 }
        let reach = match.end &+ WordDistance.maximum
        let ownKey = keys.key(of: Occurrence(packed: match.start &<< 1))
        var other = first
        while other < previousEnds.count, Int(previousEnds[other].match.start) <= reach {
          let end = previousEnds[other]
          other &+= 1
          let newSum = Int(end.sum) &+ max(minimum, WordDistance.between(end.match, match))
          if newSum > sum { continue }
          if newSum < sum || min(end.key, ownKey) < min(key, ownKey) {
            sum = newSum
            key = end.key
          }
        }
        if other &- first > 8 { try cancellation.count((other &- first) &>> 3) }
      }
      append(match, sum: Int32(truncatingIfNeeded: sum &+ inner), key: key)
    }
  }

  private static func best(of ends: [End]) -> End {
    var best = ends[0]
    for end in ends.dropFirst()
    where end.sum < best.sum || (end.sum == best.sum && end.key < best.key) {
      best = end
    }
    return best
  }

  /// The least sum of the chains, 0 without matches.
  var leastSum: Int {
    var least = ends.first?.sum ?? 0
    for end in ends.dropFirst() where end.sum < least { least = end.sum }
    return Int(least)
  }

  /// The proximity of the chain, 0 for one word or none, and the key of the best attribute and
  /// position.
  var result: (proximity: Int, key: UInt32) {
    guard !ends.isEmpty else { return (0, 0) }
    let best = Self.best(of: ends)
    return (Int(best.sum), isKeyOfNearest ? best.key : bestKey)
  }
}

/// The distance between two words of a record.
///
/// Neighbors in the order of the query have distance 1. In the other order one is added. The
/// distance is ``maximum`` for words that are farther apart, in another value or in another
/// attribute.
enum WordDistance {
  /// The greatest distance.
  static let maximum = 8
  /// The number of bits of the position in an occurrence without its lowest bit. The others are its
  /// field.
  private static let positionBits: UInt32 = 20

  /// Returns the distance from one match to the next.
  @inline(__always)
  static func between(_ first: UnitMatch, _ second: UnitMatch) -> Int {
    guard first.start &>> positionBits == second.start &>> positionBits else { return maximum }
    let distance =
      Int(second.start) > first.end
      ? Int(second.start) &- first.end : max(0, Int(first.start) &- second.end) &+ 1
    return min(distance, maximum)
  }
}
