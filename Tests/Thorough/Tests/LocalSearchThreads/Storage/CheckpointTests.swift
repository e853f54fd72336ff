@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// When the file is written, and what other calls do in the meantime.
struct CheckpointTests {
  private static func save(_ number: Int, in engine: LocalSearch) async throws {
    try await engine.save([["objectID": .string("\(number)")] as JSON], in: "items")
  }

  /// Returns an engine with one record whose next checkpoint waits before the file is renamed.
  private static func engine(
    on disk: SimulatedDisk, holding gate: HoldingGate
  ) async throws -> LocalSearch {
    let holds = KeptEngine.Switch()
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: .max)
    configuration.threads = EngineThreads(coreCount: 2)
    configuration.disk = InterceptedDisk { call in
      if call == .rename(to: KeptEngine.path), holds.isOn.withLock({ $0 }) { gate.hold() }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    try await save(1, in: engine)
    holds.isOn.withLock { $0 = true }
    return engine
  }

  /// Returns an engine with one record whose file is not written at the end for a short journal.
  private static func engineWithLargeFile(on disk: SimulatedDisk) async throws -> LocalSearch {
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    let text = String(repeating: "a", count: 2_000_000)
    try await engine.save([["objectID": "0", "text": .string(text)] as JSON], in: "items")
    try await engine.checkpoint()
    return engine
  }

  /// After the end of its use, an engine is one file.
  @Test func closingLeavesOneFile() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    for number in 0..<3 { try await Self.save(number, in: engine) }
    await engine.close()
    expectEqual(disk.paths, [KeptEngine.path, KeptEngine.path + ".lock"])
    let files = SimulatedDisk()
    files[KeptEngine.path] = disk[KeptEngine.path]
    let moved = try await KeptEngine.open(files, minimumJournalSize: .max)
    expectEqual(moved.recordCount(of: "items"), 3)
    // Closing twice, and without writes, changes nothing.
    let bytes = files[KeptEngine.path]
    await moved.close()
    await moved.close()
    expectEqual(files[KeptEngine.path], bytes)
    expectEqual(files.paths, [KeptEngine.path, KeptEngine.path + ".lock"])
  }

  /// The use ends also in a task that is cancelled, and if the disk refuses the file.
  @Test(arguments: [false, true]) func closingEndsTheUse(isFull: Bool) async throws {
    let disk = SimulatedDisk()
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: .max)
    let fails = Lock(false)
    configuration.disk = InterceptedDisk { call in
      if isFull, fails.withLock({ $0 }), case .rename = call { throw DiskError(.full, path: "") }
      return disk
    }
    let failures = Lock(0)
    configuration.onCheckpointFailure = { _ in failures.withLock { $0 += 1 } }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    try await Self.save(1, in: engine)
    fails.withLock { $0 = true }
    if isFull {
      await engine.close()
      expectEqual(failures.withLock { $0 }, 1)
    } else {
      await withTaskGroup { group in
        group.addTask { await engine.close() }
        group.cancelAll()
      }
    }
    try await expectEqual(KeptEngine.open(disk).recordCount(of: "items"), 1)
  }

  /// A checkpoint that the disk refuses is tried again when the journal has grown, not at each
  /// write, and is reported.
  @Test func aRefusedCheckpointIsRepeatedRarely() async throws {
    let disk = SimulatedDisk()
    let isFull = Lock(true)
    let errors = Lock<[String]>([])
    let (failed, failure) = AsyncStream<Void>.makeStream()
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: 2000)
    configuration.onCheckpointFailure = { error in
      errors.withLock { $0.append(error.message) }
      failure.yield()
    }
    configuration.disk = InterceptedDisk { call in
      if isFull.withLock({ $0 }), call == .rename(to: KeptEngine.path),
        disk[KeptEngine.path] != nil
      {
        throw DiskError(.full, path: KeptEngine.path)
      }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    for number in 0..<100 { try await Self.save(number, in: engine) }
    for await _ in failed { break }
    await engine.close()
    let size = disk.paths.filter { $0.contains("journal") }
      .reduce(0) { $0 + (disk[$1]?.count ?? 0) }
    let messages = errors.withLock { $0 }
    // The last one is that of the end.
    #expect(messages.count <= size / 2000 + 1)
    expectEqual(Set(messages), ["Cannot save to a.search: the disk is full."])
    try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 100)
    isFull.withLock { $0 = false }
    let again = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    try await again.checkpoint()
    expectEqual(disk.paths.filter { $0.contains("journal") }.count, 1)
    try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 100)
  }

  /// A change of settings is not indexed again at each opening, although its entry is short.
  @Test func closingFoldsSettingsIn() async throws {
    let disk = SimulatedDisk()
    let engine = try await Self.engineWithLargeFile(on: disk)
    try await Self.save(1, in: engine)
    await engine.close()
    #expect(disk.paths.contains("a.search.journal-8"))
    let again = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await again.setSettings(IndexSettings(searchableAttributes: ["color"]), of: "items")
    await again.close()
    #expect(!disk.paths.contains { $0.contains("journal") })
  }

  /// Settings that change while the first file with records is written count as much as that file.
  @Test func settingsBesideTheFirstCheckpointAreFoldedIn() async throws {
    let (disk, gate) = (SimulatedDisk(), HoldingGate())
    let engine = try await Self.engine(on: disk, holding: gate)
    let text = String(repeating: "a", count: 2_000_000)
    try await engine.save([["objectID": "0", "text": .string(text)] as JSON], in: "items")
    async let checkpoint: Void = engine.checkpoint()
    await gate.waitForCalls(1)
    try await engine.setSettings(IndexSettings(searchableAttributes: ["color"]), of: "items")
    gate.open()
    try await checkpoint
    #expect(disk.paths.contains("a.search.journal-8"))
    await engine.close()
    #expect(!disk.paths.contains { $0.contains("journal") })
  }

  /// Changes of settings have short entries, and reading each indexes all records again. They ask
  /// for a checkpoint as writes of that many records do.
  @Test func manyChangesOfSettingsAreFoldedIn() async throws {
    let disk = SimulatedDisk()
    let (renamed, rename) = AsyncStream<Void>.makeStream()
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: 300_000)
    configuration.disk = InterceptedDisk { call in
      if call == .rename(to: KeptEngine.path) { rename.yield() }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    let text = String(repeating: "a ", count: 50_000)
    try await engine.save([["objectID": "0", "text": .string(text)] as JSON], in: "items")
    try await engine.checkpoint()
    for number in 0..<4 {
      try await engine.setSettings(
        IndexSettings(searchableAttributes: ["text", "\(number)"]), of: "items")
    }
    // The first two are those of the new file and of the call.
    var count = 0
    for await _ in renamed {
      count += 1
      if count == 3 { break }
    }
    await engine.close()
    try await expectEqual(KeptEngine.open(disk).recordCount(of: "items"), 1)
  }

  /// The engine folds in a journal that is too long, or slow to read, when it has opened it.
  @Test func openingFoldsALongJournalIn() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    for number in 0..<30 { try await Self.save(number, in: engine) }
    let killed = disk.afterExit()
    let (renamed, rename) = AsyncStream<Void>.makeStream()
    var configuration = KeptEngine.configuration(killed)
    configuration.disk = InterceptedDisk { call in
      if call == .rename(to: KeptEngine.path) { rename.yield() }
      return killed
    }
    let again = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    for await _ in renamed { break }
    await again.close()
    try await expectEqual(KeptEngine.open(killed).recordCount(of: "items"), 30)
  }

  /// A checkpoint without writes since the last one only looks whether the file is there.
  @Test func aCheckpointWithoutWritesDoesNothing() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Self.save(1, in: engine)
    try await engine.checkpoint()
    let callCount = disk.callCount
    try await engine.checkpoint()
    expectEqual(disk.callCount, callCount + 1)
  }

  /// Checkpoints, writes and the end at once: the next engine has every acknowledged write.
  @Test(arguments: Seed.all(40, quick: 5)) func checkpointsBesideWritesLoseNothing(
    seed: Seed
  ) async throws {
    var disk = SimulatedDisk(seed: seed.value)
    var count = 0
    for round in 0..<3 {
      let engine = try await KeptEngine.open(disk)
      let saved = try await withThrowingTaskGroup(of: Int.self) { group in
        for writer in 0..<3 {
          group.addTask {
            for number in 0..<8 {
              let id = "\(round)-\(writer)-\(number)"
              try await engine.save([["objectID": .string(id)] as JSON], in: "items\(writer)")
            }
            return 8
          }
        }
        group.addTask {
          for _ in 0..<3 { try await engine.checkpoint() }
          return 0
        }
        return try await group.reduce(0, +)
      }
      count += saved
      if round == 1 { await engine.close() }
      disk = disk.afterPowerFailure(seed: seed.value)
      let reopened = try await KeptEngine.open(disk)
      expectEqual((0..<3).reduce(0) { $0 + (reopened.recordCount(of: "items\($1)") ?? 0) }, count)
      await reopened.close()
    }
  }

  /// Writes that come before a checkpoint begins ask for one, and not for one each.
  @Test func oneCheckpointIsMadeForManyWrites() async throws {
    let disk = SimulatedDisk()
    let renames = Lock(0)
    var configuration = KeptEngine.configuration(disk)
    let threads = EngineThreads(coreCount: 1)
    configuration.threads = threads
    configuration.disk = InterceptedDisk { call in
      if call == .rename(to: KeptEngine.path) { renames.withLock { $0 += 1 } }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    let gate = HoldingGate()
    async let held: Void = threads.runInBackground(.checkpoint) { gate.hold() }
    await gate.waitForCalls(1)
    for number in 0..<30 {
      try await engine.save([["objectID": .string("\(number)")] as JSON], in: "items")
    }
    gate.open()
    try await held
    await engine.close()
    // The first one creates the file, and the last one is that of the end.
    #expect(renames.withLock { $0 } <= 3)
    try await expectEqual(KeptEngine.open(disk).recordCount(of: "items"), 30)
  }

  /// A call that waits for the checkpoint of another one can be cancelled.
  @Test func waitingForAnotherCheckpointIsCancelled() async throws {
    let (disk, gate) = (SimulatedDisk(), HoldingGate())
    let engine = try await Self.engine(on: disk, holding: gate)
    async let first: Void = engine.checkpoint()
    await gate.waitForCalls(1)
    // Writes go on in the meantime.
    try await Self.save(2, in: engine)
    let second = Task { try await engine.checkpoint() }
    while engine.checkpointWaitingCount == 0 { await Task.yield() }
    second.cancel()
    await #expect(throws: SearchError(.cancelled, "")) {
      do { try await second.value } catch let error as SearchError {
        throw SearchError(error.code, "")
      }
    }
    #expect(!gate.isOpen)
    gate.open()
    try await first
    try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 2)
  }

  /// The use has ended when a call of `close()` returns, also beside a checkpoint and other calls.
  @Test func closingWaitsForACheckpoint() async throws {
    let (disk, gate) = (SimulatedDisk(), HoldingGate())
    let engine = try await Self.engine(on: disk, holding: gate)
    async let checkpoint: Void = engine.checkpoint()
    await gate.waitForCalls(1)
    let closing = (0..<3).map { _ in
      Task {
        await engine.close()
        return gate.isOpen
      }
    }
    closing[0].cancel()
    while engine.checkpointWaitingCount == 0 { await Task.yield() }
    await #expect(throws: SearchError.self) { _ = try await KeptEngine.open(disk) }
    gate.open()
    for task in closing { #expect(await task.value) }
    try await expectEqual(KeptEngine.open(disk).recordCount(of: "items"), 1)
    try await checkpoint
    await #expect {
      try await engine.checkpoint()
    } throws: { error in
      (error as? SearchError)?.message == "Cannot save to a.search: it was closed."
    }
  }

  /// A write that was an error, and could not be taken back, is not there after an orderly end.
  @Test func closingLeavesNoWriteThatFailed() async throws {
    let disk = SimulatedDisk()
    let engine = try await Self.engineWithLargeFile(on: disk)
    var callCount = disk.callCount
    try await Self.save(1, in: engine)
    let count = disk.callCount - callCount
    callCount = disk.callCount
    // Its entry is written, and then neither brought to the disk nor cut off.
    for call in [count - 1, count] { disk.fail(call: callCount + call, with: .error) }
    await #expect(throws: SearchError.self) { try await Self.save(2, in: engine) }
    try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 3)
    await engine.close()
    try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 2)
  }

  /// Loads that take long leave the threads of other writes alone.
  @Test func loadsDoNotStopWrites() async throws {
    let gate = HoldingGate()
    var configuration = LocalSearch.Configuration(makeObjectID: {
      gate.hold()
      return "made"
    })
    configuration.threads = EngineThreads(coreCount: 1)
    let engine = LocalSearch(configuration: configuration)
    async let ids = engine.load(Array(#"{"color":"red"}"#.utf8), into: "loaded")
    async let others = engine.load(Array(#"{"objectID":"1"}"#.utf8), into: "other")
    await gate.waitForCalls(1)
    try await Self.save(1, in: engine)
    expectEqual(engine.recordCount(of: "items"), 1)
    gate.open()
    try await expectEqual(ids, ["made"])
    try await expectEqual(others, ["1"])
  }
}
