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

  /// Shows the sections in one more view; `connect()` and `disconnect()` include it.
  @discardableResult
  public func connectController<Controller: MultiIndexHitsController>(
    _ controller: Controller
  ) -> Connection {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}

/// Gives rows of hits to a view, in sections.
@MainActor
public protocol MultiIndexHitsSource: AnyObject {
  /// The number of sections.
  func numberOfSections() -> Int

  /// The number of rows of a section, loaded or not; 0 when there is no such section.
  func numberOfHits(inSection section: Int) -> Int

  /// The record of a row, which counts as presented; `nil` when it is not there.
  ///
  /// - Throws: `decoding` when the section's records are of another type, `invalidRequest` when
  ///   there is no such section.
  func hit<Record>(
    atIndex row: Int, inSection section: Int, as type: Record.Type
  ) throws(SearchError) -> Record?
}

extension MultiIndexHitsSource {
  /// The record of a row, of the type that the caller expects.
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
  /// Shows the sections in a view from now on; as ``HitsInteractor/connectController(_:)``.
  ///
  /// The view is asked to reload once for each search. Connecting the same controller again changes
  /// nothing and gives the same connection. Neither object is held.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: MultiIndexHitsController>(
    _ controller: Controller
  ) -> Connection {
    driver.controllers.connect(
      controller, to: self, as: self, revisions: driver.revisions.stream())
  }
}
