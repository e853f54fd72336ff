#if os(Linux)
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
      let response = try await PendingResponse.wait { pending in
        let id = inbox.add(request, response: pending)
        pending.onCancel { [inbox] in inbox.cancel(id) }
      }
      return try await GzipDecoder.decode(response, maximumBodySize: maximumBodySize, until: end)
    }
  }

  extension CurlExchange {
    /// How an exchange reaches its hosts, whom it trusts, and what it is limited to.
    ///
    /// ```swift
    /// var configuration = CurlExchange.Configuration()
    /// configuration.certificateAuthorityFile = "/etc/company/authority.pem"
    /// let exchange = CurlExchange(configuration)
    /// ```
    ///
    /// Files are read by libcurl at each new connection. One that cannot be read fails the exchange
    /// with a network error, and so does an option that this libcurl was built without.
    public struct Configuration: Sendable {
      /// How many exchanges with one host may go on at once; 64 by default, at least 1.
      public var maximumConnectionsPerHost: Int

      /// How many bytes the body of an answer may have, compressed and decompressed; 256 MiB by
      /// default.
      ///
      /// A longer one is a network error. While an answer is decompressed, its compressed bytes are
      /// in memory too.
      public var maximumBodySize: Int

      /// A file of certificates in PEM format to trust in place of the system's; `nil` by default.
      public var certificateAuthorityFile: String?

      /// What proves to a server who the client is; `nil` by default.
      public var clientCertificate: ClientCertificate?

      /// The proxy; the one that the environment names by default.
      public var proxy: Proxy

      /// The path of a Unix socket that every connection is made to in place of TCP; `nil` by
      /// default.
      ///
      /// The URL still says the scheme and the `Host`. No name is looked up and no proxy is used.
      public var unixSocketPath: String?

      /// The versions of HTTP that are spoken; what the server prefers by default.
      public var httpVersion: HTTPVersion

      /// Creates a configuration.
      public init(
        maximumConnectionsPerHost: Int = 64, maximumBodySize: Int = 256 << 20,
        certificateAuthorityFile: String? = nil, clientCertificate: ClientCertificate? = nil,
        proxy: Proxy = .environment, unixSocketPath: String? = nil,
        httpVersion: HTTPVersion = .automatic
      ) {
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.maximumBodySize = maximumBodySize
        self.certificateAuthorityFile = certificateAuthorityFile
        self.clientCertificate = clientCertificate
        self.proxy = proxy
        self.unixSocketPath = unixSocketPath
        self.httpVersion = httpVersion
      }
    }

    /// A certificate of the client and its key, in PEM format.
    public struct ClientCertificate: Sendable, CustomStringConvertible, CustomReflectable {
      /// The file of the certificate, and of those between it and the authority.
      public var certificateFile: String

      /// The file of the key; `nil` when it is in the file of the certificate.
      public var keyFile: String?

      /// What the key is encrypted with; `nil` when it is not.
      public var password: String?

      /// Creates a client's certificate.
      public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.password = password
      }

      /// The file of the certificate; never the password.
      public var description: String { "client certificate \(certificateFile)" }

      /// The files; never the password.
      public var customMirror: Mirror {
        Mirror(
          self, children: ["certificateFile": certificateFile, "keyFile": keyFile as Any],
          displayStyle: .struct)
      }
    }

    /// The versions of HTTP that an exchange speaks.
    public enum HTTPVersion: Sendable, Hashable {
      /// HTTP/2 where TLS negotiates it, HTTP/1.1 otherwise.
      case automatic
      /// HTTP/1.1 only.
      case http1
      /// HTTP/2, also without TLS and without asking first; the server must speak it.
      case http2Only
    }
  }

  /// Sorts the codes that a transfer of libcurl can end with.
  enum CurlErrorMapping {
    /// The code of a transfer whose time was up.
    static let timeout: Int32 = 28

    /// The error to throw for a code other than 0; it has the code, and nothing of the request.
    static func error(code: Int32) -> any Error {
      switch code {
      case timeout: HTTPExchangeError.timedOut
      case 3:
        SearchError(.invalidRequest, "libcurl cannot make the request (code \(code)).")
      default: HTTPExchangeError.network("\(words(for: code)) (libcurl \(code))")
      }
    }

    private static func words(for code: Int32) -> String {
      switch code {
      case 1, 8: ConnectionProblem.notHTTP.rawValue
      case 5, 6: ConnectionProblem.hostNotFound.rawValue
      case 7: ConnectionProblem.couldNotConnect.rawValue
      case 18: "connection lost before the answer was whole"
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91:
        ConnectionProblem.noSecureConnection.rawValue
      // 42 and 65: the connection was lost, and this exchange does not send again.
      case 42, 52, 55, 56, 65, 92: "connection lost"
      case 61: "the answer's encoding is wrong"
      default: "transfer failed"
      }
    }
  }
#endif
