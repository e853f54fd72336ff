import AsyncInstantSearchTesting
@testable import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Several journals of a file: none is left out, and none is read in the wrong place.
struct JournalSeriesTests {
  private typealias Step = KeptEngine.Step

  private static let older = journal(7)
  private static let newer = journal(8)

  private static func journal(_ number: Int) -> String { "\(KeptEngine.path).journal-\(number)" }

  private static func message(_ problem: String, moving number: Int) -> String {
    "Cannot open a.search: it is damaged: \(problem); if its journal \(number) belongs to another"
      + " state of the file, move that journal away."
  }

  /// Returns a disk whose file lacks the writes of two journals, and what the engine had.
  private static func twoJournals() async throws -> (SimulatedDisk, [String]) {
    let disk = SimulatedDisk()
    let fails = KeptEngine.Switch()
    let engine = try await KeptEngine.open(disk, failingCheckpoints: fails)
    for step in [Step.settings, .save, .partialUpdate] {
      try await step.perform(on: engine)
    }
    fails.isOn.withLock { $0 = true }
    await #expect(throws: SearchError.self) { try await engine.checkpoint() }
    for step in [Step.deleteBy, .load] { try await step.perform(on: engine) }
    let state = try await KeptEngine.state(of: engine)
    expectEqual(disk.paths.filter { $0.contains("journal") }, [older, newer])
    return (disk.afterExit(), state)
  }

  private static func message(_ disk: SimulatedDisk) async throws -> String {
    let before = disk.paths.map { disk[$0] }
    let error = await #expect(throws: SearchError.self) { _ = try await KeptEngine.open(disk) }
    expectEqual(error?.code, .storage)
    // A refusal changes nothing.
    expectEqual(disk.afterExit().paths.map { disk[$0] }, before)
    return error?.message ?? ""
  }

  @Test func bothJournalsAreRead() async throws {
    let (disk, state) = try await Self.twoJournals()
    try await expectEqual(KeptEngine.state(reopening: disk), state)
    // The next checkpoint needs no further journal for it.
    let again = try await KeptEngine.open(disk.afterExit(), minimumJournalSize: .max)
    try await again.checkpoint()
    try await expectEqual(KeptEngine.state(of: again), state)
  }

  /// Entries that the older journal lost are not left out in silence, wherever it ends.
  @Test func aCutJournalIsFound() async throws {
    let (disk, state) = try await Self.twoJournals()
    let bytes = try #require(disk[Self.older])
    for length in Array(0..<80) + Array(stride(from: 80, to: bytes.count, by: 7)) {
      let cut = disk.afterExit()
      cut[Self.older] = Array(bytes[..<length])
      // The end of the last entry is not part of it.
      if length >= bytes.count - 16 {
        try await expectEqual(KeptEngine.state(reopening: cut), state)
        continue
      }
      let message = try await Self.message(cut)
      #expect(message.hasPrefix("Cannot open a.search: it is damaged: its journal 7 "), "\(length)")
    }
  }

  @Test func aMissingJournalIsFound() async throws {
    let (disk, _) = try await Self.twoJournals()
    disk[Self.older] = nil
    try await expectEqual(Self.message(disk), Self.message("its journal 7 is missing", moving: 8))
  }

  /// A file that is missing beside its journals is no new engine, and an empty one is.
  @Test func aMissingFileIsFound() async throws {
    let (disk, _) = try await Self.twoJournals()
    let file = disk[KeptEngine.path]
    disk[KeptEngine.path] = nil
    try await expectEqual(
      Self.message(disk),
      "Cannot open a.search: it is missing, and its journal 7 is there; put the file back, or move"
        + " its journals away.")
    for path in [Self.older, Self.newer] { disk[path] = nil }
    for bytes in [nil, []] as [[UInt8]?] {
      let new = disk.afterExit()
      new[KeptEngine.path] = bytes
      let engine = try await KeptEngine.open(new)
      #expect(engine.indexNames.isEmpty && file != nil)
    }
  }

  /// What is written after the beginning of an entry, whose write the end of a process interrupted,
  /// is read again.
  @Test func anEmptyFileBesideJournalsIsFound() async throws {
    let (disk, state) = try await Self.twoJournals()
    let bytes = disk[KeptEngine.path]
    disk[KeptEngine.path] = []
    try await expectEqual(
      Self.message(disk),
      "Cannot open a.search: it is empty, and its journal 7 is there; put the file back, or move its"
        + " journals away.")
    disk[KeptEngine.path] = bytes
    try await expectEqual(KeptEngine.state(reopening: disk), state)
  }

  /// A write is not acknowledged in a journal that was removed. The next one makes another.
  @Test func aJournalThatIsRemovedWhileItIsUsedIsReplaced() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk)
    for step in [Step.settings, .save] { try await step.perform(on: engine) }
    let state = try await KeptEngine.state(of: engine)
    for name in disk.paths where name.contains("journal") { disk[name] = nil }
    await #expect(throws: SearchError.self) { try await Step.saveMore.perform(on: engine) }
    try await expectEqual(KeptEngine.state(of: engine), state)
    try await Step.saveMore.perform(on: engine)
    let newer = try await KeptEngine.state(of: engine)
    try await expectEqual(KeptEngine.state(reopening: disk.afterExit()), newer)
  }

  /// A write that was refused is not in the journal when it has its name again.
  @Test func aJournalThatIsMovedAwayAndBackHasNoRefusedWrite() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    for step in [Step.settings, .save] { try await step.perform(on: engine) }
    let state = try await KeptEngine.state(of: engine)
    let name = try #require(disk.paths.first { $0.contains("journal") })
    try disk.rename(name, to: "away")
    await #expect(throws: SearchError.self) { try await Step.saveMore.perform(on: engine) }
    try disk.rename("away", to: name)
    try await expectEqual(KeptEngine.state(reopening: disk.afterExit()), state)
  }

  @Test func aCheckpointWritesAFileThatWasRemoved() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk)
    for step in [Step.settings, .save, .checkpoint] { try await step.perform(on: engine) }
    let state = try await KeptEngine.state(of: engine)
    disk[KeptEngine.path] = nil
    try await engine.checkpoint()
    try await expectEqual(KeptEngine.state(reopening: disk.afterExit()), state)
  }

  /// Heads that each claim the rest of the journal do not make opening it take long.
  @Test func manyHeadsAreReadQuickly() async throws {
    let (disk, _) = try await Self.twoJournals()
    let bytes = try #require(disk[Self.newer])
    let count = 3_000
    var heads: [UInt8] = []
    for number in 0..<count {
      let rest = (count - number - 1) * EntryHead.byteCount
      heads += [EntryHead.markStart] + Array("ASENTRY".utf8)
      heads += LittleEndian.bytes(of: UInt64(100 + number)) + LittleEndian.bytes(of: UInt64(rest))
      heads += LittleEndian.bytes(of: UInt64(7))
    }
    disk[Self.newer] = bytes + heads
    let callCount = disk.callCount
    let error = await #expect(throws: SearchError.self) { _ = try await KeptEngine.open(disk) }
    expectEqual(error?.code, .storage)
    // Each piece is one call: all heads would be read 2,200 times.
    #expect(disk.callCount - callCount < 500)
  }

  @Test(arguments: [1, 9, 40]) func writesAfterAnIncompleteEntryAreKept(lost: Int) async throws {
    let (disk, _) = try await Self.twoJournals()
    let bytes = try #require(disk[Self.newer])
    disk[Self.newer] = Array(bytes.dropLast(lost + 16))
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await engine.save([["objectID": "after"] as JSON], in: "later")
    let state = try await KeptEngine.state(of: engine)
    let again = try await KeptEngine.open(disk.afterExit(), minimumJournalSize: .max)
    try await expectEqual(KeptEngine.state(of: again), state)
    expectEqual(again.recordCount(of: "later"), 1)
  }

  /// Also when several adjacent ones are missing.
  @Test func missingJournalsAreFound() async throws {
    let (disk, _) = try await Self.twoJournals()
    let far = SimulatedDisk()
    far[KeptEngine.path] = disk[KeptEngine.path]
    far[KeptEngine.path + ".lock"] = []
    far[KeptEngine.path + ".journal-12"] = disk[Self.newer]
    try await expectEqual(Self.message(far), Self.message("its journal 7 is missing", moving: 12))
    // Those of another file are not, because first numbers are random.
    far[KeptEngine.path + ".journal-12"] = nil
    far[KeptEngine.path + ".journal-4000000"] = disk[Self.newer]
    far[KeptEngine.path + ".journal-"] = disk[Self.newer]
    far[KeptEngine.path + ".journal-12.old"] = disk[Self.newer]
    _ = try await KeptEngine.open(far)
  }

  /// An older copy of the file, put back beside journals of a newer state, is not opened with them,
  /// nor without a word.
  @Test func anOlderFileBesideNewerJournalsIsFound() async throws {
    let disk = SimulatedDisk()
    var copies: [[UInt8]?] = []
    for number in 0..<5 {
      let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
      try await engine.save([["objectID": "1", "size": .int(Int64(number))] as JSON], in: "items")
      // The last process ends without it.
      if number < 4 { await engine.close() }
      copies.append(disk[KeptEngine.path])
    }
    expectEqual(disk.paths, [KeptEngine.path, Self.journal(11), KeptEngine.path + ".lock"])
    for number in 0..<3 {
      let restored = disk.afterExit()
      restored[KeptEngine.path] = copies[number]
      try await expectEqual(
        Self.message(restored),
        Self.message("its journal \(number + 8) is missing", moving: 11), "\(number)")
      restored[Self.journal(11)] = nil
      _ = try await KeptEngine.open(restored.afterExit())
    }
  }

  /// So is an older copy of the file and its journal, which is longer in the newer state.
  @Test func anOlderJournalBesideNewerOnesIsFound() async throws {
    let disk = SimulatedDisk()
    var engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Step.save.perform(on: engine)
    let copy = disk.afterExit()
    try await Step.partialUpdate.perform(on: engine)
    await engine.close()
    engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Step.deleteBy.perform(on: engine)
    let restored = disk.afterExit()
    for path in copy.paths { restored[path] = copy[path] }
    try await expectEqual(
      Self.message(restored),
      Self.message("its journal 7 has 1 of 2 writes", moving: 8))
  }

  /// The first journal of another file is not read.
  @Test func theFirstJournalOfAnotherStateIsFound() async throws {
    let disk = SimulatedDisk()
    let other = SimulatedDisk()
    for disk in [disk, other] {
      let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
      try await Step.save.perform(on: engine)
      try await engine.checkpoint()
      try await Step.partialUpdate.perform(on: engine)
    }
    let mixed = disk.afterExit()
    mixed[Self.newer] = other[Self.newer]
    try await expectEqual(
      Self.message(mixed),
      Self.message("its journal 8 does not follow the file", moving: 8))
  }

  /// A journal of another time or another engine is not read after one that it does not follow.
  @Test func aForeignJournalIsFound() async throws {
    let (disk, _) = try await Self.twoJournals()
    let (other, _) = try await Self.twoJournals()
    disk[Self.newer] = other[Self.newer]
    try await expectEqual(
      Self.message(disk),
      Self.message("its journal 8 does not follow its journal 7", moving: 8))
    disk[Self.newer] = other[Self.older]
    try await expectEqual(
      Self.message(disk),
      "Cannot open a.search: it is damaged: its journal has another number.")
  }

  @Test(arguments: Seed.all(500, quick: 40)) func aChangedJournalIsFound(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let (disk, state) = try await Self.twoJournals()
    var bytes = try #require(disk[Self.older])
    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
      1 << UInt8.random(in: 0..<8, using: &random)
    disk[Self.older] = bytes
    do {
      // The ends of entries are not part of them.
      try await expectEqual(KeptEngine.state(reopening: disk), state)
    } catch let error as SearchError {
      #expect(error.message.hasPrefix("Cannot open a.search: it"), "\(error.message)")
    }
  }

  /// Bytes that are wrong although the checksum is right make no call end the process.
  @Test(arguments: Seed.all(2000, quick: 50)) func wrongEntriesAreHarmless(
    seed: Seed
  ) async throws {
    var random = SeededGenerator(seed: seed.value)
    let (disk, _) = try await Self.twoJournals()
    var bytes = try #require(disk[Self.newer])
    // The first entry follows the header: mark, position, length, checksum, contents.
    let entry = 64
    let length = bytes[entry + 16..<entry + 24].reversed().reduce(0) { $0 << 8 | Int($1) }
    let contents = entry + 32
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[contents + Int.random(in: 0..<length, using: &random)] =
        Bool.random(using: &random)
        ? UInt8.random(in: .min ... .max, using: &random)
        : [0, 1, 0x7F, 0xFF].randomElement(using: &random) ?? 0
    }
    let checksum = Checksum.of(
      Array(bytes[entry + 8..<entry + 24] + bytes[contents..<contents + length]))
    for byte in 0..<8 {
      bytes[entry + 24 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte))
    }
    disk[Self.newer] = bytes
    do {
      let opened = try await KeptEngine.open(disk)
      _ = try await KeptEngine.state(of: opened)
      try await Step.saveMore.perform(on: opened)
    } catch let error as SearchError {
      #expect(!error.message.isEmpty)
    }
  }

  /// An engine in memory has every write that was acknowledged before, or is refused, whenever a
  /// checkpoint ends in the meantime.
  @Test func aCheckpointDuringOpeningLosesNothing() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Step.save.perform(on: engine)
    let before = disk.afterExit()
    try await engine.checkpoint()
    let after = disk.afterExit()
    var outcomes: Set<Int?> = []
    for limit in 0..<12 {
      let count = Lock(0)
      var configuration = KeptEngine.configuration(disk)
      configuration.disk = InterceptedDisk { _ in
        count.withLock { count in
          count += 1
          return count > limit ? after : before
        }
      }
      do {
        let opened = try await LocalSearch(
          contentsOf: KeptEngine.path, configuration: configuration)
        expectEqual(opened.recordCount(of: "items"), 8, "\(limit)")
        outcomes.insert(8)
      } catch {
        #expect(error.message.contains("its journal has newer writes"), "\(limit)")
        outcomes.insert(nil)
      }
    }
    expectEqual(outcomes, [8, nil])
  }
}
