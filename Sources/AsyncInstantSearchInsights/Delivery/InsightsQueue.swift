/// The rules by which events are sent, as a value: events of the client go in, actions come out.
///
/// One batch is under way at a time, and it is the beginning of what waits, so events are sent in
/// order. A batch that the service refuses is cut in two, again and again, until the event that is
/// to blame stands alone.
struct InsightsQueue: Sendable {
  /// A moment, on the client's clock and on the wall.
  struct ClockReading: Sendable {
    /// The time since the client was made.
    var time: Duration
    /// Milliseconds since 1970.
    var date: Int64
  }

  /// How a call ended.
  enum Outcome: Sendable {
    /// The service took the events.
    case accepted
    /// The service took none, because of something in them.
    case refused(SearchError)
    /// The service took none, or cannot be known to have taken any; the same call may succeed
    /// later.
    case failed(SearchError, retryAfter: Duration?)
  }

  /// What the client has to do.
  enum Action: Sendable {
    /// Note that events are done with; to be done before what follows.
    case acknowledge([UInt64])
    case report(InsightsFailure)
    case send([InsightsRecord])
    /// Answer a caller that waits for a flush.
    case resume(UInt64, InsightsFlush)
  }

  private struct Entry: Sendable {
    let record: InsightsRecord
    let arrival: Duration
  }

  /// A caller that waits until events up to one are gone.
  private struct Flush: Sendable {
    let id: UInt64
    let last: UInt64
    var result = InsightsFlush()
  }

  /// After so many refusals in a row, more than it takes to find one event among a thousand, it is
  /// not an event that is to blame, and calls are spaced out.
  private static let consecutiveRefusalLimit = 12

  private let configuration: InsightsClient.Configuration
  private var waiting: [Entry] = []
  private var inFlight = 0
  /// Events under way that are to be forgotten, which is noted already: they are not sent again.
  private var discardedInFlight: Set<UInt64> = []
  /// The sizes of the next batches, the nearest last, while a refused batch is taken apart.
  private var splits: [Int] = []
  private var flushes: [Flush] = []
  private var failures = 0
  private var refusals = 0
  /// When the next call may be made after one that failed.
  private var retry: (time: Duration, isDemanded: Bool, error: SearchError)?
  private(set) var isEnabled = true

  init(_ configuration: InsightsClient.Configuration, backlog: [InsightsRecord], at time: Duration)
  {
    self.configuration = configuration
    // What an earlier client left has waited long enough.
    let arrival = time - Deadline.bounded(configuration.flushInterval)
    waiting = backlog.map { Entry(record: $0, arrival: arrival) }
  }

  /// How many events wait, those under way included.
  var count: Int { waiting.count }

  /// When ``woken(at:)`` is to be called; `nil` while there is nothing to wait for.
  var wakeTime: Duration? {
    guard inFlight == 0, isEnabled, let first = waiting.first else { return nil }
    let isDue = !splits.isEmpty || waiting.count >= configuration.batchSize
    let due = isDue ? first.arrival : first.arrival + Deadline.bounded(configuration.flushInterval)
    return max(due, retry?.time ?? due)
  }
}

// MARK: - Events

extension InsightsQueue {
  /// An event was put into the storage.
  mutating func added(_ record: InsightsRecord, at now: ClockReading) -> [Action] {
    waiting.append(Entry(record: record, arrival: now.time))
    return step(at: now)
  }

  /// The time has come.
  mutating func woken(at now: ClockReading) -> [Action] { step(at: now) }

  /// A caller wants everything sent that waits now.
  mutating func flushRequested(_ id: UInt64, at now: ClockReading) -> [Action] {
    flushes.append(Flush(id: id, last: waiting.last?.record.id ?? 0))
    if !isEnabled { return endFlushes(error: nil) }
    // The server has asked not to be called.
    if inFlight == 0, let retry, retry.isDemanded, now.time < retry.time {
      return endFlushes(error: retry.error)
    }
    return step(at: now)
  }

  /// A caller does not want to wait any more; the sending goes on.
  mutating func flushCancelled(_ id: UInt64) -> [Action] {
    endFlushes(error: SearchError(.cancelled, "The task was cancelled.")) { $0.id == id }
  }

  /// Sending is allowed or not.
  mutating func setEnabled(_ isEnabled: Bool, at now: ClockReading) -> [Action] {
    self.isEnabled = isEnabled
    return isEnabled ? step(at: now) : inFlight == 0 ? endFlushes(error: nil) : []
  }

  /// Events are to be forgotten. Those under way cannot be taken back, but are not sent again.
  mutating func discarded(
    at now: ClockReading, _ isUnwanted: (InsightsRecord) -> Bool
  ) -> [Action] {
    var actions: [Action] = []
    let underWay = waiting.prefix(inFlight).map(\.record)
      .filter { !discardedInFlight.contains($0.id) && isUnwanted($0) }
    if !underWay.isEmpty {
      discardedInFlight.formUnion(underWay.map(\.id))
      actions.append(.acknowledge(underWay.map(\.id)))
    }
    let rest = waiting.dropFirst(inFlight).map(\.record).filter(isUnwanted)
    if !rest.isEmpty {
      splits = inFlight > 0 ? splits.suffix(1) : []
      actions += remove(rest) { $0.droppedCount += $1 }
    }
    return actions.isEmpty ? [] : actions + step(at: now)
  }

  /// The call under way has ended.
  ///
  /// - Parameter randomFraction: A random number from 0 to 1.
  mutating func ended(_ outcome: Outcome, at now: ClockReading, randomFraction: Double) -> [Action]
  {
    let sent = waiting.prefix(inFlight).map(\.record)
    inFlight = 0
    var actions: [Action] = []
    switch outcome {
    case .accepted:
      (failures, refusals, retry) = (0, 0, nil)
      _ = splits.popLast()
      actions += remove(sent) { $0.sentCount += $1 }
    case .refused(let error):
      (failures, retry) = (0, nil)
      refusals += 1
      _ = splits.popLast()
      actions += removeUnwanted(of: sent)
      let batch = sent.filter { !discardedInFlight.contains($0.id) }
      if sent.count == 1 {
        actions += remove(batch) { $0.droppedCount += $1 }
        actions += batch.map { .report(InsightsFailure(.refused, error, record: $0)) }
      } else {
        splits += [batch.count - batch.count / 2, batch.count / 2].filter { $0 > 0 }
      }
      if refusals > Self.consecutiveRefusalLimit {
        wait(
          after: error, attempt: refusals - Self.consecutiveRefusalLimit, atLeast: nil, at: now,
          randomFraction)
        actions += endFlushes(error: error)
      }
    case .failed(let error, let retryAfter):
      failures += 1
      let gone = sent.count { discardedInFlight.contains($0.id) }
      if gone > 0, let size = splits.popLast(), size > gone { splits.append(size - gone) }
      actions += removeUnwanted(of: sent)
      wait(after: error, attempt: failures, atLeast: retryAfter, at: now, randomFraction)
      actions.append(.report(InsightsFailure(.delayed, error)))
      actions += endFlushes(error: error)
    }
    discardedInFlight = []
    return actions + (isEnabled ? step(at: now) : endFlushes(error: nil))
  }
}

// MARK: - Rules

extension InsightsQueue {
  /// Sends the next batch if it is time.
  private mutating func step(at now: ClockReading) -> [Action] {
    var actions = endFlushes(error: nil) { [first = waiting.first?.record.id] flush in
      first.map { $0 > flush.last } ?? true
    }
    guard inFlight == 0, isEnabled, isReady(at: now) else { return actions }
    actions += dropExpired(at: now)
    inFlight = nextBatchCount
    if inFlight > 0 {
      actions.append(.send(waiting.prefix(inFlight).map(\.record)))
    } else {
      actions += endFlushes(error: nil)
    }
    return actions
  }

  private func isReady(at now: ClockReading) -> Bool {
    guard let first = waiting.first else { return false }
    if let retry, now.time < retry.time, retry.isDemanded || flushes.isEmpty { return false }
    return !flushes.isEmpty || !splits.isEmpty || waiting.count >= configuration.batchSize
      || now.time >= first.arrival + Deadline.bounded(configuration.flushInterval)
  }

  /// How many events the next call has: as many as it may have, unless a batch is taken apart.
  private var nextBatchCount: Int {
    var byteCount = InsightsCall.envelopeByteCount
    var count = 0
    let limit = splits.last ?? configuration.maximumBatchEvents
    for entry in waiting.prefix(limit) {
      byteCount += entry.record.event.count + 1
      // One event by itself is sent whatever its length; longer ones than a call may have are not
      // taken in the first place.
      if count > 0, byteCount > configuration.maximumBodyBytes { break }
      count += 1
    }
    return count
  }

  private mutating func dropExpired(at now: ClockReading) -> [Action] {
    let (oldest, isNone) = now.date.subtractingReportingOverflow(InsightsEvent.lifetime)
    guard !isNone else { return [] }
    let expired = waiting.map(\.record).filter { $0.timestamp < oldest }
    guard !expired.isEmpty else { return [] }
    splits = []
    let error = SearchError(.invalidRequest, "The event is more than 30 days old.")
    return remove(expired) { $0.droppedCount += $1 }
      + expired.map { .report(InsightsFailure(.expired, error, record: $0)) }
  }

  /// Forgets those events of a batch that nobody wants any more.
  private mutating func removeUnwanted(of sent: [InsightsRecord]) -> [Action] {
    remove(sent.filter { discardedInFlight.contains($0.id) }) { $0.droppedCount += $1 }
  }

  /// Forgets events and counts them for the callers that wait for them.
  private mutating func remove(
    _ records: [InsightsRecord], _ add: (inout InsightsFlush, Int) -> Void
  ) -> [Action] {
    let ids = records.map(\.id)
    let gone = Set(ids)
    waiting.removeAll { gone.contains($0.record.id) }
    for position in flushes.indices {
      let last = flushes[position].last
      add(&flushes[position].result, ids.count { $0 <= last })
    }
    let notAcknowledged = ids.filter { !discardedInFlight.contains($0) }
    return notAcknowledged.isEmpty ? [] : [.acknowledge(notAcknowledged)]
  }

  /// Answers callers; all of them, by default.
  private mutating func endFlushes(
    error: SearchError?, where isEnding: (Flush) -> Bool = { _ in true }
  ) -> [Action] {
    let ending = flushes.filter(isEnding)
    guard !ending.isEmpty else { return [] }
    flushes.removeAll(where: isEnding)
    return ending.map { flush in
      var result = flush.result
      result.remainingCount = waiting.count { $0.record.id <= flush.last }
      result.error = result.remainingCount == 0 ? nil : error
      return .resume(flush.id, result)
    }
  }

  /// Puts the next call off: twice as long each time, less a random part of up to a half.
  private mutating func wait(
    after error: SearchError, attempt: Int, atLeast demanded: Duration?, at now: ClockReading,
    _ randomFraction: Double
  ) {
    let longest = Deadline.bounded(configuration.maximumBackOff)
    var delay = min(Deadline.bounded(configuration.initialBackOff), longest)
    for _ in 1..<min(attempt, 64) { delay = min(delay * 2, longest) }
    delay -= delay / 2 * min(max(randomFraction, 0), 1)
    let isDemanded = demanded.map { $0 > .zero } ?? false
    let time = now.time + max(delay, Deadline.bounded(demanded ?? .zero))
    retry = (time, isDemanded, error)
  }
}
