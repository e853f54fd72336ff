import AlgoliaTransport
import AsyncInstantSearch
import Foundation
import Loopback

/// Processes that exit during TLS handshakes, with their calls cancelled. Checks whether a signal
/// ends one, as when a TLS library cleans up while a transfer uses it.
enum ExitStorm {
  /// The behavior of the server.
  enum Server: String, CaseIterable {
    /// A certificate that the client does not trust.
    case untrusted
    /// No response after the connection is made.
    case silent
    /// HTTP/2 with a certificate that the client trusts.
    case trusted
  }

  private static let callCounts = [3, 100]
  /// The exits are spread over this time, in microseconds.
  private static let latestEnd = 60_000

  /// Runs a number of processes for each exchange and number of calls, and prints how they ended.
  ///
  /// - Throws: ``Mismatch`` if one of them hung or was ended by a signal.
  static func report(processCount: Int, asJSON: Bool) throws {
    #if os(macOS) || os(Linux)
      guard NginxServer.isAvailable else { throw Mismatch(description: NginxServer.absence) }
      let authority = try TestAuthority()
      let nginx = try NginxServer(authority)
      defer { nginx.stop() }
      let (silent, ports) = try ServerChild.start("silent")
      defer { silent.kill() }
      var failures: [String] = []
      for contender in NetworkContender.available {
        for callCount in callCounts {
          var endings: [String: Int] = [:]
          for number in 0..<processCount {
            let server = Server.allCases[number % Server.allCases.count]
            let child = try RunningChild(
              [
                "child", "exit", contender.rawValue, "\(server == .silent ? ports[0] : nginx.port)",
                "\(callCount)", "\(latestEnd * number / processCount)",
              ],
              environment: server == .trusted
                ? [authorityVariable: authority.certificateFile] : [:])
            let ending = describe(child.end(within: 20))
            endings["\(server): \(ending)", default: 0] += 1
          }
          let name = "exits.\(contender).\(callCount)"
          let bad = endings.filter { !$0.key.hasSuffix("well") }.values.reduce(0, +)
          if bad > 0 { failures.append(name) }
          print(name, endings, bad: bad, of: processCount, asJSON: asJSON)
        }
      }
      if !failures.isEmpty {
        throw Mismatch(description: "did not end well: \(failures.joined(separator: ", "))")
      }
    #endif
  }

  /// The variable that names the trusted authorities for `URLSession` on Linux.
  private static let authorityVariable = "URLSessionCertificateAuthorityInfoFile"

  #if os(macOS) || os(Linux)
    private static func describe(_ ending: RunningChild.Ending) -> String {
      switch ending {
      case .ended: "well"
      case .crashed(let status) where status < 0: "signal \(-status)"
      case .crashed(let status): "status \(status)"
      case .hung: "hung"
      }
    }
  #endif

  private static func print(
    _ name: String, _ endings: [String: Int], bad: Int, of count: Int, asJSON: Bool
  ) {
    let sorted = endings.sorted { $0.key < $1.key }
    Swift.print(
      asJSON
        ? #"{"name":"\#(name)","processes":\#(count),"bad":\#(bad)}"#
        : "\(name): \(count) processes, \(bad) did not end well; "
          + sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
  }

  /// The child process: begins the calls, cancels them after a time, and returns to `main`.
  static func once(
    _ contender: NetworkContender, port: Int, callCount: Int, end: Int
  ) async throws {
    let exchange = try contender.makeExchange(
      maximumConnectionsPerHost: 256,
      authorityFile: ProcessInfo.processInfo.environment[authorityVariable])
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "benchmark",
      configuration: .init(hosts: [SearchHost("127.0.0.1", port: port)], exchange: exchange))
    let request = TransportRequest(
      .search(index: "films"), body: Array(#"{"query":"star"}"#.utf8))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<callCount {
        group.addTask { _ = try? await transport.send(request) }
      }
      try? await Task.sleep(for: .microseconds(end))
      group.cancelAll()
    }
  }
}
