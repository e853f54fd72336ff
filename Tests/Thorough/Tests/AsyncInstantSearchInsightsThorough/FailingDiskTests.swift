@testable import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
@testable import InstantSearchAPI
import TestSupport
import Testing

/// Faults of single calls of the disk, and what a journal keeps after them.
struct FailingDiskTests {
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
      // All that wait, or some of them.
      let done = id == 6 ? [2, 3, 4, 5, 6, 3] : [id - 2, id - 1]
      if !attempt({ () throws(SearchError) in try journal.acknowledge(done) }) {
        outcome.uncertain.formUnion(done)
      }
      outcome.kept.subtract(done)
    }
    return outcome
  }

  /// The events that wait after a restart.
  private func found(
    _ disk: SimulatedDisk, _ comment: Comment, hasNoGaps: Bool = false
  ) throws -> Set<UInt64> {
    let journal = JournalDisk(disk).journal()
    let backlog = try journal.begin()
    expectEqual(backlog.records, backlog.records.map { record($0.id) }, comment)
    expectEqual(disk.paths, ["events.journal"], comment)
    if hasNoGaps { expectEqual(journal.lastRecovery?.corruptByteCount, 0, comment) }
    journal.end()
    return Set(backlog.records.map(\.id))
  }

  @Test(
    arguments: [InsightsJournal.Synchronization.never, .everyWrite],
    SimulatedDisk.Fault.allCases)
  func aFaultOfAnyCallsLosesNothing(
    synchronization: InsightsJournal.Synchronization, fault: SimulatedDisk.Fault
  ) throws {
    let whole = SimulatedDisk()
    let expected = live(JournalDisk(whole).journal(synchronization, compactionByteCount: 60))
    #expect(expected.errors.isEmpty && expected.kept == [9, 12])
    let callCount = whole.callCount
    #expect(callCount > 40)
    for count in [1, 2, 3, callCount] {
      for call in 1...callCount {
        let disk = SimulatedDisk(seed: UInt64(call))
        for number in call..<(call + count) { disk.fail(call: number, with: fault) }
        let folder = JournalDisk(disk)
        let journal = folder.journal(synchronization, compactionByteCount: 60)
        var outcome = live(journal)
        let comment: Comment = "\(fault), calls \(call) to \(call + count - 1)"
        #expect(outcome.errors.allSatisfy { $0.code == .storage }, comment)
        if fault != .crash, outcome.hasBegun, count < callCount {
          // The journal works again as soon as the disk does, and others are still locked out.
          while disk.callCount < call + count { _ = try? disk.paths(beginningWith: "") }
          #expect(throws: Never.self, comment) { try journal.append(record(100)) }
          outcome.kept.insert(100)
          let error = #expect(throws: SearchError.self, comment) { try folder.journal().begin() }
          #expect(error?.message.contains("in use") == true, comment)
        }
        let ids = try found(disk.afterExit(), comment, hasNoGaps: true)
        // One that was written before the error of a process that ended.
        let uncertain =
          fault == .crash || count == callCount
          ? outcome.uncertain.union(Set(1...12).subtracting(outcome.kept)) : outcome.uncertain
        expectEqual(ids.subtracting(uncertain), outcome.kept.subtracting(uncertain), comment)
        #expect(outcome.kept.isSubset(of: ids), comment)
        guard synchronization == .everyWrite else { continue }
        for seed in UInt64(0)..<3 {
          let left = try found(disk.afterPowerFailure(seed: seed), comment)
          #expect(outcome.kept.isSubset(of: left), "\(comment), power \(seed): \(left)")
          #expect(left.isSubset(of: Set(1...12).union([100])), comment)
        }
      }
    }
  }

  /// Any faults of any calls, as a client meets them: what was not acknowledged is acknowledged
  /// again, together with later events.
  @Test(arguments: Seed.all(3_000)) func faultsOfAnyCallsLoseNothing(seed: Seed) throws {
    var generator = SeededGenerator(seed: seed.value)
    let disk = SimulatedDisk(seed: seed.value)
    let synchronization: InsightsJournal.Synchronization =
      Bool.random(using: &generator) ? .never : .everyWrite
    let journal = JournalDisk(disk).journal(
      synchronization, compactionByteCount: [60, 300, .max].randomElement(using: &generator) ?? 60)
    _ = try journal.begin()
    var (kept, refused, acknowledged): (Set<UInt64>, Set<UInt64>, Set<UInt64>) = ([], [], [])
    var unacknowledged: Set<UInt64> = []
    for next in UInt64(1)...30 {
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let fault = [SimulatedDisk.Fault.error, .lateError, .short, .full]
          .randomElement(using: &generator)
        disk.fail(
          call: disk.callCount + Int.random(in: 1...14, using: &generator), with: fault ?? .error)
      }
      if (try? journal.append(record(next))) != nil {
        kept.insert(next)
      } else {
        refused.insert(next)
      }
      guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
      let isAll = Bool.random(using: &generator)
      let sent = kept.filter { _ in isAll || Bool.random(using: &generator) }
      unacknowledged.formUnion(sent)
      kept.subtract(sent)
      if (try? journal.acknowledge(Array(unacknowledged))) != nil {
        acknowledged.formUnion(unacknowledged)
        unacknowledged = []
      }
    }
    journal.end()
    let disks =
      [disk.afterExit()]
      + (synchronization == .everyWrite ? [disk.afterPowerFailure(seed: seed.value)] : [])
    for disk in disks {
      let found = Set(try JournalDisk(disk).journal().begin().records.map(\.id))
      #expect(kept.isSubset(of: found), "\(kept.subtracting(found))")
      #expect(found.isDisjoint(with: acknowledged), "\(found.intersection(acknowledged))")
    }
  }

  /// An event that was refused is not found, unless the disk refused to take it back as well.
  @Test(arguments: [SimulatedDisk.Fault.error, .lateError, .full], 1...3)
  func aRefusedEventIsNotFoundAfterAPowerFailure(
    fault: SimulatedDisk.Fault, call: Int
  ) throws {
    for seed in UInt64(0)..<50 {
      let disk = SimulatedDisk(seed: seed)
      let journal = JournalDisk(disk).journal(.everyWrite)
      _ = try journal.begin()
      try journal.append(record(1))
      disk.fail(call: disk.callCount + call, with: fault)
      #expect(throws: SearchError.self) { try journal.append(record(2)) }
      for disk in [disk.afterExit(), disk.afterPowerFailure(seed: seed)] {
        try expectEqual(JournalDisk(disk).journal().begin().records, [record(1)])
      }
    }
  }

  @Test func aFileThatIsMovedIsNotUsedAnyLonger() throws {
    let disk = SimulatedDisk()
    let journal = JournalDisk(disk).journal(.everyWrite, compactionByteCount: 1)
    _ = try journal.begin()
    for id in UInt64(1)...10 { try journal.append(record(id)) }
    try disk.rename("events.journal", to: "old.journal")
    let error = #expect(throws: SearchError.self) { try journal.append(record(11)) }
    #expect(error?.message.contains("was moved, replaced or removed") == true, "\(error)")
    // Another client has the name now, whose file is not replaced.
    let other = JournalDisk(disk).journal(.everyWrite)
    _ = try other.begin()
    for id in UInt64(101)...105 { try other.append(record(id)) }
    #expect(throws: SearchError.self) { try journal.acknowledge(Array(1...9)) }
    try other.append(record(106))
    other.end()
    journal.end()
    try expectEqual(
      JournalDisk(disk).journal().begin().records.map(\.id), Array(101...106))
    let old = InsightsJournal(path: "old.journal", disk: disk)
    try expectEqual(old.begin().records.map(\.id), Array(1...10))
  }

  /// The disk refuses to take it back at first.
  @Test(arguments: [false, true]) func aRefusedEventIsTakenBackLater(endsAtOnce: Bool) throws {
    let disk = SimulatedDisk()
    let journal = JournalDisk(disk).journal(.everyWrite)
    _ = try journal.begin()
    for id in UInt64(1)...2 { try journal.append(record(id)) }
    // The synchronization and the truncation.
    for call in 2...3 { disk.fail(call: disk.callCount + call, with: .error) }
    #expect(throws: SearchError.self) { try journal.append(record(3)) }
    if !endsAtOnce { try journal.acknowledge([1]) }
    journal.end()
    try expectEqual(
      JournalDisk(disk).journal().begin().records.map(\.id), endsAtOnce ? [1, 2] : [2])
  }

  @Test func eventsInAFileThatWasReplacedAreNotAcknowledged() throws {
    let disk = SimulatedDisk()
    let folder = JournalDisk(disk)
    let journal = folder.journal(.everyWrite)
    _ = try journal.begin()
    for id in UInt64(1)...4 { try journal.append(record(id)) }
    folder.bytes = folder.bytes  // Another file with the same bytes.
    for ids in [[1], [2], [3, 4]] as [[UInt64]] {
      #expect(throws: SearchError.self) { try journal.acknowledge(ids) }
    }
  }

  /// A replacement of which nobody knows whether it has the name, and which is removed or replaced
  /// by a file of another program.
  @Test(arguments: [nil, Array("a diary".utf8)], 0...2)
  func aReplacementThatIsGoneIsWrittenAgain(other: [UInt8]?, faults: Int) throws {
    let whole = SimulatedDisk()
    func live(_ disk: SimulatedDisk) throws -> InsightsJournal {
      let journal = JournalDisk(disk).journal(.everyWrite, compactionByteCount: 1)
      _ = try journal.begin()
      for id in UInt64(1)...4 { try journal.append(record(id)) }
      try? journal.acknowledge([1, 2, 3])
      return journal
    }
    let journal = try live(whole)
    journal.end()
    for call in 1...whole.callCount {
      let disk = SimulatedDisk()
      for number in call...call + faults { disk.fail(call: number, with: .error) }
      guard let journal = try? live(disk) else { continue }
      if disk["events.journal.rewriting"] != nil { disk["events.journal.rewriting"] = other }
      if (try? journal.append(record(5))) == nil { try journal.append(record(5)) }
      journal.end()
      let found = try JournalDisk(disk).journal().begin().records.map(\.id)
      #expect(Set(found).isSuperset(of: [4, 5]), "call \(call): \(found)")
    }
  }

  @Test func aFileOfAnotherOwnerWithTheNameOfTheRemainsStays() throws {
    let disk = SimulatedDisk()
    disk["events.journal.rewriting"] = Array("a diary".utf8)
    let folder = JournalDisk(disk)
    for _ in 0..<2 {
      let journal = folder.journal()
      _ = try journal.begin()
      journal.end()
    }
    expectEqual(folder.names, ["events.journal", "events.journal.rewriting"])
  }

  /// An acknowledged event does not come back, also not after a power failure. What a client found
  /// in the file counts, although the one before did not synchronize it.
  @Test(arguments: Seed.all(200)) func aPowerFailureKeepsWhatWasSynchronized(seed: Seed) throws {
    var generator = SeededGenerator(seed: seed.value)
    var disk = SimulatedDisk(seed: seed.value)
    var waiting: Set<UInt64> = []
    var next: UInt64 = 1
    for round in UInt64(0)..<4 {
      for synchronization in [InsightsJournal.Synchronization.never, .everyWrite] {
        let journal = JournalDisk(disk).journal(synchronization, compactionByteCount: 300)
        let backlog = try journal.begin()
        expectEqual(Set(backlog.records.map(\.id)), waiting)
        #expect(backlog.nextID <= next && backlog.records.allSatisfy { $0.id < backlog.nextID })
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
          if Bool.random(using: &generator) {
            try journal.append(record(next))
            waiting.insert(next)
            next += 1
          } else {
            let sent = waiting.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            try journal.acknowledge(Array(sent))
            waiting.subtract(sent)
          }
        }
        journal.end()
      }
      disk = disk.afterPowerFailure(seed: seed.value &+ round)
    }
  }

  /// Without synchronization, what is lost is lost, and nothing else is found.
  @Test(arguments: Seed.all(200)) func aPowerFailureLeavesAJournal(seed: Seed) throws {
    var generator = SeededGenerator(seed: seed.value)
    let disk = SimulatedDisk(seed: seed.value)
    let journal = JournalDisk(disk).journal(compactionByteCount: 300)
    _ = try journal.begin()
    for id in UInt64(1)...40 {
      try journal.append(record(id))
      if Bool.random(using: &generator) {
        try journal.acknowledge([UInt64.random(in: 1...id, using: &generator)])
      }
    }
    let left = JournalDisk(disk.afterPowerFailure(seed: seed.value)).journal()
    let records = try left.begin().records
    expectEqual(records, records.map { record($0.id) })
    try left.append(record(100))
    left.end()
    try expectEqual(left.begin().records, records + [record(100)])
  }

  /// A file that is not read: it has more bytes than memory.
  @Test func aLongFileIsRefusedByItsBeginning() throws {
    for isJournal in [false, true] {
      let folder = JournalDisk()
      let journal = folder.journal()
      _ = try journal.begin()
      journal.end()
      let start = isJournal ? folder.bytes : Array("This is not a journal at all.".utf8)
      let error = try #require(throws: SearchError.self) {
        try InsightsJournal(path: "events", disk: LongFileDisk(start: start)).begin()
      }
      let words = isJournal ? "longer than 1 GiB" : "is not an insights journal"
      #expect(error.message.contains(words), "\(error)")
    }
  }
}

/// A disk with a file of a terabyte, of which only the first bytes can be read.
private struct LongFileDisk: Disk {
  let start: [UInt8]

  func absolutePath(of path: String) throws -> String { path }

  func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile { LongFile(start: start) }

  func paths(beginningWith prefix: String) throws -> [String] { [] }

  func rename(_ path: String, to newPath: String) throws {}

  func remove(_ path: String) throws {}

  func synchronizeFolder(of path: String) throws {}
}

private final class LongFile: DiskFile {
  private let start: [UInt8]

  init(start: [UInt8]) { self.start = start }

  func size() throws -> Int { 1 << 40 }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    #expect(count < 100)
    return Array(start.dropFirst(offset).prefix(count))
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int { bytes.count }

  func truncate(to size: Int) throws {}

  func synchronize() throws {}

  func lock() throws -> Bool { true }

  func isNamed(_ path: String) throws -> Bool { true }
}
