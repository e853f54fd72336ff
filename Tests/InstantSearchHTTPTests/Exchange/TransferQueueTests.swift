import InstantSearchHTTP
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The order of transfers to the same host.
struct TransferQueueTests {
  @Test func waitingTransfersStartInArrivalOrder() {
    var queue = TransferQueue(limit: 2)
    let begun = (0..<5).map { queue.enqueue($0, host: "a") }
    expectEqual(begun, [true, true, false, false, false])
    let begunElsewhere = queue.enqueue(5, host: "b")
    #expect(begunElsewhere)
    let withdrawn = [3, 3, 0].map { queue.cancel($0) }
    expectEqual(withdrawn, [true, false, false])
    let next = (0..<3).map { _ in queue.finish(host: "a") }
    expectEqual(next, [2, 4, nil])
    expectEqual(queue.waitingCount, 0)
    let begunLater = [6, 7].map { queue.enqueue($0, host: "a") }
    expectEqual(begunLater, [true, false])
  }

  @Test func queueOfABusyHostDoesNotGrow() {
    var queue = TransferQueue(limit: 1)
    _ = queue.enqueue(0, host: "a")
    for id in 1...10_000 as ClosedRange<UInt64> {
      _ = queue.enqueue(id, host: "a")
      if id > 1 {
        let next = queue.finish(host: "a")
        expectEqual(next, id - 1)
      }
    }
    expectEqual(queue.waitingCount, 1)
    #expect(queue.capacity < 10)
  }

  @Test func cancelledTransfersAreRemovedFromTheQueue() {
    var queue = TransferQueue(limit: 1)
    for id in 0...10_000 as ClosedRange<UInt64> {
      _ = queue.enqueue(id, host: "a")
      _ = queue.cancel(id)
    }
    expectEqual(queue.waitingCount, 0)
    #expect(queue.capacity < 10)
  }

  @Test(arguments: Seed.all(100))
  func queueMatchesAnArray(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let limit = Int.random(in: 1...3, using: &generator)
    var queue = TransferQueue(limit: limit)
    var active = ["a": 0, "b": 0]
    var waiting: [(id: UInt64, host: String)] = []
    for id in 0..<300 as Range<UInt64> {
      let host = Bool.random(using: &generator) ? "a" : "b"
      switch Int.random(in: 0..<5, using: &generator) {
      case 0...2:
        let begins = active[host, default: 0] < limit
        let hasBegun = queue.enqueue(id, host: host)
        expectEqual(hasBegun, begins)
        if begins { active[host, default: 0] += 1 } else { waiting.append((id, host)) }
      case 3 where active[host, default: 0] > 0:
        let next = waiting.firstIndex { $0.host == host }
        let begun = queue.finish(host: host)
        expectEqual(begun, next.map { waiting[$0].id })
        if let next { waiting.remove(at: next) } else { active[host, default: 0] -= 1 }
      case 4:
        guard let chosen = waiting.indices.randomElement(using: &generator) else { continue }
        let isWithdrawn = queue.cancel(waiting.remove(at: chosen).id)
        #expect(isWithdrawn)
      default: continue
      }
      expectEqual(queue.waitingCount, waiting.count)
    }
  }

  @Test func cancelledResponseRunsActionsThatAreAddedLater() {
    let response = PendingResponse()
    let runs = Lock(0)
    response.onCancel { runs.withLock { $0 += 1 } }
    response.cancel()
    response.onCancel { runs.withLock { $0 += 10 } }
    response.cancel()
    expectEqual(runs.withLock { $0 }, 11)
    #expect(response.isCancelled && response.hasEnded)
  }

  @Test func endedResponseRunsNoActions() {
    let response = PendingResponse()
    response.onCancel { Issue.record("The response came first.") }
    response.end(with: .failure(HTTPExchangeError.timedOut))
    response.cancel()
    response.onCancel { Issue.record("The response came first.") }
    #expect(!response.isCancelled && response.hasEnded)
  }
}
