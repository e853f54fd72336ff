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
  /// How many bytes the text of `filters` may have.
  static let maximumLength = 1 << 20

  /// Reads every filter parameter of a query.
  init(_ query: SearchQuery, _ checkpoint: Checkpoint) throws {
    let nested = [
      query.facetFilters, query.numericFilters, query.tagFilters, query.optionalFilters,
    ]
    var count = 0
    for filters in nested.compactMap(\.self) { count += filters.count(upTo: Self.maximumCount) }
    guard query.filters?.utf8.count ?? 0 <= Self.maximumLength else {
      throw APIError.invalidValue(
        of: "filters", expected: "at most \(Self.maximumLength) bytes",
        got: "\(query.filters?.utf8.count ?? 0) bytes")
    }
    try Self.check(count)
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

extension NestedFilters {
  /// The number of the filters; counting ends beyond a limit.
  fileprivate func count(upTo limit: Int) -> Int {
    switch self {
    case .filter: return 1
    case .group(let elements):
      var count = 0
      for element in elements {
        count += element.count(upTo: limit)
        if count > limit { break }
      }
      return count
    }
  }
}
