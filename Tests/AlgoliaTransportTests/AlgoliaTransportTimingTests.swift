import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Timeouts, deadlines and cancellation, on a clock that the tests move.
struct AlgoliaTransportTimingTests {
  private let clock = ManualClock()

  private func transport(_ script: ScriptedExchange) -> AlgoliaTransport {
    .sample(script, configuration: AlgoliaTransport.Configuration(clock: clock))
  }

  private func request(deadlineAfter duration: Duration) -> TransportRequest {
    var request = TransportRequest.sampleRead
    request.deadline = Deadline(after: duration, clock: clock)
    return request
  }

  @Test(arguments: [ScriptedExchange.Step.silence, .deafness])
  func timedOutHostIsLeftForTheNext(step: ScriptedExchange.Step) async throws {
    let script = ScriptedExchange(step, .status(200))
    defer { script.release() }
    async let response = transport(script).send(.sampleRead)
    await script.received.reach(1)
    clock.advance(by: .seconds(5))
    try await expectEqual(response.status, 200)
    expectEqual(script.requests.count, 2)
  }

  /// The response arrives at the moment of the cancellation.
  @Test func callCancelledByItsResponseIsCancelled() async {
    for _ in 0..<Thoroughness.count(20, thorough: 200) {
      let caller = Lock<Task<TransportResponse, any Error>?>(nil)
      let gate = CallGate()
      let transport = AlgoliaTransport(
        appID: "APPID", apiKey: "sekret",
        configuration: .init(exchange: { _ in
          await gate.pass()
          caller.withLock { $0 }?.cancel()
          return HTTPExchangeResponse(status: 200)
        }))
      let call = Task { try await transport.send(.sampleRead) }
      caller.withLock { $0 = call }
      gate.open()
      #expect(await call.result.failure is CancellationError)
    }
  }

  @Test func eachHostGetsTheFullTimeout() async throws {
    let script = ScriptedExchange(.silence)
    let transport = transport(script)
    let call = Task { try await transport.send(.sampleRead) }
    for attempt in 1...4 {
      await script.received.reach(attempt)
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(4999))
      expectEqual(clock.sleeperCount, 1)
      clock.advance(by: .milliseconds(1))
    }
    let error = try #require(await call.result.failure as? SearchError)
    expectEqual(error.code, .timedOut)
    expectEqual(
      error.attempts.map(\.outcome), Array(repeating: "timed out after 5.0 seconds", count: 4))
  }

  @Test(arguments: [ScriptedExchange.Step.silence, .deafness])
  func deadlineCoversAllAttempts(step: ScriptedExchange.Step) async throws {
    let script = ScriptedExchange(step)
    defer { script.release() }
    let transport = transport(script)
    let request = request(deadlineAfter: .seconds(7))
    let call = Task { try await transport.send(request) }
    await script.received.reach(1)
    clock.advance(by: .seconds(5))
    await script.received.reach(2)
    clock.advance(by: .seconds(2))
    let error = try #require(await call.result.failure as? SearchError)
    expectEqual(error.code, .timedOut)
    expectEqual(
      error.attempts.map(\.outcome),
      [
        "timed out after 5.0 seconds", "no response before the deadline",
      ])
    expectEqual(script.requests.map(\.timeout), [.seconds(5), .seconds(2)])
  }

  @Test func timeoutAtTheDeadlineCountsAsTheDeadline() async throws {
    for _ in 0..<Thoroughness.count(5, thorough: 50) {
      let script = ScriptedExchange(.silence)
      let transport = transport(script)
      let request = request(deadlineAfter: .seconds(5))
      let call = Task { try await transport.send(request) }
      await script.received.reach(1)
      clock.advance(by: .seconds(5))
      let error = try #require(await call.result.failure as? SearchError)
      expectEqual(error.attempts.map(\.outcome), ["no response before the deadline"])
    }
  }

  @Test func responseAfterTheDeadlineTimesOutBeforeTheTimerFires() async throws {
    let gate = CallGate()
    let configuration = AlgoliaTransport.Configuration(
      exchange: { _ in
        await gate.pass()
        return HTTPExchangeResponse(status: 200)
      }, clock: clock)
    let transport = AlgoliaTransport(appID: "APPID", apiKey: "sekret", configuration: configuration)
    var request = TransportRequest.sampleRead
    request.deadline = Deadline(after: .seconds(1), clock: SleepyClock(base: clock))
    let call = Task { [request] in try await transport.send(request) }
    await gate.waitForCalls()
    clock.advance(by: .seconds(1))
    gate.open()
    expectEqual((await call.result.failure as? SearchError)?.code, .timedOut)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func nothingIsSentAfterTheDeadline(remaining: Duration) async throws {
    let script = ScriptedExchange(.status(200))
    let error = try await searchError(
      of: transport(script), sending: request(deadlineAfter: remaining))
    expectEqual(error.code, .timedOut)
    #expect(script.requests.isEmpty)
  }

  @Test func deadlineCanUseAnotherClock() async throws {
    let other = ManualClock()
    let script = ScriptedExchange(.silence)
    let transport = transport(script)
    var request = TransportRequest.sampleRead
    request.deadline = Deadline(after: .seconds(60), clock: other)
    let call = Task { [request] in try await transport.send(request) }
    await script.received.reach(1)
    other.advance(by: .seconds(60))
    let error = try #require(await call.result.failure as? SearchError)
    expectEqual(error.code, .timedOut)
    expectEqual(script.requests.count, 1)
  }

  @Test(arguments: [ScriptedExchange.Step.silence, .deafness])
  func cancellationEndsTheCallWithoutTryingOtherHosts(step: ScriptedExchange.Step) async throws {
    let script = ScriptedExchange(step)
    defer { script.release() }
    let transport = transport(script)
    let call = Task { try await transport.send(.sampleRead) }
    await script.received.reach(1)
    call.cancel()
    #expect(await call.result.failure is CancellationError)
    expectEqual(script.requests.count, 1)
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let script = ScriptedExchange(.status(200))
    let transport = transport(script)
    let call = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(.sampleRead)
    }
    #expect(await call.result.failure is CancellationError)
    #expect(script.requests.isEmpty)
  }

  @Test func cancellationDuringAFailureTriesNoOtherHost() async throws {
    for _ in 0..<Thoroughness.count(5, thorough: 50) {
      let cancellation = AwaitableList<@Sendable () -> Void>()
      let script = ScriptedExchange { _, _ in
        // The call is already cancelled when the host fails.
        cancellation.elements.first?()
        return .status(503)
      }
      let transport = transport(script)
      let begin = AwaitableList<Void>()
      let call = Task {
        await begin.reach(1)
        return try await transport.send(.sampleRead)
      }
      cancellation.append { call.cancel() }
      begin.append(())
      #expect(await call.result.failure is CancellationError)
      expectEqual(script.requests.count, 1)
    }
  }

  @Test func exchangeTaskIsCancelledWithTheCall() async throws {
    let ended = AwaitableList<Bool>()
    let started = AwaitableList<Void>()
    let configuration = AlgoliaTransport.Configuration(
      exchange: { _ in
        started.append(())
        await untilCancelled()
        ended.append(Task.isCancelled)
        throw CancellationError()
      }, clock: clock)
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret", configuration: configuration)
    let call = Task { try await transport.send(.sampleRead) }
    await started.reach(1)
    call.cancel()
    await ended.reach(1)
    expectEqual(ended.elements, [true])
  }
}

/// A clock that advances without waking sleepers.
private struct SleepyClock: Clock {
  let base: ManualClock

  var now: ManualClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    await untilCancelled()
    throw CancellationError()
  }
}
