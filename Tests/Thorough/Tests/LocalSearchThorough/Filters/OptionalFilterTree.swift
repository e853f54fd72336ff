@testable import InstantSearchAPI
import TestSupport

/// Optional filters, nested at random, of the integers `a` and `b` of a record; and the naive
/// evaluation of their score.
indirect enum OptionalFilterTree {
  case filter(attribute: String, value: Int, isNegated: Bool, score: Int)
  case group([OptionalFilterTree])

  static func random(
    depth: Int = 0, _ random: inout RandomRecords
  ) -> OptionalFilterTree {
    guard depth < 5, random.pick([true, true, depth < 2]) else {
      return .filter(
        attribute: random.pick(["a", "b"]), value: random.pick([0, 1, 2, 3, 4]),
        isNegated: random.pick([true, false, false]), score: random.pick([0, 1, 1, 2, 7]))
    }
    let count = random.pick([1, 2, 2, 3])
    return .group((0..<count).map { _ in Self.random(depth: depth + 1, &random) })
  }

  var json: JSON {
    switch self {
    case .filter(let attribute, let value, let isNegated, let score):
      .string("\(attribute):\(isNegated ? "-" : "")\(value)<score=\(score)>")
    case .group(let parts): .array(parts.map(\.json))
    }
  }

  /// The score of a record; `nil` when it does not match. AND and OR alternate by depth.
  func score(of record: JSON, isAnd: Bool, isSummed: Bool) -> Int? {
    switch self {
    case .filter(let attribute, let value, let isNegated, let score):
      return (record[attribute]?.intValue == value) != isNegated ? score : nil
    case .group(let parts):
      let scores = parts.map { $0.score(of: record, isAnd: !isAnd, isSummed: isSummed) }
      let matching = scores.compactMap(\.self)
      if isAnd { return matching.count == scores.count ? matching.reduce(0, +) : nil }
      if matching.isEmpty { return nil }
      return isSummed ? matching.reduce(0, +) : matching.max()
    }
  }
}
