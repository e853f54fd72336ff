/// Finds the nearest matches of the units of one document, one of each, in the order of the query.
///
/// The proximity is the sum of the distances from each match to that of the next unit, plus those of neighbours
/// inside a unit, none of them below the minimum of the options. Of the choices with the least sum, the one with the
/// best attribute key counts. For each match of a unit the best chain that ends in it is kept, so the cost is linear
/// in the number of matches, times those within reach of one.
struct SpotChain {
  /// How many distances are compared between two checks.
  private static let checkInterval = 0x10000

  private let table: SpotTable
  private let step: Int
  private let minimum: Int
  private let isKeyOfNearest: Bool
  /// The best sum and key of a chain that ends in each place of the table.
  private var sums: [Int32]
  private var keys: [UInt32]
  private var previous = 0..<0
  private var previousWords: Range<Int>?
  private var bestKey = UInt32.max

  /// Creates an empty chain over the places of a table.
  init(_ table: SpotTable, options: RankingOptions) {
    self.table = table
    minimum = options.minimumProximity
    step = max(1, options.minimumProximity)
    isKeyOfNearest = options.isAttributeChosenByProximity
    sums = Array(repeating: 0, count: table.starts.count)
    keys = table.keys
  }

  /// Forgets the document.
  mutating func removeAll() {
    previous = 0..<0
    previousWords = nil
    bestKey = .max
  }

  /// Adds the matches of the next unit: places of the table.
  mutating func addUnit(
    words: Range<Int>, spots: Range<Int>, checkCancellation: () throws -> Void
  ) rethrows {
    guard !spots.isEmpty else { return }
    if !isKeyOfNearest { for spot in spots { bestKey = min(bestKey, keys[spot]) } }
    if let before = previousWords {
      // Words that the unit before has covered already make no distance of their own.
      let isOverlapping = words.lowerBound < before.upperBound
      let inner = isOverlapping ? words.upperBound - before.upperBound : words.count - 1
      try connect(
        spots, isOverlapping: isOverlapping, inner: max(0, inner) * step,
        checkCancellation: checkCancellation)
    } else if words.count > 1 {
      for spot in spots { sums[spot] = Int32(truncatingIfNeeded: (words.count - 1) * step) }
    }
    previous = spots
    previousWords = words
  }

  /// Connects the matches of a unit with those of the unit before.
  private mutating func connect(
    _ current: Range<Int>, isOverlapping: Bool, inner: Int, checkCancellation: () throws -> Void
  ) rethrows {
    var steps = 0
    let base = best(of: previous)
    let far = base.sum + (isOverlapping ? 0 : max(WordDistance.maximum, minimum))
    var first = previous.lowerBound
    for spot in current {
      var sum = far
      var key = min(base.key, keys[spot])
      if !isOverlapping {
        while first < previous.upperBound, isOutOfReach(first, before: spot) { first += 1 }
        let reach = Int(table.starts[spot]) + Int(table.spans[spot]) + WordDistance.maximum
        var other = first
        while other < previous.upperBound, Int(table.starts[other]) <= reach {
          let newSum = Int(sums[other]) + distance(other, spot)
          if newSum <= sum {
            let newKey = min(keys[other], keys[spot])
            if newSum < sum || newKey < key {
              sum = newSum
              key = newKey
            }
          }
          other += 1
          steps += 1
        }
      }
      steps += 1
      sums[spot] = Int32(truncatingIfNeeded: sum + inner)
      keys[spot] = key
      if steps >= Self.checkInterval {
        steps = 0
        try checkCancellation()
      }
    }
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

  private func best(of spots: Range<Int>) -> (sum: Int, key: UInt32) {
    var sum = sums[spots.lowerBound]
    var key = keys[spots.lowerBound]
    for spot in spots.dropFirst() where sums[spot] < sum || (sums[spot] == sum && keys[spot] < key)
    {
      sum = sums[spot]
      key = keys[spot]
    }
    return (Int(sum), key)
  }

  /// The proximity of the chain, 0 for one word or none, and the key of the best attribute and position.
  var result: (proximity: Int, place: UInt32) {
    guard !previous.isEmpty else { return (0, 0) }
    let best = best(of: previous)
    return (best.sum, isKeyOfNearest ? best.key : bestKey)
  }
}
