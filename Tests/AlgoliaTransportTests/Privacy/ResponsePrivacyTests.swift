import AlgoliaTransport
import AsyncInstantSearch
import TestSupport
import Testing

/// The body of an error response becomes a message, and a server can quote the request in it.
struct ResponsePrivacyTests {
  private func answer(
    _ status: Int, _ body: String, headers: [HTTPHeader] = []
  ) -> AlgoliaTransport {
    .sample(
      ScriptedExchange(
        .answer(
          HTTPExchangeResponse(
            status: status, headers: [HTTPHeader(name: "Content-Length", value: "7")],
            body: Array(body.utf8)))),
      configuration: AlgoliaTransport.Configuration(headers: headers))
  }

  @Test(arguments: [
    (#"{"message":"Key sekret is not valid","status":403}"#, "Key <redacted> is not valid"),
    (#"{"message":"Key s\u0065kret is not valid","status":403}"#, "Key <redacted> is not valid"),
    ("denied: x-algolia-api-key sekret", "denied: x-algolia-api-key <redacted>"),
    (#"{"error":"sekret"}"#, #"{"error":"<redacted>"}"#),
    (#"{"error":["s\u0065kret"]}"#, #"{"error":["<redacted>"]}"#),
    (#"{"sekret":1}"#, #"{"<redacted>":1}"#),
    ("sesekret sekretsekret sekre", "se<redacted> <redacted><redacted> sekre"),
    // A combining character makes another character of the last one of the key.
    ("Key sekret\u{301} is not valid", "Key <redacted>\u{301} is not valid"),
    ("Key sekret\u{200D} is not valid", "Key <redacted>\u{200D} is not valid"),
  ])
  func messageDoesNotQuoteTheKey(body: String, message: String) async {
    let client = SearchClient(transport: answer(403, body))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: JSON.self)
    }
    expectEqual(error?.code, .unauthorized)
    expectEqual(error?.message, message)
  }

  @Test(arguments: [
    #"{"query":"a","userToken":"topsy/user="}"#, #"{"userToken" : "topsy\/user="}"#,
    #"{"requests":[{"indexName":"a"},{"userToken":"topsy/user="}]}"#,
    #"{"events":[{"authenticatedUserToken":"topsy/user="}]}"#,
    #"{"params":"query=a&userToken=topsy%2Fuser%3D&page=1"}"#,
    #"{"params":"userToken=topsy\/user="}"#,
  ])
  func messageDoesNotQuoteAUserTokenOfTheBody(body: String) async throws {
    var request = TransportRequest.sampleRead
    request.body = Array(body.utf8)
    for quoted in ["topsy/user=", "topsy%2Fuser%3D"] {
      let response = try await answer(422, #"{"message":"no \#(quoted)"}"#).send(request)
      let text = String(decoding: response.body, as: UTF8.self)
      expectEqual(text, #"{"message":"no <redacted>"}"#)
    }
  }

  @Test(arguments: [
    #"{"userToken":"a.b@example.com"}"#, #"{"userToken":"a\u002eb@example.com","query":"b"}"#,
    #"{"params":"userToken=a.b%40example.com"}"#, "userToken=a.b@example.com&query=b",
  ])
  func userTokenCanBeAnyText(body: String) async throws {
    var request = TransportRequest.sampleRead
    request.body = Array(body.utf8)
    let response = try await answer(422, "no a.b@example.com").send(request)
    expectEqual(response.body, Array("no <redacted>".utf8))
  }

  @Test(arguments: [
    #"{"userToken"#, #"{"userToken":"#, #"{"userToken":""#, #"{"userToken":"\"#, #"userToken="#,
    #"{"userToken":7,"query":"text"}"#, #"{"userToken":null}"#,
  ])
  func truncatedBodyAndBodyWithoutUserTokenAreAccepted(body: String) async throws {
    var request = TransportRequest.sampleRead
    request.body = Array(body.utf8)
    try await expectEqual(answer(422, "no").send(request).body, Array("no".utf8))
  }

  @Test func userTokenOfTheQueryIsRedacted() async throws {
    var request = TransportRequest.sampleRead
    request.queryItems = [QueryItem(name: "userToken", value: "topsy-user")]
    let response = try await answer(422, "no topsy-user").send(request)
    expectEqual(response.body, Array("no <redacted>".utf8))
  }

  @Test func otherMembersOfARedactedResponseAreKept() async throws {
    let body = #"{"message":"no sekret","status":400,"code":[1,2],"cause":"s\u0065kret"}"#
    let response = try await answer(400, body).send(.sampleRead)
    try expectEqual(
      JSON(parsing: response.body),
      [
        "message": "no <redacted>", "status": 400, "code": [1, 2], "cause": "<redacted>",
      ])
    // It would belong to the other body.
    #expect(response.headers.isEmpty)
  }

  @Test func responseWithoutSecretsIsUnchanged() async throws {
    let body = #"{ "message" : "Index films does not exist", "status":404 }"#
    let response = try await answer(404, body).send(.sampleRead)
    expectEqual(response.body, Array(body.utf8))
    expectEqual(response.headers.count, 1)
  }

  @Test func loggableAndVeryShortHeadersAreNotRedacted() async throws {
    let body = #"{"message":"application/json 1 true","status":401,"ok":true}"#
    let response = try await answer(
      401, body,
      headers: [
        HTTPHeader(name: "Accept", value: "application/json"), HTTPHeader(name: "X-A", value: "1"),
      ]
    ).send(.sampleRead)
    expectEqual(response.body, Array(body.utf8))
  }

  @Test(arguments: [
    #"{"hits":[{"title":"sekret"}]}"#, #"{"hits":[{"message":"sekret"}],"message":"no key"}"#,
    #"{"results":[{"hits":[],"message":"no key"}],"message":1}"#, #"{"message":"sekret","#,
    #"["message","sekret"]"#,
  ])
  func successfulResponseIsUnchanged(body: String) async throws {
    try await expectEqual(answer(200, body).send(.sampleRead).body, Array(body.utf8))
  }

  @Test(arguments: [200, 201, 299])
  func messageInASuccessfulResponseDoesNotQuoteTheKey(status: Int) async throws {
    let failure = #"{"message":"Key s\u0065kret is not valid","status":403}"#
    func expectError<Result: Sendable>(
      _ body: String, of call: (SearchClient) async throws(SearchError) -> Result
    ) async {
      let client = SearchClient(transport: answer(status, body))
      do throws(SearchError) {
        _ = try await call(client)
        Issue.record("There was no error.")
      } catch {
        expectEqual(error.code, .unauthorized)
        expectEqual(error.message, "Key <redacted> is not valid")
      }
    }
    await expectError(failure) { client throws(SearchError) in
      try await client.search("films", of: JSON.self)
    }
    await expectError(failure) { client throws(SearchError) in
      try await client.searchFacetValues(of: "genre", in: "films")
    }
    await expectError(failure) { client throws(SearchError) in
      try await client.getObjects(["1"], in: "films", of: JSON.self)
    }
    let one = #"{"results":[{"hits":[],"nbHits":0},\#(failure)]}"#
    await expectError(one) { client throws(SearchError) in
      try await client.search(
        SearchRequest("films", SearchQuery("a"), of: JSON.self),
        SearchRequest("actors", SearchQuery("a"), of: JSON.self))
    }
  }

  @Test func messageOfALongErrorIsKept() async {
    let padding = String(repeating: "p", count: 300_000)
    let body = #"{"pad":"\#(padding)","message":"Index sekret does not exist","status":404}"#
    let client = SearchClient(transport: answer(404, body))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: JSON.self)
    }
    expectEqual(error?.code, .indexNotFound)
    expectEqual(error?.message, "Index <redacted> does not exist")
  }

  @Test func messagesOfASuccessfulResponseAreShortened() async throws {
    let long = String(repeating: "é", count: 40_000)
    let results = String(repeating: #"{"message":"\#(long)"},"#, count: 3).dropLast()
    let body = #"{"results":[\#(results)]}"#
    let response = try await answer(200, body).send(.sampleRead)
    let messages = try JSON(parsing: response.body)["results"]?.arrayValue?
      .compactMap { $0["message"]?.stringValue?.utf8.count }
    expectEqual(messages, [65_536, 0, 0])
  }

  @Test func messageOfAPageDoesNotQuoteTheKey() async throws {
    let body = #"{"hits":[{"objectID":"sekret"}],"nbHits":1,"message":"for sekret"}"#
    let page = try await SearchClient(transport: answer(200, body))
      .search("films", of: JSON.self)
    expectEqual(page.message, "for <redacted>")
    expectEqual(page.hits.first?["objectID"], "sekret")
  }
}
