// Widgets: what they need from searches, and the changes that they make.

extension HitsSearcher {
  /// The current state of the search, completed by the connected widgets.
  package nonisolated var indexState: IndexState { widgets.state(of: request) }

  /// Adds a widget and the observer that shows it responses.
  ///
  /// - Returns: Removes both. No lock may be held.
  nonisolated func add(
    _ widget: WidgetRegistry.Entry, _ observer: HitsObserver
  ) -> @Sendable () -> Void {
    let entry = widgets.add(widget)
    let observation = addObserver(observer)
    return { [weak self] in
      self?.widgets.remove(entry)
      if let observation { self?.removeObserver(observation) }
    }
  }

  /// Changes the state of the search: the request, and the filters of the filter state that the
  /// searches follow, or that the components of a multi-searcher share. Both are one change, which
  /// is searched once. A change of shared filters is one request for all components.
  ///
  /// - Parameters:
  ///   - searches: Whether the change is searched. Otherwise only a pending search is made again.
  ///     Defaults to `true`.
  ///   - change: Changes the state. It runs again if the state is changed at the same time.
  /// - Throws: The error of `change`; or `invalidRequest` if the change is made inside another
  ///   change of the same request or filters, or inside `shouldSearch`. Nothing is changed then,
  ///   except that the filters may be, if another thread has changed the request after they were. A
  ///   change that other threads prevent is reported on ``Searcher/errors``.
  nonisolated func change(
    searches: Bool = true, _ change: (inout IndexState) throws(SearchError) -> Void
  ) throws(SearchError) {
    try checkChangeIsAllowed()
    var failure: SearchError?
    /// The newest change that was computed. It is not computed again for an equal request.
    var newest: (request: SearchRequest<JSON>, state: IndexState)?
    /// Returns the state after the change of a request; `nil` after an error.
    func changed(_ request: SearchRequest<JSON>) -> IndexState? {
      if let newest, newest.request == request {
        failure = nil
        return newest.state
      }
      let plain = IndexState(request)
      let completed = widgets.completed(plain)
      var state = completed
      do throws(SearchError) {
        failure = nil
        try preview { () throws(SearchError) in try change(&state) }
        state = state.removingCompletions(of: plain, completed: completed)
        newest = (request, state)
        return state
      } catch {
        failure = error
        return nil
      }
    }
    /// Changes the request alone. Returns `false` if the change concerns filters that are shared.
    func update(sharesFilters: Bool = false) throws(SearchError) -> Bool {
      var isOwn = true
      func changedRequest(_ request: SearchRequest<JSON>) -> SearchRequest<JSON> {
        isOwn = true
        guard let state = changed(request) else { return request }
        isOwn = !sharesFilters || state.filters == request.filterGroups
        return isOwn ? SearchRequest(state) : request
      }
      if searches { core.update(changedRequest) } else { core.adjust(changedRequest) }
      if let failure { throw failure }
      return isOwn
    }
    let shared = filters.filterState == nil ? filters.shared : nil
    let subscription = shared?.subscription ?? filters
    guard let filterState = subscription.filterState else {
      _ = try update()
      return
    }
    var before = filterState.groups
    if shared != nil {
      var request = request
      request.filterGroups = before
      guard let state = changed(request) else { throw failure ?? .refused }
      // Other components are not searched for a change that does not concern them.
      if state.filters == before, try update(sharesFilters: true) { return }
    }
    // The searcher is not notified, because the request changes together with the filters.
    try filterState.update(withoutNotifying: subscription.source) { groups in
      before = groups
      var request = request
      request.filterGroups = groups
      if let state = changed(request) { groups = state.filters }
    }
    if let failure { throw failure }
    func changedRequest(_ request: SearchRequest<JSON>) -> SearchRequest<JSON> {
      var earlier = request
      earlier.filterGroups = before
      let state = changed(earlier)
      var result = state.map { SearchRequest<JSON>($0) } ?? request
      result.filterGroups = subscription.filterState?.groups ?? result.filterGroups
      return result
    }
    let isMade =
      shared?.change(self, searches) { searches in
        searches ? core.prepare(changedRequest) : core.adjust(changedRequest)
      } ?? (searches ? core.copy(changedRequest) : core.adjust(changedRequest))
    // The next change of the filters, or connection of their state, applies them.
    if !isMade || failure != nil { subscription.forgetApplied() }
    if let failure { throw failure }
  }

  /// Throws `invalidRequest` inside another change of the request or of the filters, and inside
  /// `shouldSearch`.
  nonisolated func checkChangeIsAllowed() throws(SearchError) {
    try core.owner.checkIsAllowed()
    try followedFilters?.owner.checkIsAllowed()
  }

  /// The filter state that the searcher follows itself or as a component; `nil` if there is none.
  private nonisolated var followedFilters: FilterState? {
    filters.filterState ?? filters.shared?.subscription?.filterState
  }

  /// Runs a closure of the caller that computes a change of the request and of the filters that it
  /// follows. The closure can make no other change of either.
  nonisolated func preview(_ compute: () throws(SearchError) -> Void) throws(SearchError) {
    let filters = followedFilters?.owner
    try core.owner.preview { () throws(SearchError) in
      if let filters { try filters.preview(compute) } else { try compute() }
    }
  }

  /// Removes the refinements of widgets that the memory of a widget has deactivated.
  ///
  /// - Parameters:
  ///   - isDeactivated: Whether the widgets of a facet are inactive now, and were not before.
  ///   - isActivated: Whether they are active now, and were not before.
  /// - Returns: Whether the widgets may need other queries, and nothing was removed, which is
  ///   searched.
  nonisolated func activeWidgetsChanged(
    _ isDeactivated: (_ facet: String) -> Bool, _ isActivated: (_ facet: String) -> Bool
  ) -> Bool {
    let facets = widgets.facets
    let deactivated = facets.filter(isDeactivated)
    if clear(where: deactivated.contains) { return false }
    return !deactivated.isEmpty || facets.contains(where: isActivated)
  }

  /// Removes the refinements of the widgets of some facets, which changes the search. Returns
  /// whether there are any.
  @discardableResult
  nonisolated func clear(where isCleared: (_ facet: String) -> Bool) -> Bool {
    let before = indexState
    var after = before
    widgets.clear(&after, where: isCleared)
    if after == before { return false }
    do throws(SearchError) {
      try change { state throws(SearchError) in
        state.refine { widgets.clear(&$0, where: isCleared) }
      }
    } catch {
      core.report(error)
    }
    return true
  }

  /// Searches again if the connected widgets need other queries than those of the newest response,
  /// and no search is pending.
  nonisolated func searchIfQueriesDiffer(from response: HitsResponse) {
    // What other widgets need can follow from the same response.
    widgets.refresh()
    let request = request
    guard !core.isPending, response.request == request,
      let search = widgets.search(for: request)
    else { return }
    let queries = IndexSearch(request, rules: facets, widgets: search).queries
    guard response.search?.queries != queries, widgets.mayRepeat(after: response.generation)
    else { return }
    submit()
  }
}

// MARK: - The state of the user interface

extension HitsSearcher {
  /// The state of the user interface that the connected widgets show, for example to write it to a
  /// URL: `UIState.query(mapping:)`.
  public nonisolated var uiState: IndexUIState {
    widgets.uiState(of: indexState, initial: IndexState(initialIndexName))
  }

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
    let initial = IndexState(initialIndexName)
    do throws(SearchError) {
      try change(searches: searchesOnChange) { state throws(SearchError) in
        widgets.read(uiState, initial: initial, into: &state)
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
