import AsyncInstantSearch
import Foundation
import InstantSearchJSON

extension BenchmarkCase {
  /// The cases for encoding: the bodies of searches, and records.
  static var encoding: [BenchmarkCase] {
    [
      BenchmarkCase(name: "body1", baseline: "JSONEncoder") {
        let request = SampleQuery.request
        let plain = PlainQuery.sample
        let encoder = JSONEncoder()
        return try Comparison {
          request.body
        } against: {
          try encoder.encode(plain)
        } difference: {
          try difference(betweenJSON: $0, and: $1)
        }.times(bytes: request.body.count)
      },
      BenchmarkCase(name: "body3", baseline: "JSONEncoder") {
        let requests = SampleQuery.requests
        let plain = PlainQueries.sample
        let encoder = JSONEncoder()
        return try Comparison {
          SearchClient.body(of: requests)
        } against: {
          try encoder.encode(plain)
        } difference: {
          try difference(betweenJSON: $0, and: $1)
        }.times(bytes: SearchClient.body(of: requests).count)
      },
      BenchmarkCase(name: "encode20", baseline: "JSONEncoder") {
        let records = try (Pages.page(SampleResponse.page(hits: 20)) as HitsPage<Product>).hits
        let encoder = JSONEncoder()
        return try Comparison {
          try JSONValueEncoder().encode(records)
        } against: {
          try encoder.encode(records)
        } difference: {
          try difference(betweenJSON: $0, and: $1)
        }.times(bytes: try JSONValueEncoder().encode(records).count)
      },
      BenchmarkCase(name: "coldbody1", baseline: "JSONEncoder") { try ColdStart.encoding() },
    ]
  }
}

/// A query with eighteen parameters, as for a page with facets and highlights, once for each
/// encoder.
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

// The types a program without this library defines to send queries with `JSONEncoder`.

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
