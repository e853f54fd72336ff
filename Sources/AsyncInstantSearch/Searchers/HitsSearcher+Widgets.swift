private import Synchronization

// Widgets: the changes that they make.

extension HitsSearcher {
  /// The current state of the search.
  package nonisolated var indexState: IndexState { currentScreen.state }

  /// The screen in the current state of the search.
  private nonisolated var currentScreen: SearchScreen {
    var screen = screen.current
    screen.setSearch(request)
    return screen
  }

  /// Adds a widget and shows it, unless its connection has ended. The searcher retains the widget
  /// until the connection ends. No lock may be held.
  nonisolated func connect(_ slot: WidgetSlot, _ connection: Connection) {
    if screen.beginObservation() { _ = addObserver(screen.searcherObserver(self)) }
    screen.add(slot)
    screen.end(connection, with: slot.id)
    if connection.isConnected {
      screen.refresh()
    } else {
      screen.remove(slot.id)
    }
  }

  /// Adds all widgets of a screen. The searcher retains them until they are removed.
  nonisolated func connectWidgets(
    of other: SearchScreen, _ follower: SearcherScreen.Follower
  ) throws(SearchError) -> Range<UInt64> {
    if screen.beginObservation() { _ = addObserver(screen.searcherObserver(self)) }
    return try screen.add(other, follower)
  }

  /// Changes the state of the search: the request, the filters of the filter state that the
  /// searches follow or that the components of a multi-searcher share, and what the widgets
  /// remember. It is one change, which is searched once.
  ///
  /// - Parameters:
  ///   - searches: Whether the change is searched. Otherwise only a pending search is made again.
  ///     Defaults to `true`.
  ///   - isClick: Whether the change does not wait for the debounce, even if it changes the text.
  ///     Defaults to `false`.
  ///   - event: Changes the screen. It runs again only if something was changed at the same time.
  /// - Returns: The states of all indices before the change and after it.
  /// - Throws: The error of `event`; or `invalidRequest` if the change is made inside another
  ///   change of the same search or filters, or inside `shouldSearch`. Nothing is changed then.
  @discardableResult
  nonisolated func change(
    searches: Bool = true, isClick: Bool = false,
    _ event: (inout SearchScreen) throws(SearchError) -> ScreenChange.Need
  ) throws(SearchError) -> (before: [IndexState], after: [IndexState]) {
    try checkChangeIsAllowed()
    // Also after an error: results may have come meanwhile.
    defer { screen.drain(self) }
    let shared = filters.filterState == nil ? filters.shared : nil
    let subscription = shared?.subscription ?? filters
    var failure: SearchError?
    let now = core.clock.now()
    let made = try core.transact { request -> ScreenChange? in
      do throws(SearchError) {
        failure = nil
        return try plan(from: request, followed: subscription.filterState, event)
      } catch {
        failure = error
        return nil
      }
    } commit: { [screen] core, plan -> ([SearchStateMachine<Request, Response>.Action], Made?)? in
      guard let plan else { return ([], nil) }
      let isDeferred =
        shared != nil && plan.changesFilters && (searches || shared?.isPending() == true)
      var machine = core.machine
      let actions = plan.actions(
        &machine, searches: searches, isClick: isClick, isDeferred: isDeferred, now: now)
      guard let rest = plan.commit(to: screen, isPending: machine.isPending) else { return nil }
      core.machine = machine
      if plan.followed != nil { core.countCopy() }
      return (
        actions,
        Made(plan: plan, rest: rest, isDeferred: isDeferred, isNeeded: !actions.isEmpty)
      )
    }
    if let failure { throw failure }
    guard let made else { throw .refused }
    made.rest.views()
    made.rest.filters(subscription.source)
    if made.plan.changesFilters, let shared {
      let isMade = shared.change(self, searches) { searches in searches ? made.isNeeded : true }
      if isMade == nil, made.isDeferred {
        // The multi-searcher was released.
        core.endDeferral()
        submit()
      }
    }
    return (made.plan.statesBefore, made.plan.statesAfter)
  }

  /// What was committed, and what is left to do.
  private struct Made: Sendable {
    let plan: ScreenChange
    let rest: ScreenChange.Rest
    let isDeferred: Bool
    let isNeeded: Bool
  }

  private nonisolated func plan(
    from request: SearchRequest<JSON>, followed: FilterState?,
    _ event: (inout SearchScreen) throws(SearchError) -> ScreenChange.Need
  ) throws(SearchError) -> ScreenChange {
    var request = request
    let groups = followed?.groups
    if let groups { request.filterGroups = groups }
    let base = screen.state.withLock { $0 }
    var next = base
    next.receiveAll()
    next.screen.setSearch(request)
    let before = next.screen.nodes.map(\.state)
    var need = ScreenChange.Need.none
    // The closure can make no other change of the filters.
    if let followed {
      try followed.owner.preview { () throws(SearchError) in need = try event(&next.screen) }
    } else {
      need = try event(&next.screen)
    }
    let after = next.screen.nodes.map(\.state)
    let isChanged = !zip(before, after).allSatisfy { $0.isSameSearch(as: $1) }
    if isChanged {
      request = SearchRequest(after[0])
      need = .search(isForced: request == SearchRequest(before[0]))
    }
    let isAllowed = need == .none || core.shouldSearch(request)
    return ScreenChange(
      request: request, isAllowed: isAllowed, need: need,
      statesBefore: before, statesAfter: after,
      base: base.revision, next: next.refreshed(), followed: followed,
      groups: groups.map { ($0, request.filterGroups) })
  }

  /// Throws `invalidRequest` inside another change of the request or of the filters, and inside
  /// `shouldSearch`.
  nonisolated func checkChangeIsAllowed() throws(SearchError) {
    try core.owner.checkIsAllowed()
    let followed = filters.filterState ?? filters.shared?.subscription?.filterState
    try followed?.owner.checkIsAllowed()
  }
}

/// A change of a screen and of its search that is computed and not made yet.
struct ScreenChange: Sendable {
  /// The search that a change needs.
  enum Need: Sendable, Equatable {
    case none
    /// The same search again if it has failed.
    case ifFailed
    /// The same search again, because widgets need other queries.
    case again
    /// Another search; forced if only that of another index has changed.
    case search(isForced: Bool)
  }

  /// What is left to do after the commit, without a lock.
  struct Rest: Sendable {
    let views: @Sendable () -> Void
    let filters: @Sendable (_ except: Connection?) -> Void
  }

  let request: SearchRequest<JSON>
  /// Whether `shouldSearch` allows the request.
  let isAllowed: Bool
  let need: Need
  /// The states of all indices before the change and after it.
  let statesBefore: [IndexState]
  let statesAfter: [IndexState]
  /// The revision of the screen from which the change was computed.
  let base: UInt64
  let next: SearcherScreen.Refreshed
  /// The filter state that owns the filters; `nil` if the searcher does.
  let followed: FilterState?
  let groups: (before: FilterGroups, after: FilterGroups)?

  /// Whether a text of an index was changed, and not removed, as by a key.
  private var isTyped: Bool {
    zip(statesBefore, statesAfter).contains { before, after in
      let text = after.query.query ?? ""
      return !text.isEmpty && text != before.query.query ?? ""
    }
  }

  var changesFilters: Bool { groups.map { $0.before != $0.after } ?? false }

  /// Stores the screen and the filters, unless one of them has changed meanwhile.
  ///
  /// - Parameter isPending: Whether a search is pending after the change.
  func commit(to screen: SearcherScreen, isPending: Bool) -> Rest? {
    var filters: (@Sendable (Connection?) -> Void)? = { _ in }
    let effects = screen.commit(next, after: base, isPending: isPending) {
      if let followed, let groups { filters = followed.replace(groups.before, by: groups.after) }
      return filters != nil
    }
    guard let effects, let filters else { return nil }
    return Rest(views: { for effect in effects { effect() } }, filters: filters)
  }

  /// The decision of a searcher about the change.
  func actions(
    _ machine: inout SearchStateMachine<SearchRequest<JSON>, SearchAnswer>, searches: Bool,
    isClick: Bool, isDeferred: Bool, now: Duration
  ) -> [SearchStateMachine<SearchRequest<JSON>, SearchAnswer>.Action] {
    switch need {
    case .none: return []
    case .ifFailed:
      if case .failed = machine.state, isAllowed { return machine.submitRequested() }
      return []
    case .again: return machine.isPending || !isAllowed ? [] : machine.submitRequested()
    case .search(let isForced):
      let isClick = isClick || next.changes.demands.searchesAtOnce || !isTyped
      if !isAllowed { return machine.requestRefused(request) }
      if isDeferred { return machine.requestDeferred(request) }
      if !searches {
        return machine.requestAdjusted(request, forcesSearch: isForced, now: now)
      }
      return machine.requestSet(
        request, forcesSearch: isForced, isClick: isClick, now: now)
    }
  }
}

// MARK: - Actions

extension HitsSearcher {
  /// Performs an action on the screen, which returns whether anything was changed.
  nonisolated func perform(
    _ action: (inout SearchScreen) throws(SearchError) -> Bool
  ) throws(SearchError) {
    let change = try change { screen throws(SearchError) in
      try action(&screen) ? .none : .ifFailed
    }
    for (before, after) in zip(change.before, change.after) {
      screen.reportClicks(on: after.filtersSwitchedOn(since: before), in: after)
    }
  }
}

extension SearcherScreen {
  /// Reports the filters that an action has switched on.
  fileprivate func reportClicks(on filters: [Filter], in search: IndexState) {
    if filters.isEmpty { return }
    for receive in state.withLock({ Array($0.clicks.values) }) {
      receive(filters, search.indexName)
    }
  }

  /// Reports the filters that actions switch on, until a slot is removed.
  func reportClicks(
    to receive: @escaping @Sendable ([Filter], _ indexName: String) -> Void, until slot: UInt64
  ) {
    change { $0.clicks[slot] = receive }
  }
}

extension IndexState {
  /// The filters that an action has switched on: values of facets, tags and ratings.
  fileprivate func filtersSwitchedOn(since before: IndexState) -> [Filter] {
    if filters == before.filters { return [] }
    let earlier = Set(
      before.filters.filters
        + before.filters.hierarchies.flatMap { $0.hierarchy.path.map(Filter.facet) })
    return filters.groups.flatMap { id, filters in
      filters.filter { filter in
        guard !filter.isNegated, !earlier.contains(filter) else { return false }
        return filter.kind != .numeric || filter.isMinimum(ofRatingIn: id)
      }
    }
  }
}

extension Filter {
  /// Whether this is the lower of the two comparisons of a rating.
  fileprivate func isMinimum(ofRatingIn id: FilterGroups.ID) -> Bool {
    guard case .numeric(let filter) = self, case .comparison(.greaterOrEqual, _) = filter.value
    else { return false }
    return id == .and(IndexState.ratingGroup(of: filter.attribute.rawValue))
  }
}

// MARK: - What follows from results

extension SearcherScreen {
  /// Whether the caller is the first that observes the searcher.
  func beginObservation() -> Bool {
    change { state in
      defer { state.isObserved = true }
      return !state.isObserved
    }
  }

  /// Shows a searcher's results in all widgets. It does not retain the searcher.
  func searcherObserver(_ searcher: HitsSearcher) -> HitsObserver {
    let isFirst = Atomic(true)
    return HitsObserver(
      prepare: { [weak self] response in self?.prepare(response.results) },
      stage: { [weak self, weak searcher] status in
        let isFirst = isFirst.exchange(false, ordering: .relaxed)
        guard let self, stage(status, isFirst: isFirst) else { return {} }
        return { if let searcher { self.drain(searcher) } }
      },
      present: { [weak self, weak searcher] in
        guard let self, let searcher else { return true }
        drain(searcher)
        return await present()
      },
      end: { [weak self] in self?.disconnectAll() })
  }

  /// The searcher was released.
  private func disconnectAll() {
    let connections = state.withLock { $0.connections.values.map(\.self) }
    for connection in connections { connection.disconnect() }
  }

  private func prepare(_ results: IndexResults) {
    let nodes = state.withLock { $0.screen.nodes }
    for node in nodes { for slot in node.slots { slot.entry.prepare(results) } }
  }

  /// Waits until the controllers of all widgets show the newest views; `false` if the task is
  /// cancelled first.
  private func present() async -> Bool {
    let nodes = state.withLock { $0.screen.nodes }
    for node in nodes {
      for slot in node.slots where slot.watch?.isOn == true && slot.entry.hasControllers {
        guard await slot.entry.present() else { return false }
      }
    }
    return true
  }

  /// Brings all views up to date, and makes the changes and the search that follow from results.
  func drain(_ searcher: HitsSearcher) {
    refresh()
    // In the closure of a change that change does it at its end.
    while !searcher.core.owner.isChanging, state.withLock({ $0.screen.hasFollowUps }) {
      do throws(SearchError) {
        try searcher.change { screen in
          screen.followActivity()
          return screen.repeats() ? .again : .none
        }
      } catch {
        searcher.core.report(error)
        return
      }
    }
  }
}

// MARK: - The state of the user interface

extension HitsSearcher {
  /// The state of the user interface that the connected widgets show, for example to write it to a
  /// URL: `UIState.query(mapping:)`.
  public nonisolated var uiState: IndexUIState { currentScreen.nodes[0].uiState }

  /// Sets what the connected widgets show, for example from a URL. What is absent is cleared, and
  /// what no connected widget changes is ignored.
  ///
  /// It is one change of the request, and of the filter state that the searches follow.
  ///
  /// - Parameters:
  ///   - uiState: The state.
  ///   - searchesOnChange: Whether a change is searched. Otherwise it takes effect with the next
  ///     search, as before the first one. Defaults to `true`.
  public nonisolated func setUIState(_ uiState: IndexUIState, searchesOnChange: Bool = true) {
    do throws(SearchError) {
      try change(searches: searchesOnChange, isClick: true) { screen in
        screen.read(uiState, at: 0)
        return searchesOnChange ? .ifFailed : .none
      }
    } catch {
      core.report(error)
    }
  }
}

extension SearchRequest {
  /// Creates the request of a state.
  init(_ state: IndexState) {
    self.init(state.indexName, state.query, filterGroups: state.filters)
  }
}
