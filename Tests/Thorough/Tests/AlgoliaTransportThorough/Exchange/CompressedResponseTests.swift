#if os(Linux)
  @testable import InstantSearchAPI
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  @testable import AsyncInstantSearchTesting
  import Foundation
  import Loopback
  import class Loopback.AwaitableList
  import TestSupport
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
      expectEqual(ended.elements.last, "long")
    }

    /// A response whose body becomes this long.
    private static func bomb(byteCount: Int) throws -> HTTPExchangeResponse {
      guard case .send(let bytes)? = LoopbackReply.gzipBomb(byteCount: byteCount).steps.first
      else { throw HTTPExchangeError.network("there is no response") }
      let head = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
      return HTTPExchangeResponse(
        status: 200, headers: [HTTPHeader(name: "Content-Encoding", value: "gzip")],
        body: Array(bytes[head.upperBound...]))
    }

    /// Runs in a separate process, whose memory is that of the bodies.
    @Test func longBodiesDoNotGrowAtTheSameTime() async {
      await #expect(processExitsWith: .success) {
        let limit = 128 << 20
        let bomb = try Self.bomb(byteCount: 2 * limit)
        let ending = ContinuousClock.now.advanced(by: .seconds(3600))
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask {
              await #expect(throws: HTTPExchangeError.self) {
                try await GzipDecoder.decode(bomb, maximumBodySize: limit, until: ending)
              }
            }
          }
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func kilobytes(_ name: String) throws -> Int {
          let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
          let words = line.split(whereSeparator: \.isWhitespace)
          return try #require(words.compactMap { Int($0) }.first)
        }
        // With a sanitizer, which reserves terabytes, its own memory counts too.
        if try kilobytes("VmSize:") < 1 << 30 {
          // All of them together would take more than a gigabyte.
          #expect(try kilobytes("VmHWM:") < 600_000)
        }
      }
    }

    @Test func waitForTheTurnEndsOnCancellationAndTimeout() async throws {
      // Its checksum is wrong, which is found at the end.
      let bomb = try Self.bomb(byteCount: 16 << 20)
      let whole = HTTPExchangeError.network("the response has an invalid encoding")
      func outcome(_ timeout: Duration) async -> any Error {
        do {
          _ = try await GzipDecoder.decode(
            bomb, maximumBodySize: .max, until: .now.advanced(by: timeout))
          return whole
        } catch {
          return error
        }
      }
      for round in 0..<3 {
        let calls = (0..<6).map { number in
          Task { await outcome(number == 5 ? .milliseconds(round * 5) : .seconds(3600)) }
        }
        for call in calls[1..<4] { call.cancel() }
        for (number, call) in calls.enumerated() {
          switch await call.value {
          case is CancellationError: #expect((1..<4).contains(number))
          case let error as HTTPExchangeError where number == 5:
            #expect(error == whole || error == .timedOut)
          case let error: expectEqual(error as? HTTPExchangeError, whole)
          }
        }
      }
      // The turn was passed on each time.
      await expectEqual(outcome(.seconds(3600)) as? HTTPExchangeError, whole)
    }

    /// A body that is compressed twice needs the turn for both, and waits for it once.
    @Test func nestedBodyTakesOneTurn() async throws {
      let twice = try #require(
        Data(
          base64Encoded: """
            H4sIAAAAAAACA5Pv5mAAASbm1WGnTuhohm3qWhd2yv+Ul6/ex5LATUFGIZcCtU7qnPRk3SRbbBT8eUpWaYCIxEJt\
            jbBVvVcDT3l/YpidtmRxyIQZfFNMGDpZGWY6ODrLbohlXOnKmGCpvCAlMTMrUPVCj0uHKgN3r6NtH9AqAJLcqNBz\
            AAAA
            """))
      let response = HTTPExchangeResponse(
        status: 200, headers: [HTTPHeader(name: "Content-Encoding", value: "gzip, gzip")],
        body: Array(twice))
      for _ in 0..<2 {
        let decoded = try await GzipDecoder.decode(
          response, maximumBodySize: 1000, until: .now.advanced(by: .seconds(3600)),
          sizeWithoutTurn: 0)
        expectEqual(decoded.body, Array(LoopbackReply.gzippedText.utf8))
      }
    }

    /// The caller is cancelled after it has received the turn, and before it continues.
    @Test func turnReceivedByACancelledCallerIsPassedOn() async throws {
      let turn = GzipDecoder.Turn()
      let executor = SeededExecutor(seed: 0)
      try await turn.begin(until: .now)
      let waiting = Task(executorPreference: executor) {
        try await turn.begin(until: .now.advanced(by: .seconds(3600)))
      }
      executor.runUntilIdle()
      turn.end()
      waiting.cancel()
      executor.runUntilIdle()
      #expect(await waiting.result.failure is CancellationError)
      // A turn that is taken would time out.
      try await turn.begin(until: .now)
    }

    @Test func decompressionStopsOnCancellationAndTimeout() async throws {
      let response = try Self.bomb(byteCount: Thoroughness.count(1 << 26, thorough: 1 << 30))
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
      expectEqual(answer.body, Array(LoopbackReply.gzippedText.utf8))
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
          hosts: servers.map { SearchHost("127.0.0.1", scheme: .http, port: $0.port) },
          connectTimeout: .seconds(3600), readTimeout: .seconds(3600),
          exchange: { try await exchange.send($0) }))
      let answer = try await transport.send(.sampleRead)
      expectEqual(answer.body, Array(LoopbackReply.gzippedText.utf8))
      expectEqual(servers.map { $0.received.elements.count }, [1, 1])
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
      try await expectEqual(exchange.send(request(server.url + "/parts")).body, text + text)
      try await expectEqual(exchange.send(request(server.url + "/more")).body, text)
      #expect(try await exchange.send(request(server.url + "/none")).body.isEmpty)
      for target in ["/plain", "/unknown"] {
        await #expect(throws: HTTPExchangeError.self) {
          try await exchange.send(request(server.url + target))
        }
      }
    }
  }
#endif
