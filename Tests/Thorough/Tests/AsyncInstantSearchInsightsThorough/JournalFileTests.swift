@testable import AsyncInstantSearchInsights
import Foundation
@testable import InstantSearchAPI
import TestSupport
import Testing

/// A journal in a file of the system.
struct JournalFileTests {
  /// Calls a closure with the URL of an empty folder.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("insights-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url)
  }

  private func journal(_ folder: URL, _ name: String = "events.journal") -> InsightsJournal {
    InsightsJournal(
      path: folder.appendingPathComponent(name).path, synchronization: .never,
      compactionByteCount: 1)
  }

  private func permissions(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func onlyTheOwnerCanReadANewFile() throws {
    try withFolder { folder in
      let journal = journal(folder)
      _ = try journal.begin()
      try expectEqual(permissions(journal.path), 0o600)
      for id in UInt64(1)...3 { try journal.append(record(id)) }
      try journal.acknowledge([1, 2])
      try expectEqual(permissions(journal.path), 0o600)
      journal.end()
      try expectEqual(journal.begin().records, [record(3)])
      // No copy and no lock remains beside it.
      try expectEqual(
        FileManager.default.contentsOfDirectory(atPath: folder.path), ["events.journal"])
    }
  }

  @Test func fileHasOneClientUnderAnyName() throws {
    try withFolder { folder in
      let files = FileManager.default
      let path = folder.appendingPathComponent("events.journal").path
      try files.createDirectory(
        at: folder.appendingPathComponent("a"), withIntermediateDirectories: true)
      try files.createSymbolicLink(
        atPath: folder.appendingPathComponent("b").path, withDestinationPath: folder.path)
      let first = journal(folder)
      _ = try first.begin()
      try files.createSymbolicLink(
        atPath: folder.appendingPathComponent("link").path, withDestinationPath: path)
      try files.linkItem(atPath: path, toPath: folder.appendingPathComponent("second").path)
      first.end()
      let names = [
        "events.journal", "link", "second", "a/../events.journal", ".//events.journal",
        "b/events.journal", "b/b/link",
      ]
      for name in names {
        let holder = journal(folder, name)
        _ = try holder.begin()
        try holder.append(record(1))
        for other in names {
          let error = #expect(throws: SearchError.self, "\(name), \(other)") {
            try journal(folder, other).begin()
          }
          #expect(error?.message.contains("in use") == true)
        }
        try holder.acknowledge([1])
        holder.end()
      }
    }
  }

  @Test func aCompactedFileStaysLocked() throws {
    try withFolder { folder in
      let holder = journal(folder)
      _ = try holder.begin()
      for id in UInt64(1)...20 {
        try holder.append(record(id))
        if id < 20 { try holder.acknowledge([id]) }
        let error = #expect(throws: SearchError.self) { try journal(folder).begin() }
        #expect(error?.message.contains("in use") == true)
      }
      holder.end()
      try expectEqual(journal(folder).begin().records, [record(20)])
    }
  }

  @Test func pathsThatCannotBeUsedAreTypedErrors() throws {
    try withFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent("cycle").path, withDestinationPath: "cycle")
      for (name, words) in [
        ("", "it is not a regular file"), ("none/events", "the folder does not exist"),
        ("cycle", "not a regular file"),
      ] {
        let error = try #require(throws: SearchError.self) { try journal(folder, name).begin() }
        expectEqual(error.code, .storage)
        #expect(error.message.contains(words), "\(error)")
      }
    }
  }
}
