@testable import InstantSearchAPI
@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import Loopback

/// Servers on the loopback address, and a transport that has them as its hosts.
struct Scenario: Sendable {
  /// The timeout of a host.
  static let timeout = Duration.seconds(600)

  let servers: [LoopbackServer]
  let transport: AlgoliaTransport
  let clock = ManualClock()
  /// The attempts that the transport reported.
  let reports = AwaitableList<AttemptReport>()

  /// Starts one server for each list of replies. The last reply is repeated.
  init(
    _ kind: ExchangeKind, _ replies: [LoopbackReply]...,
    configure: (inout AlgoliaTransport.Configuration) -> Void = { _ in }
  ) throws {
    servers = try replies.map { replies in
      let number = Lock(0)
      return try LoopbackServer { _ in
        let index = number.withLock { number in
          defer { number += 1 }
          return number
        }
        return replies[min(index, replies.count - 1)]
      }
    }
    var configuration = AlgoliaTransport.Configuration(
      hosts: servers.map { SearchHost("127.0.0.1", scheme: .http, port: $0.port) },
      // The exchanges also measure real time, and the machine can be busy.
      connectTimeout: Self.timeout, readTimeout: Self.timeout, writeTimeout: Self.timeout,
      exchange: kind.make(), clock: clock)
    configuration.onAttempt = { [reports] in reports.append($0) }
    configure(&configuration)
    transport = AlgoliaTransport(appID: "APPID", apiKey: "sekret", configuration: configuration)
  }

  /// The number of requests each server has received.
  var requestCounts: [Int] { servers.map(\.received.elements.count) }

  /// The servers that received requests, in order, by index.
  var asked: [Int] {
    let ports = servers.map(\.port)
    return reports.elements.compactMap { report in
      ports.firstIndex { report.host == "127.0.0.1:\($0)" }
    }
  }

  func send(_ request: TransportRequest = .sampleRead) async throws -> TransportResponse {
    try await transport.send(request)
  }

  func stop() {
    for server in servers { server.stop() }
  }
}
