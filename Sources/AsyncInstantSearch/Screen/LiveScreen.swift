public import Observation
private import Synchronization

extension HitsSearcher {
  /// Connects all widgets of a screen, and of the screens in it.
  ///
  /// ```swift
  /// let live = try searcher.connect(screen)
  /// searcher.submit()
  /// for await items in live.updates(of: genres) { draw(items) }
  /// try live.perform(genres.toggle("War"))  // elsewhere
  /// ```
  ///
  /// Connecting does not search; the next search covers the needs of all widgets, including the
  /// screens of other indices, in one request. The screen stays connected as long as the live
  /// screen exists.
  ///
  /// - Throws: `invalidRequest` if the screen and the searcher have different indices, if a widget
  ///   reads a part of the state in another form than a connected widget, or if a screen with
  ///   screens of other indices is already connected.
  public nonisolated func connect(_ screen: SearchScreen) throws(SearchError) -> LiveScreen {
    LiveScreen(try LiveConnection(screen, to: self), at: 0)
  }
}

/// A screen connected to a searcher: the views of its widgets, and the actions that change the
/// search.
///
/// Use it for a screen that stays open. For a single awaited response, such as a server's page,
/// search a ``SearchScreen`` with a client. A live screen has the members of ``ScreenResults``, for
/// a live search. All of them can be used from any thread or actor. Reading a view or the state
/// tracks it for `Observation`, so a SwiftUI view, or any other observer, is updated when widgets
/// show something else.
///
/// It retains the searcher. When the last reference to it, or to one of the live screens in it, is
/// released, its widgets are disconnected. Its streams end, except the streams of interactors that
/// are still retained.
public final class LiveScreen: Sendable {
  private let connection: LiveConnection
  /// The position of the index on the screen.
  private let position: Int

  fileprivate init(_ connection: LiveConnection, at position: Int) {
    self.connection = connection
    self.position = position
  }

  /// The searcher.
  public var searcher: HitsSearcher { connection.searcher }

  /// The live screen of the index with an ID: this one or another one in the same screen; `nil` for
  /// an unknown ID.
  public subscript(indexID: String) -> LiveScreen? {
    connection.definition.nodes.firstIndex { $0.indexID == indexID }.map {
      LiveScreen(connection, at: $0)
    }
  }

  // MARK: Views

  /// The view of a widget.
  ///
  /// - Parameter widget: A widget of the screen.
  public func view<W: SearchWidget>(of widget: W) -> W.View {
    connection.view(of: widget, at: position)
  }

  /// The views of a widget in each index that has it, from the outermost index on.
  ///
  /// - Parameter widget: A widget of one or more indices.
  public func views<W: SearchWidget>(of widget: W) -> [(indexID: String, view: W.View)] {
    let nodes = connection.definition.nodes
    return nodes.indices.filter { nodes[$0].position(of: widget) != nil }.map {
      (nodes[$0].indexID, connection.view(of: widget, at: $0))
    }
  }

  /// Returns the views of a widget: the current one first, then one for each change. An equal view
  /// is not repeated.
  ///
  /// Each call creates a new subscription, which does not retain the live screen. By default a slow
  /// consumer receives only the newest view. A widget that is not on the screen has one view.
  public func updates<W: SearchWidget>(
    of widget: W, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<W.View> {
    interactor(of: widget).views(buffering: buffering)
  }

  /// An interactor of a widget on the screen, for code that shows single widgets. It does not
  /// retain the live screen, and connecting it to another searcher has no effect.
  ///
  /// - Parameter widget: A widget of the screen. The interactor of any other widget is not
  ///   connected.
  public func interactor<W: SearchWidget>(of widget: W) -> WidgetInteractor<W> {
    connection.interactor(of: widget, at: position)
  }

  /// The controller of a widget on the screen, for the SwiftUI views of widgets. It is the same one
  /// each time, and it is connected as long as the live screen exists.
  ///
  /// ```swift
  /// FacetListView(live.controller(of: genres))
  /// ```
  ///
  /// - Parameter widget: A widget of the screen.
  @MainActor
  public func controller<W: SearchWidget>(of widget: W) -> WidgetObservableController<W> {
    connection.controller(of: widget, at: position)
  }

  /// Whether a widget is active; see ``ScreenResults/isActive(_:)``.
  public func isActive(_ widget: some SearchWidget) -> Bool {
    connection.screen.isActive(widget, at: position)
  }

  /// The merged results; `nil` before the first.
  public var results: IndexResults? { connection.screen.nodes[position].results }

  /// The page of hits with records of a type; see ``ScreenResults/page(of:)``.
  public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    results?.page(of: type) ?? HitsPage()
  }

  // MARK: All of it

  /// The current display of the screen as one value, with links and hidden fields for a web page.
  public var current: ScreenResults {
    connection.output.isRead.store(true, ordering: .relaxed)
    return connection.results(at: position)
  }

  /// Returns the display of the screen: now, and after each change. It is one stream of results and
  /// errors, for example to send each one as an event to a browser.
  ///
  /// ```swift
  /// for await results in live.updates() {
  ///   if case .failed(let error) = results.searchState { log(error) }
  ///   try await send(html(of: results))
  /// }
  /// ```
  ///
  /// A change is an action of a user, a search that begins, stalls, ends or fails, or a response to
  /// the request of a widget. Consecutive values can be equal. All views of one value belong to the
  /// same moment.
  ///
  /// A value is made when the consumer reads it, so it is always the newest one, and none waits in
  /// memory for a slow consumer. Each call creates a new subscription, which does not retain the
  /// live screen, and ends with it.
  public func updates() -> AsyncStream<ScreenResults> {
    connection.changes().mapped { [weak connection, position] in
      connection?.results(at: position)
    }
  }

  // MARK: Changes

  /// Performs an action of a widget of this index, which is searched once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - isEverywhere: Whether the action is performed in all indices in which its widget is
  ///     active. Defaults to `false`: in this index only.
  /// - Throws: `invalidRequest` if the action is not possible, if the screen does not have the
  ///   widget or it is inactive, or inside another change of the same search. Nothing is changed
  ///   then.
  public func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, inAllScreens isEverywhere: Bool = false
  ) throws(SearchError) {
    let nodes = isEverywhere ? connection.definition.nodes.indices : position..<position + 1
    let ids = nodes.compactMap { connection.slotID(of: action.widget, at: $0) }
    try searcher.perform { screen throws(SearchError) in
      try screen.performEverywhere(action, in: ids.compactMap(screen.find))
    }
  }

  /// The state of the user interface of all indices, for example for a URL:
  /// ``SearchScreen/query(of:)``.
  public var uiState: UIState { connection.output.uiState(of: connection.screen) }

  /// Returns the states of the user interface: the current one first, then one for each change, for
  /// example for the address bar of a browser.
  ///
  /// Each call creates a new subscription, which does not retain the live screen.
  public func uiStates(buffering: StreamBuffering = .newest(1)) -> AsyncStream<UIState> {
    connection.uiStates(buffering: buffering)
  }

  /// Sets the state of the widgets of all indices, for example from a URL. Absent parts are
  /// cleared.
  ///
  /// - Parameters:
  ///   - uiState: The state.
  ///   - searchesOnChange: Whether a change is searched. Otherwise it takes effect with the next
  ///     search, as before the first one. Defaults to `true`.
  /// - Throws: `invalidRequest` inside another change of the same search, without a change.
  public func setUIState(
    _ uiState: UIState, searchesOnChange: Bool = true
  ) throws(SearchError) {
    let definition = connection.definition
    try searcher.change(searches: searchesOnChange, isClick: true) { screen in
      for (position, node) in definition.nodes.enumerated() {
        screen.nodes[position].read(
          uiState[node.indexID], keepsUnread: definition.keepsUnreadParts)
      }
      return searchesOnChange ? .ifFailed : .none
    }
  }
}

extension LiveScreen: Observable {}

/// The connection of a screen to a searcher, which ends with the last of its live screens.
private final class LiveConnection: Sendable {
  /// The screen as it was connected.
  let definition: SearchScreen
  let searcher: HitsSearcher
  let output: LiveOutput
  private let ids: Range<UInt64>
  /// The controllers of widgets, and their interactors, by slot.
  private let controllers = Lock<[UInt64: any AnyObject & Sendable]>([:])

  init(_ screen: SearchScreen, to searcher: HitsSearcher) throws(SearchError) {
    let output = LiveOutput(indexIDs: screen.nodes.map(\.indexID))
    definition = screen
    self.searcher = searcher
    self.output = output
    ids = try searcher.connectWidgets(
      of: screen,
      SearcherScreen.Observer(
        showsStatus: { output.showsStatus }, staging: { output.staging(of: $0) }))
  }

  deinit {
    searcher.screen.remove(ids, hasIndices: definition.nodes.count > 1)
    output.finish()
  }

  /// The states of the user interface, from now on. They are made only while a consumer waits.
  func uiStates(buffering: StreamBuffering) -> AsyncStream<UIState> {
    output.watch.begin()
    defer { output.watch.end() }
    // A commit that was computed before is computed again, with the state.
    searcher.screen.showAll()
    return output.uiStates.stream(buffering: buffering)
  }

  /// Changes of the screen, beginning with one.
  func changes() -> AsyncStream<Void> { output.changes.stream() }

  func results(at position: Int) -> ScreenResults {
    ScreenResults(screen: screen.routed(as: definition), position: position)
  }

  /// The screen, with everything that has happened. Observers track it.
  var screen: SearchScreen {
    output.registerAccess()
    return searcher.screen.current
  }

  /// The number of the slot of a widget; `nil` if the index does not have it. Other screens of the
  /// searcher can have equal widgets.
  func slotID(of widget: some SearchWidget, at position: Int) -> UInt64? {
    guard let index = definition.nodes[position].position(of: widget) else { return nil }
    let before = definition.nodes[..<position].reduce(0) { $0 + $1.slots.count }
    return ids.lowerBound + 1 + UInt64(before + index)
  }

  func view<W: SearchWidget>(of widget: W, at position: Int) -> W.View {
    output.registerAccess()
    let id = slotID(of: widget, at: position)
    return id.flatMap { searcher.screen.view(of: W.self, in: $0) }
      ?? searcher.screen.current.view(of: widget, at: position)
  }

  @MainActor
  func controller<W: SearchWidget>(
    of widget: W, at position: Int
  ) -> WidgetObservableController<W> {
    let id = slotID(of: widget, at: position)
    if let id, let known = controllers.withLock({ $0[id] }) as? ControlledWidget<W> {
      return known.controller
    }
    let new = ControlledWidget(interactor(of: widget, at: position))
    if let id { controllers.withLock { $0[id] = new } }
    return new.controller
  }

  func interactor<W: SearchWidget>(of widget: W, at position: Int) -> WidgetInteractor<W> {
    guard let id = slotID(of: widget, at: position),
      let slot = searcher.screen.current.slot(id),
      let output = slot.output(of: W.self), let place = slot.entry.place
    else { return WidgetInteractor(widget) }
    return WidgetInteractor(widget, output, of: searcher, at: place)
  }
}

/// A controller of a widget, with the interactor that it does not retain.
private final class ControlledWidget<W: SearchWidget>: Sendable {
  let controller: WidgetObservableController<W>
  private let interactor: WidgetInteractor<W>

  @MainActor
  init(_ interactor: WidgetInteractor<W>) {
    self.interactor = interactor
    controller = WidgetObservableController()
    controller.update(interactor.view)
    interactor.connectController(controller)
  }
}

/// The values that observers of a live screen track, and the states for the address bar.
private final class LiveOutput: Sendable, Observable {
  let uiStates = StreamHub<UIState>(initial: UIState(), replaysCurrent: true, areEqual: ==)
  /// The changes of the screen.
  let changes = StreamHub<Void>(initial: (), replaysCurrent: true)
  /// Whether a consumer waits for the states.
  let watch = WidgetWatch()
  /// Whether the state of the search was read since the last change, so that an observer may
  /// display it.
  let isRead = Atomic(false)
  private let registrar = ObservationRegistrar()
  private let indexIDs: [String]
  /// Changes with each change of the screen.
  private var change: Int { 0 }

  init(indexIDs: [String]) {
    self.indexIDs = indexIDs
  }

  func registerAccess() { registrar.access(self, keyPath: \.change) }

  func uiState(of screen: SearchScreen) -> UIState {
    var uiState = UIState()
    for (id, node) in zip(indexIDs, screen.nodes) { uiState[id] = node.uiState }
    return uiState
  }

  /// Whether a change of the search state counts as a change of the screen.
  var showsStatus: Bool { isRead.load(ordering: .relaxed) || changes.subscriberCount > 0 }

  func finish() {
    uiStates.finish()
    changes.finish()
  }

  /// The screen changes; see ``SearcherScreen/Observer``.
  func staging(of screen: SearchScreen) -> @Sendable () -> SearcherScreen.Effect {
    let isWatched = watch.isOn { uiStates.subscriberCount > 0 }
    let uiState = isWatched ? uiState(of: screen) : nil
    return {
      let delivery = uiState.map { self.uiStates.stage($0) }
      let change = self.changes.stage(())
      return {
        delivery?.perform()
        change.perform()
        self.isRead.store(false, ordering: .relaxed)
        self.registrar.withMutation(of: self, keyPath: \.change) {}
      }
    }
  }
}
