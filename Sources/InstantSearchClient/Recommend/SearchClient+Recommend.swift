import InstantSearchJSON

extension SearchClient {
  /// Requests recommended records.
  ///
  /// ```swift
  /// let page = try await client.recommendations(
  ///   .boughtTogether(with: "tt0068646", in: "films", of: Film.self))
  /// ```
  ///
  /// The page's hits have a `SearchMetadata.score`. A hit that does not match `T` is in its
  /// `failures`. The page's `request` is `nil`, because there is no search to repeat.
  ///
  /// - Throws: `invalidRequest` that names a value that the contract does not allow, before
  ///   anything is sent, or the error of the call. The embedded engine has no models and rejects
  ///   the call.
  @concurrent
  public func recommendations<T>(
    _ request: RecommendRequest<T>, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Hit<T>> {
    let responses = try await responses(to: [request.query()], options: options)
    return try responses.recommendations(at: 0, for: request)
  }

  /// Sends several recommendation requests in one call, with one record type.
  ///
  /// The pages have the order of the requests. Without requests nothing is sent.
  @concurrent
  public func recommendations<T>(
    _ requests: [RecommendRequest<T>], options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [HitsPage<Hit<T>>] {
    var queries: [RecommendQuery] = []
    for request in requests { queries.append(try request.query()) }
    let responses = try await responses(to: queries, options: options)
    var results: [QueryResult] = []
    for (position, request) in requests.enumerated() {
      results.append(try responses.result(at: position, to: request.queryParameters))
    }
    var pages = await pages(requests.count, in: responses) { [results] in
      results[$0].page(for: requests[$0].search)
    }
    for position in pages.indices { pages[position].request = nil }
    return pages
  }

  /// Sends several recommendation requests in one call, each with a separate record type.
  ///
  ///     let (related, together) = try await client.recommendations(
  ///       .relatedProducts(to: "tt0068646", in: "films", of: Film.self),
  ///       .trendingItems(in: "people", of: Person.self))
  ///
  /// The pages are a tuple in the order of the requests.
  @concurrent
  public func recommendations<each T>(
    _ request: repeat RecommendRequest<each T>, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (repeat HitsPage<Hit<each T>>) {
    var queries: [RecommendQuery] = []
    for request in repeat each request { queries.append(try request.query()) }
    let responses = try await responses(to: queries, options: options)
    var positions = (0..<queries.count).makeIterator()
    return (repeat try responses.recommendations(at: positions.next() ?? 0, for: each request))
  }

  /// Requests the trending values of a facet, highest score first.
  ///
  /// - Throws: `invalidRequest` that names a value that the contract does not allow, before
  ///   anything is sent; `decoding` for a response that is not a list of such values.
  @concurrent
  public func trendingFacets(
    _ request: TrendingFacetsRequest, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [TrendingFacetValue] {
    try await responses(to: [request.query()], options: options).trendingFacets(at: 0)
  }

  /// Sends requests in one call. Without requests nothing is sent.
  package func responses(
    to queries: [RecommendQuery], options: RequestOptions
  ) async throws(SearchError) -> MultiQueryResponses {
    var writer = JSONWriter(capacity: 256 * queries.count)
    writer.beginObject()
    writer.key("requests")
    writer.beginArray()
    for query in queries { query.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    let call = EndpointCall(
      .recommendations, body: writer.bytes, indexNames: queries.map(\.indexName))
    return try await responses(to: call, count: queries.count, options: options)
  }
}

extension MultiQueryResponses {
  /// Returns the response to a request for records.
  fileprivate func recommendations<T>(
    at position: Int, for request: RecommendRequest<T>
  ) throws(SearchError) -> HitsPage<Hit<T>> {
    var page = try result(at: position, to: request.queryParameters).page(for: request.search)
    page.request = nil
    return page
  }

  /// Returns the response to a request for facet values.
  fileprivate func trendingFacets(at position: Int) throws(SearchError) -> [TrendingFacetValue] {
    try result(at: position, to: nil).trendingFacets(in: context)
  }
}

extension QueryResult {
  /// The hits of a response to a request for trending facets.
  ///
  /// - Throws: `decoding` for a hit that has no name or no value.
  package var trendingFacets: [TrendingFacetValue] {
    get throws(SearchError) { try trendingFacets(in: CallContext(EndpointCall(.recommendations))) }
  }

  fileprivate func trendingFacets(
    in context: CallContext
  ) throws(SearchError) -> [TrendingFacetValue] {
    var values: [TrendingFacetValue] = []
    for hit in json["hits"]?.arrayValue ?? [] {
      guard let name = hit["facetName"]?.stringValue, let value = hit["facetValue"]?.stringValue
      else {
        throw context.error(
          .decoding, "Value \(values.count + 1) of the trending facets has no name or no value.")
      }
      values.append(
        TrendingFacetValue(facetName: name, facetValue: value, score: hit["_score"]?.doubleValue))
    }
    return values
  }
}
