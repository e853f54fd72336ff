package import AsyncInstantSearch

extension IndexSettings {
  /// The settings that a query may override, as its parameters: both are checked by the same rules,
  /// so a query that names none of them is never refused for a setting.
  package var parameters: SearchQuery {
    var query = SearchQuery()
    setMatching(of: &query)
    setRanking(of: &query)
    setAnswer(of: &query)
    return query
  }

  private func setMatching(of query: inout SearchQuery) {
    query.disableExactOnAttributes = disableExactOnAttributes
    query.queryType = queryType
    query.removeWordsIfNoResults = removeWordsIfNoResults
    query.optionalWords = .value(optionalWords)
    query.advancedSyntax = advancedSyntax
    query.advancedSyntaxFeatures = advancedSyntaxFeatures
    query.exactOnSingleWordQuery = exactOnSingleWordQuery
    query.alternativesAsExact = alternativesAsExact
    query.ignorePlurals = ignorePlurals
    query.removeStopWords = removeStopWords
    query.queryLanguages = queryLanguages
    query.typoTolerance = typoTolerance
    query.minWordSizefor1Typo = minWordSizefor1Typo
    query.minWordSizefor2Typos = minWordSizefor2Typos
    query.allowTyposOnNumericTokens = allowTyposOnNumericTokens
    query.disableTypoToleranceOnAttributes = disableTypoToleranceOnAttributes
  }

  private func setRanking(of query: inout SearchQuery) {
    query.ranking = ranking
    query.minProximity = minProximity
    query.attributeCriteriaComputedByMinProximity = attributeCriteriaComputedByMinProximity
    query.distinct = distinct
    query.maxValuesPerFacet = maxValuesPerFacet
    query.sortFacetValuesBy = sortFacetValuesBy
    query.hitsPerPage = hitsPerPage
  }

  private func setAnswer(of query: inout SearchQuery) {
    query.attributesToRetrieve = attributesToRetrieve
    query.attributesToHighlight = attributesToHighlight
    query.attributesToSnippet = attributesToSnippet
    query.highlightPreTag = highlightPreTag
    query.highlightPostTag = highlightPostTag
    query.snippetEllipsisText = snippetEllipsisText
    query.restrictHighlightAndSnippetArrays = restrictHighlightAndSnippetArrays
    query.replaceSynonymsInHighlight = replaceSynonymsInHighlight
    query.responseFields = responseFields
    query.renderingContent = renderingContent
  }
}
