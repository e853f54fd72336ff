@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import AsyncInstantSearchTesting
import Testing

extension TransportRequest {
  /// A search, which is a read.
  static let sampleRead = TransportRequest(
    method: .post, pathComponents: ["1", "indexes", "films", "query"],
    body: Array(#"{"query":"star"}"#.utf8), callType: .read)

  /// A write.
  static let sampleWrite = TransportRequest(
    method: .put, pathComponents: ["1", "indexes", "films", "42"],
    body: Array(#"{"title":"Alien"}"#.utf8), callType: .write)
}

extension AlgoliaTransport {
  /// A transport with invented credentials, on a scripted exchange.
  ///
  /// Its clock does not advance unless the test passes one: on a busy machine a test can take
  /// longer than the timeout of a host.
  static func sample(
    _ script: ScriptedExchange, configuration: Configuration = Configuration()
  ) -> AlgoliaTransport {
    var configuration = configuration
    configuration.exchange = script.exchange
    if type(of: configuration.clock) == type(of: Configuration().clock) {
      configuration.clock = ManualClock()
    }
    return AlgoliaTransport(appID: "APPID", apiKey: "sekret", configuration: configuration)
  }
}

/// Sends a request that must fail with a `SearchError`, and returns the error.
func searchError(
  of transport: AlgoliaTransport, sending request: TransportRequest,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> SearchError {
  try #require(
    await #expect(throws: SearchError.self, sourceLocation: sourceLocation) {
      try await transport.send(request)
    }, sourceLocation: sourceLocation)
}
