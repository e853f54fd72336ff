/// What feeds hits interactors: a searcher whose answers have hits and pages.
///
/// An interactor holds neither the feed nor anything that holds it.
package protocol HitsFeed: AnyObject, Sendable {
  /// Where the searcher stands: now first, then the newest. A new subscription, which ends with the
  /// searcher.
  nonisolated func standings() -> AsyncStream<HitsStanding>
  /// The number of the newest search.
  nonisolated var newestGeneration: UInt64 { get }
  /// Loads other pages of answered searches.
  nonisolated var pageLoader: PageLoader { get }
  /// Filters the searches by a filter state, until this connection and all others to it are undone.
  nonisolated func follow(_ filterState: FilterState) -> Connection
}

/// Loads other pages of searches that were answered, beside the searcher: its request stays as it is.
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
