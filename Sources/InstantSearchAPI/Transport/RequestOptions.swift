/// An HTTP header field.
///
/// Its description and its mirror hide the value, unless the field is known to contain no secret.
public struct HTTPHeader: Sendable, Hashable, Codable {
  /// The name, as it is sent.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a header field.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
  /// The name and the value, as `name: value`. A value that may be secret is shown as `…`.
  public var description: String { "\(name): \(shownValue)" }

  /// A mirror with the name and the value as the description shows it.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
  }

  /// Whether a field of this name is known to contain no secret.
  ///
  /// Only the listed names are, because credentials are sent in headers of any name.
  package var isLoggable: Bool { Self.loggableNames.contains(name.lowercased()) }

  private var shownValue: String { isLoggable ? value : "…" }

  private static let loggableNames: Set<String> = [
    "accept", "accept-encoding", "cache-control", "connection", "content-encoding",
    "content-length", "content-type", "correlation-id", "date", "request-id", "retry-after",
    "server", "transfer-encoding", "user-agent", "vary", "x-algolia-agent",
    "x-algolia-application-id", "x-algolia-request-id",
  ]
}

extension Array where Element == HTTPHeader {
  /// Returns the value of the first field of that name, compared without regard to case.
  public func firstValue(named name: String) -> String? {
    let wanted = name.lowercased()
    return first { $0.name.lowercased() == wanted }?.value
  }
}

/// A name and a value of a URL's query, neither of them percent-encoded.
///
/// Its description and its mirror hide the value, which may be a key or a user token.
public struct QueryItem: Sendable, Hashable, Codable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a query item.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
  /// The name, as `name=…`.
  public var description: String { "\(name)=…" }

  /// A mirror with the name, and `…` for the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": "…"], displayStyle: .struct)
  }
}

/// Options of one call, in addition to the search parameters.
///
/// Its description and its mirror hide the values of headers and query items, which may be keys
/// and user tokens.
public struct RequestOptions: Sendable, Hashable {
  /// Headers of the call. They override the transport's headers of the same name.
  public var headers: [HTTPHeader]
  /// Query items of the URL.
  public var queryItems: [QueryItem]
  /// The time that the whole call may take, including all attempts; `nil` leaves it to the
  /// transport.
  ///
  /// A time of more than one year counts as one year.
  public var timeout: Duration?
  /// The time that one host may take to respond, if there are several; `nil` leaves it to the
  /// transport.
  public var attemptTimeout: Duration?

  /// Creates options. Everything is absent by default.
  public init(
    headers: [HTTPHeader] = [], queryItems: [QueryItem] = [], timeout: Duration? = nil,
    attemptTimeout: Duration? = nil
  ) {
    self.headers = headers
    self.queryItems = queryItems
    self.timeout = timeout
    self.attemptTimeout = attemptTimeout
  }
}

extension RequestOptions: CustomStringConvertible, CustomReflectable {
  /// The headers, the query items and the timeouts, without values that may be secret.
  public var description: String {
    func text(_ timeout: Duration?) -> String { timeout.map { "\($0)" } ?? "none" }
    return "headers: \(headers); query: \(queryItems); timeout: \(text(timeout)), "
      + "\(text(attemptTimeout)) for an attempt"
  }

  /// A mirror with the same parts as ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "headers": headers, "queryItems": queryItems, "timeout": timeout as Any,
        "attemptTimeout": attemptTimeout as Any,
      ],
      displayStyle: .struct)
  }
}
