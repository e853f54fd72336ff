/// A live search of several indices for the same text, with one request for each search.
///
/// To combine other searchers, such as for facet values, use ``MultiSearcher``.
///
/// Each index has its own request, with its own parameters and filters. They share the text. One
/// ``MultiIndexResponse`` is published for each search, with the results by position.
///
/// ```swift
/// let searcher = MultiIndexSearcher(client: client, indexNames: ["actors", "movies"])
/// let responses = searcher.responses
/// searcher.setQuery("tom")
/// for await response in responses {
///   let (actors, movies) = try await response.pages(of: Hit<Actor>.self, Hit<Movie>.self)
/// }
/// ```
///
/// An index without a result, for example because its part of the response is malformed, does not
/// affect the others: its error is in the response and on ``Searcher/errors``.
///
/// See ``Searcher`` for the behavior of every searcher.
public actor MultiIndexSearcher: CoreSearcher {
  /// The type of a request.
  public typealias Request = [SearchRequest<JSON>]
  /// The type of the response to a request: the results of all indices.
  public typealias Response = MultiIndexResponse

  nonisolated let core: SearcherCore<[SearchRequest<JSON>], MultiIndexResponse>
  package nonisolated let pageLoader: PageLoader
  private nonisolated let filters: [FilterStateSubscription]

  /// Creates a searcher. It does nothing until a request changes or you call `search()` or
  /// `submit()`.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches.
  ///   - indexNames: The indices, in the order of the results.
  ///   - query: The initial query of each index. Defaults to an empty one.
  ///   - strategy: Whether to stop when an index has enough matches. Defaults to
  ///     `MultiQueryStrategy.none`.
  ///   - debounce: How long the text must stay unchanged before it is searched. Defaults to zero.
  ///     Other changes, `submit()` and `search()` do not wait for it.
  ///   - options: The clock and the executor, and how calls are sent.
  ///   - isDisjunctiveFacetingEnabled: As in ``HitsSearcher``, for each index. Defaults to `true`.
  ///   - keepSelectedEmptyFacets: As in ``HitsSearcher``, for each index. Defaults to `true`.
  ///   - shouldSearch: Returns whether the requests may be searched. A caller that awaits rejected
  ///     requests receives `cancelled`. The closure cannot change any searcher or filter state.
  public init(
    client: SearchClient,
    indexNames: [String],
    query: SearchQuery = SearchQuery(),
    strategy: MultiQueryStrategy = .none,
    debounce: Duration = .zero,
    options: Options = Options(),
    isDisjunctiveFacetingEnabled: Bool = true,
    keepSelectedEmptyFacets: Bool = true,
    shouldSearch: @escaping @Sendable ([SearchRequest<JSON>]) -> Bool = { _ in true }
  ) {
    let needs = SearchNeeds(
      isDisjunctive: isDisjunctiveFacetingEnabled, keepsSelected: keepSelectedEmptyFacets)
    filters = indexNames.map { _ in FilterStateSubscription() }
    let client = client.running(on: options.executor)
    pageLoader = PageLoader(client: client, options: options.requestOptions)
    core = SearcherCore(
      request: indexNames.map { SearchRequest($0, query, of: JSON.self) },
      debounce: debounce,
      options: options,
      text: { $0.map(\.text) },
      shouldSearch: shouldSearch,
      execute: { requests, context in
        do throws(SearchError) {
          let response = try await MultiIndexResponse(
            to: requests, from: client, needs: needs, strategy: strategy,
            options: options.requestOptions, context: context)
          for case .failure(let error) in response.results { context.report(error) }
          return .success(response)
        } catch {
          return .failure(error)
        }
      })
  }

  deinit {
    for filters in filters { filters.end() }
    core.close()
  }
}

// MARK: - The requests

extension MultiIndexSearcher {
  /// Sets the text of all queries and goes back to their first pages; `nil` means no text.
  public nonisolated func setQuery(_ text: String?) {
    update { request in request.query.query = text }
  }

  /// Changes anything in the request of every index, as one change.
  ///
  /// A change of anything but the page also goes back to the first page of that index. `change` is
  /// called once for each index, and again when the requests are set at the same time; it must only
  /// change its argument. A change that cannot be made is reported on ``Searcher/errors``; see
  /// ``Searcher``.
  public nonisolated func update(_ change: (inout SearchRequest<JSON>) -> Void) {
    core.update { $0.map { $0.changed(by: change) } }
  }

  /// Changes anything in the request of one index, as one change; the others stay as they are.
  ///
  /// Does nothing if the position is out of range.
  public nonisolated func update(
    at position: Int, _ change: (inout SearchRequest<JSON>) -> Void
  ) {
    guard filters.indices.contains(position) else { return }
    core.update { $0.changed(at: position, by: change) }
  }

  /// Sets the text of all queries, goes back to their first pages, and searches, in one step and
  /// with one request; `nil` means no text.
  ///
  /// Nothing is changed if the calling task is already cancelled. Cancelling it later ends only the
  /// wait, as for ``HitsSearcher/search(for:)``.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(
    for text: String?
  ) async throws(SearchError) -> MultiIndexResponse {
    try await search(updating: { $0.query.query = text })
  }

  /// Changes anything in the request of every index, as ``update(_:)`` does, and searches, in one
  /// step and with one request.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  @discardableResult
  public nonisolated func search(
    updating change: (inout SearchRequest<JSON>) -> Void
  ) async throws(SearchError) -> MultiIndexResponse {
    try await search(changing: { $0.map { $0.changed(by: change) } })
  }

  /// Filters one index by a filter state, like ``HitsSearcher/connectFilterState(_:)``. A change of
  /// the filters searches all indices, in one request.
  ///
  /// - Returns: The connection, or `nil` if the position is out of range.
  @discardableResult
  public nonisolated func connectFilterState(
    _ filterState: FilterState, withQueryAtIndex position: Int
  ) -> Connection? {
    follow(filterState, at: position)
  }

  /// Filters one index by a filter state until this connection and all others to it end; `nil` if
  /// the position is out of range.
  nonisolated func follow(
    _ filterState: FilterState, at position: Int, forListWhile isWanted: IsWanted? = nil
  ) -> Connection? {
    guard filters.indices.contains(position) else { return nil }
    return follow(
      filterState, with: filters[position], forListWhile: isWanted
    ) { requests, groups in
      requests.changed(at: position) { $0.filterGroups = groups }
    }
  }
}

extension [SearchRequest<JSON>] {
  fileprivate func changed(
    at position: Int, by change: (inout SearchRequest<JSON>) -> Void
  ) -> Self {
    guard indices.contains(position) else { return self }
    var requests = self
    requests[position] = requests[position].changed(by: change)
    return requests
  }
}

// MARK: - Streams

extension MultiIndexSearcher {
  /// The pages of one index, decoded as `Record`, like ``Searcher/pages(of:buffering:)``.
  ///
  /// Searches without a result for that index are omitted; if the position is out of range, all
  /// are.
  public nonisolated func pages<Record: Decodable & Sendable>(
    of type: Record.Type, at position: Int, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsPage<Record>> {
    responses(buffering: buffering).mapped {
      try? await $0.page(of: type, at: position)
    }
  }

  /// Loads another page of one index's result, like ``HitsSearcher/page(_:of:)``, with a request to
  /// that index alone.
  ///
  /// - Parameters:
  ///   - page: The number of the page, from 0.
  ///   - response: A result of this searcher.
  public nonisolated func page(
    _ page: Int, of response: SearchAnswer
  ) async throws(SearchError) -> SearchAnswer {
    try await pageLoader.load(page, response).get()
  }
}

// MARK: - The response

/// The results of one search of several indices, by position.
public struct MultiIndexResponse: Sendable {
  /// The number of the search, counted from 1 in each searcher.
  public let generation: UInt64
  /// The result of each index, or its error. An index that fails does not affect the others.
  public let results: [Result<SearchAnswer, SearchError>]

  /// The result at a position.
  ///
  /// - Throws: The error of that index; `invalidRequest` if the position is out of range.
  public func response(at position: Int) throws(SearchError) -> SearchAnswer {
    guard results.indices.contains(position) else {
      throw SearchError(
        .invalidRequest, "There is no result at \(position), there are \(results.count).")
    }
    return try results[position].get()
  }

  /// The page at a position, its hits decoded as `Record`.
  ///
  /// - Throws: The errors of ``response(at:)``. Hits that do not decode are in the page's
  ///   `failures`.
  public func page<Record>(
    of type: Record.Type, at position: Int
  ) async throws(SearchError) -> HitsPage<Record> {
    try await response(at: position).page(of: type)
  }

  /// The pages of the first indices, each with its own record type.
  ///
  /// ```swift
  /// let (actors, movies) = try await response.pages(of: Hit<Actor>.self, Hit<Movie>.self)
  /// ```
  ///
  /// - Throws: The error of the first index without a page.
  public func pages<each Record: Decodable & Sendable>(
    of type: repeat (each Record).Type
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    var positions = results.indices.makeIterator()
    return (repeat try await page(of: each type, at: positions.next() ?? results.count))
  }
}

extension MultiIndexResponse {
  /// Searches all indices in one request. A malformed result is an error of that index only.
  init(
    to requests: [SearchRequest<JSON>], from client: SearchClient, needs: SearchNeeds,
    strategy: MultiQueryStrategy, options: RequestOptions, context: SearchContext
  ) async throws(SearchError) {
    let plans = requests.map { SearchPlan($0, needs: needs) }
    let responses = try await client.responses(to: plans, strategy: strategy, options: options)
    generation = context.generation
    var position = 0
    results = plans.map { plan in
      defer { position += plan.queryCount }
      return Result { () throws(SearchError) in
        try responses.answer(to: plan, at: position, in: context)
      }
    }
  }
}
