/// Uses a second transport when the first fails, such as the embedded engine when the network is
/// down.
///
/// To reuse earlier responses use ``CachingTransport``.
///
/// ```swift
/// let transport = FallbackTransport(primary: network, fallback: engine)
/// for await state in transport.circuitStates { banner.isHidden = state == .closed }
/// ```
///
/// ## Behavior
///
/// - A read uses the primary transport. If that fails, the same call goes to the fallback, whose
///   response counts even if it is an error response. If the fallback throws, the call ends with
///   the outcome of the primary.
/// - After several consecutive failures the circuit opens: reads go directly to the fallback.
///   After `openDuration` the next read, and only that one, probes the primary while the others
///   use the fallback. If the probe succeeds, the circuit closes. If it fails, the circuit stays
///   open for twice as long. If it has not ended after `openDuration`, or after 1 s if that is
///   longer, the next read becomes a probe. If the first probe then succeeds after all, the
///   circuit closes as well.
/// - The `isFailure` closure decides what counts as a failure; see ``isFailure(_:)`` for the
///   default. A call that does not end within `primaryTimeout` is a failure. So is a call that
///   does not end before its deadline, if the primary had at least `minimumAttemptDuration`. A
///   shorter attempt is not counted. Likewise, an error of code `timedOut` within less than that
///   time is not counted if the caller's deadline or `TransportRequest.attemptTimeout` is shorter;
///   the call still goes to the fallback. If a probe is cut short in this way, the circuit stays
///   open for another interval, and the other calls use the fallback. Cancellation is not a
///   failure and does not use the fallback.
/// - Except for a probe that succeeds, a call that began before a change of the state has no
///   effect on the state when it ends.
/// - Writes use the primary only and are not counted.
/// - The deadline covers both transports. When it passes, the call ends at once with `timedOut`.
/// - A response's `TransportResponse.origin` names the transport that produced it, unless the
///   wrapped transport set a name itself. `ResponseOrigin.isFallback` is set for every response of
///   the fallback.
/// - A snapshot is passed on together with the transport it came from. A call with a snapshot uses
///   that transport first, so the pages of one list come from the same data, even if the network
///   comes back between them. While the circuit is open, the primary is not used in either case.
public final class FallbackTransport: SearchTransport {
  /// It waits for neither transport longer than for the caller.
  public var isPrompt: Bool { true }

  private let primary: any SearchTransport
  private let fallback: any SearchTransport
  private let primaryTimeout: Duration?
  private let minimumAttemptDuration: Duration
  private let names: (primary: String, fallback: String)
  private let isFailure: @Sendable (Result<TransportResponse, any Error>) -> Bool
  private let clock: any Clock<Duration>
  private let executor: (any TaskExecutor)?
  /// Decides which calls use the primary. It also identifies this transport's snapshots.
  let breaker: SharedCircuitBreaker

  /// Creates a transport that falls back from one transport to another.
  ///
  /// - Parameters:
  ///   - primary: The transport that is used first.
  ///   - fallback: The transport that is used when `primary` has failed.
  ///   - primaryTimeout: The time after which the primary has failed and the fallback is used.
  ///     Defaults to no limit.
  ///   - minimumAttemptDuration: The time that an attempt must have lasted for a passed deadline to
  ///     count as a failure of the primary. Defaults to 750 ms, so that deadlines of a second
  ///     count. If all deadlines are shorter, a primary that hangs is detected only by
  ///     `primaryTimeout`, or with a lower value here.
  ///   - failureThreshold: The number of consecutive failures that open the circuit. Defaults to 3.
  ///   - openDuration: The time that the circuit stays open. Defaults to 5 s.
  ///   - maximumOpenDuration: The limit of the open duration while the primary keeps failing.
  ///     Defaults to 60 s.
  ///   - primaryName: The origin name of the primary's responses. Defaults to `primary`.
  ///   - fallbackName: The origin name of the fallback's responses. Defaults to `fallback`.
  ///   - clock: The clock that measures the times. Defaults to `ContinuousClock`.
  ///   - executor: The executor that runs the calls. Defaults to the global one.
  ///   - isFailure: Returns whether an outcome of the primary is a failure. Defaults to
  ///     ``isFailure(_:)``.
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

  /// Answers a call with the primary or the fallback transport; see ``FallbackTransport``.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, `SearchError` of code
  ///   `timedOut` as soon as the deadline passes, or the error of a transport.
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
      // The time that the fallback took is not counted as the primary's.
      let start = breaker.now
      let outcome = await ask(.primary, request)
      let time = breaker.now - start
      let primaryOutcome = circuitOutcome(of: outcome)
      breaker.end(
        permit, wasCutShort(outcome, by: request, after: time) ? .cutShort : primaryOutcome)
      guard primaryOutcome == .failed, !outcome.isEndOfCall, fallbackOutcome == nil else {
        return try outcome.response()
      }
      let second = await ask(.fallback, request)
      return try second.isThrown ? outcome.response() : second.response()
    }
  }

  /// Returns the outcome of a call as the circuit counts it for the primary.
  private func circuitOutcome(of outcome: CallOutcome) -> CircuitBreaker.Outcome {
    switch outcome {
    case .cancelled: return .ignored
    case .deadlinePassed, .primaryTimedOut: return .failed
    case .completed(let result):
      if isFailure(result) { return .failed }
      // A cached response says nothing about the transport behind the cache.
      if case .success(let response) = result, response.origin?.isCached == true {
        return .ignored
      }
      return .succeeded
    }
  }

  /// Whether the caller's own deadline ended a call of the primary too early to count as a failure.
  private func wasCutShort(
    _ outcome: CallOutcome, by request: TransportRequest, after time: Duration
  ) -> Bool {
    if time >= minimumAttemptDuration { return false }
    switch outcome {
    case .deadlinePassed: return true
    case .completed(.failure(let error)):
      guard (error as? SearchError)?.code == .timedOut else { return false }
      // Otherwise the transport's own timeout fired, which counts as a failure.
      let times = [request.attemptTimeout, request.deadline.map { $0.remaining + time }]
      return times.contains { $0.map { $0 < minimumAttemptDuration } ?? false }
    case .completed(.success), .primaryTimedOut, .cancelled: return false
    }
  }

  /// Calls one transport, limited by the call's deadline and the transport's timeout.
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

  /// The snapshot of a call, if it came from this transport.
  private func snapshot(of request: TransportRequest) -> OwnedSnapshot? {
    guard let snapshot = request.snapshot as? OwnedSnapshot, snapshot.owner === breaker else {
      return nil
    }
    return snapshot
  }

  /// Returns the response with its origin set to the transport that produced it.
  private func settingOrigin(of response: TransportResponse, to side: Side) -> TransportResponse {
    var response = response
    var origin = response.origin ?? ResponseOrigin(name: "")
    if origin.name.isEmpty { origin.name = side == .primary ? names.primary : names.fallback }
    if side == .fallback { origin.isFallback = true }
    response.origin = origin
    // A primary response without a snapshot needs no affinity for later pages.
    if side == .fallback || response.snapshot != nil {
      response.snapshot = OwnedSnapshot(owner: breaker, side: side, base: response.snapshot)
    }
    return response
  }
}

extension FallbackTransport {
  /// Whether calls use the primary transport.
  public enum CircuitState: Sendable, Hashable {
    /// Every read uses the primary.
    case closed
    /// The primary failed too often and is not used for a while. The fallback answers.
    case open
    /// One call probes the primary. The fallback answers the others.
    case halfOpen
  }

  /// The current state.
  public var circuitState: CircuitState { breaker.circuitState }

  /// Returns a stream of the current state and each later one, without equal values in a row.
  ///
  /// To show an offline banner, show it for every state except ``CircuitState/closed``. Leaving the
  /// loop ends the subscription. The stream ends when the transport is deallocated.
  public func circuitStates(buffering: StreamBuffering = .newest(1)) -> AsyncStream<CircuitState> {
    breaker.circuitStates.stream(buffering: buffering)
  }

  /// A stream of the current state and each later one, without equal values in a row.
  public var circuitStates: AsyncStream<CircuitState> { circuitStates() }

  /// The default rule for failures of the primary: a response of status 429 or 5xx, the errors
  /// `unreachable`, `timedOut`, `transport`, `server`, `rateLimited` and `decoding`, and errors of
  /// other types, except for `CancellationError`.
  ///
  /// An error of code `decoding` is a failure: a transport that parses responses, such as
  /// ``BatchingTransport``, received something other than the service's response, such as the page
  /// of a proxy.
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

  /// A snapshot of one transport, which the other cannot use.
  struct OwnedSnapshot: Sendable {
    /// Identifies the transport that issued the snapshot, because fallback transports can be
    /// nested.
    let owner: SharedCircuitBreaker
    let side: Side
    let base: (any Sendable)?
  }

  /// The outcome of calling one of the two transports.
  enum CallOutcome: Sendable {
    /// It returned a response or threw an error.
    case completed(Result<TransportResponse, any Error>)
    /// The primary did not end within its timeout.
    case primaryTimedOut(Duration)
    /// The deadline of the call passed.
    case deadlinePassed
    /// The caller or the transport cancelled the call.
    case cancelled

    /// Calls a transport.
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

    /// Whether the call must not use the other transport afterwards.
    var isEndOfCall: Bool {
      switch self {
      case .deadlinePassed, .cancelled: true
      case .completed, .primaryTimedOut: false
      }
    }

    /// Whether the transport itself failed to respond.
    var isThrown: Bool {
      switch self {
      case .completed(.failure), .primaryTimedOut: true
      case .completed(.success), .deadlinePassed, .cancelled: false
      }
    }

    /// The outcome as the caller receives it.
    func response() throws -> TransportResponse {
      switch self {
      case .completed(let result): return try result.get()
      case .primaryTimedOut(let time):
        throw SearchError(.timedOut, "The primary transport timed out after \(time).")
      case .deadlinePassed: throw SearchError.deadlinePassed
      case .cancelled: throw CancellationError()
      }
    }
  }
}
