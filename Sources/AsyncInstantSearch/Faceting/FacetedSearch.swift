/// How a searcher counts facets that are filtered by OR, and hierarchies.
struct FacetedSearch: Sendable {
  /// Whether they have queries of their own.
  let isDisjunctive: Bool
  /// Whether selected values that no record has any more are shown with count 0.
  let keepsSelected: Bool

  /// The queries of a search, the one for hits first.
  func queries(for request: SearchRequest<JSON>) -> [MultiQuery] {
    isDisjunctive
      ? FacetQueries(request).all(in: request.indexName)
      : [.hits(indexName: request.indexName, request.sentQuery)]
  }

  /// The answer to a search, made of the answers to its queries.
  ///
  /// - Parameter position: Where in the answers those of this search begin.
  func content(
    of request: SearchRequest<JSON>, in answers: MultiQueryAnswers, at position: Int
  ) throws(SearchError) -> HitsContent {
    var main = try answers.hits(at: position)
    let queries = FacetQueries(request)
    guard isDisjunctive, !queries.extras.isEmpty else { return main }
    var counts: [HitsContent] = []
    for index in queries.extras.indices {
      counts.append(try answers.hits(at: position + 1 + index))
    }
    main.facets = FacetAnswers(
      counts, to: queries, of: request, keepsSelected: keepsSelected)
    return main
  }

  /// Searches with one request: a plain one when there is only the query for hits.
  func content(
    of request: SearchRequest<JSON>, from client: SearchClient, options: RequestOptions
  ) async throws(SearchError) -> HitsContent {
    let queries = queries(for: request)
    if queries.count == 1 { return try await client.content(of: request, options: options) }
    let answers = try await client.answers(to: queries, strategy: .none, options: options)
    return try content(of: request, in: answers, at: 0)
  }
}
