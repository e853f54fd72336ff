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
