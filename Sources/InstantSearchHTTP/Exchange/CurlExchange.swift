#if os(Linux)
  import CInstantSearchCurl
  import Foundation

  /// Makes HTTP exchanges with libcurl. It is the default exchange of a transport on Linux.
  ///
  /// `URLSession` on Linux uses libcurl too, so the library is already in the process. A
  /// `URLSessionTask` cannot be cancelled safely there, but a transfer of libcurl can: one thread
  /// drives all transfers, and only that thread ends them. A cancelled exchange ends at once with
  /// `CancellationError`, and its connection is closed. Timeouts have a resolution of milliseconds
  /// and cover the time from the call to the last byte.
  ///
  /// Connections are kept and shared. HTTP/2 is used if the server supports it, responses can be
  /// compressed with gzip, and redirects are not followed, so the API key only goes to its host. A
  /// request is sent at most once. After a request that times out on a silent connection, new
  /// requests use another connection. Exchanges beyond the limit of connections to a host wait, and
  /// the wait counts towards their timeout. See <doc:MakingExchanges> for details.
  public final class CurlExchange: Sendable {
    /// The exchange that transports share by default. `nil` if libcurl is missing or older than
    /// 7.68, or if the process has begun to exit before the first use.
    public static let shared = CurlExchange()

    private let inbox: CurlInbox
    private let maximumBodySize: Int

    /// Creates an exchange with separate connections. `nil` if libcurl is missing or older than
    /// 7.68, or if the process has begun to exit.
    public convenience init?(_ configuration: Configuration = Configuration()) {
      self.init(
        configuration, lookups: .shared, asksBeforeSending: libcurl_asks_before_sending())
    }

    /// Creates an exchange with custom name lookups. With `false` for the last parameter it behaves
    /// as with a libcurl before 7.80.
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

    /// Makes one exchange. As a closure it is an ``HTTPExchange``.
    ///
    /// - Throws: `CancellationError`, ``HTTPExchangeError``, or `SearchError` with the code
    ///   `invalidRequest` for a request that cannot be sent to any host, because of its URL or of
    ///   a header.
    public func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
      try request.validate()
      let end = ContinuousClock.now.advanced(by: Deadline.bounded(request.timeout))
      let response = try await PendingResponse.wait { pending in
        let id = inbox.add(request, response: pending)
        pending.onCancel { [inbox] in inbox.cancel(id) }
      }
      return try await GzipDecoder.decode(response, maximumBodySize: maximumBodySize, until: end)
    }
  }

  extension CurlExchange {
    /// The connections, trusted authorities and limits of an exchange.
    ///
    /// ```swift
    /// var configuration = CurlExchange.Configuration()
    /// configuration.certificateAuthorityFile = "/etc/company/authority.pem"
    /// let exchange = CurlExchange(configuration)
    /// ```
    ///
    /// libcurl reads files for each new connection. If it cannot read a file, or was built without
    /// an option that is set, the exchange fails with a network error.
    public struct Configuration: Sendable {
      /// The maximum number of concurrent exchanges with one host. Defaults to 64. At least 1.
      public var maximumConnectionsPerHost: Int

      /// The maximum size of the body of a response, compressed and decompressed, in bytes.
      /// Defaults to 256 MiB.
      ///
      /// A longer body is a network error. During decompression the compressed bytes are in memory
      /// too.
      public var maximumBodySize: Int

      /// A file of certificates in PEM format to trust instead of the system's. Defaults to `nil`.
      public var certificateAuthorityFile: String?

      /// The certificate of the client. Defaults to `nil`.
      public var clientCertificate: ClientCertificate?

      /// The proxy. Defaults to the one in the environment.
      public var proxy: Proxy

      /// The path of a Unix socket to connect to instead of TCP. Defaults to `nil`.
      ///
      /// The URL still determines the scheme and the `Host` header. No name is looked up and no
      /// proxy is used.
      public var unixSocketPath: String?

      /// The HTTP versions to use. Defaults to the preference of the server.
      public var httpVersion: HTTPVersion

      /// The time for which a connection may be silent when a caller is cancelled before the
      /// transfer's own timeout.
      package var longestSilence = Duration.seconds(1)

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
      /// The file of the certificate and of intermediate certificates.
      public var certificateFile: String

      /// The file of the key, or `nil` if the certificate's file contains it.
      public var keyFile: String?

      /// The password of the key, or `nil` for an unencrypted key.
      public var password: String?

      /// Creates a client certificate.
      public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.password = password
      }

      /// The file of the certificate, without the password.
      public var description: String { "client certificate \(certificateFile)" }

      /// The files, without the password.
      public var customMirror: Mirror {
        Mirror(
          self, children: ["certificateFile": certificateFile, "keyFile": keyFile as Any],
          displayStyle: .struct)
      }
    }

    /// The HTTP versions that an exchange uses.
    public enum HTTPVersion: Sendable, Hashable {
      /// HTTP/2 if TLS negotiates it, otherwise HTTP/1.1.
      case automatic
      /// HTTP/1.1 only.
      case http1
      /// HTTP/2, even without TLS and without negotiation. The server must support it. Without TLS
      /// each request has a separate connection, because libcurl before version 8 breaks the second
      /// request on a connection.
      case http2Only
    }
  }

  /// Maps the codes of ended transfers to errors.
  enum CurlErrorMapping {
    /// The code of a transfer that timed out.
    static let timeout: Int32 = 28
    /// The code of a transfer whose request this exchange refused to send.
    static let refused: Int32 = 42

    /// Whether an established connection was lost: in the framing of HTTP/2, before the end of a
    /// response, without a response, when sending, when receiving, or in one stream.
    static func isLostConnection(_ code: Int32) -> Bool { [16, 18, 52, 55, 56, 92].contains(code) }

    /// The error to throw for a code other than 0. It contains the code, and nothing of the
    /// request.
    static func error(code: Int32) -> any Error {
      switch code {
      case timeout: HTTPExchangeError.timedOut
      case 3:
        SearchError(.invalidRequest, "libcurl cannot make the request (code \(code)).")
      // libcurl was about to send again, which it does if a kept connection was lost before the
      // first byte of the response, and this exchange refused it.
      case refused, 65: HTTPExchangeError.staleConnection
      case _ where [6, 7].contains(code) && !FileDescriptors.areFree:
        HTTPExchangeError.noDescriptor
      default: HTTPExchangeError.network("\(words(for: code)) (libcurl \(code))")
      }
    }

    private static func words(for code: Int32) -> String {
      switch code {
      case 1, 8: ConnectionProblem.notHTTP.rawValue
      case 5, 6: ConnectionProblem.hostNotFound.rawValue
      case 7: ConnectionProblem.couldNotConnect.rawValue
      case 18: "connection closed before the response was complete"
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91:
        ConnectionProblem.noSecureConnection.rawValue
      case _ where isLostConnection(code): "connection lost"
      case 61: "the response has an invalid encoding"
      default: "transfer failed"
      }
    }
  }
#endif
