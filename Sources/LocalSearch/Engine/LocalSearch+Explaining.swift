public import InstantSearchAPI

extension LocalSearch {
  /// Returns why a search ranks records where it does, or why they are not on its page.
  ///
  /// It runs the search, and reads what it computes. Use it in a console, a test or a tool for the
  /// people who keep an index, not for each search: it ranks every matching record.
  ///
  /// - Parameters:
  ///   - query: The parameters of the search.
  ///   - indexName: The index.
  ///   - objectIDs: The IDs of the records, at most 1,000.
  ///   - deadline: The deadline of the call.
  /// - Returns: One explanation for each ID, in order.
  /// - Throws: `SearchError` with code `indexNotFound` if the index does not exist,
  ///   `invalidRequest` if a parameter is invalid, `timedOut` or `cancelled`.
  public func explain(
    _ query: SearchQuery, in indexName: String, records objectIDs: [String],
    deadline: Deadline? = nil
  ) async throws(SearchError) -> [Explanation] {
    do {
      return try await working(.read, until: deadline) { [self] cancellation in
        guard objectIDs.count <= Self.maximumExplainedCount else {
          throw APIError(
            "Too many records to explain: expected at most \(Self.maximumExplainedCount), got"
              + " \(objectIDs.count)")
        }
        return try execution(of: query, in: indexName, cancellation).explain(objectIDs)
      }
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  /// Returns a text that a user may have meant, if the index does not have a word of the query.
  ///
  /// Use it when a search has few hits or none. Words that the index has stay. Others become the
  /// nearest words of records that have hits together, with the other parameters of the query, such
  /// as its filters. Words of `unretrievableAttributes` are not suggested.
  ///
  /// - Parameters:
  ///   - query: The parameters of the search.
  ///   - indexName: The index.
  ///   - deadline: The deadline of the call.
  /// - Returns: The suggestion with its number of hits, or `nil` if the index has each word, or no
  ///   text near has hits.
  /// - Throws: `SearchError` with code `indexNotFound` if the index does not exist,
  ///   `invalidRequest` if a parameter is invalid, `timedOut` or `cancelled`.
  public func suggestedQuery(
    for query: SearchQuery, in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> SuggestedQuery? {
    do {
      return try await working(.read, until: deadline) { [self] cancellation in
        try execution(of: query, in: indexName, cancellation).suggestedQuery()
      }
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  private func execution(
    of query: SearchQuery, in indexName: String, _ cancellation: CancellationCheck
  ) throws -> SearchExecution {
    let snapshot = try newestReader.snapshot(of: indexName)
    let search = try ResolvedSearch(
      query, indexName: indexName, settings: snapshot.settings, cancellation)
    return SearchExecution(snapshot: snapshot, search: search, cancellation: cancellation)
  }

  private static let maximumExplainedCount = 1000
}
