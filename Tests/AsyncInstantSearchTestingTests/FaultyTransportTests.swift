import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct FaultyTransportTests {
  private let clock = ManualClock()
  private let base = ScriptedTransport(json: #"{"hits":[]}"#)

  private func client(_ fault: FaultyTransport.Fault) -> SearchClient {
    SearchClient(
      transport: FaultyTransport(wrapping: base, clock: clock) { _, _ in fault }, clock: clock)
  }

  private func search(
    _ fault: FaultyTransport.Fault, timeout: Duration? = nil
  ) -> Task<HitsPage<JSON>, any Error> {
    let client = client(fault)
    return Task {
      try await client.search("films", of: JSON.self, options: RequestOptions(timeout: timeout))
    }
  }

  @Test func delayedCallIsMadeAfterItsDelay() async throws {
    let call = search(.delay(.seconds(10)))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(9))
    expectEqual(clock.sleeperCount, 1)
    #expect(base.requests.isEmpty)
    clock.advance(by: .seconds(1))
    #expect(try await call.value.hits.isEmpty)
    expectEqual(base.requests.count, 1)
  }

  @Test(arguments: [1, 10])
  func aDelayEndsWithTheDeadline(seconds: Int) async {
    let call = search(.delay(.seconds(10)), timeout: .seconds(seconds))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(seconds))
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .timedOut)
    #expect(base.requests.isEmpty)
  }

  @Test func delayShorterThanTheDeadlineOnlyDelays() async throws {
    let call = search(.delay(.seconds(1)), timeout: .seconds(10))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    #expect(try await call.value.hits.isEmpty)
    expectEqual(clock.sleeperCount, 0)
  }

  @Test(arguments: [nil, Duration.seconds(10)])
  func aDelayEndsWithCancellation(timeout: Duration?) async {
    let call = search(.delay(.seconds(Int64.max)), timeout: timeout)
    await clock.waitForSleepers(timeout == nil ? 1 : 2)
    call.cancel()
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .cancelled)
    expectEqual(clock.sleeperCount, 0)
  }

  @Test(arguments: [#"Invalid value for "page""#, "two\nlines \\ and ü"])
  func messageIsUnchanged(message: String) async {
    let call = search(.status(400, message))
    let error = await #expect(throws: SearchError.self) { try await call.value }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(error?.message, message)
    expectEqual(error?.status, 400)
  }
}
