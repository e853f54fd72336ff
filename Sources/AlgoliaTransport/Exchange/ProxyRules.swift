#if os(Linux)
  /// The proxy of each origin, and the hosts that are reached without one.
  struct ProxyRules: Sendable, CustomStringConvertible, CustomReflectable {
    private var http: String?
    private var https: String?
    private var exceptions: [Exception] = []

    /// What `no_proxy` names.
    private enum Exception: Sendable {
      case allHosts
      /// A host, and all below it.
      case domain(String)
      /// The addresses that begin with some bits.
      case network([UInt8], bitCount: Int)
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
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count == 2, let address = address(parts[0]), let count = Int(parts[1]),
        (0...address.count * 8).contains(count)
      {
        return .network(address, bitCount: count)
      }
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
      lazy var address = Self.address(host[...])
      let isExcepted = exceptions.contains { exception in
        switch exception {
        case .allHosts: true
        case .domain(let domain): host == domain || host.hasSuffix("." + domain)
        case .network(let network, let bitCount):
          address.map { Self.isEqual($0, network, bitCount) } ?? false
        }
      }
      return isExcepted ? nil : proxy
    }

    private static func isEqual(_ address: [UInt8], _ network: [UInt8], _ bitCount: Int) -> Bool {
      guard address.count == network.count else { return false }
      return (0..<bitCount).allSatisfy { bit in
        let mask: UInt8 = 0x80 >> UInt8(bit % 8)
        return address[bit / 8] & mask == network[bit / 8] & mask
      }
    }

    /// The bytes of an IPv4 or IPv6 address in text, or `nil` for a name.
    private static func address(_ text: Substring) -> [UInt8]? {
      if !text.contains(":") {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { UInt8($0) }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
      }
      let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
      let groups = halves.map { half in
        half.isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false)
      }
      let bytes = groups.map { group in
        group.flatMap { part -> [UInt8] in
          guard part.utf8.count <= 4, let value = UInt16(part, radix: 16) else { return [] }
          return [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
        }
      }
      guard zip(groups, bytes).allSatisfy({ 2 * $0.count == $1.count }) else { return nil }
      let count = bytes.reduce(0) { $0 + $1.count }
      if bytes.count == 1 { return count == 16 ? bytes[0] : nil }
      guard count < 16 else { return nil }
      return bytes[0] + Array(repeating: 0, count: 16 - count) + bytes[1]
    }
  }
#endif
