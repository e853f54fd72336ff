import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// What a journal keeps after any damage to its file.
struct InsightsJournalTests {
  /// A journal with events 1 to 8, of which 6, 7 and 8 wait.
  ///
  /// - Returns: The range of each event in the file, and the bytes of the file.
  private func history(in folder: JournalDisk) throws -> (ranges: [Range<Int>], bytes: [UInt8]) {
    let journal = folder.journal()
    _ = try journal.begin()
    defer { journal.end() }
    var ranges: [Range<Int>] = []
    func append(_ ids: ClosedRange<UInt64>) throws {
      for id in ids {
        let start = folder.bytes.count
        try journal.append(record(id))
        ranges.append(start..<folder.bytes.count)
      }
    }
    try append(1...3)
    try journal.acknowledge([1, 2])
    try append(4...5)
    try journal.acknowledge([3])
    try append(6...6)
    try journal.acknowledge([5, 4])
    try append(7...8)
    return (ranges, folder.bytes)
  }

  /// The events that wait if only some of the events are intact.
  private func waiting(_ ranges: [Range<Int>], where isIntact: (Range<Int>) -> Bool) -> [UInt64] {
    ranges.indices.filter { $0 >= 5 && isIntact(ranges[$0]) }.map { UInt64($0) + 1 }
  }

  /// The events that wait in a file, which can store one more.
  private func reopened(_ folder: JournalDisk) throws -> (
    ids: [UInt64], opening: InsightsJournal.RecoveryReport
  ) {
    let journal = folder.journal()
    let backlog = try journal.begin()
    expectEqual(backlog.records, backlog.records.map { record($0.id) })
    #expect(backlog.records.allSatisfy { $0.id < backlog.nextID })
    try journal.append(record(backlog.nextID))
    journal.end()
    let again = try journal.begin()
    expectEqual(again.records.dropLast(), backlog.records[...])
    expectEqual(again.records.last, record(backlog.nextID))
    journal.end()
    return (backlog.records.map(\.id), try #require(journal.lastRecovery))
  }

  // MARK: Storing

  @Test func storedEventsAreReadWhenTheFileIsReopened() throws {
    let folder = JournalDisk()
    _ = try history(in: folder)
    let journal = folder.journal()
    let backlog = try journal.begin()
    expectEqual(backlog.records, [6, 7, 8].map(record))
    expectEqual(backlog.nextID, 9)
    expectEqual(journal.lastRecovery?.eventCount, 3)
    #expect(
      journal.lastRecovery?.truncatedByteCount == 0 && journal.lastRecovery?.corruptByteCount == 0)
  }

  @Test func fileHasOneClient() throws {
    let folder = JournalDisk()
    let journal = folder.journal()
    _ = try journal.begin()
    for other in [journal, folder.journal()] {
      let error = #expect(throws: SearchError.self) { try other.begin() }
      expectEqual(error?.code, .storage)
      #expect(error?.message.contains("in use") == true)
    }
    journal.end()
    #expect(throws: Never.self) { try folder.journal().begin() }
  }

  @Test func closedJournalStoresNothing() throws {
    let folder = JournalDisk()
    let journal = folder.journal()
    #expect(throws: SearchError.self) { try journal.append(record(1)) }
    #expect(throws: SearchError.self) { try journal.acknowledge([1]) }
    expectEqual(folder.names, [])
  }

  /// Whatever the size of the file: a disk with little space is full of what was sent.
  @Test(arguments: [InsightsJournal.Synchronization.never, .everyWrite])
  func aJournalWithoutWaitingEventsIsEmpty(
    synchronization: InsightsJournal.Synchronization
  ) throws {
    let folder = JournalDisk()
    let journal = folder.journal(synchronization)
    _ = try journal.begin()
    let length = folder.bytes.count
    for id in UInt64(1)...4 { try journal.append(record(id)) }
    try journal.acknowledge([2])
    try journal.acknowledge([4, 1, 3])
    expectEqual(folder.bytes.count, length)
    try journal.append(record(5))
    journal.end()
    let next = folder.journal()
    let backlog = try next.begin()
    expectEqual(backlog.records, [record(5)])
    expectEqual(backlog.nextID, 6)
    #expect(next.lastRecovery?.corruptByteCount == 0 && next.lastRecovery?.truncatedByteCount == 0)
  }

  @Test func fileIsCompacted() throws {
    let folder = JournalDisk()
    let journal = folder.journal(compactionByteCount: 500)
    _ = try journal.begin()
    try journal.append(record(1))
    for id in UInt64(2)...500 {
      try journal.append(record(id))
      try journal.acknowledge([id])
      #expect(folder.bytes.count < 800)
    }
    // The lock also applies to the new file.
    #expect(throws: SearchError.self) { try folder.journal().begin() }
    journal.end()
    let backlog = try journal.begin()
    expectEqual(backlog.records, [record(1)])
    expectEqual(backlog.nextID, 501)
  }

  @Test func unknownEventsAreAcknowledgedWithoutEffect() throws {
    let folder = JournalDisk()
    let journal = folder.journal()
    _ = try journal.begin()
    try journal.append(record(1))
    try journal.append(record(5))
    let length = folder.bytes.count
    try journal.acknowledge([7, 1, 1, 0, .max])
    try journal.acknowledge([1])
    journal.end()
    expectEqual(folder.bytes.count, length)
    try expectEqual(journal.begin().records, [record(5)])
  }

  // MARK: Damage

  @Test func aTruncatedFileKeepsCompleteRecords() throws {
    let folder = JournalDisk()
    let (ranges, bytes) = try history(in: folder)
    let lengths = stride(from: 0, through: bytes.count, by: Thoroughness.count(7, thorough: 1))
    for length in Set(lengths).union(ranges.map(\.upperBound)) {
      folder.bytes = Array(bytes.prefix(length))
      let (ids, opening) = try reopened(folder)
      expectEqual(ids, waiting(ranges) { $0.upperBound <= length }, "cut at \(length)")
      expectEqual(opening.corruptByteCount, 0, "cut at \(length)")
    }
  }

  @Test func changedByteCorruptsOnlyItsRecord() throws {
    let folder = JournalDisk()
    let (ranges, bytes) = try history(in: folder)
    for position in stride(from: 16, to: bytes.count, by: Thoroughness.count(7, thorough: 1)) {
      for bit in Thoroughness.isThorough ? 0..<8 : position % 8..<position % 8 + 1 {
        var changed = bytes
        changed[position] ^= 1 << bit
        folder.bytes = changed
        let (ids, opening) = try reopened(folder)
        let comment: Comment = "changed bit \(bit) at \(position)"
        expectEqual(ids, waiting(ranges) { !$0.contains(position) }, comment)
        let isFound = opening.corruptByteCount + opening.truncatedByteCount > 0
        #expect(isFound || position >= ranges[7].lowerBound, comment)
      }
    }
  }

  @Test func changedHeaderIsRejectedAndNotChanged() throws {
    let folder = JournalDisk()
    let (_, bytes) = try history(in: folder)
    for position in 0..<16 {
      var changed = bytes
      changed[position] ^= 4
      folder.bytes = changed
      let error = #expect(throws: SearchError.self) { try folder.journal().begin() }
      expectEqual(error?.code, .storage)
      let words = position < 8 ? "not an insights journal" : "unsupported version"
      #expect(error?.message.contains(words) == true)
      expectEqual(folder.bytes, changed)
    }
  }

  /// Its bytes, or zeros in their place.
  @Test func anInterruptedCreationIsRepeated() throws {
    let folder = JournalDisk()
    _ = try folder.journal().begin()
    let header = folder.bytes
    for length in 0...header.count {
      for zeros in 0...length {
        folder.bytes = header.prefix(length - zeros) + [UInt8](repeating: 0, count: zeros)
        try expectEqual(reopened(folder).ids, [], "\(length) bytes, \(zeros) zeros")
        #expect(folder.bytes.starts(with: header))
      }
    }
  }

  @Test func partialWriteIsSkipped() throws {
    let folder = JournalDisk()
    let (ranges, bytes) = try history(in: folder)
    let record = Array(bytes[ranges[6]])
    for length in 1..<record.count {
      // A part of a record, followed by a complete one.
      folder.bytes =
        Array(bytes[..<ranges[6].lowerBound]) + record.prefix(length) + Array(bytes[ranges[7]])
      try expectEqual(reopened(folder).ids, [6, 8], "\(length) bytes")
    }
  }

  @Test(arguments: Seed.all(300))
  func hostileBytesAreHarmless(seed: Seed) throws {
    let folder = JournalDisk()
    let (_, bytes) = try history(in: folder)
    var generator = SeededGenerator(seed: seed.value)
    var changed = bytes
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      let place = Int.random(in: 16..<changed.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: changed.remove(at: place)
      case 2: changed.insert(contentsOf: [0xF7] + Array("ASINSIW".utf8), at: place)
      default: changed.insert(contentsOf: bytes.suffix(30), at: place)
      }
    }
    folder.bytes = changed
    let journal = folder.journal()
    let backlog = try journal.begin()
    // Every event found is an event that was written.
    expectEqual(backlog.records, backlog.records.map { record($0.id) }, "seed \(seed.value)")
    expectEqual(Set(backlog.records.map(\.id)).count, backlog.records.count, "seed \(seed.value)")
    journal.end()
  }

  @Test func extremeNumbersAreHarmless() async throws {
    let folder = JournalDisk()
    let journal = folder.journal()
    _ = try journal.begin()
    try journal.append(InsightsRecord(id: .max, timestamp: .min, event: []))
    journal.end()
    let client = try InsightsClient(
      transport: InsightsServer(), userToken: "u", storage: journal, currentDate: { testDay })
    let error = await #expect(throws: SearchError.self) { try await client.track(event(1)) }
    expectEqual(error?.code, .storage)
  }

  @Test func manyRecordMarkersAreReadQuickly() throws {
    let folder = JournalDisk()
    let journal = folder.journal()
    _ = try journal.begin()
    let header = folder.bytes
    try journal.append(record(1))
    journal.end()
    let intact = folder.bytes.dropFirst(header.count)
    // Each marker claims a long record after it, none of which is intact.
    let mark: [UInt8] =
      [0xF7] + Array("ASINSIW".utf8) + [UInt8](repeating: 0, count: 8) + [0, 0x80]
      + [UInt8](repeating: 0, count: 14)
    for count in [10, 6_000] {
      folder.bytes = header + Array(repeatElement(mark, count: count).joined()) + intact
      // Finding the record after so many markers must not read the file a thousand times.
      try expectEqual(journal.begin().records.count, count == 10 ? 1 : 0)
      journal.end()
    }
  }

  @Test func otherFilesAreRefusedAndNotChanged() throws {
    for contents in ["some notes", "This is not a journal at all.", "\u{0}\u{0}x"] {
      let disk = SimulatedDisk()
      let bytes = Array(contents.utf8)
      disk["events.journal"] = bytes
      disk["events.journal.rewriting"] = bytes
      let error = #expect(throws: SearchError.self) { try JournalDisk(disk).journal().begin() }
      #expect(error?.message.contains("is not an insights journal") == true)
      expectEqual(disk["events.journal"], bytes)
      expectEqual(disk["events.journal.rewriting"], bytes)
    }
  }

  @Test func theRemainsOfACompactionAreRemoved() throws {
    let disk = SimulatedDisk()
    let folder = JournalDisk(disk)
    let (_, bytes) = try history(in: folder)
    disk["events.journal.rewriting"] = bytes
    _ = try folder.journal().begin()
    expectEqual(folder.names, ["events.journal"])
  }

  @Test(arguments: [
    (DiskError.Reason.full, "there is no space left on the disk. Free some space"),
    (.denied, "permission is denied. Let this process"),
    (.notFound, "the folder does not exist. Create it first."),
    (.notAFile, "it is not a regular file. Choose another path."),
    (.moved, "the file was moved, replaced or removed. Create a new client."),
    (.system(24), "the system refused, code 24."),
  ])
  func anErrorHasANameAReasonAndAdvice(reason: DiskError.Reason, words: String) throws {
    let journal = InsightsJournal(path: "/home/name/events.journal", disk: RefusingDisk(reason))
    let error = try #require(throws: SearchError.self) { try journal.begin() }
    expectEqual(error.code, .storage)
    #expect(
      error.message.hasPrefix("Could not open the journal events.journal: \(words)"), "\(error)")
    expectEqual(error.underlying, "\(reason)")
    // The name of a folder can be that of a user.
    #expect(!"\(error)".contains("/home/name"))
  }
}

/// A disk that opens nothing.
private struct RefusingDisk: Disk {
  private let reason: DiskError.Reason

  init(_ reason: DiskError.Reason) { self.reason = reason }

  func absolutePath(of path: String) throws -> String { path }

  func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile {
    throw DiskError(reason, path: path)
  }

  func paths(beginningWith prefix: String) throws -> [String] { [] }

  func rename(_ path: String, to newPath: String) throws {}

  func remove(_ path: String) throws {}

  func synchronizeFolder(of path: String) throws {}
}
