#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TypesenseTransport {
  /// The settings of a transport beyond its nodes and a key. Each has a default.
  public struct Configuration: Sendable {
    /// The node to try first, such as a load balancer, or `nil` (the default).
    public var nearestNode: SearchHost?

    /// The first number of the version of the servers, such as 29, or 0 for 0.24. With `nil` (the
    /// default) the first call asks a node.
    ///
    /// A node tells its version to the admin key only. With another key the transport takes it for
    /// the newest one, which changes how synonyms are sent and whether a page says that the number
    /// of groups is exact (``/InstantSearchAPI/HitsPage``). So set it where programs search with
    /// other keys.
    public var serverVersion: Int?

    /// Whether reads see every write that was acknowledged before. Defaults to `false`.
    ///
    /// The other nodes show a write about half a second after the leader. With `true`, every read
    /// asks which node leads, which needs an admin key, and goes to it alone. Use it in programs
    /// that read what they have just written, and not for searches of many users.
    public var readsOwnWrites: Bool

    /// The timeout for connecting to one node. Defaults to 2 s.
    public var connectTimeout: Duration

    /// The timeout of one node for a read. Defaults to 5 s.
    public var readTimeout: Duration

    /// The timeout of one node for a request that writes. Defaults to 10 s.
    ///
    /// A write through a node whose leader ends is never answered, and is tried again after it.
    public var writeTimeout: Duration

    /// The timeout of a call without a deadline, with all of its requests. `nil` (the default)
    /// means two minutes.
    ///
    /// The election of a leader takes about ten seconds, in which writes are tried again and again.
    /// A change of settings can copy all records; give it a deadline of its own.
    public var callTimeout: Duration?

    /// The initial time between two attempts. Defaults to 0.1 s.
    public var retryInterval: Duration

    /// How long a node that failed is left out. Defaults to 60 s.
    public var healthCheckInterval: Duration

    /// How long a write may be unseen by some nodes. Defaults to 2 s.
    ///
    /// A change of settings that needs a new collection waits as long before it begins to copy, and
    /// before it deletes the old collection. Zero is right for a single node.
    public var propagation: Duration

    /// The collection with the settings of the indices. Defaults to `instantsearch_indices`.
    ///
    /// Indices in one directory do not exist for transports with another one.
    public var directory: String

    /// The headers of every request. Defaults to none.
    public var headers: [HTTPHeader]

    /// The closure that makes one HTTP exchange. Defaults to the system's.
    public var exchange: HTTPExchange

    /// Called when an attempt ends, in the task of the caller. Defaults to `nil`.
    public var onAttempt: (@Sendable (AttemptReport) -> Void)?

    /// Called while a change of settings, a copy or a move fills a new collection. Defaults to
    /// `nil`.
    public var onRebuild: (@Sendable (RebuildProgress) -> Void)?

    /// The clock that times the attempts. Defaults to the system's continuous clock.
    public var clock: any Clock<Duration>

    /// The source of the order of the nodes. Defaults to the system's.
    public var randomNumberGenerator: any RandomNumberGenerator & Sendable

    /// The number of milliseconds since 1970.
    package var now: @Sendable () -> Int64 = {
      Int64(Date().timeIntervalSince1970 * 1000)
    }

    /// Returns a name that nothing has yet.
    package var makeName: @Sendable () -> String = { Hexadecimal.random(byteCount: 12) }

    /// Creates a configuration.
    public init(
      nearestNode: SearchHost? = nil,
      serverVersion: Int? = nil,
      readsOwnWrites: Bool = false,
      connectTimeout: Duration = .seconds(2),
      readTimeout: Duration = .seconds(5),
      writeTimeout: Duration = .seconds(10),
      callTimeout: Duration? = nil,
      retryInterval: Duration = .milliseconds(100),
      healthCheckInterval: Duration = .seconds(60),
      propagation: Duration = .seconds(2),
      directory: String = "instantsearch_indices",
      headers: [HTTPHeader] = [],
      exchange: @escaping HTTPExchange = SystemExchange.send,
      onAttempt: (@Sendable (AttemptReport) -> Void)? = nil,
      onRebuild: (@Sendable (RebuildProgress) -> Void)? = nil,
      clock: any Clock<Duration> = ContinuousClock(),
      randomNumberGenerator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
      self.nearestNode = nearestNode
      self.serverVersion = serverVersion
      self.readsOwnWrites = readsOwnWrites
      self.connectTimeout = connectTimeout
      self.readTimeout = readTimeout
      self.writeTimeout = writeTimeout
      self.callTimeout = callTimeout
      self.retryInterval = retryInterval
      self.healthCheckInterval = healthCheckInterval
      self.propagation = propagation
      self.directory = directory
      self.headers = headers
      self.exchange = exchange
      self.onAttempt = onAttempt
      self.onRebuild = onRebuild
      self.clock = clock
      self.randomNumberGenerator = randomNumberGenerator
    }
  }
}

extension TypesenseTransport.Configuration {
  /// The error that every call throws, or `nil` for a valid configuration.
  func validationError(_ calls: HostCaller.Configuration) -> SearchError? {
    if calls.hosts.isEmpty {
      return SearchError(.invalidRequest, "There are no nodes. Pass at least one.")
    }
    if directory.isEmpty || directory.contains("~") {
      return SearchError(
        .invalidRequest, "Configuration.directory must be a name without \"~\".")
    }
    if propagation < .zero {
      return SearchError(.invalidRequest, "Configuration.propagation must not be negative.")
    }
    if retryInterval <= .zero || healthCheckInterval <= .zero {
      return SearchError(
        .invalidRequest,
        "Configuration.retryInterval and healthCheckInterval must be greater than zero.")
    }
    return calls.validationMessage.map { SearchError(.invalidRequest, $0) }
  }

  /// The configuration of calls to some nodes.
  func calls(to nodes: [SearchHost]) -> HostCaller.Configuration {
    HostCaller.Configuration(
      hosts: nodes, connectTimeout: connectTimeout, readTimeout: readTimeout,
      writeTimeout: writeTimeout, callTimeout: callTimeout,
      hostStateTimeToLive: healthCheckInterval, queryItems: [], exchange: exchange,
      onAttempt: onAttempt, clock: clock)
  }

  /// The header fields that all requests have in common, without the key.
  var commonHeaders: HeaderFields {
    HeaderFields(
      [
        HTTPHeader(name: "Content-Type", value: "application/json"),
        HTTPHeader(name: "Accept", value: "application/json"),
        HTTPHeader(name: "User-Agent", value: UserAgent.text(adding: [])),
      ] + headers.filter { $0.name.lowercased() != Cluster.keyHeader.lowercased() })
  }
}

extension TypesenseTransport.Configuration: CustomStringConvertible, CustomReflectable {
  /// The nearest node, the timeouts and the names of the headers, without their values, which can
  /// be secret.
  public var description: String {
    let names = headers.map(\.name).joined(separator: ", ")
    return
      "nearest node: \(nearestNode?.description ?? "none"); timeouts: \(connectTimeout) connect,"
      + " \(readTimeout) read, \(writeTimeout) write; headers: [\(names)]"
  }

  /// The same parts as in ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "nearestNode": nearestNode as Any, "connectTimeout": connectTimeout,
        "readTimeout": readTimeout, "writeTimeout": writeTimeout,
        "callTimeout": callTimeout as Any, "directory": directory,
        "headers": headers.map(\.name),
      ],
      displayStyle: .struct)
  }
}
