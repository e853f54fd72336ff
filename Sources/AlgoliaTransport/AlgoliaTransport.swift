@_exported public import InstantSearchAPI

/// Answers calls over HTTPS, from the hosts of an Algolia application.
///
/// ```swift
/// let client = SearchClient(transport: AlgoliaTransport(appID: id, apiKey: key))
/// ```
///
/// One call is one pass over the hosts of its call type, in order, with at most one attempt per
/// host and no pause between attempts:
///
/// - a status of 2xx or 4xx (429 included) is an answer, and is returned;
/// - a timeout, a network error or any other status moves the call on to the next host;
/// - when no host is left, the call throws `SearchError` with the code
///   `unreachable`, or `timedOut` when every host timed out, and with what each host did.
///
/// What a call learns about a host, the next calls know: a host that failed is not asked for five
/// minutes, or until all hosts have failed; one that timed out is asked after the others, and is
/// given that much more time with each timeout; an answer makes all well again.
///
/// A cancelled call throws `CancellationError` at once, and a call whose deadline passes throws
/// `timedOut` at once, whatever the HTTP library beneath does; neither moves on to another host,
/// and neither is held against the host. Every call has a deadline: its own, or two minutes, or as
/// long as all hosts may take at first when that is longer. No shutdown is needed. The API key
/// appears in no description, mirror or error, and neither does what else a call carries in its
/// headers: where the text of an exchange, or the body of an error's answer, quotes it,
/// `<redacted>` stands in its place.
///
/// Making a transport cannot fail. An empty application ID or key, or a wrong ``Configuration``, is
/// reported by the first call, and by every later one, as `invalidRequest` with a message that says
/// what is missing or wrong; nothing is sent.
public final class AlgoliaTransport: SearchTransport {
  /// The application whose hosts are asked.
  public let appID: String

  let hosts: HostList
  private let configuration: Configuration
  private let commonHeaders: HeaderFields
  private let callDefaults: CallDefaults
  private let configurationError: SearchError?
  private let time: ErasedClock
  private let hostStates: Lock<HostStates>
  private let apiKey: Lock<APIKey>
  private let randomNumberGenerator: Lock<SplitMix64>

  /// Creates a transport; sends nothing.
  ///
  /// - Parameters:
  ///   - appID: The application ID, as the dashboard shows it.
  ///   - apiKey: A key of that application: search-only for searching, never the admin key in an
  ///     app.
  ///   - configuration: Hosts, timeouts, headers and the HTTP library; by default Algolia's hosts,
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
    time = ErasedClock(configuration.clock)
    hostStates = Lock(HostStates(hosts, timeToLive: configuration.hostStateTimeToLive))
    self.apiKey = Lock(APIKey(apiKey))
    self.randomNumberGenerator = Lock(SplitMix64(seed: randomNumberGenerator.next()))
  }

  /// Puts another key in the place of the present one; calls that begin later carry it.
  ///
  /// Calls under way keep the key they began with. A `CachingTransport` around this one does not
  /// know of its key: have it forget what the present one was answered, with `invalidateAll()`.
  public func replaceAPIKey(with apiKey: String) {
    let newKey = APIKey(apiKey)
    self.apiKey.withLock { $0 = newKey }
  }

  /// Asks the hosts for an answer, one after another; see ``AlgoliaTransport``.
  ///
  /// - Throws: `CancellationError`, or a `SearchError`: `invalidRequest` before anything is sent,
  ///   `unreachable` or `timedOut` with the attempts, or the `SearchError` an exchange threw.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let call = try prepare(request)
    let candidates = hostStates.withLock { $0.candidates(for: request.callType, at: time.now()) }
    var log = AttemptLog(call: call)
    for candidate in candidates {
      try Task.checkCancellation()
      if call.deadline.hasPassed { throw log.deadlinePassed() }
      switch await attempt(call, at: candidate, number: log.count + 1) {
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

  /// The answer for the caller; that of an error, which becomes a message, without secrets.
  private static func answer(
    _ response: HTTPExchangeResponse, without secrets: Secrets
  ) -> TransportResponse {
    var answer = TransportResponse(
      status: response.status, headers: secrets.redacting(response.headers), body: response.body)
    if answer.status >= 400 {
      answer.body = secrets.redacting(answer.body)
      if answer.body.count != response.body.count {
        answer.headers.removeAll { $0.name.lowercased() == "content-length" }
      }
    }
    return answer
  }

  /// Checks a request and fixes what all of its attempts have in common.
  private func prepare(_ request: TransportRequest) throws(SearchError) -> PreparedCall {
    if let configurationError { throw configurationError }
    let apiKey = apiKey.withLock { $0 }
    if apiKey.isEmpty { throw SearchError(.invalidRequest, "The API key is empty.") }
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

  /// Asks one host, notes how it did, and reports it.
  private func attempt(
    _ call: PreparedCall, at candidate: HostStates.Candidate, number: Int
  ) async -> AttemptOutcome {
    let timeout = call.timeout(for: candidate)
    let start = time.now()
    let outcome = await ask(candidate, call, timeout: timeout)
    if let observation = outcome.observation {
      hostStates.withLock { $0.record(observation, for: candidate, at: time.now()) }
    }
    configuration.onAttempt?(
      call.report(
        outcome, at: candidate.host, number: number, timeout: timeout,
        duration: time.now() - start))
    return outcome
  }

  /// Asks one host, and waits no longer than the attempt's timeout and the call's deadline allow.
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
      { await timer.passes() ? .failed(.timedOut(after: timeout)) : nil },
    ]
    if call.deadlineMayPass(within: timeout) {
      contenders.append { await call.deadline.passes() ? .deadlinePassed : nil }
    }
    let outcome = await FirstOutcome.of(contenders, onCancel: .cancelled)
    // An attempt that ends in the very moment of the deadline has one outcome, not one of two.
    switch outcome {
    case .answered, .failed: return call.deadline.hasPassed ? .deadlinePassed : outcome
    case .refused, .deadlinePassed, .cancelled: return outcome
    }
  }
}

extension AlgoliaTransport: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The application and its hosts; never the key.
  public var description: String {
    "AlgoliaTransport(appID: \(appID), hosts: \(hosts))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The application and its hosts; never the key.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["appID": appID, "hosts": hosts.description], displayStyle: .class)
  }
}
