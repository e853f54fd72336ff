extension HitsSearcher {
  /// Filters the searches by a filter state from now on.
  ///
  /// The state's filters are sent together with the query's own `filters`. Each transaction of the
  /// state that changes something is a change of the request: it goes back to the first page and is
  /// searched after the debounce. Connecting takes over the current filters and does not search.
  ///
  /// Connecting the same state again changes nothing; connecting another one ends the connection
  /// before. When a connection ends, the request keeps the filters it has; the state goes on
  /// filtering while an interactor of the searcher is connected to it.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(_ filterState: FilterState) -> Connection {
    follow(filterState, isOwn: true)
  }

  nonisolated func follow(_ filterState: FilterState, isOwn: Bool) -> Connection {
    filters.follow(filterState, isOwn: isOwn) { [weak self] groups in
      self?.core.copy { $0.changed { $0.filterGroups = groups() ?? $0.filterGroups } } ?? true
    } adopt: { groups in
      adjust { $0.filterGroups = groups() ?? $0.filterGroups }
    }
  }
}
