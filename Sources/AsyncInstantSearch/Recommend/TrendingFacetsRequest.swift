/// A question for the values of a facet that are asked for more and more.
public struct TrendingFacetsRequest: Sendable, Hashable {
  /// The facet.
  public var facetName: String
  /// The index.
  public var indexName: String
  /// How well a value must fit to be recommended, 0 to 100; 0 by default.
  public var threshold: Double
  /// How many values are wanted at most, 1 to 30; `nil` leaves it to the service, which takes 30.
  public var maxRecommendations: Int?

  /// Creates a question.
  public init(
    _ facetName: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil
  ) {
    self.facetName = facetName
    self.indexName = indexName
    self.threshold = threshold
    self.maxRecommendations = maxRecommendations
  }

  /// The request as it is sent.
  func query() throws(SearchError) -> RecommendQuery {
    let query = RecommendQuery(
      indexName: indexName, model: "trending-facets", members: [("facetName", facetName)],
      threshold: threshold, maxRecommendations: maxRecommendations)
    try query.validate()
    return query
  }
}

/// A value of a facet that is asked for more and more.
public struct TrendingFacetValue: Sendable, Hashable {
  /// The facet.
  public var facetName: String
  /// The value.
  public var facetValue: String
  /// How much it trends, 0 to 100; on the wire `_score`.
  public var score: Double?

  /// Creates a value.
  public init(facetName: String, facetValue: String, score: Double? = nil) {
    self.facetName = facetName
    self.facetValue = facetValue
    self.score = score
  }
}
