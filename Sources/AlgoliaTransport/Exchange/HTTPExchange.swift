#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes one HTTP exchange: sends a request to the one host it names and gives back the answer.
///
/// This is where another HTTP library is plugged in. It gives back every answer, whatever its
/// status, with the body decompressed, and follows no redirect. When there is no answer it throws:
///
/// - ``HTTPExchangeError``, or any error it does not know how to sort: the next host is asked;
/// - `SearchError`: no other host is asked, and the error reaches the caller as it is.
///
/// The transport waits no longer than ``HTTPExchangeRequest/timeout``, and not at all once the call
/// is cancelled: it then cancels the exchange's task and does not wait for it. An exchange that
/// heeds cancellation saves a connection; one that does not is still correct.
public typealias HTTPExchange =
  @concurrent @Sendable (HTTPExchangeRequest) async throws -> HTTPExchangeResponse

/// A request to one host, complete: nothing is to be added but what HTTP itself asks for.
///
/// Its description and its mirror leave out the headers' values, the query and the body, as the API
/// key and user tokens travel there, and the key in the path of a call about a key.
public struct HTTPExchangeRequest: Sendable, Hashable {
  /// The method.
  public var method: TransportRequest.Method

  /// The absolute URL, percent-encoded; to be sent as it is, without normalising its path.
  public var url: String

  /// The headers, each name once.
  public var headers: [HTTPHeader]

  /// The body; empty for none.
  public var body: [UInt8]

  /// How long the host may take in all, from now to the last byte; greater than zero.
  public var timeout: Duration

  /// How much of that may pass until there is a connection; greater than zero, the whole by
  /// default.
  ///
  /// An exchange that cannot tell the two apart leaves it alone.
  public var connectTimeout: Duration

  /// Creates a request.
  public init(
    method: TransportRequest.Method,
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

  /// The scheme, the host and the port.
  var origin: String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }

  /// The URL without its query; the key of `https://host/1/keys/key` is replaced by an asterisk,
  /// and so is the token of `https://host/1/usertokens/token`.
  private var shownURL: String {
    let origin = origin
    return origin
      + Endpoint.redacting(encodedPath: url.dropFirst(origin.count).prefix { $0 != "?" })
  }
}

/// What one host answered.
public struct HTTPExchangeResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int

  /// The headers, names as received.
  public var headers: [HTTPHeader]

  /// The body, decompressed.
  public var body: [UInt8]

  /// Creates a response; no headers and no body by default.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension [HTTPHeader] {
  /// The fields without those that describe the body as it was compressed, when it was.
  var describingDecodedBody: [HTTPHeader] {
    guard firstValue(named: "Content-Encoding") != nil else { return self }
    return filter { !["content-encoding", "content-length"].contains($0.name.lowercased()) }
  }
}

/// Why one host gave no answer.
public struct HTTPExchangeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the host was too slow, as opposed to not reached, or lost before its answer was whole.
  public var isTimeout: Bool

  /// What happened, in a few words and without credentials; it becomes part of a `SearchError`.
  public var reason: String

  private init(isTimeout: Bool, reason: String) {
    self.isTimeout = isTimeout
    self.reason = reason
  }

  /// The host did not answer in time.
  public static let timedOut = HTTPExchangeError(isTimeout: true, reason: "timed out")

  /// The host was not reached, or the connection failed: name resolution, refusal, reset, TLS.
  public static func network(_ reason: String) -> HTTPExchangeError {
    HTTPExchangeError(isTimeout: false, reason: reason)
  }

  /// The host did not answer within a timeout.
  static func timedOut(after timeout: Duration) -> HTTPExchangeError {
    HTTPExchangeError(isTimeout: true, reason: "timed out after \(timeout)")
  }

  /// The body of the answer has more bytes than are allowed.
  static func tooLong(_ maximumBodySize: Int) -> HTTPExchangeError {
    .network("the answer is longer than \(maximumBodySize) bytes")
  }

  /// The reason.
  public var description: String { reason }
}

extension HTTPExchangeError: LocalizedError {
  /// The reason, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { reason }
}
