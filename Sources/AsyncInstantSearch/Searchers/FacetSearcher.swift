/// A live search for the values of one facet: each change of its request is searched, and the
/// values are published.
///
/// On a screen of widgets, a ``FacetList`` searches its own values.
///
/// See ``Searcher`` for the behavior of every searcher.
public actor FacetSearcher: CoreSearcher {
  /// The type of a request.
  public typealias Request = FacetRequest
  /// The type of the response to a request.
  public typealias Response = FacetValuesPage

  nonisolated let core: SearcherCore<FacetRequest, FacetValuesPage>
  private nonisolated let filters = FilterStateSubscription()

  /// Creates a searcher. It does nothing until its request changes or you call `search()` or
  /// `submit()`.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches.
  ///   - indexName: The initial index.
  ///   - attribute: The facet, which the index's settings must declare as `searchable(…)`.
  ///   - context: The query that counted records must match. Defaults to an empty one.
  ///   - maxFacetHits: How many values to return, 1 to 100. Defaults to the server's 10.
  ///   - debounce: How long the text must stay unchanged before it is searched. Defaults to zero.
  ///     Other changes, `submit()` and `search()` do not wait for it.
  ///   - options: The clock and the executor, and how calls are sent.
  ///   - shouldSearch: Returns whether a request may be searched. A caller that awaits a rejected
  ///     request receives `cancelled`. The closure cannot change any searcher or filter state.
  public init(
    client: SearchClient,
    indexName: String,
    attribute: Attribute,
    context: SearchQuery = SearchQuery(),
    maxFacetHits: Int? = nil,
    debounce: Duration = .zero,
    options: Options = Options(),
    shouldSearch: @escaping @Sendable (FacetRequest) -> Bool = { _ in true }
  ) {
    let client = client.running(on: options.executor)
    core = SearcherCore(
      request: FacetRequest(
        indexName, attribute: attribute, context: context, maxFacetHits: maxFacetHits),
      debounce: debounce,
      options: options,
      text: { [$0.text] },
      shouldSearch: shouldSearch,
      execute: { request, _ in
        do throws(SearchError) {
          return .success(
            try await client.searchFacetValues(request, options: options.requestOptions))
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

extension FacetSearcher {
  /// Sets the required prefix of the values; `nil` finds the most frequent values.
  public nonisolated func setQuery(_ text: String?) {
    update { $0.facetQuery = text ?? "" }
  }

  /// Sets the index.
  public nonisolated func setIndexName(_ indexName: String) {
    update { $0.indexName = indexName }
  }

  /// Changes anything in the request, as one change.
  ///
  /// `change` runs again when the request is set at the same time; it must only change its
  /// argument. A change that cannot be made is reported on ``Searcher/errors``; see ``Searcher``.
  public nonisolated func update(_ change: (inout FacetRequest) -> Void) {
    core.update { $0.changed(by: change) }
  }

  /// Sets the required prefix of the values and searches, in one step and with one request; `nil`
  /// removes the prefix.
  ///
  /// Nothing is changed if the calling task is already cancelled. Cancelling it later ends only the
  /// wait, as for ``HitsSearcher/search(for:)``.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(for text: String?) async throws(SearchError) -> FacetValuesPage {
    try await search(updating: { $0.facetQuery = text ?? "" })
  }

  /// Changes anything in the request, as `update(_:)` does, and searches, in one step and with one
  /// request.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(
    updating change: (inout FacetRequest) -> Void
  ) async throws(SearchError) -> FacetValuesPage {
    try await search(changing: { $0.changed(by: change) })
  }

  /// Counts only records that match a filter state.
  ///
  /// Filters on the facet itself that are combined by OR are ignored. Connecting sets the current
  /// filters and does not search. Connecting the same state again changes nothing; connecting
  /// another one ends the previous connection.
  ///
  /// - Parameters:
  ///   - filterState: The filters.
  ///   - searchesOnChange: Whether a change of the filters is searched at once. Otherwise it takes
  ///     effect with the next search. Defaults to `true`.
  /// - Returns: The connection, which stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(
    _ filterState: FilterState, searchesOnChange: Bool = true
  ) -> Connection {
    follow(filterState, with: filters, searchesOnChange: searchesOnChange)
  }
}

extension FacetRequest: IndexRequest {
  var text: String? {
    get { facetQuery }
    set { facetQuery = newValue ?? "" }
  }

  var filters: String? {
    get { context.filters }
    set { context.filters = newValue }
  }

  func changed(by change: (inout FacetRequest) -> Void) -> FacetRequest {
    var changed = self
    change(&changed)
    return changed
  }
}

// MARK: - Streams

extension FacetSearcher {
  /// The values of the newest requests: the current ones first, then newer ones. Each call creates
  /// a new subscription.
  public nonisolated func pages(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<FacetValuesPage> {
    responses(buffering: buffering)
  }

  /// The values of the newest requests.
  public nonisolated var pages: AsyncStream<FacetValuesPage> { pages() }
}
