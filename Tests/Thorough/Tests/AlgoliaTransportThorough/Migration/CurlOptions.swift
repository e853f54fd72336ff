#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  import Foundation
  import Loopback
  import TestSupport
  import Testing

  /// The options of libcurl's exchange.
  @Suite(.timeLimit(.minutes(30))) struct CurlOptions {
    @Test func theArticleCreatesAnExchange() {
      // snippet.configuration
      var configuration = CurlExchange.Configuration()
      configuration.certificateAuthorityFile = "/etc/company/authority.pem"
      configuration.proxy = .url("http://proxy.company:3128")
      let exchange = CurlExchange(configuration)  // nil without a libcurl that can be used
      // snippet.end
      #expect(exchange != nil)
    }

    @Test func proxyReceivesTheAbsoluteURL() async throws {
      let proxy = try LoopbackServer { .json($0.target) }
      defer { proxy.stop() }
      // `localhost` is resolved; the other name is left to the proxy.
      let exchange = try #require(
        CurlExchange(.init(proxy: .url("http://user:secret@localhost:\(proxy.port)"))))
      let url = "http://host.invalid/1/indexes"
      let answer = try await exchange.send(
        HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(3600)))
      expectEqual(answer.body, Array(url.utf8))
      #expect(proxy.received.elements.first?.headers["proxy-authorization"] != nil)
    }

    @Test func environmentVariablesSetTheProxy() {
      let environment = [
        "http_proxy": "http://a:1", "HTTP_PROXY": "http://b:2", "HTTPS_PROXY": "http://c:3",
        "ALL_PROXY": "socks5://d:4", "no_proxy": "example.org, .example.net,10.0.0.1",
      ]
      func proxy(_ origin: String, _ environment: [String: String] = environment) -> String? {
        CurlExchange.Proxy.environment.url(for: origin, environment: environment)
      }
      expectEqual(proxy("http://example.com"), "http://a:1")
      expectEqual(proxy("https://example.com:8443"), "http://c:3")
      for host in ["example.org", "a.Example.org", "example.net:80", "a.example.net", "10.0.0.1"] {
        #expect(proxy("http://\(host)") == nil)
      }
      expectEqual(proxy("http://notexample.org"), "http://a:1")
      // Networks, and the dot of the root, as for other programs with libcurl.
      let networks = [
        "http_proxy": "http://a:1", "no_proxy": "10.0.0.0/8,fd00::/8,[::1],a.example.",
      ]
      for host in ["10.1.2.3", "[fd12::1]", "[fd00::]", "[::1]", "a.example", "a.example."] {
        #expect(proxy("http://\(host)", networks) == nil, "\(host)")
      }
      for host in ["11.0.0.1", "10.example", "[fe00::1]", "[::2]", "10.1.2.3.4", "example."] {
        expectEqual(proxy("http://\(host)", networks), "http://a:1", "\(host)")
      }
      #expect(proxy("http://example.com", ["HTTP_PROXY": "http://b:2"]) == nil)
      expectEqual(proxy("https://example.com", ["all_proxy": "socks5://d:4"]), "socks5://d:4")
      #expect(proxy("https://example.com", ["all_proxy": "socks5://d:4", "NO_PROXY": "*"]) == nil)
      #expect(
        CurlExchange.Proxy.none.url(for: "http://example.com", environment: environment) == nil)
    }

    @Test func secretsAreNotDescribed() {
      let proxy = CurlExchange.Proxy.url("http://user:secret@proxy")
      let certificate = CurlExchange.ClientCertificate(certificateFile: "a.pem", password: "secret")
      let configuration = CurlExchange.Configuration(clientCertificate: certificate, proxy: proxy)
      var dumped = ""
      dump(configuration, to: &dumped)
      #expect(!(dumped + "\(configuration)\(proxy)\(certificate)").contains("secret"))
      if let exchange = CurlExchange(configuration) { dump(exchange, to: &dumped) }
      for url in [
        "https://user:secret@h/1", "https://h?key=secret", "https://h/1#secret",
        "https://user:secret@h?key=secret",
      ] {
        let request = HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(1))
        dump(request, to: &dumped)
        dumped += "\(request)"
      }
      #expect(!dumped.contains("secret"), "\(dumped)")
    }

    @Test(.enabled(if: NginxServer.isAvailable, Comment(rawValue: NginxServer.absence)))
    func configurationSetsCertificatesVersionAndSocket() async throws {
      let authority = try TestAuthority()
      let server = try NginxServer(authority)
      defer { server.stop() }
      func seen(
        _ url: String, _ configuration: CurlExchange.Configuration
      ) async throws -> String? {
        let exchange = try #require(CurlExchange(configuration))
        return try await exchange.send(
          HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(3600))
        ).headers.firstValue(named: "X-Seen")
      }
      await #expect(throws: HTTPExchangeError.self) {
        _ = try await seen(server.url, .init(proxy: .none))
      }
      var configuration = CurlExchange.Configuration(
        certificateAuthorityFile: authority.certificateFile, proxy: .none)
      try await expectEqual(seen(server.url, configuration), "HTTP/2.0 NONE")
      configuration.httpVersion = .http1
      configuration.clientCertificate = .init(
        certificateFile: authority.serverCertificateFile, keyFile: authority.serverKeyFile)
      try await expectEqual(seen(server.url, configuration), "HTTP/1.1 SUCCESS")
      configuration.unixSocketPath = server.unixSocketPath
      // The host does not exist and is not contacted.
      #expect(try await seen("http://host.invalid/", configuration)?.hasPrefix("HTTP/1.1") == true)
    }
  }
#endif
