/// The filters of one search: required ones, and optional ones that only rank.
struct FilterSet: Sendable, Hashable {
  /// The filters that records must match. Each part contributes to the score.
  var required: [FilterTree] = []
  /// The filters that rank records higher.
  var optional: [FilterTree] = []
  /// Whether the scores of an OR group are added. Otherwise the highest counts.
  var sumsOrScores = false

  /// Creates an empty set.
  init() {}

  /// Whether there are no filters.
  var isEmpty: Bool { required.isEmpty && optional.isEmpty }

  /// Reads every filter parameter of a query.
  init(_ query: SearchQuery, _ cancellation: CancellationCheck) throws {
    var size = Size()
    for (name, filters) in [
      ("facetFilters", query.facetFilters), ("numericFilters", query.numericFilters),
      ("tagFilters", query.tagFilters), ("optionalFilters", query.optionalFilters),
      ("reRankingApplyFilter", query.reRankingApplyFilter?.optional),
    ] {
      size.byteCount = 0
      if let filters { try size.add(filters, of: name, cancellation) }
    }
    var count = size.count
    try ParameterLimits.check(
      text: query.filters, "filters", maximumLength: ParameterLimits.maximumTotalLength)
    if let text = query.filters, let expression = try FilterParser.parse(text, cancellation) {
      count += expression.count
      // The groups of the top level stay separate, because each has a score.
      if case .all(let parts) = expression { required += parts } else { required = [expression] }
      try ParameterLimits.check(filterCount: count)
    }
    if let filters = query.facetFilters {
      required += try NestedFilterParser(parameter: "facetFilters", content: .facet)
        .parse(filters, cancellation)
    }
    if let filters = query.numericFilters {
      required += try NestedFilterParser(parameter: "numericFilters", content: .numeric)
        .parse(filters, cancellation)
    }
    if let filters = query.tagFilters {
      required += try NestedFilterParser(parameter: "tagFilters", content: .tag)
        .parse(filters, cancellation)
    }
    if let filters = query.optionalFilters {
      optional = try NestedFilterParser(parameter: "optionalFilters", content: .facet)
        .parse(filters, cancellation)
    }
    sumsOrScores = query.sumOrFiltersScores ?? false
  }

}

extension FilterTree {
  /// The number of filters.
  fileprivate var count: Int {
    switch self {
    case .literal: 1
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }
}

extension FilterSet {
  /// The size of nested filters, which is checked before they are read.
  private struct Size {
    /// The number of filters. An empty array counts as one.
    var count = 0
    /// The length of the filters of one parameter, in bytes.
    var byteCount = 0

    /// Adds filters, and rejects them if they are too many or too long.
    mutating func add(
      _ filters: NestedFilters, of name: String, _ cancellation: CancellationCheck
    ) throws {
      try cancellation.count()
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
        for element in elements { try add(element, of: name, cancellation) }
      }
      try ParameterLimits.check(filterCount: count)
    }
  }
}

/// The condition of a filter on one attribute.
enum FilterPredicate: Sendable, Hashable {
  /// The attribute has a value, ignoring case.
  case facet(attribute: String, value: String)
  /// The attribute has a number in a relation to the operand.
  case numeric(attribute: String, comparison: NumericComparison, operand: Double)
  /// The attribute has a number between the bounds, both included.
  case range(attribute: String, lower: Double, upper: Double)
  /// The record has a tag, matching case.
  case tag(String)

  /// The kinds of filters. An OR group can contain one kind only.
  enum Kind: String, Sendable, Hashable {
    case facet, numeric, tag
  }

  /// The kind of this filter. A range is numeric.
  var kind: Kind {
    switch self {
    case .facet: .facet
    case .numeric, .range: .numeric
    case .tag: .tag
    }
  }

  /// Returns a filter by value, or by tag if the attribute is `_tags`.
  static func value(_ value: String, of attribute: String) -> FilterPredicate {
    attribute == "_tags" ? .tag(value) : .facet(attribute: attribute, value: value)
  }
}

/// One filter with its score, possibly negated.
struct FilterLiteral: Sendable, Hashable {
  /// The condition.
  var predicate: FilterPredicate
  /// Whether the filter is negated.
  var isNegated = false
  /// The score of a match, 0 to 65,535.
  var score = 1
}

/// Filters combined by AND and OR, to any depth.
indirect enum FilterTree: Sendable, Hashable {
  /// One filter.
  case literal(FilterLiteral)
  /// All parts must match. An empty list matches.
  case all([FilterTree])
  /// At least one part must match. An empty list does not match.
  case any([FilterTree])

  /// The filter, if the tree is a single one.
  var literal: FilterLiteral? {
    if case .literal(let literal) = self { literal } else { nil }
  }

  /// Whether the tree is a single filter.
  var isLiteral: Bool { literal != nil }

  /// Whether every match has the same score.
  func hasConstantScore(sumsOrScores: Bool) -> Bool {
    minimumScore == maximumScore(sumsOrScores: sumsOrScores)
  }

  /// The lowest score of a matching record.
  var minimumScore: Int {
    switch self {
    case .literal(let literal): literal.score
    case .all(let parts): parts.reduce(0) { $0 + $1.minimumScore }
    case .any(let parts): parts.map(\.minimumScore).min() ?? 0
    }
  }

  /// Returns the highest score of a matching record.
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
