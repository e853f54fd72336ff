import AsyncInstantSearch
import Foundation
import LocalSearch

/// Measures the file of an engine: saving it, opening it, and what the journal adds to opening.
struct EngineFiles {
  let engine: LocalSearch
  let index: String
  /// The file of the records that the engine has.
  let records: URL
  /// The time in which they were indexed, in seconds.
  let indexing: Double

  /// The size of the part of a file at which a checkpoint begins.
  private static let journalPart = 8

  /// Measures saving to a file and opening it.
  func measureFile() async throws -> [(String, Double)] {
    let folder = try Folder()
    defer { folder.remove() }
    let path = folder.path("a.search")
    let saving = try await seconds { try await engine.save(to: path) }
    let size = try folder.size("a.search")
    let opening = try await opening { try await LocalSearch(contentsOf: path) }
    return [
      ("size_mb", Double(size) / 1_000_000), ("save_ms", 1000 * saving), ("open_p50_ms", opening),
      ("open_per_index", opening / (1000 * indexing)),
    ]
  }

  /// Measures a load into an engine that keeps it, and opening the file with a journal that is
  /// nearly large enough for a checkpoint.
  func measureKept(_ settings: IndexSettings) async throws -> [(String, Double)] {
    let folder = try Folder()
    defer { folder.remove() }
    let kept = try await LocalSearch(file: folder.path("a.search"))
    try await SearchClient(transport: kept).setSettings(settings, of: index)
    let memory = ProcessFigures.memory
    let loading = try await seconds { try await kept.load(contentsOf: records, into: index) }
    let growth = ProcessFigures.peakMemory - memory
    let checkpoint = try await seconds { try await kept.checkpoint() }
    let size = try folder.size("a.search")
    let lines = try String(contentsOf: records, encoding: .utf8).split(separator: "\n")
      .map { try JSON(parsing: Array($0.utf8)) }
    var (written, next) = (0, 0)
    while true {
      let batch = (0..<100).map { lines[(next + $0) % lines.count] }
      written += batch.reduce(0) { $0 + $1.text.utf8.count + 64 }
      if written > size / Self.journalPart { break }
      next += 100
      try await SearchClient(transport: kept).save(batch, in: index)
    }
    // The process could end here. Each opening needs a copy, because closing makes a checkpoint.
    let journals = try folder.names().filter { $0.contains(".journal-") }
    let journalSize = try journals.reduce(0) { try $0 + folder.size($1) }
    var times: [Double] = []
    for _ in 0..<5 {
      let copies = try Folder()
      defer { copies.remove() }
      for name in ["a.search"] + journals { try folder.copy(name, to: copies) }
      let start = ContinuousClock.now
      let opened = try await LocalSearch(file: copies.path("a.search"))
      times.append(start.duration(to: .now).microseconds / 1000)
      guard opened.recordCount(of: index) == kept.recordCount(of: index) else {
        throw Mismatch(description: "the file has other records")
      }
    }
    await kept.close()
    return [
      ("load_s", loading), ("load_per_index", loading / indexing),
      ("peak_mb", Double(growth) * 1024 / 1_000_000), ("checkpoint_ms", 1000 * checkpoint),
      ("journal_mb", Double(journalSize) / 1_000_000), ("open_p50_ms", times.percentile(50)),
      ("open_per_index", times.percentile(50) / (1000 * indexing)),
    ]
  }

  /// Returns the median time of opening, in milliseconds.
  private func opening(_ open: () async throws -> LocalSearch) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<9 {
      let start = ContinuousClock.now
      let opened = try await open()
      times.append(start.duration(to: .now).microseconds / 1000)
      guard opened.recordCount(of: index) == engine.recordCount(of: index) else {
        throw Mismatch(description: "the file has other records")
      }
    }
    return times.percentile(50)
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return start.duration(to: .now) / .seconds(1)
  }
}

/// A folder of its own for the files of a measurement.
private struct Folder {
  private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path) }

  func size(_ name: String) throws -> Int {
    try url.appending(path: name).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }

  func copy(_ name: String, to other: Folder) throws {
    try FileManager.default.copyItem(atPath: path(name), toPath: other.path(name))
  }
}
