@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Every acknowledged write of a kept engine survives, whatever fails.
struct EngineStorageTests {
  private typealias Step = KeptEngine.Step

  /// What happened to the steps on a disk.
  private struct Outcome {
    /// The steps that succeeded, in order.
    var done: [Step] = []
    /// The steps that failed after the last one that succeeded.
    var failed: [Step] = []
    /// What the engine had at the end; `nil` if it could not be opened.
    var state: [String]?
  }

  /// Makes all steps, those that fail included.
  private static func run(on disk: SimulatedDisk, _ steps: [Step]) async throws -> Outcome {
    var outcome = Outcome()
    let engine: LocalSearch
    do {
      engine = try await KeptEngine.open(disk)
    } catch {
      expectEqual(error.code, .storage)
      #expect(error.message.hasPrefix("Cannot open a.search: "), "\(error.message)")
      return outcome
    }
    for step in steps {
      let callCount = disk.callCount
      do {
        try await step.perform(on: engine)
        outcome.done.append(step)
        // A step that has nothing to do says nothing of the disk.
        if disk.callCount > callCount { outcome.failed = [] }
      } catch {
        expectEqual((error as? SearchError)?.code, .storage, "\(error)")
        if step.isWrite { outcome.failed.append(step) }
      }
    }
    outcome.state = try await KeptEngine.state(of: engine)
    await engine.close()
    return outcome
  }

  /// Checks what is there after the end of a program, or of the power.
  private static func check(
    _ disk: SimulatedDisk, _ outcome: Outcome, isLastUnknown: Bool, _ comment: String
  ) async throws {
    let found = try await KeptEngine.state(reopening: disk)
    let expected = try await KeptEngine.state(after: outcome.done)
    if let state = outcome.state { expectEqual(state, expected, "\(comment)") }
    if found == expected { return }
    // The end came during the first of them.
    let unknown = isLastUnknown ? outcome.failed.prefix(1) : []
    let other = try await KeptEngine.state(after: outcome.done + unknown)
    expectEqual(found, other, "\(comment) \(outcome.done) \(outcome.failed)")
  }

  @Test(arguments: Seed.all(100, quick: 10)) func writesSurvive(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let disk = SimulatedDisk(seed: seed.value)
    let steps = Step.allCases
    let count = Int.random(in: 1...steps.count, using: &random)
    let outcome = try await Self.run(on: disk, Array(steps.prefix(count)))
    expectEqual(outcome.done.count, count)
    try await Self.check(disk.afterExit(), outcome, isLastUnknown: false, "exit")
    try await Self.check(
      disk.afterPowerFailure(seed: seed.value), outcome, isLastUnknown: false, "power")
    // It goes on after it.
    let again = try await Self.run(on: disk, Array(steps.dropFirst(count)))
    expectEqual(again.failed, [])
    try await expectEqual(KeptEngine.state(reopening: disk), KeptEngine.state(after: steps))
  }

  /// One call after another fails, in each way.
  @Test(arguments: SimulatedDisk.Fault.allCases) func aFailureOfAnyCallLosesNothing(
    fault: SimulatedDisk.Fault
  ) async throws {
    let healthy = SimulatedDisk()
    _ = try await Self.run(on: healthy, Step.allCases)
    // A thorough run lets every call fail, another one every sixth.
    let step = Thoroughness.count(6, thorough: 1)
    for call in stride(from: 1, through: healthy.callCount, by: step) {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.fail(call: call, with: fault)
      let outcome = try await Self.run(on: disk, Step.allCases)
      if fault == .short { expectEqual(outcome.done, Step.allCases) }
      for seed in 0..<UInt64(Thoroughness.count(1, thorough: 5)) {
        let isUnknown = fault == .crash
        try await Self.check(
          disk.afterExit(), outcome, isLastUnknown: isUnknown, "\(fault) \(call), exit")
        try await Self.check(
          disk.afterPowerFailure(seed: seed), outcome, isLastUnknown: isUnknown,
          "\(fault) \(call), power \(seed)")
      }
    }
  }

  /// Many calls fail, and the power fails, several times.
  @Test(arguments: Seed.all(500, quick: 40)) func nothingIsLostInManyFailures(
    seed: Seed
  ) async throws {
    var random = SeededGenerator(seed: seed.value)
    var disk = SimulatedDisk(seed: seed.value)
    var outcome = Outcome()
    let steps = Step.allCases
    var next = 0
    while next < steps.count {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let call = disk.callCount + Int.random(in: 1...60, using: &random)
        disk.fail(
          call: call, with: SimulatedDisk.Fault.allCases.randomElement(using: &random) ?? .error)
      }
      let end = Int.random(in: next...steps.count, using: &random)
      let part = try await Self.run(on: disk, Array(steps[next..<end]))
      disk =
        Bool.random(using: &random)
        ? disk.afterExit() : disk.afterPowerFailure(seed: seed.value &* 31 &+ UInt64(next))
      outcome.done += part.done
      outcome.state = nil
      let found = try await KeptEngine.state(reopening: disk)
      // What became of a write is unknown if the disk failed again when it was taken back.
      for unknown in [[]] + part.failed.map({ [$0] }) {
        guard try await KeptEngine.state(after: outcome.done + unknown) == found else { continue }
        outcome.done += unknown
        break
      }
      try await expectEqual(
        KeptEngine.state(after: outcome.done), found,
        "\(next)..<\(end) \(outcome.done) \(part.failed) \(disk.paths) \(found.count)")
      disk = disk.afterExit()
      next = end == next ? end + 1 : end
    }
  }

  @Test func taskNumbersAndIDsGoOn() async throws {
    let disk = SimulatedDisk()
    func save(_ engine: LocalSearch) async throws -> JSON {
      let response = try await engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", "items"], body: Array("{}".utf8),
          callType: .write))
      return try JSON(parsing: response.body)
    }
    var tasks: [Int] = []
    var ids: Set<String> = []
    for round in 0..<4 {
      let engine = try await KeptEngine.open(disk)
      for _ in 0..<3 {
        let answer = try await save(engine)
        tasks.append(try #require(answer["taskID"]?.intValue))
        ids.insert(try #require(answer["objectID"]?.stringValue))
      }
      if round == 1 { try await engine.checkpoint() }
      await engine.close()
    }
    expectEqual(tasks, tasks.sorted())
    expectEqual(Set(tasks).count, 12)
    expectEqual(ids.count, 12)
  }

  /// Also the number of a write that changes nothing, whatever ends the process after it.
  @Test func taskNumbersOfWritesWithoutChangesAreNotGivenAgain() async throws {
    var disk = SimulatedDisk()
    var tasks: [Int] = []
    for _ in 0..<3 {
      let engine = try await KeptEngine.open(disk)
      for _ in 0..<2 {
        let response = try await engine.send(
          TransportRequest(.deleteIndex(index: "missing")))
        tasks.append(try #require(try JSON(parsing: response.body)["taskID"]?.intValue))
      }
      disk = disk.afterExit()
    }
    expectEqual(tasks, [1, 2, 3, 4, 5, 6])
  }

  @Test func anEngineUsesItsFileAlone() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk)
    await #expect {
      _ = try await KeptEngine.open(disk)
    } throws: { error in
      (error as? SearchError)?.message == "Cannot open a.search: another engine uses it."
    }
    await #expect {
      try await engine.save(to: KeptEngine.path)
    } throws: { error in
      (error as? SearchError)?.message
        == "Cannot save to a.search: an engine uses it; call its checkpoint() instead."
    }
    await engine.close()
    await #expect {
      try await engine.save([["objectID": "1"] as JSON], in: "items")
    } throws: { error in
      (error as? SearchError)?.message == "Cannot save to a.search: it was closed."
    }
    let other = try await KeptEngine.open(disk)
    try await other.save([["objectID": "1"] as JSON], in: "items")
    await other.close()
    // A file that is saved there has none of the writes of the older one.
    try await LocalSearch(configuration: KeptEngine.configuration(disk)).save(to: "b.search")
    try await expectEqual(KeptEngine.open(disk).recordCount(of: "items"), 1)
  }

  /// A failed write does not come back when the file is written after it.
  @Test func aWriteThatFailedStaysAway() async throws {
    let clean = SimulatedDisk()
    let first = try await KeptEngine.open(clean, minimumJournalSize: .max)
    try await Step.save.perform(on: first)
    let callCount = clean.callCount
    // The entry is on the disk, and neither the disk nor its removal is confirmed.
    for fault in [SimulatedDisk.Fault.error, .lateError] {
      let disk = SimulatedDisk()
      let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
      try await Step.save.perform(on: engine)
      for call in callCount + 1...callCount + 12 {
        if call != callCount + 1 {
          disk.fail(call: call, with: call < callCount + 6 ? fault : .error)
        }
      }
      await #expect(throws: SearchError.self) { try await engine.clear("items") }
      // If the program ends here, what became of the write is unknown.
      let reopened = try await KeptEngine.open(disk.afterExit())
      #expect([0, 8].contains(reopened.recordCount(of: "items")))
      await #expect(throws: SearchError.self) { try await engine.checkpoint() }
      while disk.callCount < callCount + 12 {
        await #expect(throws: SearchError.self) { try await engine.checkpoint() }
      }
      try await engine.save([["objectID": "99"] as JSON], in: "items")
      expectEqual(engine.recordCount(of: "items"), 9)
      try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 9)
    }
    await first.close()
  }

  /// An engine in memory does not leave out writes in silence.
  @Test func newerWritesAreNotLeftOut() async throws {
    let disk = SimulatedDisk()
    let configuration = KeptEngine.configuration(disk)
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Step.save.perform(on: engine)
    await #expect {
      _ = try await LocalSearch(contentsOf: KeptEngine.path, configuration: configuration)
    } throws: { error in
      (error as? SearchError)?.message.contains("its journal has newer writes") == true
    }
    try await engine.checkpoint()
    let opened = try await LocalSearch(contentsOf: KeptEngine.path, configuration: configuration)
    expectEqual(opened.recordCount(of: "items"), 8)
    await engine.close()
  }

  /// The end of the engine ends the use of its file.
  @Test func theLastReferenceEndsTheUse() async throws {
    let disk = SimulatedDisk()
    for number in 0..<5 {
      let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
      try await engine.save([["objectID": .string("\(number)")] as JSON], in: "items")
    }
    try await expectEqual(
      KeptEngine.open(disk, minimumJournalSize: .max).recordCount(of: "items"), 5)
  }

  /// A changed byte of a journal is found, unless it is that of the last entry's end.
  @Test(arguments: Seed.all(1000, quick: 40)) func damageOfAJournalIsFound(
    seed: Seed
  ) async throws {
    var random = SeededGenerator(seed: seed.value)
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    for step in [Step.settings, .save, .partialUpdate] { try await step.perform(on: engine) }
    let state = try await KeptEngine.state(of: engine)
    let path = try #require(disk.paths.first { $0.contains("journal") })
    var bytes = try #require(disk[path])
    let position = Int.random(in: 0..<bytes.count, using: &random)
    bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    disk[path] = bytes
    do {
      let reopened = try await KeptEngine.state(reopening: disk.afterExit())
      expectEqual(reopened, state, "\(position)")
      // The end marks are not part of the entries.
    } catch let error as SearchError {
      expectEqual(error.code, .storage)
      #expect(error.message.hasPrefix("Cannot open a.search: it"), "\(error.message)")
    }
  }
}
