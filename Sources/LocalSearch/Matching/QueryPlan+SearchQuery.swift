package import AsyncInstantSearch

extension QueryPlan {
  /// Plans a query; where it leaves a parameter out the index setting counts.
  ///
  /// - Parameter placeLanguage: The language of places to search; all by default.
  package init(
    query: SearchQuery, settings: IndexSettings, placeLanguage: PlaceLanguage? = nil
  ) {
    var options = MatchingOptions(query: query, settings: settings)
    options.placeLanguage = placeLanguage
    self.init(options)
  }
}
