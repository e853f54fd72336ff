import ArgumentParser
import AsyncInstantSearch
import FilmsSite
import Foundation
import Hummingbird
import HummingbirdService
import LocalSearch
import Logging

/// A web page over the films of the snippets.
@main
struct FilmsPage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "FilmsPage",
    abstract: "Serves a web page that searches films as you type.",
    discussion: """
      The page works without JavaScript. It ends with SIGTERM or SIGINT, and tells each open page.
      """)

  @Option(help: "The folder of films.json and people.json. Defaults to that of the snippets.")
  var data: String?
  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any free one.")
  var port: UInt16 = 8080
  @Option(help: "The level of the log.")
  var logLevel = "notice"

  func run() async throws {
    guard let level = Logger.Level(rawValue: logLevel) else {
      throw ValidationError("Unknown level \(logLevel).")
    }
    var logger = Logger(label: "FilmsPage")
    logger.logLevel = level
    let engine = LocalSearch()
    try await FilmsCatalogue.load(from: folder, into: engine)
    let site = try FilmsSite(SearchClient(transport: engine), logger: logger)
    let application = Application(
      responder: site.router.buildResponder(),
      configuration: .init(
        address: .hostname(host, port: Int(port)), serverName: "FilmsPage", backlog: 4096),
      onServerRunning: { channel in
        print("open http://\(host):\(channel.localAddress?.port ?? Int(port))/films")
        fflush(nil)
      }, logger: logger)
    try await withThrowingTaskGroup { group in
      group.addTask { try await site.keepAlive() }
      try await application.runUntilStopped()
      group.cancelAll()
    }
    print("ended")
  }

  private var folder: URL {
    data.map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Snippets/Data").standardized
  }
}
