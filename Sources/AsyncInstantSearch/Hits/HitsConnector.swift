/// A searcher, the list of its hits and their connections: what all connectors have in common.
///
/// A connector is connected when it is created. It holds the searcher and the interactor, but not
/// the controllers. The connections stay when it is dropped.
@MainActor
public class Connector<Searcher: Sendable, Interactor: Sendable> {
  /// Searches.
  public let searcher: Searcher
  /// Makes a list of the hits.
  public let interactor: Interactor

  private var makers: [@MainActor () -> Connection?] = []
  private var connections: [Connection] = []

  init(_ searcher: Searcher, _ interactor: Interactor) {
    self.searcher = searcher
    self.interactor = interactor
  }

  /// Connects everything that is not connected; nothing is connected twice.
  public func connect() {
    connections = makers.compactMap { $0() }
  }

  /// Disconnects everything. A second call has no effect.
  public func disconnect() {
    for connection in connections { connection.disconnect() }
    connections = []
  }

  /// Connects, and remembers how.
  func add(_ make: @escaping @MainActor () -> Connection?) {
    if let connection = make() { add(connection, madeBy: make) }
  }

  /// Connects a controller, which is not held, and remembers how.
  func add<Controller: AnyObject>(
    _ controller: Controller, _ connect: @escaping @MainActor (Controller) -> Connection
  ) -> Connection {
    let connection = connect(controller)
    add(connection, madeBy: { [weak controller] in controller.map(connect) })
    return connection
  }

  private func add(
    _ connection: Connection, madeBy make: @escaping @MainActor () -> Connection?
  ) {
    if connections.contains(where: { $0 === connection }) { return }
    connections.append(connection)
    makers.append(make)
  }
}

/// A searcher, the list of its hits and what belongs to them, connected with each other.
///
/// ```swift
/// let connector = HitsConnector<Film>(
///   client: client, indexName: "films", filterState: filters, controller: table)
/// connector.searcher.submit()
/// ```
///
/// A connector is connected when it is made. It holds its parts, but not the controllers; the
/// connections stay when it is dropped.
@MainActor
public final class HitsConnector<Record: Decodable & Sendable>: Connector<
  HitsSearcher, HitsInteractor<Record>
>
{
  /// Filters the searches, if there is one.
  public let filterState: FilterState?

  /// Connects a searcher and an interactor.
  ///
  /// - Parameters:
  ///   - searcher: searches; nothing is searched by connecting.
  ///   - interactor: makes a list of the hits; by default one with its default parameters.
  ///   - filterState: filters the searches; `nil` by default.
  public init(
    searcher: HitsSearcher,
    interactor: HitsInteractor<Record> = HitsInteractor(),
    filterState: FilterState? = nil
  ) {
    self.filterState = filterState
    super.init(searcher, interactor)
    add { interactor.connectSearcher(searcher) }
    if let filterState { add { searcher.connectFilterState(filterState) } }
  }

  /// Connects a searcher, an interactor and a view.
  public convenience init<Controller: HitsController>(
    searcher: HitsSearcher,
    interactor: HitsInteractor<Record> = HitsInteractor(),
    filterState: FilterState? = nil,
    controller: Controller
  ) where Controller.DataSource == HitsInteractor<Record> {
    self.init(searcher: searcher, interactor: interactor, filterState: filterState)
    connectController(controller)
  }

  /// Makes a searcher and an interactor, and connects them.
  ///
  /// - Parameters:
  ///   - client: answers the searches.
  ///   - indexName: the index that is searched.
  ///   - infiniteScrolling: whether presented rows load the pages around them; by default those of
  ///     the 5 rows before and after.
  ///   - showItemsOnEmptyQuery: whether there are rows while the query has no text; `true` by
  ///     default.
  ///   - filterState: filters the searches; `nil` by default.
  public convenience init(
    client: SearchClient,
    indexName: String,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil
  ) {
    self.init(
      searcher: HitsSearcher(client: client, indexName: indexName),
      interactor: HitsInteractor(
        infiniteScrolling: infiniteScrolling, showItemsOnEmptyQuery: showItemsOnEmptyQuery),
      filterState: filterState)
  }

  /// Makes a searcher and an interactor, and connects them with each other and a view.
  public convenience init<Controller: HitsController>(
    client: SearchClient,
    indexName: String,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil,
    controller: Controller
  ) where Controller.DataSource == HitsInteractor<Record> {
    self.init(
      client: client, indexName: indexName, infiniteScrolling: infiniteScrolling,
      showItemsOnEmptyQuery: showItemsOnEmptyQuery, filterState: filterState)
    connectController(controller)
  }

  /// Shows the hits in one more view; `connect()` and `disconnect()` include it.
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Record> {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}
