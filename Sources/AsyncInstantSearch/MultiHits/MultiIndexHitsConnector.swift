/// A searcher of several indices, the sections of their hits and what belongs to them, connected
/// with each other.
///
/// ```swift
/// let connector = MultiIndexHitsConnector(
///   client: client,
///   indexModules: [
///     IndexModule(indexName: "actors", hitsInteractor: actors),
///     IndexModule(indexName: "movies", hitsInteractor: movies, filterState: movieFilters),
///   ],
///   controller: table)
/// connector.searcher.setQuery("tom")
/// ```
///
/// A connector is connected when it is made. It holds its parts, but not the controllers; the
/// connections stay when it is dropped.
@MainActor
public final class MultiIndexHitsConnector: Connector<
  MultiIndexSearcher, MultiIndexHitsInteractor
>
{
  /// Filter the searches, index by index; `nil` for an index without one.
  public let filterStates: [FilterState?]

  /// Connects a searcher and an interactor.
  ///
  /// - Parameters:
  ///   - searcher: searches; nothing is searched by connecting.
  ///   - interactor: makes sections of the hits, in the order of the searcher's indices.
  ///   - filterStates: filter the searches, in the order of the indices; none by default. One
  ///     without an index is left out.
  public init(
    searcher: MultiIndexSearcher,
    interactor: MultiIndexHitsInteractor,
    filterStates: [FilterState?] = []
  ) {
    self.filterStates = filterStates
    super.init(searcher, interactor)
    add { interactor.connectSearcher(searcher) }
    for (position, filterState) in filterStates.enumerated() {
      guard let filterState else { continue }
      add { searcher.connectFilterState(filterState, withQueryAtIndex: position) }
    }
  }

  /// Connects a searcher, an interactor and a view.
  public convenience init<Controller: MultiIndexHitsController>(
    searcher: MultiIndexSearcher,
    interactor: MultiIndexHitsInteractor,
    filterStates: [FilterState?] = [],
    controller: Controller
  ) {
    self.init(searcher: searcher, interactor: interactor, filterStates: filterStates)
    connectController(controller)
  }

  /// Makes a searcher and an interactor for some indices, and connects them.
  ///
  /// - Parameters:
  ///   - client: answers the searches.
  ///   - indexModules: the indices, in the order of the sections.
  public convenience init(client: SearchClient, indexModules: [IndexModule]) {
    self.init(
      searcher: MultiIndexSearcher(client: client, indexNames: indexModules.map(\.indexName)),
      interactor: MultiIndexHitsInteractor(hitsInteractors: indexModules.map(\.hitsInteractor)),
      filterStates: indexModules.map(\.filterState))
  }

  /// Makes a searcher and an interactor for some indices, and connects them with each other and a
  /// view.
  public convenience init<Controller: MultiIndexHitsController>(
    client: SearchClient, indexModules: [IndexModule], controller: Controller
  ) {
    self.init(client: client, indexModules: indexModules)
    connectController(controller)
  }

  /// Shows the sections in one more view; it takes part in ``connect()`` and ``disconnect()``.
  @discardableResult
  public func connectController<Controller: MultiIndexHitsController>(
    _ controller: Controller
  ) -> Connection {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}
