#if os(Linux)
  extension CurlExchange {
    /// Which proxy an exchange uses.
    public enum Proxy: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
      /// The one that the environment names when the exchange is created, as with other programs
      /// that use libcurl.
      ///
      /// `http_proxy`, in lower case only, is for URLs of `http`, `https_proxy` or `HTTPS_PROXY`
      /// for those of `https`, and `all_proxy` or `ALL_PROXY` for both where the other is not set.
      /// `no_proxy` or `NO_PROXY` names hosts that are asked directly: names and domains with
      /// commas between them, or `*` for all.
      case environment

      /// None, whatever the environment says.
      case none

      /// The proxy of this URL, for all hosts: `http://`, `https://`, `socks4a://` or `socks5h://`,
      /// and user and password if it wants them.
      case url(String)

      /// Which kind it is; the URL is left out, as it may hold a password.
      public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url: "url"
        }
      }

      /// The URL of the proxy for an origin in this environment; `nil` for none.
      package func url(for origin: String, environment: [String: String]) -> String? {
        URLOrigin(origin).flatMap { ProxyRules(self, environment: environment).proxy(for: $0) }
      }

      /// Nothing but the ``description``.
      public var customMirror: Mirror { Mirror(self, children: []) }
    }
  }

  /// The proxies that an exchange uses, with the environment read.
  struct ProxyRules: Sendable {
    private var http: String?
    private var https: String?
    private var exceptions: [String] = []

    init(_ proxy: CurlExchange.Proxy, environment: [String: String]) {
      switch proxy {
      case .none: break
      case .url(let url):
        http = url
        https = url
      case .environment:
        func value(_ names: String...) -> String? {
          names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = value("http_proxy") ?? all
        https = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = (value("no_proxy", "NO_PROXY") ?? "")
          .split { $0 == "," || $0 == " " }.map { $0.lowercased() }
      }
    }

    /// The URL of the proxy for an origin; `nil` for none.
    func proxy(for origin: URLOrigin) -> String? {
      guard let proxy = origin.isSecure ? https : http else { return nil }
      let host = origin.host.lowercased()
      let isExcepted = exceptions.contains { exception in
        if exception == "*" { return true }
        let domain = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
        return host == domain || host.hasSuffix("." + domain)
      }
      return isExcepted ? nil : proxy
    }
  }

  /// The parts of a URL that say where a connection goes.
  struct URLOrigin: Sendable {
    let isSecure: Bool
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: Int

    /// Reads `scheme://user:password@host:port/…`; `nil` without a host.
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
