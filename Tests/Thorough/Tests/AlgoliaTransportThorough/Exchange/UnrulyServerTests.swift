#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearchTesting
  @testable import InstantSearchAPI
  import Loopback
  import TestSupport
  import Testing

  /// Servers that send what they like when they like, on kept and on new connections, to callers
  /// that are cancelled or wait: each answer belongs to its question.
  @Suite(.enabled(if: NginxServer.canDecrypt, Comment(rawValue: NginxServer.absence)))
  struct UnrulyServerTests {
    /// What the server knows.
    private struct Log {
      var random: SeededGenerator
      /// How often each request arrived, which ones may fail, and which have all of their bytes.
      var counts: [String: Int] = [:]
      var mayFail: Set<String> = []
      var sent: Set<String> = []
    }

    private static let barrier = "barrier"
    private static let timeout = Duration.milliseconds(300)

    /// A server behind a relay that decrypts, and an exchange that trusts it.
    private struct Secure {
      let authority: TestAuthority
      let relay: NginxServer
      let exchange: CurlExchange

      init(for server: LoopbackServer) throws {
        authority = try TestAuthority()
        relay = try NginxServer(authority, decryptingFor: server.port)
        exchange = try #require(
          CurlExchange(
            CurlExchange.Configuration(
              certificateAuthorityFile: authority.certificateFile, httpVersion: .http1)))
      }

      func answer(_ number: Int) async throws -> String {
        let response = try await exchange.send(
          HTTPExchangeRequest(
            method: .post, url: relay.url, body: Array("\(number)".utf8), timeout: .seconds(60),
            connectTimeout: .seconds(60)))
        return String(decoding: response.body, as: UTF8.self)
      }
    }

    /// The end of a response and unasked bytes are one record: libcurl reads only the response.
    @Test func bytesInTheRecordOfAResponseAreNoneOfTheNextOne() async throws {
      let server = try LoopbackServer(keepsRequests: false) { request in
        let body = UnrulyReply.body(String(decoding: request.body, as: UTF8.self))
        let extra = LoopbackReply.json(UnrulyReply.body("wrong")).steps.flatMap { step in
          if case .send(let bytes) = step { bytes } else { [UInt8]() }
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return LoopbackReply([
          .send(Array(head.utf8)), .pause(milliseconds: 30), .send(Array(body.utf8) + extra),
        ])
      }
      defer { server.stop() }
      let secure = try Secure(for: server)
      for number in 1...10 {
        try await expectEqual(secure.answer(number), UnrulyReply.body("\(number)"))
      }
      expectEqual(server.connectionCount, 10)
    }

    /// Without unasked bytes, a connection over TLS is kept.
    @Test func secureConnectionsAreKept() async throws {
      let server = try LoopbackServer(keepsRequests: false) { request in
        .json(UnrulyReply.body(String(decoding: request.body, as: UTF8.self)))
      }
      defer { server.stop() }
      let secure = try Secure(for: server)
      for number in 1...50 {
        try await expectEqual(secure.answer(number), UnrulyReply.body("\(number)"))
      }
      expectEqual(server.connectionCount, 1)
    }

    @Test(arguments: UnrulyReply.Wire.allCases, Seed.all(34, quick: 2))
    func eachAnswerBelongsToItsQuestion(wire: UnrulyReply.Wire, seed: Seed) async throws {
      let log = Lock(Log(random: SeededGenerator(seed: seed.value)))
      let server = try LoopbackServer(keepsRequests: false, isHTTP2: wire == .http2) { request in
        let number = String(decoding: request.body, as: UTF8.self)
        if number == Self.barrier { return .json("{}") }
        let reply = log.withLock { log in
          log.counts[number, default: 0] += 1
          let reply = UnrulyReply.random(number, wire, using: &log.random)
          if reply.mayFail { log.mayFail.insert(number) }
          return reply
        }
        let isEnd = { (step: LoopbackReply.Step) in
          switch step {
          case .close, .reset, .hold: true
          default: false
          }
        }
        return LoopbackReply(
          reply.steps.filter { !isEnd($0) }
            + [.notify { log.withLock { _ = $0.sent.insert(number) } }]
            + reply.steps.filter(isEnd))
      }
      defer { server.stop() }
      let authority = try TestAuthority()
      let relay =
        wire == .tls || wire == .unix ? try NginxServer(authority, decryptingFor: server.port) : nil
      defer { relay?.stop() }
      var configuration = CurlExchange.Configuration()
      configuration.certificateAuthorityFile = authority.certificateFile
      configuration.httpVersion = wire == .http2 ? .http2Only : .http1
      if wire == .unix { configuration.unixSocketPath = relay?.unixSocketPath }
      let url = wire == .tls ? relay?.url ?? server.url : server.url
      var exchange = try #require(CurlExchange(configuration))
      var random = SeededGenerator(seed: seed.value ^ 0x5EED)
      var answers = 0
      for index in 1...100 {
        if Int.random(in: 0..<8, using: &random) == 0 {
          exchange = try #require(CurlExchange(configuration))
        }
        let number = "\(index)"
        let cancelsAfter =
          Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: 0...2, using: &random) : nil
        let request = HTTPExchangeRequest(
          method: .post, url: url, body: Array(number.utf8),
          timeout: Self.timeout, connectTimeout: Self.timeout)
        let isAnswered = try await Self.ask(
          number, request, exchange, cancelsAfter: cancelsAfter, log)
        if isAnswered { answers += 1 }
        // A client cannot tell bytes that pass its request from a response, so these have arrived.
        // A cancelled caller's connection can be a kept one, if the response was there.
        let wait = isAnswered ? 500 : cancelsAfter == nil ? 0 : 50
        for _ in 0..<wait where !log.withLock({ $0.sent.contains(number) }) {
          try await Task.sleep(for: .milliseconds(1))
        }
        let isSent = log.withLock { $0.sent.contains(number) }
        if wait > 0, !isSent { exchange = try #require(CurlExchange(configuration)) }
        if relay != nil, wait > 0, isSent {
          // The relay hands bytes on in their order.
          var request = request
          request.body = Array(Self.barrier.utf8)
          request.timeout = .seconds(60)
          let other = try #require(CurlExchange(configuration))
          _ = try await other.send(request)
        }
      }
      // Slow machines answer some too late.
      #expect(answers >= 20, "\(answers)")
    }

    /// Makes an exchange, and returns whether its question was answered.
    private static func ask(
      _ number: String, _ request: HTTPExchangeRequest, _ exchange: CurlExchange,
      cancelsAfter milliseconds: Int?, _ log: borrowing Lock<Log>
    ) async throws -> Bool {
      let begin = ContinuousClock.now
      let task = Task { try await exchange.send(request) }
      if let milliseconds {
        try await Task.sleep(for: .milliseconds(milliseconds))
        task.cancel()
      }
      let result = await task.result
      let time = ContinuousClock.now - begin
      #expect(time < request.timeout + .seconds(10), "\(number): \(time)")
      let (count, mayFail) = log.withLock { ($0.counts[number] ?? 0, $0.mayFail.contains(number)) }
      #expect(count <= 1, "\(number) was sent \(count) times")
      switch result {
      case .success(let response):
        let text = String(decoding: response.body, as: UTF8.self)
        // A server can spoil its own answer.
        let isSpoiled = mayFail && (try? JSON(parsing: text)) == nil
        #expect(
          isSpoiled || text == UnrulyReply.body(number), "\(number) was answered with \(text)")
        return true
      case .failure(let error as HTTPExchangeError):
        let isExcused =
          mayFail || error.isStaleConnection || error.isTimeout || milliseconds != nil
        #expect(isExcused, "\(number): \(error)")
      case .failure(let error):
        #expect(error is CancellationError && milliseconds != nil, "\(number): \(error)")
      }
      return false
    }
  }
#endif
