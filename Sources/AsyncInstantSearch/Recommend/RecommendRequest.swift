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

/// One question of a call for recommendations, without the type of its records.
struct RecommendQuery {
  var indexName: String
  /// The model's name on the wire.
  var model: String
  /// What the model needs to know, by name, in the order in which it is written.
  var members: [(name: String, value: String)] = []
  var threshold: Double
  var maxRecommendations: Int?
  var queryParameters = SearchQuery()
  var fallbackParameters = SearchQuery()

  func validate() throws(SearchError) {
    if indexName.isEmpty { throw error("needs the name of an index") }
    for member in members where member.value.isEmpty {
      throw error("needs a value for \(member.name)")
    }
    guard (0...100).contains(threshold) else {
      throw error("has the threshold \(threshold), which is not in 0...100")
    }
    if let maxRecommendations, !(1...30).contains(maxRecommendations) {
      throw error("has the maxRecommendations \(maxRecommendations), which is not in 1...30")
    }
    try check(queryParameters, "queryParameters", against: Self.refusedParameters)
    try check(
      fallbackParameters, "fallbackParameters",
      against: Self.refusedParameters.subtracting(["facetFilters"]))
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("indexName")
    writer.string(indexName)
    writer.key("model")
    writer.string(model)
    for member in members {
      writer.key(member.name)
      writer.string(member.value)
    }
    writer.key("threshold")
    writer.double(threshold)
    if let maxRecommendations {
      writer.key("maxRecommendations")
      writer.int(maxRecommendations)
    }
    for (name, query) in [
      ("queryParameters", queryParameters), ("fallbackParameters", fallbackParameters),
    ] where !query.isEmpty {
      writer.key(name)
      query.write(to: &writer)
    }
    writer.endObject()
  }

  /// What cannot be asked of recommended records.
  private static let refusedParameters: Set<String> = [
    "page", "hitsPerPage", "offset", "length", "facetFilters", "ranking", "enableABTest", "mode",
    "semanticSearch",
  ]

  private func check(
    _ query: SearchQuery, _ member: String, against refused: Set<String>
  ) throws(SearchError) {
    let names = query.parameterNames.filter(refused.contains)
    guard names.isEmpty else {
      throw error("cannot have \(names.joined(separator: ", ")) in its \(member)")
    }
  }

  private func error(_ problem: String) -> SearchError {
    SearchError(
      .invalidRequest, "The request for \(model) \(problem).",
      indexName: indexName.isEmpty ? nil : indexName)
  }
}

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
