@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import InstantSearchJSON
@testable import InstantSearchService
@testable import LocalSearch

/// A service over an engine, and helpers to call it as a client does.
final class ServiceFixture: Sendable {
  static let adminKey = "admin-secret"

  let engine: LocalSearch
  let service: SearchService
  private let time: Clock

  /// The seconds since 1970 that the service sees.
  private final class Clock: Sendable {
    let seconds = Lock(1_800_000_000)
  }

  init(
    keys: [APIKey] = [],
    storedKeys: ServiceKeys? = nil,
    engine: LocalSearch = LocalSearch(),
    configure: (inout SearchService.Configuration) -> Void = { _ in },
    onChange: @escaping @Sendable ([ServiceKeyChange]) async throws -> Void = { _ in }
  ) throws {
    self.engine = engine
    let time = Clock()
    self.time = time
    var configuration = SearchService.Configuration { time.seconds.withLock { $0 } }
    // A call takes as long as the machine needs; tests of the timeout have a clock of their own.
    configuration.clock = ManualClock()
    configure(&configuration)
    service = SearchService(
      transport: engine,
      keys: try storedKeys
        ?? ServiceKeys(
          adminKey: Self.adminKey, changes: keys.map(ServiceKeyChange.saved), onChange: onChange),
      configuration: configuration)
  }

  /// Moves the time of the service.
  func advance(by seconds: Int) { time.seconds.withLock { $0 += seconds } }

  /// Makes a call and returns the response.
  func respond(
    _ method: String, _ target: String, _ body: JSON? = nil, key: String? = adminKey,
    headers: [(String, String)] = [], from address: String? = nil
  ) async -> ServiceResponse {
    var all = headers.map { HTTPHeader(name: $0.0, value: $0.1) }
    if let key { all.append(HTTPHeader(name: "X-Algolia-API-Key", value: key)) }
    return await service.respond(
      to: ServiceRequest(
        method: method, target: target, headers: all,
        body: body.map { Array($0.text.utf8) } ?? [], peerAddress: address))
  }

  /// Makes a call and returns the status and the body.
  func call(
    _ method: String, _ target: String, _ body: JSON? = nil, key: String? = adminKey,
    headers: [(String, String)] = [], from address: String? = nil
  ) async throws -> (status: Int, body: JSON) {
    let response = await respond(
      method, target, body, key: key, headers: headers, from: address)
    return (response.status, try JSON(parsing: response.bytes))
  }
}

/// A record of the tests of keys.
struct TeamRecord: Encodable, Sendable {
  let objectID: String
  let team: String
  let open: Bool
  let rank: Int

  init(_ number: Int, team: String, isOpen: Bool) {
    objectID = "\(number)"
    self.team = team
    open = isOpen
    rank = number
  }

  /// The settings of their indices.
  static let settings = IndexSettings(
    attributesForFaceting: ["team", "open"], customRanking: ["asc(rank)"])
}
