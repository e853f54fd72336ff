import AsyncInstantSearch

/// A query with eighteen parameters, as a page with facets and highlights asks for; once for each
/// of the two ways to encode it.
enum SampleQuery {
  static let request = SearchRequest<Hit<Product>>("products", query)

  /// Searches of three indices.
  static let requests = ["products", "articles", "suggestions"].map {
    SearchRequest<Hit<Product>>($0, query)
  }

  private static let query = {
    let plain = PlainQuery.sample
    var query = SearchQuery(plain.query)
    query.page = plain.page
    query.hitsPerPage = plain.hitsPerPage
    query.facets = plain.facets
    query.maxValuesPerFacet = plain.maxValuesPerFacet
    query.facetFilters = plain.facetFilters.map {
      .group($0.map { .group($0.map(NestedFilters.filter)) })
    }
    query.filters = plain.filters
    query.attributesToRetrieve = plain.attributesToRetrieve
    query.attributesToHighlight = plain.attributesToHighlight
    query.attributesToSnippet = plain.attributesToSnippet
    query.highlightPreTag = plain.highlightPreTag
    query.highlightPostTag = plain.highlightPostTag
    query.snippetEllipsisText = plain.snippetEllipsisText
    query.getRankingInfo = plain.getRankingInfo
    query.clickAnalytics = plain.clickAnalytics
    query.analyticsTags = plain.analyticsTags
    query.ruleContexts = plain.ruleContexts
    query.userToken = plain.userToken
    return query
  }()
}

extension PlainQuery {
  static let sample = PlainQuery(
    query: "wireless headphones", page: 0, hitsPerPage: 20,
    facets: ["brand", "categories", "price_range", "rating", "color"], maxValuesPerFacet: 20,
    facetFilters: [["brand:Café Nérée", "brand:Delta"], ["color:black"]],
    filters: "price < 200 AND (rating >= 4 OR NOT \"free shipping\":true)",
    attributesToRetrieve: ["name", "price", "image", "rating"],
    attributesToHighlight: ["name", "brand"], attributesToSnippet: ["description:12"],
    highlightPreTag: "<em>", highlightPostTag: "</em>", snippetEllipsisText: "…",
    getRankingInfo: true, clickAnalytics: true, analyticsTags: ["ios", "beta"],
    ruleContexts: ["summer"], userToken: "user-8a7b6c5d")
}

extension PlainQueries {
  static let sample = PlainQueries(
    requests: SampleQuery.requests.map { request in
      var query = PlainQuery.sample
      query.indexName = request.indexName
      return query
    })
}
