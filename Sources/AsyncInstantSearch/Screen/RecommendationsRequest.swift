/// A widget's request to the recommendation models.
public struct RecommendationsRequest: Sendable, Hashable {
  /// The requests, one for each list of the widget; at least one.
  let queries: [RecommendQuery]
  /// How often the widget has requested the same again.
  let reloads: Int

  /// Creates the requests of a widget.
  init(_ queries: [RecommendQuery], reloads: Int = 0) {
    self.queries = queries
    self.reloads = reloads
  }
}

extension SearchClient {
  /// Returns the responses to the requests of several widgets, with one call. Equal requests are
  /// sent once. A malformed response is an error of the widgets that requested it.
  ///
  /// - Parameter initial: Results that are used in place of a call, if they answer it. Defaults to
  ///   none.
  func responses(
    to requests: [RecommendationsRequest], initial: InitialResultsStore? = nil,
    options: RequestOptions
  ) async -> [Result<[SearchAnswer], SearchError>] {
    var positions: [RecommendQuery: Int] = [:]
    var queries: [RecommendQuery] = []
    for query in requests.lazy.flatMap(\.queries) where positions[query] == nil {
      positions[query] = queries.count
      queries.append(query)
    }
    let responses: [Result<SearchAnswer, SearchError>]
    do throws(SearchError) {
      let restored = initial?.take(for: queries, options: decoding.options)
      let answers =
        if let restored { restored } else {
          try await self.responses(to: queries, options: options)
        }
      responses = queries.indices.map { position in
        Result { () throws(SearchError) in
          SearchAnswer(
            try answers.result(at: position, to: queries[position].queryParameters),
            to: queries[position])
        }
      }
    } catch {
      return requests.map { _ in .failure(error) }
    }
    return requests.map { request in
      Result { () throws(SearchError) in
        var own: [SearchAnswer] = []
        for query in request.queries {
          if let position = positions[query] { own.append(try responses[position].get()) }
        }
        return own
      }
    }
  }
}

extension SearchAnswer {
  /// Creates the response to a request for recommendations.
  fileprivate convenience init(_ result: QueryResult, to query: RecommendQuery) {
    let request = SearchRequest(query.indexName, query.queryParameters, of: JSON.self)
    self.init(to: SearchPlan(request), [result])
  }
}
