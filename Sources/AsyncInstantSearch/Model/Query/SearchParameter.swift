/// The search parameters of the contract, in the order in which they are written: by name.
///
/// This list, together with ``valueType``, is the one description of the parameters. Reading,
/// writing, URL-encoding, `Codable`, equality and hashing of ``SearchQuery`` all follow from it.
package enum SearchParameter: Int, CodingKey, CaseIterable, Sendable {
  case advancedSyntax, advancedSyntaxFeatures, allowTyposOnNumericTokens, alternativesAsExact
  case analytics, analyticsTags
  case aroundLatLng, aroundLatLngViaIP, aroundPrecision, aroundRadius
  case attributeCriteriaComputedByMinProximity
  case attributesToHighlight, attributesToRetrieve, attributesToSnippet
  case clickAnalytics
  case decompoundQuery, disableExactOnAttributes, disableTypoToleranceOnAttributes, distinct
  case enableABTest, enablePersonalization, enableReRanking, enableRules, exactOnSingleWordQuery
  case facetFilters, facetingAfterDistinct, facets, filters
  case getRankingInfo
  case highlightPostTag, highlightPreTag, hitsPerPage
  case ignorePlurals, insideBoundingBox, insidePolygon
  case length
  case maxValuesPerFacet, minProximity, minWordSizefor1Typo, minWordSizefor2Typos
  case minimumAroundRadius, mode
  case naturalLanguages, numericFilters
  case offset, optionalFilters, optionalWords
  case page, percentileComputation, personalizationImpact
  case query, queryLanguages, queryType
  case ranking, reRankingApplyFilter, relevancyStrictness, removeStopWords, removeWordsIfNoResults
  case renderingContent, replaceSynonymsInHighlight, responseFields
  case restrictHighlightAndSnippetArrays, restrictSearchableAttributes, ruleContexts
  case semanticSearch, similarQuery, snippetEllipsisText, sortFacetValuesBy, sumOrFiltersScores
  case synonyms
  case tagFilters, typoTolerance
  case userToken

  /// The parameter's name on the wire, which is also the name of the property.
  package var name: String { stringValue }

  /// The type of the parameter's value: it knows the JSON and the URL-encoded form.
  package var valueType: any SearchParameterValue.Type {
    switch self {
    case .query, .similarQuery, .filters, .highlightPreTag, .highlightPostTag,
      .snippetEllipsisText, .userToken:
      String.self

    case .advancedSyntax, .sumOrFiltersScores, .facetingAfterDistinct,
      .restrictHighlightAndSnippetArrays, .replaceSynonymsInHighlight, .allowTyposOnNumericTokens,
      .aroundLatLngViaIP, .decompoundQuery, .attributeCriteriaComputedByMinProximity,
      .enableReRanking, .getRankingInfo, .enableRules, .enablePersonalization, .analytics,
      .clickAnalytics, .percentileComputation, .enableABTest, .synonyms:
      Bool.self

    case .page, .hitsPerPage, .offset, .length, .maxValuesPerFacet, .minWordSizefor1Typo,
      .minWordSizefor2Typos, .minimumAroundRadius, .minProximity, .relevancyStrictness,
      .personalizationImpact:
      Int.self

    case .disableExactOnAttributes, .attributesToRetrieve, .restrictSearchableAttributes, .facets,
      .attributesToHighlight, .attributesToSnippet, .disableTypoToleranceOnAttributes, .ranking,
      .ruleContexts, .analyticsTags, .responseFields:
      [String].self

    case .facetFilters, .optionalFilters, .numericFilters, .tagFilters: NestedFilters.self
    case .queryLanguages, .naturalLanguages: [Language].self

    case .queryType: QueryType.self
    case .removeWordsIfNoResults: RemoveWordsIfNoResults.self
    case .optionalWords: Nullable<OptionalWords>.self
    case .advancedSyntaxFeatures: [AdvancedSyntaxFeature].self
    case .exactOnSingleWordQuery: ExactOnSingleWordQuery.self
    case .alternativesAsExact: [AlternativeAsExact].self
    case .mode: SearchMode.self
    case .semanticSearch: SemanticSearch.self
    case .sortFacetValuesBy: SortFacetValuesBy.self
    case .typoTolerance: TypoTolerance.self
    case .aroundLatLng: Point.self
    case .aroundRadius: AroundRadius.self
    case .aroundPrecision: AroundPrecision.self
    case .insideBoundingBox: Nullable<InsideBoundingBox>.self
    case .insidePolygon: [[Double]].self
    case .ignorePlurals: IgnorePlurals.self
    case .removeStopWords: RemoveStopWords.self
    case .distinct: Distinct.self
    case .reRankingApplyFilter: Nullable<NestedFilters>.self
    case .renderingContent: RenderingContent.self
    }
  }

  /// The parameter with that name, or `nil` when the contract has none.
  package static func named(_ name: String) -> SearchParameter? { byName[name] }

  /// Every name of the contract.
  package static let names = Set(allCases.map(\.name))

  /// Whether the value identifies a person and must not be shown in messages and descriptions.
  package var isPersonal: Bool { self == .userToken }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
