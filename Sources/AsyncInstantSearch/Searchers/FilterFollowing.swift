/// The one filter state that a searcher follows until its last connection is undone.
final class FilterFollowing: Sendable {
  /// Sets the filters of a request. It is given them as a function: what counts is what the state
  /// holds when the request is set, so the order of the notifications does not matter. `false` when
  /// the request could not be set.
  typealias Setter = (_ groups: () -> FilterGroups) -> Bool

  private struct Following {
    let id: UInt64
    weak var filterState: FilterState?
    /// Reports changes.
    let source: Connection
    /// The connections that were handed out.
    var connections: [UInt64: Connection] = [:]
    /// The one of them that is the searcher's own.
    var own: Connection?
    /// Whether the newest filters that were to be taken over were: a connection tries again if not.
    var isAdopted = false

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
    change: @escaping @Sendable (() -> FilterGroups) -> Bool, adopt: Setter
  ) -> Connection {
    if let joined = join(filterState, isOwn: isOwn, orBeginWith: nil) {
      complete(joined, by: adopt)
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
    complete(joined, by: adopt)
    return joined.connection
  }

  /// Takes over the filters unless that is done: also those of a state that another thread began to
  /// follow, so that each caller returns when they are taken over.
  private func complete(_ joined: Joined, by adopt: Setter) {
    if !joined.isAdopted { set(by: adopt) }
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
  var currentGroups: FilterGroups? { followed?.groups }

  /// The state that is followed.
  private var followed: FilterState? { state.withLock { $0.following?.filterState } }

  private struct Joined: Sendable {
    let connection: Connection
    var followingID: UInt64?
    var isAdopted = false
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
        let joined = Joined(
          connection: own, followingID: state.following?.id,
          isAdopted: state.following?.isAdopted == true)
        return (joined, followed)
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
      let joined = Joined(
        connection: connection, followingID: followingID,
        isAdopted: state.following?.isAdopted == true, isNew: !isFollowed, former: former)
      return (joined, followed)
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

  /// Sets the filters of the state that is followed, again when another one came meanwhile.
  private func set(by set: Setter) {
    while let filterState = followed {
      let isSet = set { filterState.groups }
      // What is compared with may have no other reference: it is released after the lock.
      let (isNewest, compared) = state.withLock { state -> (Bool, FilterState?) in
        let followed = state.following?.filterState
        if followed === filterState { state.following?.isAdopted = isSet }
        return (followed === filterState, followed)
      }
      withExtendedLifetime(compared) {}
      if isNewest { return }
    }
  }
}
