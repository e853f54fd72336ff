import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Deleted users, discarded events, and tokens that must not be shown.
struct InsightsConsentTests {
  /// How an in-flight call completes while its events are discarded.
  enum Outcome: CaseIterable {
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

  /// A server that holds the first call with events, and completes it with this outcome.
  private func server(_ gate: CallGate, _ outcome: Outcome) -> InsightsServer {
    let isFirst = Lock(true)
    return InsightsServer { names, _ in
      guard !names.isEmpty else { return TransportResponse(status: 204, body: []) }
      let isHeld = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isHeld else { return .taken }
      await gate.pass()
      return try outcome.answer()
    }
  }

  private func of(_ user: String, _ number: Int) -> InsightsEvent {
    event(number).setting(\.userToken, to: user)
  }

  private func deletionError(_ userToken: String, _ harness: InsightsHarness) -> SearchError? {
    let call = harness.call { client -> SearchError? in
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
    let harness = try InsightsHarness(server)
    harness.track([
      of("a/b", 1), event(2).setting(\.authenticatedUserToken, to: "a/b"), event(3),
    ])
    #expect(harness.call { try? await $0.deleteUserToken("a/b") }.value != nil)
    expectEqual(server.requests.first?.method, .delete)
    expectEqual(server.requests.first?.path, "/1/usertokens/a%2Fb")
    #expect(server.requests.first?.body.isEmpty == true)
    expectEqual(harness.call { await $0.flush() }.value, InsightsFlush(sentCount: 1))
    expectEqual(server.batches.last, ["e3"])
    expectEqual(deletionError("a b", harness)?.code, .invalidRequest)
  }

  @Test func aSuccessThatIsNotOfTheServiceDeletesNothing() throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 200, body: Array("<html>Please log in</html>".utf8))
    }
    expectEqual(try deletionError("a", InsightsHarness(server))?.code, .decoding)
  }

  @Test(arguments: Outcome.allCases)
  func inFlightEventsOfADeletedUserAreNotSentAgain(outcome: Outcome) throws {
    let gate = CallGate()
    let server = server(gate, outcome)
    let storage = FaultyStorage()
    let harness = try InsightsHarness(server, storage, .init(batchSize: 5))
    harness.track([event(1), of("a/b", 2), event(3), of("a/b", 4), event(5), of("a/b", 6)])
    expectEqual(server.batches, [names(1...5)])
    harness.call { try? await $0.deleteUserToken("a/b") }
    // Acknowledged at once, so that no other client sends them either.
    expectEqual(Set(storage.acknowledged), [2, 4, 6])
    gate.open()
    harness.run()
    for _ in 0..<2 { #expect(harness.call { await $0.flush() }.value != nil) }
    let later = server.batches.filter { !$0.isEmpty }.dropFirst().flatMap(\.self)
    expectEqual(later, outcome == .accepted ? [] : ["e1", "e3", "e5"])
    expectEqual(storage.acknowledged.sorted(), Array(1...6))
    expectEqual(harness.call { await $0.waitingCount }.value, 0)
    #expect(harness.failures.value?.contains { $0.kind == .refused } == false)
  }

  @Test(arguments: Outcome.allCases, [1, 2, 3])
  func discardedInFlightEventsAreNotSentAgain(outcome: Outcome, count: Int) throws {
    let gate = CallGate()
    let server = server(gate, outcome)
    let storage = FaultyStorage()
    let harness = try InsightsHarness(server, storage, .init(batchSize: count))
    harness.track((1...count).map(event))
    expectEqual(server.batches, [names(1...count)])
    harness.track([event(count + 1)])
    let flush = harness.call { await $0.flush() }
    #expect(flush.value == nil)
    harness.call { await $0.discardWaitingEvents() }
    harness.call { await $0.discardWaitingEvents() }
    expectEqual(storage.acknowledged.sorted(), (1...(count + 1)).map(UInt64.init))
    gate.open()
    harness.run()
    // The waiting caller gets a result for each event.
    expectEqual(
      flush.value,
      outcome == .accepted
        ? InsightsFlush(sentCount: count, droppedCount: 1)
        : InsightsFlush(droppedCount: count + 1))
    harness.advance(by: .seconds(1_000))
    expectEqual(server.batches, [names(1...count)])
    expectEqual(storage.acknowledged.count, count + 1)
    expectEqual(harness.call { await $0.waitingCount }.value, 0)
    // Later events are sent as usual.
    harness.track([event(9)])
    harness.call { await $0.flush() }
    expectEqual(server.batches.last, ["e9"])
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
    let harness = try InsightsHarness(server, InMemoryInsightsStorage(), .init(batchSize: 6))
    harness.track([
      of("x", 1), event(2), event(3), event(4), of("x", 5), event(6),
    ])
    expectEqual(server.batches, [names(1...6), names(1...3)])
    harness.call { try? await $0.deleteUserToken("x") }
    gate.open()
    harness.run()
    for _ in 0..<2 { harness.call { await $0.flush() } }
    let later = server.batches.filter { !$0.isEmpty }.dropFirst(2)
    expectEqual(later.flatMap(\.self), ["e2", "e3", "e4", "e6"])
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
    let harness = try InsightsHarness(server)
    harness.track([of("visitor-42/A+b=", 1).setting(\.authenticatedUserToken, to: "zz")])
    let flush = harness.call { await $0.flush() }.value
    let failures = try #require(harness.failures.value)
    #expect(!failures.isEmpty)
    var output = "\(failures)" + String(reflecting: failures) + "\(String(describing: flush))"
    dump(failures, to: &output)
    dump(flush, to: &output)
    for failure in failures { output += "\(failure) \(failure.error.message)" }
    for secret in ["visitor-42", "VISITOR-42", " zz"] {
      #expect(!output.contains(secret), "\(output)")
    }
    #expect(output.contains("userToken … (…, …) and …: fuzzy"))
  }

  @Test func truncatedTokenIsNotShown() throws {
    let server = InsightsServer { _, _ in
      TransportResponse(
        status: 503,
        body: Array((String(repeating: "x ", count: 90) + "visitor-1234567890-abcdefghij").utf8))
    }
    let harness = try InsightsHarness(server)
    harness.track([of("visitor-1234567890-abcdefghij", 1)])
    let error = try #require(harness.call { await $0.flush() }.value?.error)
    #expect(!"\(error)".contains("visitor"))
    #expect(error.message.hasSuffix("x …"))
  }

  @Test(arguments: ["sekret%2f%3D1", "sekret/%3d1", "SEKRET/=1", "c2VrcmV0Lz0x"])
  func tokenIsFoundInEachForm(spelling: String) throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array("Too many for \(spelling).".utf8))
    }
    let harness = try InsightsHarness(server)
    expectEqual(deletionError("sekret/=1", harness)?.message, "Too many for ….")
  }

  @Test(arguments: 1...8)
  func tokenOfAnyLengthIsFound(length: Int) throws {
    let token = String("qzjxkvwy".prefix(length))
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array("Too many for \(token).".utf8))
    }
    let harness = try InsightsHarness(server)
    expectEqual(deletionError(token, harness)?.message, "Too many for ….")
  }

  @Test(arguments: [#"{"error":"xsekret\/=1"}"#, #"{"code":429,"error":["sekret/=1"]}"#])
  func tokenInJSONWithoutAMessageIsNotShown(body: String) throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array(body.utf8))
    }
    let harness = try InsightsHarness(server)
    let error = try #require(deletionError("sekret/=1", harness))
    #expect(!error.message.contains("sekret"))
  }

  /// A short token can be a part of any word.
  @Test func shortTokenIsFoundAsAWord() throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array("Too many for abc, (ABC) and abcd.".utf8))
    }
    let harness = try InsightsHarness(server)
    expectEqual(deletionError("abc", harness)?.message, "Too many for …, (…) and abcd.")
  }

  @Test func errorOfADeletionDoesNotNameTheUser() throws {
    let server = InsightsServer { _, _ in
      TransportResponse(status: 429, body: Array(#"{"message":"Too many for sekret."}"#.utf8))
    }
    let harness = try InsightsHarness(server)
    let error = deletionError("sekret", harness)
    expectEqual(error?.code, .rateLimited)
    expectEqual(error?.message, "Too many for ….")
    #expect(error.map { "\($0)".contains("sekret") } == false)
  }
}
