// snippet.main
import Foundation
import Hummingbird
import HummingbirdService
import InstantSearchService
import LocalSearch

/// Serves an engine that is kept in a file.
@main
struct OwnServer {
  static func main() async throws {
    guard let adminKey = ProcessInfo.processInfo.environment["SEARCH_ADMIN_KEY"] else {
      fatalError("Set SEARCH_ADMIN_KEY.")
    }
    let engine = try await LocalSearch(file: "films.search")
    var configuration = SearchService.Configuration { Int(Date().timeIntervalSince1970) }
    configuration.compress = Gzip.compress
    configuration.decompress = Gzip.decompress
    let service = SearchService(
      transport: engine,
      keys: try ServiceKeys(adminKey: adminKey, file: "films.search.keys"),
      configuration: configuration)
    let application = Application(
      responder: SearchServiceResponder(service),
      configuration: .init(address: .hostname("127.0.0.1", port: 7700)))
    // SIGTERM and SIGINT end it.
    try await application.runService()
    await engine.close()
  }
}
// snippet.end
