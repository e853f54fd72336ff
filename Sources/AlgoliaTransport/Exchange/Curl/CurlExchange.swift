#if os(Linux)
  import AsyncInstantSearch
  import CInstantSearchCurl
  import Foundation

  /// Makes HTTP exchanges with libcurl: the exchange of a transport on Linux that is given no
  /// other.
  ///
  /// libcurl is what `URLSession` itself is made on there, so it is in the process already; but
  /// where a `URLSessionTask` cannot be cancelled without danger, a transfer of libcurl can: all of
  /// them are driven by one thread, and that thread alone ends them. A cancelled exchange ends at
  /// once with `CancellationError`, and its connection is closed. Timeouts count milliseconds, from
  /// the first moment to the last byte.
  ///
  /// Connections are kept and shared, HTTP/2 is spoken where the server does, answers may come
  /// compressed with gzip, and redirects are not followed: the API key goes to the host it was
  /// meant for. A request is sent at most once. After a request that times out on a silent
  /// connection, new requests use another connection. Exchanges beyond the limit of connections to
  /// a host wait for their turn; the time they wait counts. <doc:MakingExchanges> has the details.
  public final class CurlExchange: Sendable {
    /// The exchange that transports share by default; `nil` where libcurl is missing or older than
    /// 7.68, and when the process has begun to exit before its first use.
    public static let shared = CurlExchange()

    private let inbox: CurlInbox
    private let maximumBodySize: Int

    /// Creates an exchange with connections of its own; `nil` where libcurl is missing or older
    /// than 7.68, and once the process has begun to exit.
    public convenience init?(_ configuration: Configuration = Configuration()) {
      self.init(
        configuration, lookups: .shared, asksBeforeSending: libcurl_asks_before_sending())
    }

    /// Creates one that looks names up in its own way, and behaves as with a libcurl before 7.80 if
    /// it is said that this one does not ask before it sends a request.
    package init?(
      _ configuration: Configuration, lookups: NameLookups? = nil, asksBeforeSending: Bool
    ) {
      let inbox = CurlInbox(
        CurlSettings(
          configuration: configuration,
          proxies: ProxyRules(
            configuration.proxy, environment: ProcessInfo.processInfo.environment),
          lookups: lookups ?? .shared, asksBeforeSending: asksBeforeSending))
      guard let inbox else { return nil }
      self.inbox = inbox
      maximumBodySize = configuration.maximumBodySize
    }

    deinit {
      inbox.close()
    }

    /// Makes one exchange; as a closure it is an ``HTTPExchange``.
    ///
    /// - Throws: `CancellationError`, ``HTTPExchangeError``, or `SearchError` with the code
    ///   `invalidRequest` for a request that no host could be sent.
    public func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
      guard request.url.hasPrefix("https://") || request.url.hasPrefix("http://") else {
        throw SearchError(.invalidRequest, "The URL of the request is not of the web: \(request)")
      }
      let end = ContinuousClock.now.advanced(by: Deadline.bounded(request.timeout))
      let answer = try await PendingAnswer.wait { answer in
        let id = inbox.add(request, answer: answer)
        answer.onAbandonment { [inbox] in inbox.withdraw(id) }
      }
      return try await GzipDecoder.decode(answer, maximumBodySize: maximumBodySize, until: end)
    }
  }
#endif
