@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Files of one engine at several times, or of its copies, do not become one engine.
struct CopiedFilesTests {
  private typealias Step = KeptEngine.Step

  /// Copies of the file alone, or of all files, are put back over a later state at any time. The
  /// engine has what the copy had, or what the later state had, or opens nothing.
  @Test(arguments: Seed.all(500, quick: 30)) func copiesThatArePutBackAreNotMixed(
    seed: Seed
  ) async throws {
    var random = SeededGenerator(seed: seed.value)
    var disk = SimulatedDisk(seed: seed.value)
    var copies: [(files: [String: [UInt8]], state: [String])] = []
    for step in 0..<12 {
      let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        try await Step.saveMore.perform(on: engine)
        try await engine.save([["objectID": .string("step \(step)")] as JSON], in: "items")
        if Int.random(in: 0..<3, using: &random) == 0 { try await engine.checkpoint() }
      }
      let state = try await KeptEngine.state(of: engine)
      let isClosed = Bool.random(using: &random)
      if isClosed { await engine.close() }
      disk = disk.afterExit()
      // The file alone is enough only if the engine was closed.
      let hasAll = !isClosed || Bool.random(using: &random)
      var files: [String: [UInt8]] = [:]
      for path in hasAll ? disk.paths : [KeptEngine.path] { files[path] = disk[path] }
      copies.append((files, state))
      guard Int.random(in: 0..<3, using: &random) == 0,
        let copy = copies.randomElement(using: &random)
      else { continue }
      let mixed = disk.afterExit()
      for (path, bytes) in copy.files { mixed[path] = bytes }
      do {
        let found = try await KeptEngine.state(reopening: mixed)
        #expect(found == copy.state || found == state, "\(step) \(mixed.paths)")
      } catch let error as SearchError {
        #expect(error.message.contains("move that journal away"), "\(error.message)")
        // What the message says is enough.
        for path in mixed.paths where path.contains("journal") && copy.files[path] == nil {
          mixed[path] = nil
        }
        try await expectEqual(KeptEngine.state(reopening: mixed.afterExit()), copy.state)
      }
    }
  }

  /// Two copies go on apart, with as many writes each. A copy with some files of the other one has
  /// what one of them had at some time, or opens nothing.
  @Test(arguments: Seed.all(500, quick: 50)) func copiesThatGoOnAreNotMixed(
    seed: Seed
  ) async throws {
    var random = SeededGenerator(seed: seed.value)
    let disk = SimulatedDisk(seed: seed.value)
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    if Bool.random(using: &random) { try await Step.save.perform(on: engine) }
    var copies = [disk.afterExit(), disk.afterExit()]
    var states: Set<[String]> = []
    let actions = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Int.random(in: 0...7, using: &random)
    }
    for index in copies.indices {
      let fails = KeptEngine.Switch()
      var engine = try await KeptEngine.open(copies[index], failingCheckpoints: fails)
      states.insert(try await KeptEngine.state(of: engine))
      for (number, action) in actions.enumerated() {
        switch action {
        case 0: try await engine.checkpoint()
        case 1:
          // The next journal begins, and the file stays.
          fails.isOn.withLock { $0 = true }
          try? await engine.checkpoint()
          fails.isOn.withLock { $0 = false }
        case 2:
          await engine.close()
          engine = try await KeptEngine.open(copies[index], failingCheckpoints: fails)
        case 3:
          copies[index] = copies[index].afterExit()
          engine = try await KeptEngine.open(copies[index], failingCheckpoints: fails)
        default:
          let id = "write \(number) of copy \(index)"
          try await engine.save([["objectID": .string(id)] as JSON], in: "items")
          states.insert(try await KeptEngine.state(of: engine))
        }
      }
      copies[index] = copies[index].afterExit()
    }
    let mixed = copies[0].afterExit()
    for path in copies[1].paths where Bool.random(using: &random) {
      mixed[path] = copies[1][path]
    }
    do {
      let found = try await KeptEngine.state(reopening: mixed)
      #expect(states.contains(found), "\(actions) \(mixed.paths)")
    } catch let error as SearchError {
      #expect(error.message.contains("move that journal away"), "\(error.message)")
    }
  }

  /// Writes of an engine whose file was replaced are not removed, whatever their journal's number.
  @Test func journalsOfAnotherFileStay() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Step.save.perform(on: engine)
    let state = try await KeptEngine.state(of: engine)
    let other = SimulatedDisk()
    let otherEngine = try await KeptEngine.open(other, minimumJournalSize: .max)
    try await Step.saveMore.perform(on: otherEngine)
    try await otherEngine.checkpoint()
    let journals = disk.paths.filter { $0.contains("journal-7") }
    expectEqual(journals.count, 1)
    let file = disk[KeptEngine.path]
    let mixed = disk.afterExit()
    mixed[KeptEngine.path] = other[KeptEngine.path]
    try await expectEqual(
      KeptEngine.state(reopening: mixed), KeptEngine.state(of: otherEngine))
    mixed[KeptEngine.path] = file
    for path in mixed.paths where path.contains("journal-8") { mixed[path] = nil }
    try await expectEqual(KeptEngine.state(reopening: mixed.afterExit()), state)
  }
}
