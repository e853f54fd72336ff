extension HitsSearcher {
  /// Searches records related to a hit from now on, as one change of the request.
  ///
  /// The request's text, filters and other parameters stay; what was set for another hit is
  /// replaced. As after any change of the request, the search goes back to the first page and is
  /// due after the debounce.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value that cannot be said, see
  ///   ``SearchQuery/setRelatedItems(to:matching:)``; the request is unchanged then.
  public nonisolated func setRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    let items = try RelatedItems(to: hit, matching: patterns)
    update { $0.query.set(items) }
  }

  /// Changes the request as ``setRelatedItems(to:matching:)`` does, without making a search due.
  nonisolated func adoptRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    let items = try RelatedItems(to: hit, matching: patterns)
    adjust { $0.query.set(items) }
  }

  /// Takes away what ``setRelatedItems(to:matching:)`` has set, as one change of the request.
  public nonisolated func removeRelatedItems() {
    update { $0.query.removeRelatedItems() }
  }
}
