extension IndexSettings {
  /// The settings that a query can override, as its parameters.
  ///
  /// The same rules check both, so no query is rejected because of a setting that it does not name.
  package var parameters: SearchQuery {
    var query = SearchQuery()
    setMatching(of: &query)
    setRanking(of: &query)
    setResponse(of: &query)
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

  private func setResponse(of query: inout SearchQuery) {
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
