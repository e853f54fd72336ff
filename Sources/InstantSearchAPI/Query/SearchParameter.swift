import InstantSearchJSON

/// The search parameters of the contract, in the order in which they are written: by name.
///
/// This list defines the names, and the property of the same name the type. Reading, writing, URL
/// encoding, `Codable`, equality and hashing of ``SearchQuery`` are derived from both.
package enum SearchParameter: Int, CodingKey, CaseIterable, Sendable {
  case advancedSyntax, advancedSyntaxFeatures, allowTyposOnNumericTokens, alternativesAsExact
  case analytics, analyticsTags
  case aroundLatLng, aroundLatLngViaIP, aroundPrecision, aroundRadius
  case attributeCriteriaComputedByMinProximity
  case attributesToHighlight, attributesToRetrieve, attributesToSnippet
  case clickAnalytics
  case decompoundQuery, disableExactOnAttributes, disableTypoToleranceOnAttributes, distinct
  case enableABTest, enablePersonalization, enableReRanking, enableRules, exactOnSingleWordQuery
  case explain
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

  /// The type of the parameter's value, which defines its JSON and URL-encoded forms.
  package var valueType: any SearchParameterValue.Type { Self.valueTypes[rawValue] }

  /// Returns the parameter with a name; `nil` if the contract has none.
  package static func named(_ name: String) -> SearchParameter? { byName[name] }

  /// All parameter names of the contract.
  package static let names = Set(allCases.map(\.name))

  /// Whether the value identifies a person and must not appear in messages and descriptions.
  package var isPersonal: Bool { self == .userToken }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  private static let valueTypes = allCases.map(\.propertyType)

  /// The type of the property, which is declared there only.
  private var propertyType: any SearchParameterValue.Type {
    switch self {
    case .advancedSyntax: property(\.advancedSyntax)
    case .advancedSyntaxFeatures: property(\.advancedSyntaxFeatures)
    case .allowTyposOnNumericTokens: property(\.allowTyposOnNumericTokens)
    case .alternativesAsExact: property(\.alternativesAsExact)
    case .analytics: property(\.analytics)
    case .analyticsTags: property(\.analyticsTags)
    case .aroundLatLng: property(\.aroundLatLng)
    case .aroundLatLngViaIP: property(\.aroundLatLngViaIP)
    case .aroundPrecision: property(\.aroundPrecision)
    case .aroundRadius: property(\.aroundRadius)
    case .attributeCriteriaComputedByMinProximity:
      property(\.attributeCriteriaComputedByMinProximity)
    case .attributesToHighlight: property(\.attributesToHighlight)
    case .attributesToRetrieve: property(\.attributesToRetrieve)
    case .attributesToSnippet: property(\.attributesToSnippet)
    case .clickAnalytics: property(\.clickAnalytics)
    case .decompoundQuery: property(\.decompoundQuery)
    case .disableExactOnAttributes: property(\.disableExactOnAttributes)
    case .disableTypoToleranceOnAttributes: property(\.disableTypoToleranceOnAttributes)
    case .distinct: property(\.distinct)
    case .enableABTest: property(\.enableABTest)
    case .enablePersonalization: property(\.enablePersonalization)
    case .enableReRanking: property(\.enableReRanking)
    case .enableRules: property(\.enableRules)
    case .exactOnSingleWordQuery: property(\.exactOnSingleWordQuery)
    case .explain: property(\.explain)
    case .facetFilters: property(\.facetFilters)
    case .facetingAfterDistinct: property(\.facetingAfterDistinct)
    case .facets: property(\.facets)
    case .filters: property(\.filters)
    case .getRankingInfo: property(\.getRankingInfo)
    case .highlightPostTag: property(\.highlightPostTag)
    case .highlightPreTag: property(\.highlightPreTag)
    case .hitsPerPage: property(\.hitsPerPage)
    case .ignorePlurals: property(\.ignorePlurals)
    case .insideBoundingBox: property(\.insideBoundingBox)
    case .insidePolygon: property(\.insidePolygon)
    case .length: property(\.length)
    case .maxValuesPerFacet: property(\.maxValuesPerFacet)
    case .minProximity: property(\.minProximity)
    case .minWordSizefor1Typo: property(\.minWordSizefor1Typo)
    case .minWordSizefor2Typos: property(\.minWordSizefor2Typos)
    case .minimumAroundRadius: property(\.minimumAroundRadius)
    case .mode: property(\.mode)
    case .naturalLanguages: property(\.naturalLanguages)
    case .numericFilters: property(\.numericFilters)
    case .offset: property(\.offset)
    case .optionalFilters: property(\.optionalFilters)
    case .optionalWords: property(\.optionalWords)
    case .page: property(\.page)
    case .percentileComputation: property(\.percentileComputation)
    case .personalizationImpact: property(\.personalizationImpact)
    case .query: property(\.query)
    case .queryLanguages: property(\.queryLanguages)
    case .queryType: property(\.queryType)
    case .ranking: property(\.ranking)
    case .reRankingApplyFilter: property(\.reRankingApplyFilter)
    case .relevancyStrictness: property(\.relevancyStrictness)
    case .removeStopWords: property(\.removeStopWords)
    case .removeWordsIfNoResults: property(\.removeWordsIfNoResults)
    case .renderingContent: property(\.renderingContent)
    case .replaceSynonymsInHighlight: property(\.replaceSynonymsInHighlight)
    case .responseFields: property(\.responseFields)
    case .restrictHighlightAndSnippetArrays: property(\.restrictHighlightAndSnippetArrays)
    case .restrictSearchableAttributes: property(\.restrictSearchableAttributes)
    case .ruleContexts: property(\.ruleContexts)
    case .semanticSearch: property(\.semanticSearch)
    case .similarQuery: property(\.similarQuery)
    case .snippetEllipsisText: property(\.snippetEllipsisText)
    case .sortFacetValuesBy: property(\.sortFacetValuesBy)
    case .sumOrFiltersScores: property(\.sumOrFiltersScores)
    case .synonyms: property(\.synonyms)
    case .tagFilters: property(\.tagFilters)
    case .typoTolerance: property(\.typoTolerance)
    case .userToken: property(\.userToken)
    }
  }

  private func property<Value: SearchParameterValue>(
    _ property: KeyPath<SearchQuery, Value?>
  ) -> any SearchParameterValue.Type {
    Value.self
  }
}

extension SearchParameter {
  /// Reads a value from JSON; `nil` if it means no value, such as an empty text for a location.
  func value(_ node: JSONNode) throws(SearchParameterMismatch) -> (any SearchParameterValue)? {
    if self == .aroundLatLng, node.isString("") { return nil }
    return try valueType.init(parameter: node)
  }

  /// Reads a value from the decoded text of `name=text`; `nil` if it means no value.
  func value(urlText: String) throws(SearchParameterMismatch) -> (any SearchParameterValue)? {
    if self == .aroundLatLng, urlText.isEmpty { return nil }
    return try valueType.init(urlText: urlText)
  }
}

/// The reason why search parameters cannot be read.
enum SearchQueryMismatch: Error {
  /// The parameters are not an object.
  case noObject(JSONNode.Kind)
  /// A parameter has a value of the wrong type.
  case wrongValue(SearchParameter, SearchParameterMismatch)

  /// The error of a request.
  var searchError: SearchError {
    switch self {
    case .noObject: SearchError(.invalidRequest, "Invalid search parameters, expected object")
    case .wrongValue(let parameter, let mismatch): mismatch.error(in: parameter)
    }
  }

  /// Returns the error of a decoder at the coding path of the parameters.
  func decodingError(at codingPath: [any CodingKey]) -> DecodingError {
    func context(_ steps: [String]) -> DecodingError.Context {
      DecodingError.Context(
        codingPath: codingPath + steps.map { AnyKey($0) }, debugDescription: searchError.message)
    }
    switch self {
    case .noObject(.null): return .valueNotFound([String: Any].self, context([]))
    case .noObject: return .typeMismatch([String: Any].self, context([]))
    case .wrongValue(let parameter, let mismatch):
      return .typeMismatch(parameter.valueType, context([parameter.name] + mismatch.path))
    }
  }
}

/// The parameters that are set, packed so that unset ones cost neither space nor time.
///
/// One bit per parameter says whether it is set. The number of bits below it is the index of its
/// value. A copy costs one retain, regardless of the number of parameters.
struct SearchParameterValues: Sendable {
  private var present: UInt128 = 0
  private var values: [any SearchParameterValue] = []

  /// Whether no parameter is set.
  var isEmpty: Bool { present == 0 }

  /// The parameters that are set, by name.
  var parameters: [SearchParameter] {
    var parameters: [SearchParameter] = []
    forEach { parameter, _ in parameters.append(parameter) }
    return parameters
  }

  /// Calls `body` with each parameter that is set, by name.
  func forEach(_ body: (SearchParameter, any SearchParameterValue) -> Void) {
    var rest = present
    // By index, because a loop over the elements would copy each of them.
    for index in values.indices {
      if let parameter = SearchParameter(rawValue: rest.trailingZeroBitCount) {
        body(parameter, values[index])
      }
      rest &= rest &- 1
    }
  }

  /// The value of one parameter; `nil` if it is not set.
  subscript(parameter: SearchParameter) -> (any SearchParameterValue)? {
    get {
      let bit = bit(parameter)
      return present & bit == 0 ? nil : values[index(of: bit)]
    }
    set {
      let bit = bit(parameter)
      let index = index(of: bit)
      switch (present & bit != 0, newValue) {
      case (true, let value?):
        values[index] = value
      case (false, let value?):
        values.insert(value, at: index)
        present |= bit
      case (true, nil):
        values.remove(at: index)
        present &= ~bit
      case (false, nil):
        break
      }
    }
  }

  private func bit(_ parameter: SearchParameter) -> UInt128 { 1 &<< UInt128(parameter.rawValue) }

  private func index(of bit: UInt128) -> Int { (present & (bit &- 1)).nonzeroBitCount }
}

extension SearchParameterValues: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    guard left.present == right.present else { return false }
    for (value, other) in zip(left.values, right.values) where !value.isEqual(to: other) {
      return false
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(present)
    for value in values { value.hash(into: &hasher) }
  }
}
