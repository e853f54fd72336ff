import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Few pages are in flight, even if many rows are presented.
struct BoundedLoadsTests {
  /// Counts the calls in flight.
  private final class Meter: Sendable {
    private let counts = Lock((now: 0, most: 0, all: 0))

    func during<Value>(_ call: () async throws -> Value) async rethrows -> Value {
      counts.withLock { counts in
        counts.now += 1
        counts.all += 1
        counts.most = max(counts.most, counts.now)
      }
      defer { counts.withLock { $0.now -= 1 } }
      return try await call()
    }

    var most: Int { counts.withLock { $0.most } }
    var all: Int { counts.withLock { $0.all } }
  }

  private func list(
    on transport: some SearchTransport, offset: Int, pageCleanUpOffset: Int? = nil
  ) async throws -> (HitsSearcher, HitsInteractor<Row>) {
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
    let list = HitsInteractor<Row>(
      infiniteScrolling: .on(withOffset: offset), pageCleanUpOffset: pageCleanUpOffset)
    list.connectSearcher(searcher)
    try await searcher.search()
    return (searcher, list)
  }

  @Test func hundredPagesAroundARowAreLoadedAFewAtATime() async throws {
    let meter = Meter()
    let transport = ScriptedTransport { request, _ in
      try await meter.during {
        for _ in 0..<3 { await Task.yield() }
        return try rows(request, of: 505, hitsPerPage: 5)
      }
    }
    let (searcher, list) = try await list(on: transport, offset: 500)
    list.notifyDidPresentRow(atIndex: 0)
    for await state in list.states where state.hits.loaded.count == 505 { break }
    #expect(meter.most <= 4)
    expectEqual(meter.all, 101)
    withExtendedLifetime(searcher) {}
  }

  @Test func hugeOffsetLoadsOnlyTheRowsAround() async throws {
    let meter = Meter()
    let transport = ScriptedTransport { request, _ in
      try await meter.during { try rows(request, of: 2_000_000, hitsPerPage: 1) }
    }
    let (searcher, list) = try await list(on: transport, offset: .max)
    list.notifyDidPresentRow(atIndex: 1_000_000)
    for await state in list.states where state.hits.loaded.count >= 2_002 { break }
    #expect(meter.most <= 4)
    #expect(list.state.hits[999_000] != nil && list.state.hits[998_999] == nil)
    #expect(list.state.hits[1_001_000] != nil && list.state.hits[1_001_001] == nil)
    withExtendedLifetime(searcher) {}
  }

  @Test func newlyPresentedRowsTakePrecedence() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if (1...4).contains(number) { await gate.pass() }
      return try rows(request, of: 1000)
    }
    let (searcher, list) = try await list(on: transport, offset: 50, pageCleanUpOffset: 3)
    list.notifyDidPresentRow(atIndex: 0)
    await gate.waitForCalls(4)
    list.notifyDidPresentRow(atIndex: 900)
    for await state in list.states where state.hits[900] != nil { break }
    #expect(list.state.hits[15] == nil)
    gate.open()
    withExtendedLifetime(searcher) {}
  }

  @Test func failedPageStopsTheOthersUntilRowsArePresentedAgain() async throws {
    let fails = Lock(true)
    let meter = Meter()
    let transport = ScriptedTransport { request, number in
      try await meter.during {
        if number > 0, fails.withLock({ $0 }) { throw SearchError(.server, "down") }
        return try rows(request, of: 1000)
      }
    }
    let (searcher, list) = try await list(on: transport, offset: 500)
    list.notifyDidPresentRow(atIndex: 0)
    for await state in list.states where !state.isLoadingPage && meter.all == 5 { break }
    expectEqual(meter.all, 5)
    fails.withLock { $0 = false }
    list.notifyDidPresentRow(atIndex: 0)
    for await state in list.states where state.hits.loaded.count == 510 { break }
    #expect(meter.most <= 4)
    withExtendedLifetime(searcher) {}
  }
}
