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
#endif
