@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation
@testable import InstantSearchAPI
import TestSupport
import Testing

/// A full disk: files cannot grow, but existing bytes can be overwritten.
private final class FullDisk: Sendable {
  private let isFull = Lock(false)
  /// The length to which files can grow.
  private let limit = Lock(UInt64.max)
  private let error: NSError

  init(
    _ error: NSError = NSError(
      domain: NSCocoaErrorDomain, code: CocoaError.fileWriteOutOfSpace.rawValue)
  ) {
    self.error = error
  }

  func fill(_ isFull: Bool = true) { self.isFull.withLock { $0 = isFull } }

  func limit(to length: UInt64) { limit.withLock { $0 = length } }

  var system: JournalSystem {
    let real = JournalSystem()
    var system = real
    system.write = { file, bytes in
      let start = try file.offset()
      let end = try file.seekToEnd()
      try file.seek(toOffset: start)
      let limit = self.isFull.withLock { $0 } ? end : max(end, self.limit.withLock { $0 })
      let free = Int(clamping: limit - start)
      try real.write(file, Array(bytes.prefix(free)))
      if free < bytes.count { throw self.error }
    }
    return system
  }
}

struct FullDiskTests {
  private func journal(
    _ folder: JournalFolder, _ disk: FullDisk,
    _ synchronization: InsightsJournal.Synchronization = .never,
    compactionByteCount: Int = .max
  ) -> InsightsJournal {
    InsightsJournal(
      path: folder.path, synchronization: synchronization, compactionByteCount: compactionByteCount,
      system: disk.system)
  }

  @Test(arguments: [InsightsJournal.Synchronization.never, .everyWrite], [60, Int.max])
  func sentEventsAreNotRestored(
    synchronization: InsightsJournal.Synchronization, compactionByteCount: Int
  ) throws {
    let folder = try JournalFolder()
    let disk = FullDisk()
    let journal = journal(
      folder, disk, synchronization, compactionByteCount: compactionByteCount)
    _ = try journal.begin()
    for id in UInt64(1)...5 { try journal.append(record(id)) }
    disk.fill()
    try journal.acknowledge([1, 2, 4])
    #expect(throws: SearchError.self) { try journal.append(record(6)) }
    try journal.acknowledge([5])
    // There is space again.
    disk.fill(false)
    try journal.append(record(7))
    journal.end()

    let next = InsightsJournal(path: folder.path)
    let backlog = try next.begin()
    expectEqual(backlog.records, [record(3), record(7)])
    expectEqual(backlog.nextID, 8)
    let opening = try #require(next.lastRecovery)
    #expect(opening.corruptByteCount == 0 && opening.truncatedByteCount == 0)
    try next.acknowledge([3, 7])
    next.end()
    #expect(try InsightsJournal(path: folder.path).begin().records.isEmpty)
  }

  /// The space of sent events is used again, however few they are.
  @Test func aFileAtItsLimitTakesAsManyEventsAsItHolds() throws {
    let folder = try JournalFolder()
    let disk = FullDisk()
    disk.limit(to: 4_096)
    let journal = journal(folder, disk, compactionByteCount: 65_536)
    _ = try journal.begin()
    var waiting: [UInt64] = []
    var next: UInt64 = 1
    func fill() {
      while (try? journal.append(record(next))) != nil {
        waiting.append(next)
        next += 1
      }
    }
    fill()
    let most = waiting.count
    #expect(most > 50)
    var generator = SeededGenerator(seed: 1)
    for _ in 1...50 {
      waiting.shuffle(using: &generator)
      let sent = Array(waiting.prefix(Int.random(in: 1...most, using: &generator)))
      try journal.acknowledge(sent)
      waiting.removeFirst(sent.count)
      fill()
      // Longer numbers take more bytes.
      #expect(waiting.count >= most - 6, "\(waiting.count) of \(most)")
    }
    journal.end()
    try expectEqual(
      InsightsJournal(path: folder.path).begin().records.map(\.id), waiting.sorted())
  }

  @Test func eventsOfAnEarlierClientAreMarkedToo() throws {
    let folder = try JournalFolder()
    let first = InsightsJournal(path: folder.path)
    _ = try first.begin()
    for id in UInt64(1)...4 { try first.append(record(id)) }
    try first.acknowledge([2])
    first.end()
    let disk = FullDisk()
    let second = journal(folder, disk)
    try expectEqual(second.begin().records.map(\.id), [1, 3, 4])
    disk.fill()
    try second.acknowledge([1, 4])
    second.end()
    try expectEqual(InsightsJournal(path: folder.path).begin().records, [record(3)])
  }

  @Test func recordsMovedByACompactionAreMarkedInPlace() throws {
    let folder = try JournalFolder()
    let disk = FullDisk()
    let journal = journal(folder, disk, compactionByteCount: 60)
    _ = try journal.begin()
    for id in UInt64(1)...9 { try journal.append(record(id)) }
    let length = try folder.bytes.count
    try journal.acknowledge([1, 2, 3, 4, 5, 6])
    #expect(try folder.bytes.count < length)
    disk.fill()
    try journal.acknowledge([8])
    journal.end()
    try expectEqual(InsightsJournal(path: folder.path).begin().records, [record(7), record(9)])
  }

  @Test func aClientOnAFullDiskReportsNothingAndSendsNothingTwice() throws {
    let folder = try JournalFolder()
    let disk = FullDisk()
    let server = InsightsServer()
    let journal = journal(folder, disk)
    let harness = try InsightsHarness(server, journal)
    harness.track([.viewed(objectIDs: ["1"], named: "Seen", in: "films")])
    disk.fill()
    let flush = harness.call { await $0.flush() }.value
    expectEqual(flush?.sentCount, 1)
    #expect(harness.failures.value?.isEmpty == true)
    journal.end()
    #expect(try InsightsJournal(path: folder.path).begin().records.isEmpty)
  }

  @Test(arguments: [
    (
      NSError(domain: NSCocoaErrorDomain, code: 640),
      "there is no space left on the disk. Free some space."
    ),
    (
      NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC)),
      "there is no space left on the disk. Free some space."
    ),
    (
      NSError(
        domain: NSCocoaErrorDomain, code: 512,
        userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EDQUOT))]),
      "the disk quota is used up. Free some space, or raise the quota."
    ),
    (
      NSError(domain: NSPOSIXErrorDomain, code: Int(EIO)),
      "the disk reports an error. Check the disk."
    ),
    (
      NSError(domain: NSCocoaErrorDomain, code: 642),
      "the disk is read-only. Choose another folder."
    ),
    (NSError(domain: "Other", code: 7), "the system refused."),
  ])
  func errorHasAPathAReasonAndAdvice(cause: NSError, words: String) throws {
    let folder = try JournalFolder()
    let disk = FullDisk(cause)
    let journal = journal(folder, disk)
    _ = try journal.begin()
    disk.fill()
    let error = try #require(throws: SearchError.self) { try journal.append(record(1)) }
    expectEqual(error.code, .storage)
    expectEqual(error.message, "Could not write the journal events.journal: \(words)")
    expectEqual(error.underlying, "\(cause.domain) \(cause.code)")
    // The name of a folder can be that of a user.
    #expect(!"\(error)".contains(folder.url.lastPathComponent))
  }

  @Test func missingFolderIsReportedReadably() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path(of: "none/events.journal"))
    let error = try #require(throws: SearchError.self) { try journal.begin() }
    #expect(
      error.message.hasSuffix(
        "the journal events.journal: the folder does not exist. Create it first.")
    )
  }
}
