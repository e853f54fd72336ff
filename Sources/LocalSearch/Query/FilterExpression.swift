/// What a filter asks of one attribute.
enum FilterPredicate: Sendable, Hashable {
  /// The attribute has that value, compared without regard to case.
  case facet(attribute: String, value: String)
  /// The attribute has a number in that relation to the operand.
  case numeric(attribute: String, comparison: NumericComparison, operand: Double)
  /// The attribute has a number between the bounds, both included.
  case range(attribute: String, lower: Double, upper: Double)
  /// The record has that tag, compared exactly.
  case tag(String)

  /// The kinds of filters, of which one OR group may hold one only.
  enum Kind: String, Sendable, Hashable {
    case facet, numeric, tag
  }

  /// The kind of this filter; a range is numeric.
  var kind: Kind {
    switch self {
    case .facet: .facet
    case .numeric, .range: .numeric
    case .tag: .tag
    }
  }

  /// A filter by value, or by tag when the attribute is `_tags`.
  static func value(_ value: String, of attribute: String) -> FilterPredicate {
    attribute == "_tags" ? .tag(value) : .facet(attribute: attribute, value: value)
  }
}

/// The relation of a number to the operand of a filter.
enum NumericComparison: String, Sendable, Hashable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "="
  case notEqual = "!="
  case greaterOrEqual = ">="
  case greater = ">"
}

/// One filter, plain or negated, with its score.
struct FilterLiteral: Sendable, Hashable {
  /// What is asked.
  var predicate: FilterPredicate
  /// Whether records that do *not* fulfil the predicate are wanted.
  var isNegated = false
  /// What a match adds to the score of a record, 0 to 65,535.
  var score = 1
}

/// Filters joined by AND and OR, to any depth.
indirect enum FilterExpression: Sendable, Hashable {
  /// One filter.
  case literal(FilterLiteral)
  /// All of them; true when empty.
  case all([FilterExpression])
  /// At least one of them; false when empty.
  case any([FilterExpression])

  /// The filter, when it is a single one.
  var literal: FilterLiteral? {
    if case .literal(let literal) = self { literal } else { nil }
  }

  /// Whether it is a single filter.
  var isLiteral: Bool { literal != nil }

  /// Whether a match always adds the same score: there is only one way to match.
  func hasConstantScore(sumsOrScores: Bool) -> Bool {
    minimumScore == maximumScore(sumsOrScores: sumsOrScores)
  }

  /// The lowest score of a record that matches.
  var minimumScore: Int {
    switch self {
    case .literal(let literal): literal.score
    case .all(let parts): parts.reduce(0) { $0 + $1.minimumScore }
    case .any(let parts): parts.map(\.minimumScore).min() ?? 0
    }
  }

  /// The highest score of a record that matches.
  func maximumScore(sumsOrScores: Bool) -> Int {
    switch self {
    case .literal(let literal): return literal.score
    case .all(let parts):
      return parts.reduce(0) { $0 + $1.maximumScore(sumsOrScores: sumsOrScores) }
    case .any(let parts):
      let scores = parts.map { $0.maximumScore(sumsOrScores: sumsOrScores) }
      return sumsOrScores ? scores.reduce(0, +) : scores.max() ?? 0
    }
  }
}
