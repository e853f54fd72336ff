/// A live search of one index: its request changes, pages follow.
///
/// Setting the request is synchronous, so the order of calls is the order of requests, from any
/// thread or actor. A change makes a search due after the debounce; the newest request always wins.
///
/// ## Behavior
///
/// - Creating a searcher, connecting it or subscribing to it never searches.
/// - Pages and errors of a request that is not the newest any more are never published.
/// - A failed search is published on ``errors(buffering:)`` and ``states``; every stream stays open, and the
///   same request can be searched again at once.
/// - Nothing needs to be shut down: when the last reference to the searcher goes, its work is
///   cancelled and its streams end. A caller that awaits a search holds the searcher; a loop over a
///   stream does not, as long as its task was not given the searcher itself.
public actor HitsSearcher {
  nonisolated let pipeline: SearchPipeline<SearchRequest<JSON>, HitsResponse>
  nonisolated let facets: FacetedSearch
  nonisolated let filters = FilterFollowing()
  package nonisolated let pageLoader: PageLoader

  /// Creates a searcher. It does nothing until its request is set or a search is asked for.
  ///
  /// - Parameters:
  ///   - client: answers the searches.
  ///   - indexName: the index that is searched at first.
  ///   - query: the query at first; empty by default.
  ///   - debounce: how long the request must stay unchanged before it is searched; zero, the
  ///     default, searches every change at once. ``submit()`` and ``search()`` never wait.
  ///   - stalledAfter: when a search counts as stalled; 300 milliseconds by default.
  ///   - clock: measures both times; a continuous clock by default.
  ///   - executor: runs the searcher's tasks; the global one by default.
  ///   - options: headers, query items and the time limit of every call.
  ///   - isDisjunctiveFacetingEnabled: whether the counts of facets that are filtered by OR leave
  ///     their own filters out of account, and whether hierarchies show what lies beside the path.
  ///     That takes one more query for each such facet, all in one request. `true` by default.
  ///   - keepSelectedEmptyFacets: whether selected values of facets filtered by OR are shown with
  ///     count 0 when no record has them any more. `true` by default.
  ///   - shouldSearch: may refuse a request, for example one with an empty query. A refused request
  ///     is not searched, and a caller that awaits it receives `cancelled`.
  public init(
    client: SearchClient,
    indexName: String,
    query: SearchQuery = SearchQuery(),
    debounce: Duration = .zero,
    stalledAfter: Duration = .milliseconds(300),
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    options: RequestOptions = RequestOptions(),
    isDisjunctiveFacetingEnabled: Bool = true,
    keepSelectedEmptyFacets: Bool = true,
    shouldSearch: @escaping @Sendable (SearchRequest<JSON>) -> Bool = { _ in true }
  ) {
    let facets = FacetedSearch(
      isDisjunctive: isDisjunctiveFacetingEnabled, keepsSelected: keepSelectedEmptyFacets)
    self.facets = facets
    pageLoader = PageLoader(client: client, options: options)
    pipeline = SearchPipeline(
      request: SearchRequest(indexName, query, of: JSON.self),
      debounce: debounce,
      stalledAfter: stalledAfter,
      clock: PipelineClock(clock),
      executor: executor,
      shouldSearch: shouldSearch,
      execute: { request, context in
        do throws(SearchError) {
          let content = try await facets.content(of: request, from: client, options: options)
          return .success(
            HitsResponse(request: request, content: content, context: context))
        } catch {
          return .failure(error)
        }
      })
  }

  deinit {
    filters.end()
    pipeline.close()
  }
}

// MARK: - The request

extension HitsSearcher {
  /// The request as it was last set, whether it was searched yet or not.
  public nonisolated var request: SearchRequest<JSON> { pipeline.request }

  /// Sets the text of the query and goes back to the first page; `nil` means no text.
  public nonisolated func setQuery(_ text: String?) {
    update { $0.query.query = text }
  }

  /// Sets the index and goes back to the first page.
  public nonisolated func setIndexName(_ indexName: String) {
    update { $0.indexName = indexName }
  }

  /// Sets the filter expression and goes back to the first page; `nil` means no filter.
  public nonisolated func setFilters(_ filters: String?) {
    update { $0.query.filters = filters }
  }

  /// Changes anything in the request, as one change with one event.
  ///
  /// A change of anything but the page (or the offset) goes back to the first one in the same event,
  /// unless the change sets it itself. `change` may run more than once when requests are set at the same
  /// time; it must only change its argument.
  public nonisolated func update(_ change: (inout SearchRequest<JSON>) -> Void) {
    pipeline.update { $0.changed(by: change) }
  }

  /// Changes anything in the request as ``update(_:)`` does, without making a search due unless one is
  /// due or under way.
  nonisolated func adjust(_ change: (inout SearchRequest<JSON>) -> Void) {
    pipeline.adjust { $0.changed(by: change) }
  }
}

// MARK: - Searching

extension HitsSearcher {
  /// Searches the current request at once, without the debounce; the page comes on the streams.
  public nonisolated func submit() {
    pipeline.submit()
  }

  /// Searches the current request at once and returns its answer; it is published as well.
  ///
  /// Cancelling the calling task ends the search, unless it also answers a change of the request
  /// that the streams still wait for.
  ///
  /// - Throws: `superseded` when the request was changed or searched again before the answer came,
  ///   `cancelled` when the calling task was cancelled, or whatever made the search fail.
  @discardableResult
  public nonisolated func search() async throws(SearchError) -> HitsResponse {
    // The searcher must outlive the search that its caller awaits.
    defer { withExtendedLifetime(self) {} }
    return try await pipeline.search().get()
  }

  /// Searches the current request at once and returns its page; it is published as well.
  ///
  /// Throws as ``search()`` does. Hits that do not fit `Record` are in the page's `failures`.
  public nonisolated func search<Record: Decodable & Sendable>(
    of type: Record.Type
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search().page(of: type)
  }

  /// Stops the search that is due or under way; streams stay open and no error is published.
  public nonisolated func cancel() {
    pipeline.cancel()
  }
}

// MARK: - Streams

extension HitsSearcher {
  /// The pages of the newest requests, decoded as `Record`: `Hit<T>`, `T` or ``JSON``.
  ///
  /// Every call makes a new subscription. It receives the newest page first, if there is one, and
  /// then each newer page; a consumer that is slower than the searches misses pages in between and
  /// always receives the newest. Pages are decoded on the consumer's task, off any actor.
  ///
  /// Subscribe before the task that loops is made, so that the task does not hold the searcher:
  ///
  /// ```swift
  /// let pages = searcher.pages(of: Hit<Film>.self)
  /// let drawing = Task { for await page in pages { draw(page) } }
  /// ```
  public nonisolated func pages<Record: Decodable & Sendable>(
    of type: Record.Type, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsPage<Record>> {
    pipeline.answers.stream(buffering: buffering) { await $0.page(of: type) }
  }

  /// The newest answers before they are given a type; a subscription as in ``pages(of:buffering:)``.
  public nonisolated func responses(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsResponse> {
    pipeline.answers.stream(buffering: buffering)
  }

  /// The newest answers before they are given a type.
  public nonisolated var responses: AsyncStream<HitsResponse> { responses() }

  /// Failed searches, and pages some of whose hits did not decode, from now on.
  ///
  /// Each call makes a new subscription, which keeps the newest 16 errors until they are read.
  public nonisolated func errors(
    buffering: StreamBuffering = .newest(16)
  ) -> AsyncStream<SearchError> {
    pipeline.errors.stream(buffering: buffering)
  }

  /// Failed searches, and pages some of whose hits did not decode, from now on.
  public nonisolated var errors: AsyncStream<SearchError> { errors() }

  /// What the searcher is doing: the current state first, then newer ones, never the same twice in a
  /// row. By default a slow consumer finds only the newest. Each call makes a new subscription.
  public nonisolated func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<SearchState> {
    pipeline.states.stream(buffering: buffering)
  }

  /// What the searcher is doing: the current state first, then the newest, never the same twice.
  public nonisolated var states: AsyncStream<SearchState> { states() }

  /// The requests: the current one first, then one for each change that changed something. By
  /// default a slow consumer finds only the newest. Each call makes a new subscription.
  public nonisolated func requests(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<SearchRequest<JSON>> {
    pipeline.requests.stream(buffering: buffering)
  }

  /// The requests: the current one first, then the newest.
  public nonisolated var requests: AsyncStream<SearchRequest<JSON>> { requests() }

  /// What the searcher is doing now.
  public nonisolated var state: SearchState { pipeline.currentState }
}

extension SearchRequest {
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
