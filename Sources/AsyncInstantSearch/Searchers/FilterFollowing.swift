/// The one filter state that a searcher follows until its last connection is undone.
final class FilterFollowing: Sendable {
  /// Sets the filters of a request. It is given them as a function: what counts is what is followed
  /// when the request is set, and what that holds then, so neither the order of the notifications
  /// nor that of the connections matters. `nil` changes nothing. `false` when the request could not
  /// be set.
  typealias Setter = (_ groups: () -> FilterGroups?) -> Bool

  private struct Following {
    let id: UInt64
    weak var filterState: FilterState?
    /// Reports changes.
    let source: Connection
    /// The connections that were handed out.
    var connections: [UInt64: Connection] = [:]
    /// The one of them that is the searcher's own.
    var own: Connection?
    /// The filters that were taken over last; `nil` when they could not be. A connection takes over
    /// others.
    var adopted: FilterGroups?
    /// How often filters could not be taken over.
    var failureCount = 0

    mutating func fail() {
      failureCount += 1
      adopted = nil
    }

    /// Ends it for all.
    func end() {
      source.disconnect()
      for connection in connections.values { connection.disconnect() }
    }
  }

  private struct State {
    var following: Following?
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
  ///   - isOwn: Whether the searcher's own connection is wanted, which there is once; otherwise
  ///     each call makes one more. The state is followed until the last of them is undone.
  ///   - change: Called after each change, on the thread that makes it. It must not hold the
  ///     searcher.
  ///   - adopt: Called at once, to take over the current filters.
  func follow(
    _ filterState: FilterState, isOwn: Bool,
    change: @escaping @Sendable (() -> FilterGroups?) -> Bool, adopt: Setter
  ) -> Connection {
    if let joined = join(filterState, isOwn: isOwn, orBeginWith: nil) {
      complete(by: adopt)
      return joined.connection
    }
    // It may not be followed any more by the time this is called: what counts is what is followed
    // then.
    let source = filterState.connect { [weak self] in self?.set(by: change) }
    guard let joined = join(filterState, isOwn: isOwn, orBeginWith: source) else { return source }
    if joined.isNew {
      joined.former?.end()
    } else {
      source.disconnect()
    }
    complete(by: adopt)
    return joined.connection
  }

  /// Takes over the filters unless that is done: also those of a state that another thread began to
  /// follow, so that each caller returns when they are taken over.
  private func complete(by adopt: Setter) {
    guard let (following, groups) = current, groups != following.adopted else { return }
    set(by: adopt)
  }

  /// The next connection takes over the filters again, also those of the same state.
  func forgetAdopted() {
    state.withLock { $0.following?.fail() }
  }

  /// Follows none any more.
  func end() {
    let former = state.withLock { state in
      defer { state.following = nil }
      return state.following
    }
    former?.end()
  }

  /// The filters of the state that is followed; `nil` when there is none.
  var currentGroups: FilterGroups? { current?.groups }

  /// What is followed, and the filters it has now.
  private var current: (following: Following, groups: FilterGroups)? {
    // The state may have no other reference: it is released after the lock.
    let (following, filterState) = state.withLock { ($0.following, $0.following?.filterState) }
    guard let following, let filterState else { return nil }
    return (following, filterState.groups)
  }

  private struct Joined: Sendable {
    let connection: Connection
    var isNew = false
    /// What was followed before.
    var former: Following?
  }

  /// One more connection to a state, or the searcher's own, if that state is followed; if not, it
  /// is followed from now on when there is a source that reports its changes.
  private func join(
    _ filterState: FilterState, isOwn: Bool, orBeginWith source: Connection?
  ) -> Joined? {
    // What is compared with may have no other reference: it is released after the lock.
    let (joined, compared) = state.withLock { state -> (Joined?, FilterState?) in
      let followed = state.following?.filterState
      let isFollowed = followed === filterState
      if isFollowed, isOwn, let own = state.following?.own {
        return (Joined(connection: own), followed)
      }
      guard isFollowed || source != nil else { return (nil, followed) }
      var former: Following?
      if !isFollowed, let source {
        former = state.following
        state.following = Following(
          id: state.makeID(), filterState: filterState, source: source)
      }
      let id = state.makeID()
      let followingID = state.following?.id
      let connection = Connection { [weak self] in self?.leave(followingID, id) }
      state.following?.connections[id] = connection
      if isOwn { state.following?.own = connection }
      return (Joined(connection: connection, isNew: !isFollowed, former: former), followed)
    }
    withExtendedLifetime(compared) {}
    return joined
  }

  private func leave(_ followingID: UInt64?, _ id: UInt64) {
    let (former, connection) = state.withLock { state -> (Following?, Connection?) in
      guard state.following?.id == followingID else { return (nil, nil) }
      let connection = state.following?.connections.removeValue(forKey: id)
      if let connection, state.following?.own === connection { state.following?.own = nil }
      guard state.following?.connections.isEmpty == true else { return (nil, connection) }
      defer { state.following = nil }
      return (state.following, connection)
    }
    former?.end()
    withExtendedLifetime(connection) {}
  }

  /// Sets the filters of the state that is followed.
  private func set(by set: Setter) {
    // When these are not the newest any more, their change calls this as well.
    guard let (before, groups) = current else { return }
    let isSet = set { currentGroups }
    state.withLock { state in
      guard state.following?.id == before.id else { return }
      if !isSet { state.following?.fail() }
      // Another thread may have failed with newer ones.
      if state.following?.failureCount == before.failureCount { state.following?.adopted = groups }
    }
  }
}
