import AsyncInstantSearch

/// What all attempts of one call have in common; made once, before the first of them.
struct PreparedCall: Sendable {
  /// The longest timeout that is passed to a clock; anything longer could overflow its instants.
  private static let longestTimeout = Duration.seconds(365 * 24 * 3600)

  /// Method and path, without anything secret, for errors.
  let summary: String
  /// How long one host may take.
  let timeout: Duration

  private let method: TransportRequest.Method
  private let target: String
  private let headers: HeaderFields
  private let body: [UInt8]
  private let secrets: [String]

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
    summary = Self.summary(of: request)
    target = query.isEmpty ? request.path : request.path + "?" + query
    method = request.method
    body = request.body
    self.headers = headers
    self.timeout = min(timeout, Self.longestTimeout)
    secrets = [headers["x-algolia-api-key"], headers["x-algolia-usertoken"]]
      .compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The request to one host.
  func request(to host: AlgoliaHost, timeout: Duration) -> HTTPExchangeRequest {
    HTTPExchangeRequest(
      method: method, url: host.origin + target, headers: headers.fields, body: body,
      timeout: timeout)
  }

  /// A text of another's making, with the secrets of the call taken out.
  func redacting(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "<redacted>") }
  }

  /// Method and path; of the calls that manage keys the part that is a key is left out.
  private static func summary(of request: TransportRequest) -> String {
    var request = request
    if request.pathComponents.count > 2, request.pathComponents[1] == "keys" {
      request.pathComponents[2...] = ["*"]
    }
    return "\(request.method.rawValue) \(request.path)"
  }
}
