package import AsyncInstantSearch

extension QueryPlan {
  /// Plans a query; where it leaves a parameter out the index setting counts.
  package init(query: SearchQuery, settings: IndexSettings) {
    self.init(MatchingOptions(query: query, settings: settings))
  }
}
