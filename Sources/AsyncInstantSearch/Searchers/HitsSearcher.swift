/// A live search of one index: its request changes, pages follow.
///
/// ```swift
/// let searcher = HitsSearcher(client: client, indexName: "films", debounce: .milliseconds(150))
/// searcher.pages(of: Hit<Film>.self).subscribe { page in await screen.draw(page) }
/// searcher.setQuery("godf")
/// ```
///
/// What holds of every searcher is said at ``Searcher``.
public actor HitsSearcher: CoreSearcher {
  /// What is searched.
  public typealias Request = SearchRequest<JSON>
  /// What comes of it.
  public typealias Answer = HitsResponse

  nonisolated let core: SearcherCore<SearchRequest<JSON>, HitsResponse>
  nonisolated let facets: DisjunctiveFaceting
  nonisolated let filters = FilterFollowing()
  package nonisolated let pageLoader: PageLoader

  /// Synchronous calls and isolated code exclude one another on this executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // Safe: the searcher holds its core, which holds the executor.
    unsafe core.unownedExecutor
  }

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
    let facets = DisjunctiveFaceting(
      isDisjunctive: isDisjunctiveFacetingEnabled, keepsSelected: keepSelectedEmptyFacets)
    self.facets = facets
    pageLoader = PageLoader(client: client, options: options)
    core = SearcherCore(
      request: SearchRequest(indexName, query, of: JSON.self),
      debounce: debounce,
      stalledAfter: stalledAfter,
      clock: AnyClock(clock),
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
    core.close()
  }
}

// MARK: - The request

extension HitsSearcher {
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
  /// A change of anything but the page (or the offset) goes back to the first one in the same
  /// event, unless the change sets it itself. `change` runs again when the request is set at the
  /// same time; it must only change its argument. A change that cannot be made is reported on
  /// ``Searcher/errors``; see ``Searcher``.
  public nonisolated func update(_ change: (inout SearchRequest<JSON>) -> Void) {
    core.update { $0.changed(by: change) }
  }

  /// Changes anything in the request as ``update(_:)`` does, without making a search due unless one
  /// is due or under way.
  @discardableResult
  nonisolated func adjust(_ change: (inout SearchRequest<JSON>) -> Void) -> Bool {
    core.adjust { $0.changed(by: change) }
  }
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
