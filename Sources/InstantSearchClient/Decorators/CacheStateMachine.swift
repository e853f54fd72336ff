/// The state machine of ``CachingTransport``: cached responses and flights (shared calls).
///
/// Times are read from the cache's clock.
struct CacheStateMachine: StateMachine {
  /// Identifies a caller that waits for a flight.
  struct WaiterID: Sendable, Hashable {
    let flight: UInt64
    let number: UInt64
  }

  /// An action to perform after an event, in order.
  enum Action: Sendable {
    /// Performs the call of a new flight, which ends with `flightEnded`.
    case start(flight: UInt64, TransportRequest)
    /// Cancels the call of a flight without callers.
    case cancel(flight: UInt64)
    /// Resumes a caller with the outcome of its flight.
    case resume(Waiter<TransportResponse>, Result<TransportResponse, any Error>)
    /// Releases a removed response. That can run foreign code, so it must not happen under a lock.
    case release(TransportResponse)
  }

  /// Calls in flight are tasks under their flight numbers.
  static func startedTask(by action: Action) -> UInt64? {
    if case .start(let flight, _) = action { flight } else { nil }
  }

  /// The result of looking up a call.
  enum Lookup: Sendable {
    /// The cache has a response.
    case hit(TransportResponse)
    /// The call waits for an existing flight.
    case coalesced(WaiterID)
    /// The call waits for a new flight.
    case miss(WaiterID)
  }

  private struct Entry: Sendable {
    let response: TransportResponse
    let expiry: Duration
    let byteCount: Int
    let indices: AffectedIndices
  }

  private struct Flight: Sendable {
    let key: CacheKey
    let indices: AffectedIndices
    var waiters: [UInt64: Waiter<TransportResponse>]
  }

  let timeToLive: Duration
  let maximumBytes: Int
  private(set) var statistics = CachingTransport.Statistics()

  private var entries = LinkedDictionary<CacheKey, Entry>()
  private var entriesByIndex = KeysByIndex<CacheKey>()
  private var flights: [UInt64: Flight] = [:]
  /// The flights that began after the last invalidation. Other calls may join them, and their
  /// responses may be cached.
  private var current: [CacheKey: UInt64] = [:]
  private var currentByIndex = KeysByIndex<UInt64>()
  private var nextNumber: UInt64 = 0

  init(timeToLive: Duration, maximumBytes: Int) {
    self.timeToLive = timeToLive
    self.maximumBytes = maximumBytes
  }

  // MARK: - Calls

  /// A call arrived. Looks it up in the cache and among the flights.
  ///
  /// - Returns: The response or the flight to wait for; `nil` without either.
  mutating func callArrived(
    _ key: CacheKey, _ waiter: Waiter<TransportResponse>, now: Duration
  ) -> (lookup: Lookup?, actions: [Action]) {
    var actions: [Action] = []
    if let entry = entries[key] {
      if entry.expiry > now {
        entries.moveToEnd(key)
        statistics.hits += 1
        return (.hit(entry.response), [])
      }
      actions = remove(key)
    }
    guard let id = current[key] else { return (nil, actions) }
    statistics.coalesced += 1
    return (.coalesced(addWaiter(waiter, on: id)), actions)
  }

  /// A call arrived for which ``callArrived(_:_:now:)`` found nothing. It begins a flight, unless
  /// an equal call has begun one since.
  mutating func callMissed(
    _ request: TransportRequest, _ key: CacheKey, about indices: AffectedIndices,
    _ waiter: Waiter<TransportResponse>, now: Duration
  ) -> (lookup: Lookup, actions: [Action]) {
    let (lookup, actions) = callArrived(key, waiter, now: now)
    if let lookup { return (lookup, actions) }
    statistics.misses += 1
    let id = makeNumber()
    flights[id] = Flight(key: key, indices: indices, waiters: [:])
    current[key] = id
    currentByIndex.insert(id, in: indices)
    return (.miss(addWaiter(waiter, on: id)), actions + [.start(flight: id, request)])
  }

  /// A caller stopped waiting. The last caller to leave cancels the flight.
  mutating func callerLeft(_ waiterID: WaiterID) -> [Action] {
    guard flights[waiterID.flight]?.waiters.removeValue(forKey: waiterID.number) != nil,
      let flight = flights[waiterID.flight], flight.waiters.isEmpty
    else { return [] }
    forget(waiterID.flight, flight)
    return [.cancel(flight: waiterID.flight)]
  }

  /// A flight ended.
  ///
  /// - Parameter response: The response to cache, unless it has been invalidated.
  mutating func flightEnded(
    _ id: UInt64, _ outcome: Result<TransportResponse, any Error>,
    storing response: TransportResponse?, now: Duration
  ) -> [Action] {
    guard let flight = flights[id] else { return [] }
    let isCurrent = current[flight.key] == id
    forget(id, flight)
    var actions = flight.waiters.values.map { Action.resume($0, outcome) }
    if isCurrent, let response { actions += store(response, for: flight, now: now) }
    return actions
  }

  // MARK: - Invalidation

  /// Some indices were changed. Removes the responses about them; responses of flights that began
  /// earlier are not cached.
  mutating func indicesChanged(_ indices: AffectedIndices) -> [Action] {
    var actions: [Action] = []
    let keys = entriesByIndex.keys(of: indices)
    if let keys {
      for key in keys { actions += remove(key) }
    } else {
      while let key = entries.firstKey { actions += remove(key) }
    }
    let stale = currentByIndex.keys(of: indices) ?? Set(current.values)
    for id in stale {
      guard let flight = flights[id] else { continue }
      setStale(id, flight)
    }
    return actions
  }

  // MARK: - Implementation

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  private mutating func addWaiter(_ waiter: Waiter<TransportResponse>, on id: UInt64) -> WaiterID {
    let number = makeNumber()
    flights[id]?.waiters[number] = waiter
    return WaiterID(flight: id, number: number)
  }

  private mutating func forget(_ id: UInt64, _ flight: Flight) {
    flights[id] = nil
    setStale(id, flight)
  }

  private mutating func setStale(_ id: UInt64, _ flight: Flight) {
    guard current[flight.key] == id else { return }
    current[flight.key] = nil
    currentByIndex.remove(id, of: flight.indices)
  }

  private mutating func store(
    _ response: TransportResponse, for flight: Flight, now: Duration
  ) -> [Action] {
    guard timeToLive > .zero else { return [] }
    let byteCount = flight.key.byteCount + response.byteCount
    guard byteCount <= maximumBytes else { return [] }
    var actions = remove(flight.key)
    entries[flight.key] = Entry(
      response: response.fromCache, expiry: now + timeToLive, byteCount: byteCount,
      indices: flight.indices)
    entriesByIndex.insert(flight.key, in: flight.indices)
    statistics.entries += 1
    statistics.bytes += byteCount
    while statistics.bytes > maximumBytes, let oldest = entries.firstKey {
      actions += remove(oldest)
    }
    return actions
  }

  private mutating func remove(_ key: CacheKey) -> [Action] {
    guard let entry = entries.remove(key) else { return [] }
    entriesByIndex.remove(key, of: entry.indices)
    statistics.entries -= 1
    statistics.bytes -= entry.byteCount
    return [.release(entry.response)]
  }
}

extension TransportResponse {
  /// The size of the response in a cache.
  fileprivate var byteCount: Int { headers.reduce(body.count) { $0 + $1.byteCount } }

  /// The response as later callers receive it.
  fileprivate var fromCache: TransportResponse {
    var response = self
    response.origin = origin ?? ResponseOrigin(name: "")
    response.origin?.isCached = true
    return response
  }
}

/// Keys, such as the keys of cached responses, by the indices that they concern.
struct KeysByIndex<Key: Hashable & Sendable>: Sendable {
  private var byName: [String: Set<Key>] = [:]
  private var ofUnknown: Set<Key> = []

  mutating func insert(_ key: Key, in indices: AffectedIndices) {
    switch indices {
    case .unknown: ofUnknown.insert(key)
    case .named(let names): for name in names { byName[name, default: []].insert(key) }
    }
  }

  mutating func remove(_ key: Key, of indices: AffectedIndices) {
    switch indices {
    case .unknown: ofUnknown.remove(key)
    case .named(let names):
      for name in names {
        byName[name]?.remove(key)
        if byName[name]?.isEmpty == true { byName[name] = nil }
      }
    }
  }

  /// The keys that may concern one of the indices; `nil` for all keys.
  func keys(of indices: AffectedIndices) -> Set<Key>? {
    guard case .named(let names) = indices else { return nil }
    return names.reduce(into: ofUnknown) { $0.formUnion(byName[$1] ?? []) }
  }
}
