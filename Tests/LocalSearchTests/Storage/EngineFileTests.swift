import AsyncInstantSearchTesting
import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Saving an engine to a file, and opening it.
struct EngineFileTests {
  private static func message(
    _ disk: SimulatedDisk, _ path: String = "a.search"
  ) async -> String? {
    do {
      _ = try await LocalSearch(
        contentsOf: path, configuration: EngineFileFixture.configuration(disk))
      return nil
    } catch {
      expectEqual(error.code, .storage)
      return error.message
    }
  }

  private static func saved(seed: UInt64 = 1) async throws -> (SimulatedDisk, EngineFileFixture) {
    let disk = SimulatedDisk(seed: seed)
    let fixture = try await EngineFileFixture(
      seed: seed, configuration: EngineFileFixture.configuration(disk))
    try await fixture.engine.save(to: "a.search")
    return (disk, fixture)
  }

  @Test(arguments: Seed.all(200, quick: 6)) func anOpenedEngineAnswersTheSame(
    seed: Seed
  ) async throws {
    let (disk, fixture) = try await Self.saved(seed: seed.value)
    let configuration = EngineFileFixture.configuration(disk)
    let opened = try await LocalSearch(contentsOf: "a.search", configuration: configuration)
    let state = try await fixture.state(of: fixture.engine)
    try await expectEqual(fixture.state(of: opened), state)
    try await opened.save(to: "b.search")
    expectEqual(disk["a.search"], disk["b.search"])
    expectEqual(disk.paths, ["a.search", "b.search"])
    // It goes on as the other one.
    for engine in [fixture.engine, opened] {
      try await engine.save([["name": "red flower"] as JSON], in: "items")
      try await engine.delete(objectIDs: ["3", "4"], from: "items")
      try await engine.partialUpdate(
        [["objectID": "5", "size": 7] as JSON], in: "items")
    }
    try await expectEqual(fixture.state(of: opened), fixture.state(of: fixture.engine))
    #expect(try await fixture.state(of: fixture.engine) != state)
  }

  @Test func anEmptyEngineIsSaved() async throws {
    let disk = SimulatedDisk()
    let configuration = EngineFileFixture.configuration(disk)
    try await LocalSearch(configuration: configuration).save(to: "a.search")
    let opened = try await LocalSearch(contentsOf: "a.search", configuration: configuration)
    expectEqual(opened.indexNames, [])
  }

  @Test func filesOfTheSystemAreUsed() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let engine = try await LocalSearch(
      indexName: "items", records: [["objectID": "1", "name": "red"] as JSON])
    try await engine.save(to: path)
    try await engine.save([["objectID": "2", "name": "green"] as JSON], in: "items")
    try await engine.save(to: path)
    let opened = try await LocalSearch(contentsOf: path)
    expectEqual(opened.recordCount(of: "items"), 2)
    await #expect {
      _ = try await LocalSearch(contentsOf: path + ".none")
    } throws: { error in
      (error as? SearchError)?.message == "Cannot open \(path).none: there is no such file."
    }
    await #expect {
      try await engine.save(to: path + "/none/a.search")
    } throws: { error in
      (error as? SearchError)?.code == .storage
    }
    await #expect {
      _ = try await LocalSearch(contentsOf: FileManager.default.temporaryDirectory.path)
    } throws: { error in
      (error as? SearchError)?.message.hasSuffix("it is not a file.") == true
    }
  }

  @Test func otherFilesAreRefused() async throws {
    let (disk, _) = try await Self.saved()
    let bytes = try #require(disk["a.search"])
    for other in [[], Array("{}".utf8), [UInt8](repeating: 0, count: 4096)] {
      disk["a.search"] = other
      await expectEqual(
        Self.message(disk), "Cannot open a.search: it is not the file of an engine.")
    }
    var newer = bytes
    newer[8] = UInt8(FileFormat.version + 1)
    disk["a.search"] = newer
    await expectEqual(
      Self.message(disk),
      "Cannot open a.search: it has format \(FileFormat.version + 1), and this version reads up to"
        + " \(FileFormat.version); use a newer version of the package.")
    for count in [16, 17, bytes.count / 2, bytes.count - 1] {
      disk["a.search"] = Array(bytes[..<count])
      await expectEqual(Self.message(disk), "Cannot open a.search: it is incomplete.")
    }
  }

  /// A changed, cut or exchanged part is found, or has no meaning.
  @Test(arguments: Seed.all(2000, quick: 50)) func damageIsFound(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let (disk, fixture) = try await Self.saved(seed: seed.value % 8)
    var bytes = try #require(disk["a.search"])
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
    case 1:
      let length = Int.random(in: 1...min(512, bytes.count / 2), using: &random)
      let (first, second) = (
        Int.random(in: 0...bytes.count - length, using: &random),
        Int.random(in: 0...bytes.count - length, using: &random)
      )
      let part = Array(bytes[first..<first + length])
      bytes.replaceSubrange(first..<first + length, with: bytes[second..<second + length])
      bytes.replaceSubrange(second..<second + length, with: part)
    default:
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
    disk["a.search"] = bytes
    do {
      let opened = try await LocalSearch(
        contentsOf: "a.search", configuration: EngineFileFixture.configuration(disk))
      try await expectEqual(fixture.state(of: opened), fixture.state(of: fixture.engine))
    } catch let error as SearchError {
      expectEqual(error.code, .storage)
      #expect(error.message.hasPrefix("Cannot open a.search: it "), "\(error.message)")
    }
    expectEqual(disk["a.search"], bytes)
  }

  /// The article says what the files have.
  @Test func theArticleDescribesTheForm() throws {
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/LocalSearch/LocalSearch.docc/HowLocalSearchWorks.md")
    let text = String(decoding: try Data(contentsOf: article), as: UTF8.self)
    func bytes(_ bytes: [UInt8]) -> String {
      "`"
        + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined(separator: " ") + "`"
    }
    for part in [
      "The\nversion is \(FileFormat.version).", "this version reads up to \(FileFormat.version);",
      "| header | \(FileFormat.headerLength) | magic \(bytes(FileFormat.magic))",
      "| footer | \(FileFormat.footerLength) |", "magic \(bytes(FileFormat.endMagic))",
      "| header | \(Journal.headerLength) | magic \(bytes(Journal.magic))",
      "| entry | \(EntryHead.byteCount) + length + 16 | mark \(bytes(Journal.mark))",
      "end mark \(bytes(Journal.entryEndMark))", "every 1,024 of them",
    ] { #expect(text.contains(part), "\(part)") }
    expectEqual(CancellationCheck.interval, 1024)
  }

  /// A sparse file can claim a table of a terabyte.
  @Test func aHugeTableIsNotRead() throws {
    let count = 1 << 33
    let header = FileFormat.magic + LittleEndian.bytes(of: FileFormat.version) + [0, 0, 0, 0]
    var footer = [FileFormat.headerLength, count, 1].flatMap { LittleEndian.bytes(of: UInt64($0)) }
    footer += LittleEndian.bytes(of: Checksum.of(header + footer)) + FileFormat.endMagic
    let file = SparseFile(start: header, end: footer, tableLength: count * FileFormat.entryLength)
    let problem = #expect(throws: FileProblem.self) { try FileReader(file, CancellationCheck()) }
    expectEqual(problem?.description, "it is damaged: its table has another size")
  }

  /// Bytes that are wrong although every checksum is right make no call end the process.
  @Test(arguments: Seed.all(3000, quick: 50)) func wrongSectionsAreHarmless(
    seed: Seed
  ) async throws {
    var random = SeededGenerator(seed: seed.value)
    let (disk, fixture) = try await Self.saved(seed: seed.value % 8)
    var file = try ForgedFile(try #require(disk["a.search"]))
    let section = Int.random(in: 0..<file.sections.count, using: &random)
    let range = file.sections[section]
    try #require(!range.isEmpty)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let position = Int.random(in: range, using: &random)
      file.bytes[position] =
        Bool.random(using: &random)
        ? UInt8.random(in: .min ... .max, using: &random)
        : [0, 1, 0x7F, 0xFF].randomElement(using: &random) ?? 0
    }
    disk["a.search"] = file.withRightChecksums()
    do {
      let opened = try await LocalSearch(
        contentsOf: "a.search", configuration: EngineFileFixture.configuration(disk))
      _ = try await fixture.state(of: opened)
      try await opened.save([["objectID": "1", "name": "red"] as JSON], in: "items")
      try await opened.setSettings(IndexSettings(searchableAttributes: ["name"]), of: "items")
    } catch let error as SearchError {
      #expect(!error.message.isEmpty)
    }
  }

  /// Settings at their limit are read again, also those of a replica with what the engine adds.
  @Test func largestSettingsAreRead() async throws {
    let disk = SimulatedDisk()
    let configuration = EngineFileFixture.configuration(disk)
    let engine = LocalSearch(configuration: configuration)
    var settings = IndexSettings(replicas: ["sorted"])
    // The longest text that is accepted.
    var (low, high) = (0, 1 << 22)
    while low + 1 < high {
      settings.additionalSettings["x"] = .string(String(repeating: "a", count: (low + high) / 2))
      do {
        try await engine.setSettings(settings, of: "items")
        low = (low + high) / 2
      } catch {
        high = (low + high) / 2
      }
    }
    settings.additionalSettings["x"] = .string(String(repeating: "a", count: low))
    try await engine.setSettings(settings, of: "items")
    settings.replicas = []
    try await engine.setSettings(settings, of: "sorted")
    try await engine.save(to: "a.search")
    let opened = try await LocalSearch(contentsOf: "a.search", configuration: configuration)
    try await expectEqual(opened.settings(of: "sorted"), engine.settings(of: "sorted"))
    try await expectEqual(opened.settings(of: "sorted").additionalSettings["primary"], "items")
  }

  /// Settings that no call could have made are found, also if every checksum is right.
  @Test(arguments: [
    ("hitsPerPage\":999", "hitsPerPage\":9e9"), ("minProximity\":3", "minProximity\":9"),
  ])
  func invalidSettingsAreFound(valid: String, invalid: String) async throws {
    let disk = SimulatedDisk()
    let engine = LocalSearch(configuration: EngineFileFixture.configuration(disk))
    var settings = IndexSettings()
    settings.hitsPerPage = 999
    settings.minProximity = 3
    try await engine.setSettings(settings, of: "items")
    try await engine.save(to: "a.search")
    var file = try ForgedFile(try #require(disk["a.search"]))
    let (old, new) = (Array(valid.utf8), Array(invalid.utf8))
    let start = try #require(
      (0..<file.bytes.count - old.count).first { file.bytes[$0...].starts(with: old) })
    file.bytes.replaceSubrange(start..<start + old.count, with: new)
    disk["a.search"] = file.withRightChecksums()
    let message = await Self.message(disk) ?? ""
    #expect(message.hasPrefix("Cannot open a.search: it is damaged: settings "), "\(message)")
  }

  /// Whatever call of the disk fails, an older file stays or the new one is complete.
  @Test(arguments: SimulatedDisk.Fault.allCases) func anOlderFileStays(
    fault: SimulatedDisk.Fault
  ) async throws {
    let (start, fixture) = try await Self.saved()
    let old = try #require(start["a.search"])
    try await fixture.engine.save([["objectID": "new"] as JSON], in: "items")
    let first = SimulatedDisk()
    try await saving(fixture.engine, to: first, replacing: old)
    let new = try #require(first["a.search"])
    for call in 1...first.callCount {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.fail(call: call, with: fault)
      var isSaved = true
      do {
        try await saving(fixture.engine, to: disk, replacing: old)
      } catch {
        isSaved = false
        expectEqual(error.code, .storage)
        #expect(error.message.hasPrefix("Cannot save to a.search: "), "\(error.message)")
      }
      #expect(isSaved || fault != .short)
      for seed in 0..<UInt64(Thoroughness.count(2, thorough: 50)) {
        let bytes = disk.afterPowerFailure(seed: seed)["a.search"]
        #expect(bytes == new || !isSaved && bytes == old, "call \(call)")
      }
      // The sixth call creates the file that the others write.
      if fault != .crash, !isSaved, call > 6 {
        #expect(!disk.paths.contains("a.search.checkpoint"))
      }
    }
  }

  private func saving(
    _ engine: LocalSearch, to disk: SimulatedDisk, replacing old: [UInt8]
  ) async throws(SearchError) {
    disk["a.search"] = old
    try await engine.save(to: "a.search", on: disk)
  }
}

/// A file whose sections are changed, and whose checksums are made right again.
private struct ForgedFile {
  var bytes: [UInt8]
  private(set) var sections: [Range<Int>] = []
  private let table: Int

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    table = Self.number(bytes, bytes.count - 40)
    for entry in stride(from: table, to: bytes.count - 40, by: 32) {
      let start = Self.number(bytes, entry + 8)
      sections.append(start..<start + Self.number(bytes, entry + 16))
    }
  }

  func withRightChecksums() -> [UInt8] {
    var bytes = bytes
    func set(_ number: UInt64, at position: Int) {
      for byte in 0..<8 { bytes[position + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    for (number, range) in sections.enumerated() {
      set(Checksum.of(Array(bytes[range])), at: table + 32 * number + 24)
    }
    let footer = bytes.count - 40
    set(Checksum.of(Array(bytes[table..<footer])), at: footer + 16)
    set(Checksum.of(Array(bytes[..<16] + bytes[footer..<footer + 24])), at: footer + 24)
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
    bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A file of which only the first and the last bytes can be read.
private final class SparseFile: DiskFile {
  private let start: [UInt8]
  private let end: [UInt8]
  private let tableLength: Int

  init(start: [UInt8], end: [UInt8], tableLength: Int) {
    self.start = start
    self.end = end
    self.tableLength = tableLength
  }

  func size() throws -> Int { start.count + tableLength + end.count }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    #expect(count < 100)
    return Array((offset == 0 ? start : end).prefix(count))
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int { bytes.count }

  func truncate(to size: Int) throws {}

  func synchronize() throws {}

  func lock() throws -> Bool { true }

  func isNamed(_ path: String) throws -> Bool { true }
}
