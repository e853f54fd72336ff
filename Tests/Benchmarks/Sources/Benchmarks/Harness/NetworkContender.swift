import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import Loopback
import Synchronization

/// The exchanges that are compared.
enum NetworkContender: String, CaseIterable {
  case curl, urlSession

  /// The exchanges that are available on this system.
  static let available: [NetworkContender] = {
    #if os(Linux)
      allCases
    #else
      [.urlSession]
    #endif
  }()

  /// Creates an exchange with separate connections.
  ///
  /// - Parameter authorityFile: The trusted authorities instead of the system's. URLSession reads
  ///   it from the environment.
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
        else { throw Mismatch(description: "libcurl is missing") }
        return { try await exchange.send($0) }
      }
    #endif
    let exchange = URLSessionExchange(maximumConnectionsPerHost: maximumConnectionsPerHost)
    return { try await exchange.send($0) }
  }

  /// Creates a transport with such an exchange for servers on the loopback address.
  func makeTransport(
    ports: [Int], configure: (inout AlgoliaTransport.Configuration) -> Void = { _ in }
  ) throws -> AlgoliaTransport {
    var configuration = AlgoliaTransport.Configuration(
      hosts: ports.map { SearchHost("127.0.0.1", scheme: .http, port: $0) },
      exchange: try makeExchange())
    configure(&configuration)
    return AlgoliaTransport(appID: "APPID", apiKey: "benchmark", configuration: configuration)
  }
}

/// Servers in a child process, so that their resource use is not counted with that of the clients.
enum ServerChild {
  /// Starts servers and returns the process and their ports.
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

  /// The child process: serves until the parent ends.
  static func serve(_ kind: String, count: Int) throws {
    let answer = LoopbackReply.answer(status: 200, body: SampleResponse.page(hits: 20))
    var servers: [LoopbackServer] = []
    for number in 0..<count {
      let generator = Mutex(SeededGenerator(seed: UInt64(number) + 1))
      let server = try LoopbackServer(keepsRequests: false) { _ in
        if kind == "page" { return answer }
        if kind == "silent" { return .silence }
        return generator.withLock { fault(kind, otherwise: answer, using: &$0) }
      }
      servers.append(server)
      print(server.port)
    }
    // Standard output is a pipe, which buffers lines until it is full.
    fflush(nil)
    _ = try FileHandle.standardInput.readToEnd()
    withExtendedLifetime(servers) {}
    exit(0)
  }

  /// A normal response in nine of ten cases, otherwise a random fault. For "mild" all faults have
  /// complete headers.
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
