/// The one filter state that a searcher follows.
package final class FilterFollowing: Sendable {
  private struct State {
    weak var filterState: FilterState?
    var connection: Connection?
  }

  private let state = Lock(State())

  package init() {}

  /// Sets filters to those of the state that is followed at that moment.
  package typealias Take = (inout FilterGroups) -> Void

  /// Follows a filter state from now on, in place of the one before.
  ///
  /// The closures are given a function for the filters of the request: what counts is which state is
  /// followed, and what it holds, when the request is set. So the order in which changes are told
  /// does not matter, nor that one is told late, by a state that is not followed any more.
  ///
  /// - Parameters:
  ///   - filterState: The state; when it is followed already, nothing happens.
  ///   - change: Called after each change, on the thread that makes it. It must not hold the searcher.
  ///   - adopt: Called at once, to take over the filters of now.
  package func follow(
    _ filterState: FilterState,
    change: @escaping @Sendable (_ take: Take) -> Void,
    adopt: (_ take: Take) -> Void
  ) -> Connection {
    if let connection = connection(to: filterState) { return connection }
    let connection = filterState.connect { [weak self, weak filterState] in
      guard let self, let filterState, self.connection(to: filterState) != nil else { return }
      change(take)
    }
    if let other = replace(by: connection, to: filterState) {
      connection.disconnect()
      return other
    }
    adopt(take)
    return connection
  }

  /// Follows none any more.
  package func end() {
    replace(by: nil, to: nil)
  }

  /// The connection to a filter state, if that is the one that is followed.
  package func connection(to filterState: FilterState) -> Connection? {
    guard let following, following.filterState === filterState else { return nil }
    return following.connection
  }

  /// Takes the filters of the state that is followed now; leaves them as they are when there is none.
  private func take(_ groups: inout FilterGroups) {
    if let following { groups = following.filterState.groups }
  }

  /// What is followed now. The state is released outside the lock, for its end ends streams.
  private var following: (filterState: FilterState, connection: Connection)? {
    let (filterState, connection) = state.withLock { ($0.filterState, $0.connection) }
    guard let filterState, let connection, connection.isConnected else { return nil }
    return (filterState, connection)
  }

  /// Ends the connection there is; or returns it, when it is one to the same state.
  @discardableResult
  private func replace(by connection: Connection?, to filterState: FilterState?) -> Connection? {
    let (former, followed, isSame) = state.withLock { state in
      let (former, followed) = (state.connection, state.filterState)
      let isSame = followed != nil && followed === filterState && former?.isConnected == true
      if !isSame { state = State(filterState: filterState, connection: connection) }
      return (former, followed, isSame)
    }
    return withExtendedLifetime(followed) {
      if isSame { return former }
      former?.disconnect()
      return nil
    }
  }
}
