public import Observation

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
  /// Connecting does not search; the next search requests what all widgets need, also for the
  /// screens of other indices, in one request. It ends when the last reference to the live screen
  /// is released. Neither object retains the other.
  ///
  /// - Throws: `invalidRequest` if the screen is one of another index than the searcher, if a widget
  ///   reads a part of the state in another form than one that is connected already, or if a screen
  ///   with screens of other indices is connected already.
  public nonisolated func connect(_ screen: SearchScreen) throws(SearchError) -> LiveScreen {
    LiveScreen(try LiveConnection(screen, to: self), at: 0)
  }
}

/// A screen that a searcher shows: the views of its widgets, and the actions that change the search.
///
/// It has the members of ``ScreenResults``, for a live search. All of them can be used from any
/// thread or actor. Reading a view or the state tracks it for `Observation`, so a SwiftUI view, or
/// any other observer, is updated when widgets show something else.
public final class LiveScreen: Sendable {
  private let connection: LiveConnection
  /// The position of the index on the screen.
  private let position: Int

  init(_ connection: LiveConnection, at position: Int) {
    self.connection = connection
    self.position = position
  }

  /// The live screen of the index with an ID, which is this one or one in the same screen; `nil` if
  /// there is none.
  public subscript(indexID: String) -> LiveScreen? {
    connection.definition.nodes.firstIndex { $0.indexID == indexID }.map {
      LiveScreen(connection, at: $0)
    }
  }

  /// What a widget displays.
  ///
  /// - Parameter widget: A widget of the screen.
  public func view<W: SearchWidget>(of widget: W) -> W.View {
    connection.screen.view(of: widget, at: position)
  }

  /// What a widget displays in each index that has it, from the outermost one on.
  ///
  /// - Parameter widget: A widget of one or more indices.
  public func views<W: SearchWidget>(of widget: W) -> [(indexID: String, view: W.View)] {
    let screen = connection.screen
    let nodes = connection.definition.nodes
    return nodes.indices.filter { screen.contains(widget, at: $0) }.map {
      (nodes[$0].indexID, screen.view(of: widget, at: $0))
    }
  }

  /// Returns the views of a widget: the current one first, then one for each change. An equal view
  /// is not repeated.
  ///
  /// Each call creates a new subscription, which does not retain the live screen. By default a slow
  /// consumer receives only the newest view. A widget that is not on the screen has no views.
  public func updates<W: SearchWidget>(
    of widget: W, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<W.View> {
    connection.updates(of: widget, at: position, buffering: buffering)
  }

  /// Whether a widget is active; see ``ScreenResults/isActive(_:)``.
  public func isActive(_ widget: some SearchWidget) -> Bool {
    connection.screen.isActive(widget, at: position)
  }

  /// The merged results; `nil` before the first.
  public var results: IndexResults? { connection.screen.nodes[position].results }

  /// Performs an action of a widget of this index, which is searched once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - isEverywhere: Whether the action is performed in all indices in which its widget is active.
  ///     Defaults to `false`: in this index only.
  /// - Throws: `invalidRequest` if the action is not possible, if the screen does not have the
  ///   widget or it is inactive, if the searcher was released, or inside another change of the same
  ///   search. Nothing is changed then.
  public func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, inAllScreens isEverywhere: Bool = false
  ) throws(SearchError) {
    let position = position
    try connection.searcher().perform { screen throws(SearchError) in
      if isEverywhere { return try screen.performEverywhere(action) }
      return try screen.perform(action, at: position)
    }
  }

  /// The state of the user interface of all indices, for example to write it to a URL.
  public var uiState: UIState { connection.uiState(of: connection.screen) }

  /// Returns the states of the user interface: the current one first, then one for each change. For
  /// an address bar, each is written with ``query``.
  ///
  /// Each call creates a new subscription, which does not retain the live screen.
  public func uiStates(buffering: StreamBuffering = .newest(1)) -> AsyncStream<UIState> {
    connection.uiStates.stream(buffering: buffering)
  }

  /// Sets what the widgets of all indices show, for example from a URL. What is absent is cleared.
  ///
  /// - Parameters:
  ///   - uiState: The state.
  ///   - searchesOnChange: Whether a change is searched. Otherwise it takes effect with the next
  ///     search, as before the first one. Defaults to `true`.
  /// - Throws: As ``perform(_:inAllScreens:)`` does.
  public func setUIState(
    _ uiState: UIState, searchesOnChange: Bool = true
  ) throws(SearchError) {
    let nodes = connection.definition.nodes
    try connection.searcher().change(searches: searchesOnChange, isClick: true) { screen in
      for position in nodes.indices { screen.read(uiState[nodes[position].indexID], at: position) }
      return .none
    }
  }
}

extension LiveScreen: Observable {}

/// The connection of a screen to a searcher, which ends with the last of its live screens.
final class LiveConnection: Sendable, Observable {
  /// The screen as it was connected.
  let definition: SearchScreen
  let uiStates: StreamHub<UIState>
  private let registrar = ObservationRegistrar()
  private let host: SearcherScreen
  private let link = Lock(Link<HitsSearcher, [UInt64]>())
  /// What observers track. It changes when a view does.
  private var change: Int { 0 }

  init(_ screen: SearchScreen, to searcher: HitsSearcher) throws(SearchError) {
    definition = screen
    host = searcher.screen
    uiStates = StreamHub(initial: UIState(), replaysCurrent: true, areEqual: ==)
    let ids = try searcher.connectWidgets(of: screen)
    let outcome = link.withLock { $0.connect(to: searcher, content: { ids }, undo: { _ in }) }
    outcome.effect()
    host.follow(ids) { [weak self] screen in self?.staging(of: screen) ?? { {} } }
    host.refresh()
    uiStates.send(uiState(of: host.current))
  }

  deinit {
    host.remove(link.withLock { $0.content } ?? [])
    uiStates.finish()
  }

  /// The screen, with everything that has happened.
  var screen: SearchScreen {
    registrar.access(self, keyPath: \.change)
    return host.current
  }

  func searcher() throws(SearchError) -> HitsSearcher {
    guard let searcher = link.withLock({ $0.source }) else {
      throw SearchError(.invalidRequest, "The searcher of the screen was released.")
    }
    return searcher
  }

  func uiState(of screen: SearchScreen) -> UIState {
    var uiState = UIState()
    for (definition, node) in zip(definition.nodes, screen.nodes) {
      uiState[definition.indexID] = node.uiState
    }
    return uiState
  }

  func updates<W: SearchWidget>(
    of widget: W, at position: Int, buffering: StreamBuffering
  ) -> AsyncStream<W.View> {
    guard let output = host.current.output(of: widget, at: position) else {
      return AsyncStream { nil }
    }
    let previous = PreviousView<W.View>()
    return output.views.stream(buffering: buffering) { newest in
      previous.isChanged(to: newest.view) ? newest.view : nil
    }
  }

  /// The screen changes; see ``SearcherScreen/Follower``.
  private func staging(of screen: SearchScreen) -> @Sendable () -> @Sendable () -> Void {
    let uiState = uiState(of: screen)
    return { [weak self] in
      guard let self else { return {} }
      let delivery = uiStates.stage(uiState)
      return {
        delivery.perform()
        self.registrar.withMutation(of: self, keyPath: \.change) {}
      }
    }
  }
}
