#if os(Linux)
  @testable import InstantSearchAPI
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  import Foundation
  import Loopback
  import TestSupport
  import Testing

  /// HTTP/2 over TLS, on connections that stop responding.
  @Suite(
    .timeLimit(.minutes(30)),
    .enabled(if: NginxServer.isAvailable, Comment(rawValue: NginxServer.absence)))
  struct DeadConnectionTests {
    /// For a response that arrives, even on a busy machine.
    private static let longTimeout = Duration.seconds(60)
    /// For a response that does not arrive.
    private static let shortTimeout = Duration.milliseconds(300)

    /// An exchange for which 200 ms are a long silence.
    private static func makeExchange(_ authority: TestAuthority) throws -> CurlExchange {
      var configuration = CurlExchange.Configuration(
        certificateAuthorityFile: authority.certificateFile)
      expectEqual(configuration.longestSilence, .seconds(1))
      configuration.longestSilence = .milliseconds(200)
      return try #require(CurlExchange(configuration))
    }

    /// Two hosts of an application, each behind a proxy.
    private final class Hosts: Sendable {
      let authority: TestAuthority
      let server: NginxServer
      let proxies: [SwallowingProxy]
      let exchange: HTTPExchange
      let transport: AlgoliaTransport

      init(readTimeout: Duration = longTimeout) throws {
        authority = try TestAuthority()
        let server = try NginxServer(authority)
        self.server = server
        proxies = try (0..<2).map { _ in try SwallowingProxy(to: server.port) }
        let exchange = try DeadConnectionTests.makeExchange(authority)
        self.exchange = { try await exchange.send($0) }
        transport = AlgoliaTransport(
          appID: "APPID", apiKey: "sekret",
          configuration: .init(
            hosts: proxies.map { SearchHost("127.0.0.1", port: $0.port) },
            connectTimeout: readTimeout, readTimeout: readTimeout, exchange: self.exchange))
      }

      deinit {
        for proxy in proxies { proxy.stop() }
        server.stop()
      }

      /// Whether an exchange with a host gets a response.
      func isAnswered(
        by index: Int = 0, within timeout: Duration = longTimeout
      ) async -> Bool {
        let answer = try? await exchange(
          HTTPExchangeRequest(
            method: .post, url: "https://127.0.0.1:\(proxies[index].port)/", body: [123, 125],
            timeout: timeout))
        return answer?.status == 200
      }

      /// Makes concurrent exchanges with the first host. Returns how many get a response.
      func answeredCount(of count: Int, within timeout: Duration = longTimeout) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<count { group.addTask { await self.isAnswered(within: timeout) } }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
      }
    }

    @Test func deadConnectionFailsOneCall() async throws {
      let hosts = try Hosts()
      #expect(await hosts.isAnswered())
      hosts.proxies[0].swallow()
      #expect(await !hosts.isAnswered(within: Self.shortTimeout))
      for _ in 0..<5 { #expect(await hosts.isAnswered()) }
      expectEqual(hosts.proxies[0].accepted.elements.count, 2)
    }

    @Test func deadConnectionFailsOneCallWithAShortTimeout() async throws {
      let hosts = try Hosts()
      #expect(await hosts.isAnswered())
      hosts.proxies[0].swallow()
      #expect(await !hosts.isAnswered(within: .milliseconds(100)))
      for _ in 0..<5 { #expect(await hosts.isAnswered()) }
      expectEqual(hosts.proxies[0].accepted.elements.count, 2)
    }

    /// A silent connection is not necessarily dead: the server may be slow.
    @Test(arguments: [false, true])
    func slowCallSucceedsWhileOthersOnItsConnectionEnd(areCancelled: Bool) async throws {
      let isReleased = Gate()
      defer { isReleased.open() }
      let backend = try LoopbackServer { request in
        switch request.target {
        case "/slow": isReleased.wait()
        case "/held": return .silence
        default: break
        }
        return .json("{}")
      }
      defer { backend.stop() }
      let authority = try TestAuthority()
      let server = try NginxServer(authority, backend: backend.port)
      defer { server.stop() }
      let exchange = try Self.makeExchange(authority)
      let url = server.url
      @Sendable func status(_ path: String, within timeout: Duration) async throws -> Int {
        try await exchange.send(
          HTTPExchangeRequest(method: .get, url: url + path, timeout: timeout)
        ).status
      }
      // Opens the connection that the others share.
      try await expectEqual(status("/", within: Self.longTimeout), 200)
      let slow = Task { try await status("/slow", within: .seconds(3600)) }
      await backend.received.reach(2)
      for count in 3...4 {
        let held = Task {
          try await status("/held", within: areCancelled ? .seconds(3600) : Self.shortTimeout)
        }
        if areCancelled {
          await backend.received.reach(count)
          // A connection that is silent for a shorter time is not suspected.
          try await Task.sleep(for: Self.shortTimeout)
          held.cancel()
        }
        #expect(await held.result.failure != nil)
      }
      try await expectEqual(status("/", within: Self.longTimeout), 200)
      isReleased.open()
      try await expectEqual(slow.value, 200)
    }

    @Test func concurrentCallsOnADeadConnectionFailTogether() async throws {
      let hosts = try Hosts()
      await expectEqual(hosts.answeredCount(of: 20), 20)
      let connections = hosts.proxies[0].accepted.elements.count
      hosts.proxies[0].swallow()
      // A call that waits much longer does not keep the dead connection in use.
      let patient = Task { await hosts.isAnswered(within: .seconds(3600)) }
      // Long enough for all to begin before the first ends, on a busy machine too.
      await expectEqual(hosts.answeredCount(of: 20, within: .seconds(5)), 0)
      await expectEqual(hosts.answeredCount(of: 20), 20)
      patient.cancel()
      #expect(await !patient.value)
      expectEqual(connections, 1)
    }

    @Test func cancelledCallsAlsoDetectADeadConnection() async throws {
      let hosts = try Hosts()
      #expect(await hosts.isAnswered())
      hosts.proxies[0].swallow()
      // As while a user types: each call is cancelled by the next one after a short wait.
      var count = 0
      while hosts.proxies[0].accepted.elements.count == 1, count < 1000 {
        let call = Task { await hosts.isAnswered(within: .seconds(3600)) }
        try await Task.sleep(for: .milliseconds(50))
        call.cancel()
        _ = await call.value
        count += 1
      }
      #expect(await hosts.isAnswered(within: .seconds(3600)))
    }

    @Test func deadConnectionsToAllHostsFailAtMostOneCall() async throws {
      // Long enough for a handshake, on a busy machine too.
      let hosts = try Hosts(readTimeout: .seconds(10))
      for index in 0..<2 { #expect(await hosts.isAnswered(by: index)) }
      for proxy in hosts.proxies { proxy.swallow() }
      var lost = 0
      for _ in 0..<6 {
        if (try? await hosts.transport.send(.sampleRead))?.status != 200 { lost += 1 }
      }
      #expect(lost <= 1)
    }
  }
#endif
