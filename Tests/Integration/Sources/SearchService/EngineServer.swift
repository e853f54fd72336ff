public import AsyncInstantSearch
import HummingbirdService
import InstantSearchService

/// Serves the search API over HTTP with the embedded engine, or with any other transport.
public struct EngineServer: Sendable {
  private let service: InstantSearchService.SearchService

  /// Creates a server that responds from a transport.
  public init(_ transport: some SearchTransport, adminKey: String) throws {
    service = SearchService(
      transport: transport, keys: try ServiceKeys(adminKey: adminKey),
      configuration: .init { 0 })
  }

  /// Serves on a free port of the loopback address until its task is cancelled.
  public func run(onPort: @escaping @Sendable (Int) -> Void) async throws {
    try await Server.run(SearchServiceResponder(service), onPort: onPort)
  }
}
