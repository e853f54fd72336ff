/// The widgets that are connected to a searcher, as its searches need them.
///
/// A search asks them for what they need when it begins, so connecting a widget does not search.
final class WidgetRegistry: Sendable {
  /// What a searcher asks of a connected widget. It retains neither.
  struct Entry: Sendable {
    /// Adds what the widget needs from a search.
    var declare: @Sendable (inout WidgetParameters, IndexState) -> Void
    /// Completes a state, so that it is one that the widget can show.
    var complete: @Sendable (inout IndexState) -> Void
    /// Removes the widget's part of a state.
    var clear: @Sendable (inout IndexState) -> Void
    /// Writes the widget's part of a state, given the state without any change.
    var write: @Sendable (IndexState, _ initial: IndexState, inout IndexUIState) -> Void
    /// Reads the widget's part of a state, given the state without any change.
    var read: @Sendable (IndexUIState, _ initial: IndexState, inout IndexState) -> Void
    /// The facet that the widget displays; `nil` if it displays none.
    var facet: String?
    /// Whether the widget deactivates the widgets of a facet.
    var deactivates: @Sendable (String) -> Bool
    /// Whether results that the widget has received do not list a facet whose widgets it
    /// deactivates therefore.
    var omits: @Sendable (String) -> Bool
    /// Brings the view and the memory of the widget up to date.
    var refresh: @Sendable () -> Void
    /// Returns what the widget requests from the recommendation models and is not requested yet.
    var takeRecommendations: @Sendable () -> RecommendationCalls.Waiting?
    /// Receives the filters that an action of a widget has switched on, and their index.
    var filtersClicked: (@Sendable ([Filter], _ indexName: String) -> Void)?

    /// Creates an entry. By default it does nothing.
    init(
      declare: @escaping @Sendable (inout WidgetParameters, IndexState) -> Void = { _, _ in },
      complete: @escaping @Sendable (inout IndexState) -> Void = { _ in },
      clear: @escaping @Sendable (inout IndexState) -> Void = { _ in },
      write: @escaping @Sendable (IndexState, _ initial: IndexState, inout IndexUIState) -> Void =
        { _, _, _ in },
      read: @escaping @Sendable (IndexUIState, _ initial: IndexState, inout IndexState) -> Void =
        { _, _, _ in },
      facet: String? = nil,
      deactivates: @escaping @Sendable (String) -> Bool = { _ in false },
      omits: @escaping @Sendable (String) -> Bool = { _ in false },
      refresh: @escaping @Sendable () -> Void = {},
      takeRecommendations: @escaping @Sendable () -> RecommendationCalls.Waiting? = { nil },
      filtersClicked: (@Sendable ([Filter], _ indexName: String) -> Void)? = nil
    ) {
      self.declare = declare
      self.complete = complete
      self.clear = clear
      self.write = write
      self.read = read
      self.facet = facet
      self.deactivates = deactivates
      self.omits = omits
      self.refresh = refresh
      self.takeRecommendations = takeRecommendations
      self.filtersClicked = filtersClicked
    }
  }

  private struct State: Sendable {
    var entries: [(id: UInt64, entry: Entry)] = []
    var lastID: UInt64 = 0
    /// The number of the newest search that was made again because widgets needed other queries.
    var newestRepetition: UInt64 = 0
    /// The number of changes of the widgets and of their memory.
    var version: UInt64 = 0
    /// The active widgets; `nil` until they are needed.
    var active: [Entry]?
    /// The completed state of a request, which all widgets display.
    var completed: (revision: UInt64, state: IndexState)?

    mutating func change() {
      version += 1
      active = nil
      completed = nil
    }
  }

  private let state = Lock(State())
  private let recommendations: RecommendationCalls

  /// Creates a registry without widgets.
  ///
  /// - Parameter executor: The executor of the calls for recommendations.
  init(executor: (any TaskExecutor)?) {
    recommendations = RecommendationCalls(executor: executor)
  }

  /// The active widgets.
  private var entries: [Entry] {
    let (all, version, active) = state.withLock { state in
      (state.entries.map(\.entry), state.version, state.active)
    }
    if let active { return active }
    let entries = all.filter { entry in
      guard let facet = entry.facet else { return true }
      return !all.contains { $0.deactivates(facet) }
    }
    state.withLock { state in
      if state.version == version { state.active = entries }
    }
    return entries
  }

  /// Whether the widgets of a facet are inactive because the newest results do not list it. Before
  /// the first results nobody knows which facets they list.
  func isOmitted(_ facet: String) -> Bool {
    state.withLock { $0.entries.map(\.entry) }.contains { $0.omits(facet) }
  }

  /// The memory of a widget has changed, which can change what it needs.
  func memoryChanged() { state.withLock { $0.change() } }

  /// The facets that widgets display.
  var facets: Set<String> { Set(state.withLock { $0.entries.compactMap(\.entry.facet) }) }

  /// Adds a widget after the others.
  func add(_ entry: Entry) -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      state.entries.append((state.lastID, entry))
      state.change()
      return state.lastID
    }
  }

  func remove(_ id: UInt64) {
    // The entry is released after the lock.
    let removed = state.withLock { state in
      let position = state.entries.firstIndex { $0.id == id }
      state.change()
      return position.map { state.entries.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
    recommendations.remove(id)
  }

  /// The searcher was released.
  func close() { recommendations.cancelAll() }

  /// Sends all recommendations that widgets request and that are not requested yet, in one call.
  func sendRecommendations(
    with client: SearchClient, options: RequestOptions, initial: InitialResultsStore
  ) {
    recommendations.send(with: client, options: options, initial: initial) {
      let entries = state.withLock { $0.entries }
      var waiting: [UInt64: RecommendationCalls.Waiting] = [:]
      for (id, entry) in entries { waiting[id] = entry.takeRecommendations() }
      return waiting
    }
  }

  /// Reports the filters that an action has switched on.
  ///
  /// - Parameters:
  ///   - filters: Returns the filters. It is called only if there is a receiver.
  ///   - indexName: The index.
  func reportFilters(in indexName: String, _ filters: () -> [Filter]) {
    let receivers = entries.compactMap(\.filtersClicked)
    if receivers.isEmpty { return }
    let filters = filters()
    if filters.isEmpty { return }
    for receive in receivers { receive(filters, indexName) }
  }

  /// The state of the user interface that shows a state.
  func uiState(of state: IndexState, initial: IndexState) -> IndexUIState {
    var uiState = IndexUIState()
    for entry in entries { entry.write(state, initial, &uiState) }
    return uiState
  }

  /// Replaces the parts of a state that widgets change.
  func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    for entry in entries { entry.read(uiState, initial, &state) }
  }

  /// Removes the parts of the widgets of some facets from a state.
  func clear(_ state: inout IndexState, where isCleared: (_ facet: String) -> Bool) {
    for entry in self.state.withLock({ $0.entries.map(\.entry) }) {
      if let facet = entry.facet, isCleared(facet) { entry.clear(&state) }
    }
  }

  /// The state of a request, completed by the widgets.
  func state(of request: SearchRequest<JSON>) -> IndexState {
    completed(IndexState(request))
  }

  /// The state of a request, completed by the widgets.
  ///
  /// - Parameter revision: The number of the request, for which the state is stored.
  func state(of request: SearchRequest<JSON>, revision: UInt64) -> IndexState {
    let (version, stored) = state.withLock { ($0.version, $0.completed) }
    if let stored, stored.revision == revision { return stored.state }
    let completed = state(of: request)
    // The previous state is released after the lock.
    let previous = state.withLock { state in
      let previous = state.completed
      if state.version == version { state.completed = (revision, completed) }
      return previous
    }
    withExtendedLifetime(previous) {}
    return completed
  }

  /// A state, completed by the widgets.
  func completed(_ state: IndexState) -> IndexState { completed(state, entries) }

  private func completed(_ state: IndexState, _ entries: [Entry]) -> IndexState {
    var state = state
    for entry in entries { entry.complete(&state) }
    return state
  }

  /// Brings the views and the memory of all widgets up to date.
  func refresh() {
    for entry in state.withLock({ $0.entries.map(\.entry) }) { entry.refresh() }
  }

  /// Whether a search may be made again because widgets need other queries: once, so that widgets
  /// that never agree with the response do not search without end.
  ///
  /// - Parameter generation: The number of the search. The next number is that of its repetition.
  func mayRepeat(after generation: UInt64) -> Bool {
    state.withLock { state in
      guard generation > state.newestRepetition else { return false }
      state.newestRepetition = generation + 1
      return true
    }
  }

  /// The state of a request with what the widgets need; `nil` without widgets.
  func search(for request: SearchRequest<JSON>) -> WidgetSearch? {
    let entries = entries
    if entries.isEmpty { return nil }
    let state = completed(IndexState(request), entries)
    var parameters = WidgetParameters()
    for entry in entries { entry.declare(&parameters, state) }
    return WidgetSearch(state: state, parameters: parameters)
  }
}
