extension SearchClient {
  /// Searches the records related to a hit, those that share most with it first.
  ///
  /// ```swift
  /// let page = try await client.relatedItems(
  ///   to: hit,
  ///   matching: [
  ///     MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
  ///     MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
  ///   ],
  ///   in: "products")
  /// ```
  ///
  /// The hit itself is never among them. Records that share nothing with it come last; filter with
  /// `query` to leave them out.
  ///
  /// - Parameters:
  ///   - hit: The reference; it may come from anywhere, not only from a search.
  ///   - patterns: The attributes that relate records, and how much each counts.
  ///   - indexName: The index.
  ///   - query: Further parameters; filters in it are kept.
  ///   - type: What each hit is read as; without it, what the reference is.
  ///   - options: What to add to the call.
  /// - Throws: `SearchError`: `invalidRequest` for a value that cannot be said, see
  ///   ``SearchQuery/setRelatedItems(to:matching:)``, or whatever made the search fail.
  public func relatedItems<T, Record>(
    to hit: Hit<T>,
    matching patterns: [MatchingPattern<T>],
    in indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    var query = query
    try query.setRelatedItems(to: hit, matching: patterns)
    return try await search(indexName, query, of: type, options: options)
  }

  /// Searches the records related to a hit, read as the hit is, those that share most with it
  /// first.
  public func relatedItems<T>(
    to hit: Hit<T>,
    matching patterns: [MatchingPattern<T>],
    in indexName: String,
    _ query: SearchQuery = SearchQuery(),
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Hit<T>> {
    try await relatedItems(
      to: hit, matching: patterns, in: indexName, query, of: Hit<T>.self, options: options)
  }
}
