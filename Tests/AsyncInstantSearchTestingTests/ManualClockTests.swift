import AsyncInstantSearchTesting
import Testing

@Suite struct ManualClockTests {
  @Test func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
    let clock = ManualClock()
    let log = Log()
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        log.append(seconds)
      }
    }
    await clock.waitForSleepers(3)
    for _ in 1...3 {
      let before = clock.sleeperCount
      clock.advance(by: .seconds(1))
      #expect(clock.sleeperCount == before - 1)
    }
    for task in tasks { try await task.value }
    #expect(log.values.sorted() == [1, 2, 3])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func aPastDeadlineDoesNotSleep() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)))
    #expect(clock.sleeperCount == 0)
  }

  @Test func aCancelledSleeperThrowsAndIsForgotten() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func aSleeperCancelledBeforehandThrows() async {
    let clock = ManualClock()
    let task = Task {
      await untilCancelled()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
