import AlgoliaTransport
import AsyncHTTPClient
import AsyncHTTPClientExchange
import AsyncInstantSearch
import LocalSearch
import NIOCore
import SearchService

extension HTTPClient.Configuration {
  /// As in the documentation: gzip is decoded, and redirects are not followed.
  static var search: HTTPClient.Configuration {
    // snippet.configuration
    HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      connectionPool: .init(
        idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: 64),
      decompression: .enabled(limit: .none))
    // snippet.end
  }
}

extension AlgoliaTransport {
  /// A transport over AsyncHTTPClient that knows servers on the loopback address.
  static func overHTTPClient(
    _ client: HTTPClient, ports: [Int], clock: any Clock<Duration> = ContinuousClock()
  ) -> AlgoliaTransport {
    AlgoliaTransport(
      appID: "APPID", apiKey: "sekret",
      configuration: Configuration(
        hosts: ports.map { SearchHost("127.0.0.1", scheme: .http, port: $0) },
        readTimeout: .seconds(60), exchange: client.exchange, clock: clock))
  }
}

/// Runs a test with a client that is shut down afterwards.
func withHTTPClient<Result>(
  connectTimeout: TimeAmount? = nil, _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
  var configuration = HTTPClient.Configuration.search
  if let connectTimeout { configuration.timeout.connect = connectTimeout }
  let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  do {
    let result = try await body(client)
    try await client.shutdown()
    return result
  } catch {
    try await client.shutdown()
    throw error
  }
}

/// Runs a test with a server, which gets its port and stops after it.
func withServer<Result: Sendable>(
  _ run: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void,
  _ body: (Int) async throws -> Result
) async throws -> Result {
  let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
  let server = Task { try await run { continuation.yield($0) } }
  defer { server.cancel() }
  for await port in ports { return try await body(port) }
  throw CancellationError()
}

extension LocalSearch {
  /// An engine with some films.
  static func films() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await SearchClient(transport: engine).save(
      (0..<200).map { film($0) }, in: "films")
    return engine
  }
}

private func film(_ number: Int) -> JSON {
  ["title": .string("film \(number)"), "year": .int(Int64(1900 + number % 100))]
}
