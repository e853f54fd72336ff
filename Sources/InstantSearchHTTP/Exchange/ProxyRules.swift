#if os(Linux)
  /// The proxy of each origin, and the hosts that are reached without one.
  struct ProxyRules: Sendable, CustomStringConvertible, CustomReflectable {
    private var http: String?
    private var https: String?
    private var exceptions: [Exception] = []

    /// An entry of `no_proxy`.
    private enum Exception: Sendable {
      case allHosts
      /// A host, and all below it.
      case domain(String)
      /// The addresses of a network.
      case network(IPNetwork)
    }

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
          .split { $0 == "," || $0 == " " }.map { Self.exception($0.lowercased()) }
      }
    }

    /// Says whether there are proxies. Their URLs can contain passwords.
    var description: String {
      http == nil && https == nil ? "no proxy" : "a proxy, whose URL is not shown"
    }

    /// A mirror without the URLs.
    var customMirror: Mirror { Mirror(self, children: []) }

    private static func exception(_ text: String) -> Exception {
      if text == "*" { return .allHosts }
      if let network = IPNetwork(canonical(text)) { return .network(network) }
      let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
      return .domain(canonical(name))
    }

    /// A host without the dot of the root and the brackets of an address.
    private static func canonical(_ host: String) -> String {
      var host = host[...]
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      if host.count > 1, host.hasSuffix(".") { host = host.dropLast() }
      return String(host)
    }

    /// The URL of the proxy for an origin, or `nil` for none.
    func proxy(for origin: URLOrigin) -> String? {
      guard let proxy = origin.isSecure ? https : http else { return nil }
      let host = Self.canonical(origin.host.lowercased())
      let isExcepted = exceptions.contains { exception in
        switch exception {
        case .allHosts: true
        case .domain(let domain): host == domain || host.hasSuffix("." + domain)
        case .network(let network): network.contains(host)
        }
      }
      return isExcepted ? nil : proxy
    }
  }
#endif
