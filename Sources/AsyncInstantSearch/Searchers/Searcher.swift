/// A live search: each change of its request is searched, and the response is published.
///
/// Setting a request is synchronous, so requests take effect in the order of the calls, from any
/// thread or actor. A change of the text is searched after the debounce, and any other at once; the
/// newest request always wins.
///
/// ## Behavior
///
/// - Creating a searcher, connecting it or subscribing to it never searches.
/// - A closure runs again if the request changes while it runs, so it must only change its
///   argument. Setting an equal request has no effect. A change is rejected, and reported on
///   ``errors(buffering:)``, if it is made inside a change of the same request or inside
///   `shouldSearch`, and if other threads change the request during each of 1,000 runs.
/// - `shouldSearch` runs for every change, and again before the search. It decides from its
///   argument alone: it cannot change any searcher or filter state.
/// - Responses and errors of a superseded request are never published.
/// - A failed search is published on ``errors(buffering:)`` and ``states``; every stream stays
///   open, and the same request can be searched again at once.
/// - No shutdown is needed: when the last reference to the searcher is released, its work is
///   cancelled and its streams end. An awaited search keeps the searcher alive. A loop over a
///   stream does not, unless its task captures the searcher; the streams' `subscribe` creates a
///   task that does not. A release build can release a searcher after its last use, in the middle
///   of a scope. Where only a list or a stream is used after that, keep the searcher with
///   `withExtendedLifetime`.
/// - Every member can be called from any thread or actor. Code of yours that is isolated to a
///   searcher, in an extension, excludes only other such code: changes by other threads take effect
///   while it runs. To make several changes as one, use `update`.
///
/// Every access to a stream creates a new subscription.
public protocol Searcher<Request, Response>: Actor {
  /// The type of a request.
  associatedtype Request: Sendable & Equatable
  /// The type of the response to a request.
  associatedtype Response: Sendable

  /// The request as it was last set, searched or not.
  nonisolated var request: Request { get }

  /// The current state.
  nonisolated var state: SearchState { get }

  /// Searches the current request at once, without the debounce. The streams publish the response.
  nonisolated func submit()

  /// Searches the current request at once and returns its response; it is published as well.
  ///
  /// The response answers a request that was sent after the call. So it shows every write that the
  /// caller has awaited before. A search that a change has begun, for example `setQuery` without a
  /// debounce, is superseded, although it may have been sent. To change the request and search it
  /// with exactly one request, use a form with a change, such as ``HitsSearcher/search(for:)``.
  ///
  /// When it returns, every list, section and view that was connected to the searcher before shows
  /// the response. Cancelling the calling task ends the wait. It also cancels the search, unless
  /// the streams still wait for the same search because the request was changed.
  ///
  /// - Throws: `superseded` when the request was changed or searched again before the response
  ///   arrived. `cancelled` when the calling task was cancelled or `shouldSearch` rejected the
  ///   request. `invalidRequest` inside `shouldSearch` or a change of the request, including tasks
  ///   that its closure creates, until the closure ends; also when other threads change the request
  ///   during each run of `shouldSearch`. Otherwise the error of the search.
  @discardableResult
  nonisolated func search() async throws(SearchError) -> Response

  /// Waits until no search is pending. Every list, section, widget and view that is connected to
  /// the searcher shows the newest response then.
  ///
  /// Does not search. Cancelling the task ends the wait.
  ///
  /// - Throws: The error of the newest search, or `cancelled`.
  nonisolated func settled() async throws(SearchError)

  /// Stops the pending search. Streams stay open and no error is published.
  nonisolated func cancel()

  /// The responses to the newest requests: the current one first, if there is one, then each newer
  /// one.
  ///
  /// Each call creates a new subscription.
  nonisolated func responses(buffering: StreamBuffering) -> AsyncStream<Response>

  /// How the newest searches ended: the newest one first, if one has ended, then each newer one. It
  /// is one stream of responses and errors, in their order.
  ///
  /// A failure does not end the stream. Each call creates a new subscription.
  nonisolated func outcomes(
    buffering: StreamBuffering
  ) -> AsyncStream<Result<Response, SearchError>>

  /// Errors that occur after the subscription: failed searches, and responses with hits that did
  /// not decode.
  ///
  /// Each call creates a new subscription. The property ``errors`` keeps the newest 16 errors until
  /// they are read.
  nonisolated func errors(buffering: StreamBuffering) -> AsyncStream<SearchError>

  /// The states, beginning with the current one, without repetitions. Each call creates a new
  /// subscription.
  nonisolated func states(buffering: StreamBuffering) -> AsyncStream<SearchState>

  /// The requests: the current one first, then each different one. Each call creates a new
  /// subscription.
  nonisolated func requests(buffering: StreamBuffering) -> AsyncStream<Request>
}

// MARK: - Options

/// Options of every searcher: its clock and executor, and how its calls are sent.
///
/// ```swift
/// let searcher = HitsSearcher(
///   client: client, indexName: "films", debounce: .milliseconds(150),
///   options: .init(requestOptions: RequestOptions(timeout: .seconds(2))))
/// ```
public struct SearcherOptions: Sendable {
  /// How long a search must run before the searcher's state is ``SearchState/stalled``.
  public var stalledAfter: Duration
  /// Measures the debounce and ``stalledAfter``. The clock of the client measures the timeouts of
  /// calls.
  public var clock: any Clock<Duration>
  /// Runs the searcher's tasks; `nil` for the global executor.
  public var executor: (any TaskExecutor)?
  /// The headers, query items and time limits of every call.
  public var requestOptions: RequestOptions

  /// Creates options.
  ///
  /// - Parameters:
  ///   - stalledAfter: When a search counts as stalled. Defaults to 300 milliseconds.
  ///   - clock: Measures the debounce and `stalledAfter`. Defaults to a continuous clock.
  ///   - executor: Runs the searcher's tasks. Defaults to the global executor.
  ///   - requestOptions: The headers, query items and time limits of every call. Defaults to
  ///     none.
  public init(
    stalledAfter: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    requestOptions: RequestOptions = RequestOptions()
  ) {
    self.stalledAfter = stalledAfter
    self.clock = clock
    self.executor = executor
    self.requestOptions = requestOptions
  }
}

extension Searcher {
  /// The options of every searcher.
  public typealias Options = SearcherOptions
}

// MARK: - Streams

extension Searcher {
  /// The responses to the newest requests, beginning with the current one; the newest if the
  /// consumer is slow. The hits of a `SearchAnswer` are not decoded yet.
  public nonisolated var responses: AsyncStream<Response> { responses(buffering: .newest(1)) }

  /// How the newest searches ended, beginning with the newest one; the newest if the consumer is
  /// slow.
  public nonisolated var outcomes: AsyncStream<Result<Response, SearchError>> {
    outcomes(buffering: .newest(1))
  }

  /// Errors that occur after the subscription: failed searches, and responses with hits that did
  /// not decode. The newest 16 errors are kept until they are read.
  public nonisolated var errors: AsyncStream<SearchError> { errors(buffering: .newest(16)) }

  /// The states, beginning with the current one, without repetitions; the newest if the consumer is
  /// slow.
  public nonisolated var states: AsyncStream<SearchState> { states(buffering: .newest(1)) }

  /// The requests: the current one first, then the newest.
  public nonisolated var requests: AsyncStream<Request> { requests(buffering: .newest(1)) }
}

// MARK: - Hits

extension Searcher where Response == SearchAnswer {
  /// Searches the current request at once and returns its page; it is published as well.
  ///
  /// Throws as `search()` does. Hits that do not fit `Record` are in the page's `failures`.
  public nonisolated func search<Record: Decodable & Sendable>(
    of type: Record.Type
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search().page(of: type)
  }

  /// The pages of the newest requests, decoded as `Record`: `Hit<T>`, `T` or `JSON`.
  ///
  /// Every call creates a new subscription. It receives the current page first, if there is one,
  /// and then each newer page. A consumer that is slower than the searches misses pages in between
  /// and always receives the newest. Pages are decoded on the consumer's task, off any actor.
  ///
  /// A loop in a task that captures the searcher keeps it alive. `subscribe` creates a task that
  /// does not:
  ///
  /// ```swift
  /// searcher.pages(of: Hit<Film>.self).subscribe { page in await screen.draw(page) }
  /// ```
  public nonisolated func pages<Record: Decodable & Sendable>(
    of type: Record.Type, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsPage<Record>> {
    responses(buffering: buffering).mapped { await $0.page(of: type) }
  }

  /// How the newest searches ended, with pages that are decoded as `Record`: one stream of pages
  /// and errors, for example for a server that sends each as an event.
  ///
  /// ```swift
  /// for await outcome in searcher.outcomes(of: Hit<Film>.self) {
  ///   switch outcome {
  ///   case .success(let page): try await send(page)
  ///   case .failure(let error): try await send(error, status: error.httpStatus)
  ///   }
  /// }
  /// ```
  ///
  /// A consumer that is slower than the searches misses outcomes in between and always receives the
  /// newest. Hits that do not decode are in the `failures` of their page. Otherwise as
  /// ``pages(of:buffering:)``.
  public nonisolated func outcomes<Record: Decodable & Sendable>(
    of type: Record.Type, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<Result<HitsPage<Record>, SearchError>> {
    outcomes(buffering: buffering).mapped { outcome in
      switch outcome {
      case .success(let response): .success(await response.page(of: type))
      case .failure(let error): .failure(error)
      }
    }
  }
}

extension AsyncStream where Element: Sendable {
  /// The same subscription with transformed values. `transform` runs on the consumer's task and
  /// returns `nil` to omit a value.
  func mapped<Output>(
    _ transform: @escaping @concurrent @Sendable (Element) async -> Output?
  ) -> AsyncStream<Output> {
    AsyncStream<Output> {
      // All iterators of a stream share its one subscription.
      var values = self.makeAsyncIterator()
      while let value = await values.next(isolation: nil) {
        if let output = await transform(value) { return output }
      }
      return nil
    }
  }
}

// MARK: - The library's searchers

/// A searcher whose state is a core, to which its members forward.
protocol CoreSearcher: Searcher {
  nonisolated var core: SearcherCore<Request, Response> { get }
}

extension CoreSearcher {
  /// Changes the request and searches it, in one step.
  ///
  /// - Parameter streamsWait: Whether the streams wait for the response, even if the request stays
  ///   equal. Then cancelling the caller ends only its wait. Defaults to `false`.
  nonisolated func search(
    forStreams streamsWait: Bool = false, changing change: (Request) -> Request
  ) async throws(SearchError) -> Response {
    // The searcher must outlive the search that its caller awaits.
    defer { withExtendedLifetime(self) {} }
    // Streams need this search, so it runs even if the caller is already cancelled.
    if !streamsWait { try SearchError.checkNotCancelled() }
    return try await core.search(forStreams: streamsWait, changing: change).get()
  }

  /// Waits until no search is pending.
  nonisolated func settledCore() async throws(SearchError) {
    defer { withExtendedLifetime(self) {} }
    try await core.settled()
  }
}
