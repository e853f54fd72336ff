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
    if let connection = filters.connection(to: filterState) { return connection }
    let connection = filterState.connect { [weak self, weak filterState] in
      guard let self, let filterState else { return }
      // What is set is what the state holds now, so the order of these calls does not matter.
      update { $0.filterGroups = filterState.groups }
    }
    filters.replace(by: connection, to: filterState)
    adjust { $0.filterGroups = filterState.groups }
    return connection
  }
}

/// The one filter state that a searcher follows.
final class FilterFollowing: Sendable {
  private struct State {
    weak var filterState: FilterState?
    var connection: Connection?
  }

  private let state = Lock(State())

  /// The connection to a state, when it is the one that is followed.
  func connection(to filterState: FilterState) -> Connection? {
    state.withLock { state in
      guard state.filterState === filterState, let connection = state.connection,
        connection.isConnected
      else { return nil }
      return connection
    }
  }

  /// Follows another state and ends the connection before.
  func replace(by connection: Connection?, to filterState: FilterState?) {
    let former = state.withLock { state in
      defer { state = State(filterState: filterState, connection: connection) }
      return state.connection
    }
    former?.disconnect()
  }
}
