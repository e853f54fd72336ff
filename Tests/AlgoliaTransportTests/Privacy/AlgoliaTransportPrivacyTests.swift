import AlgoliaTransport
import AsyncInstantSearch
import TestSupport
import Testing

/// The key and other secrets appear only in the request that carries them.
struct AlgoliaTransportPrivacyTests {
  /// Everything that printing and reflection show of a value.
  private func allDescriptions(of value: Any) -> String {
    var text = "\(value)" + String(reflecting: value) + String(describing: value)
    dump(value, to: &text)
    return text
  }

  private let configuration = AlgoliaTransport.Configuration(headers: [
    HTTPHeader(name: "X-Algolia-UserToken", value: "topsy-user"),
    HTTPHeader(name: "Authorization", value: "Bearer topsy4"),
  ])

  @Test func aTransportDoesNotShowItsKey() {
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret", configuration: configuration)
    let text = allDescriptions(of: transport)
    #expect(!text.contains("sekret") && !text.contains("topsy"))
    #expect(text.contains("APPID-dsn.algolia.net"))
    #expect(!allDescriptions(of: SearchClient(transport: transport)).contains("sekret"))
    #expect(!allDescriptions(of: [transport as any SearchTransport]).contains("sekret"))
  }

  @Test func aConfigurationDoesNotShowTheValuesOfItsHeaders() {
    let text = allDescriptions(of: configuration)
    #expect(!text.contains("sekret") && !text.contains("topsy"))
    #expect(text.contains("Authorization"))
  }

  @Test func requestDoesNotShowKeyQueryOrBody() async throws {
    let script = ScriptedExchange(.status(200))
    var call = TransportRequest.sampleRead
    call.queryItems = [QueryItem(name: "x-algolia-api-key", value: "sekret")]
    call.body = Array(#"{"userToken":"sekret"}"#.utf8)
    _ = try await AlgoliaTransport.sample(script, configuration: configuration).send(call)
    let request = try #require(script.requests.first)
    #expect(!allDescriptions(of: request).contains("sekret"))
    #expect(!allDescriptions(of: [request]).contains("sekret"))
    expectEqual("\(request)", "POST https://APPID-dsn.algolia.net/1/indexes/films/query (22 bytes)")
    expectEqual(request.values(of: "x-algolia-api-key"), ["sekret"])
  }

  @Test(arguments: [
    ScriptedExchange.Step.fail(StrangeError()),
    .fail(
      HTTPExchangeError.network(
        "x-algolia-api-key: sekret; x-algolia-usertoken: topsy-user; authorization: Bearer topsy4")),
    .fail(HTTPExchangeError.network("token=topsy4&user=topsy-user")),
    .status(503),
  ])
  func anErrorDoesNotShowTheKey(step: ScriptedExchange.Step) async throws {
    let script = ScriptedExchange(step)
    let error = try await searchError(
      of: .sample(script, configuration: configuration), sending: .sampleRead)
    expectEqual(error.attempts.count, 4)
    let text = allDescriptions(of: error)
    #expect(!text.contains("sekret") && !text.contains("topsy"))
  }

  @Test func errorOfARejectedKeyDoesNotShowIt() async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(exchange: script.exchange)
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret\r\n", configuration: configuration)
    let error = try await searchError(of: transport, sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
    #expect(!allDescriptions(of: error).contains("sekret"))
  }

  @Test func errorsOfKeyManagementCallsShowNoKeys() async throws {
    let script = ScriptedExchange(.status(503))
    let call = TransportRequest(
      method: .get, pathComponents: ["1", "keys", "sekret2"], callType: .read)
    let error = try await searchError(of: .sample(script), sending: call)
    expectEqual(error.request, "GET /1/keys/*")
    #expect(!allDescriptions(of: error).contains("sekret"))
  }

  @Test func errorDoesNotShowCredentialsInQueryItems() async throws {
    let script = ScriptedExchange { request, _ in
      .fail(HTTPExchangeError.network("could not reach \(request.url), key tops/3 refused"))
    }
    var call = TransportRequest.sampleRead
    call.queryItems = [
      QueryItem(name: "X-Algolia-API-Key", value: "tops/3"), QueryItem(name: "page", value: "1234"),
    ]
    let error = try await searchError(of: .sample(script), sending: call)
    expectEqual(
      error.attempts.first?.outcome,
      """
      could not reach https://APPID-dsn.algolia.net/1/indexes/films/query\
      ?X-Algolia-API-Key=<redacted>&page=1234, key <redacted> refused
      """)
  }

  @Test(arguments: [
    ("https://h/1/keys/topsy5?a=b", "https://h/1/keys/*"),
    ("http://h:8/1/keys/topsy5/restore", "http://h:8/1/keys/*/restore"),
    ("https://h/1/indexes/keys/query", "https://h/1/indexes/keys/query"),
    ("https://h/1/keys", "https://h/1/keys"),
  ])
  func aRequestDoesNotShowTheKeyOfItsPath(url: String, shown: String) {
    let request = HTTPExchangeRequest(method: .get, url: url, timeout: .seconds(1))
    expectEqual(request.description, "GET \(shown) (0 bytes)")
    #expect(!allDescriptions(of: request).contains("topsy"))
  }

  @Test func anErrorDoesNotShowTheKeyOfAPath() async throws {
    let script = ScriptedExchange { request, _ in
      .fail(HTTPExchangeError.network("could not reach \(request.url)"))
    }
    let call = TransportRequest(
      method: .get, pathComponents: ["1", "keys", "topsy5"], callType: .read)
    let error = try await searchError(of: .sample(script), sending: call)
    #expect(!allDescriptions(of: error).contains("topsy"))
  }

  @Test func theErrorOfAnExchangeDoesNotQuoteTheKey() async throws {
    let thrown = SearchError(
      .invalidRequest, "No header sekret.", request: "GET /sekret",
      attempts: [SearchError.Attempt(host: "h", outcome: "sekret refused")],
      underlying: "sekret (7)")
    let error = try await searchError(
      of: .sample(ScriptedExchange(.fail(thrown))), sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
    expectEqual(error.message, "No header <redacted>.")
    #expect(!allDescriptions(of: error).contains("sekret"))
  }
}
