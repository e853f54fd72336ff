@testable import InstantSearchAPI
@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Foundation
import Loopback
import TestSupport
import Testing

/// Each exchange against a server on the loopback address.
@Suite(.timeLimit(.minutes(30))) struct ExchangeTests {
  private func request(
    _ server: LoopbackServer, _ target: String = "/", method: Endpoint.Method = .get,
    headers: [HTTPHeader] = [], body: [UInt8] = [], timeout: Duration = .seconds(3600)
  ) -> HTTPExchangeRequest {
    HTTPExchangeRequest(
      method: method, url: server.url + target, headers: headers, body: body, timeout: timeout)
  }

  @Test(arguments: ExchangeKind.all)
  func responseHasStatusHeadersAndBody(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try LoopbackServer { _ in
      .answer(status: 200, headers: [("Correlation-ID", "c1")], body: body)
    }
    defer { server.stop() }
    let response = try await exchange(request(server))
    expectEqual(response.status, 200)
    expectEqual(response.headers.firstValue(named: "correlation-id"), "c1")
    expectEqual(response.body, body)
  }

  @Test(arguments: ExchangeKind.all, [204, 400, 404, 429, 500, 503])
  func everyStatusIsAResponse(kind: ExchangeKind, status: Int) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .answer(status: status) }
    defer { server.stop() }
    let response = try await exchange(request(server))
    expectEqual(response.status, status)
    #expect(response.body.isEmpty)
  }

  @Test(arguments: ExchangeKind.all, [Endpoint.Method.get, .post, .put, .delete])
  func requestArrivesUnchanged(kind: ExchangeKind, method: Endpoint.Method) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let hasBody = method == .post || method == .put
    let body: [UInt8] = hasBody ? Array(#"{"query":"é"}"#.utf8) : []
    let target = "/1/indexes/a%2Fb%20c/*/%C3%A9?x=1%2C2&y=%2B"
    _ = try await exchange(
      request(
        server, target, method: method,
        headers: [
          HTTPHeader(name: "x-algolia-api-key", value: "sekret"),
          HTTPHeader(name: "User-Agent", value: "Async InstantSearch (0.1.0)"),
          HTTPHeader(name: "Content-Type", value: "application/json"),
        ], body: body))
    let arrived = try #require(server.received.elements.first)
    expectEqual(arrived.method, method.rawValue)
    expectEqual(arrived.target, target)
    expectEqual(arrived.body, body)
    expectEqual(arrived.headers["x-algolia-api-key"], "sekret")
    expectEqual(arrived.headers["user-agent"], "Async InstantSearch (0.1.0)")
    expectEqual(arrived.headers["content-type"], "application/json")
    #expect(arrived.headers["accept-encoding"]?.contains("gzip") == true)
  }

  @Test(arguments: ExchangeKind.all)
  func compressedResponseIsDecompressed(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    // `{"hits":[]}`, as gzip writes it
    let compressed: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0xCA, 0xC8,
      0x2C, 0x29, 0x56, 0xB2, 0x8A, 0x8E, 0xAD, 0x05, 0x00, 0xA5, 0x2F, 0x7D, 0x25, 0x0B,
      0x00, 0x00, 0x00,
    ]
    let server = try LoopbackServer { _ in
      .answer(status: 200, headers: [("Content-Encoding", "gzip")], body: compressed)
    }
    defer { server.stop() }
    let response = try await exchange(request(server))
    expectEqual(response.body, Array(#"{"hits":[]}"#.utf8))
    #expect(response.headers.firstValue(named: "Content-Encoding") == nil)
    #expect(response.headers.firstValue(named: "Content-Length") == nil)
  }

  @Test(arguments: ExchangeKind.all)
  func aRedirectIsNotFollowed(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let other = try LoopbackServer { _ in .answer(status: 200) }
    defer { other.stop() }
    let location = other.url + "/elsewhere"
    let server = try LoopbackServer { _ in
      .answer(status: 302, headers: [("Location", location)])
    }
    defer { server.stop() }
    let response = try await exchange(
      request(server, headers: [HTTPHeader(name: "x-algolia-api-key", value: "sekret")]))
    expectEqual(response.status, 302)
    #expect(other.received.elements.isEmpty)
  }

  @Test(arguments: ExchangeKind.all)
  func aRefusedConnectionIsANetworkError(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let closed = try LoopbackSocket.bound()
    let error = try await error(
      of: exchange,
      HTTPExchangeRequest(
        method: .get, url: "http://127.0.0.1:\(closed.port)/", timeout: .seconds(3600)))
    #expect(!error.isTimeout)
    #expect(error.reason.contains("could not connect"))
  }

  @Test(arguments: ExchangeKind.all(with: Fault.brokenOff))
  func truncatedResponseIsANetworkError(kind: ExchangeKind, fault: Fault) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in fault.reply }
    defer { server.stop() }
    #expect(try await !error(of: exchange, request(server)).isTimeout)
  }

  @Test(arguments: ExchangeKind.all)
  func responseInPiecesIsAssembled(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer {
      $0.target == "/chunked"
        ? .chunked([Array("abc".utf8), Array("defg".utf8)])
        : LoopbackReply.json(#"{"hits":[]}"#).dripped(pieceSize: 7, milliseconds: 1)
    }
    defer { server.stop() }
    try await expectEqual(exchange(request(server, "/chunked")).body, Array("abcdefg".utf8))
    try await expectEqual(exchange(request(server)).body, Array(#"{"hits":[]}"#.utf8))
  }

  /// `URLSession` on Linux ends the process at trailers, as its documentation says.
  @Test(arguments: ExchangeKind.keepingConnections)
  func trailersAreNotResponseHeaders(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in
      .chunked(
        [Array("abc".utf8)],
        end: Array("0\r\nX-Late: 1\r\nHTTP/1.1: 2\r\nRetry-After: 9\r\n\r\n".utf8))
    }
    defer { server.stop() }
    for _ in 0..<2 {
      let answer = try await exchange(request(server))
      expectEqual(answer.body, Array("abc".utf8))
      expectEqual(answer.headers.firstValue(named: "Transfer-Encoding"), "chunked")
      #expect(answer.headers.firstValue(named: "X-Late") == nil)
      #expect(answer.headers.firstValue(named: "Retry-After") == nil)
    }
  }

  @Test(arguments: ExchangeKind.all)
  func hugeResponseIsReceivedCompletely(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    // In a quick run, only one exchange receives a body of this size.
    let byteCount =
      kind == ExchangeKind.all.first
      ? 20_000_000 : Thoroughness.count(2_000_000, thorough: 20_000_000)
    let server = try LoopbackServer { _ in .huge(byteCount: byteCount) }
    defer { server.stop() }
    let body = try await exchange(request(server)).body
    #expect(body.count == byteCount && body.allSatisfy { $0 == UInt8(ascii: "x") })
  }

  @Test(arguments: ExchangeKind.all)
  func bytesAfterTheResponseAreIgnored(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .excess }
    defer { server.stop() }
    try await expectEqual(exchange(request(server)).body, Array("abc".utf8))
  }

  @Test(arguments: ExchangeKind.all)
  func connectionClosedByTheServerIsReplaced(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in
      LoopbackReply(LoopbackReply.json("{}").steps + [.close])
    }
    defer { server.stop() }
    for number in 1...5 {
      try await expectEqual(exchange(request(server, method: .post, body: [123, 125])).status, 200)
      // If sent before the server's close arrives, the next request would be lost and not sent
      // again.
      await server.ended.reach(number)
    }
    expectEqual(server.connectionCount, 5)
  }

  @Test(arguments: ExchangeKind.keepingConnections)
  func connectionsAreReused(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .json("{}") }
    defer { server.stop() }
    // With a body: an old libcurl opens a new connection for each request without one.
    for _ in 0..<20 {
      try await expectEqual(exchange(request(server, method: .post, body: [123, 125])).status, 200)
    }
    // On a busy machine the pause between two requests can make the connection too old for reuse.
    #expect(server.connectionCount < 10)
  }

  @Test(arguments: ExchangeKind.all)
  func connectionsPerHostAreBounded(kind: ExchangeKind) async throws {
    let exchange = kind.make(maximumConnectionsPerHost: 3)
    let gate = Gate()
    let server = try LoopbackServer { _ in
      gate.wait()
      return .json("{}")
    }
    defer { server.stop() }
    let calls = (0..<30).map { _ in
      Task { try await exchange(request(server, method: .post, body: [123, 125])) }
    }
    await server.received.reach(3)
    expectEqual(server.openConnectionCount, 3)
    // Cancelled exchanges in the queue never begin.
    for call in calls[10..<20] { call.cancel() }
    gate.open()
    var answered = 0
    for call in calls where (try? await call.value.status) == 200 { answered += 1 }
    #expect(answered >= 20)
    #expect(server.received.elements.count <= answered + 3)
  }

  @Test(arguments: ExchangeKind.all)
  func invalidURLIsNotRetryable(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let error = try await #require(throws: SearchError.self) {
      try await exchange(
        HTTPExchangeRequest(method: .get, url: "ftp-like://", timeout: .seconds(1)))
    }
    expectEqual(error.code, .invalidRequest)
  }

  @Test(
    arguments: ExchangeKind.all,
    [
      [HTTPHeader(name: "X-A", value: "b\r\nX-Evil: 1")],
      [HTTPHeader(name: "X-A", value: "b\nX-Evil: 1")],
      [HTTPHeader(name: "X-A: b\r\nX-Evil", value: "1")],
      [HTTPHeader(name: "", value: "1")], [HTTPHeader(name: "X A", value: "1")],
      [HTTPHeader(name: "Content-Length", value: "0")],
      [HTTPHeader(name: "transfer-encoding", value: "chunked")],
      [HTTPHeader(name: "Host", value: "other.example")],
      [HTTPHeader(name: "X-A", value: "1"), HTTPHeader(name: "x-a", value: "2")],
    ])
  func headersThatChangeTheMessageAreRefused(
    kind: ExchangeKind, headers: [HTTPHeader]
  ) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .json("{}") }
    defer { server.stop() }
    await #expect {
      try await exchange(request(server, method: .post, headers: headers, body: Array("{}".utf8)))
    } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
    #expect(server.received.elements.isEmpty)
  }

  @Test(arguments: ExchangeKind.all)
  func subsecondTimeoutIsNotRoundedDownToZero(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .answer(status: 200) }
    defer { server.stop() }
    // Rounded down to zero, each would time out at once. Rounded up, one is fast enough on any
    // machine.
    var answer: HTTPExchangeResponse?
    for _ in 0..<100 where answer == nil {
      answer = try? await exchange(request(server, timeout: .milliseconds(900)))
    }
    expectEqual(answer?.status, 200)
  }

  @Test(
    arguments: ExchangeKind.all,
    [
      Duration.seconds(Int64.max), .seconds(Int64.max) + .seconds(Int64.max),
    ])
  func veryLongTimeoutsAreAccepted(kind: ExchangeKind, timeout: Duration) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .answer(status: 200) }
    defer { server.stop() }
    try await expectEqual(exchange(request(server, timeout: timeout)).status, 200)
  }

  @Test(arguments: ExchangeKind.all)
  func nonPositiveTimeoutEndsTheExchange(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    for timeout in [Duration.zero, .seconds(Int64.min)] {
      #expect(try await error(of: exchange, request(server, timeout: timeout)).isTimeout)
    }
  }

  @Test(arguments: ExchangeKind.all)
  func tooLongRequestIsInvalid(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .json("{}") }
    defer { server.stop() }
    let long = String(repeating: "a", count: 65_536)
    var requests = [request(server, "/" + long), request(server), request(server)]
    requests[1].headers = [HTTPHeader(name: "X-A", value: long)]
    requests[2].headers = (0..<20_000).map { HTTPHeader(name: "\($0)", value: "") }
    for request in requests {
      let error = await #expect(throws: SearchError.self) { try await exchange(request) }
      expectEqual(error?.code, .invalidRequest)
    }
    #expect(server.received.elements.isEmpty)
    // Every field of a long request arrives.
    var accepted = request(server)
    accepted.headers = (0..<200).map { HTTPHeader(name: "X-\($0)", value: "\($0)") }
    try await expectEqual(exchange(accepted).status, 200)
    expectEqual(server.received.elements.first?.headers["x-199"], "199")
  }

  @Test(arguments: ExchangeKind.all)
  func fiftyExchangesAtOnceAllEnd(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { .answer(status: 200, body: Array($0.target.utf8)) }
    defer { server.stop() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          let response = try await exchange(request(server, "/\(number)"))
          return response.body == Array("/\(number)".utf8)
        }
      }
      for try await isOwnAnswer in group { #expect(isOwnAnswer) }
    }
    expectEqual(server.received.elements.count, 50)
  }

  @Test(arguments: ExchangeKind.all)
  func cancellationDoesNotWaitForASilentServer(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let task = Task { try await exchange(request(server)) }
    await server.received.reach(1)
    task.cancel()
    // The server stays silent until the end of the test, so only cancellation can end the calls.
    #expect(await task.result.failure is CancellationError)
  }

  @Test(arguments: ExchangeKind.all)
  func theSessionServesOthersAfterCancellation(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { $0.target == "/" ? .silence : .answer(status: 200) }
    defer { server.stop() }
    let tasks = (0..<20).map { _ in Task { try await exchange(request(server)) } }
    await server.received.reach(20)
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.result.failure is CancellationError) }
    try await expectEqual(exchange(request(server, "/next")).status, 200)
  }

  @Test(arguments: ExchangeKind.all, [true, false])
  func cancellationRacingWithTheResponseEndsEachExchangeOnce(kind: ExchangeKind, isRefused: Bool)
    async throws
  {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let closed = try LoopbackSocket.bound()
    let url = isRefused ? "http://127.0.0.1:\(closed.port)/" : server.url
    for _ in 0..<5 {
      let ended = await withTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            _ = try? await exchange(
              HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(3600)))
          }
        }
        await group.next()
        group.cancelAll()
        return await group.reduce(into: 1) { count, _ in count += 1 }
      }
      expectEqual(ended, 40)
    }
  }

  @Test(arguments: ExchangeKind.all)
  func aCancelledTaskStartsNoExchange(kind: ExchangeKind) async throws {
    let exchange = kind.make()
    let server = try LoopbackServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await exchange(request(server))
    }
    #expect(await task.result.failure is CancellationError)
    #expect(server.received.elements.isEmpty)
  }

  private func error(
    of exchange: HTTPExchange, _ request: HTTPExchangeRequest
  ) async throws -> HTTPExchangeError {
    try #require(
      await #expect(throws: HTTPExchangeError.self) { try await exchange(request) })
  }
}

#if os(Linux)
  /// Only libcurl's exchange guarantees this.
  @Suite(.timeLimit(.minutes(30))) struct CurlExchangeTests {
    @Test func tooLongResponseIsANetworkError() async throws {
      let exchange = try #require(CurlExchange(.init(maximumBodySize: 1000)))
      let server = try LoopbackServer {
        .huge(byteCount: $0.target == "/long" ? 1001 : 1000)
      }
      defer { server.stop() }
      let request = HTTPExchangeRequest(method: .get, url: server.url, timeout: .seconds(3600))
      try await expectEqual(exchange.send(request).body.count, 1000)
      var long = request
      long.url += "/long"
      await #expect(throws: HTTPExchangeError.network("the response is longer than 1000 bytes")) {
        try await exchange.send(long)
      }
    }

    @Test func tooManyHeadersAreANetworkError() async throws {
      let exchange = try #require(CurlExchange())
      let line = "X-A: " + String(repeating: "b", count: 8000)
      let flood = String(repeating: line + "\r\n", count: 1000)
      let server = try LoopbackServer { _ in
        LoopbackReply([.send(Array(("HTTP/1.1 200 OK\r\n" + flood).utf8)), .hold])
      }
      defer { server.stop() }
      let request = HTTPExchangeRequest(method: .get, url: server.url, timeout: .seconds(3600))
      await #expect(throws: HTTPExchangeError.self) { try await exchange.send(request) }
    }

    @Test func timeInTheQueueCountsTowardTheTimeout() async throws {
      let exchange = try #require(CurlExchange(.init(maximumConnectionsPerHost: 1)))
      let server = try LoopbackServer { _ in .silence }
      defer { server.stop() }
      let url = server.url
      let first = Task {
        try await exchange.send(
          HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(3600)))
      }
      await server.received.reach(1)
      await #expect(throws: HTTPExchangeError.timedOut) {
        try await exchange.send(
          HTTPExchangeRequest(method: .get, url: url, timeout: .milliseconds(10)))
      }
      first.cancel()
      _ = await first.result
      expectEqual(server.received.elements.count, 1)
    }

    @Test(arguments: [ExchangeKind.curl, .oldCurl])
    func connectTimeoutEndsWithTheConnection(kind: ExchangeKind) async throws {
      let exchange = kind.make()
      let server = try LoopbackServer { _ in LoopbackReply.json("{}").delayed(milliseconds: 150) }
      defer { server.stop() }
      let request = HTTPExchangeRequest(
        method: .get, url: server.url, timeout: .seconds(3600), connectTimeout: .milliseconds(100))
      // The second exchange reuses the connection of the first.
      for count in 1...2 {
        var response: HTTPExchangeResponse?
        repeat {
          do {
            response = try await exchange(request)
          } catch let error as HTTPExchangeError
            where error.isTimeout && server.received.elements.count < count
          {
            // The machine was too busy to connect in time.
          }
        } while response == nil
        expectEqual(response?.status, 200)
      }
    }

    /// With one slot, the next exchange begins when the previous one has ended.
    @Test(arguments: [ExchangeKind.curl, .oldCurl])
    func cancelledExchangeFreesItsSlot(kind: ExchangeKind) async throws {
      let exchange = kind.make(maximumConnectionsPerHost: 1)
      let server = try LoopbackServer { $0.target == "/silent" ? .silence : .json("{}") }
      defer { server.stop() }
      let request = HTTPExchangeRequest(method: .get, url: server.url, timeout: .seconds(3600))
      var silent = request
      silent.url += "/silent"
      let first = Task { [silent] in try await exchange(silent) }
      await server.received.reach(1)
      first.cancel()
      _ = await first.result
      try await expectEqual(exchange(request).status, 200)
      silent.timeout = .milliseconds(50)
      let late = silent
      await #expect(throws: HTTPExchangeError.timedOut) { try await exchange(late) }
      try await expectEqual(exchange(request).status, 200)
    }

    @Test(arguments: [ExchangeKind.curl, .oldCurl])
    func connectingHasASeparateTimeout(kind: ExchangeKind) async throws {
      let exchange = kind.make()
      let server = try LoopbackSocket.bound()
      try server.startListening(backlog: 0)
      // The connection is not accepted, so the backlog is full: Linux leaves the next one waiting.
      let first = try LoopbackSocket.connected(to: server.port)
      await #expect(throws: HTTPExchangeError.timedOut) {
        try await exchange(
          HTTPExchangeRequest(
            method: .get, url: "http://127.0.0.1:\(first.port)", timeout: .seconds(3600),
            connectTimeout: .milliseconds(50)))
      }
    }

    @Test func deallocatedExchangesCloseTheirConnections() async throws {
      let server = try LoopbackServer { _ in .json("{}") }
      defer { server.stop() }
      let count = Thoroughness.count(5, thorough: 20)
      for _ in 0..<count {
        let exchange = try #require(CurlExchange())
        _ = try await exchange.send(
          HTTPExchangeRequest(method: .get, url: server.url, timeout: .seconds(3600)))
      }
      // Each connection is closed by the thread of its exchange, which the server observes.
      await server.ended.reach(count)
      expectEqual(server.connectionCount, count)
    }
  }
#endif
