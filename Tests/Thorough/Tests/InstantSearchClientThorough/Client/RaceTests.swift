@testable import InstantSearchAPI
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The race between a response, the timers and cancellation.
@Suite(.timeLimit(.minutes(30))) struct RaceTests {
  @Test func firstOutcomeWins() async {
    let outcome = await Race.first(
      of: [
        { nil },
        { 1 },
        {
          await untilCancelled()
          return 2
        },
      ], onCancel: 0)
    expectEqual(outcome, 1)
  }

  /// The winner may finish before others are started. Those must be cancelled too: each of them
  /// ends with cancellation only.
  @Test func everyLoserIsCancelledEvenIfItStartsLate() async {
    let ended = CallGate()
    let races = 50
    let losers = 50
    for _ in 0..<races {
      let loser: @concurrent @Sendable () async -> Int? = {
        await untilCancelled()
        await ended.pass()
        return nil
      }
      let outcome = await Race.first(
        of: [{ 1 }] + Array(repeating: loser, count: losers), onCancel: 0)
      expectEqual(outcome, 1)
    }
    await ended.waitForCalls(races * losers)
    ended.open()
  }

  @Test func aCancelledRaceStartsNothing() async {
    let started = CallGate()
    started.open()
    let race = Task {
      await untilCancelled()
      return await Race.first(
        of: [
          {
            await started.pass()
            return 1
          }
        ], onCancel: 0)
    }
    race.cancel()
    await expectEqual(race.value, 0)
    expectEqual(started.callCount, 0)
  }

  @Test func cancellationEndsTheRaceEvenIfTheOperationIgnoresIt() async {
    let started = CallGate()
    let race = Task {
      await Race.first(
        of: [
          {
            await started.pass()
            return nil
          }
        ], onCancel: 0)
    }
    await started.waitForCalls()
    race.cancel()
    await expectEqual(race.value, 0)
    started.open()
  }

  @Test func tasksRunOnTheGivenExecutor() {
    let executor = SeededExecutor(seed: 1)
    let outcome = Lock<Int?>(nil)
    let race = Task(executorPreference: executor) {
      let first = await Race.first(of: [{ 1 }], onCancel: 0, executor: executor)
      outcome.withLock { $0 = first }
    }
    executor.runUntilIdle()
    expectEqual(outcome.withLock { $0 }, 1)
    race.cancel()
  }
}
