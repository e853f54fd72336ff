/// The results of one search of several indices, by position.
public struct MultiIndexResponse: Sendable {
  /// The number of the search, counted from 1 in each searcher.
  public let generation: UInt64
  /// The result of each index, or why there is none; one that fails does not take the others with
  /// it.
  public let results: [Result<HitsResponse, SearchError>]

  /// The result at a position.
  ///
  /// - Throws: The error of that index; `invalidRequest` when there is no such position.
  public func response(at position: Int) throws(SearchError) -> HitsResponse {
    guard results.indices.contains(position) else {
      throw SearchError(
        .invalidRequest, "There is no result at \(position), there are \(results.count).")
    }
    return try results[position].get()
  }

  /// The page at a position, its hits read as `Record`.
  ///
  /// - Throws: As ``response(at:)`` does. Hits that do not fit are in the page's `failures`.
  public func page<Record>(
    of type: Record.Type, at position: Int
  ) async throws(SearchError) -> HitsPage<Record> {
    try await response(at: position).page(of: type)
  }

  /// The pages of the first indices, each with a record type of its own.
  ///
  /// ```swift
  /// let (actors, movies) = try await round.pages(of: Hit<Actor>.self, Hit<Movie>.self)
  /// ```
  ///
  /// - Throws: The error of the first index that has none.
  public func pages<each Record: Decodable & Sendable>(
    of type: repeat (each Record).Type
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    var positions = results.indices.makeIterator()
    return (repeat try await page(of: each type, at: positions.next() ?? results.count))
  }
}

extension MultiIndexResponse {
  /// Searches all indices in one request; what is wrong with one result is an error of its own.
  init(
    to requests: [SearchRequest<JSON>], from client: SearchClient, facets: DisjunctiveFaceting,
    strategy: MultiQueryStrategy, options: RequestOptions, context: SearchContext
  ) async throws(SearchError) {
    let queries = requests.map { facets.queries(for: $0) }
    let answers = try await client.responses(
      to: zip(requests, queries).flatMap { $1.all(in: $0.indexName) }, strategy: strategy,
      options: options)
    generation = context.generation
    var position = 0
    results = zip(requests, queries).map { request, queries in
      defer { position += 1 + queries.facetQueries.count }
      return facets.response(
        to: request, queries: queries, in: answers, at: position, context: context)
    }
  }
}
