extension SearchService {
  /// The configuration of a service.
  public struct Configuration: Sendable {
    /// The application ID that callers must send. `nil`, the default, accepts any, and none.
    public var applicationID: String?
    /// The origin of web pages that may call the service. `*`, the default, allows all origins.
    public var allowedOrigin: String
    /// The maximum size of the body of a call that writes, before and after decompression, in
    /// bytes. Defaults to 67,108,864.
    public var maximumBodySize: Int
    /// The maximum size of the body of a call that reads, such as a search, in bytes. Its JSON
    /// takes up to twelve times as much memory. Defaults to 1,048,576.
    public var maximumReadBodySize: Int
    /// The maximum total size of request bodies that are being received or processed, and of
    /// responses that are expected, being written or unsent, in bytes. A client has a quarter of
    /// it, and one call beyond that. A call that exceeds the limit and isn't small gets status 503,
    /// and can be retried. Defaults to 134,217,728.
    public var maximumBodyTotal: Int
    /// The maximum number of queries of one address in an hour, except queries with the admin key.
    /// Each request counts, and each query of a call with several. Further queries get status 429.
    /// `nil`, the default, means no limit.
    public var maximumQueriesPerAddress: Int?
    /// The timeout of a call. Defaults to 30 seconds.
    public var timeout: Duration
    /// The clock for the timeout of a call. Defaults to `ContinuousClock`.
    public var clock: any Clock<Duration>
    /// Returns the seconds since 1970, for the validity of keys and for counting requests.
    public var now: @Sendable () -> Int
    /// The networks of proxies whose `X-Forwarded-For` is trusted. Defaults to none: the peer is
    /// the source of a request.
    public var trustedProxies: [IPNetwork]
    /// The index of the calls about places, for keys with indices. Defaults to `places`.
    public var placesIndexName: String
    /// The tools that language models call; `nil`, the default, for none.
    public var tools: Tools?
    /// Decompresses a body with `Content-Encoding: gzip`; returns `nil` if the result is larger
    /// than `maximumSize`. Without it, the default, such a body is rejected with status 415.
    public var decompress: (@Sendable (_ body: [UInt8], _ maximumSize: Int) throws -> [UInt8]?)?
    /// Compresses a response of at least 1,024 bytes for a client that accepts gzip. Without it,
    /// the default, nothing is compressed.
    public var compress: (@Sendable ([UInt8]) throws -> [UInt8])?
    /// Returns the beginning of a `Correlation-ID`. Defaults to 32 random digits.
    public var makeCorrelationID: @Sendable () -> String
    /// Whether the service is ready. Until then, `/health` and all calls get status 503, and can be
    /// retried. Always ready by default.
    public var isReady: @Sendable () -> Bool
    /// Receives the access log entry of each request after it is processed, before the response is
    /// sent. It runs in the task of the request, which waits for it. Does nothing by default.
    public var onResponse: @Sendable (AccessLogEntry) -> Void

    /// Creates a configuration. Only the time has no default.
    public init(
      applicationID: String? = nil, allowedOrigin: String = "*", maximumBodySize: Int = 1 << 26,
      maximumReadBodySize: Int = 1 << 20, maximumBodyTotal: Int = 1 << 27,
      maximumQueriesPerAddress: Int? = nil,
      timeout: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
      trustedProxies: [IPNetwork] = [], placesIndexName: String = "places",
      tools: Tools? = nil,
      decompress: (@Sendable (_ body: [UInt8], _ maximumSize: Int) throws -> [UInt8]?)? = nil,
      compress: (@Sendable ([UInt8]) throws -> [UInt8])? = nil,
      makeCorrelationID: @escaping @Sendable () -> String = { ServiceKeys.randomKey() },
      isReady: @escaping @Sendable () -> Bool = { true },
      onResponse: @escaping @Sendable (AccessLogEntry) -> Void = { _ in },
      now: @escaping @Sendable () -> Int
    ) {
      self.applicationID = applicationID
      self.allowedOrigin = allowedOrigin
      self.maximumBodySize = maximumBodySize
      self.maximumReadBodySize = maximumReadBodySize
      self.maximumBodyTotal = maximumBodyTotal
      self.maximumQueriesPerAddress = maximumQueriesPerAddress
      self.timeout = timeout
      self.clock = clock
      self.trustedProxies = trustedProxies
      self.placesIndexName = placesIndexName
      self.tools = tools
      self.decompress = decompress
      self.compress = compress
      self.makeCorrelationID = makeCorrelationID
      self.isReady = isReady
      self.onResponse = onResponse
      self.now = now
    }
  }
}
