import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Testing

/// Users who are forgotten, events that nobody wants any more, and tokens that nobody may see.
@Suite(.timeLimit(.minutes(30))) struct InsightsConsentTests {
  /// What becomes of a call that is under way while its events are given up.
  enum Ending: CaseIterable {
    case accepted, refused, failed, lost

    func answer() throws -> TransportResponse {
      switch self {
      case .accepted: .taken
      case .refused: .refusal(422)
      case .failed: .refusal(503)
      case .lost: throw SearchError(.unreachable, "The answer was lost.")
      }
    }
  }

  /// A server that holds the first call with events, and ends it so.
  private func server(_ gate: CallGate, _ ending: Ending) -> InsightsServer {
    let isFirst = Lock(true)
    return InsightsServer { names, _ in
      guard !names.isEmpty else { return TransportResponse(status: 204, body: []) }
      let isHeld = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isHeld else { return .taken }
      await gate.pass()
      return try ending.answer()
    }
  }

  private func of(_ user: String, _ number: Int) -> InsightsEvent {
    event(number).setting(\.userToken, to: user)
  }

  private func deletionError(_ userToken: String, _ stage: InsightsStage) -> SearchError? {
    let call = stage.call { client -> SearchError? in
      do throws(SearchError) {
        try await client.deleteUserToken(userToken)
        return nil
      } catch {
        return error
      }
    }
    return call.value ?? nil
  }

  @Test func userTokenIsDeleted() throws {
    let server = InsightsServer { names, _ in
      names.isEmpty ? TransportResponse(status: 204, body: []) : .taken
    }
    let stage = try InsightsStage(server)
    stage.track([
      of("a/b", 1), event(2).setting(\.authenticatedUserToken, to: "a/b"), event(3),
    ])
    #expect(stage.call { try? await $0.deleteUserToken("a/b") }.value != nil)
    #expect(server.requests.first?.method == .delete)
    #expect(server.requests.first?.path == "/1/usertokens/a%2Fb")
    #expect(server.requests.first?.body.isEmpty == true)
    #expect(stage.call { await $0.flush() }.value == InsightsFlush(sentCount: 1))
    #expect(server.batches.last == ["e3"])
    #expect(deletionError("a b", stage)?.code == .invalidRequest)
  }

  @Test(arguments: Ending.allCases)
  func inFlightEventsOfADeletedUserAreNotSentAgain(ending: Ending) throws {
    let gate = CallGate()
    let server = server(gate, ending)
    let storage = FaultyStorage()
    let stage = try InsightsStage(server, storage, .init(batchSize: 5))
    stage.track([event(1), of("a/b", 2), event(3), of("a/b", 4), event(5), of("a/b", 6)])
    #expect(server.batches == [names(1...5)])
    stage.call { try? await $0.deleteUserToken("a/b") }
    // Noted at once, so that no other client sends them either.
    #expect(Set(storage.acknowledged) == [2, 4, 6])
    gate.open()
    stage.run()
    for _ in 0..<2 { #expect(stage.call { await $0.flush() }.value != nil) }
    let later = server.batches.filter { !$0.isEmpty }.dropFirst().flatMap(\.self)
    #expect(later == (ending == .accepted ? [] : ["e1", "e3", "e5"]))
    #expect(storage.acknowledged.sorted() == Array(1...6))
    #expect(stage.call { await $0.waitingCount }.value == 0)
    #expect(stage.failures.value?.contains { $0.kind == .refused } == false)
  }

  @Test(arguments: Ending.allCases, [1, 2, 3])
  func discardedInFlightEventsAreNotSentAgain(ending: Ending, count: Int) throws {
    let gate = CallGate()
    let server = server(gate, ending)
    let storage = FaultyStorage()
    let stage = try InsightsStage(server, storage, .init(batchSize: count))
    stage.track((1...count).map(event))
    #expect(server.batches == [names(1...count)])
    stage.track([event(count + 1)])
    let flush = stage.call { await $0.flush() }
    #expect(flush.value == nil)
    stage.call { await $0.discardWaitingEvents() }
    stage.call { await $0.discardWaitingEvents() }
    #expect(storage.acknowledged.sorted() == (1...(count + 1)).map(UInt64.init))
    gate.open()
    stage.run()
    // The caller that waited is told of each event.
    #expect(
      flush.value
        == (ending == .accepted
          ? InsightsFlush(sentCount: count, droppedCount: 1)
          : InsightsFlush(droppedCount: count + 1)))
    stage.advance(by: .seconds(1_000))
    #expect(server.batches == [names(1...count)])
    #expect(storage.acknowledged.count == count + 1)
    #expect(stage.call { await $0.waitingCount }.value == 0)
    // Later events go their way.
    stage.track([event(9)])
    stage.call { await $0.flush() }
    #expect(server.batches.last == ["e9"])
  }

  @Test func halvesOfARefusedBatchCanBeDiscardedInFlight() throws {
    let gate = CallGate()
    let server = InsightsServer { _, number in
      if number == 0 { return .refusal(422) }
      if number == 1 {
        await gate.pass()
        return .refusal(503)
      }
      return .taken
    }
    let stage = try InsightsStage(server, InMemoryInsightsStorage(), .init(batchSize: 6))
    stage.track([
      of("x", 1), event(2), event(3), event(4), of("x", 5), event(6),
    ])
    #expect(server.batches == [names(1...6), names(1...3)])
    stage.call { try? await $0.deleteUserToken("x") }
    gate.open()
    stage.run()
    for _ in 0..<2 { stage.call { await $0.flush() } }
    let later = server.batches.filter { !$0.isEmpty }.dropFirst(2)
    #expect(later.flatMap(\.self) == ["e2", "e3", "e4", "e6"])
  }

  // MARK: Tokens

  @Test(arguments: [422, 400, 503, 429])
  func errorsDoNotNameAUserQuotedByTheService(status: Int) throws {
    let text = #"""
      {"message":"userToken visitor-42/A+b= (VISITOR-42/A+B=, visitor-42%2FA%2Bb%3D) and zz: fuzzy"}
      """#
    let server = InsightsServer { _, _ in
      TransportResponse(
        status: status, headers: [HTTPHeader(name: "Correlation-ID", value: "c-visitor-42/A+b=")],
        body: Array(text.utf8))
    }
    let stage = try InsightsStage(server)
    stage.track([of("visitor-42/A+b=", 1).setting(\.authenticatedUserToken, to: "zz")])
    let flush = stage.call { await $0.flush() }.value
    let failures = try #require(stage.failures.value)
    #expect(!failures.isEmpty)
    var said = "\(failures)" + String(reflecting: failures) + "\(String(describing: flush))"
    dump(failures, to: &said)
    dump(flush, to: &said)
    for failure in failures { said += "\(failure) \(failure.error.message)" }
    for secret in ["visitor-42", "VISITOR-42", " zz"] {
      #expect(!said.contains(secret), "\(said)")
    }
    #expect(said.contains("userToken … (…, …) and …: fuzzy"))
  }

  @Test func truncatedTokenIsNotShown() throws {
    let server = InsightsServer { _, _ in
      TransportResponse(
        status: 503,
        body: Array((String(repeating: "x ", count: 90) + "visitor-1234567890-abcdefghij").utf8))
    }
    let stage = try InsightsStage(server)
    stage.track([of("visitor-1234567890-abcdefghij", 1)])
    let error = try #require(stage.call { await $0.flush() }.value?.error)
    #expect(!"\(error)".contains("visitor"))
    #expect(error.message.hasSuffix("x …"))
  }

  @Test(arguments: ["sekret%2f%3D1", "sekret&#47;&equals;1", #"sekret\u002f\u003D1"#, "SEKRET/=1"])
  func tokenIsFoundInAnyEncoding(spelling: String) throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array("Too many for \(spelling).".utf8))
    }
    let stage = try InsightsStage(server)
    #expect(deletionError("sekret/=1", stage)?.message == "Too many for ….")
  }

  @Test func errorOfADeletionDoesNotNameTheUser() throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array(#"{"message":"Too many for sekret."}"#.utf8))
    }
    let stage = try InsightsStage(server)
    let error = deletionError("sekret", stage)
    #expect(error?.code == .rateLimited)
    #expect(error?.message == "Too many for ….")
    #expect(error.map { "\($0)".contains("sekret") } == false)
  }
}
