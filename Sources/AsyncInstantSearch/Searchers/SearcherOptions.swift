/// What every searcher lets its creator choose: when a change is searched, on which clock and
/// executor, and how its calls are sent.
///
/// ```swift
/// let searcher = HitsSearcher(
///   client: client, indexName: "films", options: .init(debounce: .milliseconds(150)))
/// ```
public struct SearcherOptions: Sendable {
  /// How long the request must stay unchanged before it is searched; with zero, every change is
  /// searched at once. Calls of ``Searcher/submit()`` and ``Searcher/search()`` never wait.
  public var debounce: Duration
  /// How long a search must run before the searcher's state is ``SearchState/stalled``.
  public var stalledAfter: Duration
  /// Measures both times.
  public var clock: any Clock<Duration>
  /// Runs the searcher's tasks; `nil` for the global executor.
  public var executor: (any TaskExecutor)?
  /// The headers, query items and time limits of every call.
  public var requestOptions: RequestOptions

  /// Creates options.
  ///
  /// - Parameters:
  ///   - debounce: How long the request must stay unchanged before it is searched. Defaults to
  ///     zero.
  ///   - stalledAfter: When a search counts as stalled. Defaults to 300 milliseconds.
  ///   - clock: Measures both times. Defaults to a continuous clock.
  ///   - executor: Runs the searcher's tasks. Defaults to the global executor.
  ///   - requestOptions: The headers, query items and time limits of every call. Defaults to those
  ///     of the client.
  public init(
    debounce: Duration = .zero,
    stalledAfter: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    requestOptions: RequestOptions = RequestOptions()
  ) {
    self.debounce = debounce
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
