/// A widget that is connected to a searcher: its view, and the actions that change the search.
///
/// ```swift
/// let brand = WidgetInteractor(try FacetList(attribute: "brand"))
/// brand.connectSearcher(searcher)
/// for await view in brand.views { draw(view.items) }
/// try brand.perform { $0.toggle("Apple") }  // elsewhere
/// ```
///
/// All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - Connecting a widget does not search. The next search requests what all connected widgets need,
///   in one request.
/// - A view shows the newest results and the current state of the search. A chosen value is shown
///   as chosen at once, before the results of the new search.
/// - A view of an older search is never published after one of a newer search. An equal view is not
///   published again.
/// - An action changes the request of the searcher and the filters of the filter state that the
///   searcher follows, as one change, which is searched once.
/// - When the searcher's awaited `search()` returns, the view shows its response.
/// - No shutdown is needed: when the interactor is deallocated, it is disconnected and its streams
///   end.
public final class WidgetInteractor<W: SearchWidget>: Sendable {
  typealias Effect = @Sendable () -> Void

  /// The widget.
  public let widget: W
  let state: Lock<State>
  private let initialView: W.View
  private let hub: StreamHub<NumberedView<W.View>>
  /// Whether a request of the widget is pending.
  private let isLoading = StreamHub<Bool>(initial: false, replaysCurrent: true, areEqual: ==)
  /// Whether a change that is displayed may still make another search necessary.
  private let isFollowedUp = StreamHub<Bool>(initial: false, replaysCurrent: true, areEqual: ==)
  let controllers = ControllerConnections<NumberedView<W.View>>()
  let tasks: TaskBag<UInt64>

  /// Everything that is guarded by the lock.
  struct State: Sendable {
    var link = Link<HitsSearcher, WidgetLink> { $0.end() }
    var inputs: WidgetInputs<W.Memory>
    /// The number of changes of the inputs, and that of the inputs that are displayed.
    var revision: UInt64 = 0
    var shownRevision: UInt64 = 0
    /// The number of displayed changes that may still make another search necessary.
    var followUpCount = 0
    /// The number of the newest change of the memory after which the widgets may need other queries
    /// than those of the response; `nil` if this was checked, or is not needed.
    var dueCheck: UInt64?
    /// The widget's own request that is answered or running.
    var request: WidgetRequest?
    /// The same, if it waits for a call together with those of other widgets.
    var waiting: RecommendationsRequest?

    /// The number of the request.
    var requestID: UInt64 = 0

    /// Whether the widget's own request is pending.
    var isLoading: Bool { request != nil && request != inputs.response?.request }

    /// Waits for nothing of the searcher any more.
    mutating func forgetRequest() {
      dueCheck = nil
      request = nil
      requestID += 1
      waiting = nil
      revision += 1
    }
  }

  /// Creates an interactor without a connection.
  ///
  /// - Parameters:
  ///   - widget: The widget.
  ///   - executor: The executor of the widget's own requests. Defaults to the global one.
  public init(_ widget: W, executor: (any TaskExecutor)? = nil) {
    self.widget = widget
    let inputs = WidgetInputs(memory: widget.initialMemory)
    state = Lock(State(inputs: inputs))
    initialView = widget.view(inputs.context(of: IndexState("")))
    hub = StreamHub(
      initial: NumberedView(count: 0, view: initialView), replaysCurrent: true)
    tasks = TaskBag(executor: executor)
  }

  deinit {
    state.withLock { $0.link.content }?.end()
    tasks.cancelAll()
    hub.finish()
    isLoading.finish()
    isFollowedUp.finish()
  }

  /// The newest view. For each change, use ``views(buffering:)``.
  public var view: W.View { hub.current?.view ?? initialView }

  /// Returns the views: the current one first, then one for each change.
  ///
  /// Each call creates a new subscription, which does not retain the interactor. By default a slow
  /// consumer receives only the newest view.
  public func views(buffering: StreamBuffering = .newest(1)) -> AsyncStream<W.View> {
    let previous = PreviousView<W.View>()
    return hub.stream(buffering: buffering) { newest in
      previous.isChanged(to: newest.view) ? newest.view : nil
    }
  }

  /// The views: the current one first, then the newest.
  public var views: AsyncStream<W.View> { views() }

  /// Returns the view once no search is pending, and no request of the widget.
  ///
  /// All other widgets of the searcher show the newest results then, too. Cancelling the task ends
  /// the wait.
  ///
  /// - Throws: The error of the newest search, or `cancelled`.
  public func settledView() async throws(SearchError) -> W.View {
    if let searcher = state.withLock({ $0.link.source }) { try await searcher.settled() }
    for await isLoading in isLoading.stream() where !isLoading { return view }
    throw .waitEnded
  }

  /// The views with their numbers.
  var numberedViews: AsyncStream<NumberedView<W.View>> { hub.stream() }
}

// MARK: - Actions

extension WidgetInteractor {
  /// Performs an action of the widget, which changes the search or what the widget remembers.
  ///
  /// - Throws: `invalidRequest` if the action is not possible, if no searcher is connected, or if
  ///   ``DynamicFacets`` deactivate the widget because the newest results do not list its facet.
  ///   Also inside `shouldSearch`, and inside the closure of an action or of another change of the
  ///   same search. Nothing is changed then.
  public func perform(_ action: WidgetAction<W>) throws(SearchError) {
    guard let searcher = state.withLock({ $0.link.source }) else {
      throw SearchError(
        .invalidRequest, "The \(W.self) is not connected. Connect it to a searcher first.")
    }
    try searcher.checkChangeIsAllowed()
    let facet = widget.facet
    if let facet, searcher.widgets.isOmitted(facet) { throw .inactive(W.self, facet) }
    let (memory, results) = state.withLock { ($0.inputs.memory, $0.inputs.results) }
    let before = searcher.indexState
    var target = WidgetAction<W>.Target(state: before, results: results, memory: memory)
    try searcher.preview { () throws(SearchError) in try action.apply(&target) }
    if target.memory != memory {
      // A search that follows from the action needs the new memory.
      try searcher.preview { () throws(SearchError) in
        try remember(action, in: before)
      }
      searcher.widgets.memoryChanged()
    }
    if target.state.isSameSearch(as: before) {
      refresh()
      // The same search can be made again after an error.
      if target.memory == memory, case .failed = searcher.state { searcher.submit() }
      return
    }
    var change = (before: before, after: before)
    try searcher.change { state throws(SearchError) in
      var target = WidgetAction<W>.Target(state: state, results: results, memory: memory)
      try action.apply(&target)
      change = (state, target.state)
      state = target.state
    }
    // Another thread may have received results that do not list the facet any more.
    if let facet, searcher.widgets.isOmitted(facet), searcher.clear(where: { $0 == facet }) {
      throw .inactive(W.self, facet)
    }
    searcher.widgets.reportFilters(in: change.after.indexName) {
      widget.filtersSwitchedOn(from: change.before, to: change.after)
    }
    refresh()
  }

  /// Performs the action that the closure returns; see ``perform(_:)``.
  ///
  /// - Parameter makeAction: Returns an action of the widget, its argument.
  public func perform(
    _ makeAction: (W) throws(SearchError) -> WidgetAction<W>
  ) throws(SearchError) {
    try perform(try makeAction(widget))
  }

  /// Applies an action to the memory, which another thread may change at the same time.
  private func remember(_ action: WidgetAction<W>, in searchState: IndexState) throws(SearchError) {
    while true {
      let (inputs, revision) = state.withLock { ($0.inputs, $0.revision) }
      var target = WidgetAction<W>.Target(
        state: searchState, results: inputs.results, memory: inputs.memory)
      try action.apply(&target)
      let isChanged = state.withLock { state in
        guard state.revision == revision else { return false }
        state.inputs.memory = target.memory
        state.inputs.mayRequest = true
        state.revision += 1
        return true
      }
      if isChanged { return }
    }
  }
}

// MARK: - The searcher

extension WidgetInteractor {
  /// Connects the widget to a searcher in place of the previous one.
  ///
  /// Connecting does not search; the next search requests what the widget needs. The view shows the
  /// current response of the searcher. Connecting the same searcher again has no effect and returns
  /// the same connection. Neither object retains the other.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: HitsSearcher) -> Connection {
    let (link, previous) = state.withLock { state in
      let link = state.link.connect(to: searcher) {
        WidgetLink()
      } undo: { [weak self] link in
        self?.disconnect(link)
      }
      let previous = state.inputs
      if link.isNew {
        state.inputs.forgetSearcher()
        state.forgetRequest()
      }
      return (link, previous)
    }
    withExtendedLifetime(previous) {}
    link.effect()
    if link.content.remove == nil { register(searcher, on: link.connection) }
    refresh()
    return link.connection
  }

  /// Ends a connection. The widget keeps its view and waits for nothing.
  private func disconnect(_ link: Connection) {
    let (end, id) = state.withLock { state -> (Effect?, UInt64) in
      let id = state.requestID
      let end = state.link.disconnect(link)
      if end != nil { state.forgetRequest() }
      return (end, id)
    }
    guard let end else { return }
    end()
    tasks.cancel(id)
    refresh()
  }

  private func register(_ searcher: HitsSearcher, on link: Connection) {
    let widget = widget
    let initial = IndexState(searcher.initialIndexName)
    let entry =
      WidgetRegistry.Entry(
        declare: { [weak self] parameters, state in
          guard let memory = self?.state.withLock({ $0.inputs.memory }) else { return }
          widget.declare(in: &parameters, for: state, memory: memory)
        },
        complete: { widget.complete(&$0) },
        clear: { widget.removePart(from: &$0, initial: initial) },
        write: { widget.write($0, initial: $1, to: &$2) },
        read: { widget.read($0, initial: $1, into: &$2) }, facet: widget.facet,
        deactivates: { [weak self] facet in
          guard let memory = self?.state.withLock({ $0.inputs.memory }) else { return false }
          return widget.deactivates(facet, memory: memory)
        },
        omits: { [weak self] facet in
          guard let self else { return false }
          // Another thread may not have performed the effect of the newest results yet.
          refresh()
          let inputs = self.state.withLock { $0.inputs }
          return inputs.results != nil && widget.deactivates(facet, memory: inputs.memory)
        }, refresh: { [weak self] in self?.refresh() },
        takeRecommendations: { [weak self] in self?.takeRecommendations(on: link) })
    let observer = HitsObserver(
      prepare: { widget.prepare($0.results) },
      stage: { [weak self] status in
        guard let self else { return {} }
        let isChanged = self.stage(status, on: link)
        // This may be the last reference to the interactor, which is released after the lock.
        return { withExtendedLifetime(self) { if isChanged { self.refresh() } } }
      },
      present: { [weak self] in await self?.present() ?? true },
      end: { link.disconnect() })
    let remove = searcher.add(entry, observer)
    let isFirst = state.withLock { $0.link.update(link) { $0.begin(remove) } == true }
    if !isFirst { remove() }
  }

  /// Waits until the view is up to date and the controllers show it. `false` if the task is
  /// cancelled first.
  private func present() async -> Bool {
    // Another thread may not have performed the effect of the newest status yet.
    refresh()
    if state.withLock({ $0.followUpCount > 0 }) {
      for await isFollowedUp in isFollowedUp.stream() where !isFollowedUp { break }
      if Task.isCancelled { return false }
    }
    return await controllers.present(hub.current)
  }

  /// Stores a status of the searcher. Returns whether it can change the view.
  private func stage(_ status: HitsSearcherStatus, on link: Connection) -> Bool {
    state.withLock { state in
      guard state.link.connection === link,
        state.inputs.take(status, showsStatus: widget.showsStatus)
      else { return false }
      state.revision += 1
      return true
    }
  }
}

// MARK: - The view

extension WidgetInteractor {
  /// Brings the view up to date.
  ///
  /// The widget's code runs outside the lock. If the inputs change meanwhile, it runs again, so the
  /// newest view is the last that is published.
  ///
  /// - Parameter sendsRecommendations: Whether to send a request for recommendations that follows.
  ///   Defaults to `true`.
  func refresh(sendsRecommendations: Bool = true) {
    while true {
      let (inputs, revision, isShown, searcher) = state.withLock { state in
        (state.inputs, state.revision, state.revision == state.shownRevision, state.link.source)
      }
      if isShown { return }
      var newest = inputs
      for response in inputs.unread {
        newest.results = response.results
        widget.receive(response.results, memory: &newest.memory)
      }
      newest.unread = []
      let searchState = newest.searchState(of: searcher)
      let context = newest.context(of: searchState)
      let view = widget.view(context)
      let request = inputs.mayRequest ? widget.request(in: context) : nil
      // Views are compared, and values released, without the lock.
      let isEqual = hub.current?.view == view
      let isRemembered = newest.memory != inputs.memory
      var follows = false
      let effects = state.withLock { state -> [Effect]? in
        guard state.revision == revision else { return nil }
        if state.shownRevision == revision { return [] }
        state.shownRevision = revision
        let previous = state.inputs
        state.inputs = newest
        var effects: [Effect] = [{ withExtendedLifetime(previous) {} }]
        if !isEqual {
          let delivery = hub.stage(NumberedView(count: revision, view: view))
          effects.append { delivery.perform() }
        }
        effects += stage(
          request, in: &state, searcher, sendsRecommendations: sendsRecommendations)
        let loading = isLoading.stage(state.isLoading)
        effects.append { loading.perform() }
        follows = searcher != nil && (isRemembered || state.dueCheck != nil)
        if follows { effects.append(stageFollowUps(1, in: &state)) }
        return effects
      }
      guard let effects else { continue }
      for effect in effects { effect() }
      if follows, let searcher, !effects.isEmpty {
        if isRemembered { memoryChanged(from: inputs, to: newest, searchState, searcher) }
        checkQueries(of: searcher)
        state.withLock { stageFollowUps(-1, in: &$0) }()
      }
    }
  }

  private func stageFollowUps(_ change: Int, in state: inout State) -> Effect {
    state.followUpCount += change
    let delivery = isFollowedUp.stage(state.followUpCount > 0)
    return { delivery.perform() }
  }
}
