#if os(Linux)
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
#endif
