import InstantSearchJSON

extension SearchClient {
  /// Searches one index.
  ///
  ///     let page = try await client.search("films", SearchQuery("godfathr"), of: Hit<Film>.self)
  ///
  /// Hits that do not fit `Record` are in the page's `failures`; the others are delivered.
  public func search<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search(SearchRequest(indexName, query, of: type), options: options)
  }

  /// Searches one index.
  ///
  ///     var filters = FilterGroups()
  ///     filters[or: "genres"].add("genres" == "Western", "genres" == "War")
  ///     let query = SearchQuery().with { $0.facets = ["genres"] }
  ///     let page = try await client.search(
  ///       SearchRequest("films", query, of: Hit<Film>.self, filterGroups: filters),
  ///       disjunctive: true)
  ///
  /// - Parameters:
  ///   - request: The index, the query, the filters and the type of the hits.
  ///   - disjunctive: Whether a facet that the request's `filterGroups` filter by OR, or hold to
  ///     numbers, is counted without its own filters, as a ``HitsSearcher`` counts it; `false` by
  ///     default. The queries for that go in the same HTTP request.
  ///   - options: What to add to the call.
  @concurrent
  public func search<Record>(
    _ request: SearchRequest<Record>,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    guard disjunctive else {
      return try await content(of: request, options: options).page(for: request)
    }
    let search = FacetedSearch(isDisjunctive: true, keepsSelected: true)
    return try await search.content(
      of: request.reading(JSON.self), from: self, options: options
    ).page(for: request)
  }

  /// The answer to a search before it is given a type.
  ///
  /// - Parameter snapshot: The data to be answered from, which is kept as the answer's own: that of
  ///   an earlier answer, for other pages of it.
  func content<Record>(
    of request: SearchRequest<Record>, isBrowsing: Bool = false,
    from snapshot: (any Sendable)? = nil, options: RequestOptions
  ) async throws(SearchError) -> HitsContent {
    let index = request.indexName
    let call = EndpointCall(
      isBrowsing ? .browse(index: index) : .search(index: index), body: request.body,
      snapshot: snapshot)
    return try await content(of: call, to: request.query, options: options)
  }

  /// The answer to a call that has one result.
  func content(
    of call: EndpointCall, to query: SearchQuery? = nil, options: RequestOptions
  ) async throws(SearchError) -> HitsContent {
    let answer = try await answer(to: call, options: options)
    return try HitsContent(
      answer.document.root, to: query, options: decoding.options, context: CallContext(call),
      snapshot: call.snapshot ?? answer.snapshot, origin: answer.origin)
  }
}

extension SearchRequest {
  /// The parameters as they are sent, as one JSON object.
  package var body: [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    // A copy of the query is made only where something is added to it.
    if filterGroups.isEmpty {
      query.write(to: &writer)
    } else {
      sentQuery.write(to: &writer)
    }
    return writer.bytes
  }
}
