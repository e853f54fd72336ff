/// A searcher, an interactor that makes a list of its hits, and their connections.
///
/// A connector is connected when it is created. It retains the searcher and the interactor, but not
/// the controllers. The connections stay active if it is dropped.
@MainActor
public class Connector<Searcher: Sendable, Interactor: Sendable> {
  /// The searcher.
  public let searcher: Searcher
  /// The interactor, which makes a list of the hits.
  public let interactor: Interactor

  private var makers: [@MainActor () -> Connection?] = []
  private var connections: [Connection] = []

  init(_ searcher: Searcher, _ interactor: Interactor) {
    self.searcher = searcher
    self.interactor = interactor
  }

  /// Connects everything that is not connected.
  public func connect() {
    connections = makers.compactMap { $0() }
  }

  /// Disconnects everything. A second call has no effect.
  public func disconnect() {
    for connection in connections { connection.disconnect() }
    connections = []
  }

  /// Connects, and stores how to do it again.
  func add(_ make: @escaping @MainActor () -> Connection?) {
    if let connection = make() { add(connection, madeBy: make) }
  }

  /// Connects a controller, and stores how to do it again without retaining the controller.
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

/// Connects a searcher, an interactor, a filter state and views.
///
/// For several indices use ``MultiIndexHitsConnector``.
///
/// ```swift
/// let connector = HitsConnector<Film>(
///   client: client, indexName: "films", filterState: filters, controller: table)
/// connector.searcher.submit()
/// ```
///
/// A connector is connected when it is created. It retains its parts, but not the controllers. The
/// connections stay active if it is dropped.
@MainActor
public final class HitsConnector<Record: Decodable & Sendable>: Connector<
  HitsSearcher, HitsInteractor<Record>
>
{
  /// The filter state of the searches, if any.
  public let filterState: FilterState?

  /// Connects a searcher and an interactor.
  ///
  /// - Parameters:
  ///   - searcher: The searcher. Connecting does not search.
  ///   - interactor: The interactor. Defaults to one with its default parameters.
  ///   - filterState: The filter state of the searches. Defaults to `nil`.
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

  /// Creates a searcher and an interactor, and connects them.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches.
  ///   - indexName: The name of the index.
  ///   - infiniteScrolling: Whether presented rows load the pages around them. Defaults to the
  ///     pages of the 5 rows before and after.
  ///   - showItemsOnEmptyQuery: Whether there are rows while the query has no text. Defaults to
  ///     `true`.
  ///   - filterState: The filter state of the searches. Defaults to `nil`.
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

  /// Creates a searcher and an interactor, and connects them and a view.
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

  /// Connects another view. `connect()` and `disconnect()` include it.
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Record> {
    add(controller) { [interactor] in interactor.connectController($0) }
  }
}
