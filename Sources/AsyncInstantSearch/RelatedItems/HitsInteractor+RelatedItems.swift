extension HitsInteractor {
  /// Shows the hits of a searcher, which searches records related to a hit from now on.
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
  /// The searcher's request is changed as ``HitsSearcher/setRelatedItems(to:matching:)`` says, but
  /// connecting does not search. Connecting again with another hit replaces the one before.
  ///
  /// - Parameters:
  ///   - searcher: The searcher.
  ///   - hit: The reference; it may come from anywhere, not only from a search.
  ///   - patterns: The attributes that relate records, and how much each counts.
  /// - Returns: The connection, as `connectSearcher(_:)` makes it. When it ends, the searcher's
  ///   request stays; see ``HitsSearcher/removeRelatedItems()``.
  /// - Throws: `SearchError` of code `invalidRequest` for a value that cannot be said, see
  ///   ``SearchQuery/setRelatedItems(to:matching:)``; nothing is connected or changed then.
  @discardableResult
  public func connectSearcher<T>(
    _ searcher: HitsSearcher, withRelatedItemsTo hit: Hit<T>, with patterns: [MatchingPattern<T>]
  ) throws(SearchError) -> Connection {
    try searcher.adoptRelatedItems(to: hit, matching: patterns)
    return connectSearcher(searcher)
  }
}
