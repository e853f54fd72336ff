import AsyncInstantSearchTesting
import TestSupport
import Testing

struct ManualClockTests {
  @Test func sleepersWakeInTheOrderOfTheirDeadlines() {
    let clock = ManualClock()
    let log = Log()
    let executor = QueueExecutor()
    for seconds in [3, 1, 4, 2] {
      Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(seconds))
        log.append(seconds)
      }
    }
    executor.runUntilIdle()
    expectEqual(clock.sleeperCount, 4)
    clock.advance(by: .seconds(3))
    executor.runUntilIdle()
    expectEqual(log.values, [1, 2, 3])
    expectEqual(clock.sleeperCount, 1)
    expectEqual(clock.now.offset, .seconds(3))
    clock.advance(by: .seconds(1))
    executor.runUntilIdle()
    expectEqual(log.values, [1, 2, 3, 4])
  }

  @Test func sleepersWithEqualDeadlinesWakeInArrivalOrder() {
    let clock = ManualClock()
    let log = Log()
    let executor = QueueExecutor()
    for number in 1...5 {
      Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(1))
        log.append(number)
      }
    }
    executor.runUntilIdle()
    clock.advance(by: .seconds(1))
    executor.runUntilIdle()
    expectEqual(log.values, [1, 2, 3, 4, 5])
  }

  @Test func aPastDeadlineDoesNotSleep() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)))
    expectEqual(clock.sleeperCount, 0)
  }

  @Test func aCancelledSleeperThrowsAndIsForgotten() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEqual(clock.sleeperCount, 0)
  }

  @Test func cancelledTaskDoesNotSleep() async {
    let clock = ManualClock()
    let task = Task {
      await untilCancelled()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func waitingForSleepersEndsWithCancellation() {
    let clock = ManualClock()
    let log = Log()
    let executor = QueueExecutor()
    let waiting = Task(executorPreference: executor) {
      await clock.waitForSleepers()
      log.append(1)
    }
    executor.runUntilIdle()
    expectEqual(log.values, [])
    waiting.cancel()
    executor.runUntilIdle()
    expectEqual(log.values, [1])
  }

  @Test func cancelledTaskDoesNotWaitForSleepers() async {
    let clock = ManualClock()
    let waiting = Task {
      await untilCancelled()
      await clock.waitForSleepers()
    }
    waiting.cancel()
    await waiting.value
  }
}
