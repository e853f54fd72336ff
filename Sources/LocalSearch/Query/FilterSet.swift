import AsyncInstantSearch

/// All filters of one search: those that records must fulfil, and those that only rank.
struct FilterSet: Sendable, Hashable {
  /// What records must fulfil, each part with its share of the score.
  var required: [FilterExpression] = []
  /// What moves records up when it is fulfilled.
  var optional: [FilterExpression] = []
  /// Whether the scores of one OR group are added up; otherwise the highest counts.
  var sumsOrScores = false

  /// No filters at all.
  init() {}

  /// Whether there are none.
  var isEmpty: Bool { required.isEmpty && optional.isEmpty }

  /// How many filters all parameters of a query may have together.
  static let maximumCount = 10_000

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
      try Self.check(count)
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

  /// Refuses more filters than a query may have.
  static func check(_ count: Int) throws(APIError) {
    guard count <= maximumCount else {
      throw APIError(
        "Too many filters: expected at most \(maximumCount) in all parameters of a query together")
    }
  }
}

extension FilterExpression {
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
      try FilterSet.check(count)
    }
  }
}
