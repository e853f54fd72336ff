@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import AsyncInstantSearchInsights
import Foundation

/// A folder for a journal, removed with its last reference.
final class JournalFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("insights-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { path(of: "events.journal") }

  func path(of name: String) -> String { url.appendingPathComponent(name).path }

  var bytes: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// The names of the files, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  /// The permissions of a file, in the form of `chmod`.
  func permissions(of name: String = "events.journal") throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(of: name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  /// Puts bytes into the file, without synchronizing.
  func put(_ bytes: [UInt8]) throws {
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: URL(fileURLWithPath: path))
    }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }
}

/// A unique record.
func record(_ id: UInt64) -> InsightsRecord {
  InsightsRecord(
    id: id, timestamp: 1_700_000_000_000 &+ Int64(truncatingIfNeeded: id),
    event: Array("{\"n\":\(id)}".utf8))
}
