extension FilterGroups {
  /// The groups as the parameters `facetFilters`, `numericFilters` and `tagFilters`.
  public struct Lists: Sendable, Hashable {
    /// The filters on facets; `nil` when there are none.
    public var facetFilters: NestedFilters?
    /// The filters on numbers; `nil` when there are none.
    public var numericFilters: NestedFilters?
    /// The filters on tags; `nil` when there are none.
    public var tagFilters: NestedFilters?
  }

  /// The groups as nested lists: the outer list joins with AND, the lists in it join with OR.
  ///
  /// The order is that of ``text``, and so is the meaning: the same records are found.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a filter that these lists cannot say, as
  ///   a negated condition on numbers; the parameter `filters` can say every filter.
  public func lists() throws(SearchError) -> Lists {
    var parts: [Filter.Kind: [NestedFilters]] = [:]
    for group in groups {
      let filters = group.filters.sorted { $0.description < $1.description }
      if case .or(_, let kind) = group.id {
        var alternatives: [NestedFilters] = []
        for filter in filters { alternatives.append(.filter(try filter.listString())) }
        parts[kind, default: []].append(.group(alternatives))
      } else {
        for filter in filters {
          parts[filter.kind, default: []].append(.filter(try filter.listString()))
        }
      }
    }
    return Lists(
      facetFilters: parts[.facet].map(NestedFilters.group),
      numericFilters: parts[.numeric].map(NestedFilters.group),
      tagFilters: parts[.tag].map(NestedFilters.group))
  }
}
