#if os(Linux)
  import CInstantSearchCurl

  /// The connections of a loop, divided into pools, some of which new transfers avoid.
  ///
  /// libcurl closes an HTTP/1.1 connection when a transfer on it ends without a response. It keeps
  /// an HTTP/2 connection, because other transfers share it. If the network has failed silently,
  /// every later transfer would fail on that connection. But a silent connection may be alive while
  /// the server works on its responses. So only new transfers avoid it: the origin gets a new pool
  /// of connections. Transfers on the old pool continue until their own timeouts, and the old pool
  /// is closed when its last transfer has ended.
  struct CurlConnections {
    /// The connections that the transfers of one origin share. They are closed with the last
    /// reference.
    final class Pool {
      fileprivate let handle: libcurl_pool
      private let sockets: libcurl_sockets
      /// The number of transfers that use it.
      fileprivate var transferCount = 0
      /// The time at which the newest transfer left it.
      fileprivate var lastUse = ContinuousClock.now
      /// Whether the newest response of a connection was an HTTP/2 response, whose server sends at
      /// any time. Another connection to the origin can use another version.
      private var isMultiplexed: [Int32: Bool] = [:]
      /// The same for the newest response of any connection; `nil` before the first response over
      /// TLS, which negotiates the version.
      private var isNewestMultiplexed: Bool?
      /// Whether the connections have a TLS session with a proxy, which libcurl does not expose.
      private let isProxySecure: Bool

      fileprivate init?(_ sockets: libcurl_sockets, isSecure: Bool, isProxySecure: Bool) {
        self.sockets = sockets
        self.isProxySecure = isProxySecure
        isNewestMultiplexed = isSecure ? nil : false
        handle = libcurl_pool_make()
        if handle == 0 { return nil }
      }

      /// Whether the server may have sent bytes on a kept connection, or ended it, before the
      /// request of a transfer. Such bytes are not a response to this request.
      func mayHaveUnaskedInput(for easy: libcurl_easy) -> Bool {
        guard libcurl_easy_connection_count(easy) == 0 else { return false }
        let socket = libcurl_sockets_find(sockets, easy)
        guard isMultiplexed[socket] ?? isNewestMultiplexed == false else { return false }
        // A connection to a socket of the file system has no port to find it by.
        return socket < 0 || isProxySecure || libcurl_socket_has_input(socket)
          || libcurl_easy_may_have_tls_input(easy)
      }

      /// Notes the version of the response of a transfer.
      fileprivate func note(isMultiplexed: Bool, of easy: libcurl_easy) {
        isNewestMultiplexed = isMultiplexed
        let socket = libcurl_sockets_find(sockets, easy)
        if socket >= 0 { self.isMultiplexed[socket] = isMultiplexed }
      }

      deinit {
        libcurl_pool_destroy(handle)
      }
    }

    /// The state of the connection of a transfer that ended without a response.
    struct Suspicion {
      fileprivate let socket: Int32
      fileprivate let isSilent: Bool
    }

    /// The resolution of the kernel's time of received bytes.
    private static let precision = Duration.milliseconds(10)
    /// The maximum number of origins with kept connections that no transfer uses.
    private static let maximumPoolCount = 64

    private let sockets: libcurl_sockets
    private let longestSilence: Duration
    private var pools: [String: Pool] = [:]
    /// For sockets of transfers without a response, the time since which no byte was received.
    private var silentSince: [Int32: ContinuousClock.Instant] = [:]

    /// Creates the connections. `nil` without memory.
    ///
    /// - Parameter longestSilence: The time for which a connection may be silent when a caller is
    ///   cancelled before the transfer's own timeout.
    init?(longestSilence: Duration) {
      self.longestSilence = longestSilence
      sockets = libcurl_sockets_make()
      if sockets == 0 { return nil }
    }

    /// Closes all connections. The transfers must have been destroyed.
    mutating func closeAll() {
      pools = [:]
    }

    /// Frees the remaining memory after ``closeAll()``, when libcurl closes no connection any
    /// longer.
    func destroy() {
      libcurl_sockets_destroy(sockets)
    }

    /// Gives a transfer the connections to its origin. `nil` without memory.
    mutating func adopt(_ easy: libcurl_easy, origin: String, _ route: CurlRoute) -> Pool? {
      if pools[origin] == nil, pools.count >= Self.maximumPoolCount {
        pools = pools.filter { $0.value.transferCount > 0 }
      }
      let isSecure = origin.hasPrefix("https")
      guard
        let pool = pools[origin]
          ?? Pool(sockets, isSecure: isSecure, isProxySecure: route.isProxySecure),
        libcurl_easy_set_sockets(easy, sockets) == 0,
        libcurl_easy_set_pool(easy, pool.handle) == 0
      else { return nil }
      pools[origin] = pool
      pool.transferCount += 1
      return pool
    }

    /// Removes a transfer that libcurl no longer drives from its pool.
    func leave(_ pool: Pool, _ easy: libcurl_easy, isMultiplexed: Bool? = nil) {
      if let isMultiplexed { pool.note(isMultiplexed: isMultiplexed, of: easy) }
      libcurl_easy_set_pool(easy, 0)
      pool.transferCount -= 1
      pool.lastUse = .now
    }

    /// Keeps new transfers off the connections of a pool.
    mutating func abandon(_ pool: Pool, origin: String) {
      if pools[origin] === pool { pools[origin] = nil }
    }

    /// Closes connections that no transfer has used for some time, because it goes unnoticed when a
    /// server ends one.
    mutating func closeIdle(at now: ContinuousClock.Instant) {
      pools = pools.filter { _, pool in
        pool.transferCount > 0 || now - pool.lastUse < Self.longestIdleness
      }
    }

    /// The time after which unused connections are closed.
    static let longestIdleness = Duration.seconds(60)

    /// Examines the connection of a transfer that ends without a response, before libcurl removes
    /// it.
    ///
    /// - Parameter hasTimedOut: Whether the transfer timed out. Then silence since its beginning
    ///   suffices.
    mutating func examine(
      _ easy: libcurl_easy, since begin: ContinuousClock.Instant, hasTimedOut: Bool
    ) -> Suspicion? {
      let socket = libcurl_sockets_find(sockets, easy)
      if socket < 0 { return nil }
      let silence = libcurl_socket_silence(socket)
      if silence < 0 { return nil }
      let now = ContinuousClock.now
      let lastByte = now.advanced(by: .milliseconds(-silence))
      var start = max(begin, lastByte)
      if let earlier = silentSince[socket], earlier >= lastByte { start = min(start, earlier) }
      let isSilent =
        now - start >= longestSilence
        || hasTimedOut && lastByte <= begin.advanced(by: Self.precision)
      // Entries of closed sockets are removed here only.
      if silentSince.count > 1000 { silentSince = [:] }
      silentSince[socket] = isSilent ? nil : start
      return Suspicion(socket: socket, isSilent: isSilent)
    }

    /// Keeps new transfers off a silent connection if it is still open after libcurl removed the
    /// transfer.
    mutating func act(on suspicion: Suspicion, origin: String, pool: Pool) {
      guard libcurl_sockets_has(sockets, suspicion.socket) else {
        silentSince[suspicion.socket] = nil
        return
      }
      if suspicion.isSilent { abandon(pool, origin: origin) }
    }
  }
#endif
