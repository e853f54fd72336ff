/// Searches several indices for one text, all in one request for each search.
///
/// Each index has its own request, with its own parameters and filters. The text is common to all.
/// One ``MultiIndexResponse`` is published for each search, with the results by position.
///
/// ```swift
/// let searcher = MultiIndexSearcher(client: client, indexNames: ["actors", "movies"])
/// let rounds = searcher.responses
/// searcher.setQuery("tom")
/// for await round in rounds {
///   let (actors, movies) = try await round.pages(of: Hit<Actor>.self, Hit<Movie>.self)
/// }
/// ```
///
/// An index without a result, for example because its part of the answer is damaged, does not take
/// the others with it: its error is in the response and on ``Searcher/errors``.
///
/// See ``Searcher`` for the behavior of every searcher.
public actor MultiIndexSearcher: CoreSearcher {
  /// What is searched.
  public typealias Request = [SearchRequest<JSON>]
  /// What comes of it.
  public typealias Answer = MultiIndexResponse

  nonisolated let core: SearcherCore<[SearchRequest<JSON>], MultiIndexResponse>
  package nonisolated let pageLoader: PageLoader
  private nonisolated let filters: [FilterStateSubscription]

  /// Synchronous calls and isolated code exclude one another on this executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // Safe: the searcher holds its core, which holds the executor.
    unsafe core.unownedExecutor
  }

  /// Creates a searcher. It does nothing until a request is set or a search is asked for.
  ///
  /// - Parameters:
  ///   - client: answers the searches.
  ///   - indexNames: the indices, in the order of the results.
  ///   - query: the query of each index at first; empty by default.
  ///   - strategy: whether to stop once an index has enough matches; no by default.
  ///   - options: The debounce, clock and executor, and how calls are sent.
  ///   - isDisjunctiveFacetingEnabled: as in ``HitsSearcher``, for each index; `true` by default.
  ///   - keepSelectedEmptyFacets: as in ``HitsSearcher``, for each index; `true` by default.
  ///   - shouldSearch: may refuse the requests; a caller that awaits them receives `cancelled`.
  public init(
    client: SearchClient,
    indexNames: [String],
    query: SearchQuery = SearchQuery(),
    strategy: MultiQueryStrategy = .none,
    options: Options = Options(),
    isDisjunctiveFacetingEnabled: Bool = true,
    keepSelectedEmptyFacets: Bool = true,
    shouldSearch: @escaping @Sendable ([SearchRequest<JSON>]) -> Bool = { _ in true }
  ) {
    let facets = DisjunctiveFaceting(
      isDisjunctive: isDisjunctiveFacetingEnabled, keepsSelected: keepSelectedEmptyFacets)
    filters = indexNames.map { _ in FilterStateSubscription() }
    pageLoader = PageLoader(client: client, options: options.requestOptions)
    core = SearcherCore(
      request: indexNames.map { SearchRequest($0, query, of: JSON.self) },
      options: options,
      shouldSearch: shouldSearch,
      execute: { requests, context in
        do throws(SearchError) {
          let response = try await MultiIndexResponse(
            to: requests, from: client, facets: facets, strategy: strategy, options: options.requestOptions,
            context: context)
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

  /// Changes anything in the request of every index, as one change with one event.
  ///
  /// A change of anything but the page goes back to the first page of that index. `change` is
  /// called once for each index, and again when the requests are set at the same time; it must only
  /// change its argument. A change that cannot be made is reported on ``Searcher/errors``; see
  /// ``Searcher``.
  public nonisolated func update(_ change: (inout SearchRequest<JSON>) -> Void) {
    core.update { $0.map { $0.changed(by: change) } }
  }

  /// Changes anything in the request of one index, as one change; the others stay as they are.
  ///
  /// A position that is none does nothing.
  public nonisolated func update(
    at position: Int, _ change: (inout SearchRequest<JSON>) -> Void
  ) {
    guard filters.indices.contains(position) else { return }
    core.update { $0.changed(at: position, by: change) }
  }

  /// Filters one index by a filter state from now on, as ``HitsSearcher/connectFilterState(_:)``
  /// does; a change of the filters searches all indices, in one request.
  ///
  /// - Returns: The connection; `nil` when there is no such position.
  @discardableResult
  public nonisolated func connectFilterState(
    _ filterState: FilterState, withQueryAtIndex position: Int
  ) -> Connection? {
    follow(filterState, at: position, isSearcherConnection: true)
  }

  /// Filters one index by a filter state, until this connection and all others to it are undone;
  /// `nil` when there is no such position.
  nonisolated func follow(
    _ filterState: FilterState, at position: Int, isSearcherConnection: Bool
  ) -> Connection? {
    guard filters.indices.contains(position) else { return nil }
    return filters[position].follow(filterState, isSearcherConnection: isSearcherConnection) {
      [weak self] groups in
      self?.core.copy {
        $0.changed(at: position) { $0.filterGroups = groups() ?? $0.filterGroups }
      } ?? true
    } applyInitial: { groups in
      core.adjust { $0.changed(at: position) { $0.filterGroups = groups() ?? $0.filterGroups } }
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
  /// The results of the newest searches, one response for each search: the newest there is first.
  public nonisolated func responses(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<MultiIndexResponse> {
    answers(buffering: buffering)
  }

  /// The results of the newest searches, one response for each search: the newest there is first.
  public nonisolated var responses: AsyncStream<MultiIndexResponse> { responses() }

  /// The pages of one index, decoded as `Record`; as ``Searcher/pages(of:buffering:)``.
  ///
  /// A search without a result for that index is left out; with a position that is none, all are.
  public nonisolated func pages<Record: Decodable & Sendable>(
    of type: Record.Type, at position: Int, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsPage<Record>> {
    answers(buffering: buffering).mapped {
      try? await $0.page(of: type, at: position)
    }
  }

  /// Another page of one index's result; as ``HitsSearcher/page(_:of:)``, with a request of that
  /// index alone.
  ///
  /// - Parameters:
  ///   - page: the number of the page, from 0.
  ///   - response: a result of this searcher.
  public nonisolated func page(
    _ page: Int, of response: HitsResponse
  ) async throws(SearchError) -> HitsResponse {
    try await pageLoader.load(page, response).get()
  }
}

// MARK: - The response

/// The results of one search of several indices, by position.
public struct MultiIndexResponse: Sendable {
  /// The number of the search, counted from 1 in each searcher.
  public let generation: UInt64
  /// The result of each index, or why there is none; one that fails does not take the others with
  /// it.
  public let results: [Result<HitsResponse, SearchError>]

  /// The result at a position.
  ///
  /// - Throws: The error of that index; `invalidRequest` when there is no such position.
  public func response(at position: Int) throws(SearchError) -> HitsResponse {
    guard results.indices.contains(position) else {
      throw SearchError(
        .invalidRequest, "There is no result at \(position), there are \(results.count).")
    }
    return try results[position].get()
  }

  /// The page at a position, its hits read as `Record`.
  ///
  /// - Throws: As ``response(at:)`` does. Hits that do not fit are in the page's `failures`.
  public func page<Record>(
    of type: Record.Type, at position: Int
  ) async throws(SearchError) -> HitsPage<Record> {
    try await response(at: position).page(of: type)
  }

  /// The pages of the first indices, each with its own record type.
  ///
  /// ```swift
  /// let (actors, movies) = try await round.pages(of: Hit<Actor>.self, Hit<Movie>.self)
  /// ```
  ///
  /// - Throws: The error of the first index that has none.
  public func pages<each Record: Decodable & Sendable>(
    of type: repeat (each Record).Type
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    var positions = results.indices.makeIterator()
    return (repeat try await page(of: each type, at: positions.next() ?? results.count))
  }
}

extension MultiIndexResponse {
  /// Searches all indices in one request. A wrong result is the error of that index only.
  init(
    to requests: [SearchRequest<JSON>], from client: SearchClient, facets: DisjunctiveFaceting,
    strategy: MultiQueryStrategy, options: RequestOptions, context: SearchContext
  ) async throws(SearchError) {
    let queries = requests.map { facets.queries(for: $0) }
    let answers = try await client.responses(
      to: zip(requests, queries).flatMap { $1.all(in: $0.indexName) }, strategy: strategy,
      options: options)
    generation = context.generation
    var position = 0
    results = zip(requests, queries).map { request, queries in
      defer { position += 1 + queries.facetQueries.count }
      return facets.response(
        to: request, queries: queries, in: answers, at: position, context: context)
    }
  }
}
