/// The screen of a searcher: the connected widgets, as one value under one lock.
///
/// Code of the user, which makes views and performs actions, runs without a lock on a copy of the
/// value. The copy is committed if the value has not changed meanwhile. A change of the search is
/// committed in the critical section of the searcher, together with its request.
///
/// It retains neither the searcher nor the interactors.
final class SearcherScreen: PlanningWidgets {
  typealias Effect = @Sendable () -> Void

  /// Observes all changes.
  struct Observer: Sendable {
    /// Whether a change of the search state counts as a change of the screen.
    let showsStatus: @Sendable () -> Bool
    /// Called without a lock with the changed screen. It returns a closure to run under the lock,
    /// which returns the effect to perform after it.
    let staging: @Sendable (SearchScreen) -> @Sendable () -> Effect
  }

  /// Everything that the lock guards.
  struct State: Sendable {
    var screen: SearchScreen
    /// The number of changes.
    var revision: UInt64 = 0
    /// The responses that the screen has not received.
    var inbox = Inbox()
    /// The newest status of the searcher.
    var newest: HitsSearcherStatus?
    /// The number of the newest slot, request or call.
    var lastID: UInt64 = 0
    /// The widgets that wait for each call for recommendations.
    var calls: [UInt64: Set<UInt64>] = [:]
    /// The observer of the searcher, which is added with the first widget.
    var isObserved = false
    /// The connections of the widgets, by slot, which end with the searcher.
    var connections: [UInt64: Connection] = [:]
    /// The observers of all changes, by number.
    var observers: [UInt64: Observer] = [:]
    /// The receivers of filters that actions have switched on, by slot.
    var clicks: [UInt64: @Sendable ([Filter], _ indexName: String) -> Void] = [:]
  }

  /// The received responses, in order.
  struct Inbox: Sendable {
    var responses: [SearchAnswer] = []
    /// Whether the first response is the searcher's response at the start of the observation.
    var isReplay = false
    var own: [(slot: UInt64, number: UInt64, response: WidgetResponse)] = []

    var isEmpty: Bool { responses.isEmpty && own.isEmpty }
  }

  let state: Lock<State>
  /// The code of widgets that makes views.
  let viewScope: ViewScope
  /// How long a text for a widget's own request must stay unchanged.
  private let debounce: Duration
  private let initial: InitialResultsStore
  private let clock: any Clock<Duration>
  private let client: SearchClient
  private let options: RequestOptions
  private let tasks: TaskBag<UInt64>

  init(
    of planner: SearchPlanner, client: SearchClient, options: SearcherOptions, owner: ChangeOwner
  ) {
    debounce = planner.debounce
    initial = planner.initial
    clock = options.clock
    viewScope = ViewScope(owner)
    var screen = SearchScreen(indexName: planner.indexName)
    screen.isDisjunctive = planner.needs.isDisjunctive
    screen.keepsSelected = planner.needs.keepsSelected
    state = Lock(State(screen: screen))
    self.client = client
    self.options = options.requestOptions
    tasks = TaskBag(executor: options.executor)
  }

  /// The searcher was released.
  func close() { tasks.cancelAll() }

  /// The screen, with everything that has happened.
  var current: SearchScreen {
    while true {
      refresh()
      // A response may have arrived meanwhile. Its search is then no longer pending.
      let (screen, isUpToDate) = state.withLock { ($0.screen, $0.isUpToDate) }
      if isUpToDate || viewScope.isRunning { return screen }
    }
  }

  /// The queries of a request and of nested indices.
  func plan(for request: SearchRequest<JSON>) -> SearchPlan {
    var screen = current
    screen.setSearch(request)
    return screen.wholePlan
  }

  // MARK: Slots

  /// Adds a widget after the others. Its view is made with the next refresh.
  func add(_ slot: WidgetSlot) {
    update { next in
      next.screen.connect(slot, at: 0, next.newestGeneration)
      return SearcherScreen.Refreshed(state: next)
    }
  }

  /// Adds all widgets of a screen and of its nested screens after the others.
  ///
  /// - Parameter observer: Called for this change and for all others until the widgets are removed.
  /// - Returns: The numbers of the slots, after the number of the observer.
  func add(
    _ screen: SearchScreen, _ observer: Observer
  ) throws(SearchError) -> Range<UInt64> {
    let count = screen.nodes.reduce(1) { $0 + UInt64($1.slots.count) }
    let first = reserveIDs(count)
    var id = first
    let nodes = screen.nodes.map { node in
      var copy = ScreenNode(
        indexName: node.initial.indexName, indexID: node.indexID, parent: node.parent,
        number: first)
      for slot in node.slots {
        id += 1
        copy.append(slot.connected(to: self, as: id))
      }
      return copy
    }
    try update { next throws(SearchError) in
      next.receiveAll()
      try next.screen.connect(nodes, next.newestGeneration)
      next.observers[first] = observer
      return next.refreshed()
    }
    return first..<first + count
  }

  /// Removes a widget.
  func remove(_ id: UInt64) { remove(id..<id + 1) }

  /// Removes widgets.
  ///
  /// - Parameter hasIndices: Whether the screens of other indices are removed, too.
  func remove(_ ids: Range<UInt64>, hasIndices: Bool = false) {
    let screen = current
    for id in ids { screen.leave(id) }
    let (previous, unwanted) = change { state in
      let previous = state
      let unwanted = ids.flatMap { state.remove($0) }
      if hasIndices { state.screen.disconnectIndices() }
      return (previous, unwanted)
    }
    for task in unwanted { tasks.cancel(task) }
    // Objects of the user are released without the lock.
    withExtendedLifetime(previous) {}
    // Other widgets can depend on one that was removed.
    refresh()
  }

  /// The connection of a widget ends with the searcher.
  func end(_ connection: Connection, with id: UInt64) {
    change { state in
      if state.screen.slot(id) != nil { state.connections[id] = connection }
    }
  }

  // MARK: Events

  /// The searcher has published a status. Called in its critical section.
  ///
  /// - Returns: Whether views, memories or searches may follow from it.
  func stage(_ status: HitsSearcherStatus, isFirst: Bool) -> Bool {
    state.withLock { state in
      let previous = state.newest
      // Errors of the searcher itself, such as a rejected change, do not affect widgets.
      if let previous, status.isShownLike(previous) { return false }
      state.newest = status
      state.revision += 1
      if let response = status.response,
        response.generation > previous?.responseGeneration ?? 0
      {
        state.inbox.responses.append(response)
        state.inbox.isReplay = isFirst
      }
      if status.requestRevision != previous?.requestRevision {
        state.screen.setSearch(status.currentRequest)
      }
      let isShown =
        status.state == previous?.state && status.isPending == state.screen.isPending
      if !isShown, state.observers.values.contains(where: { $0.showsStatus() }) {
        state.screen.setDirty()
      }
      state.screen.setStatus(
        status.state, isPending: status.isPending,
        isAnswered: !status.isPending && status.responseGeneration == status.generation)
      state.screen.searchBegan(status.generation)
      return !state.isUpToDate || state.screen.hasFollowUps
    }
  }

  /// Brings the screen and all views up to date. A view that reads the screen reads the previous
  /// views, because making them again would never end.
  func refresh() {
    if state.withLock({ $0.isUpToDate }) || viewScope.isRunning { return }
    update { next in
      if next.isUpToDate { return nil }
      next.receiveAll()
      return next.refreshed()
    }
  }

  /// Changes the state without the searcher.
  ///
  /// - Parameter event: Makes the change outside the lock, and again after a concurrent change. It
  ///   returns `nil` to change nothing.
  private func update<Failure>(
    _ event: (inout State) throws(Failure) -> Refreshed?
  ) throws(Failure) {
    while true {
      let before = state.withLock { $0 }
      var next = before
      let refreshed = try viewScope.run { () throws(Failure) in try event(&next) }
      guard let refreshed else { return }
      if let effects = commit(refreshed, after: before.revision) {
        for effect in effects { effect() }
        return
      }
    }
  }

  /// Changes state that no view shows. The revision keeps a commit of an older copy from undoing
  /// it.
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      state.revision += 1
      return body(&state)
    }
  }

  /// Reserves the place of a widget.
  func reservePlace() -> WidgetPlace { WidgetPlace(id: reserveIDs(1), on: self) }

  /// Reserves the numbers of slots. Returns the first.
  func reserveIDs(_ count: UInt64) -> UInt64 {
    change { state in
      defer { state.lastID += count }
      return state.lastID + 1
    }
  }

  // MARK: Views

  /// The newest view of a widget; `nil` if it was removed. Inside the code of that view it is the
  /// last published view.
  func view<W: SearchWidget>(of type: W.Type, in id: UInt64) -> W.View? {
    let screen = current
    guard let found = screen.find(id) else { return nil }
    // Copying a slot costs as much as a view.
    let table = screen.nodes[found.node].table
    if let shown = table.slots[found.slot].shownView(of: W.self) { return shown }
    guard let place = table.slots[found.slot].entry.place else { return nil }
    return viewScope.view(at: place) { screen.view(of: W.self, at: found.node, in: found.slot) }
      ?? table.slots[found.slot].output(of: W.self)?.lastPublished
  }

  /// A consumer waits for the views of a widget from now on.
  func show(_ id: UInt64) {
    change { $0.screen.setDirty(id) }
    refresh()
  }

  /// A consumer waits for the whole screen from now on.
  func showAll() {
    change { $0.screen.setDirty() }
    refresh()
  }

  /// Stores a changed state. Returns `nil` after a concurrent change, without storing it.
  ///
  /// - Parameters:
  ///   - isPending: Whether a search is pending after the change; `nil` if that does not change.
  ///   - isPossible: Called under the lock if the state can be stored; it is not if this returns
  ///     `false`.
  /// - Returns: The effects to perform outside the lock.
  func commit(
    _ next: Refreshed, after revision: UInt64, isPending: Bool? = nil,
    if isPossible: () -> Bool = { true }
  ) -> [Effect]? {
    state.withLock { state in
      guard state.revision == revision, isPossible() else { return nil }
      let previous = state
      state = next.state
      if let isPending { state.screen.isPending = isPending }
      state.revision += 1
      var effects: [Effect] = [{ withExtendedLifetime(previous) {} }]
      for slot in next.changes.published {
        if let effect = slot.entry.publish(slot) { effects.append(effect) }
      }
      for stage in next.stagings { effects.append(stage()) }
      effects += next.changes.demands.effects
      return effects + begin(next, in: &state)
    }
  }

  // MARK: Requests of widgets

  /// Begins the requests of widgets, and ends the requests that they no longer need.
  private func begin(_ next: Refreshed, in state: inout State) -> [Effect] {
    var effects: [Effect] = []
    for (slot, number) in next.changes.ended {
      for task in state.forget(slot, number) { effects.append { self.tasks.cancel(task) } }
    }
    for (slot, number, request) in next.changes.begun where !request.request.isShared {
      tasks.reserve(number)
      let delay = request.request.isTyped ? debounce : .zero
      effects.append { [client, clock, options, tasks] in
        tasks.start(number) { [weak self] in
          if delay > .zero { try? await clock.sleep(for: delay) }
          if Task.isCancelled { return }
          let response = await client.response(to: request, options: options)
          self?.receive([(slot, number, response)])
        }
      }
    }
    let recommended = next.changes.begun.filter(\.request.request.isShared)
    if recommended.isEmpty { return effects }
    state.lastID += 1
    let call = state.lastID
    state.calls[call] = Set(recommended.map(\.slot))
    tasks.reserve(call)
    effects.append { [client, options, initial, tasks] in
      tasks.start(call) { [weak self] in
        let responses = await client.recommendations(
          recommended.map(\.request.request), initial: initial, options: options)
        if Task.isCancelled { return }
        self?.receive(
          recommended.compactMap { slot, number, request in
            responses[request.request].map { (slot, number, $0) }
          })
      }
    }
    return effects
  }

  private func receive(_ responses: [(slot: UInt64, number: UInt64, response: WidgetResponse)]) {
    state.withLock { state in
      state.inbox.own += responses
      state.revision += 1
    }
    refresh()
  }
}
