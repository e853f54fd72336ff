/// The one filter state that a searcher follows until its last connection is disconnected.
final class FilterStateSubscription: Sendable {
  /// Sets the filters of a request. It is given them as a function: what counts is what is followed
  /// when the request is set, and what that holds then, so neither the order of the notifications
  /// nor that of the connections matters. `nil` changes nothing. `false` when the request could not
  /// be set.
  typealias Setter = (_ groups: () -> FilterGroups?) -> Bool

  private struct Subscription {
    let id: UInt64
    weak var filterState: FilterState?
    /// Reports changes.
    let source: Connection
    /// The connections that were handed out.
    var connections: [UInt64: Connection] = [:]
    /// The one of them that is the searcher's own.
    var searcherConnection: Connection?
    /// The filters that were taken over last; `nil` when they could not be. A connection takes over
    /// others.
    var applied: FilterGroups?
    /// How often filters could not be taken over.
    var failureCount = 0

    mutating func fail() {
      failureCount += 1
      applied = nil
    }

    /// Ends it for all.
    func end() {
      source.disconnect()
      for connection in connections.values { connection.disconnect() }
    }
  }

  private struct State {
    var subscription: Subscription?
    var nextID: UInt64 = 0

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }
  }

  private let state = Lock(State())

  /// Follows a filter state from now on, in place of the one before.
  ///
  /// - Parameters:
  ///   - filterState: The state; when it is followed already, nothing is set.
  ///   - isSearcherConnection: Whether to return the one connection of the searcher itself.
  ///     Otherwise each call makes one more. The state is followed until the last of them is
  ///     disconnected.
  ///   - change: Called after each change, on the thread that makes it. It must not hold the
  ///     searcher.
  ///   - applyInitial: Called at once, to take over the current filters.
  func follow(
    _ filterState: FilterState, isSearcherConnection: Bool,
    change: @escaping @Sendable (() -> FilterGroups?) -> Bool, applyInitial: Setter
  ) -> Connection {
    if let result = reuse(filterState, isSearcherConnection: isSearcherConnection, orStartWith: nil)
    {
      complete(by: applyInitial)
      return result.connection
    }
    // Another state may be followed when this is called: the one that is followed then counts.
    let source = filterState.connect { [weak self] in self?.set(by: change) }
    guard
      let result = reuse(
        filterState, isSearcherConnection: isSearcherConnection, orStartWith: source)
    else { return source }
    if result.isNew {
      result.previous?.end()
    } else {
      source.disconnect()
    }
    complete(by: applyInitial)
    return result.connection
  }

  /// Takes over the filters unless that is done: also those of a state that another thread began to
  /// follow, so that each caller returns when they are taken over.
  private func complete(by applyInitial: Setter) {
    guard let (subscription, groups) = current, groups != subscription.applied else { return }
    set(by: applyInitial)
  }

  /// The next connection takes over the filters again, also those of the same state.
  func forgetApplied() {
    state.withLock { $0.subscription?.fail() }
  }

  /// Follows no state from now on.
  func end() {
    let previous = state.withLock { state in
      defer { state.subscription = nil }
      return state.subscription
    }
    previous?.end()
  }

  /// The filters of the state that is followed; `nil` when there is none.
  var currentGroups: FilterGroups? { current?.groups }

  /// What is followed, and the filters it has now.
  private var current: (subscription: Subscription, groups: FilterGroups)? {
    // The state may have no other reference: it is released after the lock.
    let (subscription, filterState) = state.withLock {
      ($0.subscription, $0.subscription?.filterState)
    }
    guard let subscription, let filterState else { return nil }
    return (subscription, filterState.groups)
  }

  private struct ConnectionResult: Sendable {
    let connection: Connection
    var isNew = false
    /// What was followed before.
    var previous: Subscription?
  }

  /// One more connection to a state, or the searcher's own, if that state is followed; if not, it
  /// is followed from now on when there is a source that reports its changes.
  private func reuse(
    _ filterState: FilterState, isSearcherConnection: Bool, orStartWith source: Connection?
  ) -> ConnectionResult? {
    // What is compared with may have no other reference: it is released after the lock.
    let (result, compared) = state.withLock { state -> (ConnectionResult?, FilterState?) in
      let currentFilterState = state.subscription?.filterState
      let isCurrent = currentFilterState === filterState
      if isCurrent, isSearcherConnection, let connection = state.subscription?.searcherConnection {
        return (ConnectionResult(connection: connection), currentFilterState)
      }
      guard isCurrent || source != nil else { return (nil, currentFilterState) }
      var previous: Subscription?
      if !isCurrent, let source {
        previous = state.subscription
        state.subscription = Subscription(
          id: state.makeID(), filterState: filterState, source: source)
      }
      let id = state.makeID()
      let subscriptionID = state.subscription?.id
      let connection = Connection { [weak self] in self?.leave(subscriptionID, id) }
      state.subscription?.connections[id] = connection
      if isSearcherConnection { state.subscription?.searcherConnection = connection }
      return (
        ConnectionResult(connection: connection, isNew: !isCurrent, previous: previous),
        currentFilterState
      )
    }
    withExtendedLifetime(compared) {}
    return result
  }

  private func leave(_ subscriptionID: UInt64?, _ id: UInt64) {
    let (previous, connection) = state.withLock { state -> (Subscription?, Connection?) in
      guard state.subscription?.id == subscriptionID else { return (nil, nil) }
      let connection = state.subscription?.connections.removeValue(forKey: id)
      if let connection, state.subscription?.searcherConnection === connection {
        state.subscription?.searcherConnection = nil
      }
      guard state.subscription?.connections.isEmpty == true else { return (nil, connection) }
      defer { state.subscription = nil }
      return (state.subscription, connection)
    }
    previous?.end()
    withExtendedLifetime(connection) {}
  }

  /// Sets the filters of the state that is followed.
  private func set(by set: Setter) {
    // A newer change of the filters calls this as well.
    guard let (before, groups) = current else { return }
    let isSet = set { currentGroups }
    state.withLock { state in
      guard state.subscription?.id == before.id else { return }
      if !isSet { state.subscription?.fail() }
      // Another thread may have failed with newer ones.
      if state.subscription?.failureCount == before.failureCount {
        state.subscription?.applied = groups
      }
    }
  }
}
