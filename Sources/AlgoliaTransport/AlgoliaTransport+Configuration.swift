extension AlgoliaTransport {
  /// What a transport may be told beyond an application and a key; every part has a default.
  public struct Configuration: Sendable {
    /// The hosts to ask, in order; `nil`, the default, means Algolia's own.
    ///
    /// Algolia's are `{appID}-dsn.algolia.net` for reads and `{appID}.algolia.net` for writes, then
    /// `{appID}-1`, `-2` and `-3.algolianet.com` in an order drawn once, when the transport is
    /// made.
    public var hosts: [AlgoliaHost]?

    /// How long one host may take until there is a connection to it; 2 s.
    ///
    /// It grows with the other timeouts. It is the exchange that counts it; ``URLSessionExchange``
    /// cannot.
    public var connectTimeout: Duration

    /// How long one host may take to answer a read; 5 s.
    ///
    /// A host that timed out is given twice the time next, then three times, up to six times; so
    /// for writes. A call may bring a timeout of its own, in `RequestOptions/attemptTimeout`.
    public var readTimeout: Duration

    /// How long one host may take to answer a write; 30 s.
    public var writeTimeout: Duration

    /// How long a call may take that brings no deadline of its own, all attempts included.
    ///
    /// `nil`, the default, stands for two minutes, or for as long as all hosts may take at first
    /// when that is longer.
    public var callTimeout: Duration?

    /// For how long what is known of a host counts; 5 min.
    public var hostStateTimeToLive: Duration

    /// Headers of every call; none.
    ///
    /// They take the place of the transport's own of the same name, and a request's headers take
    /// the place of both. Names compare without regard to case.
    ///
    /// An application ID or an API key among them is left out: the transport sends those it was
    /// made with, or the key that `replaceAPIKey(with:)` put in the place of the first. A request's
    /// headers may still carry another key, for that one call.
    ///
    /// What describes the connection or the length of the body, such as `Host`, `Connection` and
    /// `Content-Length`, cannot be set, here or for one call: the call throws `invalidRequest`.
    public var headers: [HTTPHeader]

    /// Query items of every call; none. Those of a request take the place of those of the same
    /// name.
    public var queryItems: [QueryItem]

    /// Whether a call is sent with a `Request-ID`, the same for all of its attempts; `true`.
    ///
    /// A caller's own stays in its place in either case. Services for events take none.
    public var sendsRequestID: Bool

    /// Segments added to the `User-Agent` header, each once; none.
    public var userAgentSegments: [UserAgentSegment]

    /// What makes one HTTP exchange; ``systemExchange``.
    public var exchange: HTTPExchange

    /// Called for every attempt as it ends, in the task of the caller; `nil` by default.
    public var onAttempt: (@Sendable (AttemptReport) -> Void)?

    /// The clock that times the attempts; the system's continuous clock.
    public var clock: any Clock<Duration>

    /// Where the order of the fallback hosts and the request IDs come from; the system's.
    ///
    /// It is asked when a transport is made, and not again: the request IDs come from a generator
    /// of the transport's own that was seeded then.
    public var randomNumberGenerator: any RandomNumberGenerator & Sendable

    /// Creates a configuration.
    public init(
      hosts: [AlgoliaHost]? = nil,
      connectTimeout: Duration = .seconds(2),
      readTimeout: Duration = .seconds(5),
      writeTimeout: Duration = .seconds(30),
      callTimeout: Duration? = nil,
      hostStateTimeToLive: Duration = .seconds(300),
      headers: [HTTPHeader] = [],
      queryItems: [QueryItem] = [],
      sendsRequestID: Bool = true,
      userAgentSegments: [UserAgentSegment] = [],
      exchange: @escaping HTTPExchange = Self.systemExchange,
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
  /// What is wrong with the configuration for this application; `nil` when nothing is.
  func validationError(appID: String) -> SearchError? {
    if appID.isEmpty { return SearchError(.invalidRequest, "The application ID is empty.") }
    if !AlgoliaHost.isLabel(appID) {
      return SearchError(
        .invalidRequest,
        "The application ID \(appID.debugDescription) has characters other than letters, digits, '-' and '_'."
      )
    }
    if let hosts {
      if hosts.isEmpty { return SearchError(.invalidRequest, "The list of hosts is empty.") }
      for host in hosts {
        if let validationMessage = host.validationMessage {
          return SearchError(.invalidRequest, validationMessage)
        }
      }
    }
    let timeouts = [
      ("connect", connectTimeout), ("read", readTimeout), ("write", writeTimeout),
      ("call", callTimeout ?? .seconds(1)),
    ]
    for (name, timeout) in timeouts where timeout <= .zero {
      return SearchError(.invalidRequest, "The \(name) timeout must be greater than zero.")
    }
    for segment in userAgentSegments {
      if let validationMessage = segment.validationMessage {
        return SearchError(.invalidRequest, validationMessage)
      }
    }
    return nil
  }
}

extension AlgoliaTransport.Configuration {
  /// The values of calls that set none.
  var callDefaults: CallDefaults {
    CallDefaults(
      queryItems: queryItems, readTimeout: readTimeout, writeTimeout: writeTimeout,
      callTimeout: callTimeout, hostCount: hosts?.count ?? HostList.count, clock: clock)
  }

  /// The header fields that all calls of a transport have in common.
  func commonHeaders(appID: String) -> HeaderFields {
    HeaderFields(
      appID: appID, userAgent: UserAgent.text(adding: userAgentSegments), configured: headers)
  }
}

extension AlgoliaTransport.Configuration: CustomStringConvertible, CustomReflectable {
  /// The hosts, the timeouts and the names of the headers; no header's value, as it may be secret.
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

/// Where the service for events keeps what it is sent.
public struct InsightsRegion: Sendable, Hashable, CustomStringConvertible {
  /// The region's name in the host: `de` or `us`.
  public let description: String

  /// Germany.
  public static let de = InsightsRegion(description: "de")
  /// The United States.
  public static let us = InsightsRegion(description: "us")

  private init(description: String) {
    self.description = description
  }

  /// The region of that name.
  ///
  /// - Throws: `invalidRequest`, with the names that there are, for any other.
  public init(named name: String) throws(SearchError) {
    guard let region = [Self.de, .us].first(where: { $0.description == name }) else {
      throw SearchError(
        .invalidRequest, "There is no insights region \(name.debugDescription), but de and us.")
    }
    self = region
  }
}

extension AlgoliaTransport.Configuration {
  /// A configuration for the service that takes events.
  ///
  /// Its hosts are others than those of the search, and its calls carry no `Request-ID`.
  ///
  /// - Parameter region: Where the events are kept; `nil`, the default, lets the service find out
  ///   from where it is asked.
  public static func insights(region: InsightsRegion? = nil) -> Self {
    let name = region.map { "insights.\($0).algolia.io" } ?? "insights.algolia.io"
    return Self(
      hosts: [AlgoliaHost(name)], sendsRequestID: false,
      userAgentSegments: [UserAgentSegment(name: "Insights", version: UserAgent.packageVersion)])
  }
}

extension AlgoliaTransport.Configuration {
  /// The exchange that a transport is given when it is given no other.
  ///
  /// On Apple platforms it is ``URLSessionExchange/shared``. On Linux it is libcurl, on which
  /// `URLSession` there is made, asked directly, as that can be cancelled safely; where libcurl
  /// cannot be asked, it is `URLSession` there too, on which three kinds of answers end the process
  /// there; see ``URLSessionExchange``.
  public static let systemExchange: HTTPExchange = {
    #if os(Linux)
      if let exchange = CurlExchange.shared { return { try await exchange.send($0) } }
    #endif
    return { try await URLSessionExchange.shared.send($0) }
  }()
}
