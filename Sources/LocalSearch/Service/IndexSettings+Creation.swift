extension IndexSettings {
  /// Creates settings from those that most indices set; the others have their defaults.
  ///
  /// - Parameters:
  ///   - searchableAttributes: what is searched, most important first; all text by default. See
  ///     ``searchableAttributes``.
  ///   - attributesForFaceting: what can be filtered and counted; see ``attributesForFaceting``.
  ///   - customRanking: what decides between equally good hits, as in `desc(year)`; see
  ///     ``customRanking``.
  public init(
    searchableAttributes: [String] = [],
    attributesForFaceting: [String] = [],
    customRanking: [String] = []
  ) {
    self.init()
    self.searchableAttributes = searchableAttributes
    self.attributesForFaceting = attributesForFaceting
    self.customRanking = customRanking
  }
}
