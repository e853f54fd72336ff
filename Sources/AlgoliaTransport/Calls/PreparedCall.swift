/// The parts that all attempts of one call share, prepared before the first attempt.
struct PreparedCall: Sendable {
  /// The method and path for errors, without secrets.
  let summary: String
  /// The secrets that texts of exchanges and servers must not quote.
  let secrets: Secrets
  /// The time by which the call must end, all attempts included.
  let deadline: Deadline

  private let hasDeadlineOfItsOwn: Bool
  private let timeout: Duration
  let callType: Endpoint.CallType
  /// Whether the call can be sent to a host again.
  let isIdempotent: Bool
  private let method: Endpoint.Method
  private let target: String
  private let headers: HeaderFields
  private let requestID: String?
  private let body: [UInt8]

  /// Checks and encodes a request.
  init(
    _ request: TransportRequest, headers: HeaderFields, defaults: CallDefaults
  ) throws(SearchError) {
    try HeaderFields.validate(headers.fields)
    for component in request.pathComponents {
      // HTTP libraries resolve `.` and `..` before they send, which would change the target.
      guard !component.isEmpty, component != ".", component != ".." else {
        throw SearchError(
          .invalidRequest, "The path component \(component.debugDescription) is not allowed.")
      }
    }
    if let timeout = request.attemptTimeout, timeout <= .zero {
      throw SearchError(
        .invalidRequest, "The attempt timeout must be greater than zero, got \(timeout).")
    }
    var request = request
    let ownNames = Set(request.queryItems.map(\.name))
    request.queryItems =
      defaults.queryItems.filter { !ownNames.contains($0.name) } + request.queryItems
    let query = request.queryString
    summary = request.description
    target = query.isEmpty ? request.path : request.path + "?" + query
    try HTTPExchangeRequest.validate(target: target)
    method = request.method
    body = request.body
    self.headers = headers
    requestID = headers[RequestID.headerName] ?? RequestID.value(in: request.queryItems)
    callType = request.callType
    isIdempotent = request.endpoint.isIdempotent
    timeout = Deadline.bounded(request.attemptTimeout ?? defaults.timeout(of: callType))
    hasDeadlineOfItsOwn = request.deadline != nil
    deadline = request.deadline ?? defaults.deadline(askingEveryHostFor: timeout)
    secrets = Secrets(
      headers: headers.fields, queryItems: request.queryItems, keyInPath: request.endpoint.secret,
      body: request.body)
  }

  /// The timeout of an attempt.
  func timeout(for candidate: HostStates.Candidate) -> Duration {
    Deadline.bounded(timeout * candidate.timeoutMultiplier)
  }

  /// Whether an attempt also has to wait for the deadline.
  ///
  /// A deadline of the caller can be on another clock, about which nothing is known.
  func deadlineMayPass(within timeout: Duration) -> Bool {
    hasDeadlineOfItsOwn || deadline.remaining <= timeout
  }

  /// The request to one host.
  func request(
    to host: AlgoliaHost, timeout: Duration, connectTimeout: Duration
  ) -> HTTPExchangeRequest {
    HTTPExchangeRequest(
      method: method, url: host.origin + target, headers: headers.fields, body: body,
      timeout: timeout, connectTimeout: connectTimeout)
  }

  /// The report of an attempt.
  func report(
    _ outcome: AttemptOutcome, at host: AlgoliaHost, number: Int, timeout: Duration,
    duration: Duration
  ) -> AttemptReport {
    AttemptReport(
      request: summary, requestID: requestID, callType: callType,
      host: host.description, number: number, timeout: timeout, duration: duration,
      outcome: reported(outcome), correlationID: outcome.correlationID.map(secrets.redacting))
  }

  private func reported(_ outcome: AttemptOutcome) -> AttemptReport.Outcome {
    switch outcome {
    case .answered(let response):
      .answered(status: response.status, bodySize: response.body.count)
    case .failed(let error):
      error.isTimeout ? .timedOut : .failed(reason: secrets.redacting(error.reason))
    case .refused(let error): .refused(error.code)
    case .deadlinePassed: .deadlinePassed
    case .cancelled: .cancelled
    }
  }
}

/// The values of calls that set none, from the transport's configuration.
struct CallDefaults: Sendable {
  /// The query items of every call.
  let queryItems: [QueryItem]
  /// The initial timeout of one host for a read.
  let readTimeout: Duration
  /// The initial timeout of one host for a write.
  let writeTimeout: Duration
  /// The timeout of a call, if one is set.
  let callTimeout: Duration?
  /// The number of hosts that a call can try.
  let hostCount: Int
  /// The clock of the deadlines.
  let clock: any Clock<Duration>

  /// The initial timeout of one host.
  func timeout(of callType: Endpoint.CallType) -> Duration {
    callType == .read ? readTimeout : writeTimeout
  }

  /// The deadline of a call that begins now and has none.
  ///
  /// - Parameter timeout: The timeout of each host.
  func deadline(askingEveryHostFor timeout: Duration) -> Deadline {
    Deadline(after: callTimeout ?? max(.seconds(120), timeout * hostCount), clock: clock)
  }
}

/// The outcome of the attempt at one host.
enum AttemptOutcome: Sendable {
  /// The host responded, with any status.
  case answered(HTTPExchangeResponse)
  /// The host did not respond. Another one may.
  case failed(HTTPExchangeError)
  /// The exchange cannot make this request, so no other host is tried.
  case refused(SearchError)
  /// The deadline of the call passed.
  case deadlinePassed
  /// The surrounding task was cancelled.
  case cancelled

  /// Runs an exchange and creates its outcome.
  init(of exchange: HTTPExchange, answering request: HTTPExchangeRequest) async {
    do {
      self = .answered(try await exchange(request))
    } catch let error as HTTPExchangeError {
      self = .failed(error)
    } catch let error as SearchError {
      self = .refused(error)
    } catch {
      // The error of another library can quote the request with the key, so only its type is kept.
      // A `CancellationError` here means that the exchange gave up by itself; cancellation of the
      // surrounding task is detected elsewhere.
      self = .failed(.network("failed with \(type(of: error))"))
    }
  }

  /// Whether a status ends the call: 2xx is a success, and 4xx would be the same on every host.
  static func isFinal(status: Int) -> Bool {
    (200...299).contains(status) || (400...499).contains(status)
  }

  /// The `Correlation-ID` of the response.
  var correlationID: String? {
    if case .answered(let response) = self {
      response.headers.firstValue(named: "Correlation-ID")
    } else {
      nil
    }
  }

  /// Whether the attempt was ended before a response came.
  var isWithoutResponse: Bool {
    switch self {
    case .deadlinePassed, .cancelled: true
    case .answered, .failed, .refused: false
    }
  }

  /// The observation about the host, or `nil` if the outcome says nothing about it.
  ///
  /// A 4xx concerns the call, a cancelled attempt the caller, a stale connection the connection,
  /// and a lack of descriptors this process.
  var observation: HostStates.Observation? {
    switch self {
    case .answered(let response) where (200...299).contains(response.status): .answered
    case .answered(let response): Self.isFinal(status: response.status) ? nil : .failed
    case .failed(let error):
      error.isStaleConnection || error.isLocal ? nil : error.isTimeout ? .timedOut : .failed
    case .refused, .deadlinePassed, .cancelled: nil
    }
  }
}
