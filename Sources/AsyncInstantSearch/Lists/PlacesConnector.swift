extension HitsInteractor {
  /// Shows the places of a searcher: first its current response, if there is one, then each newer
  /// response. Connecting does not search.
  ///
  /// A response is one page, so no more pages are loaded. Otherwise the connection behaves like one
  /// to a ``HitsSearcher``.
  @discardableResult
  public func connectSearcher(_ searcher: PlacesSearcher) -> Connection {
    driver.connect(searcher)
  }
}

/// A searcher for places and the list that shows its places, connected with each other.
///
/// ```swift
/// let connector = PlacesConnector(searcher: PlacesSearcher(client: client), controller: table)
/// connector.searcher.setQuery("pari")
/// ```
///
/// The counterpart of ``HitsConnector`` for a ``PlacesSearcher``.
@MainActor
public final class PlacesConnector: Connector<PlacesSearcher, HitsInteractor<Hit<Place>>> {
  /// Connects a searcher and an interactor.
  ///
  /// - Parameters:
  ///   - searcher: The searcher. Connecting does not search.
  ///   - interactor: The interactor that shows the places as a list. Defaults to a new one.
  public init(
    searcher: PlacesSearcher, interactor: HitsInteractor<Hit<Place>> = HitsInteractor()
  ) {
    super.init(searcher, interactor)
    add { interactor.connectSearcher(searcher) }
  }

  /// Connects a searcher, an interactor and a view.
  public convenience init<Controller: HitsController>(
    searcher: PlacesSearcher,
    interactor: HitsInteractor<Hit<Place>> = HitsInteractor(),
    controller: Controller
  ) where Controller.DataSource == HitsInteractor<Hit<Place>> {
    self.init(searcher: searcher, interactor: interactor)
    connectController(controller)
  }

  /// Shows the places in one more view, which `connect()` and `disconnect()` include.
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Hit<Place>> {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}
