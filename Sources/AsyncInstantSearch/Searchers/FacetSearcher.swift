/// A live search for the values of one facet: its request changes, values follow.
///
/// See ``Searcher`` for the behavior of every searcher.
public actor FacetSearcher: CoreSearcher {
  /// What is searched.
  public typealias Request = FacetRequest
  /// What comes of it.
  public typealias Answer = FacetValuesPage

  nonisolated let core: SearcherCore<FacetRequest, FacetValuesPage>
  private nonisolated let filters = FilterStateSubscription()

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
  ///   - attribute: the facet; it must be declared `searchable(…)` in the index's settings.
  ///   - context: a query to which the counted records must belong; empty by default.
  ///   - maxFacetHits: how many values to return, 1 to 100; the server's 10 by default.
  ///   - options: The debounce, clock and executor, and how calls are sent.
  ///   - shouldSearch: may refuse a request; a caller that awaits it receives `cancelled`.
  public init(
    client: SearchClient,
    indexName: String,
    attribute: Attribute,
    context: SearchQuery = SearchQuery(),
    maxFacetHits: Int? = nil,
    options: Options = Options(),
    shouldSearch: @escaping @Sendable (FacetRequest) -> Bool = { _ in true }
  ) {
    core = SearcherCore(
      request: FacetRequest(
        indexName, attribute: attribute, context: context, maxFacetHits: maxFacetHits),
      options: options,
      shouldSearch: shouldSearch,
      execute: { request, _ in
        do throws(SearchError) {
          return .success(try await client.searchFacetValues(request, options: options.requestOptions))
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
  /// Sets what the values must begin with; `nil` means nothing, which gives the most frequent
  /// values.
  public nonisolated func setQuery(_ text: String?) {
    update { $0.facetQuery = text ?? "" }
  }

  /// Sets the index.
  public nonisolated func setIndexName(_ indexName: String) {
    update { $0.indexName = indexName }
  }

  /// Changes anything in the request, as one change with one event.
  ///
  /// `change` runs again when the request is set at the same time; it must only change its
  /// argument. A change that cannot be made is reported on ``Searcher/errors``; see ``Searcher``.
  public nonisolated func update(_ change: (inout FacetRequest) -> Void) {
    core.update { $0.changed(by: change) }
  }

  /// Counts within the filters of a filter state from now on.
  ///
  /// Alternatives on the facet itself do not count. Connecting takes over the current filters and
  /// does not search. Connecting the same state again changes nothing; connecting another one ends
  /// the connection before.
  ///
  /// - Parameters:
  ///   - filterState: The filters.
  ///   - searchesOnChange: Whether a change of the filters is searched; otherwise it counts from
  ///     the next search on. `true` by default.
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(
    _ filterState: FilterState, searchesOnChange: Bool = true
  ) -> Connection {
    filters.follow(filterState, isSearcherConnection: true) { [weak self] groups in
      guard let core = self?.core else { return true }
      return searchesOnChange
        ? core.copy { $0.changed { $0.filterGroups = groups() ?? $0.filterGroups } }
        : core.adjust { $0.changed { $0.filterGroups = groups() ?? $0.filterGroups } }
    } applyInitial: { groups in
      core.adjust { $0.changed { $0.filterGroups = groups() ?? $0.filterGroups } }
    }
  }
}

extension FacetRequest {
  func changed(by change: (inout FacetRequest) -> Void) -> FacetRequest {
    var changed = self
    change(&changed)
    return changed
  }
}

// MARK: - Streams

extension FacetSearcher {
  /// The values of the newest requests: the newest there are first, then each newer ones. Each call
  /// makes a new subscription.
  public nonisolated func pages(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<FacetValuesPage> {
    answers(buffering: buffering)
  }

  /// The values of the newest requests.
  public nonisolated var pages: AsyncStream<FacetValuesPage> { pages() }
}
