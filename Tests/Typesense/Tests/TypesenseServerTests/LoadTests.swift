import Foundation
import InstantSearchClient
import Synchronization
import Testing
import TypesenseTransport

/// The time of a search through the transport, beside the same request with curl.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct LoadTests {
  private static let callCount = 512
  private static let body: JSON = ["query": "ba", "facets": ["brand"], "hitsPerPage": 20]

  /// The last request of the transport.
  private static let lastBody = Mutex<[UInt8]>([])

  @Test("Searches of 1, 16 and 256 at a time", arguments: [1, 16, 256])
  func load(width: Int) async throws {
    let server = try Server.single.get()
    let transport = TypesenseTransport(
      nodes: server.nodes, apiKey: Server.key,
      configuration: TypesenseTransport.Configuration(
        serverVersion: 0,
        exchange: { request in
          Self.lastBody.withLock { $0 = request.body }
          return try await SystemExchange.send(request)
        }))
    _ = try await CatalogueTests.filled.value
    let request = TransportRequest(
      .search(index: "catalogue"), body: Array(Self.body.text.utf8))
    let first = try await transport.send(request)
    expectEqual(first.status, 200)
    // Both in turn, because what else runs on the machine differs from second to second.
    var mine: [Duration] = []
    var plain: [Duration] = []
    for _ in 0..<5 {
      mine.append(try await searches(width, request, transport))
      plain.append(try curl(width: width, port: server.ports[0]))
    }
    let (one, other) = (mine.sorted()[2], plain.sorted()[2])
    let more = zip(mine, plain).map { $0 - $1 }.sorted()[2]
    print("\(width) at a time: \(one) a search, \(other) with curl, \(more) more")
  }

  /// The time of a search, of several at a time.
  private func searches(
    _ width: Int, _ request: TransportRequest, _ transport: TypesenseTransport
  ) async throws -> Duration {
    try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<width {
          group.addTask {
            for _ in 0..<Self.callCount / width {
              let response = try await transport.send(request)
              expectEqual(response.status, 200)
            }
          }
        }
        try await group.waitForAll()
      }
    } / (Self.callCount / width * width)
  }

  /// The time of the same requests with curl.
  private func curl(width: Int, port: Int) throws -> Duration {
    let folder = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let body = folder.appending(path: "body")
    try Data(Self.lastBody.withLock { $0 }).write(to: body)
    let url = "http://127.0.0.1:\(port)/multi_search?limit_multi_searches=2"
    let entry = """
      url = "\(url)"
      data-binary = "@\(body.path())"
      header = "X-TYPESENSE-API-KEY: \(Server.key)"
      output = "/dev/null"
      """
    let count = Self.callCount / width * width
    let config = folder.appending(path: "config")
    try Data(Array(repeating: entry, count: count).joined(separator: "\nnext\n").utf8)
      .write(to: config)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["curl", "--silent", "--no-progress-meter", "--config", config.path()]
      + (width > 1 ? ["--parallel", "--parallel-max", "\(width)"] : [])
    return try ContinuousClock().measure {
      try process.run()
      process.waitUntilExit()
    } / count
  }
}
