extension HitsSearcher {
  /// Filters the searches by a filter state from now on.
  ///
  /// The state's filters are sent together with the query's own `filters`. Each transaction of the
  /// state that changes something is a change of the request: it goes back to the first page and is
  /// searched after the debounce. Connecting takes over the filters of now and does not search.
  ///
  /// Connecting the same state again changes nothing; connecting another one ends the connection
  /// before. When a connection ends, the request keeps the filters it has.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(_ filterState: FilterState) -> Connection {
    filters.follow(filterState) { [weak self] take in
      self?.update { take(&$0.filterGroups) }
    } adopt: { take in
      adjust { take(&$0.filterGroups) }
    }
  }
}
