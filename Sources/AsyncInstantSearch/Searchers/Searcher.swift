/// A live search: its request changes, answers follow.
///
/// Setting a request is synchronous, so the order of calls is the order of requests, from any
/// thread or actor. A change makes a search due after the debounce; the newest request always wins.
///
/// ## Behavior
///
/// - Creating a searcher, connecting it or subscribing to it never searches.
/// - The closure of a change runs again when the request was changed during the run; setting an
///   equal request is no change. Three kinds of changes are not made and reported on
///   ``errors(buffering:)`` instead: one whose closure changes the request of the same searcher in
///   each of 8 runs, one during each of whose 1,000 runs other threads change the request, and one
///   that `shouldSearch` makes.
/// - `shouldSearch` runs for every change, and again before the search. It decides about its
///   argument: during the run it cannot change the request of the same searcher, nor those of the
///   ``MultiSearcher`` that asks it, whether by a setter, ``submit()`` or a filter state.
/// - Answers and errors of a request that is not the newest any more are never published.
/// - A failed search is published on ``errors(buffering:)`` and ``states``; every stream stays
///   open, and the same request can be searched again at once.
/// - Nothing needs to be shut down: when the last reference to the searcher goes, its work is
///   cancelled and its streams end. A caller that awaits a search holds the searcher; a loop over a
///   stream does not, as long as its task was not given the searcher itself: the streams'
///   `subscribe` makes such a task.
///
/// Every access to a stream makes a new subscription.
public protocol Searcher<Request, Answer>: Actor {
  /// What is searched.
  associatedtype Request: Sendable & Equatable
  /// What comes of it.
  associatedtype Answer: Sendable

  /// What the searcher is made of; use its members instead.
  nonisolated var pipeline: SearchPipeline<Request, Answer> { get }

  /// Stops the search that is due or under way; streams stay open and no error is published.
  nonisolated func cancel()
}

// MARK: - Searching

extension Searcher {
  /// The request as it was last set, whether it was searched yet or not.
  public nonisolated var request: Request { pipeline.request }

  /// Searches the current request at once, without the debounce; the answer comes on the streams.
  public nonisolated func submit() {
    pipeline.submit()
  }

  /// Searches the current request at once and returns its answer; it is published as well.
  ///
  /// When it returns, every list, section and view that was connected to the searcher before shows
  /// the answer. Cancelling the calling task ends the wait, and the search as well, unless it also
  /// answers a change of the request that the streams still wait for.
  ///
  /// - Throws: `superseded` when the request was changed or searched again before the answer came,
  ///   `cancelled` when the calling task was cancelled or `shouldSearch` refused the request,
  ///   `invalidRequest` when other threads change the request during each run of `shouldSearch`, or
  ///   whatever made the search fail.
  @discardableResult
  public nonisolated func search() async throws(SearchError) -> Answer {
    // The searcher must outlive the search that its caller awaits.
    defer { withExtendedLifetime(self) {} }
    return try await pipeline.search().get()
  }

  /// Stops the search that is due or under way; streams stay open and no error is published.
  public nonisolated func cancel() {
    pipeline.cancel()
  }
}

// MARK: - Streams

extension Searcher {
  /// What went wrong, from now on: failed searches, and answers some of whose hits did not decode.
  ///
  /// Each call makes a new subscription, which keeps the newest 16 errors until they are read.
  public nonisolated func errors(
    buffering: StreamBuffering = .newest(16)
  ) -> AsyncStream<SearchError> {
    pipeline.errors.stream(buffering: buffering)
  }

  /// What went wrong, from now on: failed searches, and answers some of whose hits did not decode.
  public nonisolated var errors: AsyncStream<SearchError> { errors() }

  /// What the searcher is doing: the current state first, then newer ones, never the same twice in
  /// a row. By default a slow consumer finds only the newest. Each call makes a new subscription.
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
  ) -> AsyncStream<Request> {
    pipeline.requests.stream(buffering: buffering)
  }

  /// The requests: the current one first, then the newest.
  public nonisolated var requests: AsyncStream<Request> { requests() }

  /// What the searcher is doing now.
  public nonisolated var state: SearchState { pipeline.currentState }
}
