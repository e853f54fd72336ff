import InstantSearchJSON

/// Caches the responses of another transport and coalesces equal concurrent calls.
///
/// For different searches at about the same time use ``BatchingTransport``; both can be combined.
///
/// ```swift
/// let client = SearchClient(transport: CachingTransport(wrapping: network))
/// ```
///
/// ## Behavior
///
/// - The cache stores responses to searches of one index and to multi-queries, to searches for
///   facet values and for places, to requests for several records by their IDs, and
///   recommendations. It forwards every other read: task status, settings, keys and single records
///   must be current, and browsing reads each page once.
/// - Responses of status 2xx are cached for ``timeToLive``, unless their body is an error: a JSON
///   object with a message or a status instead of hits (also as one of several results), or not a
///   JSON object at all. When the responses exceed ``maximumBytes``, the least recently used ones
///   are evicted first. A response larger than that is not cached.
/// - Calls are equal if their method, path, body, query items and headers are. The comparison
///   ignores the request ID, the user agent, trace headers, and the names that the caller gives:
///   headers, query items and members of the body, such as `analyticsTags`. It does not ignore API
///   keys and user tokens, because different keys may see different records. A key that the
///   wrapped transport adds itself is not part of the request, so the cache does not notice when
///   it is replaced. Call ``invalidateAll()`` in that case; otherwise the responses for the old
///   key are returned until they expire.
/// - Equal concurrent calls share one call to the wrapped transport, which has the headers and the
///   `TransportRequest.attemptTimeout` of the first. Each of them keeps its own cancellation and
///   its own deadline. The shared call has no deadline and is cancelled when its last caller
///   leaves. If it fails or its status is not 2xx, all callers receive that outcome and nothing is
///   cached.
/// - A call with a `TransportRequest.snapshot` is forwarded. The snapshot of a response is cached
///   with it, which keeps the data of the snapshot alive.
/// - A write is forwarded. It invalidates the indices that it names, or everything if it names no
///   index, both when it begins and when it ends. A search after an awaited write therefore never
///   sees older data. Call ``invalidate(indexName:)`` after a write that the cache does not see,
///   such as a load of the engine, and after a write that a service applies later or to replicas
///   with other names.
/// - A response to a call that began before an invalidation is not cached, and a call made after
///   an invalidation does not join a call that began before it.
/// - A cached response is marked in its `TransportResponse.origin`.
///
/// A lookup takes the time to hash the request, regardless of the number of responses. If the
/// caller gives names to ignore, it also searches the body for them, and parses the body as JSON
/// if it contains one. Storing a response parses it as JSON, unless it is too large to be cached.
public final class CachingTransport: SearchTransport {
  /// The time for which a response is cached, counted from its arrival.
  public let timeToLive: Duration
  /// The maximum size of the cache in bytes: keys, headers and bodies.
  public let maximumBytes: Int

  private let base: any SearchTransport
  /// Whether calls of the wrapped transport end in time.
  public var isPrompt: Bool { base.isPrompt }
  private let driver: CacheDriver
  private let ignoredNames: IgnoredNames

  /// Creates a cache for the responses of another transport.
  ///
  /// - Parameters:
  ///   - base: The transport that answers calls that the cache does not answer.
  ///   - timeToLive: The time for which a response is cached. Defaults to 60 s. Zero caches
  ///     nothing; equal concurrent calls still share one call.
  ///   - maximumBytes: The maximum size of the cache in bytes. Defaults to 10 MB.
  ///   - ignoredNames: Names that do not affect a response, in addition to the names that are
  ///     always ignored. Defaults to none. They are names of headers and query items, in any letter
  ///     case, and exact names of members of the JSON body and of the queries in `requests` of a
  ///     multi-query. Deeper members, and parameters in the text of `params`, are not searched.
  ///   - clock: The clock that measures the time to live. Defaults to `ContinuousClock`.
  ///   - executor: The executor that runs the shared calls. Defaults to the global one.
  ///   - shouldCache: Returns whether to cache a successful response. Defaults to every response
  ///     except from a fallback, which would outlast the failure that it bridges; see
  ///     `ResponseOrigin.isFallback`.
  public init(
    wrapping base: some SearchTransport,
    timeToLive: Duration = .seconds(60),
    maximumBytes: Int = 10_000_000,
    ignoring ignoredNames: Set<String> = [],
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    shouldCache: @escaping @Sendable (TransportResponse) -> Bool = {
      $0.origin?.isFallback != true
    }
  ) {
    self.base = base
    self.timeToLive = timeToLive
    self.maximumBytes = maximumBytes
    self.ignoredNames = IgnoredNames(ignoredNames)
    driver = CacheDriver(
      base: base,
      machine: CacheStateMachine(
        timeToLive: Deadline.bounded(timeToLive), maximumBytes: maximumBytes),
      clock: AnyClock(clock), executor: executor, shouldCache: shouldCache)
  }

  /// The cache's counters and current size.
  public var statistics: Statistics { driver.statistics }

  /// Answers a call from the cache or from the wrapped transport; see ``CachingTransport``.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, `SearchError` of code
  ///   `timedOut` as soon as the deadline passes, or the error of the wrapped transport.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    guard request.callType == .read else { return try await write(request) }
    guard request.endpoint.isCacheable, request.snapshot == nil else {
      return try await base.send(request)
    }
    return try await driver.answer(request, CacheKey(request, leavingOut: ignoredNames))
  }

  /// Removes all responses. Responses to calls in flight are not cached.
  ///
  /// Call this after the key of the wrapped transport has been replaced.
  public func invalidateAll() {
    driver.invalidate(.unknown)
  }

  /// Removes the responses about an index, including responses to several queries if any is about
  /// it, and responses that name no index. Responses to such calls in flight are not cached.
  ///
  /// - Complexity: O(removed responses).
  public func invalidate(indexName: String) {
    driver.invalidate(.named([indexName]))
  }

  private func write(_ request: TransportRequest) async throws -> TransportResponse {
    let indices = AffectedIndices(of: request)
    driver.invalidate(indices)
    // Also when it fails, because its effect is unknown then.
    defer { driver.invalidate(indices) }
    return try await base.send(request)
  }
}

extension CachingTransport {
  /// The counters and the current size of a cache.
  public struct Statistics: Sendable, Hashable {
    /// The number of calls that were answered from the cache.
    public var hits = 0
    /// The number of calls that were forwarded to the wrapped transport.
    public var misses = 0
    /// The number of calls that joined an equal call in flight.
    public var coalesced = 0
    /// The number of cached responses. An expired response counts until it is looked up or evicted.
    public var entries = 0
    /// The size of their keys, headers and bodies in bytes.
    public var bytes = 0

    /// Creates statistics in which every count is zero.
    public init() {}
  }
}

extension CachingTransport: CustomStringConvertible, CustomReflectable {
  /// The size of the cache. Neither keys nor responses are shown.
  public var description: String {
    let counts = statistics
    return "CachingTransport(\(counts.entries) entries, \(counts.bytes) bytes)"
  }

  /// A mirror of the statistics.
  public var customMirror: Mirror { Mirror(self, children: ["statistics": statistics]) }
}

/// Owns the lock and the tasks of a cache. The state machine makes the decisions.
final class CacheDriver: StateMachineDriver {
  private let base: any SearchTransport
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  private let shouldCache: @Sendable (TransportResponse) -> Bool
  let machine: SharedStateMachine<CacheStateMachine>
  /// Larger responses are not parsed, because they cannot be cached.
  private let maximumBytes: Int

  init(
    base: any SearchTransport, machine: CacheStateMachine, clock: AnyClock,
    executor: (any TaskExecutor)?, shouldCache: @escaping @Sendable (TransportResponse) -> Bool
  ) {
    self.base = base
    self.clock = clock
    self.executor = executor
    self.shouldCache = shouldCache
    maximumBytes = machine.maximumBytes
    self.machine = SharedStateMachine(machine, executor: executor)
  }

  var statistics: CachingTransport.Statistics { machine.read { $0.statistics } }

  /// Answers a read from the cache, from a call in flight, or with a new call.
  func answer(_ request: TransportRequest, _ key: CacheKey) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let waiterID: CacheStateMachine.WaiterID
    switch lookUp(request, key, waiter) {
    case .hit(let response): return response
    case .coalesced(let joined): waiterID = joined
    case .miss(let first): waiterID = first
    }
    do {
      return try await waiter.value(until: request.deadline, executor: executor)
    } catch {
      // After a failure of the flight itself there is nothing to leave.
      send { $0.callerLeft(waiterID) }
      throw error
    }
  }

  func invalidate(_ indices: AffectedIndices) {
    send { $0.indicesChanged(indices) }
  }

  private func lookUp(
    _ request: TransportRequest, _ key: CacheKey, _ waiter: Waiter<TransportResponse>
  ) -> CacheStateMachine.Lookup {
    let now = clock.now()
    if let lookup = send({ $0.callArrived(key, waiter, now: now) }) { return lookup }
    // Reading which indices the call names pays off only for a miss.
    let indices = AffectedIndices(of: request)
    return send { $0.callMissed(request, key, about: indices, waiter, now: now) }
  }

  /// Makes the call of a flight. It belongs to no caller and has no caller's deadline.
  private func start(_ id: UInt64, _ request: TransportRequest) {
    var request = request
    request.deadline = nil
    machine.tasks.start(id) { [request] in
      let outcome: Result<TransportResponse, any Error>
      do {
        outcome = .success(try await self.base.send(request))
      } catch {
        outcome = .failure(error)
      }
      let cached = self.cacheableResponse(of: outcome)
      let now = self.clock.now()
      self.send { $0.flightEnded(id, outcome, storing: cached, now: now) }
    }
  }

  /// The response to cache; `nil` if the outcome must not be cached.
  private func cacheableResponse(of outcome: Result<TransportResponse, any Error>)
    -> TransportResponse?
  {
    guard case .success(let response) = outcome, response.body.count <= maximumBytes,
      response.isSuccess, shouldCache(response)
    else { return nil }
    return response
  }

  func perform(_ action: CacheStateMachine.Action) {
    switch action {
    case .start(let flight, let request): start(flight, request)
    case .cancel(let flight): machine.tasks.cancel(flight)
    case .resume(let waiter, let outcome): waiter.fulfill(with: outcome)
    case .release(let response): withExtendedLifetime(response) {}
    }
  }
}

extension TransportResponse {
  /// Whether the response to a cacheable call is a success according to the contract.
  ///
  /// Errors also arrive with status 200: each query of a multi-query has its own status, and some
  /// proxies return their own page or change the status. Such responses must not be cached.
  var isSuccess: Bool {
    guard (200..<300).contains(status), let root = try? JSONDocument(body).root,
      root.kind == .object, !Self.isError(root)
    else { return false }
    // A list of records also has results. Their members are the records' members.
    return root["results"]?.elements.allSatisfy { result in
      result["objectID"] != nil || !Self.isError(result)
    } ?? true
  }

  /// Whether a result is an error: its status says so, or it has only a message. A result without
  /// hits can have a message too.
  private static func isError(_ result: JSONNode) -> Bool {
    guard CallContext.isError(result, lacking: ["results", "hits", "facetHits"]) else {
      return false
    }
    return result["status"].map { ($0.int ?? 0) >= 400 } == true
      || result.members.allSatisfy { $0.hasKey("message") || $0.hasKey("status") }
  }
}
