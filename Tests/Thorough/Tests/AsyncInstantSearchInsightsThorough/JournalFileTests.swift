@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchInsights
import Foundation
@testable import InstantSearchAPI
import TestSupport
import Testing

/// The file operations of a journal, step by step, and failures of single steps.
struct JournalFileTests {
  private func journal(
    _ folder: JournalFolder, _ watched: WatchedSystem,
    _ synchronization: InsightsJournal.Synchronization = .never, compactionByteCount: Int = .max
  ) -> InsightsJournal {
    InsightsJournal(
      path: folder.path, synchronization: synchronization,
      compactionByteCount: compactionByteCount, system: watched.system)
  }

  /// The steps of a call.
  private func steps(_ watched: WatchedSystem, _ body: () throws -> Void) rethrows -> [String] {
    let count = watched.steps.count
    try body()
    return Array(watched.steps.dropFirst(count))
  }

  private let replacing = [
    "remove", "open replacement", "lock", "restrict", "write", "synchronize", "rename",
  ]
  private let synchronizingTheFolder = ["open folder", "synchronize"]

  // MARK: Order

  @Test func everyWriteIsOnDiskWhenItReturns() throws {
    let folder = try JournalFolder()
    let watched = WatchedSystem()
    let journal = journal(folder, watched, .everyWrite, compactionByteCount: 1)
    try expectEqual(
      steps(watched) { _ = try journal.begin() },
      ["open lock", "lock", "open journal"] + replacing + ["restrict"]
        + synchronizingTheFolder)
    try expectEqual(steps(watched) { try journal.append(record(1)) }, ["write", "synchronize"])
    try expectEqual(
      steps(watched) { try journal.acknowledge([1]) }, ["truncate", "synchronize"])
    for id in UInt64(2)...4 { try journal.append(record(id)) }
    try expectEqual(
      steps(watched) { try journal.acknowledge([3, 4]) },
      ["write", "synchronize", "count names"] + replacing + synchronizingTheFolder)
    journal.end()
    var left: [InsightsRecord] = []
    try expectEqual(
      steps(watched) { left = try journal.begin().records },
      ["open lock", "lock", "open journal", "lock", "remove", "restrict"]
        + synchronizingTheFolder)
    expectEqual(left, [record(2)])
  }

  @Test func withoutSynchronizationEventsDoNotWaitForTheDisk() throws {
    let folder = try JournalFolder()
    let watched = WatchedSystem()
    let journal = journal(folder, watched, compactionByteCount: 1)
    try expectEqual(steps(watched) { _ = try journal.begin() }.suffix(2), ["rename", "restrict"])
    for id in UInt64(1)...3 {
      try expectEqual(steps(watched) { try journal.append(record(id)) }, ["write"])
    }
    // The compacted file must be complete before it gets the name.
    try expectEqual(
      steps(watched) { try journal.acknowledge([1, 2]) }, ["write", "count names"] + replacing)
    try expectEqual(steps(watched) { try journal.acknowledge([3]) }, ["truncate"])
  }

  @Test func unsynchronizedNameIsSynchronizedBeforeTheNextEvent() throws {
    let folder = try JournalFolder()
    let watched = WatchedSystem()
    let journal = journal(folder, watched, .everyWrite, compactionByteCount: 1)
    _ = try journal.begin()
    for id in UInt64(1)...3 { try journal.append(record(id)) }
    // Write, synchronize, count the names, seven steps to replace, and then the folder.
    watched.fail(10..<11)
    try journal.acknowledge([1, 2])
    expectEqual(watched.steps.last, "open folder")
    watched.fail(2..<6)
    #expect(throws: SearchError.self) { try journal.append(record(4)) }
    watched.fail(0..<0)
    try expectEqual(
      steps(watched) { try journal.append(record(5)) },
      ["truncate", "write", "synchronize"] + synchronizingTheFolder)
    journal.end()
    try expectEqual(journal.begin().records, [record(3), record(5)])
  }

  // MARK: Failures

  /// The result of a history.
  private struct Outcome {
    var kept: Set<UInt64> = []
    /// These are either stored or not.
    var uncertain: Set<UInt64> = []
    var errors: [SearchError] = []
    var hasBegun = false
  }

  private func live(_ journal: InsightsJournal) -> Outcome {
    var outcome = Outcome()
    func attempt(_ body: () throws(SearchError) -> Void) -> Bool {
      do throws(SearchError) {
        try body()
        return true
      } catch {
        outcome.errors.append(error)
        return false
      }
    }
    outcome.hasBegun = attempt { () throws(SearchError) in _ = try journal.begin() }
    for id in UInt64(1)...12 {
      if attempt({ () throws(SearchError) in try journal.append(record(id)) }) {
        outcome.kept.insert(id)
      }
      guard id.isMultiple(of: 3) else { continue }
      let done = [id - 2, id - 1]
      if !attempt({ () throws(SearchError) in try journal.acknowledge(done) }) {
        outcome.uncertain.formUnion(done)
      }
      outcome.kept.subtract(done)
    }
    return outcome
  }

  @Test(arguments: [InsightsJournal.Synchronization.never, .everyWrite], [1, 2, Int.max])
  func failureOfAnyStepLosesNothing(
    synchronization: InsightsJournal.Synchronization, count: Int
  ) throws {
    let all = WatchedSystem()
    let wholeFolder = try JournalFolder()
    let whole = live(journal(wholeFolder, all, synchronization, compactionByteCount: 60))
    #expect(whole.errors.isEmpty && whole.kept == [3, 6, 9, 12])
    #expect(all.steps.count { $0 == "rename" } > 2)
    // In a quick run every fifth step, and the first and the last of each kind.
    let tried = all.steps.indices.filter { number in
      Thoroughness.isThorough || number.isMultiple(of: 5)
        || all.steps.firstIndex(of: all.steps[number]) == number
        || all.steps.lastIndex(of: all.steps[number]) == number
    }
    for number in tried {
      let folder = try JournalFolder()
      let watched = WatchedSystem()
      let end = count == .max ? Int.max : number + count
      watched.fail(number..<end)
      let journal = journal(folder, watched, synchronization, compactionByteCount: 60)
      var outcome = live(journal)
      let comment: Comment = "\(all.steps[number]), step \(number)"
      #expect(outcome.errors.allSatisfy { $0.code == .storage }, comment)
      // The journal works again as soon as the system does, and others are still locked out.
      watched.fail(0..<0)
      if outcome.hasBegun {
        #expect(throws: Never.self, comment) { try journal.append(record(100)) }
        outcome.kept.insert(100)
        let error = #expect(throws: SearchError.self, comment) {
          try InsightsJournal(path: folder.path).begin()
        }
        #expect(error?.message.contains("in use") == true, comment)
      }
      journal.end()
      let found = Set(try InsightsJournal(path: folder.path).begin().records.map(\.id))
      expectEqual(found.subtracting(outcome.uncertain), outcome.kept, comment)
      try expectEqual(folder.permissions(), 0o600, comment)
      try expectEqual(folder.names, ["events.journal", "events.journal.lock"], comment)
    }
  }

  // MARK: Permissions

  @Test func permissionsOfAReadableFileAreRestricted() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path)
    _ = try journal.begin()
    try expectEqual(folder.permissions(), 0o600)
    try expectEqual(folder.permissions(of: "events.journal.lock"), 0o600)
    try journal.append(record(1))
    journal.end()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path)
    try expectEqual(journal.begin().records, [record(1)])
    try expectEqual(folder.permissions(), 0o600)
  }

  @Test func aReplacementIsNeverReadableByOthers() throws {
    let folder = try JournalFolder()
    let seen = Lock<[Int?]>([])
    var system = JournalSystem()
    let write = system.write
    system.write = { file, bytes in
      let permissions = try folder.permissions(of: "events.journal.replacement")
      seen.withLock { $0.append(permissions) }
      try write(file, bytes)
    }
    let journal = InsightsJournal(
      path: folder.path, synchronization: .never, compactionByteCount: .max, system: system)
    _ = try journal.begin()
    expectEqual(seen.withLock { $0 }, [0o600])
  }

  @Test func staleReplacementFileIsRemoved() throws {
    let folder = try JournalFolder()
    let remains = folder.path + ".replacement"
    try Data("sekret".utf8).write(to: URL(fileURLWithPath: remains))
    let journal = InsightsJournal(path: folder.path)
    _ = try journal.begin()
    #expect(!FileManager.default.fileExists(atPath: remains))
    // A folder of that name belongs to another user.
    try FileManager.default.createDirectory(
      atPath: remains + "/inner", withIntermediateDirectories: true)
    journal.end()
    _ = try journal.begin()
    #expect(FileManager.default.fileExists(atPath: remains + "/inner"))
  }

  @Test func foreignFileIsNotChanged() throws {
    let folder = try JournalFolder()
    let bytes = Array("This is not a journal at all.".utf8)
    try folder.put(bytes)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path)
    #expect(throws: SearchError.self) { try InsightsJournal(path: folder.path).begin() }
    try expectEqual(folder.bytes, bytes)
    try expectEqual(folder.permissions(), 0o644)
    let other = try JournalFolder()
    let error = #expect(throws: SearchError.self) {
      try InsightsJournal(path: other.url.path).begin()
    }
    expectEqual(error?.code, .storage)
  }

  /// A file that is not read: it has more bytes than memory.
  @Test func aLongForeignFileIsRefusedByItsBeginning() throws {
    let folder = try JournalFolder()
    try folder.put(Array("This is not a journal at all.".utf8))
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    let error = try #require(throws: SearchError.self) {
      try InsightsJournal(path: folder.path).begin()
    }
    #expect(error.message.contains("is not an insights journal"), "\(error)")
  }

  // MARK: Other names

  /// Names of the file in a folder, all of them the same file.
  private func otherNames(_ folder: JournalFolder) throws -> [String] {
    let files = FileManager.default
    try files.createDirectory(
      at: folder.url.appendingPathComponent("a"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path(of: "link"), withDestinationPath: folder.path)
    try files.createSymbolicLink(
      atPath: folder.path(of: "link2"), withDestinationPath: "a/../link")
    try files.createSymbolicLink(
      atPath: folder.path(of: "b"), withDestinationPath: folder.url.path)
    return [
      folder.path(of: "link"), folder.path(of: "link2"), folder.url.path + "/a/../events.journal",
      folder.url.path + "//./events.journal", folder.path(of: "b/events.journal"),
      folder.path(of: "b/b/link2"),
    ]
  }

  @Test func fileHasOneClientUnderAnyName() throws {
    let folder = try JournalFolder()
    for name in try [folder.path] + otherNames(folder) {
      let journal = InsightsJournal(
        path: name, synchronization: .never, compactionByteCount: 1)
      _ = try journal.begin()
      try journal.append(record(1))
      try journal.acknowledge([1])
      for other in [folder.path]
        + [
          "link", "link2", "a/../events.journal", ".//events.journal", "b/events.journal",
        ].map({ "\(folder.url.path)/\($0)" })
      {
        let error = #expect(throws: SearchError.self, "\(name), \(other)") {
          try InsightsJournal(path: other).begin()
        }
        #expect(error?.message.contains("in use") == true)
      }
      journal.end()
    }
    try expectEqual(
      folder.names, ["a", "b", "events.journal", "events.journal.lock", "link", "link2"])
  }

  @Test func aFileWithTwoNamesHasOneClient() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(
      path: folder.path, synchronization: .never, compactionByteCount: 1)
    _ = try journal.begin()
    let second = folder.path(of: "second")
    try FileManager.default.linkItem(atPath: folder.path, toPath: second)
    for id in UInt64(1)...20 {
      try journal.append(record(id))
      if id < 20 { try journal.acknowledge([id]) }
      let error = #expect(throws: SearchError.self) { try InsightsJournal(path: second).begin() }
      #expect(error?.message.contains("in use") == true)
    }
    journal.end()
    let other = InsightsJournal(path: second)
    try expectEqual(other.begin().records, [record(20)])
    #expect(throws: SearchError.self) { try journal.begin() }
    other.end()
    // With one name again, it is compacted again.
    try FileManager.default.removeItem(atPath: second)
    _ = try journal.begin()
    let length = try folder.bytes.count
    try journal.acknowledge([20])
    #expect(try folder.bytes.count < length)
  }

  @Test func cyclicLinksAreATypedError() throws {
    let folder = try JournalFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path, withDestinationPath: "events.journal")
    let error = #expect(throws: SearchError.self) { try InsightsJournal(path: folder.path).begin() }
    expectEqual(error?.code, .storage)
  }
}
