import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct CallQueueTests {
  @Test func callsBeginUpToTheLimit() {
    var queue = CallQueue<Int>(limit: 2)
    for call in 0..<4 { _ = queue.append(call) }
    let begun = (0..<3).map { _ in queue.begin() }
    expectEqual(begun, [0, 1, nil])
    #expect(queue.workingCount == 2 && queue.waitingCount == 2)
    queue.end()
    let later = (0..<2).map { _ in queue.begin() }
    expectEqual(later, [2, nil])
  }

  @Test func limitIsAtLeastOne() {
    var queue = CallQueue<Int>(limit: 0)
    _ = queue.append(1)
    expectEqual(queue.limit, 1)
    let begun = queue.begin()
    expectEqual(begun, 1)
  }

  @Test func aCallThatWasRemovedDoesNotBegin() {
    var queue = CallQueue<Int>(limit: 1)
    let numbers = (0..<4).map { queue.append($0) }
    let first = queue.begin()
    expectEqual(first, 0)
    let removed = [0, 1, 1, 2].map { queue.remove(numbers[$0]) }
    expectEqual(removed, [nil, 1, nil, 2])
    queue.end()
    let next = queue.begin()
    expectEqual(next, 3)
    expectEqual(queue.waitingCount, 0)
  }

  /// Calls arrive, leave and are removed at random, compared with a plain list.
  @Test(arguments: Seed.all(50)) func callsBeginInArrivalOrder(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let limit = Int.random(in: 1...4, using: &generator)
    var queue = CallQueue<Int>(limit: limit)
    var waiting: [(call: Int, number: UInt64)] = []
    var workingCount = 0
    for call in 0..<500 {
      switch Int.random(in: 0..<7, using: &generator) {
      case 0..<3:
        waiting.append((call, queue.append(call)))
      case 3 where workingCount > 0:
        queue.end()
        workingCount -= 1
      case 4... where !waiting.isEmpty:
        let (call, number) = waiting.remove(
          at: Int.random(in: waiting.indices, using: &generator))
        let removed = queue.remove(number)
        expectEqual(removed, call)
      default: break
      }
      while let begun = queue.begin() {
        #expect(!waiting.isEmpty && begun == waiting.removeFirst().call)
        workingCount += 1
      }
      #expect(workingCount == limit || waiting.isEmpty)
      #expect(queue.workingCount == workingCount && queue.waitingCount == waiting.count)
    }
  }

  /// Removed calls take no memory while the first call waits.
  @Test func removedCallsAreReleased() {
    var queue = CallQueue<Int>(limit: 1)
    _ = queue.append(0)
    _ = queue.begin()
    _ = queue.append(1)
    for call in 2..<Thoroughness.count(10_000, thorough: 100_000) {
      let number = queue.append(call)
      let removed = queue.remove(number)
      expectEqual(removed, call)
    }
    #expect(queue.keptCount < 100)
  }
}
