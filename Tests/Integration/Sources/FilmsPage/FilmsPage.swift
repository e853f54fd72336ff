import AlgoliaTransport
import ArgumentParser
import AsyncInstantSearch
import FilmsSite
import Foundation
import Hummingbird
import HummingbirdService
import InstantSearchService
import LocalSearch
import Logging
import ServiceLifecycle
import Tracing
import TypesenseTransport
import Watching

/// A web page over the films of the snippets.
@main
struct FilmsPage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "FilmsPage",
    abstract: "Serves a web page that searches films as you type.",
    discussion: """
      The page works without JavaScript. SIGTERM and SIGINT stop the server, and each open \
      page says so.
      """)

  @Option(help: "The folder of films.json and people.json. Defaults to that of the snippets.")
  var data: String?
  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any free one.")
  var port: UInt16 = 8080
  @Option(help: "A search server with the films, as HOST:PORT. Defaults to an engine in process.")
  var server: String?
  @Option(help: "The nodes of a Typesense cluster, as HOST:PORT,HOST:PORT, in place of --server.")
  var cluster: String?
  @Option(
    help: "The key for the server or cluster. An admin key loads the films, if they are missing.")
  var key = ""
  @Option(
    name: .customLong("trusted-proxy"), parsing: .singleValue,
    help: "A network of proxies whose X-Forwarded-For counts, such as 127.0.0.1.",
    transform: { text in
      guard let network = IPNetwork(text) else {
        throw ValidationError("\(text) is no address and no network.")
      }
      return network
    })
  var trustedProxies: [IPNetwork] = []
  @Option(help: "Send traces to this URL, such as http://127.0.0.1:4318. Defaults to none.")
  var otlpEndpoint: String?
  @Option(help: "The level of the log.")
  var logLevel = "notice"

  func run() async throws {
    guard let level = Logger.Level(rawValue: logLevel) else {
      throw ValidationError("Unknown level \(logLevel).")
    }
    var logger = Logger(label: "FilmsPage")
    logger.logLevel = level
    var services: [any Service] = []
    if let otlpEndpoint {
      let tracer = OTLPTracer()
      InstrumentationSystem.bootstrap(tracer)
      services.append(
        OTLPExporter(of: tracer, endpoint: otlpEndpoint, service: "FilmsPage", logger: logger))
    }
    let client = try await client()
    let site = try FilmsSite(client, trustedProxies: trustedProxies, logger: logger)
    let application = Application(
      responder: site.router.buildResponder(),
      server: .service(limits: ConnectionLimits(proxies: trustedProxies)) { _, status, message in
        ServiceResponse(status: status, message: message)
      },
      configuration: .init(
        address: .hostname(host, port: Int(port)), serverName: "FilmsPage", backlog: 4096),
      services: services,
      onServerRunning: { channel in
        print("open http://\(host):\(channel.localAddress?.port ?? Int(port))/films")
        fflush(nil)
      }, logger: logger)
    try await withThrowingTaskGroup { group in
      group.addTask { try await site.keepAlive() }
      try await application.runUntilStopped()
      group.cancelAll()
    }
    print("stopped")
  }

  /// Returns a client of the films.
  private func client() async throws -> SearchClient {
    let client: SearchClient
    if let cluster {
      client = SearchClient(transport: TypesenseTransport(nodes: try hosts(cluster), apiKey: key))
    } else if let server {
      let network = AlgoliaTransport(
        appID: "films", apiKey: key, configuration: .init(hosts: try hosts(server)))
      client = SearchClient(transport: TracingTransport(wrapping: network))
    } else {
      client = SearchClient(transport: LocalSearch())
    }
    if try await !FilmsCatalogue.isLoaded(in: client) {
      try await FilmsCatalogue.load(from: folder, into: client)
    }
    return client
  }

  private func hosts(_ list: String) throws -> [SearchHost] {
    try list.split(separator: ",").map { host in
      let parts = host.split(separator: ":")
      guard parts.count == 2, let port = Int(parts[1]) else {
        throw ValidationError("\(host) must be HOST:PORT.")
      }
      return SearchHost(String(parts[0]), scheme: .http, port: port)
    }
  }

  private var folder: URL {
    data.map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Snippets/Data").standardized
  }
}
