import AlgoliaTransport
import AsyncHTTPClient
import AsyncHTTPClientExchange
import AsyncInstantSearch
import Foundation
import Loopback

/// Requests a second and processor time per request: AsyncHTTPClient alone, and the transport with
/// each exchange, in one run; `swift run -c release ExchangeBenchmarks`.
@main
struct ExchangeBenchmarks {
  static func main() async throws {
    if CommandLine.arguments.contains("serve") { return try serve() }
    let (server, port) = try startServer()
    defer { server.terminate() }
    let client = HTTPClient(
      eventLoopGroupProvider: .singleton,
      configuration: HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        connectionPool: .init(
          idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: 64),
        decompression: .enabled(limit: .none)))
    let url = "http://127.0.0.1:\(port)/1/indexes/films/query"
    let call = TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "films", "query"], body: body,
      callType: .read)
    var contenders: [(String, @Sendable () async throws -> Int)] = [
      (
        "AsyncHTTPClient alone",
        {
          var request = HTTPClientRequest(url: url)
          request.method = .POST
          request.body = .bytes(body)
          let answer = try await client.execute(request, timeout: .seconds(60))
          return try await answer.body.collect(upTo: 1 << 20).readableBytes
        }
      )
    ]
    var exchanges: [(String, HTTPExchange)] = [("AsyncHTTPClient", client.exchange)]
    #if os(Linux)
      if let curl = CurlExchange() { exchanges.append(("libcurl", { try await curl.send($0) })) }
    #endif
    let session = URLSessionExchange()
    exchanges.append(("URLSession", { try await session.send($0) }))
    for (name, exchange) in exchanges {
      let request = HTTPExchangeRequest(method: .post, url: url, body: body, timeout: .seconds(60))
      let transport = AlgoliaTransport(
        appID: "APPID", apiKey: "benchmark",
        configuration: AlgoliaTransport.Configuration(
          hosts: [SearchHost("127.0.0.1", scheme: .http, port: port)],
          readTimeout: .seconds(60), exchange: exchange))
      contenders.append(("exchange on \(name)", { try await exchange(request).body.count }))
      contenders.append(("transport on \(name)", { try await transport.send(call).body.count }))
    }
    for atOnce in [1, 16, 64, 1000] {
      for (name, call) in contenders { try await measure(name, atOnce: atOnce, call) }
    }
    try await client.shutdown()
  }

  private static let body = Array(#"{"query":"phone","hitsPerPage":20}"#.utf8)
  private static let answer = [UInt8](repeating: UInt8(ascii: "x"), count: 41_804)

  private static func measure(
    _ name: String, atOnce: Int, _ call: @escaping @Sendable () async throws -> Int
  ) async throws {
    let count = atOnce == 1 ? 2000 : 6000
    for _ in 0..<50 { _ = try await call() }
    let clock = ContinuousClock()
    let (start, processorTime) = (clock.now, Self.processorTime)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<count {
        if number >= atOnce, let size = try await group.next(), size != answer.count {
          throw ExchangeMismatch(size: size)
        }
        group.addTask { try await call() }
      }
      try await group.waitForAll()
    }
    let seconds =
      Double(start.duration(to: clock.now).components.attoseconds) / 1e18
      + Double(start.duration(to: clock.now).components.seconds)
    let cost = (Self.processorTime - processorTime) / Double(count) * 1e6
    print(
      "\(name), \(atOnce) at once: \(Int(Double(count) / seconds)) a second, "
        + "\(Int(cost)) µs of processor time each")
  }

  private static var processorTime: Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The server is a separate process, so that its processor time is not counted.
  private static func startServer() throws -> (Process, Int) {
    let process = Process()
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["serve"]
    process.standardInput = Pipe()
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ExchangeMismatch(size: 0)
    }
    return (process, port)
  }

  private static func serve() throws {
    let reply = LoopbackReply.answer(status: 200, body: answer)
    let server = try LoopbackServer(keepsRequests: false) { _ in reply }
    print(server.port)
    fflush(nil)
    // Ends with the parent process, regardless of how that ends.
    _ = try FileHandle.standardInput.readToEnd()
    server.stop()
  }
}

/// A response whose size differs from what the server sent.
struct ExchangeMismatch: Error {
  let size: Int
}
