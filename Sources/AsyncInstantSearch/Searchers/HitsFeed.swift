/// A searcher whose answers have hits and pages, as the lists that show them need it.
///
/// A list holds neither the searcher nor anything that holds it.
package protocol HitsFeed: AnyObject, Sendable {
  /// Shows the searcher's status and answers in an observer until that is removed; `nil` when the
  /// searcher is gone.
  nonisolated func addObserver(_ observer: HitsObserver) -> UInt64?
  /// Removes an observer; a second time does nothing.
  nonisolated func removeObserver(_ id: UInt64)
  /// Loads other pages of answered searches.
  nonisolated var pageLoader: PageLoader { get }
  /// Filters the searches by a filter state, until this connection and all others to it are undone.
  nonisolated func follow(_ filterState: FilterState) -> Connection
}

/// Loads other pages of searches that were answered, beside the searcher: its request stays as it
/// is.
package struct PageLoader: Sendable {
  /// Loads that page of the search that the response answers.
  package let load:
    @concurrent @Sendable (_ page: Int, _ response: HitsResponse) async -> Result<
      HitsResponse, SearchError
    >

  package init(
    load:
      @escaping @concurrent @Sendable (Int, HitsResponse) async -> Result<
        HitsResponse, SearchError
      >
  ) {
    self.load = load
  }
}
