import Foundation
import Synchronization
import TypesenseTransport

/// Servers on the loopback address, which end with the test process.
final class Server: Sendable {
  /// The key of the servers.
  static let key = "loopback"

  /// The ports of the nodes.
  let ports: [Int]
  private let process: Mutex<Process>
  private let input: FileHandle
  private let output: FileHandle

  private struct Line: Decodable {
    var ready: [Int]?
    var failure: String?
  }

  /// A reason why there is no server.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// Starts servers.
  init(nodeCount: Int = 1) throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", package.appending(path: "Server.py").path(), "--nodes", "\(nodeCount)",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    self.process = Mutex(process)
    let line = try JSONDecoder().decode(Line.self, from: Self.readLine(of: self.output))
    guard let ports = line.ready else {
      throw Missing(description: line.failure ?? "the server did not say why it ended")
    }
    self.ports = ports
  }

  private static func readLine(of output: FileHandle) throws -> Data {
    var line = Data()
    while let byte = try output.read(upToCount: 1), let first = byte.first, first != 10 {
      line.append(first)
    }
    return line
  }

  /// Sends a command of `Server.py`, and waits until it is done.
  @discardableResult
  func command(_ text: String) throws -> Data {
    try input.write(contentsOf: Data((text + "\n").utf8))
    return try Self.readLine(of: output)
  }

  /// Returns the number of the node that leads, or `nil` during an election.
  func leader() throws -> Int? {
    struct Answer: Decodable { var done: Int? }
    return try JSONDecoder().decode(Answer.self, from: command("leader")).done
  }

  /// The nodes.
  var nodes: [SearchHost] {
    ports.map { SearchHost("127.0.0.1", scheme: .http, port: $0) }
  }

  /// The server of the tests that need one node, or why there is none.
  static let single = Result { try Server() }

  /// Why there is no server, or `nil`.
  static var reason: String? {
    if case .failure(let error) = single { "\(error)" } else { nil }
  }
}
