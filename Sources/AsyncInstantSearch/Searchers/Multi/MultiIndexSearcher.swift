/// Searches several indices for one text, all in one request for each search.
///
/// Each index has a request of its own, which may have its own parameters and filters; the text is
/// common. One ``MultiIndexResponse`` is published for each search, with the results by position.
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
/// It behaves as ``HitsSearcher`` does: the newest requests win, a failure ends no stream, and nothing
/// needs to be shut down.
public actor MultiIndexSearcher {
  /// The searchers of the indices, by position. Their streams have the parts of their indices; a
  /// search that one of them is asked for is made for its index alone.
  public nonisolated let searchers: [HitsSearcher]

  private nonisolated let pipeline: SearchPipeline<[SearchRequest<JSON>], MultiIndexResponse>

  /// Creates a searcher. It does nothing until a request is set or a search is asked for.
  ///
  /// - Parameters:
  ///   - client: answers the searches.
  ///   - indexNames: the indices, in the order of the results.
  ///   - query: the query of each index at first; empty by default.
  ///   - strategy: whether to stop once an index has enough matches; no by default.
  ///   - debounce: how long the requests must stay unchanged before they are searched; zero by
  ///     default.
  ///   - stalledAfter: when a search counts as stalled; 300 milliseconds by default.
  ///   - clock: measures both times; a continuous clock by default.
  ///   - executor: runs the searcher's tasks; the global one by default.
  ///   - options: headers, query items and the time limit of every call.
  ///   - shouldSearch: may refuse the requests; a caller that awaits them receives `cancelled`.
  public init(
    client: SearchClient,
    indexNames: [String],
    query: SearchQuery = SearchQuery(),
    strategy: MultiQueryStrategy = .none,
    debounce: Duration = .zero,
    stalledAfter: Duration = .milliseconds(300),
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    options: RequestOptions = RequestOptions(),
    shouldSearch: @escaping @Sendable ([SearchRequest<JSON>]) -> Bool = { _ in true }
  ) {
    let searchers = indexNames.map { indexName in
      HitsSearcher(
        client: client, indexName: indexName, query: query, stalledAfter: stalledAfter,
        clock: clock, executor: executor, options: options)
    }
    self.searchers = searchers
    pipeline = SearchPipeline(
      request: searchers.map(\.request),
      debounce: debounce,
      stalledAfter: stalledAfter,
      clock: PipelineClock(clock),
      executor: executor,
      shouldSearch: shouldSearch,
      execute: { _, context in
        // A part that is not wanted any more belongs to a search that is not wanted any more.
        let searches = searchers.compactMap { $0.beginJoinedHits(while: context.isWanted) }
        return await client.perform(searches, strategy: strategy, options: options).map {
          MultiIndexResponse(generation: context.generation, results: $0)
        }
      })
  }

  deinit {
    pipeline.close()
  }
}

// MARK: - The requests

extension MultiIndexSearcher {
  /// The requests as they were last set, by position.
  public nonisolated var requests: [SearchRequest<JSON>] { pipeline.request }

  /// Sets the text of all queries and goes back to their first pages; `nil` means no text.
  public nonisolated func setQuery(_ text: String?) {
    change { _, request in request.query.query = text }
  }

  /// Changes anything in the request of one index, as one change.
  ///
  /// A change of anything but the page goes back to the first page. A position that is none does
  /// nothing.
  public nonisolated func update(
    at position: Int, _ change: (inout SearchRequest<JSON>) -> Void
  ) {
    self.change { index, request in
      if index == position { change(&request) }
    }
  }

  /// Filters one index by a filter state from now on, as ``HitsSearcher/connectFilterState(_:)`` does;
  /// a change of the filters searches all indices, in one request.
  ///
  /// - Returns: The connection; `nil` when there is no such position.
  @discardableResult
  public nonisolated func connectFilterState(
    _ filterState: FilterState, withQueryAtIndex position: Int
  ) -> Connection? {
    guard searchers.indices.contains(position) else { return nil }
    return searchers[position].filters.follow(filterState) { [weak self] groups in
      self?.update(at: position) { $0.filterGroups = groups() }
    } adopt: { groups in
      searchers[position].pipeline.prepare { $0.changed { $0.filterGroups = groups() } }
      pipeline.adjust { _ in searchers.map(\.request) }
    }
  }

  private nonisolated func change(
    _ change: (_ position: Int, inout SearchRequest<JSON>) -> Void
  ) {
    for (position, searcher) in searchers.enumerated() {
      searcher.pipeline.prepare { $0.changed { change(position, &$0) } }
    }
    pipeline.update { _ in searchers.map(\.request) }
  }
}

// MARK: - Searching

extension MultiIndexSearcher {
  /// Searches all indices at once, without the debounce; the results come on the streams.
  public nonisolated func submit() {
    pipeline.submit()
  }

  /// Searches all indices at once and returns their results; they are published as well.
  ///
  /// - Throws: `superseded` when a request was changed or searched again before the answer came,
  ///   `cancelled` when the calling task was cancelled, or whatever made the whole request fail.
  @discardableResult
  public nonisolated func search() async throws(SearchError) -> MultiIndexResponse {
    // The searcher must outlive the search that its caller awaits.
    defer { withExtendedLifetime(self) {} }
    return try await pipeline.search().get()
  }

  /// Stops what is due or under way; streams stay open and no error is published.
  public nonisolated func cancel() {
    pipeline.cancel()
    for searcher in searchers { searcher.cancel() }
  }

  /// The results of the newest searches, one response for each search: the newest there is first.
  public nonisolated func responses(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<MultiIndexResponse> {
    pipeline.answers.stream(buffering: buffering)
  }

  /// Requests that failed as a whole, from now on; each index's searcher reports them as well.
  public nonisolated func errors(
    buffering: StreamBuffering = .newest(16)
  ) -> AsyncStream<SearchError> {
    pipeline.errors.stream(buffering: buffering)
  }

  /// What the searcher is doing: the current state first, then the newest, never the same twice.
  public nonisolated func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<SearchState> {
    pipeline.states.stream(buffering: buffering)
  }

  /// The results of the newest searches.
  public nonisolated var responses: AsyncStream<MultiIndexResponse> { responses() }

  /// Requests that failed as a whole, from now on.
  public nonisolated var errors: AsyncStream<SearchError> { errors() }

  /// What the searcher is doing, from now on.
  public nonisolated var states: AsyncStream<SearchState> { states() }

  /// What the searcher is doing now.
  public nonisolated var state: SearchState { pipeline.currentState }
}
