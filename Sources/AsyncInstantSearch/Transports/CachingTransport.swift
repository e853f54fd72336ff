import InstantSearchJSON

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
///   `TransportRequest.attemptTimeout` is that of the first. Its error, or its answer of another
///   status, goes to all of them and is not kept.
/// - A call with a `TransportRequest.snapshot` is passed on. An answer's own snapshot is kept
///   with it, and with that the data of which it is a snapshot.
/// - A write is passed on. It invalidates the indices that it names, or everything if it names
///   none, when it begins and when it ends, so that a search after an awaited write does not see
///   the time before it. A write that the cache does not see, such as the engine's own `save`, and
///   one that a service applies later or to replicas of other names, needs a call of
///   ``invalidate(indexName:)`` when it is done.
/// - An answer begun before an invalidation is not kept after it, and a call made after an
///   invalidation does not wait for a call begun before.
/// - A kept answer says so in its `TransportResponse.origin`.
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
  private let driver: CacheDriver
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
  ///   - shouldCache: Whether an answer that is a success is kept; by default every one but those of
  ///     a fallback, which would outlast the failure that they bridge; see
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

  /// What the cache has done so far and what it holds.
  public var statistics: Statistics { driver.statistics }

  /// Answers a call; see ``CachingTransport``.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled; `SearchError` of code
  ///   `timedOut` at once when the deadline passes; what the wrapped transport throws.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    guard request.callType == .read else { return try await write(request) }
    guard request.endpoint.isCacheable, request.snapshot == nil else {
      return try await base.send(request)
    }
    return try await driver.answer(request, CacheKey(request, leavingOut: ignoredNames))
  }

  /// Drops all answers. Those to calls under way will not be kept.
  ///
  /// It is to be called when the key of the wrapped transport has been replaced.
  public func invalidateAll() {
    driver.invalidate(.unknown)
  }

  /// Drops the answers about an index, those to several queries of which one is about it included,
  /// and those that name no index. Those to calls under way will not be kept.
  ///
  /// - Complexity: O(answers that are dropped).
  public func invalidate(indexName: String) {
    driver.invalidate(.named([indexName]))
  }

  private func write(_ request: TransportRequest) async throws -> TransportResponse {
    let indices = AffectedIndices(of: request)
    driver.invalidate(indices)
    // Also when it fails: what became of it is not known then.
    defer { driver.invalidate(indices) }
    return try await base.send(request)
  }
}

extension CachingTransport {
  /// What a cache has done so far and what it holds.
  public struct Statistics: Sendable, Hashable {
    /// Calls that were answered from the cache.
    public var hits = 0
    /// Calls for which the wrapped transport was asked.
    public var misses = 0
    /// Calls that shared a call under way.
    public var coalesced = 0
    /// The answers that are kept; an answer that is too old counts until somebody asks for it, or
    /// until it has to make room.
    public var entries = 0
    /// The length of their keys, headers and bodies.
    public var bytes = 0

    /// Creates counts of nothing.
    public init() {}
  }
}

extension CachingTransport: CustomStringConvertible, CustomReflectable {
  /// The counts; neither keys nor answers are shown.
  public var description: String {
    let counts = statistics
    return "CachingTransport(\(counts.entries) entries, \(counts.bytes) bytes)"
  }

  /// A mirror of the counts.
  public var customMirror: Mirror { Mirror(self, children: ["statistics": statistics]) }
}

/// Owns the lock and the tasks of a cache; what happens is decided by its machine.
final class CacheDriver: Sendable {
  private let base: any SearchTransport
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  private let shouldCache: @Sendable (TransportResponse) -> Bool
  private let machine: Lock<CacheStateMachine>
  /// The calls under way, by the flight's number.
  private let flights: TaskBag<UInt64>
  /// An answer that is larger is not read to see whether it may be kept.
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
    self.machine = Lock(machine)
    flights = TaskBag(executor: executor)
  }

  var statistics: CachingTransport.Statistics { machine.withLock { $0.statistics } }

  /// Answers a read from the cache, with a call under way, or with a new one.
  func answer(_ request: TransportRequest, _ key: CacheKey) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let waiterID: CacheStateMachine.WaiterID
    switch lookUp(request, key, waiter) {
    case .hit(let response): return response
    case .coalesced(let joined): waiterID = joined
    case .miss(let first):
      waiterID = first
      start(first.flight, request)
    }
    do {
      return try await waiter.value(until: request.deadline, executor: executor)
    } catch {
      // After a failure of the flight itself there is nothing left to leave.
      if let flight = machine.withLock({ $0.leave(waiterID) }) { flights.cancel(flight) }
      throw error
    }
  }

  func invalidate(_ indices: AffectedIndices) {
    change { machine, discarded in machine.invalidate(indices, discarded: &discarded) }
  }

  private func lookUp(
    _ request: TransportRequest, _ key: CacheKey, _ waiter: Waiter<TransportResponse>
  ) -> CacheStateMachine.Lookup {
    let now = clock.now()
    let lookup = change { machine, discarded in
      machine.lookUp(key, waiter, now: now, discarded: &discarded)
    }
    if let lookup { return lookup }
    // Only now is it worth reading which indices the call names.
    let indices = AffectedIndices(of: request)
    return change { machine, discarded in
      let lookup = machine.begin(
        key, about: indices, waiter, now: now, discarded: &discarded)
      if case .miss(let waiterID) = lookup { flights.reserve(waiterID.flight) }
      return lookup
    }
  }

  /// Makes the call of a flight, which belongs to no caller and so ends with no caller's deadline.
  private func start(_ id: UInt64, _ request: TransportRequest) {
    var request = request
    request.deadline = nil
    flights.start(id) { [request] in
      let outcome: Result<TransportResponse, any Error>
      do {
        outcome = .success(try await self.base.send(request))
      } catch {
        outcome = .failure(error)
      }
      let kept = self.kept(of: outcome)
      let now = self.clock.now()
      let waiters = self.change { machine, discarded in
        machine.complete(id, storing: kept, now: now, discarded: &discarded)
      }
      for waiter in waiters { waiter.fulfill(with: outcome) }
    }
  }

  /// The answer that may be kept, if it is one.
  private func kept(of outcome: Result<TransportResponse, any Error>) -> TransportResponse? {
    guard case .success(let response) = outcome, response.body.count <= maximumBytes,
      response.isSuccess, shouldCache(response)
    else { return nil }
    return response
  }

  /// Changes the machine, and releases what it gives back after the lock.
  private func change<Result: Sendable>(
    _ change: (inout CacheStateMachine, inout [TransportResponse]) -> Result
  ) -> Result {
    let (result, discarded) = machine.withLock { machine in
      var discarded: [TransportResponse] = []
      let result = change(&machine, &discarded)
      return (result, discarded)
    }
    withExtendedLifetime(discarded) {}
    return result
  }
}

extension TransportResponse {
  /// Whether the answer to a cacheable call is a success by the contract.
  ///
  /// Errors come with status 200 as well: a query of several has its own, and some proxies answer
  /// with a page of theirs or change the status. None of them is to be given again.
  var isSuccess: Bool {
    guard (200..<300).contains(status), let root = try? JSONDocument(body).root,
      root.kind == .object, !Self.isError(root)
    else { return false }
    // A list of records has results, too, whose members are those of the records.
    return root["results"]?.elements.allSatisfy { result in
      result["objectID"] != nil || !Self.isError(result)
    } ?? true
  }

  /// Whether a result is an error: its status says so, or it is a message and nothing else. A
  /// result without hits may have a message as well.
  private static func isError(_ result: JSONNode) -> Bool {
    guard CallContext.isError(result, lacking: ["results", "hits", "facetHits"]) else {
      return false
    }
    return result["status"].map { ($0.int ?? 0) >= 400 } == true
      || result.members.allSatisfy { $0.hasKey("message") || $0.hasKey("status") }
  }
}
