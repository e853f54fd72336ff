/// All filters of one search: those that records must fulfil, and those that only rank.
struct FilterSet: Sendable, Hashable {
  /// What records must fulfil, each part with its share of the score.
  var required: [FilterTree] = []
  /// What moves records up when it is fulfilled.
  var optional: [FilterTree] = []
  /// Whether the scores of one OR group are added up; otherwise the highest counts.
  var sumsOrScores = false

  /// No filters at all.
  init() {}

  /// Whether there are none.
  var isEmpty: Bool { required.isEmpty && optional.isEmpty }

  /// Reads every filter parameter of a query.
  init(_ query: SearchQuery, _ checkpoint: Checkpoint) throws {
    var size = Size()
    for (name, filters) in [
      ("facetFilters", query.facetFilters), ("numericFilters", query.numericFilters),
      ("tagFilters", query.tagFilters), ("optionalFilters", query.optionalFilters),
      ("reRankingApplyFilter", query.reRankingApplyFilter?.optional),
    ] {
      size.byteCount = 0
      if let filters { try size.add(filters, of: name, checkpoint) }
    }
    var count = size.count
    try ParameterLimits.check(
      text: query.filters, "filters", maximumLength: ParameterLimits.maximumTotalLength)
    if let text = query.filters, let expression = try FilterParser.parse(text, checkpoint) {
      count += expression.count
      // The groups of the top level are kept apart: each has a score of its own.
      if case .all(let parts) = expression { required += parts } else { required = [expression] }
      try ParameterLimits.check(filterCount: count)
    }
    if let filters = query.facetFilters {
      required += try NestedFilterParser(parameter: "facetFilters", content: .facet)
        .parse(filters, checkpoint)
    }
    if let filters = query.numericFilters {
      required += try NestedFilterParser(parameter: "numericFilters", content: .numeric)
        .parse(filters, checkpoint)
    }
    if let filters = query.tagFilters {
      required += try NestedFilterParser(parameter: "tagFilters", content: .tag)
        .parse(filters, checkpoint)
    }
    if let filters = query.optionalFilters {
      optional = try NestedFilterParser(parameter: "optionalFilters", content: .facet)
        .parse(filters, checkpoint)
    }
    sumsOrScores = query.sumOrFiltersScores ?? false
  }

}

extension FilterTree {
  /// The number of its filters.
  fileprivate var count: Int {
    switch self {
    case .literal: 1
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }
}

extension FilterSet {
  /// How large nested filters are, which is found out before they are read.
  private struct Size {
    /// The number of filters; an array without filters counts as one.
    var count = 0
    /// The bytes of the filters of one parameter.
    var byteCount = 0

    /// Adds filters, and refuses them as soon as they are too many or too long.
    mutating func add(
      _ filters: NestedFilters, of name: String, _ checkpoint: Checkpoint
    ) throws {
      try checkpoint.count()
      switch filters {
      case .filter(let text):
        count += 1
        byteCount += text.utf8.count
        guard byteCount <= ParameterLimits.maximumTotalLength else {
          throw APIError.invalidValue(
            of: name, expected: "at most \(ParameterLimits.maximumTotalLength) bytes together",
            got: "\(byteCount) bytes or more")
        }
      case .group(let elements):
        if elements.isEmpty { count += 1 }
        for element in elements { try add(element, of: name, checkpoint) }
      }
      try ParameterLimits.check(filterCount: count)
    }
  }
}

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
indirect enum FilterTree: Sendable, Hashable {
  /// One filter.
  case literal(FilterLiteral)
  /// All of them; true when empty.
  case all([FilterTree])
  /// At least one of them; false when empty.
  case any([FilterTree])

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
