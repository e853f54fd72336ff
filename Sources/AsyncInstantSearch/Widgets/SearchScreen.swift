/// The widgets of one index, with what they remember, as a value.
///
/// ```swift
/// let genres = try FacetList(attribute: "genres")
/// let screen = SearchScreen(indexName: "films", widgets: [SearchBox(), genres, Pagination()])
/// let results = try await client.search(screen, in: uiState)
/// let view = results.view(of: genres)
/// ```
///
/// A screen can contain screens of other indices. Their searches inherit the state of this one:
/// its text, its parameters and its refinements, where their own state has no others.
///
/// The state of the search and that of the user interface are two forms of the same thing: each is
/// a function of the other and of the widgets.
public struct SearchScreen: Sendable {
  /// The index that is searched at first.
  public let indexName: String
  /// The ID of the index in a ``UIState``.
  public let indexID: String
  /// The screens of other indices, which inherit the state of this one.
  public let indices: [SearchScreen]
  /// The widgets and their memory.
  private var slots: [any WidgetSlot]
  /// The positions of the widgets.
  private var positions: [WidgetKey: [Int]] = [:]
  /// The initial state of the user interface, until the next change. Widgets that become active
  /// later read it.
  private var pending: IndexUIState?

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - indexName: The index that is searched at first.
  ///   - indexID: The ID of the index in a ``UIState``. Defaults to the name of the index. Two
  ///     screens of one index need different IDs.
  ///   - widgets: The widgets.
  ///   - indices: The screens of other indices, which inherit the state of this one. Defaults to
  ///     none.
  public init(
    indexName: String, indexID: String? = nil, widgets: [any SearchWidget],
    indices: [SearchScreen] = []
  ) {
    self.indexName = indexName
    self.indexID = indexID ?? indexName
    self.indices = indices
    slots = widgets.map { makeSlot($0) }
    findPositions()
  }

  private var initial: IndexState { IndexState(indexName) }

  /// The widgets.
  public var widgets: [any SearchWidget] { slots.map(\.anyWidget) }

  /// Whether a widget is active. ``DynamicFacets`` deactivates widgets of facets that the newest
  /// results do not list.
  package func isActive(_ widget: some SearchWidget) -> Bool {
    guard let facet = widget.facet else { return true }
    return !slots.contains { $0.deactivates(facet) }
  }

  private var activeSlots: [any WidgetSlot] { slots.filter { isActive($0.anyWidget) } }

  // MARK: The search

  /// What the widgets need from a search in a state.
  package func parameters(for state: IndexState) -> WidgetParameters {
    var parameters = WidgetParameters()
    for slot in activeSlots { slot.declare(in: &parameters, for: state) }
    return parameters
  }

  /// The search in a state.
  package func search(for state: IndexState) -> WidgetSearch {
    WidgetSearch(state: state, parameters: parameters(for: state))
  }

  /// The queries of a search in a state.
  package func queries(for state: IndexState) -> IndexQueries {
    IndexQueries(state, parameters: parameters(for: state))
  }

  /// The request that a widget needs beside the search; `nil` if it needs none.
  package func request<W: SearchWidget>(
    of widget: W, in state: IndexState, results: IndexResults?
  ) -> WidgetRequest? {
    widget.request(
      in: WidgetContext(state: state, results: results, memory: memory(of: widget)))
  }

  /// What the widgets request from the recommendation models.
  func recommendations(for state: IndexState) -> [RecommendationsRequest] {
    slots.compactMap { slot in
      guard case .recommendations(let request)? = slot.request(in: state) else { return nil }
      return request
    }
  }

  /// The widgets remember what they need of new results.
  ///
  /// - Parameters:
  ///   - results: The results.
  ///   - state: The state of the search. Widgets that become inactive remove their part, and those
  ///     that become active read theirs, so the search may have to be repeated.
  package mutating func receive(_ results: IndexResults, state: inout IndexState) {
    let before = slots.map { isActive($0.anyWidget) }
    slots = slots.map { $0.receiving(results) }
    let after = slots.map { isActive($0.anyWidget) }
    if before == after { return }
    let uiState = uiState(of: state)
    for position in slots.indices where before[position] && !after[position] {
      slots[position].anyWidget.removePart(from: &state, initial: initial)
    }
    for position in slots.indices where after[position] {
      slots[position].anyWidget.read(
        before[position] ? uiState : pending ?? uiState, initial: initial, into: &state)
    }
    complete(&state)
  }

  private func complete(_ state: inout IndexState) {
    for slot in activeSlots { slot.anyWidget.complete(&state) }
  }

  // MARK: The state of the user interface

  /// The initial state of the search that is shown as a state of the user interface. What no widget
  /// changes is ignored.
  ///
  /// - Parameters:
  ///   - uiState: The state of the user interface.
  ///   - current: The state whose refinements by a ``SelectableFilters``, a ``FilterMap`` and a
  ///     ``NumberComparison`` are kept, because no state of a user interface contains them.
  ///     Defaults to none.
  package mutating func state(
    from uiState: IndexUIState, keeping current: IndexState? = nil
  ) -> IndexState {
    var state = initial
    if let current {
      for slot in slots { slot.anyWidget.keep(current, in: &state) }
    }
    read(uiState, into: &state)
    pending = uiState
    return state
  }

  /// Replaces the parts of a state that widgets change. What is absent is cleared, and what no
  /// active widget changes is ignored.
  package mutating func read(_ uiState: IndexUIState, into state: inout IndexState) {
    pending = nil
    for slot in activeSlots { slot.anyWidget.read(uiState, initial: initial, into: &state) }
    complete(&state)
  }

  /// The state of the user interface that shows a state of the search.
  ///
  /// An inactive widget still shows its part of the initial state, until the next change.
  package func uiState(of state: IndexState) -> IndexUIState {
    var uiState = IndexUIState()
    for slot in slots {
      if isActive(slot.anyWidget) {
        slot.anyWidget.write(state, initial: initial, to: &uiState)
      } else if let pending {
        var part = initial
        slot.anyWidget.read(pending, initial: initial, into: &part)
        slot.anyWidget.write(part, initial: initial, to: &uiState)
      }
    }
    return uiState
  }

  // MARK: Widgets

  /// Applies an action of a widget.
  ///
  /// - Throws: `invalidRequest` if the action is not possible, or if the widget is inactive in the
  ///   results, without a change.
  package mutating func apply<W: SearchWidget>(
    _ action: WidgetAction<W>, to state: inout IndexState, results: IndexResults? = nil
  ) throws(SearchError) {
    let widget = action.widget
    if results != nil, !isActive(widget), let facet = widget.facet {
      throw .inactive(W.self, facet)
    }
    var target = WidgetAction<W>.Target(
      state: state, results: results, memory: memory(of: widget))
    try action.apply(&target)
    complete(&target.state)
    if target.state != state { pending = nil }
    state = target.state
    let position = position(of: widget)
    if let position { slots[position] = Slot(widget: widget, memory: target.memory) }
  }

  /// Whether a widget is one of the screen's.
  package func contains<W: SearchWidget>(_ widget: W) -> Bool {
    position(of: widget) != nil
  }

  /// Adds a widget after the others. It reads its part of the state of the user interface.
  package mutating func add(_ widget: some SearchWidget, to state: inout IndexState) {
    let uiState = pending ?? uiState(of: state)
    slots.append(Slot(widget: widget))
    findPositions()
    if isActive(widget) { widget.read(uiState, initial: initial, into: &state) }
    complete(&state)
  }

  /// Removes a widget with what it remembers, and its part of a state unless other widgets have the
  /// same part.
  package mutating func remove<W: SearchWidget>(_ widget: W, from state: inout IndexState) {
    guard let position = position(of: widget) else { return }
    let uiState = uiState(of: state)
    pending = nil
    slots.remove(at: position)
    findPositions()
    widget.removePart(from: &state, initial: initial)
    for slot in activeSlots { slot.anyWidget.read(uiState, initial: initial, into: &state) }
    complete(&state)
  }

  /// What a widget displays.
  package func view<W: SearchWidget>(
    of widget: W, in state: IndexState, results: IndexResults?, response: WidgetResponse? = nil
  ) -> W.View {
    widget.view(
      WidgetContext(
        state: state, results: results, memory: memory(of: widget), response: response))
  }

  /// What a widget remembers.
  package func memory<W: SearchWidget>(of widget: W) -> W.Memory {
    // Most widgets remember nothing. Finding a slot costs more than many views.
    if let none = NoMemory() as? W.Memory { return none }
    let slot = position(of: widget).flatMap { slots[$0] as? Slot<W> }
    return slot?.memory ?? widget.initialMemory
  }

  private func position<W: SearchWidget>(of widget: W) -> Int? {
    // A cast costs much more than the lookup.
    positions[WidgetKey(widget)]?.first { (slots[$0] as? Slot<W>)?.widget == widget }
  }

  private mutating func findPositions() {
    positions = [:]
    for position in slots.indices { positions[slots[position].key, default: []].append(position) }
  }
}

extension SearchWidget {
  /// Removes the widget's part of a state, with what it adds to a state by default.
  func removePart(from state: inout IndexState, initial: IndexState) {
    read(IndexUIState(), initial: initial, into: &state)
    var added = initial
    read(IndexUIState(), initial: initial, into: &added)
    complete(&added)
    for (id, filters) in added.filters.groups {
      switch id {
      case .and(let name): state.filters[and: name].remove(contentsOf: filters)
      case .or(let name, _):
        state.filters[or: name].remove(contentsOf: filters.compactMap(Filter.Facet.init))
      case .hierarchical(let name): state.filters[hierarchical: name] = HierarchicalFilters()
      }
    }
    for parameter in added.query.parameterNames.compactMap(SearchParameter.named) {
      state.query.unset(parameter)
    }
  }
}

/// A widget of any type, and what it remembers.
private protocol WidgetSlot: Sendable {
  var key: WidgetKey { get }
  var anyWidget: any SearchWidget { get }
  func declare(in parameters: inout WidgetParameters, for state: IndexState)
  func deactivates(_ facet: String) -> Bool
  func request(in state: IndexState) -> WidgetRequest?
  func receiving(_ results: IndexResults) -> any WidgetSlot
}

/// The type of a widget and its hash. Several widgets can have the same key.
private struct WidgetKey: Hashable, Sendable {
  let type: ObjectIdentifier
  let hash: Int

  init<W: SearchWidget>(_ widget: W) {
    type = ObjectIdentifier(W.self)
    hash = widget.hashValue
  }
}

private struct Slot<W: SearchWidget>: WidgetSlot {
  var key: WidgetKey { WidgetKey(widget) }
  let widget: W
  var memory: W.Memory

  init(widget: W, memory: W.Memory? = nil) {
    self.widget = widget
    self.memory = memory ?? widget.initialMemory
  }

  var anyWidget: any SearchWidget { widget }

  func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    widget.declare(in: &parameters, for: state, memory: memory)
  }

  func deactivates(_ facet: String) -> Bool { widget.deactivates(facet, memory: memory) }

  func request(in state: IndexState) -> WidgetRequest? {
    widget.request(in: WidgetContext(state: state, results: nil, memory: memory))
  }

  func receiving(_ results: IndexResults) -> any WidgetSlot {
    var memory = memory
    widget.receive(results, memory: &memory)
    return Slot(widget: widget, memory: memory)
  }
}

private func makeSlot(_ widget: some SearchWidget) -> any WidgetSlot { Slot(widget: widget) }
