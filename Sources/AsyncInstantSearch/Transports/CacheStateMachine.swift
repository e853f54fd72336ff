/// The state machine of ``CachingTransport``: cached responses and flights (shared calls).
///
/// Times are read from the cache's clock. Methods return the responses that they remove: releasing
/// a response can run foreign code, which must not happen under the owner's lock.
struct CacheStateMachine: Sendable {
  /// Identifies a caller that waits for a flight.
  struct WaiterID: Sendable, Hashable {
    let flight: UInt64
    let number: UInt64
  }

  /// The result of looking up a call.
  enum Lookup: Sendable {
    /// The cache has a response.
    case hit(TransportResponse)
    /// The call waits for an existing flight.
    case coalesced(WaiterID)
    /// The call waits for a new flight, which the caller of the method must start.
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

  /// Looks up a call in the cache and among the flights; `nil` if neither has it.
  mutating func lookUp(
    _ key: CacheKey, _ waiter: Waiter<TransportResponse>, now: Duration,
    discarded: inout [TransportResponse]
  ) -> Lookup? {
    if let entry = entries[key] {
      if entry.expiry > now {
        entries.moveToEnd(key)
        statistics.hits += 1
        return .hit(entry.response)
      }
      remove(key, discarded: &discarded)
    }
    guard let id = current[key] else { return nil }
    statistics.coalesced += 1
    return .coalesced(addWaiter(waiter, on: id))
  }

  /// Looks up a call and begins a flight if neither the cache nor a flight has it.
  mutating func begin(
    _ key: CacheKey, about indices: AffectedIndices, _ waiter: Waiter<TransportResponse>,
    now: Duration,
    discarded: inout [TransportResponse]
  ) -> Lookup {
    // An equal call may have begun a flight since the caller's lookup.
    if let lookup = lookUp(key, waiter, now: now, discarded: &discarded) { return lookup }
    statistics.misses += 1
    let id = makeNumber()
    flights[id] = Flight(key: key, indices: indices, waiters: [:])
    current[key] = id
    currentByIndex.insert(id, in: indices)
    return .miss(addWaiter(waiter, on: id))
  }

  /// Removes a caller from its flight.
  ///
  /// - Returns: The flight, which must be cancelled, if this was its last caller.
  mutating func leave(_ waiterID: WaiterID) -> UInt64? {
    guard flights[waiterID.flight]?.waiters.removeValue(forKey: waiterID.number) != nil,
      let flight = flights[waiterID.flight], flight.waiters.isEmpty
    else { return nil }
    forget(waiterID.flight, flight)
    return waiterID.flight
  }

  /// Ends a flight, caches its response unless it has been invalidated, and returns the waiters.
  mutating func complete(
    _ id: UInt64, storing response: TransportResponse?, now: Duration,
    discarded: inout [TransportResponse]
  ) -> [Waiter<TransportResponse>] {
    guard let flight = flights[id] else { return [] }
    let isCurrent = current[flight.key] == id
    forget(id, flight)
    if isCurrent, let response {
      store(response, for: flight, now: now, discarded: &discarded)
    }
    return Array(flight.waiters.values)
  }

  // MARK: - Invalidation

  /// Removes the responses about some indices. Responses of flights that began earlier are not
  /// cached.
  mutating func invalidate(_ indices: AffectedIndices, discarded: inout [TransportResponse]) {
    let keys = entriesByIndex.keys(of: indices)
    if let keys {
      for key in keys { remove(key, discarded: &discarded) }
    } else {
      while let key = entries.firstKey { remove(key, discarded: &discarded) }
    }
    let outdated = currentByIndex.keys(of: indices) ?? Set(current.values)
    for id in outdated {
      guard let flight = flights[id] else { continue }
      setOutdated(id, flight)
    }
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
    setOutdated(id, flight)
  }

  private mutating func setOutdated(_ id: UInt64, _ flight: Flight) {
    guard current[flight.key] == id else { return }
    current[flight.key] = nil
    currentByIndex.remove(id, of: flight.indices)
  }

  private mutating func store(
    _ response: TransportResponse, for flight: Flight, now: Duration,
    discarded: inout [TransportResponse]
  ) {
    guard timeToLive > .zero else { return }
    let byteCount = flight.key.byteCount + response.byteCount
    guard byteCount <= maximumBytes else { return }
    remove(flight.key, discarded: &discarded)
    entries[flight.key] = Entry(
      response: response.fromCache, expiry: now + timeToLive, byteCount: byteCount,
      indices: flight.indices)
    entriesByIndex.insert(flight.key, in: flight.indices)
    statistics.entries += 1
    statistics.bytes += byteCount
    while statistics.bytes > maximumBytes, let oldest = entries.firstKey {
      remove(oldest, discarded: &discarded)
    }
  }

  private mutating func remove(_ key: CacheKey, discarded: inout [TransportResponse]) {
    guard let entry = entries.remove(key) else { return }
    entriesByIndex.remove(key, of: entry.indices)
    statistics.entries -= 1
    statistics.bytes -= entry.byteCount
    discarded.append(entry.response)
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

/// Keys, such as those of cached responses, by the indices that they concern.
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
