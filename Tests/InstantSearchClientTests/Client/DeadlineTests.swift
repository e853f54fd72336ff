import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct DeadlineTests {
  private static let extremes = [
    Duration.seconds(Int64.max), .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.min),
  ]

  @Test func durationsAreLimitedToAYear() {
    let year = Duration.seconds(365 * 24 * 3600)
    expectEqual(Deadline.bounded(.seconds(Int64.max)), year)
    expectEqual(Deadline.bounded(.seconds(Int64.min)), .zero - year)
    expectEqual(Deadline.bounded(.milliseconds(-7)), .milliseconds(-7))
    expectEqual(Deadline.bounded(.seconds(3600)), .seconds(3600))
    let deadline = Deadline(after: .seconds(Int64.max), clock: ManualClock())
    expectEqual(deadline.remaining, year)
  }

  @Test(arguments: extremes)
  func anyTimeoutIsAccepted(timeout: Duration) async throws {
    let engine = LocalSearch()
    try await engine.save([["title": "Ran"]], in: "films")
    let options = RequestOptions(timeout: timeout)
    let search = Task {
      try await SearchClient(transport: engine).search("films", of: JSON.self, options: options)
    }
    switch await search.result {
    case .success(let page): #expect(timeout > .zero && page.hits.count == 1)
    case .failure(let error):
      #expect(timeout < .zero && (error as? SearchError)?.code == .timedOut)
    }
  }

  @Test(arguments: extremes)
  func anyDurationCanBeSlept(time: Duration) async {
    let sleep = Task {
      await untilCancelled()
      try await Deadline(after: time).sleep()
    }
    sleep.cancel()
    let result = await sleep.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func aDeadlineSleepsUntilItPasses() async throws {
    let clock = ManualClock()
    let deadline = Deadline(after: .seconds(2), clock: clock)
    let sleep = Task { try await deadline.sleep() }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    try await sleep.value
    #expect(deadline.hasPassed)
  }
}
