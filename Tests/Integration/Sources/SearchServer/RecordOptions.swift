import ArgumentParser
import AsyncInstantSearch
import Foundation
import InstantSearchService
import LocalSearch
import Logging

/// The settings of the indices that are loaded.
struct LoadedSettings: Sendable {
  var ofAll: IndexSettings?
  var ofIndex: [String: IndexSettings] = [:]

  subscript(index: String) -> IndexSettings? { ofIndex[index] ?? ofAll }
}

/// What the server has.
struct RecordOptions: ParsableArguments {
  @Option(
    help: """
      Load records, JSON or one object a line, into the index of the file's name, unless --file \
      has it.
      """)
  var load: [String] = []
  @Option(help: "Keep the engine in this file, and the keys beside it. Defaults to memory.")
  var file: String?
  @Option(help: "Copy the engine and the keys to this file each hour.")
  var backup: String?
  @Option(help: "The seconds between two copies.") var backupInterval = 3_600
  @Option(help: "Settings of the loaded indices, or of one as INDEX=FILE.")
  var settings: [String] = []

  func validate() throws {
    guard (1...1 << 40).contains(backupInterval) else {
      throw ValidationError("--backup-interval must be from 1 to \(1 << 40).")
    }
  }

  func readSettings() async throws -> LoadedSettings {
    var all = LoadedSettings()
    let names = Set(load.map(Self.indexName))
    for option in settings {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, names.contains(parts[0]) {
        all.ofIndex[parts[0]] = try await Self.settings(in: parts[1])
      } else if parts.count == 2, !FileManager.default.fileExists(atPath: option) {
        throw ValidationError("--settings names the index \(parts[0]), which --load does not load.")
      } else {
        all.ofAll = try await Self.settings(in: option)
      }
    }
    for path in load where !FileManager.default.isReadableFile(atPath: path) {
      throw ServerFailure("The file \(path) of --load cannot be read.")
    }
    return all
  }

  private static func settings(in path: String) async throws -> IndexSettings {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServerFailure("The file \(path) of --settings cannot be read.")
    }
    do {
      let settings = try JSONDecoder().decode(IndexSettings.self, from: data)
      // A misspelt name would have no effect, and nobody would see it.
      let engine = LocalSearch(configuration: .init(accepts: .known))
      try await SearchClient(transport: engine).setSettings(
        settings, of: "index")
      return settings
    } catch let error as SearchError {
      throw ServerFailure("The file \(path) has wrong settings: \(error.message)")
    } catch let error as DecodingError {
      throw ServerFailure("The file \(path) has no settings: \(ServerFailure.text(of: error))")
    }
  }

  private static func indexName(of path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  func openEngine(
    _ logger: Logger, _ limits: LimitOptions, _ listening: ListeningOptions
  ) async throws -> LocalSearch {
    var configuration = LocalSearch.Configuration(
      clock: ContinuousClock(), timestamp: { Date.now.formatted(.iso8601) },
      onCheckpointFailure: { error in
        logger.error(
          "could not write a new checkpoint; the journal grows",
          metadata: [
            "error": "\(error)"
          ])
      })
    configuration.maximumResponseSize = limits.maxResponseSize
    configuration.accepts = listening.strict ? .honored : .everything
    configuration.rejectsMistakes = listening.strict
    guard let file else { return LocalSearch(configuration: configuration) }
    return try await LocalSearch(file: file, configuration: configuration)
  }

  /// Loads the files, with a bar for each on a terminal.
  func load(into engine: LocalSearch, _ settings: LoadedSettings) async throws {
    let client = SearchClient(transport: engine)
    for path in load {
      let index = Self.indexName(of: path)
      // Loading again would undo the writes that were acknowledged since, and a second index tells
      // whether an earlier start ended before it was done.
      let unfinished = index + ".unfinished"
      if let count = engine.recordCount(of: index), engine.recordCount(of: unfinished) == nil {
        say("\(index): \(count) records, as kept")
        continue
      }
      try await client.setSettings(IndexSettings(), of: unfinished)
      try await client.deleteIndex(index)
      if let settings = settings[index] { try await client.setSettings(settings, of: index) }
      let progress = LoadProgress()
      async let ids = engine.load(
        contentsOf: URL(fileURLWithPath: path), into: index, progress: progress)
      let isTerminal = isatty(STDOUT_FILENO) == 1
      for await state in progress where isTerminal { Self.showBar(index, state) }
      let count: Int
      do {
        count = try await ids.count
      } catch {
        if isTerminal { say("") }
        throw ServerFailure("The file \(path) cannot be loaded: \(error)")
      }
      try await client.deleteIndex(unfinished)
      say((isTerminal ? "\r\u{1B}[K" : "") + "\(index): \(count) records")
    }
  }

  /// Copies the engine and the keys each time until the task is cancelled. A failure is in the log,
  /// and the next copy is made in its time.
  ///
  /// The first copy is not made at once, and nothing empty takes the place of a copy: a server that
  /// was started with a wrong or a lost file would take the backup away.
  func backUp(_ engine: LocalSearch, _ keys: ServiceKeys, _ logger: Logger) async {
    guard let backup else { return }
    while (try? await Task.sleep(for: .seconds(backupInterval))) != nil {
      do {
        try Self.check(isEmpty: engine.indexNames.isEmpty, for: backup)
        try await engine.save(to: backup)
        try Self.check(isEmpty: keys.changes.isEmpty, for: backup + ".keys")
        try await keys.save(to: backup + ".keys")
        logger.info("backed up", metadata: ["file": "\(backup)"])
      } catch {
        logger.error("not backed up", metadata: ["file": "\(backup)", "error": "\(error)"])
      }
    }
  }

  private static func check(isEmpty: Bool, for path: String) throws {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    if isEmpty, size ?? 0 > 0 { throw ServerFailure("nothing is there to replace \(path) with") }
  }

  private static func showBar(_ name: String, _ state: LoadProgress.State) {
    let width = 30
    let filled = Int(state.fraction * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    print("\r\(name) [\(bar)] \(state.records) records", terminator: "")
    fflush(nil)
  }
}
