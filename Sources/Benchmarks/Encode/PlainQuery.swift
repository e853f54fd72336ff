// What somebody without this library writes to send queries with `JSONEncoder`.

/// The parameters of one search.
struct PlainQuery: Encodable {
  var indexName: String?
  var query: String?
  var page: Int?
  var hitsPerPage: Int?
  var facets: [String]?
  var maxValuesPerFacet: Int?
  var facetFilters: [[String]]?
  var filters: String?
  var attributesToRetrieve: [String]?
  var attributesToHighlight: [String]?
  var attributesToSnippet: [String]?
  var highlightPreTag: String?
  var highlightPostTag: String?
  var snippetEllipsisText: String?
  var getRankingInfo: Bool?
  var clickAnalytics: Bool?
  var analyticsTags: [String]?
  var ruleContexts: [String]?
  var userToken: String?
}

/// Several searches in one call.
struct PlainQueries: Encodable {
  var requests: [PlainQuery]
}
