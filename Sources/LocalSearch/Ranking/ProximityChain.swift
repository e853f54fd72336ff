/// Finds the nearest matches of the units of one document, one of each, in the order of the query.
///
/// The proximity is the sum of the distances from each match to that of the next unit, and between
/// neighbors inside a unit, each at least the minimum of the options. Of the choices with the least
/// sum, the one with the best attribute key counts. The best chain that ends in each match of a
/// unit is kept, so the cost is linear in the number of matches, times the number of matches within
/// reach of one.
struct ProximityChain {
  /// The positions of all units: an ``Occurrence`` without its lowest bit, which is field and
  /// position.
  private var starts: [UInt32] = []
  /// The distance from each position to the last word of the match.
  private var spans: [UInt16] = []
  /// The keys of the positions for the Attribute criterion.
  private var keys: [UInt32] = []
  private let step: Int
  private let minimum: Int
  private let isKeyOfNearest: Bool
  /// The best sum and key of a chain that ends in each position of the last unit.
  ///
  /// Equal words have the same positions, so the values of a position depend on the unit.
  private var ends: [End] = []
  private var previousEnds: [End] = []
  /// The positions of the last unit.
  private var previous = 0..<0
  private var previousWords: Range<Int>?
  private var bestKey = UInt32.max

  private struct End {
    var sum: Int32
    var key: UInt32
  }

  /// The number of bits of the position in an element of ``starts``.
  private static let positionBits: UInt32 = 20

  /// Creates an empty chain.
  init(_ options: RankingOptions) {
    minimum = options.minimumProximity
    step = max(1, options.minimumProximity)
    isKeyOfNearest = options.isAttributeChosenByProximity
  }

  /// Removes the chain of a document.
  mutating func removeAll() {
    starts.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    previous = 0..<0
    previousWords = nil
    bestKey = .max
  }

  /// Adds the matches of the next unit.
  ///
  /// - Parameter matches: The matches, ascending and each once.
  mutating func addUnit(
    words: Range<Int>, _ matches: [UnitMatch], keys fieldKeys: FieldKeys,
    _ cancellation: CancellationCheck
  ) throws {
    let start = starts.count
    for (index, match) in matches.enumerated() {
      try cancellation.count(element: index)
      starts.append(match.start)
      spans.append(match.span)
      keys.append(fieldKeys.key(of: Occurrence(packed: match.start &<< 1)))
    }
    let positions = start..<starts.count
    guard !positions.isEmpty else { return }
    if !isKeyOfNearest {
      for position in positions { bestKey = min(bestKey, keys[position]) }
    }
    swap(&ends, &previousEnds)
    ends.removeAll(keepingCapacity: true)
    if let before = previousWords {
      // Words that the previous unit covers add no distance.
      let isOverlapping = words.lowerBound < before.upperBound
      let inner = isOverlapping ? words.upperBound - before.upperBound : words.count - 1
      try connect(
        positions, isOverlapping: isOverlapping, inner: max(0, inner) * step, cancellation)
    } else {
      try cancellation.count(1 + positions.count &>> 3)
      let sum = Int32(truncatingIfNeeded: (words.count - 1) * step)
      for position in positions { ends.append(End(sum: sum, key: keys[position])) }
    }
    previous = positions
    previousWords = words
  }

  /// Returns the sum of the distances of some of the units if all were next to each other.
  func leastSum(of chosen: [Int], _ units: [MatchUnit]) -> Int {
    var sum = 0
    var previous: Range<Int>?
    for unit in chosen {
      let words = units[unit].words
      if let before = previous, words.lowerBound < before.upperBound {
        sum += max(0, words.upperBound - before.upperBound) * step
      } else {
        sum += (words.count - (previous == nil ? 1 : 0)) * step
      }
      previous = words
    }
    return sum
  }

  /// Connects the matches of a unit with those of the previous one.
  private mutating func connect(
    _ current: Range<Int>, isOverlapping: Bool, inner: Int, _ cancellation: CancellationCheck
  ) throws {
    let base = Self.best(of: previousEnds)
    let far = base.sum + (isOverlapping ? 0 : max(WordDistance.maximum, minimum))
    var first = previous.lowerBound
    for position in current {
      var sum = far
      var key = min(base.key, keys[position])
      if !isOverlapping {
        while first < previous.upperBound, isOutOfReach(first, before: position) { first += 1 }
        let reach = Int(starts[position]) + Int(spans[position]) + WordDistance.maximum
        var other = first
        while other < previous.upperBound, Int(starts[other]) <= reach {
          let end = previousEnds[other &- previous.lowerBound]
          let newSum = Int(end.sum) + distance(other, position)
          if newSum <= sum {
            let newKey = min(end.key, keys[position])
            if newSum < sum || newKey < key {
              sum = newSum
              key = newKey
            }
          }
          other += 1
        }
        try cancellation.count((other - first) &>> 3)
      }
      ends.append(End(sum: Int32(truncatingIfNeeded: sum + inner), key: key))
      try cancellation.count(element: position)
    }
  }

  /// Whether a match is so far before another that it is no nearer than a match elsewhere.
  @inline(__always)
  private func isOutOfReach(_ other: Int, before position: Int) -> Bool {
    let end = Int(starts[other]) + Int(spans[other])
    return end + WordDistance.maximum < Int(starts[position])
  }

  /// Returns the distance between two matches, at least the minimum.
  @inline(__always)
  private func distance(_ left: Int, _ right: Int) -> Int {
    let first = starts[left]
    let second = starts[right]
    guard first &>> Self.positionBits == second &>> Self.positionBits
    else {
      return max(WordDistance.maximum, minimum)
    }
    let distance = WordDistance.between(
      first: (Int(first), Int(first) + Int(spans[left])),
      second: (Int(second), Int(second) + Int(spans[right])))
    return max(distance, minimum)
  }

  private static func best(of ends: [End]) -> (sum: Int, key: UInt32) {
    var best = ends[0]
    for end in ends.dropFirst()
    where end.sum < best.sum || (end.sum == best.sum && end.key < best.key) {
      best = end
    }
    return (Int(best.sum), best.key)
  }

  /// The proximity of the chain, 0 for one word or none, and the key of the best attribute and
  /// position.
  var result: (proximity: Int, key: UInt32) {
    guard !previous.isEmpty else { return (0, 0) }
    let best = Self.best(of: ends)
    return (best.sum, isKeyOfNearest ? best.key : bestKey)
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

  /// Returns the distance from a match at `first` to the next at `second`, in one attribute.
  ///
  /// - Parameters:
  ///   - first: The positions of the first match, including the last one.
  ///   - second: The positions of the second match, including the last one.
  @inline(__always)
  static func between(first: (start: Int, end: Int), second: (start: Int, end: Int)) -> Int {
    let distance =
      second.start > first.end
      ? second.start - first.end : max(0, first.start - second.end) + 1
    return min(distance, maximum)
  }
}
