import ArgumentParser
import AsyncInstantSearch
import Foundation
import Hummingbird
import HummingbirdService
import InstantSearchService
import LocalSearch
import Logging
import Watching

/// A search server over one embedded engine, for any client of the hosted service.
@main
struct SearchServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "SearchServer",
    abstract: "Serves the search API over HTTP from an embedded engine.",
    discussion: """
      The application ID can be any text. The admin key has all rights and makes other keys with
      the calls about keys. The server ends with SIGTERM or SIGINT: for a second it finishes the
      calls that are under way.
      """)

  @Option(
    help: """
      A file of records to load, JSON or one object a line. Its name is the index. With --file, an \
      index that exists keeps what it has instead.
      """
  )
  var load: [String] = []
  @Option(
    help: """
      The file in which the engine keeps every write, with the keys in a file beside it. Without \
      it both are in memory.
      """
  )
  var file: String?
  @Option(help: "A JSON file with the settings of the loaded indices.")
  var settings: String?
  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any free one.")
  var port: UInt16 = 7700
  @Option(help: "The key with all rights. Defaults to SEARCH_ADMIN_KEY in the environment.")
  var adminKey: String?
  @Option(help: "The level of the log.")
  var logLevel = "info"

  func run() async throws {
    guard let key = adminKey ?? ProcessInfo.processInfo.environment["SEARCH_ADMIN_KEY"] else {
      throw ValidationError("Set --admin-key, or SEARCH_ADMIN_KEY in the environment.")
    }
    guard let level = Logger.Level(rawValue: logLevel) else {
      throw ValidationError("Unknown level \(logLevel).")
    }
    var logger = Logger(label: "SearchServer")
    logger.logLevel = level

    let configuration = LocalSearch.Configuration(
      clock: ContinuousClock(), timestamp: Self.now,
      onCheckpointFailure: { [logger] error in
        logger.error("The file is not written anew, its journal grows: \(error)")
      })
    let engine =
      if let file {
        try await LocalSearch(file: file, configuration: configuration)
      } else {
        LocalSearch(configuration: configuration)
      }
    try await loadRecords(into: engine)

    let observed = ObservedTransport(
      wrapping: ObservedTransport(wrapping: engine, observer: metricsObserver()),
      observer: loggingObserver(logger))
    let service = SearchService(
      transport: TracingTransport(wrapping: observed), keys: try keys(adminKey: key, logger),
      configuration: .init { Int(Date().timeIntervalSince1970) })
    let application = Application(
      responder: SearchServiceResponder(service),
      configuration: .init(
        address: .hostname(host, port: Int(port)), serverName: "SearchServer", backlog: 4096),
      onServerRunning: { channel in
        print("listening on http://\(host):\(channel.localAddress?.port ?? Int(port))")
        fflush(nil)
      }, logger: logger)
    try await application.runUntilStopped()
    await engine.close()
    print("ended")
  }

  /// Returns the keys of the service, which are kept if the engine is.
  private func keys(adminKey: String, _ logger: Logger) throws -> ServiceKeys {
    guard let file else { return try ServiceKeys(adminKey: adminKey) }
    let keyFile = KeyFile(path: file + ".keys")
    return try ServiceKeys(adminKey: adminKey, keys: keyFile.keys()) { keys in
      do {
        try await keyFile.save(keys)
      } catch {
        logger.error("The keys are not stored: \(error)")
        throw error
      }
    }
  }

  @Sendable private static func now() -> String { Date.now.formatted(.iso8601) }

  /// Loads the files, with a bar for each.
  private func loadRecords(into engine: LocalSearch) async throws {
    let settings = try settings.map {
      try JSONDecoder().decode(
        IndexSettings.self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
    }
    for path in load {
      let url = URL(fileURLWithPath: path)
      let index = url.deletingPathExtension().lastPathComponent
      // Loading again would undo the writes that were acknowledged since, and a second index tells
      // whether an earlier start ended before it was done.
      let unfinished = index + ".unfinished"
      if let count = engine.recordCount(of: index), engine.recordCount(of: unfinished) == nil {
        print("\(index): \(count) records, as kept")
        continue
      }
      try await engine.setSettings(IndexSettings(), of: unfinished)
      try await engine.deleteIndex(index)
      if let settings { try await engine.setSettings(settings, of: index) }
      let progress = LoadProgress()
      async let ids = engine.load(contentsOf: url, into: index, progress: progress)
      for await state in progress { Self.showBar(index, state) }
      let count = try await ids.count
      try await engine.deleteIndex(unfinished)
      print("\r\(index): \(count) records" + String(repeating: " ", count: 50))
    }
  }

  /// Shows a bar on the terminal.
  private static func showBar(_ name: String, _ state: LoadProgress.State) {
    let width = 30
    let filled = Int(state.fraction * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    print("\r\(name) [\(bar)] \(state.records) records", terminator: "")
    fflush(nil)
  }
}
