import AsyncInstantSearchTesting
import InstantSearchJSON
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// What a client sees of the service, besides keys.
struct ServiceTests {
  @Test func callsOfTheContractAreAnswered() async throws {
    let fixture = try ServiceFixture()
    let saved = try await fixture.call(
      "POST", "/1/indexes/a%2Fb/batch",
      ["requests": [["action": "addObject", "body": ["objectID": "x/1", "title": "Solaris"]]]])
    #expect(saved.status == 200 && saved.body["objectIDs"] == ["x/1"])
    let found = try await fixture.call("POST", "/1/indexes/a%2Fb/query", ["query": "solaris"])
    expectEqual(found.body["nbHits"], 1)
    let record = try await fixture.call(
      "GET", "/1/indexes/a%2Fb/x%2F1?attributesToRetrieve=title")
    expectEqual(record.body["title"], "Solaris")
    let missing = try await fixture.call("GET", "/1/indexes/a%2Fb/none")
    expectEqual(missing.body, ["message": "ObjectID does not exist", "status": 404])
    let list = try await fixture.call("GET", "/1/indexes")
    expectEqual(list.body["items"]?[0]?["name"], "a/b")
    // An official JavaScript client sends its credentials in the query, and text/plain.
    let browser = try await fixture.call(
      "POST",
      "/1/indexes/*/queries?x-algolia-agent=js&x-algolia-api-key=\(ServiceFixture.adminKey)"
        + "&x-algolia-application-id=app", ["requests": [["indexName": "a/b"]]], key: nil,
      headers: [("Content-Type", "text/plain")])
    expectEqual(browser.status, 200)
  }

  @Test(
    arguments: [
      ("GET", "/", 404), ("GET", "/1/nothing", 404), ("POST", "/1/indexes//query", 404),
      ("DELETE", "/1/indexes/", 404), ("PUT", "/1/indexes/a/rules/", 404),
      ("PATCH", "/1/indexes", 405), ("PUT", "/1/indexes", 405), ("GET", "/1/indexes/%zz", 400),
      ("GET", "1/indexes", 400), ("GET", "", 400), ("GET", "/1/indexes?a=%ff", 400),
      ("POST", "/1/indexes/a/operation", 400), ("GET", "/1/indexes/none/settings", 404),
      ("POST", "/1/indexes/*/recommendations", 402), ("GET", "/1/keys/none", 404),
    ])
  func errorsHaveTheFormOfTheContract(method: String, target: String, status: Int) async throws {
    let fixture = try ServiceFixture()
    let answer = try await fixture.call(method, target)
    expectEqual(answer.status, status)
    expectEqual(answer.body["status"], .int(Int64(status)))
    #expect(answer.body["message"]?.stringValue?.isEmpty == false)
  }

  @Test func pathOfAnotherMethodNamesThoseThatItHas() async throws {
    let response = await (try ServiceFixture()).respond("PUT", "/1/indexes")
    #expect(response.status == 405 && response.headers.firstValue(named: "Allow") == "GET")
  }

  @Test func healthNeedsNoKeyAndHeadIsGet() async throws {
    let fixture = try ServiceFixture()
    try await expectEqual(fixture.call("GET", "/health", key: nil).status, 200)
    try await expectEqual(fixture.call("GET", "/1/isalive", key: nil).status, 200)
    await expectEqual(fixture.respond("HEAD", "/1/indexes").status, 200)
  }

  @Test func browsersAreAnsweredBeforeTheirCredentials() async throws {
    let fixture = try ServiceFixture { $0.allowedOrigin = "https://shop.example" }
    let asked = "x-algolia-api-key, traceparent\r\nSet-Cookie: a"
    let preflight = await fixture.respond(
      "OPTIONS", "/1/indexes/a/query", key: nil,
      headers: [("Access-Control-Request-Headers", asked)])
    #expect(preflight.status == 204 && preflight.bytes.isEmpty)
    let allowed = preflight.headers.firstValue(named: "Access-Control-Allow-Headers")
    expectEqual(allowed, "x-algolia-api-key, traceparentSet-Cookie: a")
    let origin = "Access-Control-Allow-Origin"
    expectEqual(preflight.headers.firstValue(named: origin), "https://shop.example")
    let response = await fixture.respond(
      "GET", "/1/indexes", headers: [("Request-ID", "client-7")])
    expectEqual(response.headers.firstValue(named: origin), "https://shop.example")
    #expect(response.headers.firstValue(named: "Correlation-ID")?.hasSuffix("-client-7") == true)
    expectEqual(
      response.headers.firstValue(named: "Content-Type"), "application/json; charset=UTF-8")
    expectEqual(response.headers.firstValue(named: "X-Content-Type-Options"), "nosniff")
    let refused = await fixture.respond("GET", "/1/indexes", key: "wrong")
    #expect(refused.status == 403 && refused.headers.firstValue(named: origin) != nil)
  }

  @Test func bodiesAreBoundedAndDecompressed() async throws {
    let fixture = try ServiceFixture {
      $0.maximumBodySize = 100
      // Doubles each byte, for a format that both ends know.
      $0.decompress = { body, limit in
        if body.first == UInt8(ascii: "x") { throw SearchError(.invalidRequest, "") }
        if body.first == UInt8(ascii: "c") { throw CancellationError() }
        // At the end is the size, as in gzip.
        return (body.count - 4) * 2 <= limit ? body.dropLast(4).flatMap { [$0, $0] } : nil
      }
      $0.compress = { Array($0.prefix(3)) }
    }
    func status(_ body: String, _ headers: [(String, String)]) async throws -> Int {
      let all = headers.map { HTTPHeader(name: $0.0, value: $0.1) }
      return await fixture.service.respond(
        to: ServiceRequest(
          method: "POST", target: "/1/indexes/a/clear",
          headers: all + [HTTPHeader(name: "X-Algolia-API-Key", value: ServiceFixture.adminKey)],
          body: Array(body.utf8))
      ).status
    }
    let gzip = ("Content-Encoding", "gzip")
    try await expectEqual(status("{}", []), 200)
    try await expectEqual(status(String(repeating: " ", count: 101), []), 413)
    try await expectEqual(status("  \u{4}\0\0\0", [gzip]), 200)
    try await expectEqual(status(String(repeating: " ", count: 51) + "f\0\0\0", [gzip]), 413)
    // A size that is not so.
    try await expectEqual(status("  \u{3}\0\0\0", [gzip]), 413)
    try await expectEqual(status("  \0\0\0\u{1}", [gzip]), 200)
    try await expectEqual([status("x\0\0\0\0", [gzip]), status("c\0\0\0\0", [gzip])], [400, 499])
    try await expectEqual(status("{}", [("Content-Encoding", "br")]), 415)
    try await expectEqual(status("{}", [("Content-Type", "multipart/form-data")]), 415)
    for number in 0..<20 { try await fixture.engine.save([["a": 1]], in: "index \(number)") }
    for (accepted, isCompressed) in [
      ("gzip, br", true), ("br;q=1.0, gzip;q=0.5", true), ("gzip;q=0", false), ("", false),
      ("gzip;q=0.000", false), ("br, GZIP ; q=0.1", true), ("gzip2", false),
    ] {
      let response = await fixture.respond(
        "GET", "/1/indexes", headers: [("Accept-Encoding", accepted)])
      expectEqual(response.headers.firstValue(named: "Content-Encoding") == "gzip", isCompressed)
      expectEqual(response.bytes.count == 3, isCompressed)
    }
    let plain = try ServiceFixture()
    let unknown = try await plain.call(
      "POST", "/1/indexes/a/clear", [:], headers: [gzip])
    expectEqual(unknown.status, 415)
  }

  @Test func callEndsWithItsTimeAndFailuresHideTheirCause() async throws {
    struct Broken: Error, CustomStringConvertible { let description = "secret" }
    let clock = ManualClock()
    let keys = try ServiceKeys(adminKey: ServiceFixture.adminKey)
    func respond(_ transport: any SearchTransport) async -> ServiceResponse {
      var configuration = SearchService.Configuration { 0 }
      configuration.clock = clock
      return await SearchService(
        transport: transport, keys: keys, configuration: configuration
      ).respond(
        to: ServiceRequest(
          method: "GET", target: "/1/indexes",
          headers: [HTTPHeader(name: "x-algolia-api-key", value: ServiceFixture.adminKey)]))
    }
    let broken = await respond(ScriptedTransport { _, _ in throw Broken() })
    expectEqual(broken.status, 502)
    #expect(!String(decoding: broken.bytes, as: UTF8.self).contains("secret"))
    let silent = FaultyTransport(wrapping: LocalSearch()) { _, _ in .silence }
    async let late = respond(silent)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    await expectEqual(late.status, 504)
    let unreachable = await respond(
      ScriptedTransport { _, _ in throw SearchError(.unreachable, "No host answered.") })
    expectEqual(unreachable.status, 503)
  }

  /// An error of the disk tells nothing of the server's files.
  @Test func errorsOfTheDiskHaveNoPath() async throws {
    let disk = SimulatedDisk()
    let engine = try await LocalSearch(
      file: "/secret/folder/a.search", configuration: .init(disk: disk))
    let fixture = try ServiceFixture(engine: engine)
    disk.fail(call: disk.callCount + 1, with: .full)
    let refused = try await fixture.call("PUT", "/1/indexes/films/1", ["objectID": "1"])
    expectEqual(refused.status, 503)
    expectEqual(refused.body["message"], "The service could not store the change")
    let answer = try await fixture.call("PUT", "/1/indexes/films/1", ["objectID": "1"])
    expectEqual(answer.status, 200)
    await engine.close()
  }
}
