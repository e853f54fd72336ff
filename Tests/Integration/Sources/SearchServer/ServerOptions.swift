import ArgumentParser
import Foundation
import HummingbirdService
import InstantSearchService
import Logging
import Metrics

/// The levels of the log.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
  case trace, debug, info, notice, warning, error, critical

  var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

/// Where the server listens, and whom it answers.
struct ListeningOptions: ParsableArguments {
  @Option(help: "The address to listen on.") var host = "127.0.0.1"
  @Option(help: "The port; 0 for any free one.") var port: UInt16 = 7700
  @Option(help: "The key with all rights. Defaults to SEARCH_ADMIN_KEY in the environment.")
  var adminKey: String?
  @Option(help: "The application ID that clients must send. Defaults to any.")
  var applicationID: String?
  @Option(help: "The origin of web pages that may call the server.") var allowedOrigin = "*"
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
  @Flag(help: "Refuse parameters and settings that have no effect.") var strict = false
  @Flag(help: "Answer language models at /mcp.") var tools = false
  @Option(
    parsing: .singleValue, help: "For --tools: what an index has, as INDEX=TEXT.",
    transform: { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw ValidationError("--about must be INDEX=TEXT.") }
      return (index: parts[0], text: parts[1])
    })
  var about: [(index: String, text: String)] = []

  func validate() throws {
    if !tools, !about.isEmpty { throw ValidationError("--about needs --tools.") }
  }

  /// The tools for language models; `nil` for none.
  var toolConfiguration: SearchService.Tools? {
    guard tools else { return nil }
    return SearchService.Tools(
      name: "SearchServer", version: "1.0.0",
      about: Dictionary(about.map { ($0.index, $0.text) }) { _, last in last })
  }

  func readAdminKey() throws -> String {
    guard let key = adminKey ?? ProcessInfo.processInfo.environment["SEARCH_ADMIN_KEY"],
      !key.isEmpty
    else {
      throw ValidationError("Set --admin-key, or SEARCH_ADMIN_KEY in the environment.")
    }
    return key
  }
}

/// What a client may ask for.
struct LimitOptions: ParsableArguments {
  @Option(help: "The bytes of a body that writes.") var maxBodySize = 67_108_864
  @Option(help: "The bytes of a response.") var maxResponseSize = 67_108_864
  @Option(help: "The queries of one address in an hour, except those of the admin; 0 for any.")
  var maxQueriesPerAddress = 0
  @Option(help: "The connections of one address.") var maxConnectionsPerAddress = 1_000
  @Option(help: "The seconds of a call, with its body.") var callTimeout = 30
  @Option(help: "The seconds for the head of a request.") var headTimeout = 10
  @Option(help: "The seconds for which a connection is kept without a request.")
  var idleTimeout = 75
  @Option(help: "The bytes a second that a client must take of a response.") var minRate = 65_536

  func validate() throws {
    for (name, value) in [
      ("max-body-size", maxBodySize), ("max-response-size", maxResponseSize),
      ("max-connections-per-address", maxConnectionsPerAddress), ("call-timeout", callTimeout),
      ("head-timeout", headTimeout), ("idle-timeout", idleTimeout),
      ("min-rate", minRate),
    ] where !(1...1 << 40).contains(value) {
      throw ValidationError("--\(name) must be from 1 to \(1 << 40).")
    }
    if maxQueriesPerAddress < 0 {
      throw ValidationError("--max-queries-per-address must not be negative.")
    }
  }

  func connections(proxies: [IPNetwork], _ logger: Logger) -> ConnectionLimits {
    ConnectionLimits(
      headTimeout: .seconds(headTimeout), bodyTimeout: .seconds(callTimeout + 5),
      minimumRate: minRate, idleTimeout: .seconds(idleTimeout),
      connectionsPerAddress: maxConnectionsPerAddress,
      proxies: proxies,
      onClose: { reason, address in
        Counter(
          label: "http_server_connections_closed", dimensions: [("reason", reason.rawValue)]
        ).increment()
        logger.info(
          "connection closed",
          metadata: ["client": "\(address ?? "-")", "reason": "\(reason.rawValue)"])
      })
  }
}

/// What an operator sees.
struct WatchingOptions: ParsableArguments {
  @Option(help: "The level of the log, which has a line for each request at info.")
  var logLevel = LogLevel.info
  @Option(
    help: """
      The key that everyone needs for /metrics, as a bearer token, or SEARCH_METRICS_KEY in the \
      environment.
      """)
  var metricsKey: String?
  @Option(
    help: "Send traces to this URL, such as http://127.0.0.1:4318. Defaults to none.")
  var otlpEndpoint: String?
  @Option(help: "The part of the traces that begin here which are sent, from 0 to 1.")
  var traceRatio = 1.0

  func readMetricsKey() -> String? {
    let key = metricsKey ?? ProcessInfo.processInfo.environment["SEARCH_METRICS_KEY"]
    return key?.isEmpty ?? true ? nil : key
  }

  func validate() throws {
    guard (0...1).contains(traceRatio) else {
      throw ValidationError("--trace-ratio must be from 0 to 1.")
    }
  }
}
