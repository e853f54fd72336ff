import AsyncInstantSearchTesting
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// When the file is written, and what other calls do in the meantime.
struct CheckpointTests {
  private static func save(_ number: Int, in engine: LocalSearch) async throws {
    try await engine.save([["objectID": .string("\(number)")] as JSON], in: "items")
  }

  /// After the end of its use, an engine is one file.
  @Test func closingLeavesOneFile() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    for number in 0..<3 { try await Self.save(number, in: engine) }
    await engine.close()
    #expect(disk.paths == [KeptEngine.path, KeptEngine.path + ".lock"])
    let files = SimulatedDisk()
    files[KeptEngine.path] = disk[KeptEngine.path]
    let moved = try await KeptEngine.open(files, minimumJournalSize: .max)
    #expect(moved.recordCount(of: "items") == 3)
    // Closing twice, and without writes, changes nothing.
    let bytes = files[KeptEngine.path]
    await moved.close()
    await moved.close()
    #expect(files[KeptEngine.path] == bytes)
    #expect(files.paths == [KeptEngine.path, KeptEngine.path + ".lock"])
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
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    try await Self.save(1, in: engine)
    fails.withLock { $0 = true }
    await withTaskGroup { group in
      group.addTask { await engine.close() }
      group.cancelAll()
    }
    #expect(try await KeptEngine.open(disk).recordCount(of: "items") == 1)
  }

  /// A checkpoint that the disk refuses is tried again when the journal has grown, not at each
  /// write, and is reported.
  @Test func aRefusedCheckpointIsRepeatedRarely() async throws {
    let disk = SimulatedDisk()
    let isFull = Lock(true)
    let errors = Lock<[String]>([])
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: 2000)
    let threads = EngineThreads(coreCount: 2)
    configuration.threads = threads
    configuration.onCheckpointFailure = { error in errors.withLock { $0.append(error.message) } }
    configuration.disk = InterceptedDisk { call in
      if isFull.withLock({ $0 }), call == .rename(to: KeptEngine.path),
        disk[KeptEngine.path] != nil
      {
        throw DiskError(.full, path: KeptEngine.path)
      }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    for number in 0..<100 {
      try await Self.save(number, in: engine)
      // The checkpoint that the write asked for has ended.
      try await threads.runInBackground {}
    }
    let size = disk.paths.filter { $0.contains("journal") }.reduce(0) {
      $0 + (disk[$1]?.count ?? 0)
    }
    let failures = errors.withLock { $0 }
    #expect(failures.count > 1 && failures.count <= size / 2000)
    #expect(Set(failures) == ["Cannot save to a.search: the disk is full."])
    #expect(try await KeptEngine.open(disk.afterExit()).recordCount(of: "items") == 100)
    isFull.withLock { $0 = false }
    try await engine.checkpoint()
    #expect(disk.paths.filter { $0.contains("journal") }.count == 1)
    #expect(try await KeptEngine.open(disk.afterExit()).recordCount(of: "items") == 100)
  }

  /// A checkpoint without writes since the last one leaves the disk alone.
  @Test func aCheckpointWithoutWritesDoesNothing() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Self.save(1, in: engine)
    try await engine.checkpoint()
    let callCount = disk.callCount
    try await engine.checkpoint()
    #expect(disk.callCount == callCount)
  }

  /// A call that waits for the checkpoint of another one can be cancelled.
  @Test func waitingForAnotherCheckpointIsCancelled() async throws {
    let (disk, gate) = (SimulatedDisk(), HoldingGate())
    let holds = Lock(false)
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: .max)
    configuration.threads = EngineThreads(coreCount: 2)
    configuration.disk = InterceptedDisk { call in
      if call == .rename(to: KeptEngine.path), holds.withLock({ $0 }) { gate.hold() }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    try await Self.save(1, in: engine)
    holds.withLock { $0 = true }
    async let first: Void = engine.checkpoint()
    await gate.waitForCalls(1)
    // Writes go on in the meantime, and so does a second engine.
    try await Self.save(2, in: engine)
    let second = Task { try await engine.checkpoint() }
    second.cancel()
    await #expect(throws: SearchError(.cancelled, "")) {
      do { try await second.value } catch let error as SearchError {
        throw SearchError(error.code, "")
      }
    }
    #expect(!gate.isOpen)
    gate.open()
    try await first
    #expect(try await KeptEngine.open(disk.afterExit()).recordCount(of: "items") == 2)
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
    #expect(engine.recordCount(of: "items") == 1)
    gate.open()
    #expect(try await ids == ["made"])
    #expect(try await others == ["1"])
  }
}
