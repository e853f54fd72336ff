/// Sends calls to the hosts of a service, in order, until one responds.
///
/// It has the parts that every service over HTTP shares: the order and the state of the hosts,
/// timeouts, retries, reports, and texts without secrets. A transport adds its credentials.
package final class HostCaller: Sendable {
  /// The configuration by a transport.
  package struct Configuration: Sendable {
    /// The hosts to try, in order.
    package let hosts: [SearchHost]
    /// The initial timeout for connecting to one host.
    package let connectTimeout: Duration
    /// The initial timeout of one host for a read.
    let readTimeout: Duration
    /// The initial timeout of one host for a write.
    let writeTimeout: Duration
    /// The timeout of a call without a deadline.
    let callTimeout: Duration?
    /// How long a failure of a host is remembered.
    let hostStateTimeToLive: Duration
    /// The query items of every call.
    let queryItems: [QueryItem]
    let exchange: HTTPExchange
    let onAttempt: (@Sendable (AttemptReport) -> Void)?
    package let clock: any Clock<Duration>

    /// Creates a configuration.
    package init(
      hosts: [SearchHost], connectTimeout: Duration, readTimeout: Duration, writeTimeout: Duration,
      callTimeout: Duration?, hostStateTimeToLive: Duration, queryItems: [QueryItem],
      exchange: @escaping HTTPExchange, onAttempt: (@Sendable (AttemptReport) -> Void)?,
      clock: any Clock<Duration>
    ) {
      self.hosts = hosts
      self.connectTimeout = connectTimeout
      self.readTimeout = readTimeout
      self.writeTimeout = writeTimeout
      self.callTimeout = callTimeout
      self.hostStateTimeToLive = hostStateTimeToLive
      self.queryItems = queryItems
      self.exchange = exchange
      self.onAttempt = onAttempt
      self.clock = clock
    }
  }

  private let configuration: Configuration
  private let attempts: HostAttempts
  private let time: AnyClock
  private let hostStates: Lock<HostStates>

  /// Creates a caller. It sends nothing.
  package init(_ configuration: Configuration) {
    self.configuration = configuration
    attempts = HostAttempts(configuration)
    time = AnyClock(configuration.clock)
    hostStates = Lock(
      HostStates(configuration.hosts, timeToLive: configuration.hostStateTimeToLive))
  }

  /// Sends a request to the hosts in order until one responds.
  ///
  /// - Parameters:
  ///   - request: The request. Its headers are not sent.
  ///   - headers: The headers to send, in place of the request's.
  ///   - requestID: The ID of the call for reports.
  /// - Throws: `CancellationError`, or a `SearchError`: `invalidRequest` before anything is sent,
  ///   `unreachable` or `timedOut` with the attempts, or the `SearchError` an exchange threw.
  package func send(
    _ request: TransportRequest, headers: HeaderFields, requestID: String?
  ) async throws -> TransportResponse {
    let call = try PreparedCall(
      request, headers: headers, requestID: requestID, defaults: configuration)
    let candidates = hostStates.withLock { $0.candidates(for: request.callType, at: time.now()) }
    var log = AttemptLog(call: call)
    let isAnySlow = candidates.contains(where: \.isSlow)
    for (position, candidate) in candidates.enumerated() {
      try Task.checkCancellation()
      if call.deadline.hasPassed { throw log.deadlinePassed() }
      // Once a host is known to be slow, the other hosts share the remaining time, so that no
      // single host uses up the deadline of a read. A write that was sent may have taken effect, so
      // it has the whole time.
      let isShared = isAnySlow && request.callType == .read
      let others = isShared ? candidates[position...].count { !$0.isSlow } : 1
      let share = candidate.isSlow || others < 2 ? nil : call.deadline.remaining / others
      var outcome = await attempt(call, at: candidate, number: log.count + 1, atMost: share)
      if case .failed(let error) = outcome, error.isStaleConnection, call.isIdempotent {
        log.record(error, from: candidate.host)
        outcome = await attempt(call, at: candidate, number: log.count + 1, atMost: share)
      }
      switch outcome {
      case .answered(let response) where AttemptOutcome.isFinal(status: response.status):
        return call.answer(response)
      case .answered(let response):
        log.record(response, from: candidate.host)
      case .failed(let error):
        log.record(error, from: candidate.host)
      case .refused(let error):
        throw call.secrets.redacting(error)
      case .deadlinePassed:
        log.recordDeadline(at: candidate.host)
        throw log.deadlinePassed()
      case .cancelled:
        throw CancellationError()
      }
    }
    try Task.checkCancellation()
    throw log.allHostsFailed()
  }

  /// Makes one attempt, records the observation about the host, and reports the attempt.
  private func attempt(
    _ call: PreparedCall, at candidate: HostStates.Candidate, number: Int, atMost share: Duration?
  ) async -> AttemptOutcome {
    let fullTimeout = call.timeout(for: candidate)
    let timeout = min(fullTimeout, share ?? fullTimeout)
    let (outcome, duration) = await attempts.make(
      call, at: candidate.host, timeout: timeout,
      connectTimeout: configuration.connectTimeout * candidate.timeoutMultiplier)
    var observation = outcome.observation
    // Layers above cancel a call at its deadline.
    if outcome.isWithoutResponse && call.deadline.hasPassed
      || observation == .timedOut && timeout < fullTimeout
    {
      observation = duration >= Self.minimumAttemptDuration ? .cutShort : nil
    }
    if let observation {
      hostStates.withLock { $0.record(observation, for: candidate, at: time.now()) }
    }
    attempts.report(
      outcome, of: call, at: candidate.host, number: number, timeout: timeout, duration: duration)
    return outcome
  }

  /// The minimum duration of an attempt for a passed deadline to count as an observation about the
  /// host.
  private static let minimumAttemptDuration = Duration.milliseconds(100)
}

extension HostCaller.Configuration {
  /// The reason why no call can be sent, or `nil` for a valid configuration.
  package var validationMessage: String? {
    for host in hosts {
      if let validationMessage = host.validationMessage { return validationMessage }
    }
    let timeouts = [
      ("connect", connectTimeout), ("read", readTimeout), ("write", writeTimeout),
      ("call", callTimeout ?? .seconds(1)),
    ]
    for (name, timeout) in timeouts where timeout <= .zero {
      return "The \(name) timeout must be greater than zero, got \(timeout)."
    }
    return nil
  }

  /// The initial timeout of one host.
  func timeout(of callType: Endpoint.CallType) -> Duration {
    callType == .read ? readTimeout : writeTimeout
  }

  /// The deadline of a call that begins now and has none.
  ///
  /// - Parameter timeout: The timeout of each host.
  func deadline(
    of callType: Endpoint.CallType, askingEveryHostFor timeout: Duration
  ) -> Deadline {
    let count = hosts.count { $0.callTypes.contains(callType) }
    return Deadline(after: callTimeout ?? max(.seconds(120), timeout * count), clock: clock)
  }
}
