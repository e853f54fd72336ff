#if os(Linux)
  import AlgoliaTransport
  import AsyncInstantSearch
  import Loopback
  import Testing

  /// Compressed responses that are too long, too short, or in another encoding.
  @Suite(.timeLimit(.minutes(30))) struct CompressedResponseTests {
    private func request(_ url: String) -> HTTPExchangeRequest {
      HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(3600))
    }

    @Test func tooLongDecompressedBodyIsANetworkError() async throws {
      let exchange = try #require(CurlExchange(.init(maximumBodySize: 1 << 20)))
      let server = try LoopbackServer { _ in .gzipBomb(byteCount: 64 << 20) }
      defer { server.stop() }
      await #expect(throws: HTTPExchangeError.network("the response is longer than 1048576 bytes"))
      {
        try await exchange.send(request(server.url))
      }
    }

    /// The short responses arrive long before a quarter of a gigabyte is decompressed.
    @Test func otherExchangesProceedDuringDecompression() async throws {
      let exchange = try #require(CurlExchange(.init(maximumBodySize: 1 << 30)))
      let bomb = LoopbackReply.gzipBomb(byteCount: 256 << 20)
      let server = try LoopbackServer { request in
        if request.target == "/long" { return bomb }
        return .json("{}")
      }
      defer { server.stop() }
      let url = server.url
      let ended = AwaitableList<String>()
      let long = Task {
        _ = try? await exchange.send(request(url + "/long"))
        ended.append("long")
      }
      await server.received.reach(1)
      for _ in 0..<5 {
        _ = try await exchange.send(request(url + "/short"))
        ended.append("short")
      }
      await long.value
      #expect(ended.elements.last == "long")
    }

    @Test func decompressionStopsOnCancellationAndTimeout() async throws {
      let bomb = LoopbackReply.gzipBomb(byteCount: 1 << 30)
      guard case .send(let bytes)? = bomb.steps.first,
        let head = bytes.firstRange(of: Array("\r\n\r\n".utf8))
      else { return }
      let response = HTTPExchangeResponse(
        status: 200, headers: [HTTPHeader(name: "Content-Encoding", value: "gzip")],
        body: Array(bytes[head.upperBound...]))
      await #expect(throws: HTTPExchangeError.timedOut) {
        try await GzipDecoder.decode(response, maximumBodySize: .max, until: .now)
      }
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await GzipDecoder.decode(
          response, maximumBodySize: .max, until: .now.advanced(by: .seconds(3600)))
      }
      #expect(await task.result.failure is CancellationError)
    }

    @Test func truncatedBodyIsANetworkError() async throws {
      let exchange = try #require(CurlExchange())
      let whole = LoopbackReply.gzippedBytes.count
      let server = try LoopbackServer {
        .gzipCutShort(to: Int($0.target.dropFirst()) ?? 0)
      }
      defer { server.stop() }
      for count in 1..<whole {
        await #expect(throws: HTTPExchangeError.self) {
          try await exchange.send(request("\(server.url)/\(count)"))
        }
      }
      let answer = try await exchange.send(request("\(server.url)/\(whole)"))
      #expect(answer.body == Array(LoopbackReply.gzippedText.utf8))
    }

    @Test func truncatedBodyMovesTheCallToTheNextHost() async throws {
      let servers = [
        try LoopbackServer { _ in .gzipCutShort(to: 90) }, try LoopbackServer { _ in .gzipped },
      ]
      defer { for server in servers { server.stop() } }
      let exchange = try #require(CurlExchange())
      let transport = AlgoliaTransport(
        appID: "APPID", apiKey: "sekret",
        configuration: .init(
          hosts: servers.map { AlgoliaHost("127.0.0.1", scheme: .http, port: $0.port) },
          connectTimeout: .seconds(3600), readTimeout: .seconds(3600),
          exchange: { try await exchange.send($0) }))
      let answer = try await transport.send(.sampleRead)
      #expect(answer.body == Array(LoopbackReply.gzippedText.utf8))
      #expect(servers.map { $0.received.elements.count } == [1, 1])
    }

    @Test func multipleMembersAreReadAndUnknownEncodingsFail() async throws {
      let exchange = try #require(CurlExchange())
      let bytes = LoopbackReply.gzippedBytes
      let server = try LoopbackServer {
        switch $0.target {
        case "/parts": .gzipped(bytes + bytes)
        case "/more": .gzipped(bytes + Array("more".utf8))
        case "/plain": .gzipped(Array("plain text".utf8))
        case "/none": .gzipped([])
        default: .answer(status: 200, headers: [("Content-Encoding", "zebra")], body: bytes)
        }
      }
      defer { server.stop() }
      let text = Array(LoopbackReply.gzippedText.utf8)
      #expect(try await exchange.send(request(server.url + "/parts")).body == text + text)
      #expect(try await exchange.send(request(server.url + "/more")).body == text)
      #expect(try await exchange.send(request(server.url + "/none")).body.isEmpty)
      for target in ["/plain", "/unknown"] {
        await #expect(throws: HTTPExchangeError.self) {
          try await exchange.send(request(server.url + target))
        }
      }
    }
  }
#endif
