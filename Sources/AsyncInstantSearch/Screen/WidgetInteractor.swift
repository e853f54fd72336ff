/// A widget connected to a searcher: its view, and the actions that change the search.
///
/// Use it to connect widgets one by one; for a whole screen use ``LiveScreen``.
///
/// ```swift
/// let brand = WidgetInteractor(FacetList(attribute: "brand"))
/// brand.connectSearcher(searcher)
/// for await view in brand.views { draw(view.items) }
/// try brand.perform { $0.toggle("Apple") }  // elsewhere
/// ```
///
/// All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - Connecting a widget does not search. The next search covers the needs of all connected
///   widgets, in one request.
/// - A view shows the newest results and the current state of the search. A selected value is shown
///   as selected at once, before the results of the new search.
/// - A view is made when it is read. While there is a stream of views, or a connected controller,
///   each one is made when the search or its results change.
/// - A stale view is never published after a view of a newer search. An equal view is not published
///   again.
/// - An action changes the request of the searcher and the filters of the filter state that the
///   searcher follows, as one change, which is searched once.
/// - When the searcher's awaited `search()` returns, the view shows its response.
/// - After its connection has ended, the view stays as it was.
/// - No shutdown is needed: when the interactor is deallocated, it is disconnected and its streams
///   end.
public final class WidgetInteractor<W: SearchWidget>: Sendable {
  /// The widget.
  public let widget: W
  private let output: WidgetOutput<W.View>
  /// The searcher, and the number of the widget on its screen.
  private let link = Lock(Link<HitsSearcher, ScreenPlace> { $0.leave() })

  /// Creates an interactor without a connection.
  ///
  /// - Parameter widget: The widget.
  public init(_ widget: W) {
    self.widget = widget
    output = WidgetOutput(widget.initialView)
  }

  init(_ widget: W, _ output: WidgetOutput<W.View>) {
    self.widget = widget
    self.output = output
  }

  /// Creates an interactor of a widget on a live screen, which connects and removes the widget.
  convenience init(
    _ widget: W, _ output: WidgetOutput<W.View>, of searcher: HitsSearcher, at place: WidgetPlace
  ) {
    self.init(widget, output)
    let content = ScreenPlace(place, isBorrowed: true)
    _ = link.withLock { $0.connect(to: searcher, content: { content }, undo: { _ in }) }
  }

  deinit {
    link.withLock { $0.content }?.leave()
  }

  /// The newest view, which is made now unless a stream has it already. For each change, use
  /// ``views(buffering:)``. Inside the code of the view itself it is the last published view.
  public var view: W.View {
    if let place = output.place, let view = place.screen?.view(of: W.self, in: place.id) {
      return view
    }
    return output.view
  }

  /// Returns the views: the current one first, then one for each change.
  ///
  /// Each call creates a new subscription, which does not retain the interactor. By default a slow
  /// consumer receives only the newest view.
  public func views(buffering: StreamBuffering = .newest(1)) -> AsyncStream<W.View> {
    output.changes(buffering: buffering)
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
    if let searcher { try await searcher.settled() }
    for await isLoading in output.isLoading.stream() where !isLoading { return view }
    throw .waitEnded
  }

  /// Performs an action of the widget, which changes the search or the display.
  ///
  /// - Throws: The ``SearchWidget/problem`` of the widget if its options cannot work.
  ///   `invalidRequest` if the action is not possible, if no searcher is connected, or if
  ///   ``DynamicFacets`` deactivate the widget because the newest results do not list its facet.
  ///   Also inside `shouldSearch`, and inside the closure of an action or of another change of the
  ///   same search. Nothing is changed then.
  public func perform(_ action: WidgetAction<W>) throws(SearchError) {
    let (searcher, place) = link.withLock { ($0.source, $0.content?.place) }
    guard let searcher, let place else {
      throw SearchError(
        .invalidRequest, "The \(W.self) is not connected. Connect it to a searcher first.")
    }
    try searcher.perform { screen throws(SearchError) in
      try screen.perform(action, of: place.id)
    }
  }

  /// Performs the action that the closure returns; see ``perform(_:)``.
  ///
  /// - Parameter makeAction: Returns an action of the widget, its argument.
  public func perform(
    _ makeAction: (W) throws(SearchError) -> WidgetAction<W>
  ) throws(SearchError) {
    try perform(try makeAction(widget))
  }

  /// Connects the widget to a searcher in place of the previous one.
  ///
  /// Connecting does not search; the next search covers the needs of the widget. The view shows the
  /// current response of the searcher. Connecting the same searcher again has no effect and returns
  /// the same connection. Neither object retains the other. An interactor of a ``LiveScreen`` stays
  /// connected to the live screen's searcher.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: HitsSearcher) -> Connection {
    connect(searcher) { _ in }
  }

  /// Connects the widget to a searcher.
  ///
  /// - Parameter begin: Called before the widget is on the screen of another searcher than before.
  func connect(_ searcher: HitsSearcher, begin: (WidgetPlace) -> Void) -> Connection {
    if let connection = liveConnection { return connection }
    let outcome = link.withLock { link in
      link.connect(to: searcher) {
        let place = searcher.screen.reservePlace()
        output.connect(place)
        return ScreenPlace(place)
      } undo: { [weak self] connection in
        self?.disconnect(connection)
      }
    }
    outcome.effect()
    if outcome.isNew {
      begin(outcome.content.place)
      searcher.connect(
        WidgetSlot(widget, output: output, at: outcome.content.place), outcome.connection)
    }
    return outcome.connection
  }

  /// The searcher; `nil` without a connection.
  var searcher: HitsSearcher? { link.withLock { $0.source } }

  /// The connection of the live screen that the widget belongs to, if any.
  private var liveConnection: Connection? {
    link.withLock { $0.content?.isBorrowed == true ? $0.connection : nil }
  }

  /// Ends a connection. The widget keeps its view and waits for nothing.
  private func disconnect(_ connection: Connection) {
    link.withLock { $0.disconnect(connection) }?()
  }

  /// Shows the views in a controller.
  @MainActor
  func connect<Controller: AnyObject>(
    _ controller: Controller, setSource: @MainActor (Controller) -> Void,
    clearSource: @escaping @MainActor (Controller) -> Void,
    show: @escaping @MainActor (Controller, W.View) -> Void
  ) -> Connection {
    output.controllers.connect(
      controller, revisions: output.stream(), setSource: setSource, clearSource: clearSource
    ) { controller, newest, shown, _ in
      if shown?.view != newest.view { show(controller, newest.view) }
    }
  }
}

/// The place of a widget that an object has connected.
struct ScreenPlace: Sendable {
  let place: WidgetPlace
  /// Whether a live screen removes the widget.
  let isBorrowed: Bool

  init(_ place: WidgetPlace, isBorrowed: Bool = false) {
    self.place = place
    self.isBorrowed = isBorrowed
  }

  /// Removes the widget from the screen. No lock may be held.
  func leave() {
    if !isBorrowed { place.screen?.remove(place.id) }
  }
}
