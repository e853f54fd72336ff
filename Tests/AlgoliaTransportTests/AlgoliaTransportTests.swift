import AlgoliaTransport
import AsyncInstantSearch
import TestSupport
import Testing

/// Which outcomes end a call, and which move it to the next host.
struct AlgoliaTransportTests {
  @Test(arguments: [200, 201, 204, 299, 400, 403, 404, 408, 429, 499])
  func successIsReturnedAtOnce(status: Int) async throws {
    let answer = HTTPExchangeResponse(
      status: status, headers: [HTTPHeader(name: "Correlation-ID", value: "c1")],
      body: Array(#"{"message":"so"}"#.utf8))
    let script = ScriptedExchange(.answer(answer), .status(200))
    let response = try await AlgoliaTransport.sample(script).send(.sampleRead)
    expectEqual(response.status, status)
    expectEqual(response.headers, answer.headers)
    expectEqual(response.body, answer.body)
    expectEqual(script.requests.count, 1)
  }

  @Test(arguments: [0, 100, 199, 300, 301, 304, 399, 500, 502, 503, 504, 599, 999])
  func otherStatusesMoveTheCallToTheNextHost(status: Int) async throws {
    let script = ScriptedExchange(.status(status), .status(200))
    try await expectEqual(AlgoliaTransport.sample(script).send(.sampleRead).status, 200)
    expectEqual(script.requests.count, 2)
  }

  @Test(
    arguments: [
      HTTPExchangeError.timedOut, HTTPExchangeError.network("connection lost"), StrangeError(),
      CancellationError(),
    ] as [any Error])
  func thrownErrorMovesTheCallToTheNextHost(error: any Error) async throws {
    let script = ScriptedExchange(.fail(error), .fail(error), .status(200))
    try await expectEqual(AlgoliaTransport.sample(script).send(.sampleRead).status, 200)
    expectEqual(script.requests.count, 3)
    expectEqual(Set(script.hosts).count, 3)
  }

  @Test func searchErrorOfTheExchangeIsRethrown() async throws {
    let thrown = SearchError(.invalidRequest, "No such method.")
    let script = ScriptedExchange(.fail(thrown), .status(200))
    try await expectEqual(searchError(of: .sample(script), sending: .sampleRead), thrown)
    expectEqual(script.requests.count, 1)
  }

  @Test func nextCallBeginsAtTheFirstHost() async throws {
    let script = ScriptedExchange(.status(200))
    let transport = AlgoliaTransport.sample(script)
    for _ in 0..<3 { _ = try await transport.send(.sampleRead) }
    expectEqual(Set(script.hosts), ["APPID-dsn.algolia.net"])
  }

  /// A process without descriptors reaches no host, which is no fault of the hosts.
  @Test func lackOfDescriptorsIsNoObservationOfHosts() async throws {
    let script = ScriptedExchange { _, index in
      index < 4 ? .fail(HTTPExchangeError.noDescriptor) : .status(200)
    }
    let transport = AlgoliaTransport.sample(script)
    let error = try await searchError(of: transport, sending: .sampleRead)
    expectEqual(error.attempts.first?.outcome, "no free file descriptor")
    #expect(error.recoverySuggestion?.contains("limit of open files") == true)
    _ = try await transport.send(.sampleRead)
    expectEqual(script.hosts[4], script.hosts[0])
  }

  @Test func errorListsAttemptsWhenAllHostsFail() async throws {
    let script = ScriptedExchange(
      .fail(HTTPExchangeError.timedOut),
      .fail(HTTPExchangeError.network("connection lost")),
      .answer(
        HTTPExchangeResponse(
          status: 503, headers: [HTTPHeader(name: "correlation-id", value: "c7")])),
      .fail(StrangeError()))
    let error = try await searchError(of: .sample(script), sending: .sampleRead)
    expectEqual(error.code, .unreachable)
    #expect(error.isRetryable)
    expectEqual(error.attempts.map(\.host), script.hosts)
    expectEqual(
      error.attempts.map(\.outcome),
      [
        "timed out", "connection lost", "status 503", "failed with StrangeError",
      ])
    expectEqual(error.request, "POST /1/indexes/films/query")
    expectEqual(error.status, 503)
    expectEqual(error.correlationID, "c7")
  }

  @Test func errorIsATimeoutWhenEveryHostTimesOut() async throws {
    let script = ScriptedExchange(.fail(HTTPExchangeError.timedOut))
    let error = try await searchError(of: .sample(script), sending: .sampleRead)
    expectEqual(error.code, .timedOut)
    expectEqual(error.attempts.count, 4)
  }

  @Test func eachConcurrentCallMakesOneExchange() async throws {
    let script = ScriptedExchange { request, _ in
      .answer(HTTPExchangeResponse(status: 200, body: request.body))
    }
    let transport = AlgoliaTransport.sample(script)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          var request = TransportRequest.sampleRead
          request.body = Array("\(number)".utf8)
          return try await transport.send(request).body == request.body
        }
      }
      for try await isOwnAnswer in group { #expect(isOwnAnswer) }
    }
    expectEqual(script.requests.count, 200)
    expectEqual(Set(script.requests.flatMap { $0.values(of: "Request-ID") }).count, 200)
  }

  @Test(arguments: [("", "sekret", "application ID"), ("APPID", "", "API key")])
  func firstCallThrowsForAnEmptyCredential(
    appID: String, apiKey: String, name: String
  ) async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(exchange: script.exchange)
    let transport = AlgoliaTransport(appID: appID, apiKey: apiKey, configuration: configuration)
    let error = try await searchError(of: transport, sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
    #expect(error.message.contains(name))
    #expect(script.requests.isEmpty)
  }

  @Test(arguments: ["evil.example/", "user@evil", "a b", "a.b", "a\r\nb", "#", "ä"])
  func applicationIDThatChangesTheHostIsRejected(appID: String) async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(exchange: script.exchange)
    let transport = AlgoliaTransport(appID: appID, apiKey: "sekret", configuration: configuration)
    try await expectEqual(
      searchError(of: transport, sending: .sampleRead).code, .invalidRequest)
    #expect(script.requests.isEmpty)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func nonPositiveTimeoutIsReported(timeout: Duration) async throws {
    let script = ScriptedExchange(.status(200))
    for configuration in [
      AlgoliaTransport.Configuration(readTimeout: timeout),
      AlgoliaTransport.Configuration(writeTimeout: timeout),
    ] {
      let error = try await searchError(
        of: .sample(script, configuration: configuration), sending: .sampleRead)
      expectEqual(error.code, .invalidRequest)
    }
  }

  @Test func clientIsCreatedFromApplicationIDAndKey() throws {
    let client = SearchClient(appID: "APPID", apiKey: "sekret")
    try expectEqual(#require(client.transport as? AlgoliaTransport).appID, "APPID")
  }
}

/// An error of another library, with a text that must not be shown.
struct StrangeError: Error, CustomStringConvertible {
  var description: String { "GET https://example.com with key sekret failed" }
}
