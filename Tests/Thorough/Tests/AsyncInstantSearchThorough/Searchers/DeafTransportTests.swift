@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Calls over a transport that never answers and ignores cancellation and deadlines.
@Suite(.timeLimit(.minutes(30))) struct DeafTransportTests {
  private let clock = ManualClock()
  private let gate = CallGate()
  private let transport: ScriptedTransport
  private let client: SearchClient

  init() {
    let gate = gate
    transport = ScriptedTransport { request, _ in
      await gate.pass()
      return try rows(request)
    }
    client = SearchClient(transport: transport, clock: clock)
  }

  private static let limited = RequestOptions(timeout: .milliseconds(50))

  /// The kinds of calls of a client.
  enum Call: CaseIterable {
    case search, disjunctive, multiQuery, pages, hits, browse, objects, facetValues, screen

    func make(with client: SearchClient) async throws {
      let options = DeafTransportTests.limited
      let request = SearchRequest("index", of: JSON.self)
      switch self {
      case .search: _ = try await client.search(request, options: options)
      case .disjunctive:
        var filters = FilterGroups()
        filters[or: "a"].add("a" == "b")
        let request = SearchRequest("index", of: JSON.self, filterGroups: filters)
        _ = try await client.search(request, disjunctive: true, options: options)
      case .multiQuery: _ = try await client.search([request, request], options: options)
      case .pages:
        for try await _ in client.pages("index", of: JSON.self, options: options) {}
      case .hits:
        for try await _ in client.hits("index", of: JSON.self, options: options) {}
      case .browse:
        for try await _ in client.browse("index", of: JSON.self, options: options) {}
      case .objects:
        _ = try await client.getObjects(["1"], in: "index", of: JSON.self, options: options)
      case .facetValues:
        _ = try await client.searchFacetValues(of: "a", in: "index", options: options)
      case .screen:
        let screen = try SearchScreen(indexName: "index", widgets: [SearchStats()])
        _ = try await client.search(screen, options: options)
      }
    }
  }

  private func code(of call: Task<Void, any Error>) async -> SearchError.Code? {
    guard case .failure(let error) = await call.result else { return nil }
    return (error as? SearchError)?.code
  }

  @Test(arguments: Call.allCases)
  func callEndsAtItsDeadline(call: Call) async {
    let task = Task { try await call.make(with: client) }
    await gate.waitForCalls()
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(50))
    await expectEqual(code(of: task), .timedOut)
    // The transport still holds the call; what it answers is dropped.
    gate.open()
  }

  @Test(arguments: Call.allCases)
  func callEndsAtItsCancellation(call: Call) async {
    let task = Task { try await call.make(with: client) }
    await gate.waitForCalls()
    task.cancel()
    await expectEqual(code(of: task), .cancelled)
    expectEqual(clock.sleeperCount, 0)
    gate.open()
  }

  @Test func responseAfterTheDeadlineIsDropped() async {
    let clock = clock
    // The deadline passes while the response is on its way.
    let late = ScriptedTransport { request, _ in
      clock.advance(by: .seconds(1))
      return try rows(request)
    }
    let error = await #expect(throws: SearchError.self) {
      try await SearchClient(transport: late, clock: clock).search(
        "index", of: JSON.self, options: Self.limited)
    }
    #expect(error?.code == .timedOut && error?.request == "POST /1/indexes/index/query")
  }

  @Test func callThatHasEndedIsNotSent() async {
    let (enqueued, continuation) = AsyncStream.makeStream(of: Void.self)
    let executor = ProbingExecutor { continuation.yield() }
    let client = SearchClient(transport: transport, executor: executor)
    let task = Task { _ = try await client.search("index", of: JSON.self) }
    // The task that sends is about to run, and runs after the cancellation.
    for await _ in enqueued { break }
    task.cancel()
    await expectEqual(code(of: task), .cancelled)
    executor.runUntilIdle()
    #expect(transport.requests.isEmpty)
  }

  @Test func searcherWidgetsAndListEndWithTheDeadline() async throws {
    let searcher = HitsSearcher(
      client: client, indexName: "index", options: .init(requestOptions: Self.limited))
    let list = HitsInteractor<JSON>()
    let stats = WidgetInteractor(SearchStats())
    list.connectSearcher(searcher)
    stats.connectSearcher(searcher)
    let search = Task { _ = try await searcher.search(for: "a") }
    await gate.waitForCalls()
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(50))
    await expectEqual(code(of: search), .timedOut)
    #expect(!list.state.isLoading && list.state.failure?.code == .timedOut)
    guard case .failed(let error) = searcher.state else {
      Issue.record("\(searcher.state)")
      return
    }
    expectEqual(error.code, .timedOut)
    gate.open()
    // The late response is dropped, and the next search is made.
    try await searcher.search()
    #expect(!list.state.hits.isEmpty)
  }

  @Test func decoratorsDoNotHideATransportThatMayNotEnd() async {
    let decorated: [any SearchTransport] = [
      transport, ObservedTransport(wrapping: transport, observer: .init()),
      CachingTransport(wrapping: transport), BatchingTransport(wrapping: transport),
      RateLimitingTransport(wrapping: transport, requestsPerSecond: 1000),
    ]
    for transport in decorated { #expect(!transport.isPrompt) }
    let prompt = DirectTransport(base: transport)
    let others: [any SearchTransport] = [
      prompt, ObservedTransport(wrapping: prompt, observer: .init()),
      CachingTransport(wrapping: prompt), BatchingTransport(wrapping: prompt),
      RateLimitingTransport(wrapping: prompt, requestsPerSecond: 1000),
      FallbackTransport(primary: transport, fallback: transport),
    ]
    for transport in others { #expect(transport.isPrompt) }
  }

  @Test func callIsReleasedWhenTheTransportEnds() async {
    let (released, end) = AsyncStream.makeStream(of: Void.self)
    let task: Task<Void, any Error>
    do {
      let held = Held(end: end)
      let gate = gate
      // Stores no requests, unlike a scripted transport.
      struct Deaf: SearchTransport {
        let held: Held
        let gate: CallGate

        func send(_ request: TransportRequest) async throws -> TransportResponse {
          await gate.pass()
          return try rows(request)
        }
      }
      let client = SearchClient(transport: Deaf(held: held, gate: gate))
      task = Task { _ = try await client.search("index", of: JSON.self) }
    }
    await gate.waitForCalls()
    task.cancel()
    await expectEqual(code(of: task), .cancelled)
    gate.open()
    for await _ in released {}
  }

  private final class Held: Sendable {
    private let end: AsyncStream<Void>.Continuation
    init(end: AsyncStream<Void>.Continuation) { self.end = end }
    deinit { end.finish() }
  }
}
