/// Keeps the answers of another transport, and makes one call of equal calls at the same time.
///
/// ```swift
/// let client = SearchClient(transport: CachingTransport(wrapping: network))
/// ```
///
/// ## Behavior
///
/// - Kept are answers to searches of one index and to multi-queries, to searches for facet values
///   and for places, to requests for several records by their IDs, and recommendations. Every other
///   read is passed on: the state of a task, settings, keys and single records must be current, and
///   browsing reads each page once.
/// - Answers of status 2xx are kept for ``timeToLive``, unless they are errors all the same: a JSON
///   object with a message or a status instead of hits, also as one of several results, or no JSON
///   object at all. When they take more than ``maximumBytes``, those used longest ago go first; one
///   that is larger than that is not kept.
/// - Calls are equal when method, path, body, query items and headers are. Left out are the ID of
///   the request, the user agent, the headers of traces, and what has one of the names that the
///   caller gives: headers, query items and members of the body, such as `analyticsTags`. An API
///   key or a user token is not: different keys may see different records. A key that the wrapped
///   transport adds by itself is not in the request, so the cache does not notice that it is
///   replaced by another: call ``invalidateAll()`` then, or the answers seen under the old key are
///   given until they expire.
/// - Equal calls at the same time share one call to the wrapped transport, which has the headers of
///   the first. Each of them ends with its own cancellation or at its own deadline; the shared call
///   has no deadline, and is cancelled when the last of them has gone. Its
///   ``TransportRequest/attemptTimeout`` is that of the first. Its error, or its answer of another
///   status, goes to all of them and is not kept.
/// - A call with a ``TransportRequest/snapshot`` is passed on. An answer's own snapshot is kept
///   with it, and with that the data of which it is a snapshot.
/// - A write is passed on. It invalidates the indices that it names, or everything if it names
///   none, when it begins and when it ends, so that a search after an awaited write does not see
///   the time before it. A write that the cache does not see, such as the engine's own `save`, and
///   one that a service applies later or to replicas of other names, needs a call of
///   ``invalidate(indexName:)`` when it is done.
/// - An answer begun before an invalidation is not kept after it, and a call made after an
///   invalidation does not wait for a call begun before.
/// - A kept answer says so in its ``TransportResponse/origin``.
///
/// Looking an answer up takes the time of hashing the request, whatever the number of answers; and
/// where the caller gives names, that of searching the body for them, which is read as JSON when it
/// has one. Keeping an answer takes reading it as JSON, unless it is too large to be kept.
public final class CachingTransport: SearchTransport {
  /// How long an answer is kept, from when it came.
  public let timeToLive: Duration
  /// How many bytes the answers may take: their keys, headers and bodies.
  public let maximumBytes: Int

  private let base: any SearchTransport
  private let storage: CacheStorage
  private let ignoredNames: IgnoredNames

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: Answers what the cache does not.
  ///   - timeToLive: How long an answer is kept; a minute by default. Zero keeps none; equal calls
  ///     at the same time are one call all the same.
  ///   - maximumBytes: How many bytes are kept; 10 MB by default.
  ///   - ignoredNames: Names of what makes no difference to an answer, beside what never does; none
  ///     by default. They are names of headers and query items, in any letter case, and, as they
  ///     are written, of members of the JSON object that is the body, and of the queries in
  ///     `requests` of a multi-query. Not looked into are deeper members, and parameters in the
  ///     text of `params`.
  ///   - clock: Measures the time; a continuous clock by default.
  ///   - executor: Runs the shared calls; the global one by default.
  ///   - shouldKeep: Whether an answer that is a success is kept; by default every one but those of
  ///     a fallback, which would outlast the failure that they bridge; see
  ///     ``AnswerOrigin/isFallback``.
  public init(
    wrapping base: some SearchTransport,
    timeToLive: Duration = .seconds(60),
    maximumBytes: Int = 10_000_000,
    ignoring ignoredNames: Set<String> = [],
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    shouldKeep: @escaping @Sendable (TransportResponse) -> Bool = {
      $0.origin?.isFallback != true
    }
  ) {
    self.base = base
    self.timeToLive = timeToLive
    self.maximumBytes = maximumBytes
    self.ignoredNames = IgnoredNames(ignoredNames)
    storage = CacheStorage(
      base: base,
      machine: CacheMachine(
        timeToLive: Deadline.bounded(timeToLive), maximumBytes: maximumBytes),
      clock: ErasedClock(clock), executor: executor, shouldKeep: shouldKeep)
  }

  /// What the cache has done so far and what it holds.
  public var statistics: Statistics { storage.statistics }

  /// Answers a call; see ``CachingTransport``.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled; ``SearchError`` of code
  ///   `timedOut` at once when the deadline passes; what the wrapped transport throws.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkIsAwaited()
    guard request.callType == .read else { return try await write(request) }
    guard request.endpoint.isCacheable, request.snapshot == nil else {
      return try await base.send(request)
    }
    return try await storage.answer(request, CacheKey(request, leavingOut: ignoredNames))
  }

  /// Drops all answers. Those to calls under way will not be kept.
  ///
  /// It is to be called when the key of the wrapped transport has been replaced.
  public func invalidateAll() {
    storage.invalidate(.any)
  }

  /// Drops the answers about an index, those to several queries of which one is about it included,
  /// and those that name no index. Those to calls under way will not be kept.
  ///
  /// - Complexity: O(answers that are dropped).
  public func invalidate(indexName: String) {
    storage.invalidate(.some([indexName]))
  }

  private func write(_ request: TransportRequest) async throws -> TransportResponse {
    let indices = NamedIndices(of: request)
    storage.invalidate(indices)
    // Also when it fails: what became of it is not known then.
    defer { storage.invalidate(indices) }
    return try await base.send(request)
  }
}
