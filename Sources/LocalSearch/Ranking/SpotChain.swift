/// Finds the nearest matches of the units of one document, one of each, in the order of the query.
///
/// The proximity is the sum of the distances from each match to that of the next unit, plus those
/// of neighbours inside a unit, none of them below the minimum of the options. Of the choices with
/// the least sum, the one with the best attribute key counts. For each match of a unit the best
/// chain that ends in it is kept, so the cost is linear in the number of matches, times those
/// within reach of one.
struct SpotChain {
  /// How many distances are compared before they are counted as work.
  private static let countInterval = 4096

  private let table: SpotTable
  private let step: Int
  private let minimum: Int
  private let isKeyOfNearest: Bool
  /// The best sum and key of a chain that ends in each place of the unit that was added last.
  ///
  /// Equal words have the same places, so what is known of a place depends on the unit.
  private var ends: [End] = []
  private var previousEnds: [End] = []
  /// The places of the unit that was added last.
  private var previous = 0..<0
  private var previousWords: Range<Int>?
  private var bestKey = UInt32.max

  private struct End {
    var sum: Int32
    var key: UInt32
  }

  /// Creates an empty chain over the places of a table.
  init(_ table: SpotTable, options: RankingOptions) {
    self.table = table
    minimum = options.minimumProximity
    step = max(1, options.minimumProximity)
    isKeyOfNearest = options.isAttributeChosenByProximity
  }

  /// Forgets the document.
  mutating func removeAll() {
    previous = 0..<0
    previousWords = nil
    bestKey = .max
  }

  /// Adds the matches of the next unit: places of the table.
  mutating func addUnit(
    words: Range<Int>, spots: Range<Int>, _ checkpoint: Checkpoint
  ) throws {
    guard !spots.isEmpty else { return }
    if !isKeyOfNearest { for spot in spots { bestKey = min(bestKey, table.keys[spot]) } }
    swap(&ends, &previousEnds)
    ends.removeAll(keepingCapacity: true)
    if let before = previousWords {
      // Words that the unit before has covered already make no distance of their own.
      let isOverlapping = words.lowerBound < before.upperBound
      let inner = isOverlapping ? words.upperBound - before.upperBound : words.count - 1
      try connect(
        spots, isOverlapping: isOverlapping, inner: max(0, inner) * step, checkpoint)
    } else {
      try checkpoint.count(1 + spots.count &>> 3)
      let sum = Int32(truncatingIfNeeded: (words.count - 1) * step)
      for spot in spots { ends.append(End(sum: sum, key: table.keys[spot])) }
    }
    previous = spots
    previousWords = words
  }

  /// Connects the matches of a unit with those of the unit before.
  private mutating func connect(
    _ current: Range<Int>, isOverlapping: Bool, inner: Int, _ checkpoint: Checkpoint
  ) throws {
    var steps = 0
    let base = Self.best(of: previousEnds)
    let far = base.sum + (isOverlapping ? 0 : max(WordDistance.maximum, minimum))
    var first = previous.lowerBound
    for spot in current {
      var sum = far
      var key = min(base.key, table.keys[spot])
      if !isOverlapping {
        while first < previous.upperBound, isOutOfReach(first, before: spot) { first += 1 }
        let reach = Int(table.starts[spot]) + Int(table.spans[spot]) + WordDistance.maximum
        var other = first
        while other < previous.upperBound, Int(table.starts[other]) <= reach {
          let end = previousEnds[other &- previous.lowerBound]
          let newSum = Int(end.sum) + distance(other, spot)
          if newSum <= sum {
            let newKey = min(end.key, table.keys[spot])
            if newSum < sum || newKey < key {
              sum = newSum
              key = newKey
            }
          }
          other += 1
          steps += 1
        }
      }
      ends.append(End(sum: Int32(truncatingIfNeeded: sum + inner), key: key))
      steps += 1
      if steps >= Self.countInterval {
        try checkpoint.count(steps &>> 3)
        steps = 0
      }
    }
    try checkpoint.count(1 + steps &>> 3)
  }

  /// Whether a match is so far before another that it is no nearer than any match elsewhere.
  @inline(__always)
  private func isOutOfReach(_ other: Int, before spot: Int) -> Bool {
    let end = Int(table.starts[other]) + Int(table.spans[other])
    return end + WordDistance.maximum < Int(table.starts[spot])
  }

  /// The distance between two matches, at least the minimum.
  @inline(__always)
  private func distance(_ left: Int, _ right: Int) -> Int {
    let first = table.starts[left]
    let second = table.starts[right]
    guard first &>> SpotTable.positionBits == second &>> SpotTable.positionBits else {
      return max(WordDistance.maximum, minimum)
    }
    let distance = WordDistance.between(
      first: (Int(first), Int(first) + Int(table.spans[left])),
      second: (Int(second), Int(second) + Int(table.spans[right])))
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
  var result: (proximity: Int, place: UInt32) {
    guard !previous.isEmpty else { return (0, 0) }
    let best = Self.best(of: ends)
    return (best.sum, isKeyOfNearest ? best.key : bestKey)
  }
}

/// How far apart two words of a record stand.
///
/// Neighbours in the order of the query are 1 apart; in the other order one is added. Beyond
/// ``maximum``, in another value or in another attribute words count as that far apart.
enum WordDistance {
  /// The greatest distance.
  static let maximum = 8

  /// Returns the distance from a match that stands at `first` to the next at `second`, in one
  /// attribute.
  ///
  /// - Parameters:
  ///   - first: The positions of the first match, last one included.
  ///   - second: The positions of the second match, last one included.
  @inline(__always)
  static func between(first: (start: Int, end: Int), second: (start: Int, end: Int)) -> Int {
    let distance =
      second.start > first.end
      ? second.start - first.end : max(0, first.start - second.end) + 1
    return min(distance, maximum)
  }
}
