import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The errors of calls that have no result.
struct SearchClientErrorTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  @Test(arguments: [
    (400, SearchError.Code.invalidRequest), (401, .unauthorized), (403, .unauthorized),
    (404, .indexNotFound), (408, .timedOut), (422, .invalidRequest), (429, .rateLimited),
    (500, .server), (503, .server), (302, .server),
  ])
  func statusesBecomeCodes(status: Int, code: SearchError.Code) async {
    let client = SearchClient(
      transport: ScriptedTransport(
        json: #"{"message":"Index films does not exist"}"#, status: status))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.code, code)
    expectEqual(error?.status, status)
    expectEqual(error?.message, "Index films does not exist")
    expectEqual(error?.indexName, "films")
    expectEqual(error?.request, "POST /1/indexes/films/query")
  }

  @Test func anErrorBodyThatIsNotJSONStillGivesItsText() async {
    let client = SearchClient(
      transport: ScriptedTransport(json: "<html>Too many</html>", status: 429))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.message, "<html>Too many</html>")
    #expect(error?.isRetryable == true)
  }

  @Test(arguments: ["", "{", "[]", "null", #"{"hits":7}"#, "{\"hits\":[]}x"])
  func responseThatIsNotAPageIsADecodingError(body: String) async {
    let client = SearchClient(transport: ScriptedTransport(json: body))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.code, .decoding)
  }

  @Test func otherErrorsOfTransportsAreNamedWithoutContents() async {
    struct Secretive: Error {
      let key = "0123secret"
    }
    let client = SearchClient(transport: ScriptedTransport { _, _ in throw Secretive() })
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.code, .transport)
    expectEqual(error?.underlying, "Secretive")
    #expect(error.map { String(reflecting: $0).contains("0123secret") } == false)
  }

  @Test func cancelledTaskGetsACancellation() async {
    let transport = ScriptedTransport(json: #"{"hits":[]}"#)
    let call = Task {
      await untilCancelled()
      return try await SearchClient(transport: transport).search("films", of: Film.self)
    }
    call.cancel()
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .cancelled)
    #expect(transport.requests.isEmpty)
  }

  @Test func aSilentServerEndsWithTheDeadline() async {
    let clock = ManualClock()
    let transport = FaultyTransport(wrapping: ScriptedTransport(json: "{}")) { _, _ in .silence }
    let call = Task {
      try await SearchClient(transport: transport, clock: clock)
        .search("films", of: Film.self, options: RequestOptions(timeout: .seconds(1)))
    }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .timedOut)
  }

  @Test(arguments: [
    ("Index films does not exist", SearchError.Code.indexNotFound),
    ("index films does not exist", .indexNotFound), ("No such index: films", .indexNotFound),
    ("ObjectID does not exist", .objectNotFound), ("objectID 7 does not exist", .objectNotFound),
    ("The object 7 of the index films does not exist", .objectNotFound),
    ("Path /1/indexes/index/object not found", .invalidRequest),
    ("404 page not found", .invalidRequest), ("", .invalidRequest),
  ])
  func notFoundCodeIsReadFromTheMessage(message: String, code: SearchError.Code) async {
    let client = SearchClient(
      transport: ScriptedTransport { _, _ in
        TransportResponse(status: 404, body: Array(message.utf8))
      })
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.code, code)
  }

  @Test func missingContextIsAddedToErrorsOfTransports() async {
    let client = SearchClient(
      transport: ScriptedTransport { _, _ in throw SearchError(.unreachable, "No host.") })
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.code, .unreachable)
    expectEqual(error?.request, "POST /1/indexes/films/query")
    expectEqual(error?.indexName, "films")
  }

  @Test func theCorrelationIDOfAnErrorIsKept() async {
    let client = SearchClient(
      transport: ScriptedTransport { _, _ in
        TransportResponse(
          status: 500, headers: [HTTPHeader(name: "correlation-id", value: "c7")], body: [])
      })
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.correlationID, "c7")
  }

  @Test(arguments: [
    ("Index people does not exist", "people"), ("Invalid value for page", nil),
    ("films and people differ", nil), ("filmstrip is not allowed", nil),
    ("Index \\\"people\\\" of /1/people/films-2", "people"),
  ])
  func multiQueryErrorNamesTheIndexOfItsMessage(
    message: String, name: String?
  ) async {
    let client = SearchClient(
      transport: ScriptedTransport(json: #"{"message":"\#(message)"}"#, status: 400))
    let error = await #expect(throws: SearchError.self) {
      try await client.search([
        SearchRequest("films", of: Film.self), SearchRequest("people", of: Film.self),
      ])
    }
    expectEqual(error?.indexName, name)
  }

  @Test func cancellationErrorOfAnotherLibraryIsACancellation() async {
    struct LibraryCancelled: Error {}
    let error = await errorWhenCancelledInFlight { throw LibraryCancelled() }
    expectEqual(error?.code, .cancelled)
    expectEqual(error?.request, "POST /1/indexes/films/query")
  }

  /// Whoever cancels a call ignores the error, so nobody would hear of this one.
  @Test func cancellationThatNobodyAskedForIsAnError() async {
    for failure in [CancellationError(), SearchError(.cancelled, "no")] as [any Error] {
      let client = SearchClient(transport: ScriptedTransport { _, _ in throw failure })
      let error = await #expect(throws: SearchError.self) {
        try await client.search("films", of: Film.self)
      }
      expectEqual(error?.code, .transport)
      expectEqual(error?.underlying, "\(type(of: failure))")
      expectEqual(error?.indexName, "films")
    }
  }

  /// A text of a server cannot add a line to a log.
  @Test func descriptionIsOneLine() async {
    let message = "no\r\n2026-11-25 ok\u{2028}ok\u{85}\0ok"
    let body = JSON.object(["message": .string(message)]).text
    let client = SearchClient(transport: ScriptedTransport(json: body, status: 400))
    let error = await #expect(throws: SearchError.self) {
      try await client.search("films", of: Film.self)
    }
    expectEqual(error?.message, message)
    #expect(error?.description.hasPrefix("invalidRequest: no 2026-11-25 ok ok ok (") == true)
  }

  @Test func responseToACancelledCallIsIgnored() async {
    let error = await errorWhenCancelledInFlight {
      TransportResponse(status: 200, body: Array(#"{"hits":[]}"#.utf8))
    }
    expectEqual(error?.code, .cancelled)
  }

  /// Cancels a call that its transport has already received, and only then lets the transport end
  /// it.
  private func errorWhenCancelledInFlight(
    _ end: @escaping @Sendable () throws -> TransportResponse
  ) async -> SearchError? {
    let gate = CallGate()
    let transport = ScriptedTransport { _, _ in
      await gate.pass()
      return try end()
    }
    let call = Task {
      try await SearchClient(transport: DirectTransport(base: transport))
        .search("films", of: Film.self)
    }
    await gate.waitForCalls()
    call.cancel()
    gate.open()
    return await #expect(throws: SearchError.self) { try await call.value }
  }
}

extension SearchClientErrorTests {
  @Test(
    arguments: [
      (SearchError.Code.invalidRequest, 400), (.unauthorized, 502), (.indexNotFound, 404),
      (.objectNotFound, 404), (.rateLimited, 429), (.server, 502), (.unreachable, 503),
      (.timedOut, 504), (.decoding, 502), (.cancelled, 499), (.superseded, 499),
      (.transport, 502), (.storage, 503),
    ])
  func eachCodeHasAStatusForClientsOfAServer(code: SearchError.Code, status: Int) {
    expectEqual(SearchError(code, "").httpStatus, status)
  }
}
