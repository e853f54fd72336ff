import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Everything runs on the test's thread: after each step, all ready work has run.
struct RateLimitingTransportTests {
  private let harness = RateLimitHarness()

  // MARK: - The rate

  @Test func burstStartsAtOnceAndTheRestAtTheRate() {
    let transport = harness.transport(perSecond: 3, burst: 4)
    for number in 0..<10 { harness.begin(.search("\(number)"), on: transport) }
    #expect(harness.texts.count == 4 && harness.clock.sleeperCount == 1)
    let interval = Duration.seconds(1) / 3
    for count in 1...6 {
      harness.advance(by: interval - .nanoseconds(1))
      expectEqual(harness.texts.count, 3 + count)
      harness.advance(by: .nanoseconds(1))
      expectEqual(harness.texts.count, 4 + count)
    }
    expectEqual(harness.texts, (0..<10).map { "\($0)" })
    #expect(harness.outcomes.value.allSatisfy { $0.key == $0.value })
    #expect(!transport.hasTimer && harness.clock.sleeperCount == 0)
  }

  @Test func idleTimeRefillsTheBucketUpToItsSize() {
    let transport = harness.transport(perSecond: 10, burst: 2)
    for number in 0..<2 { harness.begin(.search("\(number)"), on: transport) }
    harness.advance(by: .seconds(1_000))
    for number in 2..<5 { harness.begin(.search("\(number)"), on: transport) }
    #expect(harness.texts.count == 4 && transport.waitingCalls == 1)
    harness.advance(by: .milliseconds(100))
    expectEqual(harness.texts.count, 5)
  }

  @Test func numberOfInFlightCallsIsLimited() {
    let clock = harness.clock
    let transport = harness.transport(perSecond: 1_000, burst: 1_000, concurrent: 2) { request, _ in
      try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
      return try rows(request)
    }
    for number in 0..<5 { harness.begin(.search("\(number)"), on: transport) }
    #expect(harness.texts.count == 2 && !transport.hasTimer)
    harness.advance(by: .seconds(1))
    #expect(harness.texts.count == 4 && harness.outcomes.value.count == 2)
    harness.advance(by: .seconds(1))
    harness.advance(by: .seconds(1))
    expectEqual(harness.outcomes.value.count, 5)
  }

  @Test func invalidLimitsAreRaisedToOne() {
    let transport = harness.transport(perSecond: -7, burst: .min, concurrent: 0, retries: -1)
    for number in 0..<2 { harness.begin(.search("\(number)"), on: transport) }
    expectEqual(harness.texts, ["0"])
    harness.advance(by: .seconds(1))
    expectEqual(harness.texts, ["0", "1"])
    let large = RateLimitHarness()
    let unlimited = large.transport(perSecond: .max, burst: .max, concurrent: .max, retries: .max)
    for number in 0..<9 { large.begin(.search("\(number)"), on: unlimited) }
    expectEqual(large.texts.count, 9)
  }

  // MARK: - Order

  @Test func floodedLaneDoesNotStarveOthers() {
    let transport = harness.transport()
    for number in 0..<6 { harness.begin(.search("flood \(number)", in: "flood"), on: transport) }
    for (text, lane) in [("b 0", "b"), ("b 1", "b"), ("c 0", "c")] {
      harness.begin(.search(text, in: lane), on: transport)
    }
    for _ in 0..<8 { harness.advance(by: .milliseconds(100)) }
    expectEqual(
      harness.texts,
      [
        "flood 0", "flood 1", "b 0", "c 0", "flood 2", "b 1", "flood 3", "flood 4", "flood 5",
      ])
  }

  // MARK: - Queue, cancellation and deadlines

  @Test func theQueueIsBoundedAndASlotIsFreedAtOnce() {
    let transport = harness.transport(waiting: 2)
    let calls = (0...3).map { harness.begin(.search("\($0)"), on: transport) }
    expectEqual(harness.outcomes.value, ["0": "0", "3": "rateLimited"])
    harness.cancel(calls[1])
    #expect(harness.outcomes.value["1"] == "cancelled" && transport.waitingCalls == 1)
    let next = harness.begin(.search("4"), on: transport)
    #expect(harness.outcomes.value["4"] == nil && transport.waitingCalls == 2)
    harness.cancel(next)
    harness.cancel(calls[2])
    #expect(transport.waitingCalls == 0 && !transport.hasTimer && harness.texts == ["0"])
    expectEqual(harness.clock.sleeperCount, 0)
  }

  @Test func deadlineEndsTheWaitAndFreesTheSlot() {
    let transport = harness.transport(perSecond: 1)
    harness.begin(.search("a"), on: transport)
    let deadline = Deadline(after: .milliseconds(500), clock: harness.clock)
    harness.begin(.search("b", deadline: deadline), on: transport)
    harness.begin(.search("c"), on: transport)
    harness.advance(by: .milliseconds(500))
    expectEqual(harness.outcomes.value["b"], "timedOut")
    harness.advance(by: .milliseconds(500))
    expectEqual(harness.texts, ["a", "c"])
  }

  @Test func withoutAQueueCallsStartAtOnceOrFail() {
    let transport = harness.transport(perSecond: 1, burst: 2, waiting: 0)
    for number in 0..<4 { harness.begin(.search("\(number)"), on: transport) }
    expectEqual(
      harness.outcomes.value, ["0": "0", "1": "1", "2": "rateLimited", "3": "rateLimited"])
    #expect(!transport.hasTimer && transport.waitingCalls == 0 && harness.clock.sleeperCount == 0)
    harness.advance(by: .seconds(1))
    harness.begin(.search("4"), on: transport)
    expectEqual(harness.outcomes.value["4"], "4")
  }

  @Test func dueCallsAreAdmittedBeforeTheQueueIsChecked() {
    let clock = harness.clock
    let base = ScriptedTransport.rows()
    // Choosing the lane advances the clock to the time of the next slot, before the timer fires.
    let transport = RateLimitingTransport(
      wrapping: base, requestsPerSecond: 1, burst: 1, maximumWaitingCalls: 2, clock: clock,
      executor: harness.executor
    ) { request in
      if !request.headers.isEmpty { clock.advance(by: .seconds(1)) }
      return ""
    }
    for number in 0..<3 { harness.begin(.search("\(number)"), on: transport) }
    let late = TransportRequest.search("3", headers: [HTTPHeader(name: "late", value: "yes")])
    harness.begin(late, on: transport)
    #expect(harness.outcomes.value == ["0": "0", "1": "1"] && transport.waitingCalls == 2)
    for _ in 0..<2 { harness.advance(by: .seconds(1)) }
    expectEqual(base.requests.map(\.headers.count), [0, 0, 0, 1])
  }

  @Test func callAdmittedAfterItsDeadlineReleasesItsSlot() {
    let clock = harness.clock
    let base = ScriptedTransport.rows()
    // Choosing the lane advances the clock past the deadline of this call, while a slot is free.
    let transport = RateLimitingTransport(
      wrapping: base, requestsPerSecond: 1, burst: 1, clock: clock, executor: harness.executor
    ) { request in
      if request.deadline != nil { clock.advance(by: .milliseconds(1)) }
      return ""
    }
    let deadline = Deadline(after: .milliseconds(1), clock: clock)
    harness.begin(.search("a", deadline: deadline), on: transport)
    #expect(harness.outcomes.value == ["a": "timedOut"] && base.requests.isEmpty)
    let next = harness.begin(.search("b"), on: transport)
    #expect(harness.outcomes.value["b"] == "b" && !transport.hasTimer)
    harness.cancel(next)
  }

  // MARK: - Refusals

  /// The delay before a call is retried, in seconds.
  private func pause(after headers: [HTTPHeader]) -> Int {
    let transport = harness.transport { request, number in
      number == 0
        ? TransportResponse(status: 429, headers: headers, body: []) : try rows(request)
    }
    harness.begin(.search("a"), on: transport)
    var seconds = 0
    while harness.outcomes.value.isEmpty, seconds < 1_000 {
      harness.advance(by: .seconds(1))
      seconds += 1
    }
    #expect(harness.outcomes.value == ["a": "a"] && harness.texts == ["a", "a"])
    return seconds
  }

  @Test(arguments: [
    ("2", 2), (" 3\t", 3), ("99999999999999999999", 60), ("100000", 60), ("soon", 1), ("-5", 1),
    ("1.5", 1), ("", 1), ("Sun, 06 Nov 1994 08:49:44 GMT", 7),
    ("Sunday, 06-Nov-94 08:49:44 GMT", 7), ("Sun Nov  6 08:49:44 1994", 7),
    ("Sun Nov 06 08:49:44 1994", 7), ("Wednesday, 07-Nov-29 08:49:44 GMT", 60),
    ("Sunday, 06-Nov-+4 08:49:44 GMT", 1), ("Sun Nov 06 08:49:44 94", 1),
    ("Sun, 06 Nov 2094 08:49:44 GMT", 60), ("Sun, 06 Foo 1994 08:49:44 GMT", 1),
    ("Sun, 99 Nov 1994 08:49:44 GMT", 1), ("Sun, 06 Nov 1994 08:49:44 CET", 1),
  ])
  func retryAfterIsLimited(retryAfter: String, seconds: Int) {
    let headers = [
      HTTPHeader(name: "retry-after", value: retryAfter),
      HTTPHeader(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
    ]
    expectEqual(pause(after: headers), seconds)
  }

  @Test func retryAfterDateNeedsADateHeader() {
    let date = HTTPHeader(name: "Retry-After", value: "Sun, 06 Nov 1994 08:49:44 GMT")
    expectEqual(pause(after: [date]), 1)
  }

  @Test(arguments: [0, 1, 2, 5])
  func rateLimitedCallIsRetriedUpToTheLimit(retries: Int) {
    let transport = harness.transport(perSecond: 1_000, burst: 100, retries: retries) { _, _ in
      TransportResponse(
        status: 429, headers: [HTTPHeader(name: "Retry-After", value: "0")], body: [])
    }
    harness.begin(.search("a"), on: transport)
    #expect(harness.texts.count == 1 + retries && harness.outcomes.value == ["a": "status 429"])
  }

  @Test func pausesDoubleUntilACallSucceeds() {
    let transport = harness.transport(perSecond: 1_000, burst: 100, retries: 20) {
      request, number in
      [7, 8].contains(number) || number > 9
        ? try rows(request) : TransportResponse(status: 429, body: [])
    }
    harness.begin(.search("a"), on: transport)
    for seconds in [1, 2, 4, 8, 16, 32, 60] {
      let asked = harness.texts.count
      harness.advance(by: .seconds(seconds) - .nanoseconds(1))
      expectEqual(harness.texts.count, asked)
      harness.advance(by: .nanoseconds(1))
      expectEqual(harness.texts.count, asked + 1)
    }
    harness.begin(.search("b"), on: transport)
    expectEqual(harness.outcomes.value, ["a": "a", "b": "b"])
    harness.begin(.search("c"), on: transport)
    harness.advance(by: .seconds(1))
    expectEqual(harness.outcomes.value["c"], "c", "the next pause starts over")
  }

  @Test func onlyASuccessResetsThePause() {
    let clock = harness.clock
    let transport = harness.transport(perSecond: 1_000, burst: 100, retries: 0) { request, _ in
      let text = try JSON(parsing: request.body)["query"]?.stringValue ?? ""
      if text == "broken" { throw SearchError(.unreachable, "down") }
      if text == "slow" { try await clock.sleep(until: clock.now.advanced(by: .seconds(100))) }
      return text.hasPrefix("too many")
        ? TransportResponse(status: 429, body: []) : try rows(request)
    }
    harness.begin(.search("too many"), on: transport)
    harness.advance(by: .seconds(1))
    harness.begin(.search("broken"), on: transport)
    harness.cancel(harness.begin(.search("slow"), on: transport))
    expectEqual(
      harness.outcomes.value,
      ["too many": "status 429", "broken": "unreachable", "slow": "cancelled"])
    harness.begin(.search("too many 2"), on: transport)
    harness.begin(.search("a"), on: transport)
    harness.advance(by: .seconds(2) - .nanoseconds(1))
    #expect(harness.outcomes.value["a"] == nil, "the second pause is twice the first")
    harness.advance(by: .nanoseconds(1))
    expectEqual(harness.outcomes.value["a"], "a")
    harness.begin(.search("too many 3"), on: transport)
    expectEqual(harness.outcomes.value["too many 3"], "status 429")
    harness.begin(.search("b"), on: transport)
    harness.advance(by: .seconds(1))
    expectEqual(harness.outcomes.value["b"], "b", "after a success it starts over")
  }

  @Test func refusalIsReturnedIfItsPauseOutlastsTheDeadline() {
    let transport = harness.transport(perSecond: 1_000, burst: 100) { request, number in
      number == 0
        ? TransportResponse(
          status: 429, headers: [HTTPHeader(name: "Retry-After", value: "2")], body: [])
        : try rows(request)
    }
    let deadline = Deadline(after: .seconds(2), clock: harness.clock)
    harness.begin(.search("a", deadline: deadline), on: transport)
    expectEqual(harness.outcomes.value, ["a": "status 429"])
    #expect(!transport.hasTimer && harness.clock.sleeperCount == 0)
    // The pause also applies to the next call, whose deadline is later.
    let later = Deadline(after: .milliseconds(2_001), clock: harness.clock)
    harness.begin(.search("b", deadline: later), on: transport)
    harness.advance(by: .seconds(2))
    expectEqual(harness.outcomes.value["b"], "b")
  }

  @Test func refusalIsReturnedIfALaterPauseOutlastsTheDeadline() {
    let clock = harness.clock
    let transport = harness.transport(perSecond: 1_000, burst: 100) { request, number in
      if number > 1 { return try rows(request) }
      // Both are in flight when the first is refused.
      let time = Duration.milliseconds(number == 0 ? 100 : 500)
      try await clock.sleep(until: clock.now.advanced(by: time))
      return TransportResponse(
        status: 429, headers: [HTTPHeader(name: "Retry-After", value: number == 0 ? "1" : "30")],
        body: [])
    }
    let deadline = Deadline(after: .seconds(2), clock: clock)
    harness.begin(.search("a", deadline: deadline), on: transport)
    harness.begin(.search("b"), on: transport)
    harness.advance(by: .milliseconds(100))
    #expect(harness.outcomes.value.isEmpty)
    harness.advance(by: .milliseconds(400))
    expectEqual(harness.outcomes.value, ["a": "status 429"])
    // Calls with enough time wait for the end of the longer pause.
    harness.advance(by: .seconds(30))
    #expect(harness.outcomes.value["b"] == "b" && harness.texts == ["a", "b", "b"])
    #expect(!transport.hasTimer && harness.clock.sleeperCount == 0)
  }

  @Test func refusalIsRetriedIfItsPauseEndsBeforeTheDeadline() {
    let transport = harness.transport { request, number in
      number == 0 ? TransportResponse(status: 429, body: []) : try rows(request)
    }
    let deadline = Deadline(after: .milliseconds(1_001), clock: harness.clock)
    harness.begin(.search("a", deadline: deadline), on: transport)
    harness.advance(by: .seconds(1))
    expectEqual(harness.outcomes.value, ["a": "a"])
  }

  @Test func refusalPausesItsLaneAndIsRetriedFirst() {
    let transport = harness.transport { request, number in
      number == 0 ? TransportResponse(status: 429, body: []) : try rows(request)
    }
    for (text, lane) in [("0", "a"), ("1", "b"), ("2", "a")] {
      harness.begin(.search(text, in: lane), on: transport)
    }
    for _ in 0..<9 { harness.advance(by: .milliseconds(100)) }
    harness.advance(by: .milliseconds(99))
    expectEqual(harness.texts, ["0", "1"])
    for _ in 0..<3 { harness.advance(by: .milliseconds(100)) }
    expectEqual(harness.texts, ["0", "1", "0", "2"])
  }

  /// A tenant whose every call is refused delays nobody else: the service counts the calls of each
  /// key.
  @Test func refusalsOfOneLaneDelayNoOther() {
    let transport = harness.transport(perSecond: 100, retries: 1_000) { request, _ in
      request.pathComponents[2] == "a"
        ? TransportResponse(
          status: 429, headers: [HTTPHeader(name: "Retry-After", value: "1")], body: [])
        : try rows(request)
    }
    let refused = (0..<20).map { harness.begin(.search("a \($0)", in: "a"), on: transport) }
    for number in 0..<10 {
      harness.begin(.search("b \(number)", in: "b"), on: transport)
      harness.advance(by: .milliseconds(20))
      #expect(harness.outcomes.value["b \(number)"] != nil)
    }
    for _ in 0..<300 { harness.advance(by: .milliseconds(10)) }
    // One call after each pause.
    #expect(harness.texts.count { $0.hasPrefix("a") } <= 4)
    for call in refused { harness.cancel(call) }
    #expect(transport.waitingCalls == 0 && !transport.hasTimer && harness.clock.sleeperCount == 0)
  }

  @Test func concurrentRefusalsShareAPauseAndKeepTheirOrder() {
    let clock = harness.clock
    let transport = harness.transport(perSecond: 1_000, burst: 100) { request, number in
      if number >= 3 { return try rows(request) }
      // The last call is refused first.
      try await clock.sleep(until: clock.now.advanced(by: .milliseconds(30 - number * 10)))
      return TransportResponse(status: 429, body: [])
    }
    for number in 0..<3 { harness.begin(.search("\(number)"), on: transport) }
    for _ in 0..<3 { harness.advance(by: .milliseconds(10)) }
    harness.advance(by: .milliseconds(980))
    expectEqual(harness.outcomes.value.count, 3, "a second after the first refusal")
    expectEqual(harness.texts, ["0", "1", "2", "0", "1", "2"])
  }

  @Test func cancelledRetryLeavesNothingBehind() {
    let transport = harness.transport { _, _ in TransportResponse(status: 429, body: []) }
    let call = harness.begin(.search("a"), on: transport)
    #expect(transport.hasTimer && transport.waitingCalls == 0)
    harness.cancel(call)
    #expect(harness.outcomes.value == ["a": "cancelled"] && !transport.hasTimer)
  }

  // MARK: - Simulation

  /// Calls of three lanes, refusals, errors, cancellations and time in 300 orders: every call ends,
  /// the limits hold, and nothing is left behind.
  @Test(arguments: Seed.all(300))
  func everyCallEndsAndTheLimitsHold(seed: Seed) {
    let chance = SeededRandom(seed: seed.value)
    let clock = harness.clock
    let running = Shared(0)
    let most = Shared(0)
    let transport = harness.transport(perSecond: 2, burst: 3, concurrent: 2, waiting: 20) {
      request, _ in
      running.change { $0 += 1 }
      defer { running.change { $0 -= 1 } }
      let now = running.value
      most.change { $0 = max($0, now) }
      let time = Duration.milliseconds(chance.number(below: 2_000))
      if chance.number(below: 3) > 0 { try await clock.sleep(until: clock.now.advanced(by: time)) }
      switch chance.number(below: 8) {
      case 0: throw SearchError(.server, "down")
      case 1: return TransportResponse(status: 429, body: [])
      default: return try rows(request)
      }
    }
    var calls: [Task<Void, Never>] = []
    while calls.count < 40 {
      let request = TransportRequest.search("\(calls.count)", in: "\(chance.number(below: 3))")
      calls.append(harness.begin(request, on: transport))
      if chance.number(below: 4) == 0 { harness.cancel(calls[chance.number(below: calls.count)]) }
      if chance.number(below: 3) == 0 {
        harness.advance(by: .milliseconds(chance.number(below: 900)))
      }
    }
    for _ in 0..<2_000 where harness.outcomes.value.count < 40 {
      harness.advance(by: .milliseconds(500))
    }
    expectEqual(harness.outcomes.value.count, 40, "seed \(seed.value)")
    #expect(most.value <= 2 && running.value == 0, "seed \(seed.value)")
    #expect(transport.waitingCalls == 0 && !transport.hasTimer, "seed \(seed.value)")
    expectEqual(clock.sleeperCount, 0, "seed \(seed.value)")
    // No period has more calls than its length allows, plus a burst.
    let times = harness.received.value.map(\.time)
    for first in times.indices {
      for last in first..<times.count {
        let allowed = 3 + Int((times[last] - times[first]) / .milliseconds(500))
        #expect(last - first + 1 <= allowed, "seed \(seed.value)")
      }
    }
  }
}
