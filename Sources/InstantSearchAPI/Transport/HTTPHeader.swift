/// An HTTP header field.
///
/// Its description and its mirror hide the value, unless the field is known to hold nothing secret.
public struct HTTPHeader: Sendable, Hashable, Codable {
  /// The name, as it is to be written.
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
  /// The name and the value, as `name: value`; a value that may be secret is shown as `…`.
  public var description: String { "\(name): \(shownValue)" }

  /// The name and what the description shows of the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
  }

  /// Whether a field of this name is known to hold nothing secret.
  ///
  /// These are named and all others count as secret: credentials travel in headers of any name.
  package var isLoggable: Bool { Self.loggableNames.contains(name.lowercased()) }

  private var shownValue: String { isLoggable ? value : "…" }

  private static let loggableNames: Set<String> = [
    "accept", "accept-encoding", "cache-control", "connection", "content-encoding",
    "content-length", "content-type", "correlation-id", "date", "request-id", "retry-after",
    "server", "transfer-encoding", "user-agent", "vary", "x-algolia-agent",
    "x-algolia-application-id",
  ]
}

extension Array where Element == HTTPHeader {
  /// The value of the first field of that name, compared without regard to case.
  public func firstValue(named name: String) -> String? {
    let wanted = name.lowercased()
    return first { $0.name.lowercased() == wanted }?.value
  }
}

/// A name and a value of a URL's query, neither of them percent-encoded.
///
/// Its description and its mirror hide the value: keys and user tokens may be sent this way.
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

  /// The name, and `…` for the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": "…"], displayStyle: .struct)
  }
}

/// What a caller adds to one call, beside the search parameters.
///
/// Its description and its mirror hide the values of headers and query items, as keys and user
/// tokens travel there.
public struct RequestOptions: Sendable, Hashable {
  /// Headers; they take the place of the transport's own of the same name.
  public var headers: [HTTPHeader]
  /// Query items of the URL.
  public var queryItems: [QueryItem]
  /// How long the whole call may take, all attempts included; `nil` leaves it to the transport.
  ///
  /// More than a year counts as a year.
  public var timeout: Duration?
  /// How long one host may take to answer, where several are asked; `nil` leaves it to the
  /// transport.
  public var attemptTimeout: Duration?

  /// Creates options; everything is absent by default.
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
  /// The headers, the query items and the timeouts; of what may be secret only the names.
  public var description: String {
    func text(_ timeout: Duration?) -> String { timeout.map { "\($0)" } ?? "none" }
    return "headers: \(headers); query: \(queryItems); timeout: \(text(timeout)), "
      + "\(text(attemptTimeout)) for an attempt"
  }

  /// The same parts as in ``description``.
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
