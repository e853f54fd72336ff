import AsyncInstantSearchTesting
import TestSupport
import Testing

@Suite struct SeededExecutorTests {
  private func order(seed: UInt64) -> [Int] {
    let executor = SeededExecutor(seed: seed)
    let log = Log()
    for number in 0..<8 {
      Task(executorPreference: executor) {
        log.append(number)
        await Task.yield()
        log.append(number)
      }
    }
    executor.runUntilIdle()
    return log.values
  }

  @Test func theSameSeedGivesTheSameOrder() {
    expectEqual(order(seed: 7), order(seed: 7))
    expectEqual(order(seed: 7).count, 16)
  }

  @Test func differentSeedsGiveDifferentOrders() {
    #expect(Set((0..<50).map { order(seed: $0) }).count > 40)
  }
}
