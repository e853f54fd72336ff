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
    if let text = query.filters, let expression = try Self.parse(text, cancellation) {
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

  private static func parse(
    _ text: String, _ cancellation: CancellationCheck
  ) throws -> FilterTree? {
    do {
      return try FilterParser.parse(text) { try cancellation.count($0) }
    } catch let error as SearchError where error.code == .invalidRequest {
      throw APIError(error.message)
    }
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

extension FilterTree {
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
