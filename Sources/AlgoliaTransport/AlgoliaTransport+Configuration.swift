public import AsyncInstantSearch

extension AlgoliaTransport {
  /// What a transport may be told beyond an application and a key; every part has a default.
  public struct Configuration: Sendable {
    /// The hosts to ask, in order; `nil`, the default, means Algolia's own.
    ///
    /// Algolia's are `{appID}-dsn.algolia.net` for reads and `{appID}.algolia.net` for writes, then
    /// `{appID}-1`, `-2` and `-3.algolianet.com` in an order drawn once, when the transport is made.
    public var hosts: [AlgoliaHost]?

    /// How long one host may take to answer a read; 5 s.
    public var readTimeout: Duration

    /// How long one host may take to answer a write; 30 s.
    public var writeTimeout: Duration

    /// Headers of every call; none.
    ///
    /// They take the place of the transport's own of the same name, and a request's headers take
    /// the place of both. Names compare without regard to case.
    ///
    /// An application ID or an API key among them is left out: the transport sends those it was made
    /// with, or the key that `replaceAPIKey(with:)` put in the place of the first. A request's headers
    /// may still carry another key, for that one call.
    public var headers: [HTTPHeader]

    /// Segments added to the `User-Agent` header, each once; none.
    public var userAgentSegments: [UserAgentSegment]

    /// What makes one HTTP exchange; ``systemExchange``.
    public var exchange: HTTPExchange

    /// The clock that times the attempts; the system's continuous clock.
    public var clock: any Clock<Duration>

    /// Where the order of the fallback hosts and the request IDs come from; the system's.
    ///
    /// It is asked when a transport is made, and not again: the request IDs come from a generator of
    /// the transport's own that was seeded then.
    public var randomNumbers: any RandomNumberGenerator & Sendable

    /// Creates a configuration.
    public init(
      hosts: [AlgoliaHost]? = nil,
      readTimeout: Duration = .seconds(5),
      writeTimeout: Duration = .seconds(30),
      headers: [HTTPHeader] = [],
      userAgentSegments: [UserAgentSegment] = [],
      exchange: @escaping HTTPExchange = Self.systemExchange,
      clock: any Clock<Duration> = ContinuousClock(),
      randomNumbers: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
      self.hosts = hosts
      self.readTimeout = readTimeout
      self.writeTimeout = writeTimeout
      self.headers = headers
      self.userAgentSegments = userAgentSegments
      self.exchange = exchange
      self.clock = clock
      self.randomNumbers = randomNumbers
    }
  }
}

extension AlgoliaTransport.Configuration {
  /// What is wrong with the configuration for this application; `nil` when nothing is.
  func fault(appID: String) -> SearchError? {
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
        if let complaint = host.complaint { return SearchError(.invalidRequest, complaint) }
      }
    }
    for (name, timeout) in [("read", readTimeout), ("write", writeTimeout)]
    where timeout <= .zero {
      return SearchError(.invalidRequest, "The \(name) timeout must be greater than zero.")
    }
    for segment in userAgentSegments {
      if let complaint = segment.complaint { return SearchError(.invalidRequest, complaint) }
    }
    return nil
  }
}

extension AlgoliaTransport.Configuration: CustomStringConvertible, CustomReflectable {
  /// The hosts, the timeouts and the names of the headers; no header's value, as it may be secret.
  public var description: String {
    let hosts = hosts.map { $0.map(\.description).joined(separator: ", ") } ?? "Algolia's"
    let names = headers.map(\.name).joined(separator: ", ")
    return
      "hosts: \(hosts); timeouts: \(readTimeout) read, \(writeTimeout) write; headers: [\(names)]"
  }

  /// The same parts as in ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "hosts": hosts as Any,
        "readTimeout": readTimeout,
        "writeTimeout": writeTimeout,
        "headers": headers.map(\.name),
        "userAgentSegments": userAgentSegments,
      ],
      displayStyle: .struct)
  }
}
