/// Connects a searcher of several indices, an interactor with their sections, filter states and
/// views.
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
/// A connector is connected when it is created. It retains its parts, but not the controllers. The
/// connections stay active if it is dropped.
@MainActor
public final class MultiIndexHitsConnector: Connector<
  MultiIndexSearcher, MultiIndexHitsInteractor
>
{
  /// The filter states of the searches, in the order of the indices. `nil` for an index without
  /// one.
  public let filterStates: [FilterState?]

  /// Connects a searcher and an interactor.
  ///
  /// - Parameters:
  ///   - searcher: The searcher. Connecting does not search.
  ///   - interactor: The interactor, with sections in the order of the searcher's indices.
  ///   - filterStates: The filter states of the searches, in the order of the indices. States
  ///     beyond the last index are ignored. Defaults to none.
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

  /// Creates a searcher and an interactor for several indices, and connects them.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches.
  ///   - indexModules: The indices, in the order of the sections.
  public convenience init(client: SearchClient, indexModules: [IndexModule]) {
    self.init(
      searcher: MultiIndexSearcher(client: client, indexNames: indexModules.map(\.indexName)),
      interactor: MultiIndexHitsInteractor(hitsInteractors: indexModules.map(\.hitsInteractor)),
      filterStates: indexModules.map(\.filterState))
  }

  /// Creates a searcher and an interactor for several indices, and connects them and a view.
  public convenience init<Controller: MultiIndexHitsController>(
    client: SearchClient, indexModules: [IndexModule], controller: Controller
  ) {
    self.init(client: client, indexModules: indexModules)
    connectController(controller)
  }

  /// Connects another view. `connect()` and `disconnect()` include it.
  @discardableResult
  public func connectController<Controller: MultiIndexHitsController>(
    _ controller: Controller
  ) -> Connection {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}

/// A source of rows of hits for a view, in sections.
@MainActor
public protocol MultiIndexHitsSource: AnyObject {
  /// Returns the number of sections.
  func numberOfSections() -> Int

  /// Returns the number of rows of a section, loaded or not. 0 if the section does not exist.
  func numberOfHits(inSection section: Int) -> Int

  /// Returns the record of a row, which counts as presented. `nil` if the row is not loaded.
  ///
  /// - Throws: `decoding` if the section's records have another type. `invalidRequest` if the
  ///   section does not exist.
  func hit<Record>(
    atIndex row: Int, inSection section: Int, as type: Record.Type
  ) throws(SearchError) -> Record?
}

extension MultiIndexHitsSource {
  /// Returns the record of a row as the type that the caller expects.
  public func hit<Record>(
    atIndex row: Int, inSection section: Int
  ) throws(SearchError) -> Record? {
    try hit(atIndex: row, inSection: section, as: Record.self)
  }
}

extension MultiIndexHitsInteractor: MultiIndexHitsSource {}

/// A view of the hits of several indices, in sections.
///
/// ```swift
/// final class Table: MultiIndexHitsController {
///   weak var hitsSource: (any MultiIndexHitsSource)?
///   func reload() { … }
/// }
/// ```
@MainActor
public protocol MultiIndexHitsController: HitsPresenting
where DataSource == any MultiIndexHitsSource {}

extension MultiIndexHitsInteractor {
  /// Shows the sections in a view; see ``HitsInteractor/connectController(_:)``.
  ///
  /// `reload()` is called once for each search. Connecting the same controller again has no effect
  /// and returns the same connection. Neither object is retained.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: MultiIndexHitsController>(
    _ controller: Controller
  ) -> Connection {
    driver.controllers.connect(
      controller, to: self, as: self, revisions: driver.revisions.stream())
  }
}
