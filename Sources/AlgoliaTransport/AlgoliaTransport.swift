// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI

/// Sends calls over HTTPS to the hosts of an Algolia application.
///
/// ```swift
/// let client = SearchClient(transport: AlgoliaTransport(appID: id, apiKey: key))
/// ```
///
/// A call tries the hosts of its call type in order, each once, and without a pause between
/// attempts:
///
/// - A status of 2xx or 4xx (429 included) ends the call and is returned.
/// - After a timeout, a network error or any other status the call tries the next host. If a kept
///   connection ends before the response, a call that can be repeated without a further effect,
///   such as any read, first tries the same host once more.
/// - When no host is left, the call throws `SearchError` with the code `unreachable`, or `timedOut`
///   if every host timed out. The error lists the attempts.
///
/// The transport remembers how each host did. A host that failed is skipped for five minutes, or
/// until all hosts have failed. A host that timed out is tried after the others, with a longer
/// timeout after each further one. A successful response resets the host's state.
///
/// A cancelled call throws `CancellationError` at once, and a call whose deadline passes throws
/// `timedOut` at once, even if the HTTP library ignores cancellation. Neither tries another host
/// nor counts against the host. Every call has a deadline: its own, or two minutes, or the sum of
/// the initial timeouts of all hosts if that is longer. No shutdown is needed.
///
/// Descriptions, mirrors and errors never contain the API key or other header values of a call. If
/// the text of an exchange, the body of an error response, or the message of any response or of one
/// of its results quotes one of four characters or more, `<redacted>` replaces it: as it is, in
/// another case, percent-encoded, as HTML entities or JSON escapes, in base64 or in hexadecimal
/// digits. Of a key, any eight consecutive characters are replaced. Of an error response of more
/// than 64 KiB the message and the status are kept, or the first 64 KiB if it has no message.
///
/// Creating a transport cannot fail. For an empty application ID, an empty key or an invalid
/// ``Configuration``, every call throws `invalidRequest` with a message that says what is missing
/// or wrong, and sends nothing.
public final class AlgoliaTransport: SearchTransport {
  /// Calls end in time.
  public var isPrompt: Bool { true }

  /// The ID of the application that the transport calls.
  public let appID: String

  let hosts: HostList
  private let configuration: Configuration
  private let commonHeaders: HeaderFields
  private let callDefaults: CallDefaults
  private let configurationError: SearchError?
  private let time: AnyClock
  private let hostStates: Lock<HostStates>
  private let apiKey: Lock<APIKey>
  private let randomNumberGenerator: Lock<SplitMix64>

  /// Creates a transport. It sends nothing.
  ///
  /// - Parameters:
  ///   - appID: The application ID shown in the dashboard.
  ///   - apiKey: A key of that application. Use a search-only key for searching, and never the
  ///     admin key in an app.
  ///   - configuration: Hosts, timeouts, headers and the HTTP library. Defaults to Algolia's hosts,
  ///     5 s for reads, 30 s for writes, and the system's exchange.
  public init(appID: String, apiKey: String, configuration: Configuration = Configuration()) {
    var randomNumberGenerator = configuration.randomNumberGenerator
    self.appID = appID
    if let custom = configuration.hosts {
      hosts = HostList(custom: custom)
    } else {
      hosts = HostList(appID: appID, using: &randomNumberGenerator)
    }
    self.configuration = configuration
    commonHeaders = configuration.commonHeaders(appID: appID)
    callDefaults = configuration.callDefaults
    configurationError = configuration.validationError(appID: appID)
    time = AnyClock(configuration.clock)
    hostStates = Lock(HostStates(hosts, timeToLive: configuration.hostStateTimeToLive))
    self.apiKey = Lock(APIKey(apiKey))
    self.randomNumberGenerator = Lock(SplitMix64(seed: randomNumberGenerator.next()))
  }

  /// Replaces the API key for calls that begin later.
  ///
  /// Calls in flight keep their key. A `CachingTransport` around this transport does not notice the
  /// change: call its `invalidateAll()` to drop responses to the previous key.
  public func replaceAPIKey(with apiKey: String) {
    let newKey = APIKey(apiKey)
    self.apiKey.withLock { $0 = newKey }
  }

  /// Sends a request to the hosts in order until one responds; see ``AlgoliaTransport``.
  ///
  /// - Throws: `CancellationError`, or a `SearchError`: `invalidRequest` before anything is sent,
  ///   `unreachable` or `timedOut` with the attempts, or the `SearchError` an exchange threw.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let call = try prepare(request)
    let candidates = hostStates.withLock { $0.candidates(for: request.callType, at: time.now()) }
    var log = AttemptLog(call: call)
    let isAnySlow = candidates.contains(where: \.isSlow)
    for (position, candidate) in candidates.enumerated() {
      try Task.checkCancellation()
      if call.deadline.hasPassed { throw log.deadlinePassed() }
      // A deadline that one host used up alone leaves time for each of the others.
      // A write that was sent may have had its effect, so it has the whole time.
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
        return Self.answer(response, without: call.secrets)
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

  /// The response for the caller. What becomes a message is redacted: the body of an error
  /// response, and the messages in any other.
  private static func answer(
    _ response: HTTPExchangeResponse, without secrets: Secrets
  ) -> TransportResponse {
    var answer = TransportResponse(
      status: response.status, headers: secrets.redacting(response.headers), body: response.body)
    if answer.status >= 400 {
      answer.body = secrets.redacting(Secrets.shortened(answer.body))
    } else {
      answer.body = secrets.redactingMessages(of: answer.body)
    }
    if answer.body.count != response.body.count {
      answer.headers.removeAll { $0.name.lowercased() == "content-length" }
    }
    return answer
  }

  /// Checks a request and prepares what all of its attempts share.
  private func prepare(_ request: TransportRequest) throws(SearchError) -> PreparedCall {
    if let configurationError { throw configurationError }
    let apiKey = apiKey.withLock { $0 }
    if apiKey.isEmpty {
      throw SearchError(
        .invalidRequest, "The API key is empty. Pass a search-only key of the application.")
    }
    var headers = commonHeaders
    headers.set(HeaderFields.apiKeyName, to: apiKey.plainText)
    headers.merge(request.headers)
    if configuration.sendsRequestID, headers[RequestID.headerName] == nil,
      RequestID.value(in: request.queryItems) == nil
    {
      let requestID = randomNumberGenerator.withLock { RequestID.make(using: &$0) }
      headers.set(RequestID.headerName, to: requestID)
    }
    return try PreparedCall(request, headers: headers, defaults: callDefaults)
  }

  /// Makes one attempt, records how the host did, and reports the attempt.
  private func attempt(
    _ call: PreparedCall, at candidate: HostStates.Candidate, number: Int, atMost share: Duration?
  ) async -> AttemptOutcome {
    let fullTimeout = call.timeout(for: candidate)
    let timeout = min(fullTimeout, share ?? fullTimeout)
    let start = time.now()
    let outcome = await ask(candidate, call, timeout: timeout)
    var observation = outcome.observation
    // Layers above cancel a call at its deadline.
    if outcome.isWithoutResponse && call.deadline.hasPassed
      || observation == .timedOut && timeout < fullTimeout
    {
      let hadTime = time.now() - start >= Self.minimumAttemptDuration
      observation = hadTime ? .cutShort : nil
    }
    if let observation {
      hostStates.withLock { $0.record(observation, for: candidate, at: time.now()) }
    }
    configuration.onAttempt?(
      call.report(
        outcome, at: candidate.host, number: number, timeout: timeout,
        duration: time.now() - start))
    return outcome
  }

  /// The time that an attempt must have had for a passed deadline to say something of the host.
  private static let minimumAttemptDuration = Duration.milliseconds(100)

  /// Makes one attempt that ends no later than its timeout and the call's deadline.
  private func ask(
    _ candidate: HostStates.Candidate, _ call: PreparedCall, timeout: Duration
  ) async -> AttemptOutcome {
    let timer = Deadline(after: timeout, clock: configuration.clock)
    let remaining = max(call.deadline.remaining, .nanoseconds(1))
    let request = call.request(
      to: candidate.host, timeout: min(timeout, remaining),
      connectTimeout: min(
        configuration.connectTimeout * candidate.timeoutMultiplier, timeout, remaining))
    var contenders: [@concurrent @Sendable () async -> AttemptOutcome?] = [
      { [configuration] in
        await AttemptOutcome(of: configuration.exchange, answering: request)
      },
      { await timer.waitUntilPassed() ? .failed(.timedOut(after: timeout)) : nil },
    ]
    if call.deadlineMayPass(within: timeout) {
      contenders.append { await call.deadline.waitUntilPassed() ? .deadlinePassed : nil }
    }
    let outcome = await Race.first(of: contenders, onCancel: .cancelled)
    // If the task is cancelled or the deadline passes as the attempt ends, that decides.
    if Task.isCancelled { return .cancelled }
    switch outcome {
    case .answered, .failed: return call.deadline.hasPassed ? .deadlinePassed : outcome
    case .refused, .deadlinePassed, .cancelled: return outcome
    }
  }
}

extension AlgoliaTransport: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The application ID and the hosts, without the key.
  public var description: String {
    "AlgoliaTransport(appID: \(appID), hosts: \(hosts))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The application ID and the hosts, without the key.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["appID": appID, "hosts": hosts.description], displayStyle: .class)
  }
}
