extension InsightsEvent {
  /// Creates an event from a search event.
  ///
  /// A minimum that the user chose, such as a rating of 4 and more, is sent as the value 4 of the
  /// facet, because the service has no comparisons.
  ///
  /// - Throws: `invalidRequest` for a filter that is not a facet value, a tag or a minimum.
  public init(_ event: SearchEvent) throws(SearchError) {
    let (name, indexName) = (event.name, event.indexName)
    switch event.action {
    case .viewedHits(let objectIDs, _):
      self = .viewed(objectIDs: objectIDs, named: name, in: indexName)
    case .clickedHits(let objectIDs, let positions, let queryID):
      self = .clicked(
        objectIDs: objectIDs, positions: positions, queryID: queryID, named: name, in: indexName)
    case .convertedHits(let objectIDs, let queryID):
      self = .converted(objectIDs: objectIDs, queryID: queryID, named: name, in: indexName)
    case .clickedFilters(let filters):
      var facets: [InsightsFilter] = []
      for filter in filters { facets.append(try InsightsFilter(chosen: filter)) }
      self = .clicked(filters: facets, named: name, in: indexName)
    }
  }
}

extension InsightsFilter {
  /// Creates a filter from a filter that a user selected.
  fileprivate init(chosen filter: Filter) throws(SearchError) {
    if case .numeric(let numeric) = filter, !numeric.isNegated,
      case .comparison(.greaterOrEqual, let number) = numeric.value, number.isFinite
    {
      self.init(facet: numeric.attribute.rawValue, value: number.plainNumber)
    } else {
      try self.init(filter)
    }
  }
}
