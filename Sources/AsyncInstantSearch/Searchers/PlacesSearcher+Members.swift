// The members of ``Searcher`` on ``PlacesSearcher``: see SearcherMembers.swift.

extension PlacesSearcher {
  /// The request as it was last set, searched or not.
  public nonisolated var request: Request { core.request }

  /// The current state.
  public nonisolated var state: SearchState { core.state }

  /// Searches the current request at once, without the debounce. The streams publish the response.
  ///
  /// Use it from synchronous code. See ``Searcher/submit()``.
  public nonisolated func submit() { core.submit() }

  /// Searches the current request at once and returns its response; it is published as well.
  ///
  /// - Throws: `superseded` when the request was changed or searched again before the response
  ///   arrived, `cancelled`, or the error of the search. See ``Searcher/search()``.
  @discardableResult
  public nonisolated func search() async throws(SearchError) -> Response {
    try await search(changing: { $0 })
  }

  /// Waits until no search is pending, without searching. See ``Searcher/settled()``.
  ///
  /// - Throws: The error of the newest search, or `cancelled`.
  public nonisolated func settled() async throws(SearchError) { try await settledCore() }

  /// Stops the pending search. Streams stay open and no error is published.
  public nonisolated func cancel() { core.cancel() }

  /// The responses to the newest requests, the current one first. Each call is a new subscription.
  public nonisolated func responses(buffering: StreamBuffering) -> AsyncStream<Response> {
    core.streams.responses.stream(buffering: buffering)
  }

  /// How the newest searches ended, the newest one first. Each call is a new subscription.
  public nonisolated func outcomes(
    buffering: StreamBuffering
  ) -> AsyncStream<Result<Response, SearchError>> {
    core.streams.outcomes.stream(buffering: buffering)
  }

  /// Errors that occur after the subscription. Each call is a new subscription.
  public nonisolated func errors(buffering: StreamBuffering) -> AsyncStream<SearchError> {
    core.streams.errors.stream(buffering: buffering)
  }

  /// The states, the current one first, without repetitions. Each call is a new subscription.
  public nonisolated func states(buffering: StreamBuffering) -> AsyncStream<SearchState> {
    core.states(buffering: buffering)
  }

  /// The requests, the current one first, then each different one. Each call is a new subscription.
  public nonisolated func requests(buffering: StreamBuffering) -> AsyncStream<Request> {
    core.streams.requests.stream(buffering: buffering)
  }
}
