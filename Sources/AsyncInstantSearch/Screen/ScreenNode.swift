/// The widgets of one index on a screen, with the state of its search and the newest results.
struct ScreenNode: Sendable {
  /// The ID of the index in a ``UIState``.
  var indexID: String
  /// The state without any change.
  let initial: IndexState
  /// The position of the node that contains it, whose search it inherits.
  let parent: Int?
  /// Distinguishes an index from an earlier one at the same position, whose response may arrive
  /// late; 0 for the outermost one, and without a searcher.
  let number: UInt64
  /// The widgets.
  private(set) var table = WidgetTable()
  /// The state, without the defaults of widgets.
  var state: IndexState { didSet { inputsChanged() } }
  /// The needs of the widgets in that state, and the inputs of the views; `nil` until first used.
  private var readyNeeds: SearchNeeds?
  private(set) var readyInputs: WidgetInputs?
  /// The state of the search.
  var status = SearchState.idle { didSet { readyInputs?.status = status } }
  /// The number of changes of the views' inputs.
  private(set) var inputsCount: UInt64 = 0
  /// The number of the inputs that the views show.
  private(set) var shownInputsCount: UInt64 = 0
  /// Whether all views show the current inputs.
  private(set) var isShown = true
  /// The newest results, and the response with them.
  private(set) var results: IndexResults?
  private(set) var response: SearchAnswer?
  /// The state of the user interface that was read, until the next change. Widgets that become
  /// active later read it.
  private var pending: IndexUIState?
  /// The parts of it that no widget reads, which are written again.
  private var unread = IndexUIState()

  init(indexName: String, indexID: String, parent: Int?, number: UInt64 = 0) {
    self.indexID = indexID
    self.parent = parent
    self.number = number
    initial = IndexState(indexName)
    state = initial
  }

  // MARK: The widgets

  /// The widgets, in order.
  var slots: [WidgetSlot] {
    get { table.slots }
    _modify { yield &table.slots }
  }

  /// The number of the next slot on a screen without a searcher.
  var nextID: UInt64 { (slots.map(\.id).max() ?? 0) + 1 }

  mutating func append(_ slot: WidgetSlot) {
    inputsChanged()
    table.append(slot)
  }

  mutating func removeSlot(at position: Int) {
    inputsChanged()
    table.remove(at: position)
  }

  func position<W: SearchWidget>(of widget: W) -> Int? { table.position(of: widget) }

  /// Whether the widgets of a facet are active: ``DynamicFacets`` deactivate widgets whose facet
  /// the newest results do not list.
  func isActive(_ facet: String?) -> Bool {
    guard let facet, table.activating.contains(where: { $0.manages(facet) }) else { return true }
    return results?.listedFacets.contains(facet) == true
  }

  private var activeSlots: [WidgetSlot] { slots.filter { isActive($0.facet) } }

  // MARK: The search

  /// The needs of the widgets in the current state, without inherited needs.
  var needs: SearchNeeds {
    if let readyNeeds { return readyNeeds }
    let slots = activeSlots
    func needs(for state: IndexState) -> SearchNeeds {
      var needs = SearchNeeds()
      for slot in slots { slot.entry.declare(in: &needs, for: state) }
      return needs
    }
    let declared = needs(for: state)
    let completed = state.completed(by: declared)
    // The needs of a widget can depend on the defaults that another widget adds.
    return completed == state ? declared : needs(for: completed)
  }

  private mutating func inputsChanged(isOtherSearch: Bool = true) {
    if isOtherSearch { readyNeeds = nil }
    readyInputs = nil
    inputsCount += 1
    isShown = false
  }

  /// Notes that all views show the current inputs.
  mutating func setShown() {
    shownInputsCount = inputsCount
    isShown = true
  }

  /// The view of the widget at a position is to be made again.
  mutating func setDirty(_ position: Int) {
    slots[position].isDirty = true
    isShown = false
  }

  /// Something else is to be shown again.
  mutating func setDirty() { isShown = false }

  /// Computes the inputs that all views share, once.
  mutating func complete() {
    if readyInputs != nil { return }
    let needs = needs
    readyNeeds = needs
    readyInputs = inputs(needs)
  }

  /// The inputs of the views.
  var inputs: WidgetInputs {
    readyInputs ?? inputs(needs)
  }

  private func inputs(_ needs: SearchNeeds) -> WidgetInputs {
    WidgetInputs(
      state: state.completed(by: needs), results: results, status: status)
  }

  // MARK: Changes

  /// Replaces the state. A different search ends the searches for facet values and for suggestions,
  /// except the ones that the same change begins.
  mutating func change(to newest: IndexState) {
    let before = state
    if newest == before { return }
    state = newest
    if newest.isSameSearch(as: before) { return }
    keepPending(before)
    state.opened.endSearches(of: before.opened)
  }

  /// Before the first results, keeps the parts of widgets that may become active, except the parts
  /// that the change has set.
  private mutating func keepPending(_ before: IndexState) {
    guard results == nil, let pending else {
      pending = nil
      return
    }
    let (old, new) = (uiState(of: before), uiState(of: state))
    let parts = slots.flatMap(\.entry.parts).map(\.name)
    let changed = Set(parts.filter { old[$0] != new[$0] })
    var kept = IndexUIState()
    kept.add(pending) { !changed.contains($0) }
    kept.add(new) { changed.contains($0) }
    self.pending = kept
  }

  /// The parts of all widgets in a state, including inactive widgets.
  private func uiState(of state: IndexState) -> IndexUIState {
    var uiState = IndexUIState()
    for part in slots.flatMap(\.entry.parts) { part.write(state, initial, &uiState) }
    return uiState
  }

  /// Performs an action of the widget at a position. Returns whether anything was changed.
  ///
  /// - Parameters:
  ///   - demands: Receives what the action demands of a searcher.
  ///   - plan: Returns the search of a state, including inherited needs.
  mutating func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, at position: Int, _ demands: inout SearchScreen.Demands,
    _ plan: @escaping @Sendable (IndexState) -> SearchPlan
  ) throws(SearchError) -> Bool {
    var slot = slots[position]
    if let problem = slot.entry.problem { throw problem }
    if results != nil, let facet = slot.facet, !isActive(facet) { throw .inactive(W.self, facet) }
    let inputs = WidgetInputs(state: state, results: results)
    guard var context = slot.context(of: W.self, inputs) else { return false }
    context.plan = plan
    try action.apply(&context)
    demands.effects += context.effects
    if context.searchesAtOnce { demands.searchesAtOnce = true }
    let isRemembered = !isEqual(slot.memory, context.storedMemory)
    let before = state
    slot.memory = context.storedMemory
    let isStale = isRemembered || !slot.own.isAllowed
    slot.own.isAllowed = true
    slot.own.successive = 0
    slots[position] = slot
    if isStale { setDirty(position) }
    change(to: context.state)
    return isRemembered || state != before
  }

  /// Takes new results. The widgets update their memory from them.
  ///
  /// - Returns: The widgets that became inactive or active; `nil` if no widget did.
  mutating func receive(_ newest: IndexResults, _ response: SearchAnswer?) -> ActivityChange? {
    let isDynamic = !table.activating.isEmpty
    let isFirst = results == nil
    let wasActive = isDynamic ? slots.map { isActive($0.facet) } : []
    results = newest
    self.response = response
    inputsChanged(isOtherSearch: isDynamic)
    for position in slots.indices where slots[position].memory != nil {
      slots[position].receive(newest)
    }
    if !isDynamic { return nil }
    // Before the first results, actions of all widgets are possible.
    let before = wasActive.map { isFirst || $0 }
    let after = slots.map { isActive($0.facet) }
    if before == after, wasActive == after { return nil }
    var change = ActivityChange()
    for position in slots.indices {
      if after[position], !wasActive[position] { change.activated.insert(slots[position].id) }
      if !after[position], before[position] { change.deactivated.insert(slots[position].id) }
    }
    return change
  }

  /// The slots of the widgets whose activity new results have changed.
  struct ActivityChange: Sendable {
    var activated: Set<UInt64> = []
    var deactivated: Set<UInt64> = []
  }

  /// Removes the parts of widgets that became inactive, and reads the parts of widgets that became
  /// active.
  mutating func follow(_ change: ActivityChange) {
    let uiState = pending ?? uiState
    let kept = pending
    var state = state
    for slot in slots where change.deactivated.contains(slot.id) && !isActive(slot.facet) {
      clear(slot.entry.parts, in: &state)
    }
    read(uiState, of: slots.filter { change.activated.contains($0.id) }, into: &state)
    self.change(to: state)
    // The opened parts stay: results changed the search, not the user.
    self.state.opened = state.opened
    pending = kept
  }

  /// Adds a widget after the others. It reads its part of the state of the user interface.
  mutating func add(_ slot: WidgetSlot) {
    let uiState = pending ?? uiState
    append(slot)
    if isActive(slot.facet) { read(uiState, of: [slot], into: &state) }
  }

  /// Removes the widget at a position with its parts of the state, unless other widgets have them.
  mutating func remove(at position: Int) {
    let uiState = uiState
    let removed = slots[position]
    removeSlot(at: position)
    var state = state
    clear(removed.entry.parts, in: &state)
    read(uiState, of: activeSlots, into: &state)
    change(to: state)
    pending = nil
  }

  // MARK: The state of the user interface

  /// The state of the user interface that shows the state. An inactive widget keeps its part from
  /// the state that was read.
  var uiState: IndexUIState {
    var uiState = IndexUIState()
    var inactive: Set<PartName> = []
    for slot in slots {
      if isActive(slot.facet) {
        for part in slot.entry.parts { part.write(state, initial, &uiState) }
      } else {
        inactive.formUnion(slot.entry.parts.map(\.name))
      }
    }
    if let pending, !inactive.isEmpty { uiState.add(pending) { inactive.contains($0) } }
    uiState.add(unread) { _ in true }
    return uiState
  }

  /// Replaces the parts of the state that widgets change.
  ///
  /// - Parameters:
  ///   - uiState: The new state. Absent parts are cleared.
  ///   - keepsUnread: Whether parts that no widget reads are written again.
  mutating func read(_ uiState: IndexUIState, keepsUnread: Bool) {
    var state = state
    read(uiState, of: activeSlots, into: &state)
    change(to: state)
    // A change ends searches for values, but the searches that `uiState` contains must stay.
    self.state.opened = state.opened
    // Before the first results it is unknown which widgets are active.
    pending = results == nil ? uiState : nil
    unread = IndexUIState()
    guard keepsUnread else { return }
    let read = Set(slots.flatMap(\.entry.parts).map(\.name))
    unread.add(uiState) { !read.contains($0) }
  }

  /// Widgets read their parts. Widgets of one attribute can share filters, so all parts are cleared
  /// first, and then only the parts in the state are read.
  private func read(
    _ uiState: IndexUIState, of slots: [WidgetSlot], into state: inout IndexState
  ) {
    let set = Set(uiState.parts.map(\.name))
    for slot in slots { clear(slot.entry.parts, in: &state) }
    for part in slots.flatMap(\.entry.parts) where set.contains(part.name) {
      part.read(uiState, initial, &state)
    }
  }

  /// Clears parts of a state.
  func clear(_ parts: [WidgetPart], in state: inout IndexState) {
    let empty = IndexUIState()
    for part in parts { part.read(empty, initial, &state) }
  }

  /// The parts of a state of the user interface that have no effect: no widget reads them, or they
  /// have a value that no widget offers.
  func ignoredParts(of uiState: IndexUIState) -> [(name: PartName, value: RouteValue)] {
    let shown = Dictionary(self.uiState.parts.map { ($0.name, $0.value) }) { first, _ in first }
    return uiState.parts.filter { shown[$0.name] != $0.value }
  }
}

/// The widgets of one index, in order.
struct WidgetTable: Sendable {
  var slots: [WidgetSlot] = []
  /// The positions of the widgets.
  private var positions: [WidgetKey: [Int]] = [:]
  private(set) var activating: [any ActivatingWidget] = []

  mutating func append(_ slot: WidgetSlot) {
    positions[slot.entry.key, default: []].append(slots.count)
    slots.append(slot)
    if let widget = slot.entry.anyWidget as? any ActivatingWidget { activating.append(widget) }
  }

  mutating func remove(at position: Int) {
    var rest = slots
    rest.remove(at: position)
    self = WidgetTable()
    for slot in rest { append(slot) }
  }

  func position<W: SearchWidget>(of widget: W) -> Int? {
    // A cast costs much more than the lookup.
    positions[WidgetKey(widget)]?.first { slots[$0].contains(widget) }
  }
}

/// Whether two memories are equal, or both absent.
private func isEqual(
  _ left: (any Sendable & Equatable)?, _ right: (any Sendable & Equatable)?
) -> Bool {
  func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { left == right as? Value }
  guard let left, let right else { return left == nil && right == nil }
  return isEqual(left, right)
}
