import AsyncInstantSearchTesting
import InstantSearchJSON
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// Every request has one line in the access log, which has no whole key.
struct AccessLogTests {
  private final class Log: Sendable {
    let entries = Lock<[AccessLogEntry]>([])
    var last: AccessLogEntry? { entries.withLock(\.last) }
  }

  private static func fixture(
    _ log: Log, engine: LocalSearch = LocalSearch(),
    configure: (inout SearchService.Configuration) -> Void = { _ in }
  ) throws -> ServiceFixture {
    try ServiceFixture(
      keys: [
        ServiceKey("0123456789abcdef", acl: [.search], maxQueriesPerIPPerHour: 1),
        ServiceKey("fedcba9876543210", acl: [.search]),
      ],
      engine: engine
    ) {
      $0.makeCorrelationID = { "c" }
      $0.onResponse = { entry in log.entries.withLock { $0.append(entry) } }
      configure(&$0)
    }
  }

  @Test func aSearchIsDescribed() async throws {
    let log = Log()
    let fixture = try Self.fixture(log)
    try await fixture.engine.save([["objectID": "1"]], in: "films")
    let response = await fixture.respond(
      "POST", "/1/indexes/films/query?x-algolia-agent=a", ["query": ""],
      headers: [("Request-ID", "rid-12345")], from: "192.0.2.1")
    let entry = try #require(log.last)
    expectEqual(entry.request, "POST /1/indexes/films/query")
    expectEqual(entry.route, "/1/indexes/{indexName}/query")
    expectEqual(entry.indexName, "films")
    expectEqual(entry.clientAddress, "192.0.2.1")
    expectEqual(entry.maskedKey, "adm…")
    expectEqual(entry.correlationID, "c-rid-12345")
    expectEqual(response.headers.firstValue(named: "Correlation-ID"), entry.correlationID)
    expectEqual(entry.status, 200)
    expectEqual(entry.message, nil)
    expectEqual(entry.requestBytes, #"{"query":""}"#.utf8.count)
    expectEqual(entry.responseBytes, response.bytes.count)
  }

  /// What is refused, and what the service answers itself, is in the log too.
  @Test func everyRequestHasALine() async throws {
    let log = Log()
    let fixture = try Self.fixture(log)
    let (key, other) = ("0123456789abcdef", "fedcba9876543210")
    let rows: [(String, String, String?, Int, String?, String?)] = [
      ("POST", "/1/indexes/films/query", nil, 403, nil, "Invalid Application-ID or API key"),
      ("POST", "/1/indexes/films/query", "unknown-key-1", 403, "unk…", "Invalid Application-ID"),
      ("POST", "/1/indexes/films/query", "abc", 403, "…", "Invalid Application-ID or API key"),
      ("POST", "/1/indexes/films/query", key, 404, "0123…", "Index films does not exist"),
      ("POST", "/1/indexes/films/query", key, 429, "0123…", "Too many requests"),
      ("GET", "/1/keys/secret-of-another", other, 403, "fedc…", "Method not allowed"),
      ("DELETE", "/1/indexes/films", other, 403, "fedc…", "Method not allowed with this API key"),
      ("GET", "/health", nil, 200, nil, nil), ("GET", "/1/isalive", nil, 200, nil, nil),
      ("OPTIONS", "/1/indexes/films/query", nil, 204, nil, nil),
      ("GET", "/nowhere", other, 404, "fedc…", "Unknown path"),
      ("BREW", "/1/indexes/films/query", other, 405, "fedc…", "Method not allowed for this path"),
      ("GET", "%zz", nil, 400, nil, ""),
    ]
    for (index, row) in rows.enumerated() {
      let response = await fixture.respond(row.0, row.1, key: row.2, from: "192.0.2.1")
      expectEqual(response.status, row.3, "row \(index)")
      let entry = try #require(log.last)
      expectEqual(log.entries.withLock { $0.count }, index + 1)
      expectEqual(entry.status, row.3, "row \(index)")
      expectEqual(entry.maskedKey, row.4, "row \(index)")
      expectEqual(entry.message == nil, row.5 == nil, "row \(index)")
      if let message = row.5 { #expect(entry.message?.hasPrefix(message) == true, "\(entry)") }
      #expect(!"\(entry)".contains("secret-of-another") && !"\(entry)".contains(key))
    }
  }

  @Test func clientsBehindATrustedProxyHaveTheirAddress() async throws {
    let log = Log()
    let fixture = try Self.fixture(log) {
      $0.trustedProxies = [IPNetwork("10.0.0.0/8")].compactMap(\.self)
    }
    _ = await fixture.respond(
      "GET", "/health", headers: [("X-Forwarded-For", "198.51.100.7")], from: "10.1.2.3")
    expectEqual(log.last?.clientAddress, "198.51.100.7")
  }

  /// A line stays one line, whatever a client sends.
  @Test func nothingBreaksALine() async throws {
    let log = Log()
    let fixture = try Self.fixture(log)
    _ = await fixture.respond(
      "GET\nX", "/1/a\n2026 INFO\u{2028}b", key: "a\nbc\ndefghijklmnopqrst",
      headers: [("Request-ID", "r\n2026")], from: "192.0.2.1")
    let entry = try #require(log.last)
    for text in [entry.request, entry.correlationID, entry.maskedKey ?? "", entry.message ?? ""] {
      #expect(!text.contains { $0.isNewline }, "\(text)")
    }
  }

  /// The operator learns why a change was not stored, and the client does not.
  @Test func theReasonOfAFailureIsInTheLogOnly() async throws {
    let log = Log()
    let disk = SimulatedDisk()
    var configuration = LocalSearch.Configuration()
    configuration.disk = disk
    let engine = try await LocalSearch(file: "/secret/path", configuration: configuration)
    let fixture = try Self.fixture(log, engine: engine)
    disk.fail(call: disk.callCount + 1, with: .full)
    let response = await fixture.respond("POST", "/1/indexes/films", ["a": 1])
    expectEqual(response.status, 503)
    let text = String(decoding: response.bytes, as: UTF8.self)
    #expect(!text.contains("path"), "\(text)")
    #expect(log.last?.message?.contains("/secret/path") == true, "\(log.last?.message)")
  }

  @Test func aBodyThatCannotBeReadIsTheClientsError() async throws {
    struct Broken: Error {}
    let log = Log()
    let fixture = try Self.fixture(log)
    let request = ServiceRequest(
      method: "POST", target: "/1/indexes/films/query",
      headers: [HTTPHeader(name: "X-Algolia-API-Key", value: ServiceFixture.adminKey)])
    let broken = await fixture.service.respond(to: request) { _ in throw Broken() }
    expectEqual(broken.status, 400)
    expectEqual(log.last?.message, "The body is cut off or malformed")
    let gone = await fixture.service.respond(to: request) { _ in throw CancellationError() }
    expectEqual(gone.status, 499)
  }
}
