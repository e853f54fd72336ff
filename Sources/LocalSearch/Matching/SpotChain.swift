/// Finds the nearest matches of the units of one document, one of each, in the order of the query.
///
/// The proximity is the sum of the distances from each match to that of the next unit, plus those of neighbours
/// inside a unit, none of them below the minimum of the options. Of the choices with the least sum, the one with the
/// best attribute key counts. Only the last unit's matches are kept, each with the best sum that ends in it, so the
/// cost is linear in the number of matches, times those within reach of one.
struct SpotChain {
  /// A match with the best chain that ends in it.
  private struct Link {
    let spot: Spot
    var sum: Int
    var key: UInt32
  }

  private let minimum: Int
  private let isKeyOfNearest: Bool
  private var previous: [Link] = []
  private var current: [Link] = []
  private var previousWords: Range<Int>?
  private var currentWords = 0..<0
  private var bestKey = UInt32.max

  /// Creates an empty chain.
  init(options: RankingOptions) {
    minimum = options.minimumProximity
    isKeyOfNearest = options.isAttributeChosenByProximity
  }

  /// Forgets everything.
  mutating func removeAll() {
    previous.removeAll(keepingCapacity: true)
    previousWords = nil
    bestKey = .max
  }

  /// Begins the matches of the next unit.
  mutating func beginUnit(words: Range<Int>) {
    current.removeAll(keepingCapacity: true)
    currentWords = words
  }

  /// Adds a match of the current unit.
  mutating func add(_ spot: Spot) {
    current.append(Link(spot: spot, sum: 0, key: spot.key))
    bestKey = min(bestKey, spot.key)
  }

  /// Ends the current unit and connects it with the one before.
  mutating func endUnit() {
    guard !current.isEmpty else { return }
    if current.count > 1 { current.sort { $0.spot.start < $1.spot.start } }
    let step = max(1, minimum)
    if let before = previousWords {
      // Words that the unit before has covered already make no distance of their own.
      let isOverlapping = currentWords.lowerBound < before.upperBound
      let inner =
        isOverlapping
        ? currentWords.upperBound - before.upperBound : currentWords.count - 1
      connect(isOverlapping: isOverlapping, inner: max(0, inner) * step)
    } else {
      for index in current.indices { current[index].sum = (currentWords.count - 1) * step }
    }
    swap(&previous, &current)
    previousWords = currentWords
  }

  private mutating func connect(isOverlapping: Bool, inner: Int) {
    let reach = WordDistance.maximum + (previous.map(\.spot.span).max() ?? 0)
    let far = max(WordDistance.maximum, minimum)
    var base = previous[0]
    for link in previous where (link.sum, link.key) < (base.sum, base.key) { base = link }
    var first = 0
    for index in current.indices {
      let spot = current[index].spot
      var best = (sum: base.sum + (isOverlapping ? 0 : far), key: min(base.key, spot.key))
      while first < previous.count, previous[first].spot.start + reach < spot.start { first += 1 }
      var other = first
      while !isOverlapping, other < previous.count,
        previous[other].spot.start <= spot.start + spot.span + WordDistance.maximum
      {
        let link = previous[other]
        if link.spot.field == spot.field {
          let distance = WordDistance.between(
            first: (link.spot.start, link.spot.start + link.spot.span),
            second: (spot.start, spot.start + spot.span))
          let candidate = (sum: link.sum + max(distance, minimum), key: min(link.key, spot.key))
          if candidate < best { best = candidate }
        }
        other += 1
      }
      current[index].sum = best.sum + inner
      current[index].key = best.key
    }
  }

  private var best: Link? { previous.min { ($0.sum, $0.key) < ($1.sum, $1.key) } }

  /// The proximity of the chain; 0 for one word or none.
  var proximity: Int { best?.sum ?? 0 }

  /// The key of the best attribute and position, or `nil` without matches.
  var place: UInt32? { isKeyOfNearest ? best?.key : bestKey == .max ? nil : bestKey }
}
