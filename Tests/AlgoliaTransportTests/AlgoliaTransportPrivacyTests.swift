import AlgoliaTransport
import AsyncInstantSearch
import Testing

/// The key, and whatever else is secret, appears nowhere but in the request that carries it.
struct AlgoliaTransportPrivacyTests {
  /// Everything that printing and reflection say of a value.
  private func everythingSaid(of value: Any) -> String {
    var text = "\(value)" + String(reflecting: value) + String(describing: value)
    dump(value, to: &text)
    return text
  }

  private let configuration = AlgoliaTransport.Configuration(headers: [
    HTTPHeader(name: "X-Algolia-UserToken", value: "sekret-user"),
    HTTPHeader(name: "Authorization", value: "Bearer sekret"),
  ])

  @Test func aTransportDoesNotShowItsKey() {
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret", configuration: configuration)
    let text = everythingSaid(of: transport)
    #expect(!text.contains("sekret"))
    #expect(text.contains("APPID-dsn.algolia.net"))
    #expect(!everythingSaid(of: SearchClient(transport: transport)).contains("sekret"))
    #expect(!everythingSaid(of: [transport as any SearchTransport]).contains("sekret"))
  }

  @Test func aConfigurationDoesNotShowTheValuesOfItsHeaders() {
    let text = everythingSaid(of: configuration)
    #expect(!text.contains("sekret"))
    #expect(text.contains("Authorization"))
  }

  @Test func aRequestDoesNotShowItsKeyNorItsQueryNorItsBody() async throws {
    let script = ScriptedExchange(.status(200))
    var call = TransportRequest.sampleRead
    call.queryItems = [QueryItem(name: "x-algolia-api-key", value: "sekret")]
    call.body = Array(#"{"userToken":"sekret"}"#.utf8)
    _ = try await AlgoliaTransport.sample(script, configuration: configuration).send(call)
    let request = try #require(script.requests.first)
    #expect(!everythingSaid(of: request).contains("sekret"))
    #expect(!everythingSaid(of: [request]).contains("sekret"))
    #expect("\(request)" == "POST https://APPID-dsn.algolia.net/1/indexes/films/query (22 bytes)")
    #expect(request.values(of: "x-algolia-api-key") == ["sekret"])
  }

  @Test(arguments: [
    ScriptedExchange.Step.fail(StrangeError()),
    .fail(HTTPExchangeError.network("refused: x-algolia-api-key: sekret; token sekret-user")),
    .status(503),
  ])
  func anErrorDoesNotShowTheKey(step: ScriptedExchange.Step) async throws {
    let script = ScriptedExchange(step)
    let error = try await searchError(
      of: .sample(script, configuration: configuration), sending: .sampleRead)
    #expect(error.attempts.count == 4)
    #expect(!everythingSaid(of: error).contains("sekret"))
  }

  @Test func theErrorOfARefusedKeyDoesNotShowIt() async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(exchange: script.exchange)
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret\r\n", configuration: configuration)
    let error = try await searchError(of: transport, sending: .sampleRead)
    #expect(error.code == .invalidRequest)
    #expect(!everythingSaid(of: error).contains("sekret"))
  }

  @Test func theErrorOfACallThatManagesKeysDoesNotShowThem() async throws {
    let script = ScriptedExchange(.status(503))
    let call = TransportRequest(
      method: .get, pathComponents: ["1", "keys", "sekret2"], callType: .read)
    let error = try await searchError(of: .sample(script), sending: call)
    #expect(error.request == "GET /1/keys/*")
    #expect(!everythingSaid(of: error).contains("sekret"))
  }
}
