@testable import InstantSearchAPI
@testable import LocalSearch

/// Calls of an engine that checks often, for tests of counts and bounds.
enum CountedCall {
  /// The number of steps between two checks.
  static let interval = 16

  /// An engine with one index.
  static func fixture(
    _ records: [JSON] = [["objectID": "1", "text": "word", "brand": "a"]],
    maximumResponseSize: Int = 1 << 28
  ) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = interval
    configuration.maximumResponseSize = maximumResponseSize
    configuration.placesIndexName = EngineFixture.index
    return try await EngineFixture(
      records, settings: IndexSettings(attributesForFaceting: ["searchable(brand)"]),
      configuration: configuration)
  }

  /// The number of checks of a call, and the message of its error.
  static func call(
    _ fixture: EngineFixture, _ method: Endpoint.Method, _ path: [String],
    _ body: JSON? = nil
  ) async throws -> (checks: Int, message: String?) {
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: method, pathComponents: ["1", "indexes"] + path,
        body: body.map { Array($0.text.utf8) } ?? [], callType: .read,
        deadline: clock.deadline(atCheck: nil)))
    guard response.status >= 400 else { return (clock.reads, nil) }
    return (clock.reads, try JSON(parsing: response.body)["message"]?.stringValue)
  }
}
