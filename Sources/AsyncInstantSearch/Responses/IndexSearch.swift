/// One search of an index: its queries, and how their responses are merged.
struct IndexSearch: Sendable {
  /// The request of the searcher.
  let request: SearchRequest<JSON>
  /// The rules for searches without widgets.
  let rules: DisjunctiveFaceting
  /// The state with what widgets need; `nil` without widgets.
  let widgets: WidgetSearch?
  /// The queries, in the order in which they are sent.
  let queries: IndexQueries
  /// The searches of the indices that a screen nests in this one. They are part of its request.
  let nested: [IndexSearch]
  /// The number of the index on the screen of a searcher; see ``ScreenNode/number``.
  let number: UInt64

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - request: The request of the searcher.
  ///   - rules: The rules for facets that are filtered by OR.
  ///   - widgets: The state with what widgets need. Defaults to `nil`, without widgets.
  ///   - nested: The searches of the indices that a screen nests in this one. Defaults to none.
  ///   - number: The number of the index on the screen of a searcher. Defaults to 0.
  init(
    _ request: SearchRequest<JSON>, rules: DisjunctiveFaceting, widgets: WidgetSearch? = nil,
    nested: [IndexSearch] = [], number: UInt64 = 0
  ) {
    self.nested = nested
    self.number = number
    self.request = request
    self.rules = rules
    self.widgets = widgets
    if let widgets {
      let queries = IndexQueries(widgets.state, parameters: widgets.parameters)
      self.queries = rules.isDisjunctive ? queries : queries.onlyHits
    } else {
      queries = rules.queries(for: request)
    }
  }

  /// The index that is searched.
  var indexName: String { widgets?.state.indexName ?? request.indexName }

  /// What is wrong with the options of a widget; `nil` if nothing is. A screen, which alone has
  /// nested searches, has no such widgets.
  var problem: SearchError? { widgets?.parameters.problem }

  /// All queries as those of one request.
  var multiQueries: [MultiQuery] { queries.all(in: indexName) + nested.flatMap(\.multiQueries) }

  /// The queries of this search and of those that are nested in it.
  var allQueries: [IndexQueries] { [queries] + nested.map(\.queries) }

  /// Searches with one request, which is a plain search if there is only the query for hits.
  ///
  /// - Parameters:
  ///   - initial: Results that are used if they are those of the queries. Then there is no request.
  ///     Defaults to none.
  func response(
    from client: SearchClient, initial: InitialResultsStore? = nil, options: RequestOptions,
    context: SearchContext
  ) async -> Result<HitsResponse, SearchError> {
    do throws(SearchError) {
      if let problem { throw problem }
      if let responses = initial?.take(for: self, options: client.decoding.options),
        case .success(let response) = response(in: responses, at: 0, context: context)
      {
        return .success(response)
      }
      if queries.facetQueries.isEmpty, nested.isEmpty {
        let hits = try await client.content(
          of: SearchRequest(indexName, queries.hitsQuery, of: JSON.self), options: options)
        return .success(response(of: [hits], context: context))
      }
      let responses = try await client.responses(
        to: multiQueries, strategy: .none, options: options)
      return response(in: responses, at: 0, context: context)
    } catch {
      return .failure(error)
    }
  }

  /// The response in those of a request for several searches.
  ///
  /// - Parameters:
  ///   - responses: The responses.
  ///   - position: The position of the search's first response.
  ///   - context: The context of the search.
  func response(
    in responses: MultiQueryResponses, at position: Int, context: SearchContext
  ) -> Result<HitsResponse, SearchError> {
    Result { () throws(SearchError) in
      let contents = try rules.contents(of: indexName, to: queries, in: responses, at: position)
      var next = position + contents.count
      var nestedResponses: [HitsResponse] = []
      for search in nested {
        nestedResponses.append(
          try search.response(in: responses, at: next, context: .unwatched()).get())
        next += search.multiQueries.count
      }
      return response(of: contents, nestedResponses, context: context)
    }
  }

  /// The merged response.
  ///
  /// - Parameters:
  ///   - contents: The responses to the queries, in order; at least one.
  ///   - nested: The responses to the nested searches. Defaults to none.
  ///   - context: The context of the search.
  private func response(
    of contents: [UndecodedHits], _ nested: [HitsResponse] = [], context: SearchContext
  ) -> HitsResponse {
    HitsResponse(
      request: request, content: rules.merged(contents, to: queries, of: request, widgets),
      context: context, search: self, contents: contents, nested: nested)
  }
}

extension [IndexSearch] {
  /// The responses of the searches in those of one request for all of them, in order.
  func responses(
    in responses: MultiQueryResponses, context: SearchContext
  ) -> [Result<HitsResponse, SearchError>] {
    var position = 0
    return map { search in
      defer { position += search.multiQueries.count }
      return search.response(in: responses, at: position, context: context)
    }
  }
}

/// The context in which one search runs.
struct SearchContext: Sendable {
  /// The search's number, counted from 1 in each searcher.
  let generation: UInt64
  /// Reports hits that do not decode. The error is published only if the search is the newest.
  let report: @Sendable (SearchError) -> Void
  /// Whether the search is the newest one and has not ended.
  let isWanted: @Sendable () -> Bool
  /// Whether a newer search is pending.
  let hasSuccessor: @Sendable () -> Bool
}

extension SearchContext {
  /// The context of a call that is not a searcher's search: nobody receives reports, and nothing
  /// supersedes it.
  static func unwatched(generation: UInt64 = 0) -> SearchContext {
    SearchContext(
      generation: generation, report: { _ in }, isWanted: { true }, hasSuccessor: { false })
  }
}
