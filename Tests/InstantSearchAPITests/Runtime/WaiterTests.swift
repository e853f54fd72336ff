import InstantSearchAPI
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The wait of one caller: the first outcome ends it.
struct WaiterTests {
  private let clock = ManualClock()

  private func code(_ result: Result<Int, any Error>) -> String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(let error): (error as? SearchError).map { "\($0.code)" } ?? "\(type(of: error))"
    }
  }

  @Test func firstOutcomeWins() async throws {
    let waiter = Waiter<Int>()
    waiter.fulfill(with: .success(1))
    waiter.fulfill(with: .success(2))
    try await expectEqual(waiter.value(), 1)
  }

  @Test func outcomeResumesTheWaitingTask() async throws {
    let waiter = Waiter<Int>()
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let call = Task { try await waiter.value(until: deadline) }
    await clock.waitForSleepers()
    waiter.fulfill(with: .failure(SearchError(.server, "")))
    expectEqual(code(await call.result), "server")
  }

  @Test func cancellationAndTheDeadlineEndTheWait() async {
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let cancelled = Task { try await Waiter<Int>().value(until: deadline) }
    await clock.waitForSleepers()
    cancelled.cancel()
    expectEqual(code(await cancelled.result), "CancellationError")
    let late = Task { try await Waiter<Int>().value(until: deadline) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    expectEqual(code(await late.result), "timedOut")
  }

  @Test func cancelledOrLateCallerGetsNoOutcome() async {
    let waiter = Waiter<Int>()
    waiter.fulfill(with: .success(1))
    let cancelled = Task {
      await untilCancelled()
      return try await waiter.value()
    }
    cancelled.cancel()
    expectEqual(code(await cancelled.result), "CancellationError")
    let passed = Deadline(after: .zero, clock: clock)
    let late = Task { try await waiter.value(until: passed) }
    expectEqual(code(await late.result), "timedOut")
  }
}
