@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Queries of one call that run at once return what they return alone.
struct ParallelQueriesTests {
  private static let words = ["red", "green", "blue", "rde", "flower", ""]

  private static func engine() async throws -> LocalSearch {
    try await LocalSearch(
      indexName: "items",
      records: (0..<1200).map { number in
        [
          "objectID": .string("\(number)"), "color": .string(words[number % 3]),
          "name": .string("\(words[number % 5]) flower \(number % 17)"),
        ] as JSON
      }, settings: IndexSettings(attributesForFaceting: ["color"]))
  }

  private static func queries() -> [JSON] {
    words.map { ["query": .string($0), "facets": ["*"], "getRankingInfo": true] }
  }

  private static func call(_ engine: LocalSearch, deadline: Deadline? = nil) async throws
    -> TransportResponse
  {
    let requests = queries().map { query in
      var query = query
      query["indexName"] = "items"
      return query
    }
    return try await engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", "*", "queries"],
        body: Array((["requests": .array(requests)] as JSON).text.utf8), callType: .read,
        deadline: deadline))
  }

  @Test func resultsAreThoseOfSeparateCalls() async throws {
    let engine = try await Self.engine()
    var expected: [String] = []
    for query in Self.queries() {
      let response = try await engine.send(
        TransportRequest(.search(index: "items"), body: Array(query.text.utf8)))
      expected.append(String(decoding: response.body, as: UTF8.self))
    }
    for _ in 0..<Thoroughness.count(5, thorough: 50) {
      let response = try await Self.call(engine)
      expectEqual(
        String(decoding: response.body, as: UTF8.self),
        #"{"results":["# + expected.joined(separator: ",") + "]}")
    }
  }

  /// Calls at the same time share the threads, so they run one query after another.
  @Test func callsAtOnceReturnTheSame() async throws {
    let engine = try await Self.engine()
    let expected = try await Self.call(engine).body
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          let body = try await Self.call(engine).body
          expectEqual(body, expected)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func deadlineEndsAllOfThem() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 16
    let clock = CountingClock()
    let engine = LocalSearch(configuration: configuration)
    try await engine.save(
      (0..<1200).map { ["objectID": .string("\($0)"), "name": "red flower"] as JSON }, in: "items")
    _ = try await Self.call(engine, deadline: clock.deadline(atCheck: nil))
    let count = clock.reads
    for check in [count / 3, count / 2, count * 3 / 4] {
      await #expect {
        _ = try await Self.call(engine, deadline: CountingClock().deadline(atCheck: check))
      } throws: { error in
        (error as? SearchError)?.code == .timedOut
      }
    }
  }
}
