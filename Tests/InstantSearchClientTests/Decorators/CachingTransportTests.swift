import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct CachingTransportTests {
  private let clock = ManualClock()
  private let base = ScriptedTransport.rows()

  private func cache(
    _ base: some SearchTransport, timeToLive: Duration = .seconds(60),
    maximumBytes: Int = 10_000_000, ignoring names: Set<String> = []
  ) -> CachingTransport {
    CachingTransport(
      wrapping: base, timeToLive: timeToLive, maximumBytes: maximumBytes, ignoring: names,
      clock: clock)
  }

  // MARK: - Caching

  @Test func responseIsCachedForItsTimeToLive() async throws {
    let cache = cache(base)
    let first = try await cache.send(.search("a"))
    clock.advance(by: .milliseconds(59_999))
    let second = try await cache.send(.search("a"))
    #expect(first == second && first.origin == nil)
    #expect(second.origin?.isCached == true)
    expectEqual(base.requests.count, 1)
    clock.advance(by: .milliseconds(1))
    let third = try await cache.send(.search("a"))
    #expect(third.origin == nil && base.requests.count == 2)
    #expect(cache.statistics.hits == 1 && cache.statistics.misses == 2)
  }

  @Test func cachedResponseKeepsItsOrigin() async throws {
    let cache = cache(
      ScriptedTransport { request, _ in
        var response = try rows(request)
        response.origin = ResponseOrigin(name: "replica")
        return response
      })
    _ = try await cache.send(.search("a"))
    try await expectEqual(
      cache.send(.search("a")).origin, ResponseOrigin(name: "replica", isCached: true))
  }

  /// For any name of the fallback, set by itself or by its wrapper.
  @Test(arguments: ["fallback", "disk"], [nil, ResponseOrigin(name: "engine")])
  func responseOfAFallbackIsNotCached(name: String, own: ResponseOrigin?) async throws {
    let isUp = Lock(false)
    let network = ScriptedTransport { request, _ in
      if !isUp.withLock({ $0 }) { throw SearchError(.unreachable, "down") }
      return try rows(request)
    }
    let disk = ScriptedTransport { request, _ in
      var response = try rows(request)
      response.origin = own
      return response
    }
    let cache = cache(
      FallbackTransport(primary: network, fallback: disk, fallbackName: name, clock: clock))
    for _ in 0..<2 {
      let origin = try await cache.send(.search("a")).origin
      expectEqual(origin, ResponseOrigin(name: own?.name ?? name, isFallback: true))
    }
    isUp.withLock { $0 = true }
    try await expectEqual(cache.send(.search("a")).origin, .primary)
    #expect(try await cache.send(.search("a")).origin?.isCached == true)
    #expect(disk.requests.count == 2 && network.requests.count == 3)
  }

  @Test func cachedResponseOfAFallbackIsMarked() async throws {
    let base = ScriptedTransport { request, _ in
      var response = try rows(request)
      response.origin = ResponseOrigin(name: "disk", isFallback: true)
      return response
    }
    let cache = CachingTransport(wrapping: base, clock: clock) { _ in true }
    _ = try await cache.send(.search("a"))
    try await expectEqual(
      cache.send(.search("a")).origin,
      ResponseOrigin(name: "disk", isCached: true, isFallback: true))
  }

  @Test(arguments: [
    ("1/indexes/a/query", #"{"message":"Index a does not exist","status":404}"#),
    ("1/indexes/a/query", #"{"message":"later"}"#), ("1/indexes/a/query", "<html>sign in</html>"),
    ("1/indexes/a/query", ""), ("1/indexes/a/query", "[]"),
    ("1/indexes/*/queries", #"{"message":"later","status":503}"#),
    ("1/indexes/*/queries", #"{"results":[{"hits":[]},{"message":"no index","status":404}]}"#),
    ("1/indexes/*/recommendations", #"{"results":[{"message":"no model","status":404}]}"#),
    ("1/indexes/a/facets/b/query", #"{"message":"later","status":429}"#),
    ("1/places/query", #"{"message":"later"}"#), ("1/indexes/*/objects", #"{"message":"later"}"#),
  ])
  func errorWithStatus200IsNotCached(path: String, body: String) async throws {
    let base = ScriptedTransport(json: body)
    let cache = cache(base)
    for _ in 0..<2 { #expect(try await cache.send(Self.call(.post, path)).origin == nil) }
    expectEqual(base.requests.count, 2)
  }

  @Test(arguments: [
    ("1/indexes/a/query", #"{"hits":[{"objectID":"1","message":"m","status":404}],"message":"m"}"#),
    ("1/indexes/a/query", #"{"nbHits":3}"#),
    ("1/indexes/a/query", #"{"nbHits":3,"message":"m"}"#),
    ("1/indexes/*/queries", #"{"results":[{"nbHits":3,"message":"m"}]}"#),
    ("1/indexes/*/objects", #"{"results":[{"objectID":"1","message":"m","status":404},null]}"#),
    ("1/indexes/*/queries", #"{"results":[{"hits":[],"message":"m"},{"facetHits":[]}]}"#),
  ])
  func messageBesideAResultIsNotAnError(path: String, body: String) async throws {
    let base = ScriptedTransport(json: body)
    let cache = cache(base)
    for _ in 0..<2 { _ = try await cache.send(Self.call(.post, path)) }
    expectEqual(base.requests.count, 1)
  }

  // MARK: - Which calls

  private static func call(
    _ method: Endpoint.Method, _ path: String, _ type: Endpoint.CallType = .read
  ) -> TransportRequest {
    TransportRequest(
      method: method, pathComponents: path.split(separator: "/").map(String.init),
      body: method == .post ? Array("{}".utf8) : [], callType: type)
  }

  @Test(arguments: [
    "1/indexes/*/queries", "1/indexes/a/query", "1/indexes/a/facets/b/query", "1/indexes/*/objects",
    "1/indexes/*/recommendations", "1/places/query",
  ])
  func searchesAndSimilarReadsAreCached(path: String) async throws {
    let base = ScriptedTransport(json: "{}")
    let cache = cache(base)
    for _ in 0..<2 { _ = try await cache.send(Self.call(.post, path)) }
    #expect(base.requests.count == 1 && cache.statistics.hits == 1)
  }

  @Test(arguments: [
    call(.get, "1/indexes/a/task/5"), call(.get, "1/task/5"), call(.get, "1/indexes/a/settings"),
    call(.get, "1/keys"), call(.get, "1/keys/k"), call(.get, "1/indexes"),
    call(.get, "1/indexes/a/7"), call(.post, "1/indexes/a/browse"), call(.get, "1/places/7"),
    call(.get, "1/places/reverse"), call(.post, "1/indexes/a/synonyms/search"),
    call(.post, "1/indexes/*/query"), call(.get, "1/indexes/a/query"),
    call(.post, "2/places/query"),
    call(.post, "1/indexes/a/facets/b/c"), call(.post, "1/indexes/*/facets/b/query"),
    call(.post, "1/indexes/a/query/b"), call(.post, "1/recommendations"), call(.post, ""),
  ])
  func otherReadsAreForwarded(request: TransportRequest) async throws {
    let base = ScriptedTransport(json: "{}")
    let cache = cache(base)
    for _ in 0..<2 {
      let timed = request.with { $0.deadline = Deadline(after: .seconds(9), clock: clock) }
      #expect(try await cache.send(timed).origin == nil)
    }
    #expect(base.requests.count == 2 && cache.statistics == CachingTransport.Statistics())
    #expect(base.requests.allSatisfy { $0.deadline != nil }, "forwarded unchanged")
  }

  // MARK: - What is cached

  @Test(arguments: [199, 300, 404, 429, 500])
  func unsuccessfulResponseIsNotCached(status: Int) async throws {
    let base = ScriptedTransport(json: "{}", status: status)
    let cache = cache(base)
    for _ in 0..<2 { try await expectEqual(cache.send(.search("a")).status, status) }
    #expect(base.requests.count == 2 && cache.statistics.entries == 0)
  }

  @Test func thrownErrorIsNotCached() async throws {
    let base = ScriptedTransport { request, number in
      if number == 0 { throw SearchError(.unreachable, "down") }
      return try rows(request)
    }
    let cache = cache(base)
    await #expect(throws: SearchError.self) { try await cache.send(.search("a")) }
    try await expectEqual(cache.send(.search("a")).queryText, "a")
  }

  @Test func callsWithASnapshotAreForwardedAndSnapshotsAreCached() async throws {
    let base = ScriptedTransport { request, _ in
      var response = try rows(request)
      response.snapshot = "now"
      return response
    }
    let cache = cache(base)
    let pinned = TransportRequest.search("a").with { $0.snapshot = "then" }
    for _ in 0..<2 { _ = try await cache.send(pinned) }
    #expect(base.requests.count == 2 && base.requests[1].snapshot as? String == "then")
    for _ in 0..<2 {
      try await expectEqual(cache.send(.search("a")).snapshot as? String, "now")
    }
    expectEqual(base.requests.count, 3)
  }

  @Test func zeroTimeToLiveCachesNothing() async throws {
    let cache = cache(base, timeToLive: .zero)
    for _ in 0..<2 { _ = try await cache.send(.search("a")) }
    #expect(base.requests.count == 2 && cache.statistics.entries == 0)
    let forever = self.cache(base, timeToLive: .seconds(Int64.max))
    for _ in 0..<2 { _ = try await forever.send(.search("a")) }
    expectEqual(base.requests.count, 3)
  }

  // MARK: - Size

  @Test func leastRecentlyUsedEntryIsEvicted() async throws {
    let measure = cache(base)
    _ = try await measure.send(.search("1"))
    let size = measure.statistics.bytes
    let cache = cache(base, maximumBytes: 3 * size)
    for text in ["1", "2", "3", "1", "4"] { _ = try await cache.send(.search(text)) }
    #expect(cache.statistics.entries == 3 && cache.statistics.bytes == 3 * size)
    let asked = base.requests.count
    for text in ["1", "3", "4"] { _ = try await cache.send(.search(text)) }
    expectEqual(base.requests.count, asked, "these are cached")
    _ = try await cache.send(.search("2"))
    expectEqual(base.requests.count, asked + 1, "this one was evicted")
  }

  @Test func sizeIncludesKeyHeadersAndBody() async throws {
    let base = ScriptedTransport { _, _ in
      TransportResponse(
        status: 200, headers: [.init(name: "abc", value: "de")], body: Array("{}".utf8))
    }
    let cache = cache(base)
    _ = try await cache.send(.search("a", in: "index", headers: [.init(name: "f", value: "gh")]))
    let key = "/1/indexes/index/query".utf8.count + #"{"query":"a"}"#.utf8.count + 3
    expectEqual(cache.statistics.bytes, key + 5 + 2)
  }

  @Test func responseLargerThanTheCacheIsNotCachedAndEvictsNothing() async throws {
    let base = ScriptedTransport { request, _ in
      let isLarge = request.pathComponents[2] == "large"
      let text = String(repeating: "x", count: isLarge ? 1_000 : 1)
      return TransportResponse(status: 200, body: Array(#"{"a":"\#(text)"}"#.utf8))
    }
    let cache = cache(base, maximumBytes: 900)
    _ = try await cache.send(.search("a"))
    _ = try await cache.send(.search("a", in: "large"))
    expectEqual(cache.statistics.entries, 1)
    _ = try await cache.send(.search("a"))
    expectEqual(base.requests.count, 2)
  }

  // MARK: - Invalidation

  @Test func invalidatingAnIndexIncludesItsMultiQueries() async throws {
    let cache = cache(base)
    let multi = TransportRequest.searches(["a"], in: "index").with {
      $0.body = Array(
        #"{"requests":[{"indexName":"other"},{"indexName":"index","query":"x"}]}"#.utf8)
    }
    let unspecific = TransportRequest(
      method: .post, pathComponents: ["1", "places", "query"], body: Array("{}".utf8),
      callType: .read)
    let all = [.search("a"), .search("a", in: "other"), multi, unspecific]
    for request in all { _ = try await cache.send(request) }
    expectEqual(cache.statistics.entries, 4)
    cache.invalidate(indexName: "nothing of this name")
    expectEqual(cache.statistics.entries, 3, "a call without index names can affect any")
    cache.invalidate(indexName: "index")
    expectEqual(cache.statistics.entries, 1)
    _ = try await cache.send(.search("a", in: "other"))
    expectEqual(base.requests.count, 4)
    cache.invalidateAll()
    #expect(cache.statistics.entries == 0 && cache.statistics.bytes == 0)
  }

  @Test func responseBegunBeforeAnInvalidationIsNotCached() async throws {
    let gate = CallGate()
    let base = ScriptedTransport.rows(at: gate)
    let cache = cache(base)
    let early = Task { try await cache.send(.search("a")) }
    await gate.waitForCalls(1)
    cache.invalidate(indexName: "index")
    // Later calls do not wait for it either.
    let late = Task { try await cache.send(.search("a")) }
    await gate.waitForCalls(2)
    gate.open()
    try await expectEqual(early.value.queryText, "a")
    try await expectEqual(late.value.queryText, "a")
    expectEqual(cache.statistics.entries, 1, "the response of the later call")
  }

  @Test func lateResponseDoesNotReplaceANewerOne() async throws {
    let gates = [CallGate(), CallGate()]
    let base = ScriptedTransport { _, number in
      await gates[number].pass()
      return TransportResponse(status: 200, body: Array(#"{"a":\#(number)}"#.utf8))
    }
    let cache = cache(base)
    let early = Task { try await cache.send(.search("a")) }
    await gates[0].waitForCalls()
    cache.invalidateAll()
    let late = Task { try await cache.send(.search("a")) }
    await gates[1].waitForCalls()
    gates[1].open()
    _ = try await late.value
    gates[0].open()
    _ = try await early.value
    try await expectEqual(cache.send(.search("a")).body, Array(#"{"a":1}"#.utf8))
  }

  @Test func searchAfterAnAwaitedWriteSeesIt() async throws {
    let cache = cache(base)
    _ = try await cache.send(.search("a"))
    _ = try await cache.send(.search("a", in: "other"))
    _ = try await cache.send(.write(in: "index"))
    expectEqual(cache.statistics.entries, 1)
    // A search that begins during a write can return older data.
    let gate = CallGate()
    let slow = self.cache(
      ScriptedTransport { request, _ in
        if request.callType == .write { await gate.pass() }
        return try rows(request)
      })
    let write = Task { try await slow.send(.write()) }
    await gate.waitForCalls()
    _ = try await slow.send(.search("a"))
    expectEqual(slow.statistics.entries, 1)
    gate.open()
    _ = try await write.value
    expectEqual(slow.statistics.entries, 0)
  }

  @Test func writeInvalidatesTheIndicesItNames() async throws {
    let cache = cache(ScriptedTransport(json: "{}"))
    func entriesLeft(after write: TransportRequest) async throws -> Int {
      for name in ["a", "b", "c"] { _ = try await cache.send(.search("x", in: name)) }
      _ = try await cache.send(write)
      return cache.statistics.entries
    }
    var copy = TransportRequest.write(in: "a")
    copy.pathComponents.append("operation")
    copy.body = Array(#"{"operation":"copy","destination":"b"}"#.utf8)
    try await expectEqual(entriesLeft(after: copy), 1)
    var batch = TransportRequest.write(in: "*")
    batch.pathComponents.append("batch")
    batch.body = Array(#"{"requests":[{"indexName":"a"},{"indexName":"c"}]}"#.utf8)
    try await expectEqual(entriesLeft(after: batch), 1)
    batch.body = Array("[".utf8)
    try await expectEqual(entriesLeft(after: batch), 0, "the batch cannot be parsed")
    try await expectEqual(entriesLeft(after: .write(in: "c")), 2)
  }

  @Test func failedWriteAlsoInvalidates() async throws {
    let base = ScriptedTransport { request, number in
      if request.callType == .write { throw SearchError(.timedOut, "perhaps written") }
      return try rows(request)
    }
    let cache = cache(base)
    _ = try await cache.send(.search("a"))
    await #expect(throws: SearchError.self) { try await cache.send(.write()) }
    expectEqual(cache.statistics.entries, 0)
  }

  // MARK: - Privacy

  @Test func noKeyIsShown() async throws {
    let cache = cache(base)
    let request = TransportRequest.search(
      "sekret", headers: [.init(name: "X-Algolia-API-Key", value: "sekret")]
    ).with { $0.queryItems = [QueryItem(name: "x-algolia-api-key", value: "sekret")] }
    _ = try await cache.send(request)
    var text = "\(cache)" + String(reflecting: cache)
    dump(cache, to: &text)
    dump(SearchClient(transport: cache), to: &text)
    #expect(!text.contains("sekret"))
    #expect(cache.description.hasPrefix("CachingTransport(1 entries"))
  }
}
