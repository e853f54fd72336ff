@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
@testable import InstantSearchAPI
import TestSupport
import Testing

/// A full disk: files cannot grow, but existing bytes can be overwritten.
private final class FullDisk: Disk {
  private let files: SimulatedDisk
  private let isFull = Lock(false)
  /// The length to which files can grow.
  private let limit = Lock(Int.max)

  init(_ files: SimulatedDisk = SimulatedDisk()) { self.files = files }

  var folder: JournalDisk { JournalDisk(files, through: self) }

  func fill(_ isFull: Bool = true) { self.isFull.withLock { $0 = isFull } }

  func limit(to length: Int) { limit.withLock { $0 = length } }

  fileprivate func limit(size: Int) -> Int {
    isFull.withLock { $0 } ? size : max(size, limit.withLock { $0 })
  }

  func absolutePath(of path: String) throws -> String { path }

  func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile {
    FullFile(try files.open(path, mode, permissionsOf: model), on: self)
  }

  func paths(beginningWith prefix: String) throws -> [String] {
    try files.paths(beginningWith: prefix)
  }

  func rename(_ path: String, to newPath: String) throws { try files.rename(path, to: newPath) }

  func remove(_ path: String) throws { try files.remove(path) }

  func synchronizeFolder(of path: String) throws { try files.synchronizeFolder(of: path) }
}

private final class FullFile: DiskFile {
  private let file: any DiskFile
  private let disk: FullDisk

  init(_ file: any DiskFile, on disk: FullDisk) {
    self.file = file
    self.disk = disk
  }

  func size() throws -> Int { try file.size() }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] { try file.read(count, at: offset) }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int {
    let free = disk.limit(size: try file.size()) - offset
    if free < bytes.count {
      if free > 0 { _ = try file.write(bytes.prefix(free), at: offset) }
      throw DiskError(.full, path: "")
    }
    return try file.write(bytes, at: offset)
  }

  func truncate(to size: Int) throws { try file.truncate(to: size) }

  func synchronize() throws { try file.synchronize() }

  func lock() throws -> Bool { try file.lock() }

  func isNamed(_ path: String) throws -> Bool { try file.isNamed(path) }
}

struct FullDiskTests {
  @Test(arguments: [InsightsJournal.Synchronization.never, .everyWrite], [60, Int.max])
  func sentEventsAreNotRestored(
    synchronization: InsightsJournal.Synchronization, compactionByteCount: Int
  ) throws {
    let disk = FullDisk()
    let journal = disk.folder.journal(synchronization, compactionByteCount: compactionByteCount)
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

    let next = disk.folder.journal()
    let backlog = try next.begin()
    expectEqual(backlog.records, [record(3), record(7)])
    expectEqual(backlog.nextID, 8)
    let opening = try #require(next.lastRecovery)
    #expect(opening.corruptByteCount == 0 && opening.truncatedByteCount == 0)
    try next.acknowledge([3, 7])
    next.end()
    #expect(try disk.folder.journal().begin().records.isEmpty)
  }

  /// The space of sent events is used again, however few they are.
  @Test func aFileAtItsLimitTakesAsManyEventsAsItHolds() throws {
    let disk = FullDisk()
    disk.limit(to: 4_096)
    let journal = disk.folder.journal(compactionByteCount: 65_536)
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
      disk.folder.journal().begin().records.map(\.id), waiting.sorted())
  }

  @Test func eventsOfAnEarlierClientAreMarkedToo() throws {
    let disk = FullDisk()
    let first = disk.folder.journal()
    _ = try first.begin()
    for id in UInt64(1)...4 { try first.append(record(id)) }
    try first.acknowledge([2])
    first.end()
    let second = disk.folder.journal()
    try expectEqual(second.begin().records.map(\.id), [1, 3, 4])
    disk.fill()
    try second.acknowledge([1, 4])
    second.end()
    try expectEqual(disk.folder.journal().begin().records, [record(3)])
  }

  @Test func recordsMovedByACompactionAreMarkedInPlace() throws {
    let disk = FullDisk()
    let journal = disk.folder.journal(compactionByteCount: 60)
    _ = try journal.begin()
    for id in UInt64(1)...9 { try journal.append(record(id)) }
    let length = disk.folder.bytes.count
    try journal.acknowledge([1, 2, 3, 4, 5, 6])
    #expect(disk.folder.bytes.count < length)
    disk.fill()
    try journal.acknowledge([8])
    journal.end()
    try expectEqual(disk.folder.journal().begin().records, [record(7), record(9)])
  }

  @Test func aClientOnAFullDiskReportsNothingAndSendsNothingTwice() throws {
    let disk = FullDisk()
    let server = InsightsServer()
    let journal = disk.folder.journal()
    let harness = try InsightsHarness(server, journal)
    harness.track([.viewed(objectIDs: ["1"], named: "Seen", in: "films")])
    disk.fill()
    let flush = harness.call { await $0.flush() }.value
    expectEqual(flush?.sentCount, 1)
    #expect(harness.failures.value?.isEmpty == true)
    journal.end()
    #expect(try disk.folder.journal().begin().records.isEmpty)
  }
}
