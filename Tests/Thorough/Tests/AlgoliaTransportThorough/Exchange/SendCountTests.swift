@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Foundation
import Loopback
import TestSupport
import Testing

/// How often a request arrives when its response fails.
@Suite(.timeLimit(.minutes(30))) struct SendCountTests {
  /// How the connection fails instead of a response.
  enum ConnectionFault: CaseIterable {
    case hangUp, reset

    var reply: LoopbackReply { self == .hangUp ? .hangUp : .reset }
  }

  private static let methods: [Endpoint.Method] = [.get, .post, .put, .delete]

  private func request(
    _ url: String, _ method: Endpoint.Method
  ) -> HTTPExchangeRequest {
    let hasBody = method == .post || method == .put
    return HTTPExchangeRequest(
      method: method, url: url, body: hasBody ? Array("{}".utf8) : [], timeout: .seconds(3600))
  }

  #if os(Linux)
    @Test(arguments: [ExchangeKind.curl, .oldCurl], methods)
    func requestOnAReusedConnectionIsSentOnce(
      kind: ExchangeKind, method: Endpoint.Method
    ) async throws {
      for fault in ConnectionFault.allCases {
        let exchange = kind.make()
        let server = try LoopbackServer { $0.target == "/first" ? .json("{}") : fault.reply }
        defer { server.stop() }
        // This leaves a connection behind, which libcurl reuses for the next request.
        _ = try await exchange(request(server.url + "/first", .post))
        for count in 2...5 {
          await #expect(throws: HTTPExchangeError.self) {
            try await exchange(request(server.url + "/next", method))
          }
          expectEqual(server.received.elements.count, count)
        }
      }
    }

    @Test(arguments: [ExchangeKind.curl, .oldCurl])
    func writeOnAReusedConnectionReachesEachHostOnce(kind: ExchangeKind) async throws {
      let servers = try (0..<2).map { _ in
        try LoopbackServer { $0.target.hasSuffix("/batch") ? .hangUp : .json("{}") }
      }
      defer { for server in servers { server.stop() } }
      let transport = AlgoliaTransport(
        appID: "APPID", apiKey: "sekret",
        configuration: .init(
          hosts: servers.map { SearchHost("127.0.0.1", scheme: .http, port: $0.port) },
          connectTimeout: .seconds(3600), readTimeout: .seconds(3600),
          writeTimeout: .seconds(3600),
          exchange: kind.make()))
      _ = try await transport.send(.sampleRead)
      let write = TransportRequest(.batch(index: "films"), body: Array("{}".utf8))
      let error = try await searchError(of: transport, sending: write)
      expectEqual(error.code, .unreachable)
      let counts = servers.map { $0.received.elements.count { $0.target.hasSuffix("/batch") } }
      expectEqual(counts, [1, 1])
    }

    /// The server closes a connection after three requests. libcurl would resend the requests that
    /// were not accepted on another connection.
    @Test(
      .enabled(if: NginxServer.isAvailable, Comment(rawValue: NginxServer.absence)),
      arguments: [ExchangeKind.curl, .oldCurl])
    func aRequestOverHTTP2IsSentOnce(kind: ExchangeKind) async throws {
      let backend = try LoopbackServer { _ in
        LoopbackReply.json("{}").delayed(milliseconds: 5)
      }
      defer { backend.stop() }
      let authority = try TestAuthority()
      let server = try NginxServer(authority, backend: backend.port, requestsPerConnection: 3)
      defer { server.stop() }
      let exchange = kind.make(certificateAuthorityFile: authority.certificateFile)
      let url = server.url
      let answered = await withTaskGroup(of: Int.self) { group in
        for number in 0..<60 {
          group.addTask {
            let answer = try? await exchange(request("\(url)/\(number)", .post))
            return answer?.status == 200 ? 1 : 0
          }
        }
        return await group.reduce(0, +)
      }
      let arrived = backend.received.elements.map(\.target)
      expectEqual(Set(arrived).count, arrived.count)
      #expect(answered <= arrived.count)
      #expect(answered > 0)
    }
  #endif

  @Test(arguments: ExchangeKind.all, methods)
  func aRequestOnANewConnectionIsSentOnce(
    kind: ExchangeKind, method: Endpoint.Method
  ) async throws {
    for fault in ConnectionFault.allCases {
      let exchange = kind.make()
      let server = try LoopbackServer { _ in fault.reply }
      defer { server.stop() }
      await #expect(throws: HTTPExchangeError.self) {
        try await exchange(request(server.url, method))
      }
      expectEqual(server.received.elements.count, 1)
    }
  }
}
