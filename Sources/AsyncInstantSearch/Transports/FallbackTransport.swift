/// Asks another transport when the first one fails: the embedded engine, for example, when the
/// network is down.
///
/// ```swift
/// let transport = FallbackTransport(primary: network, fallback: engine)
/// for await state in transport.circuitStates { banner.isHidden = state == .closed }
/// ```
///
/// ## Behavior
///
/// - A read asks the primary transport. When that fails, the same call asks the fallback, whose
///   answer counts, also one that is an error. When the fallback throws, the call ends as it had
///   with the primary.
/// - After some failures in a row the circuit opens: reads ask the fallback at once. After a while
///   the next read tries the primary again, and only that one, while the others ask the fallback.
///   If it succeeds the circuit closes; if not, it is open for twice as long. A try that has not
///   ended after `openDuration`, or after a second if that is longer, is not waited for: the next
///   read tries. When the first succeeds after all, the circuit closes as well.
/// - What counts as a failure is a closure's decision, by default ``isFailure(_:)``. A call that
///   does not end before `primaryTimeout` is a failure as well; so is one that does not end before
///   its deadline, if the primary had `minimumAttemptDuration` for it: a caller in a great hurry says
///   nothing of the primary. Nor does an error of code `timedOut` in less than that, if the
///   caller's deadline or `TransportRequest.attemptTimeout` is shorter; it leads to the fallback
///   all the same. When the call that tries ends in such a hurry, the circuit is open for as long
///   again, and the others ask the fallback. Cancellation is no failure, and asks nobody else.
///   Apart from a try that succeeds, a call that began before a change of the state changes nothing
///   at its end.
/// - Writes ask the primary only, and are not counted.
/// - The deadline covers both transports; when it passes, the call ends at once with `timedOut`.
/// - An answer's `TransportResponse.origin` tells who gave it, unless the wrapped transport has
///   told more; that it was the fallback is told in any case, by `ResponseOrigin.isFallback`.
/// - A snapshot is passed on together with the side it came from. A call with it asks that side
///   first: so the pages of one list are of the same data, even when the network comes back while
///   they are read. Asked first or not, the primary is left alone while the circuit is open.
public final class FallbackTransport: SearchTransport {
  private let primary: any SearchTransport
  private let fallback: any SearchTransport
  private let primaryTimeout: Duration?
  private let minimumAttemptDuration: Duration
  private let names: (primary: String, fallback: String)
  private let isFailure: @Sendable (Result<TransportResponse, any Error>) -> Bool
  private let clock: any Clock<Duration>
  private let executor: (any TaskExecutor)?
  /// Which calls ask the primary; also what tells the snapshots of this transport from others.
  let breaker: SharedCircuitBreaker

  /// Makes one transport of two.
  ///
  /// - Parameters:
  ///   - primary: Is asked first.
  ///   - fallback: Is asked when `primary` has failed.
  ///   - primaryTimeout: How long the primary may take before the fallback is asked; by default as
  ///     long as it wants.
  ///   - minimumAttemptDuration: How long the primary must have been asked for a passed deadline to be its
  ///     failure; 750 milliseconds by default, so that deadlines of a second count. Where all are
  ///     shorter, a primary that hangs is found out by `primaryTimeout` only, or with a lower value
  ///     here.
  ///   - failureThreshold: How many failures in a row open the circuit; 3 by default.
  ///   - openDuration: How long the circuit stays open; 5 seconds by default.
  ///   - maximumOpenDuration: To what that grows while the primary fails; a minute by default.
  ///   - primaryName: The name of the primary's answers; `primary` by default.
  ///   - fallbackName: The name of the fallback's answers; `fallback` by default.
  ///   - clock: Measures the times; a continuous clock by default.
  ///   - executor: Runs the calls; the global one by default.
  ///   - isFailure: Whether an outcome of the primary is a failure.
  public init(
    primary: some SearchTransport,
    fallback: some SearchTransport,
    primaryTimeout: Duration? = nil,
    minimumAttemptDuration: Duration = .milliseconds(750),
    failureThreshold: Int = 3,
    openDuration: Duration = .seconds(5),
    maximumOpenDuration: Duration = .seconds(60),
    primaryName: String = ResponseOrigin.primary.name,
    fallbackName: String = ResponseOrigin.fallback.name,
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    isFailure: @escaping @Sendable (Result<TransportResponse, any Error>) -> Bool =
      FallbackTransport.isFailure
  ) {
    self.primary = primary
    self.fallback = fallback
    self.primaryTimeout = primaryTimeout
    self.minimumAttemptDuration = minimumAttemptDuration
    names = (primaryName, fallbackName)
    self.isFailure = isFailure
    self.clock = clock
    self.executor = executor
    breaker = SharedCircuitBreaker(
      CircuitBreaker(
        failureThreshold: failureThreshold, openDuration: openDuration,
        maximumOpenDuration: maximumOpenDuration),
      clock: AnyClock(clock))
  }

  deinit {
    breaker.circuitStates.finish()
  }

  /// Answers a call; see ``FallbackTransport``.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled; `SearchError` of code
  ///   `timedOut` at once when the deadline passes; what the transports throw.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    if request.callType == .write { return try await ask(.primary, request).response() }
    var fallbackOutcome: CallOutcome?
    if snapshot(of: request)?.side == .fallback {
      let outcome = await ask(.fallback, request)
      if !outcome.isThrown { return try outcome.response() }
      fallbackOutcome = outcome
    }
    switch breaker.begin() {
    case .reject:
      if let fallbackOutcome { return try fallbackOutcome.response() }
      return try await ask(.fallback, request).response()
    case .allow(let permit):
      // What the fallback took before is not the primary's.
      let start = breaker.now
      let outcome = await ask(.primary, request)
      let time = breaker.now - start
      let ending = ending(of: outcome)
      breaker.end(permit, wasCutShort(outcome, by: request, after: time) ? .cutShort : ending)
      guard ending == .failed, !outcome.isEndOfCall, fallbackOutcome == nil else {
        return try outcome.response()
      }
      let second = await ask(.fallback, request)
      return try second.isThrown ? outcome.response() : second.response()
    }
  }

  /// What the end of a call of the primary says about it.
  private func ending(of outcome: CallOutcome) -> CircuitBreaker.Outcome {
    switch outcome {
    case .cancelled: return .ignored
    case .deadlinePassed, .primaryTimedOut: return .failed
    case .completed(let result):
      if isFailure(result) { return .failed }
      // An answer from a cache says nothing of what is behind it.
      if case .success(let response) = result, response.origin?.isCached == true {
        return .ignored
      }
      return .succeeded
    }
  }

  /// Whether a call of the primary took too long only for its caller, who gave it so little time.
  private func wasCutShort(
    _ outcome: CallOutcome, by request: TransportRequest, after time: Duration
  ) -> Bool {
    if time >= minimumAttemptDuration { return false }
    switch outcome {
    case .deadlinePassed: return true
    case .completed(.failure(let error)):
      guard (error as? SearchError)?.code == .timedOut else { return false }
      // Else it was one of the transport's own times.
      let times = [request.attemptTimeout, request.deadline.map { $0.remaining + time }]
      return times.contains { $0.map { $0 < minimumAttemptDuration } ?? false }
    case .completed(.success), .primaryTimedOut, .cancelled: return false
    }
  }

  /// Asks one side, for no longer than the call may take and the side has.
  private func ask(_ side: Side, _ request: TransportRequest) async -> CallOutcome {
    let transport = side == .primary ? primary : fallback
    var asked = request
    if let snapshot = snapshot(of: request) {
      asked.snapshot = snapshot.side == side ? snapshot.base : nil
    }
    var contenders: [@concurrent @Sendable () async -> CallOutcome?] = [
      { [asked] in await CallOutcome(of: transport, answering: asked) }
    ]
    if side == .primary, request.callType == .read, let primaryTimeout {
      let timer = Deadline(after: primaryTimeout, clock: clock)
      contenders.append { await timer.waitUntilPassed() ? .primaryTimedOut(primaryTimeout) : nil }
    }
    if let deadline = request.deadline {
      contenders.append { await deadline.waitUntilPassed() ? .deadlinePassed : nil }
    }
    let outcome = await Race.first(of: contenders, onCancel: .cancelled, executor: executor)
    if Task.isCancelled { return .cancelled }
    if let deadline = request.deadline, deadline.hasPassed, !outcome.isCancelled {
      return .deadlinePassed
    }
    if case .completed(.success(let response)) = outcome {
      return .completed(.success(settingOrigin(of: response, to: side)))
    }
    return outcome
  }

  // MARK: - Origins and snapshots

  /// The snapshot of a call, if this transport gave it out.
  private func snapshot(of request: TransportRequest) -> OwnedSnapshot? {
    guard let snapshot = request.snapshot as? OwnedSnapshot, snapshot.owner === breaker else {
      return nil
    }
    return snapshot
  }

  /// An answer that tells who gave it.
  private func settingOrigin(of response: TransportResponse, to side: Side) -> TransportResponse {
    var response = response
    var origin = response.origin ?? ResponseOrigin(name: "")
    if origin.name.isEmpty { origin.name = side == .primary ? names.primary : names.fallback }
    if side == .fallback { origin.isFallback = true }
    response.origin = origin
    // Without data to go back to, the network has no reason to be asked first again.
    if side == .fallback || response.snapshot != nil {
      response.snapshot = OwnedSnapshot(owner: breaker, side: side, base: response.snapshot)
    }
    return response
  }
}

extension FallbackTransport {
  /// Whether the primary transport is asked.
  public enum CircuitState: Sendable, Hashable {
    /// Every call asks it.
    case closed
    /// It failed too often and is left alone for a while; the fallback answers.
    case open
    /// One call tries whether it is back; the fallback answers the others.
    case halfOpen
  }

  /// The present state.
  public var circuitState: CircuitState { breaker.circuitState }

  /// The state and each later one, as a stream: the present state first, and no state twice in a
  /// row.
  ///
  /// A screen that is to say "offline" says it for every state but ``CircuitState/closed``. Leaving the
  /// loop ends the subscription; the stream ends with the transport.
  public func circuitStates(buffering: StreamBuffering = .newest(1)) -> AsyncStream<CircuitState> {
    breaker.circuitStates.stream(buffering: buffering)
  }

  /// The state and each later one, as a stream: the present state first, and no state twice in a
  /// row.
  public var circuitStates: AsyncStream<CircuitState> { circuitStates() }

  /// Whether an outcome of the primary transport is a failure, if nothing else is said: an answer
  /// of status 429 or 5xx, and every error but those of a wrong request, of a cancellation and of
  /// storage.
  ///
  /// An error of code `decoding` is one: a transport that reads answers, such as
  /// ``BatchingTransport``, has been given something else than the service's, the page of a proxy
  /// for example.
  @Sendable
  public static func isFailure(_ outcome: Result<TransportResponse, any Error>) -> Bool {
    switch outcome {
    case .success(let response): return response.status == 429 || response.status >= 500
    case .failure(let error):
      guard let code = (error as? SearchError)?.code else { return !(error is CancellationError) }
      return [.unreachable, .timedOut, .transport, .server, .rateLimited, .decoding]
        .contains(code)
    }
  }
}

extension FallbackTransport {
  /// One of the two transports.
  enum Side: Sendable, Hashable {
    case primary, fallback
  }

  /// A snapshot of one side, which the other cannot answer from.
  struct OwnedSnapshot: Sendable {
    /// Tells whose snapshot it is, as transports may be wrapped in others of their kind.
    let owner: SharedCircuitBreaker
    let side: Side
    let base: (any Sendable)?
  }

  /// How it ended that a side was asked.
  enum CallOutcome: Sendable {
    /// It answered, or threw an error.
    case completed(Result<TransportResponse, any Error>)
    /// It had its time.
    case primaryTimedOut(Duration)
    /// The call had its time.
    case deadlinePassed
    /// The caller, or the side itself, gave the call up.
    case cancelled

    /// Asks a transport.
    init(of transport: any SearchTransport, answering request: TransportRequest) async {
      do {
        self = .completed(.success(try await transport.send(request)))
      } catch {
        let isCancelled =
          error is CancellationError || (error as? SearchError)?.code == .cancelled
        self = isCancelled ? .cancelled : .completed(.failure(error))
      }
    }

    var isCancelled: Bool {
      if case .cancelled = self { true } else { false }
    }

    /// Whether nobody else is to be asked after it.
    var isEndOfCall: Bool {
      switch self {
      case .deadlinePassed, .cancelled: true
      case .completed, .primaryTimedOut: false
      }
    }

    /// Whether the side had no answer, for reasons of its own.
    var isThrown: Bool {
      switch self {
      case .completed(.failure), .primaryTimedOut: true
      case .completed(.success), .deadlinePassed, .cancelled: false
      }
    }

    /// The outcome as a caller receives it.
    func response() throws -> TransportResponse {
      switch self {
      case .completed(let result): return try result.get()
      case .primaryTimedOut(let time):
        throw SearchError(.timedOut, "The primary transport had no answer after \(time).")
      case .deadlinePassed: throw SearchError.deadlinePassed
      case .cancelled: throw CancellationError()
      }
    }
  }
}
