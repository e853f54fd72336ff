import AlgoliaTransport
import AsyncHTTPClient
import AsyncHTTPClientExchange
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Loopback
import Testing

/// AsyncHTTPClient against a server that fails in every way.
@Suite(.timeLimit(.minutes(30))) struct FaultTests {
  private let request = TransportRequest(
    method: .post, pathComponents: ["1", "indexes", "films", "query"],
    body: Array(#"{"query":"star"}"#.utf8), callType: .read)

  @Test(arguments: [
    "hangUp", "reset", "resetInBody", "truncation", "halfHead", "garbage", "brokenChunk",
    "endlessChunks", "brokenGzip", "redirect", "500", "503",
  ])
  func faultMovesToTheNextHostAndIsRemembered(fault: String) async throws {
    let reply = try #require(Self.replies[fault])
    let first = try LoopbackServer { _ in reply }
    let second = try LoopbackServer { _ in .json("{}") }
    defer {
      first.stop()
      second.stop()
    }
    try await withHTTPClient { client in
      let transport = AlgoliaTransport.overHTTPClient(client, ports: [first.port, second.port])
      for _ in 0..<2 {
        let body = try await transport.send(request).body
        #expect(body == Array("{}".utf8))
      }
    }
    #expect(second.received.elements.count == 2)
    // AsyncHTTPClient can retry once by itself after a lost connection.
    #expect((1...2).contains(first.received.elements.count))
  }

  @Test(arguments: [200, 204, 400, 401, 403, 404, 429])
  func nonRetryableStatusIsReturned(status: Int) async throws {
    let server = try LoopbackServer { _ in .answer(status: status) }
    defer { server.stop() }
    try await withHTTPClient { client in
      let transport = AlgoliaTransport.overHTTPClient(client, ports: [server.port])
      let answered = try await transport.send(request).status
      #expect(answered == status)
    }
  }

  @Test(arguments: ["silence", "stall", "stallInHead"])
  func slowHostIsLeftAndASilentOneCancelled(fault: String) async throws {
    let reply = try #require(Self.replies[fault])
    let silent = try LoopbackServer { _ in reply }
    let second = try LoopbackServer { _ in .gzipped }
    defer {
      silent.stop()
      second.stop()
    }
    try await withHTTPClient { client in
      let clock = ManualClock()
      let transport = AlgoliaTransport.overHTTPClient(
        client, ports: [silent.port, second.port], clock: clock)
      async let answer = transport.send(request)
      await silent.received.reach(1)
      clock.advance(by: .seconds(60))
      let body = try await answer.body
      #expect(body == Array(LoopbackReply.gzippedText.utf8))
      let alone = AlgoliaTransport.overHTTPClient(client, ports: [silent.port], clock: clock)
      let call = Task { try await alone.send(request) }
      await silent.received.reach(2)
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  private static let replies: [String: LoopbackReply] = [
    "hangUp": .hangUp, "reset": .reset, "resetInBody": .resetInBody, "truncation": .truncation,
    "halfHead": .halfHead, "garbage": .garbage, "brokenChunk": .brokenChunk,
    "endlessChunks": .endlessChunks, "brokenGzip": .brokenGzip,
    "redirect": .redirect(to: "http://127.0.0.1:9/"), "500": .answer(status: 500),
    "503": .answer(status: 503), "silence": .silence, "stall": .stall,
    "stallInHead": .stallInHead,
  ]
}
