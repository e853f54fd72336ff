/// A live search for places: its request changes, places follow.
///
/// It behaves as ``HitsSearcher`` does: changes are synchronous and searched after the debounce, the
/// newest request wins, a failure ends no stream, and nothing needs to be shut down.
public actor PlacesSearcher {
  nonisolated let pipeline: SearchPipeline<PlacesQuery, HitsResponse>

  /// Creates a searcher. It does nothing until its request is set or a search is asked for.
  ///
  /// - Parameters:
  ///   - client: answers the searches.
  ///   - query: the query at first; empty by default.
  ///   - debounce: how long the request must stay unchanged before it is searched; zero by default.
  ///   - stalledAfter: when a search counts as stalled; 300 milliseconds by default.
  ///   - clock: measures both times; a continuous clock by default.
  ///   - executor: runs the searcher's tasks; the global one by default.
  ///   - options: headers, query items and the time limit of every call.
  ///   - shouldSearch: may refuse a request; a caller that awaits it receives `cancelled`.
  public init(
    client: SearchClient,
    query: PlacesQuery = PlacesQuery(),
    debounce: Duration = .zero,
    stalledAfter: Duration = .milliseconds(300),
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    options: RequestOptions = RequestOptions(),
    shouldSearch: @escaping @Sendable (PlacesQuery) -> Bool = { _ in true }
  ) {
    pipeline = SearchPipeline(
      request: query,
      debounce: debounce,
      stalledAfter: stalledAfter,
      clock: PipelineClock(clock),
      executor: executor,
      shouldSearch: shouldSearch,
      execute: { query, context in
        do throws(SearchError) {
          let content = try await client.placesContent(of: query, options: options)
          return .success(
            HitsResponse(request: query.request, content: content, context: context))
        } catch {
          return .failure(error)
        }
      })
  }

  deinit {
    pipeline.close()
  }
}

// MARK: - The request

extension PlacesSearcher {
  /// The request as it was last set, whether it was searched yet or not.
  public nonisolated var request: PlacesQuery { pipeline.request }

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
  /// `change` may run more than once when requests are set at the same time; it must only change its
  /// argument.
  public nonisolated func update(_ change: (inout PlacesQuery) -> Void) {
    pipeline.update { $0.with(change) }
  }
}

// MARK: - Searching

extension PlacesSearcher {
  /// Searches the current request at once, without the debounce; the places come on the streams.
  public nonisolated func submit() {
    pipeline.submit()
  }

  /// Searches the current request at once and returns its places; they are published as well.
  ///
  /// - Throws: `superseded` when the request was changed or searched again before the answer came,
  ///   `cancelled` when the calling task was cancelled, or whatever made the search fail.
  @discardableResult
  public nonisolated func search() async throws(SearchError) -> HitsPage<Hit<Place>> {
    // The searcher must outlive the search that its caller awaits.
    defer { withExtendedLifetime(self) {} }
    return try await pipeline.search().get().page(of: Hit<Place>.self)
  }

  /// Stops the search that is due or under way; streams stay open and no error is published.
  public nonisolated func cancel() {
    pipeline.cancel()
  }
}

// MARK: - Streams

extension PlacesSearcher {
  /// The places of the newest requests: the newest there are first, then each newer ones. Each call
  /// makes a new subscription.
  public nonisolated func pages(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsPage<Hit<Place>>> {
    pipeline.answers.stream(buffering: buffering) { await $0.page(of: Hit<Place>.self) }
  }

  /// Failed searches, and pages some of whose hits did not decode, from now on; a slow consumer finds
  /// the newest 16.
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

  /// The requests: the current one first, then one for each change that changed something.
  public nonisolated func requests(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<PlacesQuery> {
    pipeline.requests.stream(buffering: buffering)
  }

  /// The places of the newest requests.
  public nonisolated var pages: AsyncStream<HitsPage<Hit<Place>>> { pages() }

  /// Failed searches, and pages some of whose hits did not decode, from now on.
  public nonisolated var errors: AsyncStream<SearchError> { errors() }

  /// What the searcher is doing, from now on.
  public nonisolated var states: AsyncStream<SearchState> { states() }

  /// What the searcher is doing now.
  public nonisolated var state: SearchState { pipeline.currentState }
}
