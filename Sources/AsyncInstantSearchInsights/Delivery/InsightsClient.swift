@_exported public import InstantSearchAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Takes events, keeps them, and sends them to the service.
///
/// ```swift
/// let insights = try InsightsClient(
///   transport: transport, userToken: "visitor-42", storage: InsightsJournal(path: path))
/// try await insights.track(.clicked(hit, named: "Film Opened", in: "films"))
/// ```
///
/// - An event that breaks a rule of the service is refused by ``track(_:)``, with an error that
///   names the event and the member; so one mistake costs one event, and is found where it was
///   made.
/// - Events are sent in the order in which they were tracked, when ten of them wait or the first
///   has waited for half a minute; ``Configuration`` has both. One call is under way at a time.
/// - A call that fails is made again, later and later. Events the service refuses are found by
///   cutting their batch in two, so that one bad event takes no others with it; it is dropped and
///   reported by ``failures``. Every event is sent at least once, or reported.
/// - An event that the storage notes as sent is not sent again.
/// - Nothing needs a shutdown. Dropping the last reference ends the sending, and cancels a call
///   that is under way; with a journal, the next client sends what is left, the events of that call
///   included.
public actor InsightsClient {
  private let transport: any SearchTransport
  /// Measures the timeout of a call.
  private let callClock: any Clock<Duration>
  private let options: RequestOptions
  private let storage: any InsightsStorage
  private let maximumWaitingEvents: Int
  private let maximumEventBytes: Int
  private let clock: ErasedClock
  private let currentDate: @Sendable () -> Date
  private let executor: (any TaskExecutor)?
  private nonisolated let failureHub = StreamHub<InsightsFailure>(replaysCurrent: false)

  private var defaults: InsightsEvent.Defaults
  private var randomNumberGenerator: any RandomNumberGenerator & Sendable
  private var queue: InsightsQueue
  private var nextEventID: UInt64
  private var nextFlushID: UInt64 = 0
  private var flushes: [UInt64: CheckedContinuation<InsightsFlush, Never>] = [:]
  /// What is done with and could not be noted.
  private var unacknowledged: [UInt64] = []
  private var call: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  private var timerTime: Duration?

  /// Creates a client, and sends what the storage has kept.
  ///
  /// - Parameters:
  ///   - transport: Sends the calls, to the hosts of the insights API.
  ///   - userToken: Who the events are about, where they do not say it themselves; 1 to 129
  ///     letters, digits and `_=/+-`. ``InsightsUserToken/anonymous()`` makes one.
  ///   - authenticatedUserToken: The same for a user who has signed in; none by default.
  ///   - storage: Where events wait; in memory by default. ``InsightsJournal`` keeps them in a
  ///     file.
  ///   - configuration: When and how events are sent.
  ///   - clock: Measures the waiting; a continuous clock by default.
  ///   - currentDate: The date and time, for the events' timestamps; the system's by default.
  ///   - randomNumberGenerator: Spread the times after failures; the system's by default.
  ///   - executor: Runs the client's tasks; the global one by default.
  /// - Throws: `invalidRequest` for a token or a configuration that cannot be; `storage` when the
  ///   storage is in use by another client, or cannot be opened.
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
    self.clock = ErasedClock(clock)
    self.currentDate = currentDate
    self.executor = executor
    defaults = InsightsEvent.Defaults(
      userToken: userToken, authenticatedUserToken: authenticatedUserToken)
    self.randomNumberGenerator = randomNumberGenerator
    queue = InsightsQueue(configuration, backlog: backlog.records, at: .zero)
    nextEventID = backlog.nextID
    guard !backlog.records.isEmpty else { return }
    // Nobody keeps it: it ends at once, holds nothing, and an actor's initializer can keep no task
    // that knows the actor.
    Task(executorPreference: executor) { [weak self] in await self?.wake() }
  }

  deinit {
    timer?.cancel()
    call?.cancel()
    storage.end()
    failureHub.finish()
  }
}

// MARK: - Tracking

extension InsightsClient {
  /// Takes an event; when this returns, it is in the storage and will be sent.
  ///
  /// The service takes 20 records or filters in one event. Of views and clicks there may be more:
  /// they are kept and sent as several events, in order, each with its positions and the query ID.
  /// A conversion, what is put into the cart and a purchase are one thing that happened, counted
  /// once and with one value, and are not divided.
  ///
  /// - Returns: Whether the event was taken; `false` for one that was passed over because the
  ///   client is not enabled.
  /// - Throws: `invalidRequest` that names the event and the member for one that breaks a rule of
  ///   the service, whether or not the client is enabled; `storage` when as many events wait as
  ///   may, or when it could not be kept. In each case nothing of it is left behind.
  @discardableResult
  public func track(_ event: InsightsEvent) throws(SearchError) -> Bool {
    let encoded = try event.encoded(with: defaults, at: currentDate())
    for part in encoded.parts where part.count > maximumEventBytes {
      throw InsightsEvent.problem(event.name, "it is longer than the service takes.")
    }
    guard queue.isEnabled else { return false }
    guard encoded.parts.count <= maximumWaitingEvents - queue.count else {
      throw SearchError(
        .storage,
        "\(queue.count) events wait to be sent already; \(maximumWaitingEvents) may, so no more are taken."
      )
    }
    let (following, isLast) = nextEventID.addingReportingOverflow(UInt64(encoded.parts.count))
    guard !isLast else { throw SearchError(.storage, "The storage has run out of numbers.") }
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

  /// How many events wait, those under way included.
  public var waitingCount: Int { queue.count }

  /// Who the events are about, where they do not say it themselves.
  public var userToken: String { defaults.userToken }

  /// Sets who later events are about, where they do not say it themselves.
  ///
  /// - Parameters:
  ///   - userToken: 1 to 129 letters, digits and `_=/+-`.
  ///   - authenticatedUserToken: The same for a user who has signed in; `nil` for none.
  /// - Throws: `invalidRequest` for a token that cannot be; the tokens stay as they were.
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
        "The \(name) of an insights client must be 1 to 129 characters, each of them a letter or digit of ASCII or one of _=/+-."
      )
    }
  }
}

// MARK: - Sending

extension InsightsClient {
  /// Sends everything that waits now, and returns when it is sent or a call has failed.
  ///
  /// It does not wait for a time after a failure to pass, unless the server has asked for it: then
  /// nothing is sent. Cancelling the task ends the waiting, not the sending.
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
      // The actor takes this up when the caller has gone to sleep, so the caller is found.
      Task(executorPreference: executor) { await self.cancelFlush(id) }
    }
  }

  /// Whether events are taken and sent; `true` at first.
  public var isEnabled: Bool { queue.isEnabled }

  /// Allows or forbids to take and to send events, as the user allows or forbids it.
  ///
  /// While it is forbidden, ``track(_:)`` passes events over, and what waits already is neither
  /// sent nor dropped; ``discardWaitingEvents()`` drops it. A call under way is not taken back.
  public func setEnabled(_ isEnabled: Bool) {
    perform(queue.setEnabled(isEnabled, at: now))
  }

  /// Drops the events that wait.
  ///
  /// Those under way may still arrive; they are not sent again if they do not.
  public func discardWaitingEvents() {
    perform(queue.discarded(at: now) { _ in true })
  }

  /// Makes the service forget a user: events of that token, and what was learnt from them.
  ///
  /// Events of the token that wait are dropped first. One that is under way may still arrive, but
  /// is not sent again if it does not.
  ///
  /// - Throws: `invalidRequest` for a text that is no token; or whatever made the call fail.
  public func deleteUserToken(_ userToken: String) async throws(SearchError) {
    guard InsightsUserToken.isValid(userToken) else {
      throw SearchError(.invalidRequest, "The user token to be deleted is not valid.")
    }
    perform(queue.discarded(at: now) { $0.userTokens.contains(userToken) })
    try await InsightsCall.delete(
      userToken: userToken, over: transport, clock: callClock, options: options)
  }

  /// What goes wrong from now on.
  ///
  /// Each call makes a new subscription, which keeps the newest 1,000 failures until they are read.
  public nonisolated func failures(
    buffering: StreamBuffering = .newest(1_000)
  ) -> AsyncStream<InsightsFailure> {
    failureHub.stream(buffering: buffering)
  }

  /// What goes wrong from now on: events that are dropped, calls that fail, notes that are not
  /// kept.
  public nonisolated var failures: AsyncStream<InsightsFailure> { failures() }
}

// MARK: - Moving parts

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
    call = nil
    // By hand: `Double.random` draws again and again from a generator that always gives zero.
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
    call = Task(executorPreference: executor) { [transport, callClock, options, weak self] in
      let outcome = await InsightsCall.send(
        records, over: transport, clock: callClock, options: options)
      await self?.ended(outcome)
    }
  }

  /// Sleeps until the queue has to be looked at again. The task does not hold the client.
  private func setTimer() {
    let time = queue.wakeTime
    guard time != timerTime else { return }
    timer?.cancel()
    timerTime = time
    timer = time.map { time in
      Task(executorPreference: executor) { [clock, weak self] in
        guard (try? await clock.sleepUntil(time)) != nil else { return }
        await self?.wake()
      }
    }
  }
}

extension InsightsClient: CustomReflectable {
  /// Nothing of what the client holds: user tokens are in it.
  public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension InsightsClient {
  /// When and how events are sent.
  public struct Configuration: Sendable, Hashable {
    /// How many events are waited for before they are sent; 10.
    public var batchSize: Int
    /// How long the first event that waits is waited with; 30 s.
    public var flushInterval: Duration
    /// How many events may wait; 10,000. When there are as many, another one is refused.
    public var maximumWaitingEvents: Int
    /// How long to wait after a first failed call; 1 s, and twice as long after each further one.
    ///
    /// A random part of up to a half is taken off, so that many clients do not come back at once. A
    /// longer time that an answer asks for is respected.
    public var initialBackOff: Duration
    /// The longest time between calls that fail; 5 minutes.
    public var maximumBackOff: Duration
    /// How long a call may take; `nil`, the default, leaves it to the transport.
    public var timeout: Duration?

    /// How many events one call may have; the service takes 1,000.
    package var maximumBatchEvents = 1_000
    /// How long the body of a call may be; the service takes less than 2 MB.
    package var maximumBodyBytes = 1_999_999

    /// Creates a configuration.
    public init(
      batchSize: Int = 10,
      flushInterval: Duration = .seconds(30),
      maximumWaitingEvents: Int = 10_000,
      initialBackOff: Duration = .seconds(1),
      maximumBackOff: Duration = .seconds(300),
      timeout: Duration? = nil
    ) {
      self.batchSize = batchSize
      self.flushInterval = flushInterval
      self.maximumWaitingEvents = maximumWaitingEvents
      self.initialBackOff = initialBackOff
      self.maximumBackOff = maximumBackOff
      self.timeout = timeout
    }

    /// What is wrong with the configuration; `nil` when nothing is.
    var validationError: SearchError? {
      for (name, number) in [
        ("batchSize", batchSize), ("maximumWaitingEvents", maximumWaitingEvents),
        ("maximumBatchEvents", maximumBatchEvents), ("maximumBodyBytes", maximumBodyBytes),
      ] where number < 1 {
        return SearchError(.invalidRequest, "The \(name) of an insights client must be at least 1.")
      }
      for (name, duration) in [
        ("flushInterval", flushInterval), ("initialBackOff", initialBackOff),
        ("maximumBackOff", maximumBackOff),
      ] where duration < .zero {
        return SearchError(
          .invalidRequest, "The \(name) of an insights client must not be negative.")
      }
      if let timeout, timeout <= .zero {
        return SearchError(.invalidRequest, "The timeout of an insights client must be positive.")
      }
      return nil
    }
  }
}
