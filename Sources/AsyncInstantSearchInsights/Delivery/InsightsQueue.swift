/// The state machine of delivery: events go in, actions come out.
///
/// One batch is in flight at a time. It contains the oldest waiting events, so events are sent in
/// order. A batch that the service rejects is bisected until the rejected event is alone.
struct InsightsQueue: Sendable {
  /// A reading of both the client's clock and the wall clock.
  struct ClockReading: Sendable {
    /// The time since the client was created.
    var time: Duration
    /// Milliseconds since 1970.
    var date: Int64
  }

  /// The outcome of a call.
  enum Outcome: Sendable {
    /// The service accepted the events.
    case accepted
    /// The service accepted no events, because of their content.
    case refused(SearchError)
    /// The service accepted no events, or whether it did is unknown. The same call may succeed
    /// later.
    case failed(SearchError, retryAfter: Duration?)
  }

  /// An action for the client.
  enum Action: Sendable {
    /// Acknowledge events, before the actions that follow.
    case acknowledge([UInt64])
    case report(InsightsFailure)
    case send([InsightsRecord])
    /// Resume a caller that waits for a flush.
    case resume(UInt64, InsightsFlush)
  }

  private struct Entry: Sendable {
    let record: InsightsRecord
    let arrival: Duration
  }

  /// A caller that waits until all events up to an ID are sent or dropped.
  private struct Flush: Sendable {
    let id: UInt64
    let last: UInt64
    var result = InsightsFlush()
  }

  /// The maximum number of consecutive rejections while one event among a thousand is located.
  /// After more rejections the events are not the cause, and calls are delayed.
  private static let consecutiveRefusalLimit = 12

  private let configuration: InsightsClient.Configuration
  private var waiting: [Entry] = []
  private var inFlight = 0
  /// Discarded events in flight. They are already acknowledged and are not sent again.
  private var discardedInFlight: Set<UInt64> = []
  /// The sizes of the next batches, the next one last, while a rejected batch is bisected.
  private var splits: [Int] = []
  private var flushes: [Flush] = []
  private var failures = 0
  private var refusals = 0
  /// The time of the next call after a failed call.
  private var retry: (time: Duration, isDemanded: Bool, error: SearchError)?
  private(set) var isEnabled = true

  init(_ configuration: InsightsClient.Configuration, backlog: [InsightsRecord], at time: Duration)
  {
    self.configuration = configuration
    // The backlog of an earlier client has waited long enough.
    let arrival = time - Deadline.bounded(configuration.flushInterval)
    waiting = backlog.map { Entry(record: $0, arrival: arrival) }
  }

  /// The number of waiting events, including events in flight.
  var count: Int { waiting.count }

  /// The time at which to call ``woken(at:)``, or `nil` if no event waits.
  var wakeTime: Duration? {
    guard inFlight == 0, isEnabled, let first = waiting.first else { return nil }
    let isDue = !splits.isEmpty || waiting.count >= configuration.batchSize
    let due = isDue ? first.arrival : first.arrival + Deadline.bounded(configuration.flushInterval)
    return max(due, retry?.time ?? due)
  }
}

// MARK: - Events

extension InsightsQueue {
  /// An event was stored.
  mutating func added(_ record: InsightsRecord, at now: ClockReading) -> [Action] {
    waiting.append(Entry(record: record, arrival: now.time))
    return step(at: now)
  }

  /// The wake time was reached.
  mutating func woken(at now: ClockReading) -> [Action] { step(at: now) }

  /// A caller wants to flush the waiting events.
  mutating func flushRequested(_ id: UInt64, at now: ClockReading) -> [Action] {
    flushes.append(Flush(id: id, last: waiting.last?.record.id ?? 0))
    if !isEnabled { return endFlushes(error: nil) }
    // The server asked for a delay.
    if inFlight == 0, let retry, retry.isDemanded, now.time < retry.time {
      return endFlushes(error: retry.error)
    }
    return step(at: now)
  }

  /// A caller stopped waiting. Sending continues.
  mutating func flushCancelled(_ id: UInt64) -> [Action] {
    endFlushes(error: SearchError(.cancelled, "The task was cancelled.")) { $0.id == id }
  }

  /// Sending was enabled or disabled.
  mutating func setEnabled(_ isEnabled: Bool, at now: ClockReading) -> [Action] {
    self.isEnabled = isEnabled
    return isEnabled ? step(at: now) : inFlight == 0 ? endFlushes(error: nil) : []
  }

  /// Events were discarded. Events in flight cannot be recalled, but are not sent again.
  mutating func discarded(
    at now: ClockReading, _ isUnwanted: (InsightsRecord) -> Bool
  ) -> [Action] {
    var actions: [Action] = []
    let inFlightRecords = waiting.prefix(inFlight).map(\.record)
      .filter { !discardedInFlight.contains($0.id) && isUnwanted($0) }
    if !inFlightRecords.isEmpty {
      discardedInFlight.formUnion(inFlightRecords.map(\.id))
      actions.append(.acknowledge(inFlightRecords.map(\.id)))
    }
    let rest = waiting.dropFirst(inFlight).map(\.record).filter(isUnwanted)
    if !rest.isEmpty {
      splits = inFlight > 0 ? splits.suffix(1) : []
      actions += remove(rest) { $0.droppedCount += $1 }
    }
    return actions.isEmpty ? [] : actions + step(at: now)
  }

  /// The call in flight ended.
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
  /// Sends the next batch if it is due.
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
    // Callers do not wait for a delay that the server demands: their flush ends at once.
    if let retry, now.time < retry.time, flushes.isEmpty { return false }
    return !flushes.isEmpty || !splits.isEmpty || waiting.count >= configuration.batchSize
      || now.time >= first.arrival + Deadline.bounded(configuration.flushInterval)
  }

  /// The number of events in the next call: as many as allowed, unless a batch is being bisected.
  private var nextBatchCount: Int {
    var byteCount = InsightsCall.envelopeByteCount
    var count = 0
    let limit = splits.last ?? configuration.maximumBatchEvents
    for entry in waiting.prefix(limit) {
      byteCount += entry.record.event.count + 1
      // A single event is sent regardless of its length. Longer events than a call allows were
      // rejected when they were tracked.
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

  /// Removes the discarded events of a batch.
  private mutating func removeUnwanted(of sent: [InsightsRecord]) -> [Action] {
    remove(sent.filter { discardedInFlight.contains($0.id) }) { $0.droppedCount += $1 }
  }

  /// Removes events and counts them for the waiting callers.
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

  /// Resumes waiting callers, by default all.
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

  /// Delays the next call: twice as long each time, less a random part of up to a half.
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
