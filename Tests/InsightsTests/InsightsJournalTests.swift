import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// What a journal keeps after any damage to its file.
struct InsightsJournalTests {
  /// One step in the history of a journal, and its offset in the file.
  private struct Step {
    var added: UInt64?
    var acknowledged: [UInt64] = []
    var range = 0..<0
  }

  /// A journal with a history, and its bytes.
  private func history(in folder: JournalFolder) throws -> (steps: [Step], bytes: [UInt8]) {
    let journal = InsightsJournal(path: folder.path)
    _ = try journal.begin()
    defer { journal.end() }
    var steps: [Step] = []
    var length = try folder.bytes.count
    for step in [
      Step(added: 1), Step(added: 2), Step(added: 3), Step(acknowledged: [1, 2]), Step(added: 4),
      Step(added: 5), Step(acknowledged: [3]), Step(added: 6), Step(acknowledged: [5, 4]),
      Step(added: 7), Step(added: 8),
    ] {
      if let id = step.added { try journal.append(record(id)) }
      try journal.acknowledge(step.acknowledged)
      let end = try folder.bytes.count
      steps.append(
        Step(added: step.added, acknowledged: step.acknowledged, range: length..<end))
      length = end
    }
    return (steps, try folder.bytes)
  }

  /// The events that wait after some steps.
  private func waiting(after steps: some Sequence<Step>) -> [UInt64] {
    let acknowledged = Set(steps.flatMap(\.acknowledged))
    return steps.compactMap(\.added).filter { !acknowledged.contains($0) }
  }

  /// The events that wait in a file, which can store one more.
  private func reopened(_ folder: JournalFolder) throws -> (
    ids: [UInt64], opening: InsightsJournal.RecoveryReport
  ) {
    let journal = InsightsJournal(path: folder.path)
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
    let folder = try JournalFolder()
    let (steps, _) = try history(in: folder)
    let journal = InsightsJournal(path: folder.path)
    let backlog = try journal.begin()
    expectEqual(backlog.records, [6, 7, 8].map(record))
    expectEqual(backlog.records.map(\.id), waiting(after: steps))
    expectEqual(backlog.nextID, 9)
    expectEqual(journal.lastRecovery?.eventCount, 3)
    #expect(
      journal.lastRecovery?.truncatedByteCount == 0 && journal.lastRecovery?.corruptByteCount == 0)
  }

  @Test func onlyTheOwnerCanReadTheFile() throws {
    let folder = try JournalFolder()
    _ = try history(in: folder)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    expectEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600)
  }

  @Test func fileHasOneClient() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path)
    _ = try journal.begin()
    for other in [journal, InsightsJournal(path: folder.path)] {
      let error = #expect(throws: SearchError.self) { try other.begin() }
      expectEqual(error?.code, .storage)
      #expect(error?.message.contains("in use") == true)
    }
    journal.end()
    #expect(throws: Never.self) { try InsightsJournal(path: folder.path).begin() }
  }

  @Test func closedJournalStoresNothing() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path)
    #expect(throws: SearchError.self) { try journal.append(record(1)) }
    #expect(throws: SearchError.self) { try journal.acknowledge([1]) }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func missingFolderIsATypedError() throws {
    let folder = try JournalFolder()
    let error = #expect(throws: SearchError.self) {
      try InsightsJournal(path: folder.path + "/no/file").begin()
    }
    expectEqual(error?.code, .storage)
    #expect(error?.underlying != nil)
  }

  /// Whatever the size of the file: a disk with little space is full of what was sent.
  @Test(arguments: [InsightsJournal.Synchronization.never, .everyWrite])
  func aJournalWithoutWaitingEventsIsEmpty(
    synchronization: InsightsJournal.Synchronization
  ) throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path, synchronization: synchronization)
    _ = try journal.begin()
    let length = try folder.bytes.count
    for id in UInt64(1)...4 { try journal.append(record(id)) }
    try journal.acknowledge([2])
    try journal.acknowledge([4, 1, 3])
    try expectEqual(folder.bytes.count, length)
    try journal.append(record(5))
    journal.end()
    let next = InsightsJournal(path: folder.path)
    let backlog = try next.begin()
    expectEqual(backlog.records, [record(5)])
    expectEqual(backlog.nextID, 6)
    #expect(next.lastRecovery?.corruptByteCount == 0 && next.lastRecovery?.truncatedByteCount == 0)
  }

  @Test func aPathThatIsNoRegularFileIsRefusedAndNotReplaced() throws {
    let folder = try JournalFolder()
    try folder.put([])
    var system = JournalSystem()
    system.isRegularFile = { _ in false }
    let journal = InsightsJournal(
      path: folder.path, synchronization: .never, compactionByteCount: 500, system: system)
    let error = try #require(throws: SearchError.self) { try journal.begin() }
    expectEqual(error.code, .storage)
    #expect(error.message.contains("events.journal is not a regular file"), "\(error)")
    #expect(try folder.bytes.isEmpty)
  }

  @Test func fileIsCompacted() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(
      path: folder.path, synchronization: .never, compactionByteCount: 500)
    _ = try journal.begin()
    try journal.append(record(1))
    for id in UInt64(2)...500 {
      try journal.append(record(id))
      try journal.acknowledge([id])
      #expect(try folder.bytes.count < 800)
    }
    // The lock also applies to the new file.
    #expect(throws: SearchError.self) { try InsightsJournal(path: folder.path).begin() }
    journal.end()
    let backlog = try journal.begin()
    expectEqual(backlog.records, [record(1)])
    expectEqual(backlog.nextID, 501)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    expectEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600)
  }

  /// A starting child process has such copies for a short time.
  @Test func copiedDescriptorsDoNotKeepTheLock() throws {
    let folder = try JournalFolder()
    let real = JournalSystem()
    let copies = Lock<[Int32]>([])
    defer { for copy in copies.withLock({ $0 }) { _ = close(copy) } }
    var system = real
    system.open = { path, purpose in
      let file = try real.open(path, purpose)
      let copy = dup(file.fileDescriptor)
      copies.withLock { $0.append(copy) }
      return file
    }
    for _ in 0..<2 {
      let journal = InsightsJournal(
        path: folder.path, synchronization: .never, compactionByteCount: .max, system: system)
      _ = try journal.begin()
      journal.end()
    }
  }

  @Test func longListOfAcknowledgmentsIsReadBack() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(
      path: folder.path, synchronization: .never, compactionByteCount: .max)
    _ = try journal.begin()
    try journal.append(record(1))
    try journal.append(record(300_001))
    // More than one record can hold.
    try journal.acknowledge(Array(1...300_000))
    journal.end()
    try expectEqual(journal.begin().records, [record(300_001)])
    #expect(
      journal.lastRecovery?.corruptByteCount == 0 && journal.lastRecovery?.truncatedByteCount == 0)
  }

  // MARK: Damage

  @Test func aTruncatedFileKeepsCompleteRecords() throws {
    let folder = try JournalFolder()
    let (steps, bytes) = try history(in: folder)
    let lengths = stride(from: 0, through: bytes.count, by: Thoroughness.count(7, thorough: 1))
    for length in Set(lengths).union(steps.map(\.range.upperBound)) {
      try folder.put(Array(bytes.prefix(length)))
      let complete = steps.filter { $0.range.upperBound <= length }
      let (ids, opening) = try reopened(folder)
      expectEqual(ids, waiting(after: complete), "cut at \(length)")
      expectEqual(opening.corruptByteCount, 0, "cut at \(length)")
    }
  }

  @Test func changedByteCorruptsOnlyItsRecord() throws {
    let folder = try JournalFolder()
    let (steps, bytes) = try history(in: folder)
    for position in stride(from: 20, to: bytes.count, by: Thoroughness.count(7, thorough: 1)) {
      var changed = bytes
      changed[position] ^= 1 << (position % 8)
      try folder.put(changed)
      let intact = steps.filter { !$0.range.contains(position) }
      let (ids, opening) = try reopened(folder)
      expectEqual(ids, waiting(after: intact), "changed at \(position)")
      #expect(
        opening.corruptByteCount + opening.truncatedByteCount > 0
          || position >= steps.last?.range.lowerBound ?? 0,
        "changed at \(position)")
    }
  }

  @Test func changedHeaderIsRejectedOrIgnored() throws {
    let folder = try JournalFolder()
    let (steps, bytes) = try history(in: folder)
    for position in 0..<20 {
      var changed = bytes
      changed[position] ^= 4
      try folder.put(changed)
      if position < 8 {
        let error = #expect(throws: SearchError.self) {
          try InsightsJournal(path: folder.path).begin()
        }
        expectEqual(error?.code, .storage)
        #expect(
          error?.message.contains(position == 7 ? "unsupported version" : "not an insights journal")
            == true)
        try expectEqual(folder.bytes, changed)
      } else {
        try expectEqual(reopened(folder).ids, waiting(after: steps))
      }
    }
  }

  @Test func partialWriteIsSkipped() throws {
    let folder = try JournalFolder()
    let (steps, bytes) = try history(in: folder)
    let record = Array(bytes[steps[9].range])
    for length in 1..<record.count {
      // A part of a record, followed by complete records.
      try folder.put(
        Array(bytes[..<steps[9].range.lowerBound]) + record.prefix(length)
          + Array(bytes[steps[10].range]))
      try expectEqual(reopened(folder).ids, [6, 8], "\(length) bytes")
    }
  }

  @Test(arguments: Seed.all(300))
  func hostileBytesAreHarmless(seed: Seed) throws {
    let folder = try JournalFolder()
    let (_, bytes) = try history(in: folder)
    var generator = SeededGenerator(seed: seed.value)
    var changed = bytes
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      let place = Int.random(in: 20..<changed.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: changed.remove(at: place)
      case 2: changed.insert(contentsOf: [0xF7, 0x41, 0x49, 0x52], at: place)
      default: changed.insert(contentsOf: bytes.suffix(30), at: place)
      }
    }
    try folder.put(changed)
    let journal = InsightsJournal(path: folder.path)
    let backlog = try journal.begin()
    // Every event found is an event that was written.
    expectEqual(backlog.records, backlog.records.map { record($0.id) }, "seed \(seed.value)")
    expectEqual(Set(backlog.records.map(\.id)).count, backlog.records.count, "seed \(seed.value)")
    journal.end()
  }

  @Test func extremeNumbersAreHarmless() async throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path)
    _ = try journal.begin()
    try journal.append(InsightsRecord(id: .max, timestamp: .min, event: []))
    journal.end()
    let client = try InsightsClient(
      transport: InsightsServer(), userToken: "u", storage: journal, currentDate: { testDay })
    let error = await #expect(throws: SearchError.self) { try await client.track(event(1)) }
    expectEqual(error?.code, .storage)
  }

  @Test func manyRecordMarkersAreReadQuickly() throws {
    let folder = try JournalFolder()
    let journal = InsightsJournal(path: folder.path)
    _ = try journal.begin()
    let header = try folder.bytes
    try journal.append(record(1))
    journal.end()
    let intact = try folder.bytes.dropFirst(header.count)
    // Each marker claims a long record after it, none of which is intact.
    let mark: [UInt8] = [0xF7, 0x41, 0x49, 0x52, 0, 0x80, 0, 0, 0, 0, 0, 0]
    for count in [10, 6_000] {
      try folder.put(header + Array(repeatElement(mark, count: count).joined()) + intact)
      // Finding the record after so many markers must not read the file a thousand times.
      try expectEqual(journal.begin().records.count, count == 10 ? 1 : 0)
      journal.end()
    }
  }

  @Test func replacementFileOfAForeignFileIsKept() throws {
    let folder = try JournalFolder()
    let text = Array("some notes".utf8)
    try folder.put(text)
    let neighbour = URL(fileURLWithPath: folder.path + ".replacement")
    try Data(text).write(to: neighbour)
    #expect(throws: SearchError.self) { try InsightsJournal(path: folder.path).begin() }
    try expectEqual(Data(contentsOf: neighbour), Data(text))
  }
}
