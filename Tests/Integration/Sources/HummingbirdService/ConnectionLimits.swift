public import InstantSearchService

/// What a client may do with its connections, so that none holds those of others.
public struct ConnectionLimits: Sendable {
  /// The time for the head of a request, from its first byte or from the opening of the connection.
  /// Defaults to 10 seconds.
  public var headTimeout: Duration
  /// The time for a body, from the end of its head, and for a response to wait for the client. It
  /// should be longer than the time of a call. Defaults to 60 seconds.
  public var bodyTimeout: Duration
  /// The bytes of a response for which the client gets a second more. Defaults to 65,536.
  public var minimumRate: Int
  /// The time for which a connection is kept without a request. Defaults to 75 seconds.
  public var idleTimeout: Duration
  /// The connections of one address at a time, or of one IPv6 network of 64 bits; more are closed.
  /// Those of proxies do not count. Defaults to 1,000.
  public var connectionsPerAddress: Int
  /// The networks of proxies, whose connections are those of many clients. Defaults to none.
  public var proxies: [IPNetwork]
  /// Receives each connection that is closed without a response, with the address of its client.
  /// Does nothing by default.
  public var onClose: @Sendable (CloseReason, _ address: String?) -> Void

  /// Why a connection was closed without a response.
  public enum CloseReason: String, Sendable {
    /// The address has too many connections.
    case tooMany = "too_many"
    /// The client did not take a response in its time.
    case slowReader = "slow_reader"
  }

  /// Creates limits.
  public init(
    headTimeout: Duration = .seconds(10), bodyTimeout: Duration = .seconds(60),
    minimumRate: Int = 65_536, idleTimeout: Duration = .seconds(75),
    connectionsPerAddress: Int = 1_000,
    proxies: [IPNetwork] = [],
    onClose: @escaping @Sendable (CloseReason, _ address: String?) -> Void = { _, _ in }
  ) {
    self.headTimeout = headTimeout
    self.bodyTimeout = bodyTimeout
    self.minimumRate = minimumRate
    self.idleTimeout = idleTimeout
    self.connectionsPerAddress = connectionsPerAddress
    self.proxies = proxies
    self.onClose = onClose
  }
}
