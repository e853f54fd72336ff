/// The one filter state that a searcher follows.
final class FilterFollowing: Sendable {
  private struct State {
    weak var filterState: FilterState?
    var connection: Connection?
  }

  private let state = Lock(State())

  /// Follows a filter state from now on, in place of the one before.
  ///
  /// The closures are given the filters as a function: what counts is what the state holds when the
  /// request is set, so the order in which changes are told does not matter.
  ///
  /// - Parameters:
  ///   - filterState: The state; when it is followed already, nothing happens.
  ///   - change: Called after each change, on the thread that makes it. It must not hold the searcher.
  ///   - adopt: Called at once, to take over the filters of now.
  func follow(
    _ filterState: FilterState,
    change: @escaping @Sendable (_ groups: () -> FilterGroups) -> Void,
    adopt: (_ groups: () -> FilterGroups) -> Void
  ) -> Connection {
    if let connection = connection(to: filterState) { return connection }
    let connection = filterState.connect { [weak filterState] in
      guard let filterState else { return }
      change { filterState.groups }
    }
    replace(by: connection, to: filterState)
    adopt { filterState.groups }
    return connection
  }

  /// Follows none any more.
  func end() {
    replace(by: nil, to: nil)
  }

  /// The connection to a filter state, if that is the one that is followed.
  func connection(to filterState: FilterState) -> Connection? {
    state.withLock { state in
      guard state.filterState === filterState, let connection = state.connection,
        connection.isConnected
      else { return nil }
      return connection
    }
  }

  private func replace(by connection: Connection?, to filterState: FilterState?) {
    let former = state.withLock { state in
      defer { state = State(filterState: filterState, connection: connection) }
      return state.connection
    }
    former?.disconnect()
  }
}
