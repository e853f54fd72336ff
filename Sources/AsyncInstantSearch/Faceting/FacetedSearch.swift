/// How a search counts facets that are filtered by OR, and hierarchies.
struct FacetedSearch: Sendable {
  /// Whether they have queries of their own.
  let isDisjunctive: Bool
  /// Whether selected values that no record has any more are shown with count 0.
  let keepsSelected: Bool

  /// The queries of a search; only the one for hits when others are not wanted.
  func queries(for request: SearchRequest<JSON>) -> FacetQueries {
    isDisjunctive ? FacetQueries(request) : FacetQueries(onlyHitsOf: request)
  }

  /// The answer to a search, made of the answers to its queries.
  ///
  /// - Parameters:
  ///   - queries: The queries that were sent, as ``queries(for:)`` made them.
  ///   - position: Where in the answers those of this search begin.
  func content(
    of request: SearchRequest<JSON>, to queries: FacetQueries, in answers: MultiQueryAnswers,
    at position: Int
  ) throws(SearchError) -> HitsContent {
    var contents: [HitsContent] = []
    for index in 0...queries.extras.count {
      do throws(SearchError) {
        contents.append(
          try answers.hits(at: position + index, to: index == 0 ? queries.main : nil))
      } catch {
        var error = error
        error.indexName = request.indexName
        throw error
      }
    }
    var main = contents.removeFirst()
    if contents.isEmpty { return main }
    main.facets = FacetAnswers(
      contents, to: queries, of: request, keepsSelected: keepsSelected)
    return main
  }

  /// The answer to a search as its searcher publishes it, or why there is none; as
  /// ``content(of:to:in:at:)``.
  func response(
    to request: SearchRequest<JSON>, queries: FacetQueries, in answers: MultiQueryAnswers,
    at position: Int, context: SearchContext
  ) -> Result<HitsResponse, SearchError> {
    Result { () throws(SearchError) in
      HitsResponse(
        request: request,
        content: try content(of: request, to: queries, in: answers, at: position),
        context: context)
    }
  }

  /// Searches with one request: a plain one when there is only the query for hits.
  func content(
    of request: SearchRequest<JSON>, from client: SearchClient, options: RequestOptions
  ) async throws(SearchError) -> HitsContent {
    let queries = queries(for: request)
    if queries.extras.isEmpty {
      return try await client.content(of: request, options: options)
    }
    let answers = try await client.answers(
      to: queries.all(in: request.indexName), strategy: .none, options: options)
    return try content(of: request, to: queries, in: answers, at: 0)
  }
}
