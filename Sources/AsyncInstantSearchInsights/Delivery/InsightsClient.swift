// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Accepts events, stores them, and sends them to the service.
///
/// For the events of a searcher or its widgets, track the values that `SearchEvents` publishes.
///
/// ```swift
/// let insights = try InsightsClient(
///   transport: transport, userToken: "visitor-42", storage: InsightsJournal(path: path))
/// try await insights.track(.clicked(hit, named: "Film Opened", in: "films"))
/// ```
///
/// - `track(_:)` rejects an event that breaks a rule of the service. The error names the event and
///   the member, so a mistake costs one event and is found at its source.
/// - Events are sent in the order in which they were tracked, when ten of them wait or the first
///   has waited for 30 seconds; see ``Configuration``. One call is in flight at a time.
/// - A failed call is repeated with increasing delays. An event that the service rejects is found
///   by bisecting its batch, so that other events are not affected. It is dropped and reported by
///   ``failures``. Every event is sent at least once, or reported.
/// - An acknowledged event is not sent again.
/// - No shutdown is needed. Dropping the last reference stops sending and cancels the call in
///   flight. With a journal, the next client sends the remaining events, including the events of
///   that call.
public actor InsightsClient {
  private let transport: any SearchTransport
  /// The clock that measures the timeout of a call.
  private let callClock: any Clock<Duration>
  private let options: RequestOptions
  private let storage: any InsightsStorage
  private let maximumWaitingEvents: Int
  private let maximumEventBytes: Int
  private let clock: AnyClock
  private let currentDate: @Sendable () -> Date
  private let executor: (any TaskExecutor)?
  private nonisolated let failureHub = StreamHub<InsightsFailure>(replaysCurrent: false)

  private var defaults: InsightsEvent.Defaults
  private var randomNumberGenerator: any RandomNumberGenerator & Sendable
  private var queue: InsightsQueue
  private var nextEventID: UInt64
  private var nextFlushID: UInt64 = 0
  private var flushes: [UInt64: CheckedContinuation<InsightsFlush, Never>] = [:]
  /// Events that the storage could not acknowledge.
  private var unacknowledged: [UInt64] = []
  private let tasks: TaskBag<Work>
  private var callCount: UInt64 = 0
  private var timerTime: Duration?

  /// The work of a task of the client.
  private enum Work: Sendable, Hashable {
    case start
    case call(UInt64)
    case timer
  }

  /// Creates a client, and sends the events that the storage contains.
  ///
  /// - Parameters:
  ///   - transport: Sends the calls to the hosts of the insights API.
  ///   - userToken: The user of events without a token: 1 to 129 letters, digits and `_=/+-`.
  ///     ``InsightsUserToken/anonymous()`` creates one.
  ///   - authenticatedUserToken: The same for a user who has signed in. Defaults to none.
  ///   - storage: Stores waiting events. Defaults to memory. ``InsightsJournal`` stores them in a
  ///     file.
  ///   - configuration: When and how events are sent.
  ///   - clock: Measures intervals and delays. Defaults to a continuous clock.
  ///   - currentDate: Returns the date and time for the events' timestamps. Defaults to the
  ///     system's.
  ///   - randomNumberGenerator: Randomizes the delays after failures. Defaults to the system's.
  ///   - executor: Runs the client's tasks. Defaults to the global executor.
  /// - Throws: `invalidRequest` for an invalid token or configuration, and `storage` if the storage
  ///   is in use by another client or cannot be opened.
  public init(
    transport: some SearchTransport,
    userToken: String,
    authenticatedUserToken: String? = nil,
    storage: some InsightsStorage = InMemoryInsightsStorage(),
    configuration: Configuration = Configuration(),
    clock: some Clock<Duration> = ContinuousClock(),
    currentDate: @escaping @Sendable () -> Date = { Date() },
    randomNumberGenerator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    executor: (any TaskExecutor)? = nil
  ) throws(SearchError) {
    if let error = configuration.validationError { throw error }
    try Self.check(userToken, authenticatedUserToken)
    let backlog = try storage.begin()
    self.transport = transport
    callClock = clock
    options = RequestOptions(timeout: configuration.timeout)
    self.storage = storage
    maximumWaitingEvents = configuration.maximumWaitingEvents
    maximumEventBytes = configuration.maximumBodyBytes - InsightsCall.envelopeByteCount - 1
    self.clock = AnyClock(clock)
    self.currentDate = currentDate
    self.executor = executor
    tasks = TaskBag(executor: executor)
    defaults = InsightsEvent.Defaults(
      userToken: userToken, authenticatedUserToken: authenticatedUserToken)
    self.randomNumberGenerator = randomNumberGenerator
    queue = InsightsQueue(configuration, backlog: backlog.records, at: .zero)
    nextEventID = backlog.nextID
    guard !backlog.records.isEmpty else { return }
    tasks.replace(.start) { [weak self] in await self?.wake() }
  }

  deinit {
    storage.end()
    failureHub.finish()
  }
}

// MARK: - Tracking

extension InsightsClient {
  /// Accepts an event. When this returns, the event is stored and will be sent.
  ///
  /// The service allows 20 records or filters in one event. Views and clicks can have more: they
  /// are stored and sent as several events, in order, each with its positions and the query ID. A
  /// conversion, an addition to the cart and a purchase count once and have one value, so they are
  /// not divided.
  ///
  /// - Returns: Whether the event was accepted. `false` if the client is disabled.
  /// - Throws: `invalidRequest` for an event that breaks a rule of the service, even if the client
  ///   is disabled; the error names the event and the member. `storage` if the queue is full or the
  ///   event could not be stored. In each case nothing of the event remains.
  @discardableResult
  public func track(_ event: InsightsEvent) throws(SearchError) -> Bool {
    let encoded = try event.encoded(with: defaults, at: currentDate())
    for part in encoded.parts where part.count > maximumEventBytes {
      throw InsightsEvent.validationError(
        event.name, "the event is longer than the service allows.")
    }
    guard queue.isEnabled else { return false }
    guard encoded.parts.count <= maximumWaitingEvents - queue.count else {
      throw SearchError(
        .storage,
        "The event queue is full (\(maximumWaitingEvents) events, \(queue.count) waiting). Flush, or raise maximumWaitingEvents."
      )
    }
    let (following, isLast) = nextEventID.addingReportingOverflow(UInt64(encoded.parts.count))
    guard !isLast else {
      throw SearchError(
        .storage, "No record IDs are left in the event storage. Start with a new journal file.")
    }
    let records = encoded.parts.enumerated().map { index, part in
      InsightsRecord(
        id: nextEventID + UInt64(index), timestamp: encoded.timestamp, event: part)
    }
    nextEventID = following
    for (index, record) in records.enumerated() {
      do throws(SearchError) {
        try storage.append(record)
      } catch {
        acknowledge(records[..<index].map(\.id))
        throw error
      }
    }
    for record in records { perform(queue.added(record, at: now)) }
    return true
  }

  /// Accepts an event of a search; see `track(_:)`.
  ///
  /// ```swift
  /// for await event in searchEvents.events { try await insights.track(event) }
  /// ```
  ///
  /// - Returns: Whether the event was accepted. `false` if the client is disabled.
  @discardableResult
  public func track(_ event: SearchEvent) throws(SearchError) -> Bool {
    try track(InsightsEvent(event))
  }

  /// The number of waiting events, including events in flight.
  public var waitingCount: Int { queue.count }

  /// The user of events without a token.
  public var userToken: String { defaults.userToken }

  /// Sets the user of later events without a token.
  ///
  /// - Parameters:
  ///   - userToken: 1 to 129 letters, digits and `_=/+-`.
  ///   - authenticatedUserToken: The same for a user who has signed in. Defaults to none.
  /// - Throws: `invalidRequest` for an invalid token. The tokens then stay unchanged.
  public func setUserToken(
    _ userToken: String, authenticatedUserToken: String? = nil
  ) throws(SearchError) {
    try Self.check(userToken, authenticatedUserToken)
    defaults = InsightsEvent.Defaults(
      userToken: userToken, authenticatedUserToken: authenticatedUserToken)
  }

  private static func check(
    _ userToken: String, _ authenticatedUserToken: String?
  ) throws(SearchError) {
    for (name, token) in [
      ("userToken", userToken), ("authenticatedUserToken", authenticatedUserToken ?? userToken),
    ] where !InsightsUserToken.isValid(token) {
      throw SearchError(
        .invalidRequest,
        "The \(name) of an insights client must be 1 to 129 characters: ASCII letters, digits and _=/+-."
      )
    }
  }
}

// MARK: - Sending

extension InsightsClient {
  /// Sends all waiting events, and returns when they are sent or a call has failed.
  ///
  /// It ignores the delay after a failed call, unless the server asked for the delay. In that case
  /// it sends nothing. Cancelling the task ends the wait, not the sending.
  @discardableResult
  public func flush() async -> InsightsFlush {
    nextFlushID &+= 1
    let id = nextFlushID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        flushes[id] = continuation
        perform(queue.flushRequested(id, at: now))
      }
    } onCancel: {
      // The actor runs this after the caller has stored its continuation.
      TaskBag.start(on: executor) { await self.cancelFlush(id) }
    }
  }

  /// Whether events are accepted and sent. Initially `true`.
  public var isEnabled: Bool { queue.isEnabled }

  /// Enables or disables tracking, as the user gives or withdraws consent.
  ///
  /// While it is disabled, `track(_:)` ignores events, and waiting events are neither sent nor
  /// dropped. ``discardWaitingEvents()`` drops them. A call in flight is not cancelled.
  public func setEnabled(_ isEnabled: Bool) {
    perform(queue.setEnabled(isEnabled, at: now))
  }

  /// Drops the waiting events.
  ///
  /// Events in flight may still arrive. They are not sent again.
  public func discardWaitingEvents() {
    perform(queue.discarded(at: now) { _ in true })
  }

  /// Deletes a user's events and everything the service learned from them.
  ///
  /// Waiting events of the token are dropped first. An event in flight may still arrive, but is not
  /// sent again.
  ///
  /// - Throws: `invalidRequest` for an invalid token, or the error of the call.
  public func deleteUserToken(_ userToken: String) async throws(SearchError) {
    guard InsightsUserToken.isValid(userToken) else {
      throw SearchError(
        .invalidRequest,
        "The user token to delete is invalid. It must be 1 to 129 characters: ASCII letters, digits and _=/+-."
      )
    }
    perform(queue.discarded(at: now) { $0.userTokens.contains(userToken) })
    try await InsightsCall.delete(
      userToken: userToken, over: transport, clock: callClock, executor: executor,
      options: options)
  }

  /// A new subscription to failures from now on.
  ///
  /// It buffers the newest 1,000 failures until they are read.
  public nonisolated func failures(
    buffering: StreamBuffering = .newest(1_000)
  ) -> AsyncStream<InsightsFailure> {
    failureHub.stream(buffering: buffering)
  }

  /// A new subscription to failures from now on: dropped events, failed calls and failed
  /// acknowledgments.
  public nonisolated var failures: AsyncStream<InsightsFailure> { failures() }
}

// MARK: - Implementation

extension InsightsClient {
  private var now: InsightsQueue.ClockReading {
    let milliseconds = currentDate().timeIntervalSince1970 * 1_000
    return InsightsQueue.ClockReading(
      time: clock.now(), date: Int64(exactly: milliseconds.rounded(.down)) ?? 0)
  }

  private func wake() {
    timerTime = nil
    perform(queue.woken(at: now))
  }

  private func ended(_ outcome: InsightsQueue.Outcome) {
    // `Double.random` would never return with a generator that always returns zero.
    let randomFraction = Double(randomNumberGenerator.next() >> 11) * 0x1p-53
    perform(queue.ended(outcome, at: now, randomFraction: randomFraction))
  }

  private func cancelFlush(_ id: UInt64) {
    perform(queue.flushCancelled(id))
  }

  private func perform(_ actions: [InsightsQueue.Action]) {
    for action in actions {
      switch action {
      case .acknowledge(let ids): acknowledge(ids)
      case .report(let failure): failureHub.send(failure)
      case .send(let records): send(records)
      case .resume(let id, let result): flushes.removeValue(forKey: id)?.resume(returning: result)
      }
    }
    setTimer()
  }

  private func acknowledge(_ ids: [UInt64]) {
    unacknowledged += ids
    guard !unacknowledged.isEmpty else { return }
    do {
      try storage.acknowledge(unacknowledged)
      unacknowledged = []
    } catch {
      failureHub.send(InsightsFailure(.notAcknowledged, error))
    }
  }

  private func send(_ records: [InsightsRecord]) {
    callCount += 1
    tasks.replace(.call(callCount)) {
      [transport, callClock, executor, options, weak self] in
      let outcome = await InsightsCall.send(
        records, over: transport, clock: callClock, executor: executor, options: options)
      await self?.ended(outcome)
    }
  }

  /// Sets the timer to the queue's next wake time. Its task does not keep the client alive.
  private func setTimer() {
    let time = queue.wakeTime
    guard time != timerTime else { return }
    timerTime = time
    guard let time else { return tasks.cancel(.timer) }
    tasks.replace(.timer) { [clock, weak self] in
      guard await clock.waitUntil(time) else { return }
      await self?.wake()
    }
  }
}

extension InsightsClient: CustomReflectable {
  /// An empty mirror, because the client contains user tokens.
  public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
