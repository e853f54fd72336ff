public import AsyncInstantSearch

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
