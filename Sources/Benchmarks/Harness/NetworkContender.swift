import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import Loopback

/// The exchanges that are set side by side.
enum NetworkContender: String, CaseIterable {
  case curl, urlSession

  /// Those that there are on this system.
  static let available: [NetworkContender] = {
    #if os(Linux)
      allCases
    #else
      [.urlSession]
    #endif
  }()

  /// An exchange with connections of its own.
  ///
  /// - Parameter authorityFile: Whom to trust in place of the system's authorities; URLSession
  ///   looks for it in the environment.
  func makeExchange(
    maximumConnectionsPerHost: Int = 64, authorityFile: String? = nil
  ) throws -> HTTPExchange {
    #if os(Linux)
      if self == .curl {
        guard
          let exchange = CurlExchange(
            .init(
              maximumConnectionsPerHost: maximumConnectionsPerHost,
              certificateAuthorityFile: authorityFile))
        else { throw Mismatch(description: "there is no libcurl") }
        return { try await exchange.send($0) }
      }
    #endif
    let exchange = URLSessionExchange(maximumConnectionsPerHost: maximumConnectionsPerHost)
    return { try await exchange.send($0) }
  }

  /// A transport on such an exchange that knows servers on the loopback address.
  func makeTransport(
    ports: [Int], configure: (inout AlgoliaTransport.Configuration) -> Void = { _ in }
  ) throws -> AlgoliaTransport {
    var configuration = AlgoliaTransport.Configuration(
      hosts: ports.map { AlgoliaHost("127.0.0.1", scheme: .http, port: $0) },
      exchange: try makeExchange())
    configure(&configuration)
    return AlgoliaTransport(appID: "APPID", apiKey: "benchmark", configuration: configuration)
  }
}

/// Servers in a process of their own, so that what they take is not counted with what asks them.
enum ServerChild {
  /// Starts servers and gives back the process and their ports.
  #if os(macOS) || os(Linux)
    static func start(_ kind: String, count: Int = 1) throws -> (child: RunningChild, ports: [Int])
    {
      let child = try RunningChild(["child", "serve", kind, "\(count)"])
      var ports: [Int] = []
      while ports.count < count, let line = child.nextLine() {
        guard let port = Int(line) else { break }
        ports.append(port)
      }
      guard ports.count == count else {
        child.kill()
        throw ChildProcess.Failure(description: "the servers did not start")
      }
      return (child, ports)
    }
  #endif

  /// The child's part: serves until the parent goes away.
  static func serve(_ kind: String, count: Int) throws {
    let answer = LoopbackReply.answer(status: 200, body: SampleResponse.page(hits: 20))
    var servers: [LoopbackServer] = []
    for number in 0..<count {
      let generator = Lock(SeededGenerator(seed: UInt64(number) + 1))
      let server = try LoopbackServer(keepsRequests: false) { _ in
        if kind == "page" { return answer }
        if kind == "silent" { return .silence }
        return generator.withLock { fault(kind, otherwise: answer, using: &$0) }
      }
      servers.append(server)
      print(server.port)
    }
    // Standard output is a pipe, which would keep the lines until it is full.
    fflush(nil)
    _ = try FileHandle.standardInput.readToEnd()
    withExtendedLifetime(servers) {}
    exit(0)
  }

  /// An answer in nine of ten cases, or one of all faults; of those without a head none for "mild".
  private static func fault(
    _ kind: String, otherwise answer: LoopbackReply, using generator: inout SeededGenerator
  ) -> LoopbackReply {
    if Int.random(in: 0..<10, using: &generator) > 0 { return answer }
    var faults: [LoopbackReply] = [
      .hangUp, .reset, .resetInBody, .truncation, .brokenChunk, .endlessChunks, .brokenGzip,
      .silence, .stall, .gzipped, .answer(status: 500), .answer(status: 503),
      .json(#"{"message":"No."}"#, status: 400), .json(#"{"message":"Slow down."}"#, status: 429),
      .redirect(to: "http://127.0.0.1:9/"), .answer(status: 204), .json("not JSON"), .excess,
      LoopbackReply.json("{}").delayed(milliseconds: 30),
      LoopbackReply.json(#"{"hits":[],"nbHits":0}"#).dripped(pieceSize: 5, milliseconds: 5),
      .huge(byteCount: 300_000),
    ]
    if kind != "mild" { faults += [.halfHead, .garbage, .stallInHead] }
    return faults[Int.random(in: faults.indices, using: &generator)]
  }
}
