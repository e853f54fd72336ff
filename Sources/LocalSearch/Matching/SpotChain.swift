/// Finds the nearest matches of the units of one document, one of each, in the order of the query.
///
/// The proximity is the sum of the distances from each match to that of the next unit, plus those of neighbours
/// inside a unit, none of them below the minimum of the options. Of the choices with the least sum, the one with the
/// best attribute key counts. Only the last unit's matches are kept, each with the best sum that ends in it, so the
/// cost is linear in the number of matches, times those within reach of one.
struct SpotChain {
  /// A match with the best chain that ends in it.
  private struct Link {
    /// Field and position of the first word.
    let start: Int
    /// How many positions after it the last word stands.
    let span: Int
    var sum: Int
    var key: UInt32

    static let positionBits = 20

    func isBetter(than other: Link) -> Bool { sum != other.sum ? sum < other.sum : key < other.key }
  }

  private let keys: FieldKeys
  private let minimum: Int
  private let isKeyOfNearest: Bool
  private var previous: [Link] = []
  private var current: [Link] = []
  private var previousWords: Range<Int>?
  private var bestKey = UInt32.max

  /// Creates an empty chain.
  init(keys: FieldKeys, options: RankingOptions) {
    self.keys = keys
    minimum = options.minimumProximity
    isKeyOfNearest = options.isAttributeChosenByProximity
  }

  /// Forgets everything.
  mutating func removeAll() {
    previous.removeAll(keepingCapacity: true)
    previousWords = nil
    bestKey = .max
  }

  /// Adds the matches of the next unit: a list of `spots`.
  mutating func addUnit(words: Range<Int>, spots: SpotTable, list: Int) {
    guard list >= 0 else { return }
    current.removeAll(keepingCapacity: true)
    var entry = list
    repeat {
      let start = spots.starts[entry]
      let key = keys.key(of: Occurrence(packed: start &<< 1))
      current.append(Link(start: Int(start), span: Int(spots.spans[entry]), sum: 0, key: key))
      bestKey = min(bestKey, key)
      entry = Int(spots.next[entry])
    } while entry >= 0
    let step = max(1, minimum)
    if let before = previousWords {
      // Words that the unit before has covered already make no distance of their own.
      let isOverlapping = words.lowerBound < before.upperBound
      let inner = isOverlapping ? words.upperBound - before.upperBound : words.count - 1
      connect(isOverlapping: isOverlapping, inner: max(0, inner) * step)
    } else {
      for index in current.indices { current[index].sum = (words.count - 1) * step }
    }
    swap(&previous, &current)
    previousWords = words
  }

  private mutating func connect(isOverlapping: Bool, inner: Int) {
    if previous.count == 1, current.count == 1, !isOverlapping {
      let before = previous[0]
      current[0].sum = before.sum + distance(before, current[0]) + inner
      current[0].key = min(before.key, current[0].key)
      return
    }
    if current.count > 1 { current.sort { $0.start < $1.start } }
    if previous.count > 1 { previous.sort { $0.start < $1.start } }
    let reach = WordDistance.maximum + previous.reduce(0) { max($0, $1.span) }
    let far = isOverlapping ? 0 : max(WordDistance.maximum, minimum)
    var base = previous[0]
    for link in previous where link.isBetter(than: base) { base = link }
    var first = 0
    for index in current.indices {
      let link = current[index]
      var best = link
      best.sum = base.sum + far
      best.key = min(base.key, link.key)
      while first < previous.count, previous[first].start + reach < link.start { first += 1 }
      var other = first
      while !isOverlapping, other < previous.count,
        previous[other].start <= link.start + link.span + WordDistance.maximum
      {
        let before = previous[other]
        var candidate = link
        candidate.sum = before.sum + distance(before, link)
        candidate.key = min(before.key, link.key)
        if candidate.isBetter(than: best) { best = candidate }
        other += 1
      }
      current[index].sum = best.sum + inner
      current[index].key = best.key
    }
  }

  /// The distance between two matches, at least the minimum.
  @inline(__always)
  private func distance(_ left: Link, _ right: Link) -> Int {
    guard left.start &>> Link.positionBits == right.start &>> Link.positionBits else {
      return max(WordDistance.maximum, minimum)
    }
    let distance = WordDistance.between(
      first: (left.start, left.start + left.span), second: (right.start, right.start + right.span))
    return max(distance, minimum)
  }

  private var best: Link? {
    guard var best = previous.first else { return nil }
    for link in previous.dropFirst() where link.isBetter(than: best) { best = link }
    return best
  }

  /// The proximity of the chain; 0 for one word or none.
  var proximity: Int { best?.sum ?? 0 }

  /// The key of the best attribute and position; 0 without matches.
  var place: UInt32 { (isKeyOfNearest ? best?.key : bestKey == .max ? nil : bestKey) ?? 0 }
}
