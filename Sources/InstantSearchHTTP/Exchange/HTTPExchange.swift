// The public types are part of each transport, together with the types of the search API.
@_exported public import InstantSearchAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes one HTTP exchange: sends a request to one host and returns its response.
///
/// Use another HTTP library by passing such a closure. It returns every response, regardless of its
/// status, with the body decompressed, and follows no redirects. Without a response it throws:
///
/// - ``HTTPExchangeError``, or an error that it cannot classify: the transport tries the next host.
/// - `SearchError`: no other host is tried, and the caller receives the error unchanged.
///
/// The transport waits no longer than ``HTTPExchangeRequest/timeout``. When the timeout passes or
/// the call is cancelled, it cancels the exchange's task and does not wait for it. An exchange that
/// responds to cancellation frees its connection. One that does not is still correct.
public typealias HTTPExchange =
  @concurrent @Sendable (HTTPExchangeRequest) async throws -> HTTPExchangeResponse

/// A complete request to one host. The exchange adds only what HTTP itself requires.
///
/// Its description and its mirror contain no header values, no query, no body and no key from the
/// path, because these can contain the API key and user tokens.
public struct HTTPExchangeRequest: Sendable, Hashable {
  /// The method.
  public var method: Endpoint.Method

  /// The absolute URL, percent-encoded. Send it unchanged, without normalizing its path.
  public var url: String

  /// The headers, without repeated names and without headers that the exchange writes, such as
  /// `Host` and `Content-Length`.
  public var headers: [HTTPHeader]

  /// The body. Empty means no body.
  public var body: [UInt8]

  /// The time from now to the last byte of the response. Greater than zero.
  public var timeout: Duration

  /// The part of the timeout that may pass before a connection is made. Greater than zero, and by
  /// default the whole timeout.
  ///
  /// An exchange that cannot measure this ignores it.
  public var connectTimeout: Duration

  /// Creates a request.
  public init(
    method: Endpoint.Method,
    url: String,
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    timeout: Duration,
    connectTimeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout ?? timeout
  }
}

extension HTTPExchangeRequest: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The method, the URL without its query, and the size of the body.
  public var description: String {
    "\(method.rawValue) \(shownURL) (\(body.count) bytes)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The method, the URL without its query, the names of the headers, the size of the body and the
  /// timeout.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue,
        "url": shownURL,
        "headers": headers.map(\.name),
        "bodySize": body.count,
        "timeout": timeout,
      ],
      displayStyle: .struct)
  }

  /// The maximum length of a URL, and of its path and query, in bytes. Servers accept less.
  static let maximumURLLength = 64 << 10

  /// Throws for a path and query that no host accepts.
  static func validate(target: String) throws(SearchError) {
    guard target.utf8.count <= maximumURLLength else {
      throw SearchError(
        .invalidRequest,
        "The request URL is longer than \(maximumURLLength) bytes. Send long values in the body.")
    }
  }

  /// Throws for a request that cannot be sent to any host: a URL of another scheme or one that is
  /// too long, or headers that are too long or would change the message.
  func validate() throws(SearchError) {
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
      throw SearchError(.invalidRequest, "Invalid request URL: \(self). Use http or https.")
    }
    try Self.validate(target: url)
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw SearchError(
        .invalidRequest, "The request URL contains spaces or control characters. Encode them.")
    }
    try HeaderFields.validate(headers)
  }

  /// The scheme, the host and the port, after a user and a password, if there are any.
  var origin: String {
    let scheme = url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
    return String(scheme + url.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
  }

  /// The URL without a user, a password, the query and the fragment. The key in
  /// `https://host/1/keys/key` and the token in `https://host/1/usertokens/token` are replaced with
  /// an asterisk.
  private var shownURL: String {
    let origin = origin
    let path = url.dropFirst(origin.count).prefix { !"?#".contains($0) }
    let scheme = origin.firstRange(of: "://").map { origin[..<$0.upperBound] } ?? ""
    let host = origin.dropFirst(scheme.count).split(separator: "@").last ?? ""
    return scheme + host + Endpoint.redacting(encodedPath: path)
  }
}

/// The response of one host.
public struct HTTPExchangeResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int

  /// The headers, with names as received.
  public var headers: [HTTPHeader]

  /// The body, decompressed.
  public var body: [UInt8]

  /// Creates a response. By default it has no headers and no body.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension [HTTPHeader] {
  /// The fields, without fields that describe the compressed body if it was compressed.
  var describingDecodedBody: [HTTPHeader] {
    guard firstValue(named: "Content-Encoding") != nil else { return self }
    return filter { !["content-encoding", "content-length"].contains($0.name.lowercased()) }
  }
}

/// The reason why a host did not respond.
public struct HTTPExchangeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the host was too slow, as opposed to unreachable or disconnected during the response.
  public var isTimeout: Bool

  /// Whether a kept connection ended before the first byte of the response, as when the host closes
  /// a connection that has served many requests. The host may have received the request.
  public var isStaleConnection: Bool

  /// Whether the cause is in this process, so that it says nothing about the host.
  package let isLocal: Bool

  /// A short reason without credentials. It becomes part of a `SearchError`.
  public var reason: String

  private init(
    isTimeout: Bool = false, isStaleConnection: Bool = false, isLocal: Bool = false, reason: String
  ) {
    self.isTimeout = isTimeout
    self.isStaleConnection = isStaleConnection
    self.isLocal = isLocal
    self.reason = reason
  }

  /// The host did not respond in time.
  public static let timedOut = HTTPExchangeError(isTimeout: true, reason: "timed out")

  /// The host was not reached or the connection failed, for example in name resolution or TLS.
  public static func network(_ reason: String) -> HTTPExchangeError {
    HTTPExchangeError(reason: reason)
  }

  /// A kept connection ended before the first byte of the response. It says nothing about the host,
  /// so the transport makes a call that can be repeated once more there.
  ///
  /// An exchange that cannot distinguish kept connections from new ones uses ``network(_:)``.
  public static let staleConnection = HTTPExchangeError(
    isStaleConnection: true, reason: "connection closed before the response")

  /// The process has too many open files for another connection.
  package static let noDescriptor = HTTPExchangeError(
    isLocal: true, reason: ConnectionProblem.noDescriptor.rawValue)

  /// The host did not respond within a timeout.
  static func timedOut(after timeout: Duration) -> HTTPExchangeError {
    HTTPExchangeError(isTimeout: true, reason: "timed out after \(timeout)")
  }

  /// The body of the response is longer than allowed.
  static func tooLong(_ maximumBodySize: Int) -> HTTPExchangeError {
    .network("the response is longer than \(maximumBodySize) bytes")
  }

  /// The reason.
  public var description: String { reason }
}

extension HTTPExchangeError: LocalizedError {
  /// The reason, also used as `localizedDescription`. Safe to log.
  public var errorDescription: String? { reason }
}
