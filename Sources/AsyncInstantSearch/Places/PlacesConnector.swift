/// A searcher for places and the list of what it finds, connected with each other.
///
/// ```swift
/// let connector = PlacesConnector(searcher: PlacesSearcher(client: client), controller: table)
/// connector.searcher.setQuery("pari")
/// ```
///
/// It is to a ``PlacesSearcher`` what a ``HitsConnector`` is to a ``HitsSearcher``.
@MainActor
public final class PlacesConnector: Connector<PlacesSearcher, HitsInteractor<Hit<Place>>> {
  /// Connects a searcher and an interactor.
  ///
  /// - Parameters:
  ///   - searcher: searches; nothing is searched by connecting.
  ///   - interactor: makes a list of the places; by default one with its default parameters.
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

  /// Shows the places in one more view; it takes part in ``connect()`` and ``disconnect()``.
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Hit<Place>> {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}
