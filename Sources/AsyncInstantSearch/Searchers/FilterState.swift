/// Filters shared by the controls that change them and the searchers that apply them.
///
/// Widgets alone need no filter state: the searcher's request then has the filters.
///
/// Any thread or actor can change the filters in a transaction. Each transaction that changes
/// something sends exactly one update to every subscriber.
///
/// ```swift
/// let filters = FilterState()
/// searcher.connectFilterState(filters)
/// filters.update {
///   $0[or: "brand"].toggle("brand" == "Apple")
///   $0[and: "price"].add("price" < 500)
/// }
/// ```
public final class FilterState: Sendable {
  private struct Follower: Sendable {
    let connection: Connection
    /// Whether the caller is a closure of a change that would miss new filters.
    let isChanging: @Sendable () -> Bool
    let notify: @Sendable () -> Void
  }

  private struct State {
    var groups: FilterGroups
    var followers: [UInt64: Follower] = [:]
    var nextID: UInt64 = 0
  }

  private let state: Lock<State>
  let owner = ChangeOwner(of: "the filters", in: "filter state")
  private let hub: StreamHub<FilterGroups>
  private let errorHub = StreamHub<SearchError>(replaysCurrent: false)

  /// Creates a state. Defaults to no filters.
  public init(_ groups: FilterGroups = FilterGroups()) {
    state = Lock(State(groups: groups))
    hub = StreamHub(initial: groups, replaysCurrent: true, areEqual: ==)
  }

  deinit {
    hub.finish()
    errorHub.finish()
  }

  /// The current filters.
  public var groups: FilterGroups { state.withLock { $0.groups } }

  /// The filters as the `filters` parameter. `nil` without filters.
  public var text: String? { groups.text }

  /// Changes the filters in one transaction.
  ///
  /// `change` runs again if the filters are changed at the same time, so it must only change its
  /// argument. A change is rejected if it is made inside another change of this state or of a
  /// searcher that it is connected to, or inside the `shouldSearch` of a searcher, and if other
  /// threads change the filters during each of 1,000 runs. ``errors`` reports each of these.
  ///
  /// - Returns: Whether the filters changed. If so, each subscriber receives one update.
  @discardableResult
  public func update(_ change: (inout FilterGroups) -> Void) -> Bool {
    do throws(SearchError) {
      return try makeChange(change)
    } catch {
      errorHub.send(error)
      return false
    }
  }

  /// Changes the filters like ``update(_:)``, but throws the error of a change that is not made.
  private func makeChange(_ change: (inout FilterGroups) -> Void) throws(SearchError) -> Bool {
    try owner.checkIsAllowed()
    let followers = state.withLock { Array($0.followers.values) }
    if followers.contains(where: { $0.isChanging() }) {
      throw SearchError(
        .invalidRequest,
        """
        A change of the filters of the filter state was not made, because the closure of a change \
        of a connected searcher makes the change. Change the filters before or after it.
        """)
    }
    return try owner.change {
      let before = groups
      var after = before
      change(&after)
      return (before: before, after: after)
    } commit: { change -> Bool? in
      guard let effect = replace(change.before, by: change.after) else { return nil }
      effect(nil)
      return change.after != change.before
    }
  }

  /// Replaces the filters if they equal the expected ones.
  ///
  /// - Returns: The effect to perform outside the lock. It calls all followers except the one with
  ///   the connection, which knows the change. `nil` if the filters differ.
  func replace(
    _ before: FilterGroups, by after: FilterGroups
  ) -> (@Sendable (_ except: Connection?) -> Void)? {
    state.withLock { state in
      guard state.groups == before else { return nil }
      if after == before { return { _ in } }
      state.groups = after
      let (delivery, followers) = (hub.stage(after), Array(state.followers.values))
      return { connection in
        delivery.perform()
        for follower in followers where follower.connection !== connection { follower.notify() }
      }
    }
  }

  /// Calls `follower` after each change, on the thread that makes it, without any lock.
  ///
  /// Two changes at the same time can call it in either order, so it must read ``groups``.
  ///
  /// - Parameter isChanging: Whether the current code runs inside a change that would miss new
  ///   filters. They are then rejected.
  func connect(
    _ follower: @escaping @Sendable () -> Void, isChanging: @escaping @Sendable () -> Bool
  ) -> Connection {
    state.withLock { state in
      state.nextID += 1
      let id = state.nextID
      let connection = Connection { [weak self] in
        let follower = self?.state.withLock { $0.followers.removeValue(forKey: id) }
        withExtendedLifetime(follower) {}
      }
      state.followers[id] = Follower(
        connection: connection, isChanging: isChanging, notify: follower)
      return connection
    }
  }

  /// Replaces all filters with the filters of another state.
  public func setContent(of other: FilterState) {
    let groups = other.groups
    update { $0 = groups }
  }

  /// Returns the filters: the current ones first, then newer ones.
  ///
  /// By default a slow consumer receives only the newest filters. Each call creates a new
  /// subscription, which does not retain the state.
  public func updates(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<FilterGroups> {
    hub.stream(buffering: buffering)
  }

  /// The filters: the current ones first, then the newest.
  public var updates: AsyncStream<FilterGroups> { updates() }

  /// Returns the errors of changes that were not made; see ``update(_:)``.
  ///
  /// Each call creates a new subscription to later errors, which does not retain the state and
  /// keeps the newest 16 until they are read.
  public func errors(buffering: StreamBuffering = .newest(16)) -> AsyncStream<SearchError> {
    errorHub.stream(buffering: buffering)
  }

  /// The errors of changes that were not made; see ``update(_:)``.
  public var errors: AsyncStream<SearchError> { errors() }
}
