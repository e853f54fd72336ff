extension IndexQueries {
  /// All queries as those of one request.
  func all(in indexName: String) -> [MultiQuery] {
    all.map { .hits(indexName: indexName, $0) }
  }
}

/// The rules for counting facets that are filtered by OR, and hierarchies.
struct DisjunctiveFaceting: Sendable {
  /// Whether such facets have additional queries.
  let isDisjunctive: Bool
  /// Whether selected values without matching records are included with count 0.
  let keepsSelected: Bool

  /// The rules of searches that are not configured.
  static let standard = DisjunctiveFaceting(isDisjunctive: true, keepsSelected: true)

  /// Returns the queries of a search, without additional ones if they are disabled.
  func queries(for request: SearchRequest<JSON>) -> IndexQueries {
    isDisjunctive ? IndexQueries(request) : IndexQueries(onlyHitsOf: request)
  }

  /// Combines the responses to the queries of one search.
  ///
  /// - Parameters:
  ///   - queries: The queries that were sent, as returned by ``queries(for:)``.
  ///   - position: The position of the search's first response.
  func content(
    of request: SearchRequest<JSON>, to queries: IndexQueries,
    in responses: MultiQueryResponses,
    at position: Int
  ) throws(SearchError) -> UndecodedHits {
    merged(
      try contents(of: request.indexName, to: queries, in: responses, at: position),
      to: queries, of: request)
  }

  /// Combines the responses to the queries of one search, in order; at least one.
  ///
  /// - Parameter widgets: The state with what widgets need. Defaults to `nil`, without widgets.
  func merged(
    _ contents: [UndecodedHits], to queries: IndexQueries, of request: SearchRequest<JSON>,
    _ widgets: WidgetSearch? = nil
  ) -> UndecodedHits {
    var hits = contents[0]
    if contents.count > 1 || widgets != nil {
      let search = widgets ?? WidgetSearch(of: request)
      let kept: FacetCounts.Kept = widgets != nil ? .all : keepsSelected ? .chosen : .none
      hits.answer = IndexAnswer(
        contents, to: queries.facetQueries, of: request, search, keeping: kept,
        addsMissing: keepsSelected)
    }
    return hits
  }

  /// Returns the responses to the queries of one search of an index, in order.
  func contents(
    of indexName: String, to queries: IndexQueries, in responses: MultiQueryResponses,
    at position: Int
  ) throws(SearchError) -> [UndecodedHits] {
    var contents: [UndecodedHits] = []
    for index in 0...queries.facetQueries.count {
      do throws(SearchError) {
        contents.append(
          try responses.hits(at: position + index, to: index == 0 ? queries.hitsQuery : nil))
      } catch {
        var error = error
        error.indexName = indexName
        throw error
      }
    }
    return contents
  }

  /// Searches with one request, which is a plain search if there is only the query for hits.
  func content(
    of request: SearchRequest<JSON>, from client: SearchClient, options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let queries = queries(for: request)
    if queries.facetQueries.isEmpty {
      return try await client.content(of: request, options: options)
    }
    let responses = try await client.responses(
      to: queries.all(in: request.indexName), strategy: .none, options: options)
    return try content(of: request, to: queries, in: responses, at: 0)
  }
}

/// Several searches in one request, each with the queries for its facets.
struct FacetedBatch {
  private struct Part {
    var request: SearchRequest<JSON>
    var queries: IndexQueries
    /// The position of the search's first query in the request.
    var position: Int
  }

  private let search: DisjunctiveFaceting
  /// Whether facets that are filtered by OR have additional queries.
  var isDisjunctive: Bool { search.isDisjunctive }
  private var parts: [Part] = []
  /// The queries of all searches, in order.
  private(set) var queries: [MultiQuery] = []

  /// Creates an empty batch.
  ///
  /// - Parameter isDisjunctive: Whether facets that are filtered by OR have additional queries.
  init(isDisjunctive: Bool) {
    search = DisjunctiveFaceting(isDisjunctive: isDisjunctive, keepsSelected: true)
  }

  /// Appends a search.
  mutating func add(_ request: SearchRequest<some Decodable & Sendable>) {
    let request = request.reading(JSON.self)
    let part = Part(
      request: request, queries: search.queries(for: request), position: queries.count)
    parts.append(part)
    queries += part.queries.all(in: request.indexName)
  }

  /// Returns the results of the searches, in order.
  ///
  /// - Throws: The error of the first search that has no result.
  func contents(in responses: MultiQueryResponses) throws(SearchError) -> [UndecodedHits] {
    var contents: [UndecodedHits] = []
    for part in parts {
      contents.append(
        try search.content(
          of: part.request, to: part.queries, in: responses, at: part.position))
    }
    return contents
  }
}
