/// A searcher whose responses have hits and pages, as the lists that show them need it.
///
/// A list retains neither the searcher nor anything that retains it.
package protocol HitsFeed: AnyObject, Sendable {
  /// Passes the searcher's status and responses to an observer until it is removed. Returns the
  /// observer's ID, or `nil` if the searcher was released.
  nonisolated func addObserver(_ observer: HitsObserver) -> UInt64?
  /// Removes an observer. Later calls have no effect.
  nonisolated func removeObserver(_ id: UInt64)
  /// Loads other pages of answered searches.
  nonisolated var pageLoader: PageLoader { get }
  /// Filters the searches by a filter state until this connection and all others to it end. Returns
  /// an ended connection if `isWanted`, which is called under a lock, returns `false`.
  nonisolated func follow(
    _ filterState: FilterState, while isWanted: @escaping IsWanted
  ) -> Connection
}

/// Loads other pages of answered searches without changing the searcher's request.
package struct PageLoader: Sendable {
  /// Loads a page of the search that the response answers.
  package let load:
    @concurrent @Sendable (_ page: Int, _ response: SearchAnswer) async -> Result<
      SearchAnswer, SearchError
    >

  package init(
    load:
      @escaping @concurrent @Sendable (Int, SearchAnswer) async -> Result<
        SearchAnswer, SearchError
      >
  ) {
    self.load = load
  }
}

extension PageLoader {
  /// Loads pages through a client.
  init(client: SearchClient, options: RequestOptions) {
    self.init { page, response in
      do throws(SearchError) {
        // The caller that asked for the page reports the hits that do not decode.
        return .success(
          try await client.answer(
            to: response.plan.onPage(page), from: response.hits.snapshot, options: options,
            generation: response.generation))
      } catch {
        return .failure(error)
      }
    }
  }
}
