import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Which calls a cache treats as equal.
struct CacheKeyTests {
  private let clock = ManualClock()
  private let base = ScriptedTransport.rows()

  private func cache(
    _ base: some SearchTransport, ignoring names: Set<String> = []
  ) -> CachingTransport {
    CachingTransport(wrapping: base, ignoring: names, clock: clock)
  }

  @Test func headersWithoutEffectAreNotCompared() async throws {
    let cache = cache(base, ignoring: ["X-Screen"])
    let requests: [TransportRequest] = [
      .search("a", headers: [.init(name: "A", value: "1"), .init(name: "B", value: "2")]),
      .search("a", headers: [.init(name: "b", value: "2"), .init(name: "a", value: "1")]),
      .search(
        "a",
        headers: [
          .init(name: "A", value: "1"), .init(name: "request-id", value: "x"),
          .init(name: "B", value: "2"), .init(name: "User-Agent", value: "x"),
          .init(name: "TraceParent", value: "x"), .init(name: "x-screen", value: "x"),
        ]
      ).with { $0.queryItems = [QueryItem(name: "X-Algolia-Request-Id", value: "x")] },
      .search("a", headers: [.init(name: "A", value: "1"), .init(name: "B", value: "2")])
        .with { $0.deadline = Deadline(after: .seconds(9), clock: clock) },
    ]
    for request in requests { _ = try await cache.send(request) }
    expectEqual(base.requests.count, 1)
  }

  /// The service distinguishes the two spellings of "é".
  @Test func canonicallyEquivalentStringsDiffer() async throws {
    let cache = cache(base)
    for letter in ["\u{E9}", "e\u{301}"] {
      _ = try await cache.send(.search("a", in: "caf\(letter)"))
      _ = try await cache.send(.search("a", headers: [.init(name: "X-User", value: letter)]))
      _ = try await cache.send(
        .search("a").with { $0.queryItems = [QueryItem(name: "tag", value: letter)] })
    }
    expectEqual(base.requests.count, 6)
  }

  /// The number of requests for some bodies, sent as searches of one index or as multi-queries.
  private func requests(
    for bodies: [String], ignoring names: Set<String>, asMultiQuery isMultiQuery: Bool = false
  ) async throws -> Int {
    let base = ScriptedTransport(json: "{}")
    let cache = cache(base, ignoring: names)
    for body in bodies {
      var request = isMultiQuery ? TransportRequest.searches([]) : .search("")
      request.body = Array(body.utf8)
      _ = try await cache.send(request)
    }
    expectEqual(base.requests.map { String(decoding: $0.body, as: UTF8.self) }.first, bodies.first)
    return base.requests.count
  }

  @Test func membersOfTheBodyCanBeIgnoredByName() async throws {
    let equal = [
      #"{"query":"a","analyticsTags":["x"],"page":1}"#, #"{"query":"a","page":1}"#,
      #"{"analyticsTags":{"a":1}, "query":"a", "clickAnalytics":true,"page":1 }"#,
      #"{"query":"a","page":1,"analyticsTags":1,"analyticsTags":2}"#,
    ]
    let names: Set = ["analyticsTags", "clickAnalytics"]
    try await expectEqual(requests(for: equal, ignoring: names), 1)
    try await expectEqual(requests(for: equal, ignoring: ["X-Screen"]), 4)
    try await expectEqual(requests(for: equal, ignoring: []), 4)
    let different = [
      #"{"query":"analyticsTags"}"#, #"{"query":"analyticsTags","page":1}"#,
      #"{"query":"a","query":"b","analyticsTags":1}"#,
      #"{"query":"b","query":"a","analyticsTags":1}"#,
      #"{"AnalyticsTags":1}"#, #"{"AnalyticsTags":2}"#, #"{"a":{"analyticsTags":1}}"#,
      #"{"a":{"analyticsTags":2}}"#, #"["analyticsTags"]"#, #"{"analyticsTags":1"#,
      #"{"requests":[{"analyticsTags":1}]}"#, #"{"requests":[{"analyticsTags":2}]}"#,
      #"{"n":1.0,"analyticsTags":1}"#, #"{"n":1,"analyticsTags":1}"#, "{}",
    ]
    try await expectEqual(requests(for: different, ignoring: names), different.count)
  }

  @Test func membersOfMultiQueriesCanBeIgnoredByName() async throws {
    let equal = [
      #"{"requests":[{"indexName":"a","analyticsTags":["x"]},{"indexName":"b"}]}"#,
      #"{"requests":[{"indexName":"a"},{"analyticsTags":["y"],"indexName":"b"}]}"#,
      #"{"analyticsTags":1,"requests":[{"indexName":"a"},{"indexName":"b"}]}"#,
    ]
    let names: Set = ["analyticsTags"]
    try await expectEqual(requests(for: equal, ignoring: names, asMultiQuery: true), 1)
    let different = [
      #"{"requests":[{"indexName":"a","x":{"analyticsTags":1}}]}"#,
      #"{"requests":[{"indexName":"a","x":{"analyticsTags":2}}]}"#,
      #"{"requests":[1,"analyticsTags"]}"#, #"{"requests":{"analyticsTags":1}}"#,
      #"{"requests":[{"indexName":"a","requests":[{"analyticsTags":1}]}]}"#,
      #"{"requests":[{"indexName":"a","requests":[{"analyticsTags":2}]}]}"#,
    ]
    try await expectEqual(
      requests(for: different, ignoring: names, asMultiQuery: true), different.count)
  }

  @Test func searchesThatDifferOnlyInAnalyticsTagsAreEqual() async throws {
    let client = SearchClient(transport: cache(base, ignoring: ["analyticsTags"]))
    for tag in ["home", "list"] {
      let query = SearchQuery("a").setting(\.analyticsTags, to: [tag])
      _ = try await client.search("index", query, of: JSON.self)
      _ = try await client.search(
        SearchRequest("a", query, of: JSON.self), SearchRequest("b", query, of: JSON.self))
    }
    expectEqual(base.requests.count, 2)
  }

  @Test func everythingElseIsCompared() async throws {
    let cache = cache(base)
    let request = TransportRequest.search("a", headers: [.init(name: "X-Key", value: "1")])
    let others: [TransportRequest] = [
      request,
      request.with { $0.headers[0].value = "2" },
      request.with { $0.headers = [] },
      request.with { $0.headers += [.init(name: "X-Key", value: "1")] },
      request.with { $0.queryItems = [QueryItem(name: "X-Key", value: "1")] },
      request.with { $0.body = Array(#"{"query":"b"}"#.utf8) },
      request.with { $0.pathComponents[2] = "other" },
      request.with { $0.method = .get },
    ]
    for request in others { _ = try await cache.send(request) }
    expectEqual(base.requests.count, others.count)
  }
}
