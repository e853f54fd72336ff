#if os(Linux)
  import Foundation

  /// The way to an origin: its proxy, and the name to look up.
  struct CurlRoute: Sendable {
    /// The URL of the proxy. Empty means none.
    let proxy: String
    /// The name to look up before libcurl starts, so that libcurl looks up none. `nil` if there is
    /// no name, or one that only libcurl can interpret.
    let host: String?
    private let port: Int
    /// Whether the connection to the proxy uses TLS.
    let isProxySecure: Bool

    /// Creates the route to an origin.
    init(to origin: String, _ configuration: CurlExchange.Configuration, _ rules: ProxyRules) {
      guard configuration.unixSocketPath == nil, let target = URLOrigin(origin) else {
        proxy = ""
        host = nil
        port = 0
        isProxySecure = false
        return
      }
      guard let proxy = rules.proxy(for: target) else {
        self.proxy = ""
        host = Self.name(of: target)
        port = target.port
        isProxySecure = false
        return
      }
      self.proxy = Self.lookingNamesUp(proxy)
      isProxySecure = proxy.lowercased().hasPrefix("https://")
      let server = URLOrigin(proxy, defaultPort: isProxySecure ? 443 : 1080)
      host = server.flatMap { Self.name(of: $0) }
      port = server?.port ?? 0
    }

    /// The line that passes the addresses to libcurl.
    func line(_ addresses: [String]) -> String? {
      guard let host, !addresses.isEmpty else { return nil }
      let list = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
      return "\(host):\(port):\(list)"
    }

    /// The proxy, with the scheme that makes the proxy look up the names of hosts.
    private static func lookingNamesUp(_ proxy: String) -> String {
      for (scheme, other) in [("socks5://", "socks5h://"), ("socks4://", "socks4a://")]
      where proxy.lowercased().hasPrefix(scheme) {
        return other + proxy.dropFirst(scheme.count)
      }
      return proxy
    }

    /// The host if it is a plain name and not an address.
    private static func name(of origin: URLOrigin) -> String? {
      let host = origin.host
      let isPlain = host.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
      let last = host.split(separator: ".").last ?? ""
      guard isPlain, !last.allSatisfy(\.isNumber) else { return nil }
      return host
    }
  }

  extension CurlExchange {
    /// The choice of the proxy of an exchange.
    public enum Proxy: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
      /// The proxy that the environment names when the exchange is created, as for other programs
      /// with libcurl.
      ///
      /// `http_proxy`, in lower case only, applies to `http` URLs, `https_proxy` or `HTTPS_PROXY`
      /// to `https` URLs, and `all_proxy` or `ALL_PROXY` to both if the other is not set.
      /// `no_proxy` or `NO_PROXY` lists hosts to connect to directly: names and domains separated
      /// by commas, or `*` for all.
      case environment

      /// No proxy, regardless of the environment.
      case none

      /// The proxy with this URL, for all hosts. The scheme is `http://`, `https://`, `socks4a://`
      /// or `socks5h://`. The URL can contain a user and a password.
      case url(String)

      /// The kind of choice, without the URL, which can contain a password.
      public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url: "url"
        }
      }

      /// The URL of the proxy for an origin in this environment, or `nil` for none.
      package func url(for origin: String, environment: [String: String]) -> String? {
        URLOrigin(origin).flatMap { ProxyRules(self, environment: environment).proxy(for: $0) }
      }

      /// The same as ``description``.
      public var customMirror: Mirror { Mirror(self, children: []) }
    }
  }

  /// The parts of a URL that determine the connection.
  struct URLOrigin: Sendable {
    let isSecure: Bool
    /// The host, without the brackets of an IPv6 address.
    let host: String
    let port: Int

    /// Parses `scheme://user:password@host:port/…`. Returns `nil` without a host.
    init?(_ url: String, defaultPort: Int? = nil) {
      let scheme: Substring
      var rest = url[...]
      if let range = url.firstRange(of: "://") {
        scheme = url[..<range.lowerBound]
        rest = url[range.upperBound...]
      } else {
        scheme = "http"
      }
      isSecure = scheme.lowercased() == "https"
      rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
      var portText: Substring?
      if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
        host = String(rest[rest.index(after: rest.startIndex)..<end])
        let tail = rest[rest.index(after: end)...]
        if tail.hasPrefix(":") { portText = tail.dropFirst() }
      } else if let colon = rest.lastIndex(of: ":") {
        host = String(rest[..<colon])
        portText = rest[rest.index(after: colon)...]
      } else {
        host = String(rest)
      }
      if host.isEmpty { return nil }
      port = portText.flatMap { Int($0) } ?? defaultPort ?? (isSecure ? 443 : 80)
    }
  }
#endif
