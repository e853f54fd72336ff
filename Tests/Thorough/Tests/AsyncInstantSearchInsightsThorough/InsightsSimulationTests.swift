@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchInsights
@testable import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// Clients that come and go with one storage, and a service that fails in every way, in many
/// orders.
@Suite(.timeLimit(.minutes(30))) struct InsightsSimulationTests {
  /// What the service has received, and what the storage has acknowledged.
  private struct History {
    var generator: SeededGenerator
    var isFaulty = true
    /// Whether the next call gets no response before it is cancelled, and whether it is accepted.
    var silence: (isTaken: Bool, isReached: Bool)?
    var received: [String] = []
    var taken: Set<String> = []
    var acknowledged: Set<String> = []
    var trackedCount = 0
    /// The events in the order in which they were stored.
    var kept: [String] = []
    var violations: [String] = []
    var dropped: Set<String> = []
  }

  /// Records which events are acknowledged.
  private final class NotingStorage: InsightsStorage {
    let base = InMemoryInsightsStorage()
    let history: Lock<History>
    private let names = Lock<[UInt64: String]>([:])

    init(seed: UInt64) { history = Lock(History(generator: SeededGenerator(seed: seed))) }

    func random(below limit: Int) -> Int {
      history.withLock { Int.random(in: 0..<limit, using: &$0.generator) }
    }

    /// Whether a call gets no response, and if so, whether its events are accepted.
    func startSilence() -> Bool? {
      history.withLock { history in
        guard let silence = history.silence, !silence.isReached else { return nil }
        history.silence?.isReached = true
        return silence.isTaken
      }
    }

    /// The service has received events.
    func see(_ names: [String]) {
      history.withLock { history in
        if !history.acknowledged.isDisjoint(with: names) {
          history.violations.append("sent after acknowledged")
        }
      }
    }

    /// The service accepts events.
    func take(_ names: [String]) {
      history.withLock { history in
        history.received += names.filter { !history.taken.contains($0) }
        history.taken.formUnion(names)
      }
    }

    func begin() throws(SearchError) -> InsightsBacklog { try base.begin() }

    func append(_ record: InsightsRecord) {
      let name = (try? JSON(parsing: record.event))?["eventName"]?.stringValue
      names.withLock { $0[record.id] = name }
      base.append(record)
      history.withLock { $0.kept.append(name ?? "") }
    }

    func acknowledge(_ ids: [UInt64]) {
      base.acknowledge(ids)
      let done = names.withLock { names in ids.compactMap { names[$0] } }
      history.withLock { $0.acknowledged.formUnion(done) }
    }

    func end() { base.end() }
  }

  /// Events with a number divisible by seven are rejected.
  private static func isBad(_ name: String) -> Bool {
    Int(name.dropFirst())?.isMultiple(of: 7) == true
  }

  private func server(_ storage: NotingStorage) -> InsightsServer {
    InsightsServer { names, _ in
      if let isTaken = storage.startSilence() {
        storage.see(names)
        if isTaken, !names.contains(where: Self.isBad) { storage.take(names) }
        await untilCancelled()
        throw CancellationError()
      }
      let random = storage.history.withLock { $0.isFaulty } ? storage.random(below: 10) : 9
      if random == 0 { return .refusal(503) }
      if random == 1 { return .refusal(429, retryAfter: "7") }
      if random == 2 { throw SearchError(.unreachable, "No host.") }
      let isRefused = names.contains(where: Self.isBad)
      storage.see(names)
      if !isRefused { storage.take(names) }
      if random == 3 { throw SearchError(.unreachable, "The answer was lost.") }
      return isRefused ? .refusal(422) : .taken
    }
  }

  @Test func noEventIsLostOrSentAfterItsAcknowledgment() throws {
    var droppedCallCount = 0
    let seeds = Seed.all(200)
    for seed in seeds {
      let executor = SeededExecutor(seed: seed.value)
      let clock = ManualClock()
      let storage = NotingStorage(seed: seed.value)
      var number = 0
      func makeClient() throws -> InsightsClient {
        let client = try InsightsClient(
          transport: server(storage), userToken: "u", storage: storage,
          configuration: .init(batchSize: 5), clock: clock, currentDate: { testDay },
          randomNumberGenerator: SeededGenerator(seed: seed.value), executor: executor)
        let failures = client.failures
        Task(executorPreference: executor) {
          for await failure in failures where failure.kind == .refused {
            storage.history.withLock { _ = $0.dropped.insert(failure.eventName ?? "") }
          }
        }
        return client
      }
      var client: InsightsClient? = try makeClient()
      for _ in 0..<60 {
        switch storage.random(below: 11) {
        case 0...5:
          number += 1
          let event = event(number)
          Task(executorPreference: executor) { [client] in
            _ = try await client?.track(event)
            storage.history.withLock { $0.trackedCount += 1 }
          }
        case 6: Task(executorPreference: executor) { [client] in await client?.flush() }
        case 9:
          // A call gets no response, and the client is released while it is in flight.
          executor.runUntilIdle()
          let isTaken = storage.random(below: 2) == 0
          storage.history.withLock { $0.silence = (isTaken, false) }
          let flush = Task(executorPreference: executor) { [client] in await client?.flush() }
          executor.runUntilIdle()
          // The waiting caller retains the client, as any reference would.
          flush.cancel()
          executor.runUntilIdle()
          let wasReached = storage.history.withLock { history in
            defer { history.silence = nil }
            return history.silence?.isReached == true
          }
          if wasReached { droppedCallCount += 1 }
          client = nil
          // The cancelled call and the next client can run in sequence or interleaved.
          if storage.random(below: 2) == 0 { executor.runUntilIdle() }
          client = try makeClient()
        case 7: clock.advance(by: .seconds(storage.random(below: 40)))
        case 8: executor.runUntilIdle()
        default:
          // Without a call in flight only the timer is left, which does not retain the client.
          executor.runUntilIdle()
          client = nil
          executor.runUntilIdle()
          client = try makeClient()
        }
      }
      storage.history.withLock { $0.isFaulty = false }
      for _ in 0..<200 {
        executor.runUntilIdle()
        clock.advance(by: .seconds(301))
      }
      executor.runUntilIdle()
      let history = storage.history.withLock { $0 }
      #expect(history.violations.isEmpty, "seed \(seed)")
      expectEqual(history.trackedCount, number, "seed \(seed)")
      expectEqual(history.kept.count, number, "seed \(seed)")
      expectEqual(history.received, history.kept.filter { !Self.isBad($0) }, "seed \(seed)")
      expectEqual(history.dropped, Set(history.kept.filter(Self.isBad)), "seed \(seed)")
      withExtendedLifetime(client) {}
    }
    // A few seeds that a failure is repeated with need not drop as many.
    if seeds.count >= 20 { #expect(droppedCallCount > seeds.count) }
  }
}
