/// The hits of a searcher as one list of rows, which loads the pages of presented rows.
///
/// On a screen of widgets use ``InfiniteHits`` or ``Pagination``.
///
/// ```swift
/// let hits = HitsInteractor<Hit<Film>>()
/// hits.connectSearcher(searcher)
/// for await state in hits.states { draw(state.hits) }
/// ```
///
/// `Record` is `Hit<T>`, `T` or `JSON`. All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - After the request has changed, the rows stay readable until the response arrives. Until then
///   `isLoading` is `true` in the states, and no pages are loaded. If the search fails, the rows
///   stay unchanged.
/// - The response of the newest search starts a new list. Pages of older searches never appear.
/// - When the searcher's awaited `search()` returns, the list shows its response.
///   ``settledState()`` waits for a pending search.
/// - Presented rows load at most four pages at once, the nearest first. More follow when these
///   arrive. A page that fails stops the loads until rows are presented again.
/// - A page load uses the list's request, not the searcher's. It supersedes no search, and the
///   searcher publishes nothing about it. A page that failed or was cancelled is loaded again when
///   one of its rows is presented again.
/// - If the transport provides a `TransportResponse.snapshot`, as the embedded engine does, all
///   pages of a list come from the same data, regardless of later writes. The next search includes
///   the writes. The list and its searcher keep the snapshot until then.
/// - The number of rows is the number of hits that the server counts, as far as its pages can be
///   reached. Dropping distant pages does not change it.
/// - No shutdown is needed: when the interactor is deallocated, its page loads are cancelled and
///   its streams end.
public final class HitsInteractor<Record: Decodable & Sendable>: Sendable {
  let driver: HitsDriver<Record>

  /// Creates an interactor without rows or a connection.
  ///
  /// - Parameters:
  ///   - infiniteScrolling: Whether presented rows load the pages around them. Defaults to the
  ///     pages of the 5 rows before and after.
  ///   - showItemsOnEmptyQuery: Whether there are rows while the query has no text. If `false`,
  ///     every member of the interactor behaves as if there were none. Defaults to `true`.
  ///   - pageCleanUpOffset: The number of pages that are kept before and after the last presented
  ///     page. `nil` keeps all. Defaults to 3.
  ///   - executor: The executor of the interactor's tasks. Defaults to the global one.
  public init(
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    pageCleanUpOffset: Int? = 3,
    executor: (any TaskExecutor)? = nil
  ) {
    driver = HitsDriver(
      machine: HitsStateMachine(
        infiniteScrolling: infiniteScrolling, showItemsOnEmptyQuery: showItemsOnEmptyQuery,
        pageCleanUpOffset: pageCleanUpOffset),
      executor: executor)
  }

  deinit {
    driver.close()
  }
}

// MARK: - The searcher

extension HitsInteractor {
  /// Shows the hits of a searcher: first its current response, if that belongs to its newest
  /// search, then each newer response.
  ///
  /// Connecting does not search. The current response is shown as soon as it is decoded, and
  /// ``settledState()`` waits for that.
  ///
  /// Connecting the same searcher again has no effect and returns the same connection. Connecting
  /// another one ends the previous connection. When a connection ends, the rows stay and no pages
  /// are loaded. Neither object retains the other.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: HitsSearcher) -> Connection {
    driver.connect(searcher)
  }

  /// Filters the searches of the connected searcher, and of searchers that are connected later, by
  /// a filter state. See ``HitsSearcher/connectFilterState(_:)``.
  ///
  /// Connecting the same state again has no effect and returns the same connection. Connecting
  /// another one ends the previous connection. When a connection ends, the state no longer filters
  /// the searcher, unless another connection between the two exists.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @discardableResult
  public func connectFilterState(_ filterState: FilterState) -> Connection {
    driver.connectFilterState(filterState)
  }
}

// MARK: - Streams

extension HitsInteractor {
  /// Returns the displayed states: the current one first, then one for each change.
  ///
  /// Each call creates a new subscription, which does not retain the interactor. By default a slow
  /// consumer receives only the newest state. No state is repeated.
  public func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsState<Record>> {
    driver.states.stream(buffering: buffering)
  }

  /// The displayed states: the current one first, then the newest.
  public var states: AsyncStream<HitsState<Record>> { states() }

  /// The displayed state.
  public var state: HitsState<Record> { driver.displayedState }

  /// Returns the displayed state once no search is pending and the connected views show it.
  ///
  /// ```swift
  /// searcher.setQuery("godfather")
  /// let films = try await hits.settledState().hits
  /// ```
  ///
  /// If no search is pending, it returns at once. Before the first search, the state has no rows.
  /// If the newest search was cancelled or rejected, the state has the rows of the previous one.
  /// The method starts no search, and does not wait for further pages.
  ///
  /// - Throws: The error of the newest search. `cancelled` if the calling task is cancelled, or if
  ///   the searcher was deallocated before its search ended.
  public func settledState() async throws(SearchError) -> HitsState<Record> {
    defer { withExtendedLifetime(self) {} }
    let state = try await driver.settledState().get()
    guard await driver.present() else { throw .cancelledBeforeViews }
    return state
  }

  /// Returns the errors of hits that could not be decoded, and of pages that could not be loaded.
  ///
  /// The decoding failures of a page are one error with code `decoding`. The searcher reports
  /// failed searches. Each call creates a new subscription to later errors, which keeps the newest
  /// 16 until they are read.
  public func errors(buffering: StreamBuffering = .newest(16)) -> AsyncStream<SearchError> {
    driver.errors.stream(buffering: buffering)
  }

  /// The errors of hits that could not be decoded, and of pages that could not be loaded.
  public var errors: AsyncStream<SearchError> { errors() }
}

// MARK: - Pages by call

extension HitsInteractor {
  /// Loads the page after the loaded pages around the last presented row.
  ///
  /// It waits for a pending search, so the page belongs to the newest search. If the page is being
  /// loaded already, it waits for that load. When it returns, the connected views show the page. It
  /// also works without infinite scrolling. A loaded page counts as presented, so distant pages are
  /// dropped unless `pageCleanUpOffset` is `nil`.
  ///
  /// - Returns: `false` if there is no such page, because the list ends here.
  /// - Throws: The error of the newest search or of the load. `invalidRequest` if the searcher has
  ///   not searched yet, or no searcher is connected. `superseded` if a newer search starts during
  ///   the load, or the newest one was cancelled or rejected. `cancelled` if the calling task is
  ///   cancelled, or the searcher is disconnected during the load.
  @discardableResult
  public func loadNext() async throws(SearchError) -> Bool {
    defer { withExtendedLifetime(self) {} }
    return try await load(.next)
  }

  /// Loads the page before the loaded pages around the last presented row; see ``loadNext()``.
  @discardableResult
  public func loadPrevious() async throws(SearchError) -> Bool {
    defer { withExtendedLifetime(self) {} }
    return try await load(.previous)
  }

  private func load(
    _ direction: HitsDriver<Record>.Machine.Direction
  ) async throws(SearchError) -> Bool {
    let isLoaded = try await driver.load(direction).get()
    guard await driver.present() else { throw .cancelledBeforeViews }
    return isLoaded
  }
}

extension HitsInteractor {
  /// The number of rows, loaded or not.
  public func numberOfHits() -> Int { driver.numberOfHits }

  /// The rows, with `nil` for each row that is not loaded or does not match `Record`.
  ///
  /// - Complexity: O(1).
  public var hits: HitsRows<Record> { HitsRows(driver.visible) }

  /// The loaded records, in order, without gaps.
  public var currentHits: [Record] { driver.visible?.loadedRecords ?? [] }

  /// Returns the record of a row, which counts as presented. `nil` if it is not loaded or does not
  /// match `Record`, or if the row does not exist.
  public func hit(atIndex row: Int) -> Record? {
    driver.present(row)
    return driver.visible?[row]
  }

  /// Reports that a row is presented, so that the pages around it are loaded.
  ///
  /// Does nothing if the row does not exist, infinite scrolling is off, or a search is pending.
  public func notifyDidPresentRow(atIndex row: Int) {
    driver.present(row)
  }

  /// Returns the original JSON of a row, which counts as presented. `nil` if its page is not
  /// loaded. Records that do not match `Record` are included.
  public func rawHit(atIndex row: Int) -> JSON? {
    driver.rawHit(atIndex: row)
  }

  /// Returns the members of a row's original JSON; see ``rawHit(atIndex:)``.
  public func rawHitAtIndex(_ row: Int) -> [String: JSON]? {
    rawHit(atIndex: row)?.objectValue
  }

  /// Returns the record of a row as the expected type, without conversion. The row counts as
  /// presented.
  ///
  /// - Returns: `nil` if the row is not loaded or does not exist.
  /// - Throws: `decoding` if the records have another type.
  public func genericHit<Other>(
    atIndex row: Int, as type: Other.Type = Other.self
  ) throws(SearchError) -> Other? {
    try driver.hit(atIndex: row, as: type)
  }
}

/// A ``HitsInteractor`` of any record type, as a section of a ``MultiIndexHitsInteractor``.
///
/// It makes one array of interactors with different types. To use one of them, get it with its type
/// from ``MultiIndexHitsInteractor/hitsInteractor(forSection:of:)``, or cast it. Only the library's
/// interactors conform to it, because only they can create a ``HitsSection``.
public protocol AnyHitsInteractor: AnyObject, Sendable {
  /// The interactor as a section.
  var section: HitsSection { get }
}

extension HitsInteractor: AnyHitsInteractor {
  /// The interactor as a section of a ``MultiIndexHitsInteractor``.
  public var section: HitsSection { HitsSection(driver) }
}

/// A ``HitsState`` of any record type.
protocol AnyHitsState: Sendable {
  var numberOfHits: Int { get }
  var nbHits: Int { get }
  var request: SearchRequest<JSON>? { get }
  var generation: UInt64 { get }
  var isLoading: Bool { get }
  var isLoadingPage: Bool { get }
  var failure: SearchError? { get }
  /// Returns the record of a row as the expected type. Throws `decoding` if it has another type.
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other?
}

extension HitsState: AnyHitsState {
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other? {
    guard let record = hits[row] else { return nil }
    return try cast(record, row: row, to: type)
  }
}

/// Returns the record of a row as the expected type, without conversion. Throws `decoding` if it
/// has another type.
func cast<Record, Other>(
  _ record: Record, row: Int, to type: Other.Type
) throws(SearchError) -> Other {
  guard let other = record as? Other else {
    throw SearchError(.decoding, "Row \(row) is \(Record.self), not \(Other.self).")
  }
  return other
}
