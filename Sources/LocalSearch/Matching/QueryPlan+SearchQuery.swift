package import AsyncInstantSearch

extension QueryPlan {
  /// Plans a query; where it leaves a parameter out the index setting counts.
  ///
  /// - Parameters:
  ///   - lists: The lists of attributes in the settings.
  ///   - placeLanguage: The language of places to search; all by default.
  ///   - checkpoint: Where the words of the settings are counted.
  init(
    query: SearchQuery, settings: IndexSettings, lists: SettingsLists,
    placeLanguage: PlaceLanguage? = nil, checkpoint: Checkpoint
  ) throws {
    var options = try MatchingOptions(
      query: query, settings: settings, lists: lists, checkpoint)
    options.placeLanguage = placeLanguage
    self.init(options)
  }

  /// Plans a query with settings whose lists of attributes are not kept.
  package init(
    query: SearchQuery, settings: IndexSettings, checkpoint: Checkpoint
  ) throws {
    try self.init(
      query: query, settings: settings, lists: SettingsLists(settings, checkpoint),
      checkpoint: checkpoint)
  }
}
