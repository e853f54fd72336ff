import InstantSearchJSON

/// A line of the access log of a service: a request and its response.
///
/// ```swift
/// configuration.onResponse = { entry in
///   log.info("\(entry.clientAddress ?? "-") \(entry.request) \(entry.status) \(entry.duration)")
/// }
/// ```
///
/// Every request has an entry, even if it is rejected or fails. An entry has no complete key, no
/// query and no body, but an error message can quote the caller's input.
public struct AccessLogEntry: Sendable, Hashable {
  /// The method and the path, without the query, keys and user tokens.
  public var request: String
  /// The path with the names of its variable parts, as in ``/InstantSearchAPI/Endpoint/route``;
  /// `nil` for a request that was rejected before its path was read, or whose path is unknown.
  public var route: String?
  /// The index in the path; `nil` for a call to several indices or to none.
  public var indexName: String?
  /// The address of the client: the peer's address, or the last address before the trusted proxies.
  public var clientAddress: String?
  /// The first characters of the key that the client sent and an ellipsis; `nil` without a key.
  public var maskedKey: String?
  /// The ID in the header `Correlation-ID` of the response. It ends with the `Request-ID` of the
  /// client.
  public var correlationID: String
  /// The status of the response; 499 if the client disconnected.
  public var status = 0
  /// The reason of an error, on one line; `nil` for other responses.
  ///
  /// For a failure of the service, it has more details than the response, such as the path of a
  /// file.
  public var message: String?
  /// The size of the body as it was received, in bytes; 0 if it was not read.
  public var requestBytes = 0
  /// The size of the response body as it is sent, in bytes; `nil` for a stream.
  public var responseBytes: Int?
  /// The time from the call of the service to the response, on the clock of the service. Sending is
  /// not part of it, and neither is a body that was read before the call.
  public var duration = Duration.zero

  init(_ request: ServiceRequest, clientAddress: String?, correlationID: String) {
    self.request = request.description.onOneLine
    self.clientAddress = clientAddress
    self.correlationID = correlationID
  }

  /// Notes the key of the client. A short key is masked completely.
  mutating func note(_ credentials: Credentials) {
    guard let key = credentials.key, !key.isEmpty else { return }
    let shown = min(key.unicodeScalars.count / 4, 4)
    maskedKey = String(String.UnicodeScalarView(key.unicodeScalars.prefix(shown))).onOneLine + "…"
  }

  /// Notes the call.
  mutating func note(_ endpoint: Endpoint) {
    route = endpoint.route
    indexName = endpoint.indexName?.onOneLine
  }

  /// Notes the response. Its body is not compressed yet.
  mutating func note(_ response: ServiceResponse) {
    status = response.status
    guard status >= 400, message == nil, case .bytes(let bytes) = response.body,
      bytes.count <= Self.longestError
    else { return }
    message = (try? JSONDocument(bytes))?.root["message"]?.string?.onOneLine
  }

  /// A longer response to an error is not searched for its message.
  private static let longestError = 1 << 16
}
