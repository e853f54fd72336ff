#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearchTesting
  @testable import InstantSearchAPI
  import Loopback
  import TestSupport
  import Testing

  /// A server that sends bytes on idle connections: each response belongs to its request.
  @Suite(.timeLimit(.minutes(30))) struct UnaskedBytesTests {
    /// What the server sends after its response, unasked.
    private static let extras: [[LoopbackReply.Step]] = [
      [], [], [],
      LoopbackReply.json(#"{"number":"wrong"}"#).steps,
      LoopbackReply.json(#"{"number":"wrong"}"#).steps + LoopbackReply.json("{}").steps,
      LoopbackReply.answer(status: 408, headers: [("Connection", "close")]).steps + [.close],
      LoopbackReply.answer(status: 408).steps,
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))],
      [.send(Array("\r\n".utf8))], [.send([0, 255, 1])], [.close], [.reset],
    ]

    private static func number(in response: HTTPExchangeResponse) -> String? {
      guard let json = try? JSON(parsing: response.body) else { return nil }
      return json["number"]?.stringValue
    }

    private static func request(_ number: Int, to server: LoopbackServer) -> HTTPExchangeRequest {
      HTTPExchangeRequest(
        method: .post, url: server.url + "/\(number)", body: Array("{}".utf8),
        timeout: .seconds(60), connectTimeout: .seconds(60))
    }

    @Test(arguments: Seed.all(100, quick: 10))
    func eachResponseBelongsToItsRequest(seed: Seed) async throws {
      let random = Lock(SeededGenerator(seed: seed.value))
      let sent = Lock<Set<String>>([])
      let server = try LoopbackServer { request in
        let extra = random.withLock { Self.extras.randomElement(using: &$0) ?? [] }
        let split = random.withLock { Bool.random(using: &$0) }
        let answer = LoopbackReply.json(#"{"number":"\#(request.target.dropFirst())"}"#).steps
        let number = String(request.target.dropFirst())
        let isEnd = { (step: LoopbackReply.Step) in
          switch step {
          case .close, .reset: true
          default: false
          }
        }
        return LoopbackReply(
          answer + (split ? [.pause(milliseconds: 1)] : []) + extra.filter { !isEnd($0) }
            + [.notify { sent.withLock { _ = $0.insert(number) } }] + extra.filter(isEnd))
      }
      defer { server.stop() }
      let exchange = try #require(CurlExchange())
      for number in 1...100 {
        let request = Self.request(number, to: server)
        let response: HTTPExchangeResponse
        do {
          response = try await exchange.send(request)
        } catch let error as HTTPExchangeError where error.isStaleConnection {
          // The server ended the connection just when the request was sent.
          response = try await exchange.send(request)
        }
        expectEqual(response.status, 200)
        expectEqual(Self.number(in: response), "\(number)")
        // A client cannot tell bytes that pass its request from a response. These do not.
        for _ in 0..<500 where !sent.withLock({ $0.contains("\(number)") }) {
          try await Task.sleep(for: .milliseconds(1))
        }
      }
    }

    @Test func connectionsWithoutUnaskedBytesAreKept() async throws {
      let server = try LoopbackServer { request in
        .json(#"{"number":"\#(request.target.dropFirst())"}"#)
      }
      defer { server.stop() }
      let exchange = try #require(CurlExchange())
      for number in 1...50 {
        let response = try await exchange.send(Self.request(number, to: server))
        expectEqual(Self.number(in: response), "\(number)")
      }
      expectEqual(server.connectionCount, 1)
    }
  }
#endif
