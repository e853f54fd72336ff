extension SearchService {
  /// Answers the preflight request of a browser, which has no credentials.
  func preflight(_ request: ServiceRequest) -> ServiceResponse {
    let asked = request.headers.firstValue(named: "Access-Control-Request-Headers")
    return ServiceResponse(
      status: 204,
      headers: [
        HTTPHeader(
          name: "Access-Control-Allow-Methods", value: "GET, POST, PUT, DELETE, OPTIONS"),
        HTTPHeader(
          name: "Access-Control-Allow-Headers",
          value: asked.map(Self.safe) ?? Self.allowedHeaders),
        HTTPHeader(name: "Access-Control-Max-Age", value: "86400"),
      ])
  }

  private static let allowedHeaders =
    "x-algolia-application-id, x-algolia-api-key, x-algolia-agent, x-algolia-user-token,"
    + " x-forwarded-for, content-type, content-encoding, request-id, authorization"

  /// Returns the value without characters that could begin another header.
  private static func safe(_ value: String) -> String {
    String(value.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F })
  }

  /// Adds the headers of every response, and compresses its body.
  func finish(
    _ response: inout ServiceResponse, for request: ServiceRequest, _ correlationID: String
  ) {
    var headers = response.headers
    headers.append(
      HTTPHeader(name: "Access-Control-Allow-Origin", value: configuration.allowedOrigin))
    headers.append(
      HTTPHeader(name: "Access-Control-Expose-Headers", value: "Correlation-ID, Retry-After"))
    if configuration.allowedOrigin != "*" {
      headers.append(HTTPHeader(name: "Vary", value: "Origin"))
    }
    headers.append(HTTPHeader(name: "X-Content-Type-Options", value: "nosniff"))
    headers.append(HTTPHeader(name: "Cache-Control", value: "no-store"))
    headers.append(HTTPHeader(name: "Correlation-ID", value: correlationID))
    if case .bytes(let bytes) = response.body, bytes.count >= 1_024,
      let compress = configuration.compress, request.acceptsGzip,
      let compressed = try? compress(bytes)
    {
      response.body = .bytes(compressed)
      response.reservation?.set(compressed.count)
      headers.append(HTTPHeader(name: "Content-Encoding", value: "gzip"))
      headers.append(HTTPHeader(name: "Vary", value: "Accept-Encoding"))
    }
    response.headers = headers
  }

  /// Returns an ID for the response, which ends with the `Request-ID` of the request.
  func correlationID(of request: ServiceRequest) -> String {
    let own = configuration.makeCorrelationID()
    guard let asked = request.headers.firstValue(named: "Request-ID"), asked.utf8.count <= 200,
      !asked.isEmpty
    else { return own }
    return own + "-" + Self.safe(asked)
  }
}

extension ServiceResponse {
  /// Creates a response with JSON.
  init(status: Int = 200, json: [UInt8]) {
    self.init(
      status: status,
      headers: [HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8")],
      body: .bytes(json))
  }

  /// Creates the response to an error.
  init(_ error: ServiceError) {
    self.init(
      status: error.status,
      json: TransportResponse.errorBody(error.message.onOneLine, status: error.status))
    headers += error.headers
  }

  /// Creates a response from a transport's response, without its headers, which describe the
  /// transport's own connection.
  init(_ response: TransportResponse) {
    self.init(status: response.status, json: response.body)
    if let value = response.headers.firstValue(named: "Retry-After") {
      headers.append(HTTPHeader(name: "Retry-After", value: value))
    }
  }
}
