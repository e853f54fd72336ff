@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Equal concurrent calls: one request, and callers that do not depend on each other.
struct CachingFlightTests {
  private let clock = ManualClock()

  @Test func aThousandEqualSearchesMakeOneRequest() async throws {
    let gate = CallGate()
    let base = ScriptedTransport.rows(at: gate)
    let cache = CachingTransport(wrapping: base, clock: clock)
    let answers = try await withThrowingTaskGroup(of: TransportResponse.self) { group in
      for _ in 0..<1_000 { group.addTask { try await cache.send(.search("a")) } }
      await gate.waitForCalls()
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(base.requests.count, 1)
    #expect(answers.count == 1_000 && answers.allSatisfy { $0.queryText == "a" })
    let counts = cache.statistics
    #expect(counts.misses == 1 && counts.hits + counts.coalesced == 999)
  }

  @Test func eachCallerHasItsOwnCancellationAndDeadline() async throws {
    let gate = CallGate()
    let base = ScriptedTransport.rows(at: gate)
    let cache = CachingTransport(wrapping: base, clock: clock)
    let deadline = Deadline(after: .seconds(1), clock: clock)
    // The first caller's deadline is not that of the shared call.
    let first = Task { try await cache.send(.search("a", deadline: deadline)) }
    await gate.waitForCalls()
    // Their deadlines do not pass, and show when each waits for the shared call.
    let later = Deadline(after: .seconds(60), clock: clock)
    let second = Task { try await cache.send(.search("a", deadline: later)) }
    let third = Task { try await cache.send(.search("a", deadline: later)) }
    await clock.waitForSleepers(3)
    clock.advance(by: .seconds(1))
    expectEqual(outcome(await first.result), "timedOut")
    second.cancel()
    expectEqual(outcome(await second.result), "cancelled")
    gate.open()
    expectEqual(outcome(await third.result), "a")
    expectEqual(base.requests.map { $0.deadline == nil }, [true])
    expectEqual(cache.statistics.entries, 1)
  }

  @Test func sharedCallIsCancelledWithItsLastCaller() {
    let executor = SeededExecutor(seed: 1)
    let wasCancelled = Shared(false)
    let base = ScriptedTransport { request, number in
      if number > 0 { return try rows(request) }
      await untilCancelled()
      wasCancelled.change { $0 = true }
      throw CancellationError()
    }
    let cache = CachingTransport(wrapping: base, clock: clock, executor: executor)
    let outcomes = Shared<[String]>([])
    func begin() -> Task<Void, Never> {
      let call = Task(executorPreference: executor) {
        let call = Task(executorPreference: executor) { try await cache.send(.search("a")) }
        let result = await withTaskCancellationHandler {
          await call.result
        } onCancel: {
          call.cancel()
        }
        outcomes.change { $0.append(outcome(result)) }
      }
      executor.runUntilIdle()
      return call
    }
    let calls = [begin(), begin()]
    for number in 0..<2 {
      #expect(base.requests.count == 1 && !wasCancelled.value)
      calls[number].cancel()
      executor.runUntilIdle()
      expectEqual(outcomes.value.count, number + 1)
    }
    #expect(wasCancelled.value)
    // The next call makes a new request.
    _ = begin()
    #expect(outcomes.value == ["cancelled", "cancelled", "a"] && base.requests.count == 2)
  }

  @Test(arguments: [true, false])
  func failureGoesToEveryWaitingCaller(isThrown: Bool) async throws {
    let gate = CallGate()
    let base = ScriptedTransport { request, number in
      await gate.pass()
      if isThrown { throw SearchError(.unreachable, "down") }
      return TransportResponse(status: 503, body: [])
    }
    let cache = CachingTransport(wrapping: base, clock: clock)
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<100 {
        group.addTask { outcome(await Task { try await cache.send(.search("a")) }.result) }
      }
      await gate.waitForCalls()
      gate.open()
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    expectEqual(outcomes, [isThrown ? "unreachable" : "status 503"])
    expectEqual(cache.statistics.entries, 0)
  }

  @Test func responseAfterTheDeadlineIsATimeout() async throws {
    let gate = CallGate()
    let cache = CachingTransport(wrapping: ScriptedTransport.rows(at: gate), clock: clock)
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let call = Task { try await cache.send(.search("a", deadline: deadline)) }
    await gate.waitForCalls()
    clock.advance(by: .seconds(1))
    gate.open()
    expectEqual(outcome(await call.result), "timedOut")
  }

  /// Calls, cancellations, writes and time in 300 orders: every caller ends, and no caller sees
  /// data older than the last write completed before its call.
  @Test(arguments: Seed.all(300))
  func readsNeverReturnDataOlderThanACompletedWrite(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let chance = SeededRandom(seed: seed.value)
    let version = Shared(0)
    let base = ScriptedTransport { request, _ in
      for _ in 0..<chance.number(below: 4) { await Task.yield() }
      if request.callType == .write { version.change { $0 += 1 } }
      let now = version.value
      for _ in 0..<chance.number(below: 4) { await Task.yield() }
      if chance.number(below: 8) == 0 { throw SearchError(.server, "down") }
      return TransportResponse(status: 200, body: Array(#"{"time":\#(now)}"#.utf8))
    }
    let clock = ManualClock()
    let cache = CachingTransport(
      wrapping: base, maximumBytes: 300, clock: clock, executor: executor)
    let ended = Shared(0)
    let violations = Shared<[String]>([])
    let finished = Shared(0)
    var calls: [Task<Void, any Error>] = []
    for number in 0..<40 {
      let call = Task(executorPreference: executor) {
        for _ in 0..<chance.number(below: 20) { await Task.yield() }
        defer { finished.change { $0 += 1 } }
        if number.isMultiple(of: 8) {
          _ = try await cache.send(.write())
          ended.change { $0 += 1 }
          return
        }
        let before = ended.value
        let response = try await cache.send(.search("\(chance.number(below: 3))"))
        let seen = try JSON(parsing: response.body)["time"]?.intValue ?? -1
        if seen < before { violations.change { $0.append("saw \(seen) after \(before)") } }
      }
      calls.append(call)
    }
    let disturbance = Task(executorPreference: executor) { [calls] in
      for _ in 0..<6 {
        for _ in 0..<chance.number(below: 8) { await Task.yield() }
        calls[chance.number(below: 40)].cancel()
        clock.advance(by: .seconds(chance.number(below: 40)))
      }
    }
    executor.runUntilIdle()
    expectEqual(finished.value, 40, "seed \(seed.value)")
    expectEqual(violations.value, [], "seed \(seed.value)")
    #expect(cache.statistics.bytes <= 300, "seed \(seed.value)")
    disturbance.cancel()
  }
}
