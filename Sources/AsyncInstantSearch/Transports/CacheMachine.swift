/// The answers of a cache and the calls under way for it: a state machine.
///
/// Times are those of the cache's clock. What a method takes out it gives back, for releasing an
/// answer may run code of others, which must not happen under the owner's lock.
struct CacheMachine: Sendable {
  typealias Answer = Waiter<TransportResponse>

  /// A call's place in a flight.
  struct Seat: Sendable, Hashable {
    let flight: UInt64
    let number: UInt64
  }

  /// What becomes of a call.
  enum Arrival: Sendable {
    /// It is answered from the cache.
    case answered(TransportResponse)
    /// It waits for a call under way.
    case joined(Seat)
    /// It waits for a call that has to be made now.
    case began(Seat)
  }

  private struct Entry: Sendable {
    let response: TransportResponse
    let expiry: Duration
    let byteCount: Int
    let indices: NamedIndices
  }

  private struct Flight: Sendable {
    let key: CacheKey
    let indices: NamedIndices
    var waiters: [UInt64: Answer]
  }

  let timeToLive: Duration
  let maximumBytes: Int
  private(set) var statistics = CachingTransport.Statistics()

  private var entries = OrderedEntries<CacheKey, Entry>()
  private var entriesByIndex = IndexMembers<CacheKey>()
  private var flights: [UInt64: Flight] = [:]
  /// The flights that began after the last invalidation: they may be joined, and their answers
  /// kept.
  private var current: [CacheKey: UInt64] = [:]
  private var currentByIndex = IndexMembers<UInt64>()
  private var nextNumber: UInt64 = 0

  init(timeToLive: Duration, maximumBytes: Int) {
    self.timeToLive = timeToLive
    self.maximumBytes = maximumBytes
  }

  // MARK: - Calls

  /// Takes in a call that the cache or a call under way answers; `nil` when neither does.
  mutating func arrive(
    _ key: CacheKey, _ waiter: Answer, now: Duration, discarded: inout [TransportResponse]
  ) -> Arrival? {
    if let entry = entries[key] {
      if entry.expiry > now {
        entries.moveToEnd(key)
        statistics.hits += 1
        return .answered(entry.response)
      }
      remove(key, discarded: &discarded)
    }
    guard let id = current[key] else { return nil }
    statistics.shared += 1
    return .joined(seat(waiter, on: id))
  }

  /// Takes in a call; nobody may be answering an equal one.
  mutating func begin(
    _ key: CacheKey, about indices: NamedIndices, _ waiter: Answer, now: Duration,
    discarded: inout [TransportResponse]
  ) -> Arrival {
    // An equal call may have come since the caller looked.
    if let arrival = arrive(key, waiter, now: now, discarded: &discarded) { return arrival }
    statistics.misses += 1
    let id = makeNumber()
    flights[id] = Flight(key: key, indices: indices, waiters: [:])
    current[key] = id
    currentByIndex.insert(id, in: indices)
    return .began(seat(waiter, on: id))
  }

  /// Takes a call off its flight.
  ///
  /// - Returns: The flight when it was the last call, which cancels it.
  mutating func leave(_ seat: Seat) -> UInt64? {
    guard flights[seat.flight]?.waiters.removeValue(forKey: seat.number) != nil,
      let flight = flights[seat.flight], flight.waiters.isEmpty
    else { return nil }
    forget(seat.flight, flight)
    return seat.flight
  }

  /// Ends a flight: keeps its answer, unless it is out of date by now, and gives back who waits for
  /// it.
  mutating func land(
    _ id: UInt64, keeping response: TransportResponse?, now: Duration,
    discarded: inout [TransportResponse]
  ) -> [Answer] {
    guard let flight = flights[id] else { return [] }
    let isCurrent = current[flight.key] == id
    forget(id, flight)
    if isCurrent, let response {
      keep(response, for: flight, now: now, discarded: &discarded)
    }
    return Array(flight.waiters.values)
  }

  // MARK: - Invalidation

  /// Drops the answers about some indices; those of calls under way will not be kept.
  mutating func invalidate(_ indices: NamedIndices, discarded: inout [TransportResponse]) {
    let keys = entriesByIndex.members(of: indices)
    if let keys {
      for key in keys { remove(key, discarded: &discarded) }
    } else {
      while let key = entries.firstKey { remove(key, discarded: &discarded) }
    }
    let outdated = currentByIndex.members(of: indices) ?? Set(current.values)
    for id in outdated {
      guard let flight = flights[id] else { continue }
      setOutdated(id, flight)
    }
  }

  // MARK: - Parts

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  private mutating func seat(_ waiter: Answer, on id: UInt64) -> Seat {
    let number = makeNumber()
    flights[id]?.waiters[number] = waiter
    return Seat(flight: id, number: number)
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

  private mutating func keep(
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
  /// How much of a cache the answer takes.
  fileprivate var byteCount: Int { headers.reduce(body.count) { $0 + $1.byteCount } }

  /// The answer as a later call receives it.
  fileprivate var fromCache: TransportResponse {
    var response = self
    response.origin = origin ?? AnswerOrigin(name: "")
    response.origin?.isCached = true
    return response
  }
}

/// Which of some members, such as the answers of a cache, belong to which index.
struct IndexMembers<Member: Hashable & Sendable>: Sendable {
  private var byName: [String: Set<Member>] = [:]
  private var ofAny: Set<Member> = []

  mutating func insert(_ member: Member, in indices: NamedIndices) {
    switch indices {
    case .any: ofAny.insert(member)
    case .some(let names): for name in names { byName[name, default: []].insert(member) }
    }
  }

  mutating func remove(_ member: Member, of indices: NamedIndices) {
    switch indices {
    case .any: ofAny.remove(member)
    case .some(let names):
      for name in names {
        byName[name]?.remove(member)
        if byName[name]?.isEmpty == true { byName[name] = nil }
      }
    }
  }

  /// The members that may belong to one of the indices; `nil` for all of them.
  func members(of indices: NamedIndices) -> Set<Member>? {
    guard case .some(let names) = indices else { return nil }
    return names.reduce(into: ofAny) { $0.formUnion(byName[$1] ?? []) }
  }
}
