import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// Bodies and responses take no more memory than the service has for them.
struct BodyMemoryTests {
  /// The parts of a body, as they arrive.
  private typealias Parts = AsyncThrowingStream<[UInt8], any Error>

  /// A body of spaces and an empty object, in two parts.
  private static func body(_ size: Int) -> Parts {
    Parts { parts in
      parts.yield([UInt8](repeating: UInt8(ascii: " "), count: size - 2))
      parts.yield(Array("{}".utf8))
      parts.finish()
    }
  }

  private static func search(_ key: String, from address: String? = nil) -> ServiceRequest {
    ServiceRequest(
      method: "POST", target: "/1/indexes/films/query",
      headers: [HTTPHeader(name: "X-Algolia-API-Key", value: key)], peerAddress: address)
  }

  @Test func bodiesAreLimitedByTheKindOfTheCallAndTogether() async throws {
    let fixture = try ServiceFixture(keys: [
      APIKey("k", acl: [.search, .addObject]), APIKey("other", acl: [.search]),
    ]) {
      $0.maximumReadBodySize = 400_000
      $0.maximumBodySize = 1_000_000
      $0.maximumBodyTotal = 600_000
    }
    let long: JSON = ["query": .string(String(repeating: "a", count: 500_000))]
    try await expectEqual(
      fixture.call("POST", "/1/indexes/films/query", long, key: "k").status, 413)
    try await expectEqual(fixture.call("POST", "/1/indexes/long", long, key: "k").status, 201)
    try await fixture.engine.save([["objectID": "2"]], in: "films")
    // While one body is read, another one of its size has no place.
    let service = fixture.service
    let (parts, sending) = Parts.makeStream()
    let isRead = CallGate()
    sending.yield([UInt8](repeating: UInt8(ascii: " "), count: 300_000))
    let first = Task {
      await service.respond(to: Self.search("k"), body: parts) { Task { await isRead.pass() } }
    }
    await isRead.waitForCalls()
    isRead.open()
    func send(_ size: Int, _ key: String = "other") async -> ServiceResponse {
      await service.respond(to: Self.search(key), body: Self.body(size))
    }
    // An owner has a quarter and one call beyond it, and small calls need nothing.
    while await send(100_000, "k").status == 200 { await Task.yield() }
    let second = await send(100_000, "k")
    expectEqual(second.status, 503)
    expectEqual(second.headers.firstValue(named: "Retry-After"), "1")
    await expectEqual(send(2_000, "k").status, 200)
    // One call of all goes beyond all bytes.
    await expectEqual([send(250_000).status, send(350_000).status], [200, 200])
    try await expectEqual(fixture.call("GET", "/1/indexes/films/1", key: "k").status, 404)
    sending.yield(Array("{}".utf8))
    sending.finish()
    await expectEqual(first.value.status, 200)
    await expectEqual(send(400_000).status, 200)
    await expectEqual(send(400_001).status, 413)
  }

  /// Heads without bodies take no memory, so many of them keep nobody out.
  @Test func aBodyTakesWhatHasArrived() async throws {
    let fixture = try ServiceFixture(keys: [APIKey("k", acl: [.search])]) {
      $0.maximumBodyTotal = 4_000_000
    }
    try await fixture.engine.save([["objectID": "2"]], in: "films")
    let service = fixture.service
    let gate = CallGate()
    await withTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          _ = await service.respond(
            to: Self.search("k", from: "192.0.2.\(number % 8)"), body: Parts { nil }
          ) { await gate.pass() }
        }
      }
      await gate.waitForCalls(40)
      let response = await service.respond(
        to: Self.search("k", from: "192.0.2.9"), body: Self.body(900_000))
      expectEqual(response.status, 200)
      gate.open()
    }
  }

  /// A small call that asks for many records takes the memory of its response before it searches,
  /// and keeps it until the response is gone.
  @Test func responsesAreLimitedTogether() async throws {
    let fixture = try ServiceFixture(keys: [
      APIKey("k", acl: [.search]), APIKey("other", acl: [.search]),
    ]) {
      $0.maximumBodyTotal = 10_000_000
    }
    let long = String(repeating: "a", count: 10_000)
    try await fixture.engine.save(
      (0..<100).map { ["objectID": .string("\($0)"), "text": .string(long)] as JSON }, in: "films")
    let dear: JSON = [
      "requests": .array(
        Array(repeating: ["indexName": "films", "params": "hitsPerPage=1000"], count: 4))
    ]
    let cheap: JSON = ["hitsPerPage": 10]
    func send(_ path: String, _ body: JSON, _ key: String) async -> ServiceResponse {
      await fixture.respond("POST", path, body, key: key)
    }
    var response: ServiceResponse? = await send("/1/indexes/*/queries", dear, "k")
    expectEqual(response?.status, 200)
    #expect(response?.bytes.count ?? 0 > 4_000_000)
    await expectEqual(send("/1/indexes/films/query", ["hitsPerPage": 50], "k").status, 503)
    await expectEqual(send("/1/indexes/films/query", cheap, "k").status, 503)
    await expectEqual(send("/1/indexes/films/query", ["hitsPerPage": 1], "k").status, 200)
    await expectEqual(send("/1/indexes/films/query", cheap, "other").status, 200)
    // One call of all goes beyond all bytes.
    var other: ServiceResponse? = await send("/1/indexes/*/queries", dear, "other")
    expectEqual(other?.status, 200)
    await expectEqual(send("/1/indexes/films/query", cheap, "other").status, 503)
    response = nil
    await expectEqual(send("/1/indexes/films/query", cheap, "k").status, 200)
    other = nil
    await expectEqual(send("/1/indexes/*/queries", dear, "other").status, 200)
  }

  /// Many large calls at one time: some of them end with a response, and then the memory is free.
  @Test(arguments: Seed.all(60, quick: 6)) func largeCallsDoNotAllEnd(seed: Seed) async throws {
    let fixture = try ServiceFixture(keys: [APIKey("k", acl: [.search])]) {
      $0.maximumBodyTotal = 16_000_000
    }
    let long = String(repeating: "a", count: 100_000)
    try await fixture.engine.save(
      (0..<30).map { ["objectID": .string("\($0)"), "text": .string(long)] as JSON }, in: "films")
    var generator = SeededGenerator(seed: seed.value)
    let calls = (0..<24).map { _ in
      (Int.random(in: 1...3, using: &generator), Int.random(in: 1...120, using: &generator))
    }
    let statuses = await withTaskGroup { group in
      for (client, count) in calls {
        group.addTask {
          let record: JSON = ["indexName": "films", "objectID": "1"]
          return await fixture.respond(
            "POST", "/1/indexes/*/objects",
            ["requests": .array(Array(repeating: record, count: count))], key: "k",
            from: "192.0.2.\(client)"
          ).status
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.contains(200) && Set(statuses).isSubset(of: [200, 503]), "\(statuses)")
    // Nothing is left of them: these have the place of one call each.
    for client in 1...3 {
      let record: JSON = ["indexName": "films", "objectID": "1"]
      let response = await fixture.respond(
        "POST", "/1/indexes/*/objects",
        ["requests": .array(Array(repeating: record, count: 39))], key: "k",
        from: "192.0.2.\(client)")
      expectEqual(response.status, 200)
    }
  }

  /// A response that is larger than expected takes its memory while it is made.
  @Test(arguments: ["k", "hidden"]) func unexpectedResponsesAreLimited(key: String) async throws {
    let fixture = try ServiceFixture(keys: [
      APIKey("k", acl: [.search]),
      APIKey("hidden", acl: [.search], queryParameters: "filters=NOT%20n%3A2"),
    ]) { $0.maximumBodyTotal = 50_000_000 }
    try await fixture.engine.setSettings(IndexSettings(attributesForFaceting: ["n"]), of: "films")
    let long = String(repeating: "a", count: 100_000)
    try await fixture.engine.save(
      (0..<3).map { ["objectID": .string("\($0)"), "n": .int($0), "text": .string(long)] as JSON },
      in: "films")
    func send(_ count: Int) async -> ServiceResponse {
      let request: JSON = ["indexName": "films", "objectID": "1"]
      return await fixture.respond(
        "POST", "/1/indexes/*/objects",
        ["requests": .array(Array(repeating: request, count: count))], key: key)
    }
    var first: ServiceResponse? = await send(300)
    expectEqual(first?.status, 200)
    let second = await send(300)
    expectEqual(second.status, 503)
    expectEqual(second.headers.firstValue(named: "Retry-After"), "1")
    await expectEqual(send(600).status, 503)
    first = nil
    await expectEqual(send(300).status, 200)
    await expectEqual(send(300).status, 200)
  }

  /// What was sent is expected of the next search of the same index.
  @Test func sizesOfResponsesAreLearnt() async throws {
    let fixture = try ServiceFixture(keys: [APIKey("k", acl: [.search])]) {
      $0.maximumBodyTotal = 30_000_000
    }
    let long = String(repeating: "a", count: 100_000)
    try await fixture.engine.save(
      (0..<30).map { ["objectID": .string("\($0)"), "text": .string(long)] as JSON }, in: "films")
    func send(_ count: Int64) async -> ServiceResponse {
      await fixture.respond(
        "POST", "/1/indexes/films/query", ["hitsPerPage": .int(count)], key: "k")
    }
    var first: ServiceResponse? = await send(100)
    expectEqual(first?.status, 200)
    // A hundred hits were expected to take 200 kB, and now take as much as they did: one call goes
    // beyond the quarter of its owner.
    var second: ServiceResponse? = await send(100)
    expectEqual(second?.status, 200)
    await expectEqual(send(100).status, 503)
    (first, second) = (nil, nil)
    await expectEqual(send(100).status, 200)
  }

  @Test func aBodyThatDoesNotArriveEndsTheCall() async throws {
    let clock = ManualClock()
    let fixture = try ServiceFixture(keys: [APIKey("k", acl: [.search])]) {
      $0.clock = clock
      $0.timeout = .seconds(30)
    }
    let service = fixture.service
    let call = Task {
      await service.respond(
        to: Self.search("k"),
        body: Parts {
          try await clock.sleep(for: .seconds(3_600))
          return []
        })
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(30))
    await expectEqual(call.value.status, 408)
  }

  /// A batch takes what its text and its values need, and no more.
  @Test(arguments: [
    // Values of ordinary records are few for their size.
    (JSON.string(String(repeating: "a", count: 2_000)), 4),
    (JSON.array(Array(repeating: 1, count: 1_000)), 2),
  ])
  func aBatchTakesWhatItsJSONTakes(value: JSON, count: Int) async throws {
    let gate = CallGate()
    let keys = try ServiceKeys(
      adminKey: "admin", changes: [.saved(APIKey("k", acl: [.addObject]))])
    var configuration = SearchService.Configuration { 0 }
    configuration.clock = ManualClock()
    configuration.maximumBodyTotal = 8_000_000
    let transport = ScriptedTransport { _, _ in
      await gate.pass()
      return TransportResponse(status: 200, body: Array("{}".utf8))
    }
    let service = SearchService(transport: transport, keys: keys, configuration: configuration)
    let request: JSON = [
      "action": "addObject", "body": ["objectID": "1", "text": value],
    ]
    let batch: JSON = ["requests": .array(Array(repeating: request, count: 100))]
    let call = ServiceRequest(
      method: "POST", target: "/1/indexes/films/batch",
      headers: [HTTPHeader(name: "X-Algolia-API-Key", value: "k")], body: batch.bytes)
    // A call that is refused does not keep the others at the gate.
    @Sendable func status() async -> Int {
      defer { gate.open() }
      return await service.respond(to: call).status
    }
    await withTaskGroup { group in
      // Each takes all that it needs before the next one begins.
      for number in 1...count {
        group.addTask { await status() }
        await gate.waitForCalls(number)
      }
      // The last one goes beyond what its owner has.
      async let last = status()
      await gate.waitForCalls(count + 1)
      gate.open()
      await expectEqual(last, 503)
      for await status in group { expectEqual(status, 200) }
    }
  }
}
