import InstantSearchJSON

/// A question for recommended records, together with the type they are read as.
///
/// ```swift
/// let page = try await client.recommendations(
///   .relatedProducts(to: "tt0068646", in: "films", maxRecommendations: 5, of: Film.self))
/// for hit in page.hits { print(hit.title, hit.searchMetadata.score ?? 0) }
/// ```
///
/// The models are trained by the hosted service, from the events that the insights module sends.
/// ``SearchClient/relatedItems(to:matching:in:_:options:)`` needs neither.
public struct RecommendRequest<T: Decodable & Sendable>: Sendable, Hashable {
  /// What the recommendations are about, and what each model needs to know.
  enum Model: Sendable, Hashable {
    case relatedProducts(objectID: String)
    case boughtTogether(objectID: String)
    case lookingSimilar(objectID: String)
    case trendingItems(facetName: String?, facetValue: String?)
  }

  /// What the recommendations are about.
  let model: Model
  /// The index of the records.
  public var indexName: String
  /// How well a record must fit to be recommended, 0 to 100; 0 by default.
  public var threshold: Double
  /// How many records are wanted at most, 1 to 30; `nil` leaves it to the service, which takes 30.
  public var maxRecommendations: Int?
  /// Search parameters for the recommended records, such as filters.
  ///
  /// Not allowed are `page`, `hitsPerPage`, `offset`, `length`, `facetFilters`, `ranking`,
  /// `enableABTest`, `mode` and `semanticSearch`.
  public var queryParameters: SearchQuery
  /// Search parameters for the records that fill the list when too few are recommended.
  ///
  /// As for ``queryParameters``, but `facetFilters` are allowed.
  public var fallbackParameters: SearchQuery

  private init(
    _ model: Model, _ indexName: String, _ threshold: Double, _ maxRecommendations: Int?,
    _ queryParameters: SearchQuery, _ fallbackParameters: SearchQuery
  ) {
    self.model = model
    self.indexName = indexName
    self.threshold = threshold
    self.maxRecommendations = maxRecommendations
    self.queryParameters = queryParameters
    self.fallbackParameters = fallbackParameters
  }
}

// MARK: - The models

extension RecommendRequest {
  /// The records that users look at or buy when they have looked at one.
  public static func relatedProducts(
    to objectID: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .relatedProducts(objectID: objectID), indexName, threshold, maxRecommendations,
      queryParameters, fallbackParameters)
  }

  /// The records that users buy together with one.
  public static func boughtTogether(
    with objectID: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .boughtTogether(objectID: objectID), indexName, threshold, maxRecommendations,
      queryParameters, fallbackParameters)
  }

  /// The records whose pictures look like those of one.
  public static func lookingSimilar(
    to objectID: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .lookingSimilar(objectID: objectID), indexName, threshold, maxRecommendations,
      queryParameters, fallbackParameters)
  }

  /// The records that are asked for more and more, of all or of those with one value of a facet.
  public static func trendingItems(
    in indexName: String, facet: (name: String, value: String)? = nil, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .trendingItems(facetName: facet?.name, facetValue: facet?.value), indexName, threshold,
      maxRecommendations, queryParameters, fallbackParameters)
  }
}

// MARK: - Sending

extension RecommendRequest {
  /// The call's own part of the request: what pages are read with.
  var search: SearchRequest<Hit<T>> { SearchRequest(indexName, queryParameters) }

  /// The request as it is sent.
  ///
  /// - Throws: `invalidRequest` that names what the contract does not allow.
  func query() throws(SearchError) -> RecommendQuery {
    var query = RecommendQuery(
      indexName: indexName, model: "", threshold: threshold,
      maxRecommendations: maxRecommendations, queryParameters: queryParameters,
      fallbackParameters: fallbackParameters)
    switch model {
    case .relatedProducts(let objectID):
      (query.model, query.members) = ("related-products", [("objectID", objectID)])
    case .boughtTogether(let objectID):
      (query.model, query.members) = ("bought-together", [("objectID", objectID)])
    case .lookingSimilar(let objectID):
      (query.model, query.members) = ("looking-similar", [("objectID", objectID)])
    case .trendingItems(let facetName, let facetValue):
      query.model = "trending-items"
      if let facetName { query.members.append(("facetName", facetName)) }
      if let facetValue { query.members.append(("facetValue", facetValue)) }
    }
    try query.validate()
    return query
  }
}
