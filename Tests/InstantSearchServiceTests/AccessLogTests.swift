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
        APIKey("0123456789abcdef", acl: [.search], maxQueriesPerIPPerHour: 1),
        APIKey("fedcba9876543210", acl: [.search]),
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

  @Test(arguments: [
    ("198.51.100.7:51234", "198.51.100.7"), ("[2001:db8::1]:51234", "2001:db8::1"),
    ("[2001:db8::1]", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"), ("unknown", "10.1.2.3"),
    ("198.51.100.7, 10.0.0.2:80", "198.51.100.7"), ("", "10.1.2.3"), ("1.2.3.4/0", "10.1.2.3"),
    ("198.51.100.7, _hidden", "10.1.2.3"), ("[", "10.1.2.3"), (":", "10.1.2.3"),
  ])
  func anAddressThatAProxyForwardsIsParsed(forwarded: String, expected: String) {
    let request = ServiceRequest(
      method: "GET", target: "/",
      headers: [HTTPHeader(name: "x-forwarded-for", value: forwarded)], peerAddress: "10.1.2.3")
    let proxies = [IPNetwork("10.0.0.0/8")].compactMap(\.self)
    expectEqual(request.clientAddress(behind: proxies), expected)
    expectEqual(request.clientAddress(behind: []), "10.1.2.3")
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
    for index in ["a%0Ab", "a%E2%80%A8b", "a%0D%0Ab"] {
      _ = await fixture.respond("POST", "/1/indexes/\(index)/query", ["query": ""])
      expectEqual(log.last?.indexName, "a b")
    }
  }

  /// However the path of a key is spelt: the log has no key.
  @Test(arguments: [
    "/1/keys/secret-value", "/1/%6Beys/secret-value", "//1//keys/secret-value",
    "http://a/1/keys/secret-value?b", "HTTPS://a:1/1/k%65ys/secret-value", "/1/keys//secret-value",
    "/1/keys%2Fsecret-value", "/1%2Fkeys/secret-value", "/1/KEYS/secret-value",
    "/keys/secret-value", "/x/1/keys/secret-value", "/1/./keys/secret-value",
    "/1/%ff/keys/secret-value", "/1/keys;a/secret-value", "/1/keys#/secret-value",
    "//h/1/keys/secret-value", "/1/indexes/a/query%3Fx-algolia-api-key=secret-value",
    "/1/indexes/a/query#x-algolia-api-key=secret-value", "/1/usertokens%2Fsecret-value",
  ])
  func noKeyOfAPathIsInTheLog(target: String) async throws {
    let log = Log()
    let fixture = try Self.fixture(log)
    _ = await fixture.respond("GET", target, key: "fedcba9876543210")
    let entry = try #require(log.last)
    #expect(!"\(entry)".contains("secret-value"), "\(entry)")
    _ = fixture.service.refuse(
      ServiceRequest(method: "GET", target: target), status: 400, message: "a")
    #expect(log.last?.request.contains("secret-value") == false)
  }

  @Test(arguments: [
    ("/1/keys/a", "/1/keys/*"), ("/1/keys/a/restore", "/1/keys/*/restore"),
    ("/1/keys", "/1/keys"),
    ("/1/indexes/keys/query", "/1/indexes/keys/query"), ("/1/indexes/a%2Fb", "/1/indexes/a%2Fb"),
    ("/1/indexes/keyspace/settings", "/1/indexes/keyspace/settings"), ("/health", "/health"),
  ])
  func otherPathsAreInTheLog(path: String, expected: String) {
    expectEqual("\(ServiceRequest(method: "GET", target: path))", "GET \(expected)")
  }

  /// A target can have a scheme and a host.
  @Test(arguments: [
    ("http://example.com/health", 200), ("https://a:1/health?b", 200), ("HTTP://a/health", 200),
    ("http://a", 403), ("http://a?b", 403), ("ftp://a/health", 400), ("http:/health", 400),
  ])
  func targetsCanHaveAHost(target: String, status: Int) async throws {
    let fixture = try Self.fixture(Log())
    await expectEqual(fixture.respond("GET", target, key: "unknown").status, status)
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
    let broken = await fixture.service.respond(
      to: request, body: AsyncThrowingStream<[UInt8], any Error> { throw Broken() })
    expectEqual(broken.status, 400)
    expectEqual(log.last?.message, "The body is cut off or malformed")
    let gone = await fixture.service.respond(
      to: request, body: AsyncThrowingStream<[UInt8], any Error> { throw CancellationError() })
    expectEqual(gone.status, 499)
  }
}
