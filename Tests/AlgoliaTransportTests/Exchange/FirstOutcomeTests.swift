import AlgoliaTransport
import Loopback
import AsyncInstantSearchTesting
import Testing

/// The race between an answer, the timers and cancellation.
@Suite(.timeLimit(.minutes(5))) struct FirstOutcomeTests {
  @Test func theFirstOutcomeCounts() async {
    let outcome = await FirstOutcome.of(
      [
        { nil },
        { 1 },
        {
          await untilCancelled()
          return 2
        },
      ], onCancel: 0)
    #expect(outcome == 1)
  }

  /// The winner has its outcome before most of the others are started, and those have to be
  /// cancelled as well: each of them ends with cancellation only.
  @Test func everyLoserIsCancelledHoweverLateItStarts() async {
    let ended = Tally<Void>()
    let rounds = 50
    let losers = 50
    for _ in 0..<rounds {
      let loser: @concurrent @Sendable () async -> Int? = {
        await untilCancelled()
        ended.append(())
        return nil
      }
      let outcome = await FirstOutcome.of(
        [{ 1 }] + Array(repeating: loser, count: losers), onCancel: 0)
      #expect(outcome == 1)
    }
    await ended.reach(rounds * losers)
  }

  @Test func aCancelledRaceStartsNothing() async {
    let started = Tally<Void>()
    let race = Task {
      await untilCancelled()
      return await FirstOutcome.of(
        [
          {
            started.append(())
            return 1
          }
        ], onCancel: 0)
    }
    race.cancel()
    #expect(await race.value == 0)
    #expect(started.elements.isEmpty)
  }

  @Test func cancellationIsAnOutcome() async {
    let started = Tally<Void>()
    let race = Task {
      await FirstOutcome.of(
        [
          {
            started.append(())
            await untilCancelled()
            return nil
          }
        ], onCancel: 0)
    }
    await started.reach(1)
    race.cancel()
    #expect(await race.value == 0)
  }
}
