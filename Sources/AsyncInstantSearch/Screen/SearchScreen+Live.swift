// The events of a screen that a searcher shows, and its views.

extension SearchScreen {
  /// The consequences of events, for the owner to perform.
  struct Changes: Sendable {
    /// The slots with another view.
    var published: [WidgetSlot] = []
    /// The requests that widgets need.
    var begun: [(slot: UInt64, number: UInt64, request: OwnedRequest)] = []
    /// The demands of actions.
    var demands = Demands()
    /// The requests that widgets do not need any longer.
    var ended: [(slot: UInt64, number: UInt64)] = []
  }

  /// Whether there are no widgets and no other indices.
  var isEmpty: Bool { nodes.count == 1 && nodes[0].slots.isEmpty }

  /// Whether some views do not show the current inputs.
  var hasUnshownInputs: Bool { nodes.contains { !$0.isShown } }

  func find(_ id: UInt64) -> (node: Int, slot: Int)? {
    for node in nodes.indices {
      if let slot = nodes[node].slots.firstIndex(where: { $0.id == id }) { return (node, slot) }
    }
    return nil
  }

  /// The slot with a number; `nil` if it was removed.
  func slot(_ id: UInt64) -> WidgetSlot? {
    find(id).map { nodes[$0.node].slots[$0.slot] }
  }

  /// The view of a widget is to be made again.
  mutating func setDirty(_ id: UInt64) {
    if let found = find(id) { nodes[found.node].setDirty(found.slot) }
  }

  /// The whole screen is to be shown again.
  mutating func setDirty() { nodes[0].setDirty() }

  /// A widget is about to be disconnected. Its output keeps the newest view.
  func leave(_ id: UInt64) {
    guard let found = find(id) else { return }
    let slot = nodes[found.node].slots[found.slot]
    slot.entry.leave(nodes[found.node].inputs, slot)
  }

  /// A widget was connected. It shows the newest results.
  ///
  /// - Parameter generation: The number of the newest search that has ended.
  mutating func connect(_ slot: WidgetSlot, at position: Int, _ generation: UInt64) {
    var slot = slot
    slot.connectedAt = generation
    if let results = nodes[position].results { slot.receive(results) }
    nodes[position].append(slot)
  }

  /// A screen of the same index was connected, with widgets that are numbered already.
  ///
  /// - Throws: `invalidRequest` as ``HitsSearcher/connect(_:)`` does.
  mutating func connect(_ nodes: [ScreenNode], _ generation: UInt64) throws(SearchError) {
    guard let first = nodes.first, first.initial.indexName == self.nodes[0].initial.indexName else {
      throw SearchError(
        .invalidRequest,
        "The screen is one of another index than that of the searcher, \"\(indexName)\".")
    }
    guard nodes.count == 1 || self.nodes.count == 1 else {
      throw SearchError(
        .invalidRequest,
        "A screen with screens of other indices is connected to the searcher already.")
    }
    for node in nodes.dropFirst() {
      var copy = ScreenNode(
        indexName: node.initial.indexName, indexID: node.indexID, parent: node.parent,
        number: node.number)
      copy.status = status
      self.nodes.append(copy)
    }
    for (position, node) in nodes.enumerated() {
      for slot in node.slots { connect(slot, at: position, generation) }
    }
    try self.nodes[0].checkParts()
  }

  /// A widget was disconnected.
  mutating func disconnect(_ id: UInt64) {
    if let found = find(id) { nodes[found.node].removeSlot(at: found.slot) }
  }

  /// A screen was disconnected, and so are the other indices.
  mutating func disconnectIndices() {
    nodes.removeLast(nodes.count - 1)
    activity.changes.removeAll { $0.node > 0 }
  }

  /// A search has begun, or had already begun.
  mutating func searchBegan(_ generation: UInt64) {
    change { slot in
      guard generation > slot.connectedAt, !slot.own.isAllowed else { return false }
      slot.own.isAllowed = true
      return true
    }
  }

  /// The views that show the state of the search are to be made again.
  mutating func statusChanged(to status: SearchState) {
    for node in nodes.indices { nodes[node].status = status }
    change { $0.entry.showsStatus }
  }

  private mutating func change(_ body: (inout WidgetSlot) -> Bool) {
    for node in nodes.indices {
      for position in nodes[node].slots.indices {
        if body(&nodes[node].slots[position]) { nodes[node].setDirty(position) }
      }
    }
  }

  /// A searcher has published a response.
  ///
  /// - Parameter isReplay: Whether the searcher already had the response. Connecting a widget does
  ///   not search.
  mutating func receive(_ response: SearchAnswer, isReplay: Bool) {
    let activity = activity
    receive(response)
    if isReplay { self.activity = activity }
  }

  /// Takes a response to a widget's own request. It is ignored unless the request is the widget's
  /// newest.
  mutating func receive(_ response: WidgetResponse, of id: UInt64, _ number: UInt64) {
    guard let found = find(id) else { return }
    var slot = nodes[found.node].slots[found.slot]
    guard slot.own.number == number, slot.own.request?.request == response.request else { return }
    slot.own.response = response
    slot.own.answered = slot.own.request
    slot.own.successive += 1
    nodes[found.node].slots[found.slot] = slot
    nodes[found.node].setDirty(found.slot)
  }

  /// A connected widget performs an action. Returns whether anything was changed.
  mutating func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, of id: UInt64
  ) throws(SearchError) -> Bool {
    guard let found = find(id) else {
      throw SearchError(.invalidRequest, "The \(W.self) is not connected any longer.")
    }
    return try perform(action, at: found.node, found.slot)
  }

  /// Whether neither the node nor the nodes around it have a widget with a problem.
  private func isSearchable(_ position: Int) -> Bool {
    var place: Int? = position
    while let current = place {
      if nodes[current].needs.problem != nil { return false }
      place = nodes[current].parent
    }
    return true
  }

  /// Makes all views that do not show the current inputs.
  ///
  /// - Parameter lastID: The number of the newest request.
  mutating func refresh(lastID: inout UInt64) -> Changes {
    var changes = Changes()
    swap(&changes.demands, &demands)
    for position in nodes.indices where !nodes[position].isShown {
      nodes[position].complete()
      let node = nodes[position]
      let inputs = node.inputs
      let isNew = node.shownInputsCount != node.inputsCount
      let isSearchable = isSearchable(position)
      for index in node.slots.indices where isNew || node.slots[index].isDirty {
        if node.slots[index].isIdle {
          if node.slots[index].isDirty { nodes[position].slots[index].isDirty = false }
          continue
        }
        var slot = node.slots[index]
        if isNew { slot.own.successive = 0 }
        let isAllowed = isSearchable && slot.own.isAllowed && node.isActive(slot.facet)
        let request = isAllowed ? slot.request(in: inputs).map { owned($0, at: position) } : nil
        let isEndless = request != nil && slot.own.successive >= OwnRequest.limit
        if request != slot.own.request, !isEndless {
          changes.ended.append((slot.id, slot.own.number))
          lastID += 1
          slot.own.request = request
          slot.own.number = lastID
          if let request {
            changes.begun.append((slot.id, lastID, request))
          } else {
            slot.own.response = nil
            slot.own.answered = nil
          }
        }
        let isChanged = slot.refresh(inputs)
        let isPending = slot.own.isPending
        let isPublished = isChanged || isPending != slot.shownIsPending
        slot.shownIsPending = isPending
        slot.isDirty = false
        nodes[position].slots[index] = slot
        if isPublished { changes.published.append(slot) }
      }
      nodes[position].setShown()
    }
    return changes
  }
}
