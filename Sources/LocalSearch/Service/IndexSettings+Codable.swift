import AsyncInstantSearch

extension IndexSettings: Codable {
  /// Reads settings; a member that is absent or `null` takes its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Name.self)
    func read<Value: Decodable>(_ value: inout Value, _ name: String) throws {
      let name = Name(name)
      if container.contains(name), try !container.decodeNil(forKey: name) {
        value = try container.decode(Value.self, forKey: name)
      }
    }
    try read(&searchableAttributes, "searchableAttributes")
    try read(&disablePrefixOnAttributes, "disablePrefixOnAttributes")
    try read(&disableExactOnAttributes, "disableExactOnAttributes")
    try read(&queryType, "queryType")
    try read(&removeWordsIfNoResults, "removeWordsIfNoResults")
    try read(&optionalWords, "optionalWords")
    try read(&advancedSyntax, "advancedSyntax")
    try read(&advancedSyntaxFeatures, "advancedSyntaxFeatures")
    try read(&exactOnSingleWordQuery, "exactOnSingleWordQuery")
    try read(&alternativesAsExact, "alternativesAsExact")
    try read(&separatorsToIndex, "separatorsToIndex")
    try read(&keepDiacriticsOnCharacters, "keepDiacriticsOnCharacters")
    try read(&ignorePlurals, "ignorePlurals")
    try read(&removeStopWords, "removeStopWords")
    try read(&queryLanguages, "queryLanguages")
    try read(&typoTolerance, "typoTolerance")
    try read(&minWordSizefor1Typo, "minWordSizefor1Typo")
    try read(&minWordSizefor2Typos, "minWordSizefor2Typos")
    try read(&allowTyposOnNumericTokens, "allowTyposOnNumericTokens")
    try read(&disableTypoToleranceOnWords, "disableTypoToleranceOnWords")
    try read(&disableTypoToleranceOnAttributes, "disableTypoToleranceOnAttributes")
    try read(&ranking, "ranking")
    try read(&customRanking, "customRanking")
    try read(&minProximity, "minProximity")
    try read(&attributeCriteriaComputedByMinProximity, "attributeCriteriaComputedByMinProximity")
    try read(&attributeForDistinct, "attributeForDistinct")
    try read(&distinct, "distinct")
    try read(&attributesForFaceting, "attributesForFaceting")
    try read(&numericAttributesForFiltering, "numericAttributesForFiltering")
    try read(&maxValuesPerFacet, "maxValuesPerFacet")
    try read(&sortFacetValuesBy, "sortFacetValuesBy")
    try read(&maxFacetHits, "maxFacetHits")
    try read(&hitsPerPage, "hitsPerPage")
    try read(&paginationLimitedTo, "paginationLimitedTo")
    try read(&attributesToRetrieve, "attributesToRetrieve")
    try read(&unretrievableAttributes, "unretrievableAttributes")
    try read(&attributesToHighlight, "attributesToHighlight")
    try read(&attributesToSnippet, "attributesToSnippet")
    try read(&highlightPreTag, "highlightPreTag")
    try read(&highlightPostTag, "highlightPostTag")
    try read(&snippetEllipsisText, "snippetEllipsisText")
    try read(&restrictHighlightAndSnippetArrays, "restrictHighlightAndSnippetArrays")
    try read(&replaceSynonymsInHighlight, "replaceSynonymsInHighlight")
    try read(&responseFields, "responseFields")
    try read(&userData, "userData")
    try read(&renderingContent, "renderingContent")
    try read(&replicas, "replicas")
    for name in container.allKeys where !Self.knownNames.contains(name.stringValue) {
      additionalSettings[name.stringValue] = try container.decode(JSON.self, forKey: name)
    }
  }

  /// Writes every setting that is not `nil`, defaults included.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(searchableAttributes, forKey: Name("searchableAttributes"))
    try container.encode(disablePrefixOnAttributes, forKey: Name("disablePrefixOnAttributes"))
    try container.encode(disableExactOnAttributes, forKey: Name("disableExactOnAttributes"))
    try container.encode(queryType, forKey: Name("queryType"))
    try container.encode(removeWordsIfNoResults, forKey: Name("removeWordsIfNoResults"))
    try container.encode(optionalWords, forKey: Name("optionalWords"))
    try container.encode(advancedSyntax, forKey: Name("advancedSyntax"))
    try container.encode(advancedSyntaxFeatures, forKey: Name("advancedSyntaxFeatures"))
    try container.encode(exactOnSingleWordQuery, forKey: Name("exactOnSingleWordQuery"))
    try container.encode(alternativesAsExact, forKey: Name("alternativesAsExact"))
    try container.encode(separatorsToIndex, forKey: Name("separatorsToIndex"))
    try container.encode(keepDiacriticsOnCharacters, forKey: Name("keepDiacriticsOnCharacters"))
    try container.encode(ignorePlurals, forKey: Name("ignorePlurals"))
    try container.encode(removeStopWords, forKey: Name("removeStopWords"))
    try container.encode(queryLanguages, forKey: Name("queryLanguages"))
    try container.encode(typoTolerance, forKey: Name("typoTolerance"))
    try container.encode(minWordSizefor1Typo, forKey: Name("minWordSizefor1Typo"))
    try container.encode(minWordSizefor2Typos, forKey: Name("minWordSizefor2Typos"))
    try container.encode(allowTyposOnNumericTokens, forKey: Name("allowTyposOnNumericTokens"))
    try container.encode(disableTypoToleranceOnWords, forKey: Name("disableTypoToleranceOnWords"))
    try container.encode(
      disableTypoToleranceOnAttributes, forKey: Name("disableTypoToleranceOnAttributes"))
    try container.encode(ranking, forKey: Name("ranking"))
    try container.encode(customRanking, forKey: Name("customRanking"))
    try container.encode(minProximity, forKey: Name("minProximity"))
    try container.encode(
      attributeCriteriaComputedByMinProximity,
      forKey: Name("attributeCriteriaComputedByMinProximity"))
    try container.encodeIfPresent(attributeForDistinct, forKey: Name("attributeForDistinct"))
    try container.encode(distinct, forKey: Name("distinct"))
    try container.encode(attributesForFaceting, forKey: Name("attributesForFaceting"))
    try container.encodeIfPresent(
      numericAttributesForFiltering, forKey: Name("numericAttributesForFiltering"))
    try container.encode(maxValuesPerFacet, forKey: Name("maxValuesPerFacet"))
    try container.encode(sortFacetValuesBy, forKey: Name("sortFacetValuesBy"))
    try container.encode(maxFacetHits, forKey: Name("maxFacetHits"))
    try container.encode(hitsPerPage, forKey: Name("hitsPerPage"))
    try container.encode(paginationLimitedTo, forKey: Name("paginationLimitedTo"))
    try container.encode(attributesToRetrieve, forKey: Name("attributesToRetrieve"))
    try container.encode(unretrievableAttributes, forKey: Name("unretrievableAttributes"))
    try container.encodeIfPresent(attributesToHighlight, forKey: Name("attributesToHighlight"))
    try container.encode(attributesToSnippet, forKey: Name("attributesToSnippet"))
    try container.encode(highlightPreTag, forKey: Name("highlightPreTag"))
    try container.encode(highlightPostTag, forKey: Name("highlightPostTag"))
    try container.encode(snippetEllipsisText, forKey: Name("snippetEllipsisText"))
    try container.encode(
      restrictHighlightAndSnippetArrays, forKey: Name("restrictHighlightAndSnippetArrays"))
    try container.encode(replaceSynonymsInHighlight, forKey: Name("replaceSynonymsInHighlight"))
    try container.encode(responseFields, forKey: Name("responseFields"))
    try container.encodeIfPresent(userData, forKey: Name("userData"))
    try container.encodeIfPresent(renderingContent, forKey: Name("renderingContent"))
    try container.encode(replicas, forKey: Name("replicas"))
    for (name, value) in additionalSettings.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: Name(name))
    }
  }

  /// The name of a setting.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The settings that have a property.
  private static let knownNames: Set<String> = [
    "searchableAttributes", "disablePrefixOnAttributes", "disableExactOnAttributes", "queryType",
    "removeWordsIfNoResults", "optionalWords", "advancedSyntax", "advancedSyntaxFeatures",
    "exactOnSingleWordQuery", "alternativesAsExact", "separatorsToIndex",
    "keepDiacriticsOnCharacters", "ignorePlurals", "removeStopWords", "queryLanguages",
    "typoTolerance", "minWordSizefor1Typo", "minWordSizefor2Typos", "allowTyposOnNumericTokens",
    "disableTypoToleranceOnWords", "disableTypoToleranceOnAttributes", "ranking", "customRanking",
    "minProximity", "attributeCriteriaComputedByMinProximity", "attributeForDistinct", "distinct",
    "attributesForFaceting", "numericAttributesForFiltering", "maxValuesPerFacet",
    "sortFacetValuesBy", "maxFacetHits", "hitsPerPage", "paginationLimitedTo",
    "attributesToRetrieve", "unretrievableAttributes", "attributesToHighlight",
    "attributesToSnippet", "highlightPreTag", "highlightPostTag", "snippetEllipsisText",
    "restrictHighlightAndSnippetArrays", "replaceSynonymsInHighlight", "responseFields", "userData",
    "renderingContent", "replicas",
  ]
}
