/// The filters of a search, shared by whatever changes them and whatever follows them.
///
/// Changes are made in transactions, from any thread or actor; each one that changes something
/// gives every subscriber exactly one update.
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
  private struct State {
    var groups: FilterGroups
    var followers: [UInt64: @Sendable () -> Void] = [:]
    var nextID: UInt64 = 0
  }

  private typealias Followers = [@Sendable () -> Void]

  private let state: Lock<State>
  private let owner = ChangeOwner()
  private let hub: StreamHub<FilterGroups>
  private let errorHub = StreamHub<SearchError>(replaysCurrent: false)

  /// Creates a state; there are no filters by default.
  public init(_ groups: FilterGroups = FilterGroups()) {
    state = Lock(State(groups: groups))
    hub = StreamHub(initial: groups, replaysCurrent: true, areEqual: ==)
  }

  deinit {
    hub.finish()
    errorHub.finish()
  }

  /// The filters now.
  public var groups: FilterGroups { state.withLock { $0.groups } }

  /// The filters as the parameter `filters`; `nil` when there are none.
  public var text: String? { groups.text }

  /// Changes the filters in one transaction.
  ///
  /// `change` runs again when the filters are changed at the same time; it must only change its
  /// argument. A change that contains another one of this state in each of 8 runs is not made, nor
  /// one during each of whose 1,000 runs other threads change the filters; ``errors`` reports both.
  ///
  /// - Returns: Whether something is different now. If so, each subscriber receives one update.
  @discardableResult
  public func update(_ change: (inout FilterGroups) -> Void) -> Bool {
    var tries = ChangeTries()
    while true {
      let before = groups
      let changed = tries.next(of: owner) {
        var after = before
        change(&after)
        return after
      }
      guard let after = changed else { break }
      if after == before { return false }
      let change = state.withLock { state -> (StreamHub<FilterGroups>.Delivery, Followers)? in
        guard state.groups == before else { return nil }
        state.groups = after
        return (hub.stage(after), Array(state.followers.values))
      }
      guard let (delivery, followers) = change else { continue }
      delivery.perform()
      for follower in followers { follower() }
      return true
    }
    errorHub.send(tries.error(of: "the filters", in: "filter state"))
    return false
  }

  /// Calls `follower` after each change, on the thread that makes it, without any lock.
  ///
  /// Two changes made at the same time may call it in either order: it must ask for ``groups``.
  func connect(_ follower: @escaping @Sendable () -> Void) -> Connection {
    let id = state.withLock { state in
      state.nextID += 1
      state.followers[state.nextID] = follower
      return state.nextID
    }
    return Connection { [weak self] in
      let follower = self?.state.withLock { $0.followers.removeValue(forKey: id) }
      withExtendedLifetime(follower) {}
    }
  }

  /// Takes over all filters of another state.
  public func setContent(of other: FilterState) {
    let groups = other.groups
    update { $0 = groups }
  }

  /// The filters: the current ones first, then newer ones. By default a slow consumer finds only
  /// the newest. Each call makes a new subscription, which does not hold the state.
  public func updates(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<FilterGroups> {
    hub.stream(buffering: buffering)
  }

  /// The filters: the current ones first, then the newest.
  public var updates: AsyncStream<FilterGroups> { updates() }

  /// The changes that were not made, from now on; see ``update(_:)``.
  ///
  /// Each call makes a new subscription, which does not hold the state and keeps the newest 16
  /// errors until they are read.
  public func errors(buffering: StreamBuffering = .newest(16)) -> AsyncStream<SearchError> {
    errorHub.stream(buffering: buffering)
  }

  /// The changes that were not made, from now on; see ``update(_:)``.
  public var errors: AsyncStream<SearchError> { errors() }
}
