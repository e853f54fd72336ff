#if os(Linux)
  @testable import InstantSearchHTTP
  import TestSupport
  import Testing

  /// Which hosts are reached through the proxy of the environment.
  struct ProxyRulesTests {
    private static func usesProxy(_ url: String, _ exceptions: String) throws -> Bool {
      let rules = ProxyRules(
        .environment,
        environment: [
          "http_proxy": "http://192.0.2.1:3128", "HTTPS_PROXY": "http://192.0.2.2:3128",
          "no_proxy": exceptions,
        ])
      return try rules.proxy(for: #require(URLOrigin(url))) != nil
    }

    @Test(arguments: [
      ("http://a.example", "", true), ("https://a.example", "*", false),
      ("http://a.example", "example", false), ("http://a.example", ".example", false),
      ("http://A.Example.", "example", false), ("http://example", ".example", false),
      ("http://notexample", "example", true),
      ("http://a.example", "b.example, c, a.example", false),
      ("http://10.1.2.3:8080", "10.0.0.0/8", false), ("http://11.1.2.3", "10.0.0.0/8", true),
      ("https://10.1.2.3", "10.1.2.3", false), ("https://10.1.2.30", "10.1.2.3", true),
      ("http://[2001:db8::1]", "2001:db8::/32", false),
      ("http://[2001:db9::1]", "2001:db8::/32", true),
      ("http://[2001:db8::1]", "[2001:db8::1]", false),
      ("http://[2001:DB8:0::1]", "2001:db8::1", false),
      ("http://[::ffff:10.1.2.3]", "10.0.0.0/8", false), ("http://a.example", "10.0.0.0/8", true),
      ("http://10.1.2.3", "10.0.0.0/33", true), ("http://10.1.2.3", "0.0.0.0/0", false),
    ])
    func exceptionsAreNamesAndNetworks(url: String, exceptions: String, usesProxy: Bool) throws {
      try expectEqual(Self.usesProxy(url, exceptions), usesProxy)
    }

    @Test func theProxyIsThatOfTheScheme() throws {
      let rules = ProxyRules(.environment, environment: ["http_proxy": "h", "all_proxy": "a"])
      try expectEqual(rules.proxy(for: #require(URLOrigin("http://x"))), "h")
      try expectEqual(rules.proxy(for: #require(URLOrigin("https://x"))), "a")
      // A program that answers CGI requests has the header `Proxy` in this variable.
      let other = ProxyRules(.environment, environment: ["HTTP_PROXY": "h"])
      try expectEqual(other.proxy(for: #require(URLOrigin("http://x"))), nil)
    }
  }
#endif
