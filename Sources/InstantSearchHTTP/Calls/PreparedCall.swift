/// The parts that all attempts of one call share, prepared before the first attempt.
package struct PreparedCall: Sendable {
  /// The method and path for errors, without secrets.
  let summary: String
  /// The secrets that texts of exchanges and servers must not quote.
  let secrets: Secrets
  /// The time by which the call must end, all attempts included.
  package let deadline: Deadline

  private let hasDeadlineOfItsOwn: Bool
  /// The initial timeout of each attempt.
  package let timeout: Duration
  package let callType: Endpoint.CallType
  /// Whether the call can be sent to a host again.
  let isIdempotent: Bool
  private let method: Endpoint.Method
  private let target: String
  private let headers: HeaderFields
  private let requestID: String?
  private let body: [UInt8]

  /// Checks and encodes a request.
  package init(
    _ request: TransportRequest, headers: HeaderFields, requestID: String?,
    defaults: HostCaller.Configuration
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
    self.requestID = requestID
    callType = request.callType
    isIdempotent = request.endpoint.isIdempotent
    timeout = Deadline.bounded(request.attemptTimeout ?? defaults.timeout(of: callType))
    hasDeadlineOfItsOwn = request.deadline != nil
    deadline = request.deadline ?? defaults.deadline(of: callType, askingEveryHostFor: timeout)
    secrets = Secrets(
      headers: headers.fields, queryItems: request.queryItems,
      pathSecrets: request.endpoint.secrets,
      body: request.body)
  }

  /// The timeout of an attempt.
  func timeout(for candidate: HostStates.Candidate) -> Duration {
    Deadline.bounded(timeout * candidate.timeoutMultiplier)
  }

  /// Whether an attempt also has to wait for the deadline.
  ///
  /// A deadline of the caller can be on an unknown clock.
  func deadlineMayPass(within timeout: Duration) -> Bool {
    hasDeadlineOfItsOwn || deadline.remaining <= timeout
  }

  /// The request to one host.
  func request(
    to host: SearchHost, timeout: Duration, connectTimeout: Duration
  ) -> HTTPExchangeRequest {
    HTTPExchangeRequest(
      method: method, url: host.origin + target, headers: headers.fields, body: body,
      timeout: timeout, connectTimeout: connectTimeout)
  }

  /// The report of an attempt.
  func report(
    _ outcome: AttemptOutcome, at host: SearchHost, number: Int, timeout: Duration,
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

  /// The response for the caller, with redacted messages: the whole body of an error response, and
  /// the messages in any other response.
  package func answer(_ response: HTTPExchangeResponse) -> TransportResponse {
    var answer = TransportResponse(
      status: response.status, headers: secrets.redacting(response.headers), body: response.body)
    if answer.status >= 400 {
      answer.body = secrets.redacting(answer.body)
    } else {
      answer.body = secrets.redactingMessages(of: answer.body)
    }
    if answer.body.count != response.body.count {
      answer.headers.removeAll { $0.name.lowercased() == "content-length" }
    }
    return answer
  }

  /// Returns an error without secrets in its texts.
  package func redacting(_ error: SearchError) -> SearchError { secrets.redacting(error) }
}
