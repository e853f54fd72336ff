public import Observation

/// A view of a widget, or an object that updates a view. An interactor calls it after changes.
///
/// For SwiftUI use ``WidgetObservableController``.
///
/// ```swift
/// final class BrandTable: WidgetController {
///   weak var widgetSource: WidgetInteractor<FacetList>?
///
///   func update(_ view: FacetList.View) { reload(view.items) }
///   func didSelect(_ value: String) { try? widgetSource?.perform { $0.toggle(value) } }
/// }
/// ```
@MainActor
public protocol WidgetController<Widget>: AnyObject {
  /// The widget.
  associatedtype Widget: SearchWidget

  /// The interactor, which the connection sets. Declare it `weak`.
  var widgetSource: WidgetInteractor<Widget>? { get set }

  /// Shows a new view of the widget.
  func update(_ view: Widget.View)
}

extension WidgetInteractor {
  /// Shows the widget in a view.
  ///
  /// The controller's `widgetSource` becomes this interactor, which calls `update(_:)` once after
  /// connecting and after each change. Changes that arrive while the main actor is busy are
  /// combined. The searcher's awaited `search()` returns after this call for its response, so it
  /// waits for the main actor.
  ///
  /// Connecting the same controller again has no effect and returns the same connection. Once the
  /// connection is disconnected on the main actor, the controller is not called again, and its
  /// `widgetSource` is cleared soon after. Neither object is retained.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: WidgetController<W>>(
    _ controller: Controller
  ) -> Connection {
    connect(controller) { controller in
      controller.widgetSource = self
    } clearSource: { [weak self] controller in
      if let self, controller.widgetSource === self { controller.widgetSource = nil }
    } show: { controller, view in
      controller.update(view)
    }
  }
}

/// A widget as observable state, for SwiftUI and other observers.
///
/// A ``LiveScreen`` has a connected controller for each of its widgets.
///
/// ```swift
/// let brands = WidgetObservableController<FacetList>()
/// interactor.connectController(brands)
/// // in a view: brands.view?.items, brands.perform { $0.toggle("Apple") }
/// ```
@MainActor
@Observable
public final class WidgetObservableController<W: SearchWidget>: WidgetController {
  /// The newest view of the widget; `nil` until the controller is connected.
  public private(set) var view: W.View?

  /// The error of the newest action, if it was not possible.
  public private(set) var actionError: SearchError?

  /// The interactor, which the connection sets.
  @ObservationIgnored public weak var widgetSource: WidgetInteractor<W>?

  /// Creates a controller without a view or a connection.
  public init() {}

  /// Sets ``view``.
  public func update(_ view: W.View) {
    self.view = view
  }

  /// Performs the action that the closure returns. An action that is not possible sets
  /// ``actionError`` and changes nothing else.
  public func perform(_ makeAction: (W) throws(SearchError) -> WidgetAction<W>) {
    do throws(SearchError) {
      try widgetSource?.perform(makeAction)
      if actionError != nil { actionError = nil }
    } catch {
      actionError = error
    }
  }
}

/// Connects a searcher, a widget, a filter state and views.
///
/// ```swift
/// let connector = WidgetConnector(
///   searcher: searcher, filterState: filters, widget: FacetList(attribute: "brand"),
///   controller: table)
/// ```
///
/// A connector is connected when it is created. It retains its parts, but not the controllers. The
/// connections stay active if it is dropped, as long as something retains the interactor.
@MainActor
public final class WidgetConnector<W: SearchWidget>: Connector<HitsSearcher, WidgetInteractor<W>> {
  /// The filter state of the searches, if any.
  public let filterState: FilterState?

  /// Connects a searcher and a widget.
  ///
  /// - Parameters:
  ///   - searcher: The searcher. Connecting does not search.
  ///   - filterState: The filter state of the searches. Defaults to `nil`.
  ///   - widget: The widget.
  public init(searcher: HitsSearcher, filterState: FilterState? = nil, widget: W) {
    self.filterState = filterState
    let interactor = WidgetInteractor(widget)
    super.init(searcher, interactor)
    add { interactor.connectSearcher(searcher) }
    if let filterState { add { searcher.connectFilterState(filterState) } }
  }

  /// Connects a searcher, a widget and a view.
  public convenience init(
    searcher: HitsSearcher, filterState: FilterState? = nil, widget: W,
    controller: some WidgetController<W>
  ) {
    self.init(searcher: searcher, filterState: filterState, widget: widget)
    connectController(controller)
  }

  /// Connects another view. `connect()` and `disconnect()` include it.
  @discardableResult
  public func connectController<Controller: WidgetController<W>>(
    _ controller: Controller
  ) -> Connection {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}
