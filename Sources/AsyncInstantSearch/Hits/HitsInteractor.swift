/// The hits of a searcher as one list of rows, whose pages are loaded when rows of them are
/// presented.
///
/// ```swift
/// let hits = HitsInteractor<Hit<Film>>()
/// hits.connectSearcher(searcher)
/// for await snapshot in hits.snapshots { draw(snapshot.rows) }
/// ```
///
/// `Record` is `Hit<T>`, `T` or `JSON`. All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - A new request leaves the rows readable until its answer comes; meanwhile the snapshots say
///   `isLoading`, and no pages are loaded. When the search fails, the rows stay as they are.
/// - The answer of the newest search begins a new list. Pages of older searches never appear.
/// - When the searcher's awaited `search()` returns, the list shows its answer.
///   ``settledSnapshot()`` waits for whatever search is due or under way.
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
  let storage: HitsStorage<Record>

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
    storage = HitsStorage(
      machine: HitsMachine(
        infiniteScrolling: infiniteScrolling, showItemsOnEmptyQuery: showItemsOnEmptyQuery,
        pageCleanUpOffset: pageCleanUpOffset),
      executor: executor)
  }

  deinit {
    storage.close()
  }
}

// MARK: - The searcher

extension HitsInteractor {
  /// Shows the hits of a searcher from now on: of the answer it has, if that is of its newest
  /// search, and of each newer one. Connecting does not search. An answer that the searcher has
  /// already is shown as soon as it is decoded; ``settledSnapshot()`` waits for that.
  ///
  /// Connecting the same searcher again changes nothing and gives the same connection; connecting
  /// another one ends the connection before. When a connection ends the rows stay, and nothing is
  /// loaded any more. Neither object holds the other.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: HitsSearcher) -> Connection {
    storage.connect(searcher)
  }

  /// Shows the hits of anything that has hits and pages; as `connectSearcher(_:)`.
  package func connect(_ feed: some HitsFeed) -> Connection {
    storage.connect(feed)
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
    storage.connectFilterState(filterState)
  }
}

// MARK: - Streams

extension HitsInteractor {
  /// What is shown: the current snapshot first, then one for each change.
  ///
  /// Each call makes a new subscription, which does not hold the interactor. By default a slow
  /// consumer finds only the newest snapshot. No two in a row are the same.
  public func snapshots(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsSnapshot<Record>> {
    storage.snapshots.stream(buffering: buffering)
  }

  /// What is shown: the current snapshot first, then the newest.
  public var snapshots: AsyncStream<HitsSnapshot<Record>> { snapshots() }

  /// What is shown now.
  public var snapshot: HitsSnapshot<Record> { storage.snapshot }

  /// What is shown once no search is due or under way; the views that are connected show it, too.
  ///
  /// ```swift
  /// searcher.setQuery("godfather")
  /// let films = try await hits.settledSnapshot().rows
  /// ```
  ///
  /// Returns at once when nothing is waited for: also before the first search, with a snapshot
  /// without rows, and after a newest search that was cancelled or refused, with the rows of the
  /// one before. It starts no search, and does not wait for further pages.
  ///
  /// - Throws: What made the newest search fail; `cancelled` when the calling task is cancelled, or
  ///   the searcher was released before its search ended.
  public func settledSnapshot() async throws(SearchError) -> HitsSnapshot<Record> {
    defer { withExtendedLifetime(self) {} }
    let snapshot = try await storage.settledSnapshot().get()
    guard await storage.present() else { throw .cancelledBeforeViews }
    return snapshot
  }

  /// Hits that did not decode, and pages that could not be loaded, from now on.
  ///
  /// The failures of a page are one error of code `decoding`. Failed searches are not here but
  /// among the searcher's own errors. Each call makes a new subscription, which keeps the newest 16
  /// errors until they are read.
  public func errors(buffering: StreamBuffering = .newest(16)) -> AsyncStream<SearchError> {
    storage.errors.stream(buffering: buffering)
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
    _ direction: HitsStorage<Record>.Machine.Direction
  ) async throws(SearchError) -> Bool {
    let isLoaded = try await storage.load(direction).get()
    guard await storage.present() else { throw .cancelledBeforeViews }
    return isLoaded
  }
}
