import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct BatchingTransportTests {
  private let clock = ManualClock()
  private let base = ScriptedTransport.rows()

  private func batching(
    _ base: some SearchTransport, maximumBatch: Int = 50
  ) -> BatchingTransport {
    BatchingTransport(wrapping: base, maximumBatch: maximumBatch, clock: clock)
  }

  /// Begins a call with a deadline, whose timer shows that the call has been collected.
  private func begin(
    _ request: TransportRequest, on transport: BatchingTransport
  ) -> Task<TransportResponse, any Error> {
    let deadline = request.deadline ?? Deadline(after: .seconds(100), clock: clock)
    return Task { try await transport.send(request.with { $0.deadline = deadline }) }
  }

  /// Returns when that many calls have been collected in that many batches.
  private func collected(_ calls: Int, in batches: Int = 1) async {
    await clock.waitForSleepers(calls + batches)
  }

  /// Makes concurrent calls, lets the window elapse when all have been collected, and returns their
  /// outcomes. If `batches` is 0, it does not wait for the window.
  private func outcomes(
    of requests: [TransportRequest], on transport: BatchingTransport, batches: Int = 1
  ) async -> [String] {
    let calls = requests.map { begin($0, on: transport) }
    if batches > 0 {
      await collected(requests.count, in: batches)
      clock.advance(by: .milliseconds(2))
    }
    var outcomes: [String] = []
    for call in calls { outcomes.append(outcome(await call.result)) }
    return outcomes
  }

  // MARK: - Batches

  @Test func aThousandSearchesMakeTwentyRequests() async throws {
    let transport = batching(base)
    let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
      for number in 0..<1_000 {
        group.addTask { (number, try await transport.send(.search("\(number)")).queryText) }
      }
      return try await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
    }
    #expect(answers.count == 1_000 && answers.allSatisfy { $0.value == "\($0.key)" })
    expectEqual(base.requests.count, 20)
    #expect(base.requests.allSatisfy { $0.path == "/1/indexes/*/queries" })
    #expect(transport.isIdle)
  }

  @Test func searchesWithinTheWindowAreOneRequest() async throws {
    let transport = batching(base)
    let bodies = [#"{ "query" : "a\u0062", "n":1.50 }"#, "", "{ }", #" {"query":"a"} "#]
    let requests = bodies.map { body in
      TransportRequest.search("", in: "my \"index\"").with { $0.body = Array(body.utf8) }
    }
    await expectEqual(outcomes(of: requests, on: transport), ["ab", "", "", "a"])
    let sent = try #require(base.requests.first.map { String(decoding: $0.body, as: UTF8.self) })
    expectEqual(base.requests.count, 1)
    // The order of callers that begin concurrently is undefined.
    let elements = [
      #"{"indexName":"my \"index\"", "query" : "a\u0062", "n":1.50 }"#,
      #"{"indexName":"my \"index\""}"#, #"{"indexName":"my \"index\"","query":"a"}"#,
    ]
    #expect(elements.allSatisfy(sent.contains))
    expectEqual(
      sent.count,
      #"{"requests":[]}"#.count + elements.reduce(3) { $0 + $1.count } + elements[1].count)
  }

  @Test func eachCallerGetsAResponseInTheFormOfItsCall() async throws {
    let base = ScriptedTransport { request, _ in
      var response = try rowsOfEach(request)
      response.headers = [
        .init(name: "Correlation-ID", value: "c"), .init(name: "content-length", value: "9"),
      ]
      response.snapshot = "data"
      response.origin = .fallback
      return response
    }
    let transport = batching(base)
    let single = begin(.search("a"), on: transport)
    let several = begin(.searches(["b", "c"]), on: transport)
    await collected(2)
    clock.advance(by: .milliseconds(2))
    let (one, list) = try await (single.value, several.value)
    expectEqual(base.requests.count, 1)
    expectEqual(one.body, (try rows(.search("a"))).body)
    expectEqual(list.body, (try rowsOfEach(.searches(["b", "c"]))).body)
    for response in [one, list] {
      expectEqual(response.headers.map(\.name), ["Correlation-ID"])
      #expect(response.snapshot as? String == "data" && response.origin == .fallback)
    }
  }

  @Test func singleSearchIsSentUnchanged() async throws {
    let transport = batching(base)
    let request = TransportRequest.search("a", headers: [.init(name: "X", value: "1")])
    await expectEqual(outcomes(of: [request], on: transport), ["a"])
    expectEqual(base.requests, [request])
  }

  @Test func multiQueryIsNotSplit() async throws {
    let transport = batching(base, maximumBatch: 3)
    let first = begin(.searches(["a", "b"]), on: transport)
    await collected(1)
    // It does not fit the first, which is sent at once, and is batched with the next.
    let second = Task { try await transport.send(.searches(["c", "d"])) }
    _ = try await first.value
    let third = Task { try await transport.send(.search("e")) }
    _ = try await (second.value, third.value)
    let large = TransportRequest.searches(["1", "2", "3", "4"])
    _ = try await transport.send(large)
    expectEqual(base.requests.count, 3)
    #expect(base.requests[0] == .searches(["a", "b"]) && base.requests[2] == large)
    try expectEqual(JSON(parsing: base.requests[1].body)["requests"]?.arrayValue?.count, 3)
  }

  @Test func onlyCallsWithEqualHeadersAndQueryItemsAreBatched() async throws {
    let transport = batching(base)
    let requests = ["1", "1", "2"].map {
      TransportRequest.search($0, headers: [.init(name: "X-Algolia-API-Key", value: $0)])
    }
    let traced = ["3", "4"].map { text in
      TransportRequest.search(text).with {
        $0.queryItems = [QueryItem(name: "q", value: "1")]
        $0.headers = [.init(name: "traceparent", value: text)]
      }
    }
    let outcomes = await outcomes(of: requests + traced, on: transport, batches: 3)
    expectEqual(outcomes, ["1", "1", "2", "3", "4"])
    expectEqual(base.requests.count, 3)
    for request in base.requests where request.headers.first?.name == "X-Algolia-API-Key" {
      let texts = try JSON(parsing: request.body)["requests"]?.arrayValue?
        .compactMap { $0["query"]?.stringValue }
      let key = request.headers[0].value
      #expect((texts ?? ["2"]).allSatisfy { $0 == key })
    }
  }

  @Test func onlyCallsWithEqualRightsAreBatched() async throws {
    let transport = batching(base)
    let requests = [true, false, false].enumerated().map { number, readsSettings in
      TransportRequest.search("\(number)").with { $0.rights.readsSettings = readsSettings }
    }
    await expectEqual(outcomes(of: requests, on: transport, batches: 2), ["0", "1", "2"])
    let sent = base.requests.map { ($0.endpoint == .multiQuery, $0.rights.readsSettings) }
    #expect(sent.contains { $0 == (false, true) } && sent.contains { $0 == (true, false) })
  }

  @Test func onlyCallsWithEqualAttemptTimeoutsAreBatched() {
    let executor = SeededExecutor(seed: 1)
    let transport = BatchingTransport(wrapping: base, clock: clock, executor: executor)
    for number in 0..<6 {
      let request = TransportRequest.search("\(number)").with {
        $0.attemptTimeout = number < 2 ? nil : .seconds(number / 2)
      }
      Task(executorPreference: executor) { try await transport.send(request) }
    }
    executor.runUntilIdle()
    clock.advance(by: .milliseconds(2))
    executor.runUntilIdle()
    #expect(base.requests.count == 3 && transport.isIdle)
    expectEqual(Set(base.requests.map(\.attemptTimeout)), [.seconds(1), .seconds(2), nil])
  }

  // MARK: - Forwarded calls

  /// Makes calls on the test's own thread, and returns the requests made before any time has
  /// passed. Collected calls are not among them.
  private func askedAtOnce(_ requests: [TransportRequest]) -> [TransportRequest] {
    let executor = SeededExecutor(seed: 1)
    let base = ScriptedTransport(json: "{}")
    let transport = BatchingTransport(wrapping: base, clock: clock, executor: executor)
    for request in requests {
      let call = Task(executorPreference: executor) { try await transport.send(request) }
      executor.runUntilIdle()
      call.cancel()
      executor.runUntilIdle()
    }
    return base.requests
  }

  @Test(arguments: [
    #"{"query":"a"},{"indexName":"secret"}"#, #"{"query":"a"}]"#, "{", "[]", "7", #"{"a":1,}"#,
    #"{"query":"a"}{"query":"b"}"#, "\u{FEFF}{}", #"{"query":"\uD8"}"#,
    #"{"indexName":"other"}"#, #"{"index\u004eame":"other"}"#, #"{"type":"facet","facet":"a"}"#,
    #"{"facetQuery":""}"#, #"{"extensions":{}}"#,
  ])
  func bodyThatCouldChangeTheBatchIsSentAlone(body: String) {
    let request = TransportRequest.search("").with { $0.body = Array(body.utf8) }
    expectEqual(askedAtOnce([request]), [request])
  }

  @Test(arguments: [
    #"{"requests":[{"indexName":"a"}],"strategy":"stopIfEnoughMatches"}"#,
    #"{"requests":[{"indexName":"a"}],"other":1}"#, #"{"requests":[]}"#, #"{"requests":{}}"#,
    #"{"requests":[1]}"#, #"{"requests":[{}]"#, #"{"requests":[{}],"strategy":7}"#, "{}",
    #"{"requests":[{"indexName":"a"}],"strategy":"stopIfEnoughMatches","strategy":"none"}"#,
  ])
  func multiQueryOfAnotherKindIsSentAlone(body: String) {
    let request = TransportRequest.searches([]).with { $0.body = Array(body.utf8) }
    expectEqual(askedAtOnce([request]), [request])
  }

  @Test func otherCallsAreForwardedUnchanged() {
    let search = TransportRequest.search("a")
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let requests: [TransportRequest] = [
      search.with { $0.snapshot = "then" },
      search.with { $0.headers = [.init(name: "Request-ID", value: "12345678901")] },
      search.with { $0.queryItems = [.init(name: "X-Algolia-Request-ID", value: "1")] },
      search.with { $0.callType = .write },
      search.with { $0.method = .get },
      search.with { $0.pathComponents[3] = "browse" },
      search.with { $0.pathComponents[2] = "*" },
      search.with { $0.pathComponents = ["1", "indexes", "a", "facets", "b", "query"] },
      .write().with { $0.deadline = deadline },
    ]
    let asked = askedAtOnce(requests)
    expectEqual(asked, requests)
    #expect(asked.first?.snapshot as? String == "then" && asked.last?.deadline != nil)
    #expect(askedAtOnce([search]).isEmpty, "this call is collected")
  }

  @Test func multiQueryWithStrategyNoneIsBatched() async throws {
    let transport = batching(base)
    let request = TransportRequest.searches([]).with {
      $0.body = Array(#"{"strategy":"none","requests":[{"indexName":"a","query":"x"}]}"#.utf8)
    }
    _ = await outcomes(of: [request, .search("b")], on: transport)
    expectEqual(base.requests.count, 1)
  }

  // MARK: - Errors

  /// A server that rejects a whole request that contains one wrong query.
  private func picky(status: Int) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      let text = String(decoding: request.body, as: UTF8.self)
      return text.contains("bad")
        ? TransportResponse(status: status, body: Array(#"{"message":"no"}"#.utf8))
        : try rowsOfEach(request)
    }
  }

  @Test func wrongQueryCostsAFewRequestsAndOthersSucceed() async throws {
    let base = picky(status: 400)
    let texts = (0..<50).map { $0 == 17 ? "bad" : "\($0)" }
    let outcomes = await outcomes(
      of: texts.map { .search($0) }, on: batching(base), batches: 0)
    expectEqual(outcomes, texts.map { $0 == "bad" ? "status 400" : $0 })
    #expect(base.requests.count <= 13)
    #expect(base.requests.contains(.search("bad")), "in its original form")
  }

  @Test func everyWrongQueryGetsItsOwnError() async throws {
    let base = picky(status: 404)
    let outcomes = await outcomes(
      of: (0..<8).map { .search("bad \($0)") }, on: batching(base, maximumBatch: 8), batches: 0)
    expectEqual(outcomes, Array(repeating: "status 404", count: 8))
    expectEqual(base.requests.count, 15)
  }

  @Test(arguments: [401, 402, 405, 407, 408, 425, 429, 500, 503, 302])
  func errorOfTheWholeBatchGoesToEveryCaller(status: Int) async throws {
    let base = picky(status: status)
    let outcomes = await outcomes(of: [.search("bad"), .search("a")], on: batching(base))
    expectEqual(outcomes, ["status \(status)", "status \(status)"])
    expectEqual(base.requests.count, 1)
  }

  @Test func thrownErrorGoesToEveryCaller() async throws {
    let base = ScriptedTransport { _, _ in throw SearchError(.unreachable, "down") }
    let outcomes = await outcomes(of: [.search("a"), .search("b")], on: batching(base))
    expectEqual(outcomes, ["unreachable", "unreachable"])
  }

  @Test(arguments: [
    #"{"results":[{}]}"#, #"{"results":[{},{},{}]}"#, "{}", "<html>", "", #"{"results":{}}"#,
    #"[{},{}]"#,
  ])
  func responseWithoutAResultPerQueryFailsEveryCall(body: String) async throws {
    let base = ScriptedTransport(json: body)
    let outcomes = await outcomes(of: [.search("a"), .search("b")], on: batching(base))
    expectEqual(outcomes, ["decoding", "decoding"])
    expectEqual(base.requests.count, 1)
  }

  // MARK: - Cancellation and deadlines

  @Test func cancelledCallIsNotInTheBatch() async throws {
    let transport = batching(base)
    let calls = ["a", "b", "c"].map { begin(.search($0), on: transport) }
    await collected(3)
    calls[1].cancel()
    expectEqual(outcome(await calls[1].result), "cancelled")
    clock.advance(by: .milliseconds(2))
    expectEqual(outcome(await calls[0].result), "a")
    expectEqual(outcome(await calls[2].result), "c")
    #expect(!String(decoding: base.requests[0].body, as: UTF8.self).contains(#""b""#))
  }

  @Test func batchWithoutCallersIsNotSent() async throws {
    let transport = batching(base)
    let deadline = Deadline(after: .milliseconds(1), clock: clock)
    let calls = [TransportRequest.search("a"), .search("b", deadline: deadline)]
      .map { begin($0, on: transport) }
    await collected(2)
    calls[0].cancel()
    expectEqual(outcome(await calls[0].result), "cancelled")
    clock.advance(by: .milliseconds(1))
    expectEqual(outcome(await calls[1].result), "timedOut")
    #expect(transport.isIdle)
    clock.advance(by: .seconds(1))
    #expect(base.requests.isEmpty)
  }

  @Test func inFlightBatchIsCancelledWithItsLastCaller() {
    let executor = SeededExecutor(seed: 1)
    let wasCancelled = Shared(false)
    let base = ScriptedTransport { _, _ in
      await untilCancelled()
      wasCancelled.change { $0 = true }
      throw CancellationError()
    }
    let transport = BatchingTransport(
      wrapping: base, maximumBatch: 2, clock: clock, executor: executor)
    let calls = ["a", "b"].map { text in
      Task(executorPreference: executor) { try await transport.send(.search(text)) }
    }
    executor.runUntilIdle()
    for call in calls {
      #expect(base.requests.count == 1 && !wasCancelled.value && !transport.isIdle)
      call.cancel()
      executor.runUntilIdle()
    }
    #expect(wasCancelled.value && transport.isIdle)
  }

  @Test func eachCallerHasItsOwnDeadlineForAnInFlightBatch() async throws {
    let gate = CallGate()
    let base = ScriptedTransport.rows(at: gate)
    let transport = batching(base, maximumBatch: 2)
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let early = Task { try await transport.send(.search("a", deadline: deadline)) }
    let patient = Task { try await transport.send(.search("b")) }
    await gate.waitForCalls()
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    expectEqual(outcome(await early.result), "timedOut")
    gate.open()
    expectEqual(outcome(await patient.result), "b")
    expectEqual(base.requests.map { $0.deadline == nil }, [true])
  }

  @Test func noKeyIsShown() async throws {
    let transport = batching(base)
    let call = begin(
      .search("sekret", headers: [.init(name: "X-Algolia-API-Key", value: "sekret")]), on: transport
    )
    await collected(1)
    var text = "\(transport)" + String(reflecting: transport)
    dump(transport, to: &text)
    #expect(!text.contains("sekret"))
    call.cancel()
    _ = await call.result
  }

  @Test func batchedResponsesOfTheEngineEqualSingleCalls() async throws {
    let engine = try await wordsEngine()
    let transport = batching(engine, maximumBatch: 3)
    let client = SearchClient(transport: transport)
    let direct = SearchClient(transport: engine)
    async let first = client.search("my words", SearchQuery("word 1"), of: JSON.self)
    async let second = client.search("my words", SearchQuery("word 2"), of: JSON.self)
    async let third = client.search("my words", SearchQuery("nothing"), of: JSON.self)
    let pages = try await [first, second, third]
    for (page, text) in zip(pages, ["word 1", "word 2", "nothing"]) {
      let expected = try await direct.search("my words", SearchQuery(text), of: JSON.self)
      #expect(page.hits == expected.hits && page.nbHits == expected.nbHits)
    }
  }
}
