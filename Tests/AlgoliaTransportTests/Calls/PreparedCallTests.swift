import AlgoliaTransport
import AsyncInstantSearch
import TestSupport
import Testing

/// The bytes of a request: method, URL and body.
struct PreparedCallTests {
  private func request(_ request: TransportRequest) async throws -> HTTPExchangeRequest {
    let script = ScriptedExchange(.status(200))
    _ = try await AlgoliaTransport.sample(script).send(request)
    return try #require(script.requests.first)
  }

  @Test(arguments: [
    (["1", "indexes", "*", "queries"], "/1/indexes/*/queries"),
    (["1", "indexes", "my films", "query"], "/1/indexes/my%20films/query"),
    (["1", "indexes", "a/b", "c?d#e"], "/1/indexes/a%2Fb/c%3Fd%23e"),
    (["1", "indexes", "100%", "é"], "/1/indexes/100%25/%C3%A9"),
    (["1", "indexes", "a.b", "...", "~_-"], "/1/indexes/a.b/.../~_-"),
  ])
  func pathComponentsAreEncodedSeparately(components: [String], path: String) async throws {
    var call = TransportRequest.sampleRead
    call.pathComponents = components
    try await expectEqual(request(call).url, "https://APPID-dsn.algolia.net" + path)
  }

  @Test func theQueryFollowsThePath() async throws {
    var call = TransportRequest.sampleRead
    call.queryItems = [
      QueryItem(name: "createIfNotExists", value: "false"),
      QueryItem(name: "a b", value: "1,2+3&4"),
    ]
    #expect(
      try await request(call).url.hasSuffix(
        "/query?createIfNotExists=false&a%20b=1%2C2%2B3%264"))
  }

  @Test(arguments: ["", ".", ".."])
  func pathComponentThatChangesThePathIsRejected(component: String) async throws {
    let script = ScriptedExchange(.status(200))
    var call = TransportRequest.sampleWrite
    call.method = .delete
    call.pathComponents = ["1", "indexes", "films", component]
    try await expectEqual(searchError(of: .sample(script), sending: call).code, .invalidRequest)
    #expect(script.requests.isEmpty)
  }

  @Test func tooLongURLIsRejected() async throws {
    let script = ScriptedExchange(.status(200))
    var call = TransportRequest.sampleRead
    call.queryItems = [QueryItem(name: "a", value: String(repeating: "b", count: 65_536))]
    let error = try await searchError(of: .sample(script), sending: call)
    expectEqual(error.code, .invalidRequest)
    #expect(script.requests.isEmpty)
  }

  @Test(arguments: [
    (Endpoint.Method.get, []), (.post, Array("{}".utf8)), (.put, [0xFF, 0x00]),
    (.delete, []),
  ])
  func methodAndBodyArePassedOn(method: Endpoint.Method, body: [UInt8]) async throws {
    var call = TransportRequest.sampleRead
    call.method = method
    call.body = body
    let request = try await request(call)
    expectEqual(request.method, method)
    expectEqual(request.body, body)
  }

  @Test func readsAndWritesHaveSeparateTimeouts() async throws {
    try await expectEqual(request(.sampleRead).timeout, .seconds(5))
    try await expectEqual(request(.sampleWrite).timeout, .seconds(30))
  }

  @Test func hugeTimeoutDoesNotTrap() async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(readTimeout: .seconds(Int64.max))
    let transport = AlgoliaTransport.sample(script, configuration: configuration)
    try await expectEqual(transport.send(.sampleRead).status, 200)
  }

  @Test func hugeDeadlineDoesNotTrap() async throws {
    let client = SearchClient(
      transport: AlgoliaTransport.sample(
        ScriptedExchange(
          .answer(HTTPExchangeResponse(status: 200, body: Array(#"{"hits":[]}"#.utf8))))))
    let page = try await client.search(
      "films", of: JSON.self, options: RequestOptions(timeout: .seconds(Int64.max)))
    #expect(page.hits.isEmpty)
  }
}
