/// A request to one index, with the parts that a filter state or a multi-searcher sets.
protocol IndexRequest: Sendable, Equatable {
  var indexName: String { get set }
  /// The text that is searched for.
  var text: String? { get set }
  /// The filter expression.
  var filters: String? { get set }
  var filterGroups: FilterGroups { get set }

  /// The request after a change by the searcher.
  func changed(by change: (inout Self) -> Void) -> Self
}

/// Returns whether a list still needs the connection that it is making.
package typealias IsWanted = @Sendable () -> Bool

extension CoreSearcher {
  /// Whether the current code runs inside an `update` closure of the request.
  nonisolated var isChanging: Bool { core.owner.isChanging }

  /// Filters a request, or a part of it, by a filter state.
  ///
  /// - Parameters:
  ///   - filterState: The state.
  ///   - filters: The subscription to the state; see ``FilterStateSubscription/follow``.
  ///   - isWanted: Whether the list that connects the state still needs it; see
  ///     ``FilterStateSubscription/follow``. Defaults to `nil`: the searcher itself connects it.
  ///   - searchesOnChange: Whether a change of the filters is searched. Defaults to `true`.
  ///   - filtered: Returns a request with other filters.
  nonisolated func follow(
    _ filterState: FilterState, with filters: FilterStateSubscription,
    forListWhile isWanted: IsWanted? = nil, searchesOnChange: Bool = true,
    filtered: @escaping @Sendable (Request, FilterGroups) -> Request
  ) -> Connection {
    filters.follow(filterState, forListWhile: isWanted) { [weak self] in
      self?.isChanging ?? false
    } change: { [weak self] groups in
      guard let core = self?.core else { return true }
      func change(_ request: Request) -> Request {
        groups().map { filtered(request, $0) } ?? request
      }
      return searchesOnChange ? core.copy(change) : core.adjust(change)
    } applyInitial: { groups in
      core.adjust { request in groups().map { filtered(request, $0) } ?? request }
    }
  }
}

extension CoreSearcher where Request: IndexRequest {
  /// Filters the request by a filter state.
  nonisolated func follow(
    _ filterState: FilterState, with filters: FilterStateSubscription,
    forListWhile isWanted: IsWanted? = nil, searchesOnChange: Bool = true
  ) -> Connection {
    follow(
      filterState, with: filters, forListWhile: isWanted, searchesOnChange: searchesOnChange
    ) { request, groups in
      request.changed { $0.filterGroups = groups }
    }
  }
}

/// The filters that the components of a multi-searcher share.
struct SharedFilters: Sendable {
  /// Changes the requests of all components as one change: one of them by `change`, with the
  /// argument and result that ``MultiSearchComponent`` defines, and the others to the current
  /// filters.
  ///
  /// It returns whether all were changed; `nil` if the multi-searcher was released.
  typealias Change =
    @Sendable (
      _ component: any MultiSearchComponent, _ searches: Bool, _ change: (_ searches: Bool) -> Bool?
    ) -> Bool?

  /// The subscription of the multi-searcher.
  weak var subscription: FilterStateSubscription?
  /// Whether a search of the multi-searcher is pending.
  let isPending: @Sendable () -> Bool
  let change: Change
}

/// The subscription of a searcher to one filter state, which lasts until its last connection ends.
final class FilterStateSubscription: Sendable {
  /// Sets the filters of a request. Returns `false` if the request could not be set.
  ///
  /// `groups` returns the current filters of the state that is followed at that time, so neither
  /// the order of notifications nor the order of connections matters. If it returns `nil`, the
  /// request does not change.
  typealias Setter = (_ groups: () -> FilterGroups?) -> Bool

  /// The connections to a filter state, and the filters that were applied.
  private struct Subscription: Sendable {
    /// Reports changes. `nil` until the first thread that connects has created it.
    var source: Connection?
    /// The connections that were returned and have not ended.
    var connections: [Connection] = []
    /// The searcher's own connection, a member of `connections`.
    var searcherConnection: Connection?
    /// The filters that were applied last. `nil` if applying them failed. A new connection applies
    /// different filters.
    var applied: FilterGroups?
    /// The number of times that filters could not be applied.
    var failureCount = 0

    mutating func add(_ connection: Connection, isSearcherConnection: Bool) {
      connections.append(connection)
      if isSearcherConnection { searcherConnection = connection }
    }

    /// Removes a connection. Returns whether it was the last.
    mutating func remove(_ connection: Connection) -> Bool {
      connections.removeAll { $0 === connection }
      if searcherConnection === connection { searcherConnection = nil }
      return connections.isEmpty
    }

    mutating func fail() {
      failureCount += 1
      applied = nil
    }

    /// Ends all connections. No lock may be held.
    func end() {
      source?.disconnect()
      for connection in connections { connection.disconnect() }
    }
  }

  private typealias FilterLink = Link<FilterState, Subscription>

  private let link = Lock(FilterLink { $0.end() })
  private let sharedFilters = Lock<SharedFilters?>(nil)

  /// Follows a filter state in place of the previous one.
  ///
  /// - Parameters:
  ///   - filterState: The state. If it is followed already, nothing is set.
  ///   - isWanted: Whether the list that connects the state still needs it. It is called under a
  ///     lock before the state replaces another, so of two states that a list connects at the same
  ///     time the newer one stays. The list receives a new connection, which has ended if it does
  ///     not need it. If `nil`, the method returns the one connection of the searcher itself. The
  ///     state is followed until the last connection ends.
  ///   - isChanging: Whether the caller is a closure of a change of a filtered request.
  ///   - change: Called after each change, on the thread that makes it. It must not retain the
  ///     searcher.
  ///   - applyInitial: Called before the method returns, to apply the current filters.
  func follow(
    _ filterState: FilterState, forListWhile isWanted: IsWanted?,
    isChanging: @escaping @Sendable () -> Bool,
    change: @escaping @Sendable (() -> FilterGroups?) -> Bool, applyInitial: Setter
  ) -> Connection {
    let connected = link.withLock { link -> (FilterLink.Outcome, Connection)? in
      if isWanted?() == false { return nil }
      let outcome = link.connect(to: filterState, content: { Subscription() }) { [weak self] in
        self?.end($0)
      }
      if isWanted == nil, let connection = outcome.content.searcherConnection,
        connection.isConnected
      {
        return (outcome, connection)
      }
      let subscription = outcome.connection
      let connection = Connection(undoing: { [weak self] in self?.leave(subscription, $0) })
      link[subscription]?.add(connection, isSearcherConnection: isWanted == nil)
      return (outcome, connection)
    }
    guard let (outcome, connection) = connected else { return .ended }
    outcome.effect()
    if outcome.content.source == nil {
      observe(filterState, for: outcome.connection, isChanging: isChanging, change)
    }
    // The caller also applies the filters of a state that another thread connected, so that it
    // returns after they are applied.
    if let (_, subscription, groups) = current, groups != subscription.applied {
      set(by: applyInitial)
    }
    return connection
  }

  /// Starts to report the changes of a filter state. Several threads can call it at once: each
  /// returns when changes are reported, and only the first connection stays.
  private func observe(
    _ filterState: FilterState, for subscription: Connection,
    isChanging: @escaping @Sendable () -> Bool,
    _ change: @escaping @Sendable (() -> FilterGroups?) -> Bool
  ) {
    let source = filterState.connect(
      { [weak self] in self?.set(by: change) }, isChanging: isChanging)
    let isFirst = link.withLock { link in
      guard let current = link[subscription], current.source == nil else { return false }
      link[subscription]?.source = source
      return true
    }
    if !isFirst { source.disconnect() }
  }

  /// The filters that the searcher shares as a component. `nil` if it is not a component.
  var shared: SharedFilters? { sharedFilters.withLock { $0 } }

  /// The searcher is a component of a multi-searcher with these filters.
  func share(_ filters: SharedFilters) {
    let previous = sharedFilters.withLock { shared in
      defer { shared = filters }
      return shared
    }
    withExtendedLifetime(previous) {}
  }

  /// The connected filter state. `nil` without one.
  var filterState: FilterState? { link.withLock { $0.source } }

  /// The connection that reports the changes of that state.
  var source: Connection? { link.withLock { $0.content?.source } }

  /// Makes the next connection apply the filters again, even if its state is the same.
  func forgetApplied() {
    link.withLock { $0.content?.fail() }
  }

  /// Ends the subscription.
  func end() {
    if let subscription = link.withLock({ $0.connection }) { end(subscription) }
  }

  private func end(_ subscription: Connection) {
    link.withLock { $0.disconnect(subscription) }?()
  }

  /// Ends the subscription with its last connection.
  private func leave(_ subscription: Connection, _ connection: Connection) {
    link.withLock { link in
      link[subscription]?.remove(connection) == true ? link.disconnect(subscription) : nil
    }?()
  }

  /// The current filters of the connected state. `nil` without a connected state.
  var currentGroups: FilterGroups? { current?.groups }

  /// The subscription, and the current filters of its state.
  private var current: (connection: Connection, subscription: Subscription, groups: FilterGroups)? {
    // The state is released after the lock.
    let (connection, subscription, filterState) = link.withLock {
      ($0.connection, $0.content, $0.source)
    }
    guard let connection, let subscription, let filterState else { return nil }
    return (connection, subscription, filterState.groups)
  }

  /// Sets the filters of the state that is followed.
  private func set(by set: Setter) {
    // A newer change of the filters calls this as well.
    guard let (connection, before, groups) = current else { return }
    let isSet = set { currentGroups }
    link.withLock { link in
      if !isSet { link[connection]?.fail() }
      // Another thread may have failed with newer ones.
      if link[connection]?.failureCount == before.failureCount {
        link[connection]?.applied = groups
      }
    }
  }
}
