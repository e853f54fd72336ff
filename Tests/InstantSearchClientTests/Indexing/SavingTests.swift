import InstantSearchClient
import AsyncInstantSearchTesting
import InstantSearchJSON
import LocalSearch
import TestSupport
import Testing

/// Saving, updating and deleting records through the client.
struct SavingTests {
  private struct Film: Codable, Sendable, Hashable {
    var objectID: String?
    var title: String
  }

  private func films(_ count: Int) -> [Film] {
    (0..<count).map { Film(objectID: "\($0)", title: "film \($0)") }
  }

  @Test func savedRecordsAreFound() async throws {
    let engine = LocalSearch()
    let client = SearchClient(transport: engine)
    let report = try await client.save(
      films(25), in: "films", options: IndexingOptions(batchSize: 10))
    #expect(report.saved == 25 && report.objectIDs == (0..<25).map(String.init))
    let sizes = (0..<25).map { #"{"objectID":"\#($0)","title":"film \#($0)"}"#.utf8.count }
    expectEqual(report.bytes, sizes.reduce(0, +))
    expectEqual(
      "\(report)",
      "IndexingReport(saved: 25, bytes: \(report.bytes), task \(report.task?.taskID ?? 0) of films)"
    )
    try await report.wait()
    expectEqual(engine.recordCount(of: "films"), 25)
    try await client.partialUpdate(
      [
        RecordUpdate(
          "1", ["title": "one", "views": .increment(by: 2), "tags": ["a"], "gone": nil]),
        RecordUpdate("1", ["tags": .addUnique("b"), "views": .decrement()]),
        RecordUpdate("x", ["title": "missing"]),
      ], in: "films")
    let record = try await engine.record(withID: "1", in: "films")
    expectEqual(
      record, ["objectID": "1", "title": "one", "views": 1, "tags": ["a", "b"], "gone": .null])
    expectEqual(engine.recordCount(of: "films"), 25)
    try await client.partialUpdate(
      [RecordUpdate("x", ["title": "new"])], in: "films", createsIfMissing: true)
    expectEqual(engine.recordCount(of: "films"), 26)
    try await client.delete(objectIDs: ["x", "1", "nothing"], from: "films").wait()
    expectEqual(engine.recordCount(of: "films"), 24)
    try await client.delete(
      matching: SearchQuery().with { $0.filters = "objectID:2 OR objectID:3" }, from: "films"
    ).wait()
    expectEqual(engine.recordCount(of: "films"), 22)
    try await client.clear("films").wait()
    expectEqual(engine.recordCount(of: "films"), 0)
    let empty = try await client.save([Film](), in: "films")
    #expect(empty.saved == 0 && empty.task == nil)
    try await empty.wait()
  }

  @Test func recordsWithoutIDGetOneBeforeTheyAreSent() async throws {
    let engine = LocalSearch()
    // The response to the first request is lost, so that it is sent again.
    let transport = ScriptedTransport { request, number in
      let response = try await engine.send(request)
      return number == 0 ? try await engine.send(request) : response
    }
    let client = SearchClient(transport: transport)
    let report = try await client.save(
      [Film(title: "a"), Film(title: "b"), Film(objectID: "7", title: "c")], in: "films")
    expectEqual(engine.recordCount(of: "films"), 3)
    #expect(Set(report.objectIDs).count == 3 && report.objectIDs[2] == "7")
    expectEqual(report.objectIDs[0].utf8.count, 24)
    for id in report.objectIDs {
      #expect(try await engine.record(withID: id, in: "films") != nil)
    }
    struct Nothing: Encodable, Sendable {}
    let options = IndexingOptions(makeObjectID: { "mine" })
    try await expectEqual(
      client.save([Nothing()], in: "films", options: options).objectIDs, ["mine"])
    try await expectEqual(engine.record(withID: "mine", in: "films"), ["objectID": "mine"])
  }

  @Test func refusedRecordsAreNamedAndTheOthersAreSaved() async throws {
    struct Price: Encodable, Sendable {
      let objectID: String
      let price: Double
      var text = ""
    }
    let engine = LocalSearch(configuration: .init(maximumRecordSize: 200))
    let client = SearchClient(transport: engine)
    var prices = (0..<40).map { Price(objectID: "p\($0)", price: Double($0)) }
    prices[3] = Price(objectID: "p3", price: .nan)
    for large in [0, 11, 12, 29, 39] {
      prices[large].text = String(repeating: "x", count: 300)
    }
    let progress = IndexingProgress()
    let records = prices
    let error = await #expect(throws: SearchError.self) {
      try await client.save(
        records, in: "prices", options: IndexingOptions(batchSize: 10), progress: progress)
    }
    #expect(error?.code == .invalidRequest && error?.indexName == "prices")
    expectEqual(error?.message, "6 records were refused; 34 records were saved.")
    expectEqual(error?.failures.map(\.position), [1, 4, 12, 13, 30, 40])
    expectEqual(error?.failures.map(\.objectID), ["p0", "p3", "p11", "p12", "p29", "p39"])
    expectEqual(error?.failures[1].codingPath, ["price"])
    #expect(error?.failures[2].reason.contains("too big") == true)
    expectEqual(engine.recordCount(of: "prices"), 34)
    #expect(progress.state.saved == 34 && progress.state.failed == 6)
    expectEqual(progress.state.fraction, 1)
    // The client's own limit sends nothing that is too large.
    let own = await #expect(throws: SearchError.self) {
      try await client.save(
        [records[0]], in: "own", options: IndexingOptions(maximumRecordBytes: 100))
    }
    #expect(own?.failures.first?.objectID == "p0" && engine.recordCount(of: "own") == nil)
    // An update that does not fit is named as well.
    let update = await #expect(throws: SearchError.self) {
      try await client.partialUpdate(
        [
          RecordUpdate("p1", ["text": .increment()]), RecordUpdate("p2", ["text": "t"]),
          RecordUpdate("", ["text": "t"]),
        ], in: "prices")
    }
    expectEqual(update?.failures.map(\.position), [1, 3])
    expectEqual(update?.failures.first?.objectID, "p1")
    try await expectEqual(engine.record(withID: "p2", in: "prices")?["text"], "t")
  }

  @Test(arguments: [1 as any Encodable & Sendable, "text", [1, 2], ["objectID": 1.5]])
  func valuesThatAreNoRecordsAreRefused(value: any Encodable & Sendable) async throws {
    struct Wrapped: Encodable, Sendable {
      let value: any Encodable & Sendable
      func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
    let transport = ScriptedTransport(json: #"{"taskID":1}"#)
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: transport).save([Wrapped(value: value)], in: "x")
    }
    expectEqual(error?.failures.map(\.position), [1])
    #expect(transport.requests.isEmpty)
  }

  @Test func batchesAreBoundedByNumberAndBytes() async throws {
    let transport = ScriptedTransport(json: #"{"taskID":1}"#)
    let client = SearchClient(transport: transport)
    try await client.save(films(5), in: "x", options: IndexingOptions(batchSize: 2))
    func counts() throws -> [Int] {
      try transport.requests.map { try JSONDocument($0.body).root["requests"]?.count ?? 0 }
    }
    try expectEqual(counts().sorted(), [1, 2, 2])
    let size = #"{"action":"addObject","body":{"objectID":"0","title":"film 0"}},"#.utf8.count
    try await client.save(
      films(5) + [Film(objectID: "5", title: String(repeating: "x", count: 100))], in: "x",
      options: IndexingOptions(batchBytes: 2 * size + 16, concurrentBatches: 1))
    try expectEqual(counts().dropFirst(3), [2, 2, 1, 1])
  }

  /// No more requests than allowed, and never two at once with the same ID.
  @Test(arguments: Seed.all(50))
  func orderOfEachRecordIsKept(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let count = Int.random(in: 1...300, using: &random)
    let ids = Int.random(in: 1...100, using: &random)
    let records = (0..<count).map { number in
      Film(objectID: "\(Int.random(in: 0..<ids, using: &random))", title: "\(number)")
    }
    let options = IndexingOptions(
      batchSize: Int.random(in: 1...20, using: &random),
      concurrentBatches: Int.random(in: 1...6, using: &random))
    struct State {
      var underWay: [String: Int] = [:]
      var count = 0
      var most = 0
      var newest: [String: String] = [:]
      var isOrdered = true
    }
    let state = Lock(State())
    let transport = ScriptedTransport { request, _ in
      let root = try JSONDocument(request.body).root
      let records = root["requests"]?.elements.compactMap { $0["body"] } ?? []
      let ids = Set(records.compactMap { $0["objectID"]?.string })
      state.withLock { state in
        state.count += 1
        state.most = max(state.most, state.count)
        for id in ids {
          state.underWay[id, default: 0] += 1
          if state.underWay[id] != 1 { state.isOrdered = false }
        }
      }
      await Task.yield()
      state.withLock { state in
        state.count -= 1
        for id in ids { state.underWay[id] = nil }
        for record in records {
          state.newest[record["objectID"]?.string ?? ""] = record["title"]?.string
        }
      }
      return TransportResponse(status: 200, body: Array(#"{"taskID":1}"#.utf8))
    }
    let report = try await SearchClient(transport: transport).save(
      records, in: "x", options: options)
    expectEqual(report.objectIDs, records.map(\.objectID))
    var expected: [String: String] = [:]
    for record in records { expected[record.objectID ?? ""] = record.title }
    expectEqual(state.withLock { $0.newest }, expected)
    #expect(state.withLock { $0.isOrdered && $0.most <= options.concurrentBatches })
  }

  @Test func progressIsASequenceThatEndsWithTheCall() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { _, number in
      if number == 1 { await gate.pass() }
      return TransportResponse(status: 200, body: Array(#"{"taskID":1}"#.utf8))
    }
    let client = SearchClient(transport: transport)
    let progress = IndexingProgress()
    async let report = client.save(
      films(4), in: "x", options: IndexingOptions(batchSize: 2, concurrentBatches: 1),
      progress: progress)
    var states: [IndexingProgress.State] = []
    for await state in progress {
      states.append(state)
      if state.saved == 2 { gate.open() }
    }
    try await expectEqual(report.saved, 4)
    #expect(states.last?.saved == 4 && states.last?.fraction == 1)
    #expect(states.contains { $0.saved == 2 && $0.fraction == 0.5 })
    // A loop that begins later ends as well.
    for await state in progress { expectEqual(state.saved, 4) }
  }

  @Test func failedBatchEndsTheCall() async throws {
    let transport = ScriptedTransport { _, number in
      TransportResponse(
        status: number == 1 ? 403 : 200,
        body: Array(#"{"taskID":1,"message":"Method not allowed","position":0}"#.utf8))
    }
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: transport).save(
        films(10), in: "x", options: IndexingOptions(batchSize: 2, concurrentBatches: 1))
    }
    #expect(error?.code == .unauthorized && error?.indexName == "x")
    expectEqual(error?.message, "Method not allowed (2 records were saved before)")
    expectEqual(transport.requests.count, 2)
  }

  @Test func cancellationEndsTheCallAndItsRequests() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { _, number in
      if number > 0 { await gate.pass() }
      return TransportResponse(status: 200, body: Array(#"{"taskID":1}"#.utf8))
    }
    let films = films(100)
    let task = Task {
      try await SearchClient(transport: transport).save(
        films, in: "x", options: IndexingOptions(batchSize: 5, concurrentBatches: 2))
    }
    await gate.waitForCalls(2)
    task.cancel()
    let error = await #expect(throws: SearchError.self) { try await task.value }
    expectEqual(error?.code, .cancelled)
    expectEqual(transport.requests.count, 3)
    gate.open()
  }

  @Test func asyncSequenceIsReadAsFastAsItIsSaved() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { _, _ in
      await gate.pass()
      return TransportResponse(status: 200, body: Array(#"{"taskID":9}"#.utf8))
    }
    let read = Lock(0)
    let records = AsyncStream<Film> {
      let number = read.withLock { read in
        read += 1
        return read
      }
      return number <= 1_000 ? Film(objectID: "\(number)", title: "") : nil
    }
    let client = SearchClient(transport: transport)
    async let saving = client.save(
      records, in: "x", options: IndexingOptions(batchSize: 10, concurrentBatches: 3))
    await gate.waitForCalls(3)
    // Three batches are under way, and a fourth is full.
    #expect(read.withLock { $0 } <= 41)
    gate.open()
    let report = try await saving
    #expect(report.saved == 1_000 && report.objectIDs.isEmpty && report.task?.taskID == 9)
  }

  @Test func errorOfASequenceEndsTheCall() async throws {
    struct Broken: Error {}
    let transport = ScriptedTransport(json: #"{"taskID":1}"#)
    let client = SearchClient(transport: transport)
    let records = AsyncThrowingStream<Film, any Error> { continuation in
      for number in 0..<5 { continuation.yield(Film(objectID: "\(number)", title: "")) }
      continuation.finish(throwing: Broken())
    }
    let error = await #expect(throws: SearchError.self) {
      try await client.save(records, in: "x", options: IndexingOptions(batchSize: 2))
    }
    #expect(error?.underlying == "Broken" && error?.message.contains("after 5") == true)
    #expect(error?.message.contains("4 records were saved") == true)
    expectEqual(transport.requests.count, 2)
  }

  @Test func datesAndKeysAreWrittenAsTheyAreRead() async throws {
    struct Event: Codable, Sendable, Hashable {
      var objectID: String
      var startTime: Double
      var special: Double
    }
    let engine = LocalSearch()
    var client = SearchClient(
      transport: engine,
      decoding: RecordDecoding(
        keys: .convertFromSnakeCase,
        nonConformingFloats: .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")))
    let event = Event(objectID: "1", startTime: 2, special: .infinity)
    try await client.save([event], in: "events")
    try await expectEqual(
      engine.record(withID: "1", in: "events"),
      ["objectID": "1", "start_time": 2, "special": "inf"])
    try await expectEqual(client.getObjects(["1"], in: "events", of: Event.self), [event])
    client.encoding = RecordEncoding(keys: .useDefaultKeys)
    client.decoding.dates = .custom { _ in throw SearchError(.decoding, "") }
    try await client.save([["objectID": "2", "startTime": "x"]], in: "events")
    try await expectEqual(engine.record(withID: "2", in: "events")?["startTime"], "x")
    client.encoding = nil
    let undecided = client
    let error = await #expect(throws: SearchError.self) {
      try await undecided.save([event], in: "events")
    }
    #expect(error?.message.contains("encoding") == true)
  }

  @Test(arguments: ["", "*"])
  func namesThatWouldReachAnotherCallAreRefused(name: String) async throws {
    let transport = ScriptedTransport(json: #"{"taskID":1}"#)
    let client = SearchClient(transport: transport)
    await #expect(throws: SearchError.self) { try await client.save([["a": 1]], in: name) }
    await #expect(throws: SearchError.self) { try await client.deleteIndex(name) }
    await #expect(throws: SearchError.self) { try await client.clear(name) }
    await #expect(throws: SearchError.self) { try await client.copyIndex("a", to: name) }
    await #expect(throws: SearchError.self) { try await client.deleteRule("", in: "a") }
    await #expect(throws: SearchError.self) { try await client.deleteSynonym("", in: "a") }
    await #expect(throws: SearchError.self) {
      try await client.delete(matching: SearchQuery("words"), from: "a")
    }
    #expect(transport.requests.isEmpty)
  }
}
