#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import TypesenseTransport

/// One request to a server, and its response.
struct Exchanged: Codable, Sendable, Hashable {
  /// The number of the call of the session, from 0.
  var step: Int
  var method: String
  /// The path and the query, percent-encoded.
  var target: String
  var request: String
  var status: Int
  var response: String

  /// Whether a request is the same. The order of members does not count.
  func isRequest(_ other: Exchanged) -> Bool {
    method == other.method && target == other.target
      && Self.canonical(request) == Self.canonical(other.request)
  }

  private static func canonical(_ body: String) -> [JSON?] {
    body.split(separator: "\n").map { line in
      guard var members = (try? JSON(parsing: Array(line.utf8)))?.objectValue else { return nil }
      // The description of an index, and a lock, have the time.
      members["time"] = nil
      if let text = members["description"]?.stringValue,
        var description = (try? JSON(parsing: Array(text.utf8)))?.objectValue
      {
        description["created"] = nil
        description["updated"] = nil
        members["description"] = .object(description)
      }
      return .object(members)
    }
  }
}

/// The exchanges of a session with a server, in a file with one a line.
enum Recording {
  /// The file of a recording.
  static func url(_ name: String) -> URL {
    URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Recordings/\(name).jsonl")
  }

  /// Reads a recording.
  static func exchanges(_ name: String) throws -> [Exchanged] {
    try Data(contentsOf: url(name)).split(separator: 10).map {
      try JSONDecoder().decode(Exchanged.self, from: Data($0))
    }
  }

  /// Writes a recording.
  static func write(_ exchanges: [Exchanged], _ name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = Data()
    for exchange in exchanges { data += try encoder.encode(exchange) + [10] }
    try data.write(to: url(name))
  }

  /// The path and the query of a URL.
  static func target(of url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    return "/" + (parts.last?.split(separator: "/", maxSplits: 1).last ?? "")
  }

  /// The random names in the requests of a recording, in the order in which they were made.
  static func names(in exchanges: [Exchanged]) -> [String] {
    var names: [String] = []
    for exchange in exchanges {
      for mark in [#""version":""#, "~"] {
        for part in (exchange.request + " " + exchange.target).split(separator: mark).dropFirst() {
          let name = String(part.prefix { $0.isHexDigit })
          if name.count == 24, !names.contains(name) { names.append(name) }
        }
      }
    }
    return names
  }
}
