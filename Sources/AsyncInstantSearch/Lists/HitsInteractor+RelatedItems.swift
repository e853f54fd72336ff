extension HitsInteractor {
  /// Connects a searcher, whose request is changed to search for records related to a hit.
  ///
  /// ```swift
  /// try hits.connectSearcher(
  ///   searcher, withRelatedItemsTo: hit,
  ///   with: [
  ///     MatchingPattern(attribute: "brand", score: 3, filterPath: \.brand),
  ///     MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
  ///   ])
  /// searcher.submit()
  /// ```
  ///
  /// The searcher's request changes as in `HitsSearcher.setRelatedItems(to:matching:)`, but
  /// connecting does not search. Connecting again with another hit replaces the previous one.
  ///
  /// - Parameters:
  ///   - searcher: The searcher.
  ///   - hit: The reference, which need not come from a search.
  ///   - patterns: The attributes that relate records, with their weights.
  /// - Returns: The connection, as returned by `connectSearcher(_:)`. When it ends, the searcher's
  ///   request stays; see `HitsSearcher.removeRelatedItems()`.
  /// - Throws: `SearchError` of code `invalidRequest` for a value that cannot be expressed, see
  ///   `SearchQuery.setRelatedItems(to:matching:)`. Nothing is connected or changed then.
  @discardableResult
  public func connectSearcher<T>(
    _ searcher: HitsSearcher, withRelatedItemsTo hit: Hit<T>, with patterns: [MatchingPattern<T>]
  ) throws(SearchError) -> Connection {
    try searcher.setRelatedItemsWithoutSearching(to: hit, matching: patterns)
    return connectSearcher(searcher)
  }
}
