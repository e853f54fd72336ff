import AsyncInstantSearch

/// What all attempts of one call have in common; made once, before the first of them.
struct PreparedCall: Sendable {
  /// Method and path, without anything secret, for errors.
  let summary: String
  /// What texts of another's making must not quote.
  let secrets: Secrets
  /// When the call must have ended, all attempts included.
  let deadline: Deadline

  private let hasDeadlineOfItsOwn: Bool
  private let timeout: Duration
  private let callType: TransportRequest.CallType
  private let method: TransportRequest.Method
  private let target: String
  private let headers: HeaderFields
  private let requestID: String?
  private let body: [UInt8]

  /// Checks and encodes a request.
  init(
    _ request: TransportRequest, headers: HeaderFields,
    configuration: AlgoliaTransport.Configuration
  ) throws(SearchError) {
    try headers.validate()
    for component in request.pathComponents {
      // HTTP libraries resolve `.` and `..` before they send, so the call would go somewhere else.
      guard !component.isEmpty, component != ".", component != ".." else {
        throw SearchError(
          .invalidRequest, "\(component.debugDescription) cannot be a part of a path.")
      }
    }
    if let timeout = request.attemptTimeout, timeout <= .zero {
      throw SearchError(.invalidRequest, "The attempt timeout must be greater than zero.")
    }
    var request = request
    let ownNames = Set(request.queryItems.map(\.name))
    request.queryItems =
      configuration.queryItems.filter { !ownNames.contains($0.name) } + request.queryItems
    let query = request.queryString
    summary = request.description
    target = query.isEmpty ? request.path : request.path + "?" + query
    method = request.method
    body = request.body
    self.headers = headers
    requestID = headers[RequestID.headerName] ?? RequestID.value(in: request.queryItems)
    callType = request.callType
    timeout = Deadline.bounded(request.attemptTimeout ?? configuration.timeout(of: callType))
    hasDeadlineOfItsOwn = request.deadline != nil
    deadline = request.deadline ?? configuration.deadline(askingEveryHostFor: timeout)
    secrets = Secrets(
      headers: headers.fields, queryItems: request.queryItems, keyInPath: request.endpoint.secret,
      body: request.body)
  }

  /// How long a host may take.
  func timeout(for candidate: HostStates.Candidate) -> Duration {
    Deadline.bounded(timeout * candidate.patience)
  }

  /// Whether the deadline is to be waited for along with an attempt.
  ///
  /// A caller's deadline can be on another clock, of which nothing is known.
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
