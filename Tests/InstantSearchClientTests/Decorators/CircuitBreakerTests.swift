import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The rules of the circuit, event by event, through a transport whose calls end when the test
/// releases them.
struct CircuitBreakerTests {
  private let clock = ManualClock()

  private func transport(_ primary: some SearchTransport) -> FallbackTransport {
    FallbackTransport(
      primary: primary, fallback: ScriptedTransport(json: #"{"query":"fallback"}"#),
      failureThreshold: 3, openDuration: .seconds(5), maximumOpenDuration: .seconds(15),
      clock: clock)
  }

  /// Fails for the calls with a certain text.
  private let primary = ScriptedTransport { request, _ in
    let text = try JSON(parsing: request.body)["query"]?.stringValue ?? ""
    if text == "down" { throw SearchError(.unreachable, "down") }
    return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
  }

  private func answer(_ text: String, _ transport: FallbackTransport) async -> String {
    outcome(await Task { try await transport.send(.search(text)) }.result)
  }

  @Test func consecutiveFailuresOpenTheCircuit() async {
    let transport = transport(primary)
    for text in ["down", "down", "ok", "down", "down"] {
      await expectEqual(answer(text, transport), text == "ok" ? "primary" : "fallback")
      expectEqual(transport.circuitState, .closed)
    }
    _ = await answer("down", transport)
    expectEqual(transport.circuitState, .open)
    let asked = primary.requests.count
    await expectEqual(answer("ok", transport), "fallback")
    expectEqual(primary.requests.count, asked, "the primary is not called")
  }

  @Test func openDurationDoublesUpToItsLimit() async {
    let transport = transport(primary)
    for _ in 0..<3 { _ = await answer("down", transport) }
    for pause in [5, 10, 15, 15] {
      let asked = primary.requests.count
      clock.advance(by: .seconds(pause) - .nanoseconds(1))
      _ = await answer("down", transport)
      expectEqual(primary.requests.count, asked)
      clock.advance(by: .nanoseconds(1))
      _ = await answer("down", transport)
      #expect(primary.requests.count == asked + 1 && transport.circuitState == .open)
    }
    clock.advance(by: .seconds(15))
    await expectEqual(answer("ok", transport), "primary")
    expectEqual(transport.circuitState, .closed)
    // The next failures begin with the first open duration again.
    for _ in 0..<3 { _ = await answer("down", transport) }
    clock.advance(by: .seconds(5))
    await expectEqual(answer("ok", transport), "primary")
  }

  @Test func oneCallProbesAndTheOthersUseTheFallback() async {
    let gate = CallGate()
    let primary = ScriptedTransport { _, number in
      if number < 3 { throw SearchError(.unreachable, "down") }
      await gate.pass()
      return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
    }
    let transport = transport(primary)
    for _ in 0..<3 { _ = await answer("", transport) }
    clock.advance(by: .seconds(5))
    let probe = Task { await answer("", transport) }
    await gate.waitForCalls()
    expectEqual(transport.circuitState, .halfOpen)
    for _ in 0..<10 { await expectEqual(answer("", transport), "fallback") }
    expectEqual(primary.requests.count, 4)
    gate.open()
    await expectEqual(probe.value, "primary")
    expectEqual(transport.circuitState, .closed)
  }

  @Test func nextCallProbesAfterACancelledProbe() async {
    let gate = CallGate()
    let primary = ScriptedTransport { _, number in
      if number < 3 { throw SearchError(.unreachable, "down") }
      if number == 3 { await gate.pass() }
      return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
    }
    let transport = transport(primary)
    for _ in 0..<3 { _ = await answer("", transport) }
    clock.advance(by: .seconds(5))
    let probe = Task { try await transport.send(.search("")) }
    await gate.waitForCalls()
    probe.cancel()
    expectEqual(outcome(await probe.result), "cancelled")
    expectEqual(transport.circuitState, .open)
    await expectEqual(answer("", transport), "primary")
    expectEqual(transport.circuitState, .closed)
    gate.open()
  }

  @Test func probeTimesOutAndItsLateFailureIsIgnored() async {
    let gates = (0..<3).map { _ in CallGate() }
    let primary = ScriptedTransport { _, number in
      if number < 3 { throw SearchError(.unreachable, "down") }
      if number < 6 { await gates[number - 3].pass() }
      if number == 3 { throw SearchError(.unreachable, "down") }
      return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
    }
    let transport = transport(primary)
    for _ in 0..<3 { _ = await answer("", transport) }
    clock.advance(by: .seconds(5))
    let first = Task { await answer("", transport) }
    await gates[0].waitForCalls()
    clock.advance(by: .seconds(5) - .nanoseconds(1))
    await expectEqual(answer("", transport), "fallback")
    clock.advance(by: .nanoseconds(1))
    let second = Task {
      // A call that does not reach the gate is not waited for.
      defer { gates[1].open() }
      return await answer("", transport)
    }
    await gates[1].waitForCalls()
    await expectEqual(answer("", transport), "fallback", "the second probe has not timed out")
    gates[0].open()
    await expectEqual(first.value, "fallback")
    expectEqual(transport.circuitState, .halfOpen, "the late failure is ignored")
    gates[1].open()
    await expectEqual(second.value, "primary")
    expectEqual(transport.circuitState, .closed)
    gates[2].open()
  }

  /// The permit of a call that must get one.
  private func permit(_ breaker: inout CircuitBreaker, at now: Duration) throws
    -> CircuitBreaker.Permit
  {
    let decision = breaker.begin(now: now)
    guard case .allow(let permit) = decision else {
      Issue.record("The call is rejected.")
      throw CancellationError()
    }
    return permit
  }

  @Test func lateSuccessOfAProbeClosesTheCircuit() throws {
    var breaker = CircuitBreaker(
      failureThreshold: 1, openDuration: .seconds(1), maximumOpenDuration: .seconds(1))
    breaker.end(try permit(&breaker, at: .zero), .failed, now: .zero)
    // Every response takes half a second longer than the probe timeout.
    let slow = try permit(&breaker, at: .seconds(1))
    let next = try permit(&breaker, at: .seconds(2))
    breaker.end(slow, .succeeded, now: .milliseconds(2_500))
    expectEqual(breaker.circuitState, .closed)
    breaker.end(next, .failed, now: .seconds(3))
    expectEqual(breaker.circuitState, .closed, "that permit is from an earlier epoch")
    // Also if a later probe has failed since then, but not after the circuit was closed in between.
    breaker.end(try permit(&breaker, at: .seconds(3)), .failed, now: .seconds(3))
    let slows = [try permit(&breaker, at: .seconds(4)), try permit(&breaker, at: .seconds(5))]
    breaker.end(try permit(&breaker, at: .seconds(6)), .failed, now: .seconds(6))
    expectEqual(breaker.circuitState, .open)
    breaker.end(slows[0], .succeeded, now: .seconds(6))
    expectEqual(breaker.circuitState, .closed)
    breaker.end(try permit(&breaker, at: .seconds(7)), .failed, now: .seconds(7))
    breaker.end(slows[1], .succeeded, now: .seconds(7))
    expectEqual(breaker.circuitState, .open)
  }

  @Test func primarySlowerThanTheProbeTimeoutIsUsedAgain() async {
    let gates = [CallGate(), CallGate()]
    let primary = ScriptedTransport { _, number in
      if number < 3 { throw SearchError(.unreachable, "down") }
      if number < 5 { await gates[number - 3].pass() }
      return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
    }
    let transport = transport(primary)
    for _ in 0..<3 { _ = await answer("", transport) }
    clock.advance(by: .seconds(5))
    let first = Task { await answer("", transport) }
    await gates[0].waitForCalls()
    clock.advance(by: .seconds(5))
    let second = Task { await answer("", transport) }
    await gates[1].waitForCalls()
    gates[0].open()
    await expectEqual(first.value, "primary")
    expectEqual(transport.circuitState, .closed, "while the second probe is still running")
    gates[1].open()
    await expectEqual(second.value, "primary")
    expectEqual(transport.circuitState, .closed)
  }

  @Test func probeCutShortKeepsTheCircuitOpen() async throws {
    let gate = CallGate()
    let primary = ScriptedTransport { request, number in
      if number < 3 { throw SearchError(.unreachable, "down") }
      // It hangs, except for the calls that must not use it.
      if try JSON(parsing: request.body)["query"]?.stringValue != "ok" { await gate.pass() }
      return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
    }
    let transport = transport(primary)
    func cutShort() -> Task<String, Never> {
      let deadline = Deadline(after: .milliseconds(500), clock: clock)
      return Task {
        outcome(
          await Task { try await transport.send(.search("", deadline: deadline)) }.result)
      }
    }
    for _ in 0..<3 { _ = await answer("", transport) }
    clock.advance(by: .seconds(5))
    for number in 1...3 {
      let probe = cutShort()
      await gate.waitForCalls(number)
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(500))
      await expectEqual(probe.value, "timedOut")
      expectEqual(transport.circuitState, .open)
      expectEqual(primary.requests.count, 3 + number)
      clock.advance(by: .seconds(5) - .nanoseconds(1))
      try #require(await answer("ok", transport) == "fallback")
      // The open duration is as long as before.
      clock.advance(by: .nanoseconds(1))
    }
    gate.open()
    await expectEqual(answer("", transport), "primary")
    expectEqual(transport.circuitState, .closed)
  }

  @Test func zeroOpenDurationAllowsOneProbeAtATime() throws {
    var breaker = CircuitBreaker(
      failureThreshold: 1, openDuration: .zero, maximumOpenDuration: .zero)
    breaker.end(try permit(&breaker, at: .zero), .failed, now: .zero)
    #expect(breaker.begin(now: .zero) != .reject)
    expectEqual(breaker.begin(now: .milliseconds(999)), .reject)
    #expect(breaker.begin(now: .seconds(1)) != .reject)
  }

  @Test func callsBegunBeforeAStateChangeAreIgnored() async {
    let gates = (0..<8).map { _ in CallGate() }
    let primary = ScriptedTransport { request, number in
      await gates[number].pass()
      if [0, 1, 2, 6].contains(number) { throw SearchError(.unreachable, "down") }
      return TransportResponse(status: 200, body: Array(#"{"query":"primary"}"#.utf8))
    }
    let transport = transport(primary)
    var calls: [Task<String, Never>] = []
    for number in 0..<7 {
      calls.append(Task { await answer("\(number)", transport) })
      await gates[number].waitForCalls()
    }
    for number in 0..<3 {
      gates[number].open()
      await expectEqual(calls[number].value, "fallback")
    }
    expectEqual(transport.circuitState, .open)
    gates[3].open()
    await expectEqual(calls[3].value, "primary")
    expectEqual(transport.circuitState, .open, "a late success does not close it")
    clock.advance(by: .seconds(5))
    let probe = Task { await answer("probe", transport) }
    await gates[7].waitForCalls()
    gates[4].open()
    await expectEqual(calls[4].value, "primary")
    expectEqual(transport.circuitState, .halfOpen, "nor does one during another probe")
    gates[6].open()
    await expectEqual(calls[6].value, "fallback")
    expectEqual(transport.circuitState, .halfOpen, "and a late failure does not open it")
    gates[7].open()
    await expectEqual(probe.value, "primary")
    expectEqual(transport.circuitState, .closed)
    gates[5].open()
    await expectEqual(calls[5].value, "primary")
  }

  @Test func cachedResponseDoesNotCountForThePrimary() async {
    let primary = ScriptedTransport { request, number in
      if number < 3 { throw SearchError(.unreachable, "down") }
      return TransportResponse(
        status: 200, body: Array(#"{"query":"primary"}"#.utf8),
        origin: ResponseOrigin(name: "", isCached: true))
    }
    let transport = transport(primary)
    for _ in 0..<3 { _ = await answer("", transport) }
    clock.advance(by: .seconds(5))
    await expectEqual(answer("", transport), "primary")
    expectEqual(transport.circuitState, .open)
  }

  @Test func statesAreDistinctAndEndWithTheTransport() async {
    var transport: FallbackTransport? = transport(primary)
    let states = Lock<[FallbackTransport.CircuitState]>([])
    let stream = transport?.circuitStates(buffering: .unbounded)
    let reader = Task {
      for await state in try #require(stream) { states.withLock { $0.append(state) } }
    }
    for _ in 0..<5 { if let transport { _ = await answer("down", transport) } }
    clock.advance(by: .seconds(5))
    if let transport { _ = await answer("down", transport) }
    clock.advance(by: .seconds(10))
    if let transport { _ = await answer("ok", transport) }
    transport = nil
    try? await reader.value
    expectEqual(
      states.withLock { $0 }, [.closed, .open, .halfOpen, .open, .halfOpen, .closed])
  }

  /// Random calls, completions and times against a plain model of the rules.
  @Test(arguments: Seed.all(500))
  func theRulesHoldInAnyOrder(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let threshold = Int.random(in: 1...4, using: &generator)
    var breaker = CircuitBreaker(
      failureThreshold: threshold, openDuration: .seconds(5), maximumOpenDuration: .seconds(20))
    var now = Duration.zero
    var running: [(permit: CircuitBreaker.Permit, era: Int, opening: Int, isProbe: Bool)] = []
    // The state visible from outside: the current epoch, how often the circuit opened, the failures
    // since then, and until when it is open.
    var era = 0
    var opening = 0
    var failures = 0
    var pause = Duration.seconds(5)
    var openUntil: Duration?
    var probeEnd = Duration.zero
    for _ in 0..<300 {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: now += .seconds(Int.random(in: 0...4, using: &generator))
      case 1:
        let isProbing = running.contains { $0.isProbe && $0.era == era } && now < probeEnd
        let decision = breaker.begin(now: now)
        switch decision {
        case .allow(let permit):
          #expect(!isProbing, "seed \(seed.value): two concurrent probes")
          if let end = openUntil {
            #expect(now >= end, "seed \(seed.value): a call begins too early")
            era += 1
            probeEnd = now + .seconds(5)
          }
          running.append((permit, era, opening, openUntil != nil))
        case .reject:
          #expect(isProbing || now < openUntil ?? .zero, "seed \(seed.value): no call begins")
        }
      default:
        guard !running.isEmpty else { continue }
        let call = running.remove(at: Int.random(in: running.indices, using: &generator))
        let outcome: CircuitBreaker.Outcome =
          [.succeeded, .failed, .failed, .ignored, .cutShort].randomElement(using: &generator)
          ?? .failed
        let before = breaker.circuitState
        breaker.end(call.permit, outcome, now: now)
        let isTimely = call.era == era
        let closes = outcome == .succeeded && call.opening == opening && openUntil != nil
        guard isTimely || call.isProbe && closes else {
          expectEqual(
            breaker.circuitState, before, "seed \(seed.value): a late call changed the state")
          continue
        }
        switch (call.isProbe, outcome) {
        case (true, .succeeded): (openUntil, failures, pause) = (nil, 0, .seconds(5))
        case (true, .failed):
          pause = min(pause * 2, .seconds(20))
          openUntil = now + pause
        case (true, .ignored): openUntil = now
        case (true, .cutShort): openUntil = now + pause
        case (false, .succeeded): failures = 0
        case (false, .failed):
          failures += 1
          if failures == threshold { (openUntil, opening) = (now + pause, opening + 1) }
        case (false, .ignored), (false, .cutShort): break
        }
        if breaker.circuitState != before { era += 1 }
        expectEqual(breaker.circuitState == .closed, openUntil == nil, "seed \(seed.value)")
      }
    }
  }
}
