// A program imports this product and finds the client and the types of the search API.
@_exported public import InstantSearchClient

/// A live search of one index: each change of its request is searched, and the page is published.
///
/// For several indices use ``MultiIndexSearcher``, and for one awaited response a client.
///
/// ```swift
/// let searcher = HitsSearcher(
///   client: client, indexName: "films", debounce: .milliseconds(150))
/// searcher.pages(of: Hit<Film>.self).subscribe { page in await screen.draw(page) }
/// searcher.setQuery("godf")
/// ```
///
/// See ``Searcher`` for the behavior of every searcher.
public actor HitsSearcher: CoreSearcher {
  /// The type of a request.
  public typealias Request = SearchRequest<JSON>
  /// The type of the response to a request.
  public typealias Response = SearchAnswer

  nonisolated let core: SearcherCore<SearchRequest<JSON>, SearchAnswer>
  nonisolated let planner: SearchPlanner
  nonisolated let client: SearchClient
  nonisolated let options: Options
  nonisolated let filters = FilterStateSubscription()
  package nonisolated let pageLoader: PageLoader

  /// Creates a searcher. It does nothing until its request changes or you call `search()` or
  /// `submit()`.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches.
  ///   - indexName: The initial index.
  ///   - query: The initial query. Defaults to an empty one.
  ///   - debounce: How long the text must stay unchanged before it is searched. Defaults to zero.
  ///     Other changes, `submit()` and `search()` do not wait for it.
  ///   - options: The clock and the executor, and how calls are sent.
  ///   - isDisjunctiveFacetingEnabled: Whether the counts of facets that are filtered by OR ignore
  ///     the filters of that facet, and whether hierarchies include the siblings of the selected
  ///     path. This takes one more query for each such facet, all in one request. Defaults to
  ///     `true`.
  ///   - keepSelectedEmptyFacets: Whether selected values of facets filtered by OR are included
  ///     with count 0 when no record has them. Defaults to `true`.
  ///   - shouldSearch: Returns whether a request may be searched, for example only one with text. A
  ///     rejected request is not searched, and a caller that awaits it receives `cancelled`. The
  ///     closure cannot change any searcher or filter state.
  public init(
    client: SearchClient,
    indexName: String,
    query: SearchQuery = SearchQuery(),
    debounce: Duration = .zero,
    options: Options = Options(),
    isDisjunctiveFacetingEnabled: Bool = true,
    keepSelectedEmptyFacets: Bool = true,
    shouldSearch: @escaping @Sendable (SearchRequest<JSON>) -> Bool = { _ in true }
  ) {
    let needs = SearchNeeds(
      isDisjunctive: isDisjunctiveFacetingEnabled, keepsSelected: keepSelectedEmptyFacets)
    let client = client.running(on: options.executor)
    self.client = client
    let planner = SearchPlanner(indexName: indexName, needs: needs, debounce: debounce)
    self.planner = planner
    self.options = options
    pageLoader = PageLoader(client: client, options: options.requestOptions)
    core = SearcherCore(
      request: SearchRequest(indexName, query, of: JSON.self),
      debounce: debounce,
      options: options,
      owner: ChangeOwner(of: "the request", in: "searcher"),
      text: { [$0.text] },
      shouldSearch: shouldSearch,
      execute: { request, context in
        let plan = planner.plan(for: request)
        if let problem = plan.needs.problem { return .failure(problem) }
        let initial = planner.initial.take(for: plan, options: client.decoding.options)
        if let answer = try? initial?.answer(to: plan, at: 0, in: context) {
          return .success(answer)
        }
        do throws(SearchError) {
          return .success(
            try await client.answer(
              to: plan, options: options.requestOptions, generation: context.generation,
              report: context.report))
        } catch {
          return .failure(error)
        }
      })
  }

  deinit {
    filters.end()
    core.close()
    planner.close()
  }
}

// MARK: - The request

extension HitsSearcher {
  /// Sets the text of the query and goes back to the first page; `nil` means no text.
  public nonisolated func setQuery(_ text: String?) {
    update { $0.text = text }
  }

  /// Sets the index and goes back to the first page.
  public nonisolated func setIndexName(_ indexName: String) {
    update { $0.indexName = indexName }
  }

  /// Sets the filter expression and goes back to the first page; `nil` means no filter.
  public nonisolated func setFilters(_ filters: String?) {
    update { $0.query.filters = filters }
  }

  /// Changes anything in the request, as one change.
  ///
  /// A change of anything but the page or the offset also goes back to the first page, unless the
  /// change sets the page itself. `change` runs again when the request is set at the same time; it
  /// must only change its argument. A change that cannot be made is reported on
  /// ``Searcher/errors``; see ``Searcher``.
  public nonisolated func update(_ change: (inout SearchRequest<JSON>) -> Void) {
    core.update { $0.changed(by: change) }
  }
}

// MARK: - Changing and searching in one step

extension HitsSearcher {
  /// Sets the text of the query, goes back to the first page, and searches, in one step and with
  /// one request; `nil` means no text.
  ///
  /// Use it where a program waits for the response. `setQuery(_:)` is for text as it is typed.
  ///
  /// Nothing is changed if the calling task is already cancelled. The streams wait for the response
  /// of a changed request too, so cancelling the task later ends only the wait.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(for text: String?) async throws(SearchError) -> SearchAnswer {
    try await search(updating: { $0.text = text })
  }

  /// Sets the text of the query and searches, like ``search(for:)``, and returns the page.
  ///
  /// ```swift
  /// let page = try await searcher.search(for: "godf", of: Hit<Film>.self)
  /// ```
  ///
  /// Hits that do not fit `Record` are in the page's `failures`.
  public nonisolated func search<Record: Decodable & Sendable>(
    for text: String?, of type: Record.Type
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search(for: text).page(of: type)
  }

  /// Changes anything in the request, as `update(_:)` does, and searches, in one step and with one
  /// request.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(
    updating change: (inout SearchRequest<JSON>) -> Void
  ) async throws(SearchError) -> SearchAnswer {
    try await search(changing: { $0.changed(by: change) })
  }

  /// Changes anything in the request and searches, like ``search(updating:)``, and returns the
  /// page.
  ///
  /// ```swift
  /// let page = try await searcher.search(of: Hit<Film>.self) { $0.query.hitsPerPage = 50 }
  /// ```
  public nonisolated func search<Record: Decodable & Sendable>(
    of type: Record.Type, updating change: (inout SearchRequest<JSON>) -> Void
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search(updating: change).page(of: type)
  }
}

extension SearchRequest: IndexRequest {
  var text: String? {
    get { query.query }
    set {
      // An empty text does not change a request without text.
      if newValue != "" || query.query != nil { query.query = newValue }
    }
  }

  var filters: String? {
    get { query.filters }
    set { query.filters = newValue }
  }

  /// The request after a change; back on the first page, unless the change sets the page itself.
  func changed(by change: (inout SearchRequest) -> Void) -> SearchRequest {
    var changed = self
    change(&changed)
    let staysOnPage = changed.query.page == query.page && changed.query.offset == query.offset
    if staysOnPage, changed != self {
      changed.query.page = nil
      if changed.query.offset != nil { changed.query.offset = 0 }
    }
    return changed
  }
}

// MARK: - Filters

extension HitsSearcher {
  /// Filters the searches by a filter state.
  ///
  /// The state's filters are combined with the query's own `filters`. Each transaction of the state
  /// that changes something changes the request: it goes back to the first page and is searched at
  /// once. Connecting sets the current filters and does not search.
  ///
  /// Connecting the same state again changes nothing; connecting another one ends the previous
  /// connection. When a connection ends, the request keeps its filters. The state still filters the
  /// searches as long as an interactor of the searcher is connected to it.
  ///
  /// - Returns: The connection, which stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(_ filterState: FilterState) -> Connection {
    follow(filterState, with: filters)
  }
}

// MARK: - Pages

extension HitsSearcher {
  /// Loads another page of an answered search.
  ///
  /// The request of `response` is sent again with another page, at once and independently of the
  /// searcher: its request does not change, nothing is published, and no search is superseded.
  /// Facet counts that need additional queries are not requested again. The caller checks whether
  /// the searcher has a newer response by then: the page has the `generation` of `response`.
  ///
  /// If the transport supports `TransportResponse.snapshot`, the page is made from the same data as
  /// `response`, regardless of later writes.
  ///
  /// - Parameters:
  ///   - page: The number of the page, from 0. It replaces `offset` and `length`.
  ///   - response: A response of this searcher.
  public nonisolated func page(
    _ page: Int, of response: SearchAnswer
  ) async throws(SearchError) -> SearchAnswer {
    try await pageLoader.load(page, response).get()
  }
}

// MARK: - Results of another process

extension HitsSearcher {
  /// Uses results for the first search, if it sends exactly their queries. Otherwise, and for later
  /// searches, a request is made. The same applies to the first call for recommendations.
  ///
  /// Connect widgets before the first search, because the queries depend on them. Restoring does
  /// not search.
  public nonisolated func restore(_ initial: InitialResults) {
    planner.initial.set(initial)
  }
}

extension HitsSearcher: HitsFeed {
  package nonisolated func addObserver(_ observer: HitsObserver) -> UInt64? {
    core.addObserver(observer)
  }

  package nonisolated func removeObserver(_ id: UInt64) { core.removeObserver(id) }

  package nonisolated var newestGeneration: UInt64 { core.generation }

  package nonisolated func follow(
    _ filterState: FilterState, while isWanted: @escaping IsWanted
  ) -> Connection {
    follow(filterState, with: filters, forListWhile: isWanted)
  }
}
