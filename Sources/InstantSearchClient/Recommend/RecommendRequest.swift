package import InstantSearchJSON

/// A request for recommended records, with the type of the records.
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
  /// The model and its parameters.
  enum Model: Sendable, Hashable {
    case relatedProducts(objectID: String)
    case boughtTogether(objectID: String)
    case lookingSimilar(objectID: String)
    case trendingItems(facetName: String?, facetValue: String?)
  }

  /// The model and its parameters.
  let model: Model
  /// The index of the records.
  public var indexName: String
  /// The minimum score of a recommended record, 0 to 100. Defaults to 0.
  public var threshold: Double
  /// The maximum number of records, 1 to 30; `nil` leaves it to the service, which returns 30.
  public var maxRecommendations: Int?
  /// Search parameters for the recommended records, such as filters.
  ///
  /// `page`, `hitsPerPage`, `offset`, `length`, `facetFilters`, `ranking`, `enableABTest`, `mode`
  /// and `semanticSearch` are not allowed.
  public var queryParameters: SearchQuery
  /// Search parameters for the records that complete the list if too few are recommended.
  ///
  /// The rules of ``queryParameters`` apply, but `facetFilters` is allowed.
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
  /// Requests the records that users view or buy after they viewed a record.
  public static func relatedProducts(
    to objectID: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .relatedProducts(objectID: objectID), indexName, threshold, maxRecommendations,
      queryParameters, fallbackParameters)
  }

  /// Requests the records that users buy together with a record.
  public static func boughtTogether(
    with objectID: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .boughtTogether(objectID: objectID), indexName, threshold, maxRecommendations,
      queryParameters, fallbackParameters)
  }

  /// Requests records with images similar to the images of a record.
  public static func lookingSimilar(
    to objectID: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> RecommendRequest {
    RecommendRequest(
      .lookingSimilar(objectID: objectID), indexName, threshold, maxRecommendations,
      queryParameters, fallbackParameters)
  }

  /// Requests trending records, among all records or the records with one value of a facet.
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
  /// The request with which pages are decoded.
  var search: SearchRequest<Hit<T>> { SearchRequest(indexName, queryParameters) }

  /// Returns the request as it is sent.
  ///
  /// - Throws: `invalidRequest` that names a value that the contract does not allow.
  func query() throws(SearchError) -> RecommendQuery {
    let query = uncheckedQuery
    try query.validate()
    return query
  }

  /// The query, with any options.
  package var uncheckedQuery: RecommendQuery {
    var query = RecommendQuery(
      indexName: indexName, model: "", threshold: threshold,
      maxRecommendations: maxRecommendations, queryParameters: queryParameters,
      fallbackParameters: fallbackParameters)
    switch model {
    case .relatedProducts(let objectID):
      (query.model, query.members) = ("related-products", [.objectID(objectID)])
    case .boughtTogether(let objectID):
      (query.model, query.members) = ("bought-together", [.objectID(objectID)])
    case .lookingSimilar(let objectID):
      (query.model, query.members) = ("looking-similar", [.objectID(objectID)])
    case .trendingItems(let facetName, let facetValue):
      query.model = "trending-items"
      if let facetName { query.members.append(.init(name: "facetName", value: facetName)) }
      if let facetValue { query.members.append(.init(name: "facetValue", value: facetValue)) }
    }
    return query
  }
}

/// One request of a call for recommendations, without the type of its records.
package struct RecommendQuery: Sendable, Hashable {
  /// A parameter of a model.
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: String

    /// The record for which a model recommends others.
    package static func objectID(_ id: String) -> Member { Member(name: "objectID", value: id) }
  }

  package var indexName: String
  /// The model's name on the wire.
  package var model: String
  /// The model's parameters, in the order in which they are written.
  package var members: [Member] = []
  package var threshold: Double
  package var maxRecommendations: Int?
  package var queryParameters = SearchQuery()
  package var fallbackParameters = SearchQuery()

  package func validate() throws(SearchError) {
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

  package func write(to writer: inout JSONWriter) {
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

  /// Parameters that are not allowed for recommended records.
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

/// A request for the trending values of a facet.
public struct TrendingFacetsRequest: Sendable, Hashable {
  /// The facet.
  public var facetName: String
  /// The index.
  public var indexName: String
  /// The minimum score of a value, 0 to 100. Defaults to 0.
  public var threshold: Double
  /// The maximum number of values, 1 to 30; `nil` leaves it to the service, which returns 30.
  public var maxRecommendations: Int?

  /// Creates a request.
  public init(
    _ facetName: String, in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil
  ) {
    self.facetName = facetName
    self.indexName = indexName
    self.threshold = threshold
    self.maxRecommendations = maxRecommendations
  }

  /// Returns the request as it is sent.
  func query() throws(SearchError) -> RecommendQuery {
    let query = uncheckedQuery
    try query.validate()
    return query
  }

  /// The query, with any options.
  package var uncheckedQuery: RecommendQuery {
    RecommendQuery(
      indexName: indexName, model: "trending-facets",
      members: [RecommendQuery.Member(name: "facetName", value: facetName)],
      threshold: threshold, maxRecommendations: maxRecommendations)
  }
}

/// A trending value of a facet.
public struct TrendingFacetValue: Sendable, Hashable {
  /// The facet.
  public var facetName: String
  /// The value.
  public var facetValue: String
  /// The score of the trend, 0 to 100; `_score` on the wire.
  public var score: Double?

  /// Creates a value.
  public init(facetName: String, facetValue: String, score: Double? = nil) {
    self.facetName = facetName
    self.facetValue = facetValue
    self.score = score
  }
}
