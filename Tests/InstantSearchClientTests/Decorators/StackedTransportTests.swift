import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// The conformance suite of all transports, run on each wrapping transport and on a stack of all of
/// them.
struct StackedTransportTests {
  private static func suite(for name: String) -> TransportConformance {
    // A cache returns the old response after a write until the time to live has passed.
    let writes = TransportConformance.Case.allCases.filter { $0.isWrite }
    let excluded = ["caching", "all"].contains(name) ? writes : []
    return TransportConformance(
      indexName: "my words", scratchIndexName: "scratch",
      excluding: Dictionary(uniqueKeysWithValues: excluded.map { ($0, "answers are kept") }))
  }

  private static let wrappers: [String: @Sendable (any SearchTransport) -> any SearchTransport] = [
    "caching": { wrap($0) { CachingTransport(wrapping: $0) } },
    "batching": { wrap($0) { BatchingTransport(wrapping: $0) } },
    "fallback": { wrap($0) { FallbackTransport(primary: $0, fallback: $0) } },
    "limiting": { wrap($0) { RateLimitingTransport(wrapping: $0, requestsPerSecond: 10_000) } },
    "observed": { wrap($0) { ObservedTransport(wrapping: $0, observer: .init()) } },
    "all": { wrap($0) { stack($0) } },
  ]

  private static func wrap(
    _ base: any SearchTransport, _ wrapper: (any SearchTransport) -> any SearchTransport
  ) -> any SearchTransport {
    wrapper(base)
  }

  private static func stack(_ base: some SearchTransport) -> some SearchTransport {
    ObservedTransport(
      wrapping: CachingTransport(
        wrapping: BatchingTransport(
          wrapping: RateLimitingTransport(
            wrapping: FallbackTransport(primary: base, fallback: base), requestsPerSecond: 10_000))),
      observer: .init())
  }

  /// Gives `any SearchTransport` a concrete type, for the suite.
  private struct Wrapped: SearchTransport {
    let base: any SearchTransport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      try await base.send(request)
    }
  }

  @Test(arguments: wrappers.keys.sorted())
  func everyConformanceCasePasses(name: String) async throws {
    let wrapper = try #require(Self.wrappers[name])
    let transport = Wrapped(base: wrapper(try await wordsEngine()))
    await expectEqual(Self.suite(for: name).findings(for: transport), [])
  }

  @Test(arguments: wrappers.keys.sorted())
  func inFlightConformanceCasesPass(name: String) async throws {
    let wrapper = try #require(Self.wrappers[name])
    let engine = try await wordsEngine()
    let findings = await Self.suite(for: name).findings(inFlight: { gate in
      Wrapped(base: wrapper(gated(engine, gate)))
    })
    expectEqual(findings, [])
  }

  @Test func proxyPageInsteadOfABatchIsANetworkFailure() async throws {
    let page = ScriptedTransport(json: "<html>Please log in</html>")
    let transport = FallbackTransport(
      primary: BatchingTransport(wrapping: page, maximumBatch: 2, clock: ManualClock()),
      fallback: ScriptedTransport.rows(), clock: ManualClock())
    for _ in 0..<2 {
      async let first = transport.send(.search("a"))
      async let second = transport.send(.search("b"))
      let answers = try await [first, second]
      expectEqual(answers.map(\.queryText), ["a", "b"])
      #expect(answers.allSatisfy { $0.origin == .fallback })
    }
    #expect(transport.circuitState == .open && page.requests.count == 2)
  }

  /// A thousand callers of ten different searches, on the whole stack.
  @Test func stackServesAThousandCallersWithOneRequest() async throws {
    let engine = try await wordsEngine()
    let base = ScriptedTransport { request, _ in try await engine.send(request) }
    let clock = ManualClock()
    let transport = CachingTransport(
      wrapping: BatchingTransport(
        wrapping: RateLimitingTransport(wrapping: base, requestsPerSecond: 100, clock: clock),
        maximumBatch: 10, clock: clock),
      clock: clock)
    let client = SearchClient(transport: transport)
    let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let query = SearchQuery("word").setting(\.hitsPerPage, to: 1 + number % 10)
          return (number, try await client.search("my words", query, of: JSON.self).hits.count)
        }
      }
      return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
    }
    #expect(counts.allSatisfy { $0.value == 1 + $0.key % 10 } && counts.count == 1_000)
    expectEqual(base.requests.count, 1)
    expectEqual(transport.statistics.misses, 10)
  }
}
