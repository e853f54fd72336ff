extension AlgoliaTransport {
  /// The settings of a transport beyond an application ID and a key. Each has a default.
  public struct Configuration: Sendable {
    /// The hosts to try, in order. `nil` (the default) means Algolia's own.
    ///
    /// Algolia's are `{appID}-dsn.algolia.net` for reads and `{appID}.algolia.net` for writes, then
    /// `{appID}-1`, `-2` and `-3.algolianet.com` in an order that is drawn once, when the transport
    /// is created.
    public var hosts: [SearchHost]?

    /// The initial timeout for connecting to one host. Defaults to 2 s.
    ///
    /// It grows with the other timeouts. The exchange enforces it, except
    /// ``/InstantSearchHTTP/URLSessionExchange``, which cannot.
    public var connectTimeout: Duration

    /// The initial timeout of one host for a read. Defaults to 5 s.
    ///
    /// After each timeout the host gets the initial timeout once more, up to six times as long. The
    /// same holds for writes. `RequestOptions/attemptTimeout` sets the timeout of a single call.
    public var readTimeout: Duration

    /// The initial timeout of one host for a write. Defaults to 30 s.
    public var writeTimeout: Duration

    /// The timeout of a call without a deadline, all attempts included.
    ///
    /// `nil` (the default) means two minutes, or the sum of the initial timeouts of all hosts if
    /// that is longer.
    public var callTimeout: Duration?

    /// How long the transport remembers that a host failed or timed out. Defaults to 5 min.
    public var hostStateTimeToLive: Duration

    /// The headers of every call. Defaults to none.
    ///
    /// They override the transport's own headers of the same name, and the headers of a request
    /// override both. Names compare without regard to case.
    ///
    /// An application ID or an API key among them is ignored: the transport sends its own
    /// credentials, or the key set by `replaceAPIKey(with:)`. The headers of a request can carry
    /// another key for that call.
    ///
    /// Headers that describe the connection or the length of the body, such as `Host`, `Connection`
    /// and `Content-Length`, cannot be set here or for one call. Such a call throws
    /// `invalidRequest`.
    public var headers: [HTTPHeader]

    /// The query items of every call. Defaults to none. Query items of a request override query
    /// items of the same name.
    public var queryItems: [QueryItem]

    /// Whether a call carries a `Request-ID`, the same for all of its attempts. Defaults to `true`.
    ///
    /// An ID that the caller sets is always sent. The insights service accepts none.
    public var sendsRequestID: Bool

    /// Segments added to the `User-Agent` header, without repetitions. Defaults to none.
    public var userAgentSegments: [UserAgentSegment]

    /// The closure that makes one HTTP exchange. Defaults to the system's.
    public var exchange: HTTPExchange

    /// Called when an attempt ends, in the task of the caller. Defaults to `nil`.
    public var onAttempt: (@Sendable (AttemptReport) -> Void)?

    /// The clock that times the attempts. Defaults to the system's continuous clock.
    public var clock: any Clock<Duration>

    /// The source of the order of the fallback hosts and of request IDs. Defaults to the system's.
    ///
    /// It is only used when a transport is created. The transport seeds a separate generator for
    /// request IDs from it.
    public var randomNumberGenerator: any RandomNumberGenerator & Sendable

    /// Creates a configuration.
    public init(
      hosts: [SearchHost]? = nil,
      connectTimeout: Duration = .seconds(2),
      readTimeout: Duration = .seconds(5),
      writeTimeout: Duration = .seconds(30),
      callTimeout: Duration? = nil,
      hostStateTimeToLive: Duration = .seconds(300),
      headers: [HTTPHeader] = [],
      queryItems: [QueryItem] = [],
      sendsRequestID: Bool = true,
      userAgentSegments: [UserAgentSegment] = [],
      exchange: @escaping HTTPExchange = SystemExchange.send,
      onAttempt: (@Sendable (AttemptReport) -> Void)? = nil,
      clock: any Clock<Duration> = ContinuousClock(),
      randomNumberGenerator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
      self.hosts = hosts
      self.connectTimeout = connectTimeout
      self.readTimeout = readTimeout
      self.writeTimeout = writeTimeout
      self.callTimeout = callTimeout
      self.hostStateTimeToLive = hostStateTimeToLive
      self.headers = headers
      self.queryItems = queryItems
      self.sendsRequestID = sendsRequestID
      self.userAgentSegments = userAgentSegments
      self.exchange = exchange
      self.onAttempt = onAttempt
      self.clock = clock
      self.randomNumberGenerator = randomNumberGenerator
    }
  }
}

extension AlgoliaTransport.Configuration {
  /// The error that every call of this application throws, or `nil` for a valid configuration.
  func validationError(appID: String, _ calls: HostCaller.Configuration) -> SearchError? {
    if appID.isEmpty {
      return SearchError(
        .invalidRequest, "The application ID is empty. Pass the ID shown in the Algolia dashboard.")
    }
    if !SearchHost.isLabel(appID) {
      return SearchError(
        .invalidRequest,
        "The application ID \(appID.debugDescription) has characters other than letters, digits, '-' and '_'."
      )
    }
    if calls.hosts.isEmpty {
      return SearchError(
        .invalidRequest,
        "Configuration.hosts is empty. Pass at least one host, or nil for Algolia's.")
    }
    return ([calls.validationMessage] + userAgentSegments.map(\.validationMessage))
      .compactMap(\.self).first.map { SearchError(.invalidRequest, $0) }
  }

  /// The configuration of calls to some hosts.
  func calls(to hosts: [SearchHost]) -> HostCaller.Configuration {
    HostCaller.Configuration(
      hosts: hosts, connectTimeout: connectTimeout, readTimeout: readTimeout,
      writeTimeout: writeTimeout, callTimeout: callTimeout,
      hostStateTimeToLive: hostStateTimeToLive, queryItems: queryItems, exchange: exchange,
      onAttempt: onAttempt, clock: clock)
  }

  /// The header fields that all calls of a transport have in common.
  ///
  /// Configured fields override the others, except the credentials, which come from the transport,
  /// because it can replace its key.
  func commonHeaders(appID: String) -> HeaderFields {
    HeaderFields(
      [
        HTTPHeader(name: HeaderName.appID, value: appID),
        HTTPHeader(name: "Content-Type", value: "application/json"),
        HTTPHeader(name: "Accept", value: "application/json"),
        HTTPHeader(name: "User-Agent", value: UserAgent.text(adding: userAgentSegments)),
      ]
        + headers.filter {
          ![HeaderName.appID, HeaderName.apiKey].contains($0.name.lowercased())
        })
  }
}

extension AlgoliaTransport.Configuration: CustomStringConvertible, CustomReflectable {
  /// The hosts, the timeouts and the names of the headers, without their values, which can be
  /// secret.
  public var description: String {
    let hosts = hosts.map { $0.map(\.description).joined(separator: ", ") } ?? "Algolia's"
    let names = headers.map(\.name).joined(separator: ", ")
    return
      "hosts: \(hosts); timeouts: \(connectTimeout) connect, \(readTimeout) read, \(writeTimeout) write, "
      + "\(callTimeout.map { "\($0)" } ?? "default") call; headers: [\(names)]"
  }

  /// The same parts as in ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "hosts": hosts as Any,
        "connectTimeout": connectTimeout,
        "readTimeout": readTimeout,
        "writeTimeout": writeTimeout,
        "callTimeout": callTimeout as Any,
        "hostStateTimeToLive": hostStateTimeToLive,
        "headers": headers.map(\.name),
        "queryItems": queryItems.map(\.name),
        "userAgentSegments": userAgentSegments,
      ],
      displayStyle: .struct)
  }
}

/// The region where the insights service stores events.
public struct InsightsRegion: Sendable, Hashable, CustomStringConvertible {
  /// The region's name as used in the host: `de` or `us`.
  public let description: String

  /// Germany.
  public static let de = InsightsRegion(description: "de")
  /// The United States.
  public static let us = InsightsRegion(description: "us")

  private init(description: String) {
    self.description = description
  }

  /// Creates a region from its name.
  ///
  /// - Throws: `invalidRequest` for a name other than `de` and `us`.
  public init(named name: String) throws(SearchError) {
    guard let region = [Self.de, .us].first(where: { $0.description == name }) else {
      throw SearchError(
        .invalidRequest,
        "Unknown insights region \(name.debugDescription). Use \"de\" or \"us\".")
    }
    self = region
  }
}

extension AlgoliaTransport.Configuration {
  /// A configuration for the insights service.
  ///
  /// The service has separate hosts, and its calls carry no `Request-ID`.
  ///
  /// - Parameter region: The region where events are stored. With `nil` (the default) the service
  ///   chooses it by the location of the caller.
  public static func insights(region: InsightsRegion? = nil) -> Self {
    let name = region.map { "insights.\($0).algolia.io" } ?? "insights.algolia.io"
    return Self(
      hosts: [SearchHost(name)], sendsRequestID: false,
      userAgentSegments: [UserAgentSegment(name: "Insights", version: UserAgent.packageVersion)])
  }
}
