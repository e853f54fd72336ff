// The events of a screen, with a searcher and without.

extension SearchScreen {
  /// Sets the state of the user interface, for example from a URL. Absent parts are cleared.
  package mutating func read(_ uiState: UIState) {
    for position in nodes.indices { read(uiState[nodes[position].indexID], at: position) }
  }

  /// Sets the state of the user interface of one index.
  package mutating func read(_ uiState: IndexUIState, at position: Int) {
    nodes[position].read(uiState, keepsUnread: keepsUnreadParts)
  }

  /// Adds a widget after the others. It reads its part of the state of the user interface.
  package mutating func add(_ widget: some SearchWidget) {
    nodes[0].add(WidgetSlot(widget, id: nodes[0].nextID))
  }

  /// A widget was removed, with its parts of the state unless other widgets have them.
  package mutating func remove(_ widget: some SearchWidget) {
    if let position = nodes[0].position(of: widget) { nodes[0].remove(at: position) }
  }

  /// A form with parts of a widget is to be made, whose values the form has itself.
  ///
  /// - Parameter key: The key of the parts; `nil` for all of them.
  mutating func clear(_ widget: some RoutedWidget, _ key: String?, at position: Int) {
    let node = nodes[position]
    let parts = widget.parts.filter { key == nil || $0.name.key == key }
    var state = node.state
    if parts.allSatisfy(\.isOpened) {
      node.clear(parts, in: &state)
      nodes[position].change(to: state)
    } else {
      // The form changes the search, even if it is the same without the parts.
      state.refine { node.clear(parts, in: &$0) }
      state.opened.endSearches(of: node.state.opened)
      nodes[position].change(to: state)
      returnToFirstPages(below: position)
    }
  }

  /// The state of the search has changed.
  ///
  /// - Parameters:
  ///   - status: The state.
  ///   - isPending: Whether a search is scheduled or running.
  ///   - isAnswered: Whether the newest search was answered, and no other is pending.
  mutating func setStatus(_ status: SearchState, isPending: Bool, isAnswered: Bool) {
    if status != self.status { statusChanged(to: status) }
    self.isPending = isPending
    self.isAnswered = isAnswered
  }

  /// The search of the outermost index was changed, other than by a widget.
  mutating func setSearch(_ request: SearchRequest<JSON>) {
    var state = IndexState(request)
    state.opened = nodes[0].state.opened
    nodes[0].change(to: state)
  }

  /// Performs an action of a widget of a node. A refinement returns the nested indices to their
  /// first pages.
  ///
  /// - Returns: Whether anything was changed.
  /// - Throws: `invalidRequest` if the action is not possible, or if the widget is inactive.
  @discardableResult
  package mutating func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, at position: Int = 0
  ) throws(SearchError) -> Bool {
    guard let slot = nodes[position].position(of: action.widget) else {
      throw SearchError(
        .invalidRequest, "The screen of \"\(nodes[position].indexID)\" lacks this \(W.self).")
    }
    return try perform(action, at: position, slot)
  }

  /// The widget in a slot performs an action.
  mutating func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, at position: Int, _ slot: Int
  ) throws(SearchError) -> Bool {
    let before = nodes[position].state
    let isChanged = try nodes[position].perform(
      action, at: slot, &demands, planning(at: position))
    returnToFirstPages(below: position, before)
    return isChanged
  }

  /// Performs an action on every active widget that equals the action's widget, in all indices.
  package mutating func performEverywhere<W: SearchWidget>(
    _ action: WidgetAction<W>
  ) throws(SearchError) {
    let places = nodes.indices.compactMap { node in
      nodes[node].position(of: action.widget).map { (node: node, slot: $0) }
    }
    try performEverywhere(action, in: places)
  }

  /// Performs an action on the active widgets in slots.
  ///
  /// - Returns: Whether anything was changed.
  @discardableResult
  mutating func performEverywhere<W: SearchWidget>(
    _ action: WidgetAction<W>, in places: [(node: Int, slot: Int)]
  ) throws(SearchError) -> Bool {
    if places.isEmpty {
      throw SearchError(.invalidRequest, "No index of the screen has this \(W.self).")
    }
    let active = places.filter { nodes[$0.node].isActive(nodes[$0.node].slots[$0.slot].facet) }
    var isChanged = false
    for place in active.isEmpty ? places : active {
      if try perform(action, at: place.node, place.slot) { isChanged = true }
    }
    return isChanged
  }

  private mutating func returnToFirstPages(below parent: Int, _ before: IndexState) {
    var before = before
    before.query.page = nodes[parent].state.query.page
    if !before.isSameSearch(as: nodes[parent].state) { returnToFirstPages(below: parent) }
  }

  private mutating func returnToFirstPages(below parent: Int) {
    for position in nodes.indices where isBelow(parent, position) {
      if nodes[position].state.query.page != nil { nodes[position].state.query.page = 0 }
    }
  }

  private func isBelow(_ ancestor: Int, _ position: Int) -> Bool {
    var next = nodes[position].parent
    while let parent = next {
      if parent == ancestor { return true }
      next = nodes[parent].parent
    }
    return false
  }

  /// Takes new results of an index. Call ``followActivity()`` next.
  package mutating func receive(
    _ results: IndexResults, _ response: SearchAnswer? = nil, at position: Int = 0
  ) {
    guard let change = nodes[position].receive(results, response) else { return }
    activity.changes.append((position, change))
    activity.isUnchecked = true
  }

  /// Takes the results of all indices. Call ``followActivity()`` next. Results of indices that were
  /// disconnected meanwhile are ignored.
  mutating func receive(_ response: SearchAnswer) {
    receive(response.results, response)
    for (position, response) in zip(nodes.indices.dropFirst(), response.nested)
    where response.plan.number == nodes[position].number {
      receive(response.results, response, at: position)
    }
  }

  /// Whether results have changed which widgets are active, so that ``followActivity()`` may change
  /// the state or make another search necessary.
  var hasFollowUps: Bool { !activity.changes.isEmpty || (activity.isUnchecked && isAnswered) }

  /// Removes the refinements of widgets that became inactive, and reads the refinements of widgets
  /// that became active.
  package mutating func followActivity() {
    for (position, change) in activity.changes { nodes[position].follow(change) }
    activity.changes = []
  }

  /// Whether the search that was answered is to be made again because widgets need other queries:
  /// once, so that widgets that never agree with the response do not search without end.
  mutating func repeats() -> Bool {
    guard activity.isUnchecked, isAnswered, let response = nodes[0].response else { return false }
    if response.request != SearchRequest(nodes[0].state) {
      // The search of another state has the queries that the widgets need.
      activity.isUnchecked = false
      return false
    }
    return repeats(response.generation, after: response.plan)
  }

  /// Whether a search is to be made again; see ``repeats()``.
  mutating func repeats(_ generation: UInt64, after plan: SearchPlan) -> Bool {
    if !activity.isUnchecked { return false }
    activity.isUnchecked = false
    guard generation > newestRepetition, wholePlan.allQueries != plan.allQueries else {
      return false
    }
    newestRepetition = generation + 1
    return true
  }

  /// Takes responses to the widgets' own requests.
  package mutating func receive(_ responses: [OwnedRequest: WidgetResponse]) {
    if responses.isEmpty { return }
    for node in nodes.indices {
      let inputs = nodes[node].inputs
      for position in nodes[node].slots.indices {
        let request = nodes[node].slots[position].request(in: inputs).map { owned($0, at: node) }
        guard let request, let response = responses[request] else { continue }
        nodes[node].slots[position].own.response = response
        nodes[node].slots[position].own.answered = request
      }
    }
  }
}
