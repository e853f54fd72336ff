/// What a caller adds to one call, beside the search parameters.
public struct RequestOptions: Sendable, Hashable {
  /// Headers; they take the place of the transport's own of the same name.
  public var headers: [HTTPHeader]
  /// Query items of the URL.
  public var queryItems: [QueryItem]
  /// How long the whole call may take, all attempts included; `nil` leaves it to the transport.
  public var timeout: Duration?

  /// Creates options; everything is absent by default.
  public init(
    headers: [HTTPHeader] = [], queryItems: [QueryItem] = [], timeout: Duration? = nil
  ) {
    self.headers = headers
    self.queryItems = queryItems
    self.timeout = timeout
  }
}
