import AsyncInstantSearch

extension IndexSettings: Codable {
  /// Reads settings; a member that is absent or `null` takes its default.
  ///
  /// Members that are no setting of this engine become ``additionalSettings``.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: IndexSettingEntry.Name.self)
    for entry in Self.entries { try entry.read(&self, container) }
    for name in container.allKeys where !Self.names.contains(name.stringValue) {
      additionalSettings[name.stringValue] = try container.decode(JSON.self, forKey: name)
    }
  }

  /// Writes every setting that is not `nil`, defaults included.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: IndexSettingEntry.Name.self)
    for entry in Self.entries { try entry.write(self, &container) }
    for (name, value) in additionalSettings.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: IndexSettingEntry.Name(name))
    }
  }

  /// The setting with a name, if it has a property.
  static func entry(named name: String) -> IndexSettingEntry? { entriesByName[name] }

  private static let entriesByName = Dictionary(
    uniqueKeysWithValues: entries.map { ($0.name, $0) })

  /// The names of the settings that have a property.
  package static let names = Set(entries.map(\.name))

  /// The settings that have a property, by name: what is read, written and known.
  static let entries: [IndexSettingEntry] = [
    IndexSettingEntry("searchableAttributes", \.searchableAttributes),
    IndexSettingEntry("disablePrefixOnAttributes", \.disablePrefixOnAttributes),
    IndexSettingEntry("disableExactOnAttributes", \.disableExactOnAttributes),
    IndexSettingEntry("queryType", \.queryType),
    IndexSettingEntry("removeWordsIfNoResults", \.removeWordsIfNoResults),
    IndexSettingEntry("optionalWords", \.optionalWords),
    IndexSettingEntry("advancedSyntax", \.advancedSyntax),
    IndexSettingEntry("advancedSyntaxFeatures", \.advancedSyntaxFeatures),
    IndexSettingEntry("exactOnSingleWordQuery", \.exactOnSingleWordQuery),
    IndexSettingEntry("alternativesAsExact", \.alternativesAsExact),
    IndexSettingEntry("separatorsToIndex", \.separatorsToIndex),
    IndexSettingEntry("keepDiacriticsOnCharacters", \.keepDiacriticsOnCharacters),
    IndexSettingEntry("ignorePlurals", \.ignorePlurals),
    IndexSettingEntry("removeStopWords", \.removeStopWords),
    IndexSettingEntry("queryLanguages", \.queryLanguages),
    IndexSettingEntry("typoTolerance", \.typoTolerance),
    IndexSettingEntry("minWordSizefor1Typo", \.minWordSizefor1Typo),
    IndexSettingEntry("minWordSizefor2Typos", \.minWordSizefor2Typos),
    IndexSettingEntry("allowTyposOnNumericTokens", \.allowTyposOnNumericTokens),
    IndexSettingEntry("disableTypoToleranceOnWords", \.disableTypoToleranceOnWords),
    IndexSettingEntry("disableTypoToleranceOnAttributes", \.disableTypoToleranceOnAttributes),
    IndexSettingEntry("ranking", \.ranking),
    IndexSettingEntry("customRanking", \.customRanking),
    IndexSettingEntry("minProximity", \.minProximity),
    IndexSettingEntry(
      "attributeCriteriaComputedByMinProximity", \.attributeCriteriaComputedByMinProximity),
    IndexSettingEntry("attributeForDistinct", \.attributeForDistinct),
    IndexSettingEntry("distinct", \.distinct),
    IndexSettingEntry("attributesForFaceting", \.attributesForFaceting),
    IndexSettingEntry("numericAttributesForFiltering", \.numericAttributesForFiltering),
    IndexSettingEntry("maxValuesPerFacet", \.maxValuesPerFacet),
    IndexSettingEntry("sortFacetValuesBy", \.sortFacetValuesBy),
    IndexSettingEntry("maxFacetHits", \.maxFacetHits),
    IndexSettingEntry("hitsPerPage", \.hitsPerPage),
    IndexSettingEntry("paginationLimitedTo", \.paginationLimitedTo),
    IndexSettingEntry("attributesToRetrieve", \.attributesToRetrieve),
    IndexSettingEntry("unretrievableAttributes", \.unretrievableAttributes),
    IndexSettingEntry("attributesToHighlight", \.attributesToHighlight),
    IndexSettingEntry("attributesToSnippet", \.attributesToSnippet),
    IndexSettingEntry("highlightPreTag", \.highlightPreTag),
    IndexSettingEntry("highlightPostTag", \.highlightPostTag),
    IndexSettingEntry("snippetEllipsisText", \.snippetEllipsisText),
    IndexSettingEntry("restrictHighlightAndSnippetArrays", \.restrictHighlightAndSnippetArrays),
    IndexSettingEntry("replaceSynonymsInHighlight", \.replaceSynonymsInHighlight),
    IndexSettingEntry("responseFields", \.responseFields),
    IndexSettingEntry("userData", \.userData),
    IndexSettingEntry("renderingContent", \.renderingContent),
    IndexSettingEntry("replicas", \.replicas),
  ]
}
