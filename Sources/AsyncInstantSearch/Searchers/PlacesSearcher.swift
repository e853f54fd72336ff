/// A live search for places: each change of its request is searched, and the places are published.
///
/// To search your own records on a map, use ``GeoSearch``.
///
/// See ``Searcher`` for the behavior of every searcher.
public actor PlacesSearcher: CoreSearcher {
  /// The type of a request.
  public typealias Request = PlacesQuery
  /// The type of the response to a request.
  public typealias Response = SearchAnswer

  nonisolated let core: SearcherCore<PlacesQuery, SearchAnswer>

  /// Creates a searcher. It does nothing until its request changes or you call `search()` or
  /// `submit()`.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches.
  ///   - query: The initial query. Defaults to an empty one.
  ///   - debounce: How long the text must stay unchanged before it is searched. Defaults to zero.
  ///     Other changes, `submit()` and `search()` do not wait for it.
  ///   - options: The clock and the executor, and how calls are sent.
  ///   - shouldSearch: Returns whether a request may be searched. A caller that awaits a rejected
  ///     request receives `cancelled`.
  public init(
    client: SearchClient,
    query: PlacesQuery = PlacesQuery(),
    debounce: Duration = .zero,
    options: Options = Options(),
    shouldSearch: @escaping @Sendable (PlacesQuery) -> Bool = { _ in true }
  ) {
    let client = client.running(on: options.executor)
    core = SearcherCore(
      request: query,
      debounce: debounce,
      options: options,
      text: { [$0.query] },
      shouldSearch: shouldSearch,
      execute: { query, context in
        do throws(SearchError) {
          let result = try await client.placesResult(of: query, options: options.requestOptions)
          return .success(SearchAnswer(to: SearchPlan(query.request), [result], in: context))
        } catch {
          return .failure(error)
        }
      })
  }

  deinit {
    core.close()
  }
}

// MARK: - The request

extension PlacesSearcher {
  /// Sets the text of the query; `nil` means no text.
  public nonisolated func setQuery(_ text: String?) {
    update { $0.query = text }
  }

  /// Sets the language; `nil` means all languages.
  public nonisolated func setLanguage(_ language: Language?) {
    update { $0.language = language }
  }

  /// Changes anything in the request, as one change with one event.
  ///
  /// `change` runs again when the request is set at the same time; it must only change its
  /// argument. A change that cannot be made is reported on ``Searcher/errors``; see ``Searcher``.
  public nonisolated func update(_ change: (inout PlacesQuery) -> Void) {
    core.update { $0.with(change) }
  }

  /// Sets the text of the query and searches, in one step and with one request; `nil` means no
  /// text.
  ///
  /// Nothing is changed if the calling task is already cancelled. Cancelling it later ends only the
  /// wait, as for ``HitsSearcher/search(for:)``.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(for text: String?) async throws(SearchError) -> SearchAnswer {
    try await search(updating: { $0.query = text })
  }

  /// Changes anything in the request, as `update(_:)` does, and searches, in one step and with one
  /// request.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(
    updating change: (inout PlacesQuery) -> Void
  ) async throws(SearchError) -> SearchAnswer {
    try await search(changing: { $0.with(change) })
  }
}

// MARK: - Streams

extension PlacesSearcher {
  /// The places of the newest requests, like ``Searcher/pages(of:buffering:)``.
  public nonisolated var pages: AsyncStream<HitsPage<Hit<Place>>> { pages(of: Hit<Place>.self) }
}

// MARK: - Source of a list

extension PlacesSearcher: HitsFeed {
  package nonisolated func addObserver(_ observer: HitsObserver) -> UInt64? {
    core.addObserver(observer.mappingRequests(\.request))
  }

  package nonisolated func removeObserver(_ id: UInt64) { core.removeObserver(id) }

  /// Does nothing: a search for places has no filters.
  package nonisolated func follow(
    _ filterState: FilterState, while isWanted: @escaping IsWanted
  ) -> Connection {
    Connection {}
  }

  /// Fails: a response with places has no further pages.
  package nonisolated var pageLoader: PageLoader {
    PageLoader { page, _ in
      .failure(
        SearchError(.invalidRequest, "A search for places has one page; there is no page \(page)."))
    }
  }
}
