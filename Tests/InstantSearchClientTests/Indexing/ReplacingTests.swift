import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Replacing all records of an index in one step, and waiting for tasks.
struct ReplacingTests {
  private static let records = (0..<10).map { ["objectID": "\($0)", "v": "new"] }

  private static func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.save([["objectID": "old"]], in: "films")
    try await engine.setSettings(IndexSettings { $0.hitsPerPage = 7 }, of: "films")
    return engine
  }

  /// A client whose calls take as long as the machine needs.
  private static func client(_ transport: some SearchTransport) -> SearchClient {
    SearchClient(transport: transport, clock: ManualClock())
  }

  /// The paths of the calls, with `TMP` for the temporary index.
  private func calls(_ transport: ScriptedTransport) -> [String] {
    transport.requests.map { request in
      let path = request.endpoint.description
      guard let range = path.firstRange(of: #/films_tmp_\d+/#) else { return path }
      return path.replacing(path[range], with: "TMP")
    }
  }

  @Test func recordsAreReplacedAndSettingsStay() async throws {
    let engine = try await Self.engine()
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let client = Self.client(transport)
    try await client.saveSynonyms([Synonym("s", .equivalent(["a", "b"]))], in: "films")
    let report = try await client.replaceAll(
      with: Self.records, in: "films",
      options: IndexingOptions(batchSize: 4, concurrentBatches: 1))
    #expect(report.saved == 10 && engine.recordCount(of: "films") == 10)
    expectEqual(engine.indexNames, ["films"])
    try await expectEqual(engine.settings(of: "films").hitsPerPage, 7)
    try await expectEqual(client.searchSynonyms(in: "films").hits.map(\.objectID), ["s"])
    let expected = [
      "POST /1/indexes/films/operation", "POST /1/indexes/TMP/batch", "POST /1/indexes/TMP/batch",
      "POST /1/indexes/TMP/batch",
    ]
    expectEqual(Array(calls(transport)[1..<5]), expected)
    #expect(report.task?.indexName.hasPrefix("films_tmp_") == true)
  }

  @Test func missingIndexIsCreated() async throws {
    let engine = LocalSearch()
    let client = Self.client(engine)
    try await client.replaceAll(with: Self.records, in: "films")
    expectEqual(engine.recordCount(of: "films"), 10)
    try await client.replaceAll(with: Self.records.prefix(0), in: "films", scopes: [])
    expectEqual(engine.recordCount(of: "films"), 0)
    let stream = AsyncStream { continuation in
      for record in Self.records { continuation.yield(record) }
      continuation.finish()
    }
    try await client.replaceAll(with: stream, in: "films", scopes: [])
    #expect(engine.recordCount(of: "films") == 10 && engine.indexNames == ["films"])
  }

  /// Whatever call fails, the index is unchanged and the temporary one is gone.
  @Test(arguments: 0..<9)
  func failureLeavesTheIndexAndNothingElse(failing: Int) async throws {
    let engine = try await Self.engine()
    let transport = FaultyTransport(wrapping: engine) { _, number in
      number == failing ? .status(503) : nil
    }
    let error = await #expect(throws: SearchError.self) {
      try await Self.client(transport).replaceAll(
        with: Self.records, in: "films",
        options: IndexingOptions(batchSize: 6, concurrentBatches: 1))
    }
    expectEqual(error?.status, 503)
    // The last call asks for the task of the move, which was done.
    let isDone = failing == 8
    expectEqual(engine.recordCount(of: "films"), isDone ? 10 : 1)
    expectEqual(engine.indexNames, ["films"])
  }

  @Test func progressEndsWithAReplacementThatDoesNotBegin() async throws {
    let transport = ScriptedTransport(json: #"{"message":"no","status":403}"#, status: 403)
    let progress = IndexingProgress()
    let replacing = Task {
      try await Self.client(transport).replaceAll(
        with: Self.records, in: "films", progress: progress)
    }
    for await state in progress { expectEqual(state.saved, 0) }
    await #expect(throws: SearchError.self) { try await replacing.value }
    // What may have been made is deleted.
    expectEqual(transport.requests.last?.endpoint.method, .delete)
  }

  @Test func refusedRecordReplacesNothing() async throws {
    let engine = try await Self.engine()
    let error = await #expect(throws: SearchError.self) {
      try await Self.client(engine).replaceAll(
        with: [["objectID": "1"], ["objectID": ""]], in: "films")
    }
    expectEqual(error?.failures.map(\.position), [2])
    #expect(engine.recordCount(of: "films") == 1 && engine.indexNames == ["films"])
  }

  @Test func cancelledReplacementDeletesItsTemporaryIndex() async throws {
    let engine = try await Self.engine()
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 2 { await gate.pass() }
      return try await engine.send(request)
    }
    let task = Task {
      try await Self.client(transport).replaceAll(
        with: Self.records, in: "films",
        options: IndexingOptions(batchSize: 2, concurrentBatches: 1))
    }
    await gate.waitForCalls()
    task.cancel()
    let error = await #expect(throws: SearchError.self) { try await task.value }
    expectEqual(error?.code, .cancelled)
    #expect(engine.recordCount(of: "films") == 1 && engine.indexNames == ["films"])
    gate.open()
  }

  // MARK: Tasks

  @Test func taskIsAskedForWithGrowingPauses() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport { _, number in
      let status = number == 0 || number >= 30 ? "published" : "notPublished"
      return TransportResponse(
        status: 200, body: Array(#"{"taskID":7,"status":"\#(status)"}"#.utf8))
    }
    let client = SearchClient(transport: transport, clock: clock)
    let task = try await client.clear("films")
    #expect(task.taskID == 7 && task.indexName == "films")
    let waiting = Task { try await task.wait() }
    var pauses: [Int] = []
    for number in 1..<30 {
      await clock.waitForSleepers()
      let pause = min(200 * number, 5000)
      // One millisecond before its end, nobody asks.
      clock.advance(by: .milliseconds(pause - 1))
      expectEqual(transport.requests.count, number + 1)
      clock.advance(by: .milliseconds(1))
      pauses.append(pause)
    }
    try await waiting.value
    expectEqual(transport.requests.count, 31)
    expectEqual(transport.requests.last?.endpoint, .task(index: "films", taskID: "7"))
  }

  @Test func waitEndsWithItsTimeAndWithItsTask() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport(json: #"{"taskID":7,"status":"notPublished"}"#)
    let client = SearchClient(transport: transport, clock: clock)
    let task = try await client.clear("films")
    let late = Task { try await task.wait(timeout: .milliseconds(300)) }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(200))
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    let error = await #expect(throws: SearchError.self) { try await late.value }
    #expect(error?.code == .timedOut && error?.isRetryable == true)
    expectEqual(transport.requests.count, 4)
    let cancelled = Task { try await task.wait() }
    await clock.waitForSleepers()
    cancelled.cancel()
    let second = await #expect(throws: SearchError.self) { try await cancelled.value }
    expectEqual(second?.code, .cancelled)
  }
}
