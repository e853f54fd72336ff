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
  /// Measures the debounce and ``stalledAfter``.
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
