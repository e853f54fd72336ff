import AsyncInstantSearch

/// What all attempts of one call have in common; made once, before the first of them.
struct PreparedCall: Sendable {
  /// Method and path, without anything secret, for errors.
  let summary: String
  /// What texts of another's making must not quote.
  let secrets: Secrets
  /// How long one host may take.
  let timeout: Duration

  private let method: TransportRequest.Method
  private let target: String
  private let headers: HeaderFields
  private let body: [UInt8]

  /// Checks and encodes a request.
  init(
    _ request: TransportRequest, headers: HeaderFields, timeout: Duration
  ) throws(SearchError) {
    try headers.validate()
    for component in request.pathComponents {
      // HTTP libraries resolve `.` and `..` before they send, so the call would go somewhere else.
      guard !component.isEmpty, component != ".", component != ".." else {
        throw SearchError(
          .invalidRequest, "\(component.debugDescription) cannot be a part of a path.")
      }
    }
    let query = request.queryString
    summary = request.description
    target = query.isEmpty ? request.path : request.path + "?" + query
    method = request.method
    body = request.body
    self.headers = headers
    self.timeout = Deadline.bounded(timeout)
    secrets = Secrets(
      headers: headers.fields, queryItems: request.queryItems, keyInPath: request.keyInPath)
  }

  /// The request to one host.
  func request(to host: AlgoliaHost, timeout: Duration) -> HTTPExchangeRequest {
    HTTPExchangeRequest(
      method: method, url: host.origin + target, headers: headers.fields, body: body,
      timeout: timeout)
  }
}
