import InstantSearchClient
import TestSupport
import Testing

/// Headers, query items and bodies can contain keys and tokens, which descriptions do not show.
@Suite struct ClientPrivacyTests {
  /// Everything that printing and reflection show of a value.
  private func allDescriptions(of value: Any) -> String {
    var text = "\(value)" + String(reflecting: value) + String(reflecting: [value])
    dump(value, to: &text)
    return text
  }

  private let options = RequestOptions(
    headers: [
      HTTPHeader(name: "X-Algolia-API-Key", value: "sekret"),
      HTTPHeader(name: "Authorization", value: "Bearer sekret"),
      HTTPHeader(name: "Content-Type", value: "text/plain"),
    ],
    queryItems: [QueryItem(name: "x-algolia-usertoken", value: "sekret")],
    timeout: .seconds(2))

  @Test func optionsShowNamesOnly() {
    let text = allDescriptions(of: options)
    #expect(!text.contains("sekret"))
    for part in ["X-Algolia-API-Key", "Authorization", "text/plain", "x-algolia-usertoken", "2.0"] {
      #expect(text.contains(part))
    }
  }

  @Test func headerShowsItsValueOnlyIfLoggable() {
    let secret = HTTPHeader(name: "X-Anything", value: "sekret")
    expectEqual(secret.description, "X-Anything: …")
    #expect(!allDescriptions(of: secret).contains("sekret"))
    let harmless = HTTPHeader(name: "CONTENT-TYPE", value: "application/json")
    expectEqual(harmless.description, "CONTENT-TYPE: application/json")
    #expect(allDescriptions(of: harmless).contains("application/json"))
  }

  @Test func queryItemShowsItsNameOnly() {
    let item = QueryItem(name: "x-algolia-api-key", value: "sekret")
    expectEqual(item.description, "x-algolia-api-key=…")
    #expect(!allDescriptions(of: item).contains("sekret"))
  }

  @Test func aRequestShowsItsMethodAndItsPath() {
    let request = TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "films", "query"],
      queryItems: options.queryItems, headers: options.headers,
      body: Array(#"{"userToken":"sekret"}"#.utf8), callType: .read)
    expectEqual(request.description, "POST /1/indexes/films/query")
    let children = request.customMirror.children.map { "\($0.label ?? ""): \($0.value)" }
    expectEqual(children, ["method: post", "path: /1/indexes/films/query", "bodyBytes: 22"])
    let text = allDescriptions(of: request)
    #expect(!text.contains("sekret"))
    // The first bytes of the body, as an array of numbers prints them
    #expect(!text.contains("123, 34"))
  }

  @Test(arguments: [
    (["1", "keys", "sekret"], "GET /1/keys/*"),
    (["1", "keys", "sekret", "restore"], "GET /1/keys/*/restore"),
    (["1", "usertokens", "sekret"], "GET /1/usertokens/*"),
    (["1", "keys"], "GET /1/keys"),
    (["1", "indexes", "keys", "query"], "GET /1/indexes/keys/query"),
    (["1", "indexes", "films", "keys"], "GET /1/indexes/films/keys"),
  ])
  func keyInThePathIsNotShown(components: [String], description: String) {
    let request = TransportRequest(method: .get, pathComponents: components, callType: .read)
    expectEqual(request.description, description)
    #expect(!allDescriptions(of: request).contains("sekret"))
  }

  @Test func responseDoesNotShowHeaderValues() {
    let response = TransportResponse(
      status: 200, headers: [HTTPHeader(name: "Set-Cookie", value: "sekret")], body: [])
    #expect(!allDescriptions(of: response).contains("sekret"))
  }
}
