public import AsyncInstantSearch

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
/// A cancelled call throws `CancellationError` at once, and a call whose deadline passes throws
/// `timedOut` at once, whatever the HTTP library beneath does; neither moves on to another host.
/// No shutdown is needed. The API key appears in no description, mirror or error, and neither does
/// what else a call carries in its headers: where the text of an exchange, or the body of an error's
/// answer, quotes it, `<redacted>` stands in its place.
///
/// Making a transport cannot fail. An empty application ID or key, or a wrong ``Configuration``, is
/// reported by the first call, and by every later one, as `invalidRequest` with a message that says
/// what is missing or wrong; nothing is sent.
public final class AlgoliaTransport: SearchTransport {
  /// The application whose hosts are asked.
  public let appID: String

  let hosts: HostList
  private let readTimeout: Duration
  private let writeTimeout: Duration
  private let commonHeaders: HeaderFields
  private let exchange: HTTPExchange
  private let clock: any Clock<Duration>
  private let fault: SearchError?
  private let apiKey: Lock<APIKey>
  private let randomNumbers: Lock<SplitMix64>

  /// Creates a transport; sends nothing.
  ///
  /// - Parameters:
  ///   - appID: The application ID, as the dashboard shows it.
  ///   - apiKey: A key of that application: search-only for searching, never the admin key in an app.
  ///   - configuration: Hosts, timeouts, headers and the HTTP library; by default Algolia's hosts,
  ///     5 s for reads, 30 s for writes, and `URLSession`.
  public init(appID: String, apiKey: String, configuration: Configuration = Configuration()) {
    var randomNumbers = configuration.randomNumbers
    self.appID = appID
    if let custom = configuration.hosts {
      hosts = HostList(custom: custom)
    } else {
      hosts = HostList(appID: appID, using: &randomNumbers)
    }
    readTimeout = configuration.readTimeout
    writeTimeout = configuration.writeTimeout
    commonHeaders = HeaderFields(of: configuration, appID: appID)
    exchange = configuration.exchange
    clock = configuration.clock
    fault = configuration.fault(appID: appID)
    self.apiKey = Lock(APIKey(apiKey))
    self.randomNumbers = Lock(SplitMix64(seed: randomNumbers.next()))
  }

  /// Puts another key in the place of the present one; calls that begin later carry it.
  ///
  /// Calls under way keep the key they began with.
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
    var log = AttemptLog(call: call)
    for host in hosts.candidates(for: request.callType) {
      try Task.checkCancellation()
      if request.deadline?.hasPassed == true { throw log.deadlinePassed() }
      switch await attempt(call, at: host, deadline: request.deadline) {
      case .answered(let response) where Self.isFinal(status: response.status):
        return Self.answer(response, without: call.secrets)
      case .answered(let response):
        log.record(response, from: host)
      case .failed(let error):
        log.record(error, from: host)
      case .refused(let error):
        throw call.secrets.redacting(error)
      case .deadlinePassed:
        log.recordDeadline(at: host)
        throw log.deadlinePassed()
      case .cancelled:
        throw CancellationError()
      }
    }
    try Task.checkCancellation()
    throw log.exhausted()
  }

  /// The answer for the caller; that of an error, which becomes a message, without secrets.
  private static func answer(
    _ response: HTTPExchangeResponse, without secrets: Secrets
  ) -> TransportResponse {
    var answer = TransportResponse(
      status: response.status, headers: response.headers, body: response.body)
    if answer.status >= 400 {
      answer.body = secrets.redacting(answer.body)
      if answer.body.count != response.body.count {
        answer.headers.removeAll { $0.name.lowercased() == "content-length" }
      }
    }
    return answer
  }

  /// Whether a status ends the call: 2xx is success, 4xx would be the same on every host.
  private static func isFinal(status: Int) -> Bool {
    (200...299).contains(status) || (400...499).contains(status)
  }

  /// Checks a request and fixes what all of its attempts have in common.
  private func prepare(_ request: TransportRequest) throws(SearchError) -> PreparedCall {
    if let fault { throw fault }
    let apiKey = apiKey.withLock { $0 }
    if apiKey.isEmpty { throw SearchError(.invalidRequest, "The API key is empty.") }
    var headers = commonHeaders
    headers.set(HeaderFields.apiKeyName, to: apiKey.plainText)
    headers.merge(request.headers)
    if headers[RequestID.headerName] == nil, !RequestID.isPresent(in: request.queryItems) {
      let requestID = randomNumbers.withLock { RequestID.make(using: &$0) }
      headers.set(RequestID.headerName, to: requestID)
    }
    return try PreparedCall(
      request, headers: headers, timeout: request.callType == .read ? readTimeout : writeTimeout)
  }

  /// Asks one host, and waits no longer than the call's timeout and its deadline allow.
  private func attempt(
    _ call: PreparedCall, at host: AlgoliaHost, deadline: Deadline?
  ) async -> AttemptOutcome {
    let timer = Deadline(after: call.timeout, clock: clock)
    let remaining = max(deadline?.remaining ?? call.timeout, .nanoseconds(1))
    let request = call.request(to: host, timeout: min(call.timeout, remaining))
    var contenders: [@concurrent @Sendable () async -> AttemptOutcome?] = [
      { [exchange] in await AttemptOutcome(of: exchange, answering: request) },
      { await timer.passes() ? .failed(.timedOut(after: call.timeout)) : nil },
    ]
    if let deadline {
      contenders.append { await deadline.passes() ? .deadlinePassed : nil }
    }
    let outcome = await FirstOutcome.of(contenders, onCancel: .cancelled)
    // An attempt that ends in the very moment of the deadline has one outcome, not one of two.
    switch outcome {
    case .answered, .failed: return deadline?.hasPassed == true ? .deadlinePassed : outcome
    case .refused, .deadlinePassed, .cancelled: return outcome
    }
  }
}
