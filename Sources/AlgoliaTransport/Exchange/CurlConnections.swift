#if os(Linux)
  import CInstantSearchCurl

  /// The connections of a loop, and which of them new transfers may use.
  ///
  /// libcurl closes a connection of HTTP/1.1 when a transfer on it ends without an answer. It keeps
  /// one of HTTP/2, because other transfers share it. If the network has failed in silence, every
  /// later transfer would fail on that connection. A silent connection need not be dead, though:
  /// the server may still work on its answers. So such a connection is kept away from new transfers
  /// only: the origin gets a new pool of connections. Transfers on the old pool go on, each until
  /// its own timeout, and the old pool is closed when its last transfer has ended.
  struct CurlConnections {
    /// The connections of one origin that its transfers share; they are closed with the last
    /// reference.
    final class Pool {
      fileprivate let handle: libcurl_pool
      /// How many transfers use it.
      fileprivate var transferCount = 0

      fileprivate init?() {
        handle = libcurl_pool_make()
        if handle == 0 { return nil }
      }

      deinit {
        libcurl_pool_destroy(handle)
      }
    }

    /// What is known of the connection of a transfer that ended without an answer.
    struct Suspicion {
      fileprivate let socket: Int32
      fileprivate let isSilent: Bool
    }

    /// How long a connection may be silent when a caller gives up before the transfer's own
    /// timeout.
    private static let longestSilence = Duration.seconds(1)
    /// The precision of the kernel's clock of received bytes.
    private static let precision = Duration.milliseconds(10)
    /// How many origins may keep connections that no transfer uses.
    private static let maximumPoolCount = 64

    private let sockets: libcurl_sockets
    private var pools: [String: Pool] = [:]
    /// For the sockets of transfers without an answer: since when, with no byte in between.
    private var silentSince: [Int32: ContinuousClock.Instant] = [:]

    /// `nil` when there is no memory.
    init?() {
      sockets = libcurl_sockets_make()
      if sockets == 0 { return nil }
    }

    /// Closes all connections; the transfers must be destroyed.
    mutating func closeAll() {
      pools = [:]
    }

    /// Frees the rest, after ``closeAll()`` and when libcurl closes no connection any more.
    func destroy() {
      libcurl_sockets_destroy(sockets)
    }

    /// Gives a transfer the connections to its origin; `nil` when there is no memory.
    mutating func adopt(_ easy: libcurl_easy, origin: String) -> Pool? {
      if pools[origin] == nil, pools.count >= Self.maximumPoolCount {
        pools = pools.filter { $0.value.transferCount > 0 }
      }
      guard let pool = pools[origin] ?? Pool(),
        libcurl_easy_set_sockets(easy, sockets) == 0,
        libcurl_easy_set_pool(easy, pool.handle) == 0
      else { return nil }
      pools[origin] = pool
      pool.transferCount += 1
      return pool
    }

    /// Takes a transfer that libcurl no longer drives from its pool.
    func leave(_ pool: Pool, _ easy: libcurl_easy) {
      libcurl_easy_set_pool(easy, 0)
      pool.transferCount -= 1
    }

    /// Examines the connection of a transfer that ends without an answer, before libcurl removes
    /// it.
    ///
    /// - Parameter hasTimedOut: Whether its own time is over, so that silence since its beginning
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
        now - start >= Self.longestSilence
        || hasTimedOut && lastByte <= begin.advanced(by: Self.precision)
      // Entries of closed sockets have no other end.
      if silentSince.count > 1000 { silentSince = [:] }
      silentSince[socket] = isSilent ? nil : start
      return Suspicion(socket: socket, isSilent: isSilent)
    }

    /// Keeps a silent connection away from new transfers, if it is open after libcurl has removed
    /// the transfer.
    mutating func act(on suspicion: Suspicion, origin: String, pool: Pool) {
      guard libcurl_sockets_has(sockets, suspicion.socket) else {
        silentSince[suspicion.socket] = nil
        return
      }
      if suspicion.isSilent, pools[origin] === pool { pools[origin] = nil }
    }
  }
#endif
