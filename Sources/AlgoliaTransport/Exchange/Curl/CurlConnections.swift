#if os(Linux)
  import CInstantSearchCurl

  /// The connections of a loop, and which of them are dead.
  ///
  /// libcurl closes a connection of HTTP/1.1 with a transfer that had no answer, but one of HTTP/2 it
  /// keeps, as others use it too. When the network beneath has failed in silence, every later transfer
  /// would be lost on it. So whenever a transfer ends without its answer, by its time or by its caller,
  /// it is asked when bytes last came over its connection: one that was silent for a second and longer,
  /// while somebody waited, is ended, and the next transfer makes another.
  struct CurlConnections {
    /// How long a connection may be silent while somebody waits, once somebody has waited in vain.
    private static let longestSilence = Duration.seconds(1)

    private let sockets: libcurl_sockets
    /// For the sockets of those that waited in vain: since when, with no byte in between.
    private var silentSince: [Int32: ContinuousClock.Instant] = [:]

    /// `nil` when there is no memory.
    init?() {
      sockets = libcurl_sockets_make()
      if sockets == 0 { return nil }
    }

    /// To be called when there are no transfers any more.
    func destroy() {
      libcurl_sockets_destroy(sockets)
    }

    /// Has the connections of a transfer made here.
    func adopt(_ easy: libcurl_easy) -> Bool { libcurl_easy_set_sockets(easy, sockets) == 0 }

    /// Notes that a transfer ends without an answer, for which it has waited since then.
    ///
    /// - Returns: The local port of its connection if that was found dead, and ended.
    mutating func noteVainWait(
      of easy: libcurl_easy, since begin: ContinuousClock.Instant
    ) -> Int? {
      let socket = libcurl_sockets_find(sockets, easy)
      if socket < 0 { return nil }
      let silence = libcurl_socket_silence(socket)
      if silence < 0 { return nil }
      let now = ContinuousClock.now
      let lastByte = now.advanced(by: .milliseconds(-silence))
      var start = max(begin, lastByte)
      if let earlier = silentSince[socket], earlier >= lastByte { start = min(start, earlier) }
      guard now - start >= Self.longestSilence else {
        // Those of sockets that are gone, in the end.
        if silentSince.count > 1000 { silentSince = [:] }
        silentSince[socket] = start
        return nil
      }
      silentSince[socket] = nil
      libcurl_socket_shut_down(socket)
      return libcurl_easy_local_port(easy)
    }
  }
#endif
