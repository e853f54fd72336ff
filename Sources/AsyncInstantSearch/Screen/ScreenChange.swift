/// A change of a screen and of its search that is computed and not made yet.
struct ScreenChange: Sendable {
  /// The search that a change needs.
  enum Need: Sendable, Equatable {
    case none
    /// The same search again if it has failed.
    case ifFailed
    /// The same search again, because widgets need other queries.
    case again
    /// Another search; forced if only the search of another index has changed.
    case search(isForced: Bool)
  }

  /// The effects after the commit, to perform outside the lock.
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
