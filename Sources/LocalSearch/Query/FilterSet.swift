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

  /// Reads every filter parameter of a query.
  init(_ query: SearchQuery) throws(APIError) {
    if let text = query.filters, let expression = try FilterParser.parse(text) {
      // The groups of the top level are kept apart: each has a score of its own.
      if case .all(let parts) = expression { required += parts } else { required = [expression] }
    }
    if let filters = query.facetFilters {
      required += try NestedFilterParser(parameter: "facetFilters", content: .facet).parse(filters)
    }
    if let filters = query.numericFilters {
      required += try NestedFilterParser(parameter: "numericFilters", content: .numeric)
        .parse(filters)
    }
    if let filters = query.tagFilters {
      required += try NestedFilterParser(parameter: "tagFilters", content: .tag).parse(filters)
    }
    if let filters = query.optionalFilters {
      optional = try NestedFilterParser(parameter: "optionalFilters", content: .facet)
        .parse(filters)
    }
    sumsOrScores = query.sumOrFiltersScores ?? false
  }
}
