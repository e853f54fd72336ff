extension HitsSearcher {
  /// Changes the request to search for records related to a hit.
  ///
  /// The request's text, filters and other parameters stay. Additions for another hit are
  /// replaced. As after any change of the request, the search returns to the first page.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value that cannot be expressed, see
  ///   `SearchQuery.setRelatedItems(to:matching:)`. The request is then unchanged.
  public nonisolated func setRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    let items = try RelatedItems(to: hit, matching: patterns)
    update { $0.query.set(items) }
  }

  /// Changes the request as ``setRelatedItems(to:matching:)`` does, without scheduling a search.
  nonisolated func setRelatedItemsWithoutSearching<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    let items = try RelatedItems(to: hit, matching: patterns)
    core.adjust { $0.changed { $0.query.set(items) } }
  }

  /// Removes the additions of ``setRelatedItems(to:matching:)``, as one change of the request.
  public nonisolated func removeRelatedItems() {
    update { $0.query.removeRelatedItems() }
  }
}
