// A searcher for places as what feeds a list of rows.

extension PlacesSearcher: HitsFeed {
  package nonisolated func addObserver(_ observer: HitsObserver) -> UInt64? {
    core.addObserver(observer.mappingRequests(\.request))
  }

  package nonisolated func removeObserver(_ id: UInt64) { core.removeObserver(id) }

  /// A search for places has no filters.
  package nonisolated func follow(_ filterState: FilterState) -> Connection { Connection {} }

  /// An answer with places has no further pages.
  package nonisolated var pageLoader: PageLoader {
    PageLoader { page, _ in
      .failure(
        SearchError(.invalidRequest, "A search for places has one page; there is no page \(page)."))
    }
  }
}

extension HitsInteractor {
  /// Shows the places of a searcher from now on: of the answer it has, if it has one, and of each
  /// newer one. Connecting does not search.
  ///
  /// An answer is one page, so there is nothing more to load. Everything else is as with a searcher
  /// for hits.
  @discardableResult
  public func connectSearcher(_ searcher: PlacesSearcher) -> Connection {
    storage.connect(searcher)
  }
}
