// Widgets: the changes that they make.

extension HitsSearcher {
  /// The screen of the connected widgets.
  nonisolated var screen: SearcherScreen {
    planner.widgets {
      SearcherScreen(
        of: planner, client: client, options: options, owner: core.owner)
    }
  }

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
    of other: SearchScreen, _ observer: SearcherScreen.Observer
  ) throws(SearchError) -> Range<UInt64> {
    if screen.beginObservation() { _ = addObserver(screen.searcherObserver(self)) }
    return try screen.add(other, observer)
  }

  /// Changes the state of the search: the request, the filters of the connected filter state or of
  /// a multi-searcher's components, and the memory of the widgets. All of it is one change with one
  /// search.
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

  /// The committed change, and its remaining effects.
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

// MARK: - The state of the user interface

extension HitsSearcher {
  /// The state of the user interface that the connected widgets show, for example to write it to a
  /// URL: `UIState.query(mapping:)`.
  public nonisolated var uiState: IndexUIState { currentScreen.nodes[0].uiState }

  /// Sets the state of the connected widgets, for example from a URL. Absent parts are cleared, and
  /// parts that no connected widget changes are ignored.
  ///
  /// The request and the connected filter state change together, as one change.
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
