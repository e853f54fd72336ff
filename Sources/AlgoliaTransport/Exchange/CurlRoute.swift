#if os(Linux)
  import Foundation

  /// How a connection to an origin is made: through which proxy, and which name is to be looked up.
  struct CurlRoute: Sendable {
    /// The URL of the proxy; empty for none.
    let proxy: String
    /// The name to look up before libcurl begins, so that libcurl looks none up; `nil` when there
    /// is none, or one that only libcurl can read.
    let host: String?
    private let port: Int

    /// The way to an origin.
    init(to origin: String, _ configuration: CurlExchange.Configuration, _ rules: ProxyRules) {
      guard configuration.unixSocketPath == nil, let target = URLOrigin(origin) else {
        proxy = ""
        host = nil
        port = 0
        return
      }
      guard let proxy = rules.proxy(for: target) else {
        self.proxy = ""
        host = Self.name(of: target)
        port = target.port
        return
      }
      self.proxy = Self.lookingNamesUp(proxy)
      let isSecure = proxy.lowercased().hasPrefix("https://")
      let server = URLOrigin(proxy, defaultPort: isSecure ? 443 : 1080)
      host = server.flatMap { Self.name(of: $0) }
      port = server?.port ?? 0
    }

    /// The line by which libcurl is given the addresses.
    func line(_ addresses: [String]) -> String? {
      guard let host, !addresses.isEmpty else { return nil }
      let list = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
      return "\(host):\(port):\(list)"
    }

    /// The proxy, which is to look the names of hosts up itself.
    private static func lookingNamesUp(_ proxy: String) -> String {
      for (scheme, other) in [("socks5://", "socks5h://"), ("socks4://", "socks4a://")]
      where proxy.lowercased().hasPrefix(scheme) {
        return other + proxy.dropFirst(scheme.count)
      }
      return proxy
    }

    /// The host when it is a name of plain letters, and no address.
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
