import AsyncInstantSearch
@testable import AsyncInstantSearchInsights
import TestSupport
import Testing

/// The batches of the state machine of delivery.
struct InsightsQueueTests {
  private static func now(_ seconds: Int) -> InsightsQueue.ClockReading {
    InsightsQueue.ClockReading(time: .seconds(seconds), date: 0)
  }

  private static func sent(in actions: [InsightsQueue.Action]) -> [UInt64] {
    actions.flatMap { action -> [UInt64] in
      if case .send(let records) = action { records.map(\.id) } else { [] }
    }
  }

  /// The half of a refused batch from which an event was discarded goes out again without it, and
  /// without an event of the other half.
  @Test func halfOfARefusedBatchStaysTheHalf() throws {
    var configuration = InsightsClient.Configuration()
    configuration.maximumBatchEvents = 4
    let records = (1...5).map { InsightsRecord(id: $0, timestamp: 0, event: [0x7B, 0x7D]) }
    var queue = InsightsQueue(configuration, backlog: records, at: .zero)
    let error = SearchError(.invalidRequest, "refused")
    expectEqual(Self.sent(in: queue.woken(at: Self.now(0))), [1, 2, 3, 4])
    let halves = queue.ended(.refused(error), at: Self.now(1), randomFraction: 0)
    expectEqual(Self.sent(in: halves), [1, 2])

    _ = queue.discarded(at: Self.now(2)) { $0.id == 1 }
    let failure = InsightsQueue.Outcome.failed(SearchError(.timedOut, "slow"), retryAfter: nil)
    expectEqual(Self.sent(in: queue.ended(failure, at: Self.now(3), randomFraction: 0)), [])
    expectEqual(Self.sent(in: queue.woken(at: Self.now(3600))), [2])
    let next = queue.ended(.accepted, at: Self.now(3601), randomFraction: 0)
    expectEqual(Self.sent(in: next), [3, 4])
  }

  /// A delay that the service demands holds for the callers that flush, too.
  @Test func demandedDelayHoldsForFlushes() throws {
    let records = [InsightsRecord(id: 1, timestamp: 0, event: [0x7B, 0x7D])]
    var queue = InsightsQueue(InsightsClient.Configuration(), backlog: records, at: .zero)
    expectEqual(Self.sent(in: queue.woken(at: Self.now(0))), [1])
    let failure = InsightsQueue.Outcome.failed(
      SearchError(.timedOut, "slow"), retryAfter: .seconds(60))
    _ = queue.ended(failure, at: Self.now(1), randomFraction: 0)
    let early = queue.flushRequested(7, at: Self.now(60))
    expectEqual(Self.sent(in: early), [])
    expectEqual(early.count, 1)
    expectEqual(Self.sent(in: queue.flushRequested(8, at: Self.now(61))), [1])
  }
}
