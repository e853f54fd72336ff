/// The hits of a searcher as one list of rows, whose pages are loaded when rows of them are
/// presented.
///
/// ```swift
/// let hits = HitsInteractor<Hit<Film>>()
/// hits.connectSearcher(searcher)
/// for await state in hits.states { draw(state.rows) }
/// ```
///
/// `Record` is `Hit<T>`, `T` or `JSON`. All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - A new request leaves the rows readable until its answer comes; meanwhile the states say
///   `isLoading`, and no pages are loaded. When the search fails, the rows stay as they are.
/// - The answer of the newest search begins a new list. Pages of older searches never appear.
/// - When the searcher's awaited `search()` returns, the list shows its answer.
///   ``settledState()`` waits for whatever search is due or under way.
/// - Presented rows load at most four pages at once, the nearest first; more follow as these come.
///   A failed page stops that until rows are presented again.
/// - A page load uses the request of the list, not the searcher's: it supersedes no search, and the
///   searcher publishes nothing of it. A page that failed or was cancelled is loaded again when one
///   of its rows is presented again.
/// - Where the transport offers a `TransportResponse.snapshot`, as the embedded engine does, all
///   pages of a list are made from the same data, whatever is written meanwhile; the next search
///   sees the writes. The list and its searcher keep the snapshot until then.
/// - The number of rows is what the server counts, as far as its pages can be reached; dropping
///   pages far away does not change it.
/// - Nothing needs to be shut down: when the last reference to the interactor goes, its page loads
///   are cancelled and its streams end.
public final class HitsInteractor<Record: Decodable & Sendable>: Sendable {
  let driver: HitsDriver<Record>

  /// Creates an interactor without rows, connected to nothing.
  ///
  /// - Parameters:
  ///   - infiniteScrolling: whether presented rows load the pages around them; by default those of
  ///     the 5 rows before and after.
  ///   - showItemsOnEmptyQuery: whether there are rows while the query has no text. `true` by
  ///     default. When `false`, every member of the interactor behaves as if there were none.
  ///   - pageCleanUpOffset: how many pages are kept before and after the page presented last; 3 by
  ///     default, `nil` keeps all.
  ///   - executor: runs the interactor's tasks; the global one by default.
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
  /// Shows the hits of a searcher from now on: of the answer it has, if that is of its newest
  /// search, and of each newer one. Connecting does not search. An answer that the searcher has
  /// already is shown as soon as it is decoded; ``settledState()`` waits for that.
  ///
  /// Connecting the same searcher again changes nothing and gives the same connection; connecting
  /// another one ends the connection before. When a connection ends the rows stay, and nothing is
  /// loaded any more. Neither object holds the other.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: HitsSearcher) -> Connection {
    driver.connect(searcher)
  }

  /// Shows the hits of anything that has hits and pages; as `connectSearcher(_:)`.
  package func connect(_ feed: some HitsFeed) -> Connection {
    driver.connect(feed)
  }

  /// Filters the searches of the connected searcher by a filter state from now on, and those of a
  /// searcher that is connected later; as ``HitsSearcher/connectFilterState(_:)`` does.
  ///
  /// Connecting the same state again changes nothing and gives the same connection; connecting
  /// another one ends the connection before. When a connection ends, the searcher is not filtered
  /// by the state any more, unless it is connected to the state by other means.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public func connectFilterState(_ filterState: FilterState) -> Connection {
    driver.connectFilterState(filterState)
  }
}

// MARK: - Streams

extension HitsInteractor {
  /// What is shown: the current state first, then one for each change.
  ///
  /// Each call makes a new subscription, which does not hold the interactor. By default a slow
  /// consumer finds only the newest state. No two in a row are the same.
  public func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsState<Record>> {
    driver.states.stream(buffering: buffering)
  }

  /// What is shown: the current state first, then the newest.
  public var states: AsyncStream<HitsState<Record>> { states() }

  /// What is shown now.
  public var state: HitsState<Record> { driver.displayedState }

  /// What is shown once no search is due or under way; the views that are connected show it, too.
  ///
  /// ```swift
  /// searcher.setQuery("godfather")
  /// let films = try await hits.settledState().rows
  /// ```
  ///
  /// Returns at once when nothing is waited for: also before the first search, with a state
  /// without rows, and after a newest search that was cancelled or refused, with the rows of the
  /// one before. It starts no search, and does not wait for further pages.
  ///
  /// - Throws: What made the newest search fail; `cancelled` when the calling task is cancelled, or
  ///   the searcher was released before its search ended.
  public func settledState() async throws(SearchError) -> HitsState<Record> {
    defer { withExtendedLifetime(self) {} }
    let state = try await driver.settledState().get()
    guard await driver.present() else { throw .cancelledBeforeViews }
    return state
  }

  /// Hits that did not decode, and pages that could not be loaded, from now on.
  ///
  /// The failures of a page are one error of code `decoding`. Failed searches are not here but
  /// among the searcher's own errors. Each call makes a new subscription, which keeps the newest 16
  /// errors until they are read.
  public func errors(buffering: StreamBuffering = .newest(16)) -> AsyncStream<SearchError> {
    driver.errors.stream(buffering: buffering)
  }

  /// Hits that did not decode, and pages that could not be loaded, from now on.
  public var errors: AsyncStream<SearchError> { errors() }
}

// MARK: - Pages by call

extension HitsInteractor {
  /// Loads the page after those that are loaded around the row presented last.
  ///
  /// A search that is due or under way is waited for: the page is one of the newest search. Calls
  /// for a page that is on its way already wait for that. When it returns, the views that are
  /// connected show the page. Works without infinite scrolling too.
  ///
  /// - Returns: `false` when there is no such page: the list ends here.
  /// - Throws: What made the newest search or the load fail; `invalidRequest` when nothing was
  ///   searched yet, or no searcher is connected; `superseded` when a newer search begins during
  ///   the load, or the newest one was cancelled or refused; `cancelled` when the calling task was
  ///   cancelled, or the searcher was disconnected during the load.
  @discardableResult
  public func loadNext() async throws(SearchError) -> Bool {
    defer { withExtendedLifetime(self) {} }
    return try await load(.next)
  }

  /// Loads the page before those that are loaded around the row presented last; as ``loadNext()``.
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
  public func numberOfHits() -> Int { driver.visible?.rowCount ?? 0 }

  /// The rows, with `nil` for each that is not loaded or does not fit `Record`.
  ///
  /// - Complexity: O(1), however many rows there are.
  public var hits: HitsRows<Record> { HitsRows(driver.visible) }

  /// The records that are loaded, in order, without the gaps.
  public var currentHits: [Record] { driver.visible?.loadedRecords ?? [] }

  /// The record of a row, which counts as presented; `nil` when it is not loaded, does not fit
  /// `Record`, or there is no such row.
  public func hit(atIndex row: Int) -> Record? {
    driver.present(row)
    return driver.visible?[row]
  }

  /// Tells that a row is presented, so that the pages around it are loaded.
  ///
  /// Does nothing for a row that does not exist, without infinite scrolling, and while a newer
  /// search is due or under way.
  public func notifyDidPresentRow(atIndex row: Int) {
    driver.present(row)
  }

  /// The record of a row as the JSON it came as, which counts as presented; `nil` when its page is
  /// not loaded. A record that does not fit `Record` is there as well.
  public func rawHit(atIndex row: Int) -> JSON? {
    driver.present(row)
    guard let (page, slot) = driver.visible?.place(of: row) else { return nil }
    return page.source?.rawHit(at: slot) ?? page.slots[slot] as? JSON
  }

  /// The members of a record as the JSON they came as; otherwise as ``rawHit(atIndex:)``.
  public func rawHitAtIndex(_ row: Int) -> [String: JSON]? {
    rawHit(atIndex: row)?.objectValue
  }

  /// The record of a row as a type that the caller knows it to be, which counts as presented.
  ///
  /// - Returns: `nil` when the row is not loaded or does not exist.
  /// - Throws: `decoding` when records are of another type. Nothing is converted.
  public func genericHit<Other>(
    atIndex row: Int, as type: Other.Type = Other.self
  ) throws(SearchError) -> Other? {
    guard let hit = hit(atIndex: row) else { return nil }
    return try cast(hit, row: row, to: type)
  }
}

/// A ``HitsInteractor`` of any record type, as one of several whose hits are shown together.
///
/// The library's interactors are the only ones: a ``HitsSection`` cannot be made otherwise.
public protocol AnyHitsInteractor: AnyObject, Sendable {
  /// What belongs to the section.
  var section: HitsSection { get }

  /// The number of rows, loaded or not.
  func numberOfHits() -> Int
  /// Tells that a row is presented, so that the pages around it are loaded.
  func notifyDidPresentRow(atIndex row: Int)
  /// The record of a row as the JSON it came as, which counts as presented; `nil` when its page is
  /// not loaded.
  func rawHit(atIndex row: Int) -> JSON?
  /// The record of a row as a type that the caller knows it to be; throws `decoding` when it is
  /// not.
  func genericHit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other?
  /// Loads the page after the loaded ones; `false` when there is none.
  func loadNext() async throws(SearchError) -> Bool
  /// Loads the page before the loaded ones; `false` when there is none.
  func loadPrevious() async throws(SearchError) -> Bool
  /// Hits that did not decode, and pages that could not be loaded, from now on.
  func errors(buffering: StreamBuffering) -> AsyncStream<SearchError>
}

extension HitsInteractor: AnyHitsInteractor {
  /// What belongs to the interactor when its hits are shown with others.
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
  /// The record of a row, or why there is none that the caller can have.
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other?
}

extension HitsState: AnyHitsState {
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other? {
    guard let record = rows[row] else { return nil }
    return try cast(record, row: row, to: type)
  }
}

/// The record of a row as a type that the caller knows it to be; nothing is converted.
func cast<Record, Other>(
  _ record: Record, row: Int, to type: Other.Type
) throws(SearchError) -> Other {
  guard let other = record as? Other else {
    throw SearchError(.decoding, "Row \(row) is \(Record.self), not \(Other.self).")
  }
  return other
}
