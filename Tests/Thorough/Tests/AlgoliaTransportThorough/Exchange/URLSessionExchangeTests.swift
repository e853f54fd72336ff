@testable import InstantSearchAPI
@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Loopback
import TestSupport
import Testing

/// URLSession's exchange with one slot: the next exchange begins when the previous one has released
/// it.
@Suite(.timeLimit(.minutes(30))) struct URLSessionExchangeTests {
  private let exchange = URLSessionExchange(maximumConnectionsPerHost: 1, maximumBodySize: 1000)

  private func request(
    _ server: LoopbackServer, _ target: String = "/", method: Endpoint.Method = .post,
    timeout: Duration = .seconds(3600)
  ) -> HTTPExchangeRequest {
    HTTPExchangeRequest(
      method: method, url: server.url + target,
      body: method == .post || method == .put ? Array("{}".utf8) : [], timeout: timeout)
  }

  @Test(arguments: [
    #"Basic realm="x""#, #"Digest realm="x", nonce="1""#, "Basic", "Bearer", "Negotiate", "",
  ])
  func authenticationChallengeIsAResponse(challenge: String) async throws {
    let server = try LoopbackServer { _ in
      .answer(
        status: 401, headers: [("WWW-Authenticate", challenge)],
        body: Array(#"{"message":"Invalid key"}"#.utf8))
    }
    defer { server.stop() }
    for method in [Endpoint.Method.get, .post, .post] {
      let response = try await exchange.send(request(server, method: method))
      expectEqual(response.status, 401)
      expectEqual(response.body, Array(#"{"message":"Invalid key"}"#.utf8))
    }
    expectEqual(server.received.elements.count, 3)
  }

  @Test func tooLongResponseIsANetworkError() async throws {
    let server = try LoopbackServer {
      .huge(byteCount: $0.target == "/long" ? 1001 : $0.target == "/endless" ? 1 << 40 : 1000)
    }
    defer { server.stop() }
    try await expectEqual(exchange.send(request(server)).body.count, 1000)
    for target in ["/long", "/endless"] {
      await #expect(throws: HTTPExchangeError.network("the response is longer than 1000 bytes")) {
        try await exchange.send(request(server, target))
      }
    }
    // The server notices that the client has stopped reading.
    await server.ended.reach(server.connectionCount - 1)
    try await expectEqual(exchange.send(request(server)).status, 200)
  }

  @Test func sizeLimitAppliesToTheDecompressedBody() async throws {
    let server = try LoopbackServer { _ in .gzipped }
    defer { server.stop() }
    let count = LoopbackReply.gzippedText.utf8.count
    #expect(LoopbackReply.gzippedBytes.count < count)
    let exact = URLSessionExchange(maximumBodySize: count)
    try await expectEqual(exact.send(request(server)).body.count, count)
    let small = URLSessionExchange(maximumBodySize: count - 1)
    await #expect(throws: HTTPExchangeError.self) { try await small.send(request(server)) }
  }

  @Test func drippingResponseTimesOut() async throws {
    let head = LoopbackReply([.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n".utf8))]
    )
    let body = LoopbackReply([.send([UInt8](repeating: 32, count: 90_000))])
    let drip = LoopbackReply(head.steps + body.dripped(pieceSize: 1, milliseconds: 50).steps)
    let server = try LoopbackServer { $0.target == "/drip" ? drip : .json("{}") }
    defer { server.stop() }
    // No limit that the drops reach before the timeout, even if it fires late on a busy machine.
    let exchange = URLSessionExchange(maximumConnectionsPerHost: 1)
    // On a busy machine the time can pass before the request arrives.
    for _ in 0..<100 where server.received.elements.isEmpty {
      await #expect(throws: HTTPExchangeError.timedOut) {
        try await exchange.send(request(server, "/drip", timeout: .milliseconds(200)))
      }
    }
    #expect(server.received.elements.contains { $0.target == "/drip" })
    try await expectEqual(exchange.send(request(server)).status, 200)
    await server.ended.reach(1)
  }

  @Test(arguments: [LoopbackReply.silence, .stall, .stallInHead])
  func cancelledExchangeClosesItsConnection(reply: LoopbackReply) async throws {
    let server = try LoopbackServer { $0.target == "/" ? reply : .json("{}") }
    defer { server.stop() }
    let request = request(server)
    for number in 1...3 {
      let call = Task { try await exchange.send(request) }
      await server.received.reach(number)
      call.cancel()
      #expect(await call.result.failure is CancellationError)
      await server.ended.reach(number)
    }
    try await expectEqual(exchange.send(self.request(server, "/next")).status, 200)
  }

  @Test(arguments: [LoopbackReply.silence, .stall, .stallInHead])
  func timeoutFreesTheSlot(reply: LoopbackReply) async throws {
    let server = try LoopbackServer { $0.target == "/" ? reply : .json("{}") }
    defer { server.stop() }
    for _ in 0..<3 {
      await #expect(throws: HTTPExchangeError.timedOut) {
        try await exchange.send(request(server, timeout: .milliseconds(20)))
      }
    }
    try await expectEqual(exchange.send(request(server, "/next")).status, 200)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/3.0 200 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
    "HTTP/1.1 -200 OK\r\n\r\n", "{\"hits\":[]}", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}",
  ])
  func invalidHTTPIsANetworkError(answer: String) async throws {
    let server = try LoopbackServer { _ in LoopbackReply([.send(Array(answer.utf8)), .close]) }
    defer { server.stop() }
    for _ in 0..<2 {
      await #expect(throws: HTTPExchangeError.self) { try await exchange.send(request(server)) }
    }
  }

  #if canImport(FoundationNetworking)
    /// A server that has responded on a connection reads the next request on it and disappears.
    @Test(
      arguments: [LoopbackReply.hangUp, .reset],
      [Endpoint.Method.post, .put, .delete, .get])
    func aRequestIsSentOnce(reply: LoopbackReply, method: Endpoint.Method) async throws {
      let server = try LoopbackServer { $0.target == "/answered" ? .json("{}") : reply }
      defer { server.stop() }
      for number in 1...4 {
        try await expectEqual(
          exchange.send(request(server, "/answered", method: method)).status, 200)
        await #expect(throws: HTTPExchangeError.self) {
          try await exchange.send(request(server, "/lost", method: method))
        }
        expectEqual(server.received.elements.count, 2 * number)
      }
    }
  #endif
}
