package import AsyncInstantSearch

extension QueryPlan {
  /// Plans a query; where it leaves a parameter out the index setting counts.
  ///
  /// - Parameters:
  ///   - placeLanguage: The language of places to search; all by default.
  ///   - checkpoint: Where the words of the settings are counted.
  package init(
    query: SearchQuery, settings: IndexSettings, placeLanguage: PlaceLanguage? = nil,
    checkpoint: Checkpoint
  ) throws {
    var options = try MatchingOptions(query: query, settings: settings, checkpoint)
    options.placeLanguage = placeLanguage
    self.init(options)
  }
}
