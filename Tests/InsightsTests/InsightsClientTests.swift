import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// When events are sent, in what order, and the outcome of events that cannot be sent.
struct InsightsClientTests {
  private func client(
    _ server: InsightsServer, _ storage: some InsightsStorage = InMemoryInsightsStorage(),
    _ configuration: InsightsClient.Configuration = .init(), clock: ManualClock = ManualClock(),
    currentDate: @escaping @Sendable () -> Date = { testDay }
  ) throws -> InsightsClient {
    try InsightsClient(
      transport: server, userToken: "u", storage: storage, configuration: configuration,
      clock: clock, currentDate: currentDate, randomNumberGenerator: ZeroGenerator())
  }

  private func track(_ numbers: some Sequence<Int>, in client: InsightsClient) async throws {
    for number in numbers { try await client.track(event(number)) }
  }

  // MARK: When

  @Test func tenEventsAreOneCall() async throws {
    let server = InsightsServer()
    let client = try client(server)
    var arrivals = server.arrivals.makeAsyncIterator()
    try await track(1...9, in: client)
    #expect(server.requests.isEmpty)
    try await track(10...10, in: client)
    await expectEqual(arrivals.next(), names(1...10))
    await expectEqual(client.flush().remainingCount, 0)
    await expectEqual(client.waitingCount, 0)
    expectEqual(server.batches.count, 1)
  }

  @Test func smallerBatchIsSentAfterTheMaximumWait() async throws {
    let server = InsightsServer()
    let clock = ManualClock()
    let client = try client(server, clock: clock)
    var arrivals = server.arrivals.makeAsyncIterator()
    try await track(1...1, in: client)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(20))
    try await track(2...2, in: client)
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1 && server.requests.isEmpty)
    clock.advance(by: .nanoseconds(1))
    await expectEqual(arrivals.next(), names(1...2))
    await client.flush()
  }

  @Test func oneCallIsInFlightAtATimeAndOrderIsKept() throws {
    let gate = CallGate()
    let inFlight = Lock((now: 0, most: 0))
    let server = InsightsServer { _, _ in
      inFlight.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      await gate.pass()
      inFlight.withLock { $0.now -= 1 }
      return .taken
    }
    let harness = try InsightsHarness(server)
    harness.track((1...10).map(event))
    harness.track((11...35).map(event))
    let first = harness.call { await $0.flush() }
    let second = harness.call { await $0.flush() }
    expectEqual(server.batches, [names(1...10)])
    gate.open()
    harness.run()
    expectEqual(first.value, InsightsFlush(sentCount: 35))
    expectEqual(second.value, InsightsFlush(sentCount: 35))
    expectEqual(server.batches, [names(1...10), names(11...35)])
    expectEqual(inFlight.withLock { $0.most }, 1)
  }

  @Test func flushReturnsWhatWasSent() async throws {
    let server = InsightsServer()
    let client = try client(server)
    await expectEqual(client.flush(), InsightsFlush())
    try await track(1...3, in: client)
    await expectEqual(client.flush(), InsightsFlush(sentCount: 3))
    expectEqual(server.batches, [names(1...3)])
  }

  @Test func aCallHasAtMostAThousandEvents() async throws {
    let server = InsightsServer()
    let client = try client(server, InMemoryInsightsStorage(), .init(batchSize: 5_000))
    try await track(1...1_500, in: client)
    await expectEqual(client.flush().sentCount, 1_500)
    expectEqual(server.batches, [names(1...1_000), names(1_001...1_500)])
  }

  @Test func aBodyIsShorterThanTwoMegabytes() async throws {
    let server = InsightsServer()
    let client = try client(server, InMemoryInsightsStorage(), .init(batchSize: 100))
    let long = String(repeating: "x", count: 150_000)
    for number in 1...20 {
      try await client.track(
        .viewed(objectIDs: [long], named: "e\(number)", in: "films"))
    }
    await expectEqual(client.flush().sentCount, 20)
    #expect(server.requests.allSatisfy { $0.body.count < 2_000_000 })
    expectEqual(server.batches.count, 2)
    expectEqual(server.batches.flatMap(\.self), names(1...20))
  }

  // MARK: Failures

  @Test func failedCallsAreRetriedWithGrowingDelays() async throws {
    let isDown = Lock(true)
    let server = InsightsServer { _, _ in
      if isDown.withLock({ $0 }) { throw SearchError(.unreachable, "No host.") }
      return .taken
    }
    let clock = ManualClock()
    let client = try client(
      server, InMemoryInsightsStorage(), .init(maximumBackOff: .seconds(4)), clock: clock)
    var arrivals = server.arrivals.makeAsyncIterator()
    var failures = client.failures.makeAsyncIterator()
    try await track(1...10, in: client)
    _ = await arrivals.next()
    for seconds in [1, 2, 4, 4] {
      await expectEqual(failures.next()?.kind, .delayed)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(seconds) - .nanoseconds(1))
      expectEqual(clock.sleeperCount, 1)
      if seconds == 4 { isDown.withLock { $0 = false } }
      clock.advance(by: .nanoseconds(1))
      await expectEqual(arrivals.next(), names(1...10))
      if !isDown.withLock({ $0 }) { break }
    }
    await expectEqual(client.flush().remainingCount, 0)
    // After a success the delays start over.
    try await track(11...20, in: client)
    await expectEqual(arrivals.next(), names(11...20))
  }

  @Test func retryAfterIsRespected() throws {
    let server = InsightsServer { _, number in
      number == 0 ? .refusal(429, retryAfter: "120") : .taken
    }
    let harness = try InsightsHarness(server)
    harness.track((1...3).map(event))
    for _ in 0..<2 {
      let flush = harness.call { await $0.flush() }
      #expect(flush.value?.remainingCount == 3 && flush.value?.error?.code == .rateLimited)
      expectEqual(server.requests.count, 1)
    }
    harness.advance(by: .seconds(120) - .nanoseconds(1))
    #expect(harness.clock.sleeperCount == 1 && server.requests.count == 1)
    harness.advance(by: .nanoseconds(1))
    expectEqual(server.batches, [names(1...3), names(1...3)])
  }

  @Test func longRetryAfterCountsAsADay() throws {
    let server = InsightsServer { _, number in
      number == 0 ? .refusal(429, retryAfter: "864000") : .taken
    }
    let harness = try InsightsHarness(server)
    harness.track((1...3).map(event))
    expectEqual(harness.call { await $0.flush() }.value?.error?.code, .rateLimited)
    harness.advance(by: .seconds(24 * 3600))
    expectEqual(server.batches, [names(1...3), names(1...3)])
  }

  @Test func aFlushDoesNotWaitForTheBackOff() async throws {
    let server = InsightsServer { _, number in number == 0 ? .refusal(503) : .taken }
    let client = try client(server)
    try await track(1...3, in: client)
    await expectEqual(client.flush().error?.code, .server)
    await expectEqual(client.flush(), InsightsFlush(sentCount: 3))
  }

  @Test(arguments: [1, 2, 7, 10]) func refusedEventDoesNotAffectTheOthers(bad: Int) throws {
    let server = InsightsServer { names, _ in
      names.contains("e\(bad)") ? .refusal(422) : .taken
    }
    let harness = try InsightsHarness(server, InMemoryInsightsStorage(), .init(batchSize: 100))
    harness.track((1...10).map(event))
    let flush = harness.call { await $0.flush() }
    expectEqual(flush.value, InsightsFlush(sentCount: 9, droppedCount: 1))
    let taken = server.batches.filter { !$0.contains("e\(bad)") }.flatMap(\.self)
    expectEqual(taken, names((1...10).filter { $0 != bad }))
    let failures = harness.failures.value
    expectEqual(failures?.map(\.kind), [.refused])
    expectEqual(failures?.first?.eventName, "e\(bad)")
    expectEqual(failures?.first?.error.status, 422)
    #expect(server.requests.count <= 9)
  }

  @Test(arguments: [401, 403, 404, 408, 429, 500, 503, 302])
  func statusesThatDoNotConcernEventsDropNone(status: Int) async throws {
    let server = InsightsServer { _, number in number == 0 ? .refusal(status) : .taken }
    let client = try client(server)
    try await track(1...4, in: client)
    let flush = await client.flush()
    #expect(flush.remainingCount == 4 && flush.droppedCount == 0 && flush.error?.status == status)
    await expectEqual(client.flush(), InsightsFlush(sentCount: 4))
  }

  /// Successes that are not of the service: the page of a network that wants a login, and errors
  /// whose status a proxy changed.
  @Test(arguments: [
    (#"<html>Please log in</html>"#, SearchError.Code.decoding, 200),
    (#"[]"#, .decoding, 200), (#"{"status":200"#, .decoding, 200),
    (#"{"status":503,"message":"overloaded"}"#, .server, 503),
    (#"{"status":403,"message":"no"}"#, .unauthorized, 403),
  ])
  func onlyTheServicesSuccessAcceptsEvents(
    body: String, code: SearchError.Code, status: Int
  ) throws {
    let server = InsightsServer { _, number in
      number == 0 ? TransportResponse(status: 200, body: Array(body.utf8)) : .taken
    }
    let harness = try InsightsHarness(server)
    harness.track([event(1), event(2)])
    let flush = harness.call { await $0.flush() }.value
    expectEqual(flush?.remainingCount, 2)
    expectEqual(flush?.error?.code, code)
    expectEqual(flush?.error?.status, status)
    expectEqual(harness.call { await $0.flush() }.value, InsightsFlush(sentCount: 2))
    expectEqual(server.batches, [names(1...2), names(1...2)])
  }

  @Test func aRefusalWithAChangedStatusRefusesItsEvent() throws {
    let server = InsightsServer { names, _ in
      guard names.contains("e2") else { return TransportResponse(status: 200, body: []) }
      return TransportResponse(
        status: 200, body: Array(#"{"status":422,"message":"bad"}"#.utf8))
    }
    let harness = try InsightsHarness(server)
    harness.track((1...3).map(event))
    expectEqual(
      harness.call { await $0.flush() }.value, InsightsFlush(sentCount: 2, droppedCount: 1))
    expectEqual(harness.failures.value?.map(\.eventName), ["e2"])
  }

  @Test func serviceThatRefusesEverythingIsNotFlooded() async throws {
    let server = InsightsServer { _, _ in .refusal(400) }
    let client = try client(server, InMemoryInsightsStorage(), .init(batchSize: 5_000))
    try await track(1...500, in: client)
    let flush = await client.flush()
    expectEqual(flush.error?.status, 400)
    expectEqual(server.requests.count, 13)
    expectEqual(flush.remainingCount + flush.droppedCount, 500)
  }

  @Test func expiredEventIsDroppedAndReported() async throws {
    let server = InsightsServer()
    let today = Lock(testDay)
    let client = try client(server, currentDate: { today.withLock { $0 } })
    var failures = client.failures.makeAsyncIterator()
    try await track(1...1, in: client)
    today.withLock { $0 += 30 * 86_400 + 1 }
    try await track(2...2, in: client)
    await expectEqual(client.flush(), InsightsFlush(sentCount: 1, droppedCount: 1))
    expectEqual(server.batches, [names(2...2)])
    let failure = await failures.next()
    #expect(failure?.kind == .expired && failure?.eventName == "e1")
  }

  // MARK: Limits, consent, storage

  @Test func fullQueueRejectsNewEvents() async throws {
    let server = InsightsServer { _, number in number == 0 ? .refusal(503) : .taken }
    let client = try client(
      server, InMemoryInsightsStorage(), .init(batchSize: 100, maximumWaitingEvents: 3))
    try await track(1...3, in: client)
    let error = await #expect(throws: SearchError.self) { try await client.track(event(4)) }
    expectEqual(error?.code, .storage)
    await client.flush()
    await expectEqual(client.flush().sentCount, 3)
    try await client.track(event(5))
    await expectEqual(client.flush().sentCount, 1)
    expectEqual(server.batches.last, ["e5"])
  }

  @Test func disabledClientTakesNoEvents() async throws {
    let server = InsightsServer()
    let clock = ManualClock()
    let client = try client(server, clock: clock)
    try await track(1...2, in: client)
    await client.setEnabled(false)
    #expect(await !client.isEnabled)
    #expect(try await client.track(event(3)) == false)
    await #expect(throws: SearchError.self) {
      try await client.track(event(3).setting(\.name, to: ""))
    }
    await expectEqual(client.flush(), InsightsFlush(remainingCount: 2))
    #expect(server.requests.isEmpty && clock.sleeperCount == 0)
    await client.setEnabled(true)
    await expectEqual(client.flush().sentCount, 2)
    expectEqual(server.batches, [names(1...2)])
    try await track(4...5, in: client)
    await client.discardWaitingEvents()
    await expectEqual(client.flush(), InsightsFlush())
  }

  @Test func eventThatCannotBeStoredIsRejected() async throws {
    let server = InsightsServer()
    let storage = FaultyStorage()
    let client = try client(server, storage)
    try await track(1...1, in: client)
    storage.setFull(true)
    let error = await #expect(throws: SearchError.self) { try await client.track(event(2)) }
    expectEqual(error?.code, .storage)
    await expectEqual(client.waitingCount, 1)
    storage.setFull(false)
    try await track(3...3, in: client)
    await expectEqual(client.flush().sentCount, 2)
    expectEqual(server.batches, [["e1", "e3"]])
  }

  @Test func failedAcknowledgmentIsRepeatedLater() async throws {
    let server = InsightsServer()
    let storage = FaultyStorage()
    do {
      let client = try client(server, storage)
      var failures = client.failures.makeAsyncIterator()
      try await track(1...2, in: client)
      storage.setFull(true)
      await expectEqual(client.flush().sentCount, 2)
      await expectEqual(failures.next()?.kind, .notAcknowledged)
      storage.setFull(false)
      try await track(3...3, in: client)
      await expectEqual(client.flush().sentCount, 1)
    }
    expectEqual(server.batches, [["e1", "e2"], ["e3"]])
    #expect(try storage.begin().records.isEmpty)
  }

  @Test func nextClientSendsTheRemainingEvents() async throws {
    let storage = InMemoryInsightsStorage()
    try await track(1...3, in: try client(InsightsServer(), storage))
    let server = InsightsServer()
    let client = try client(server, storage)
    var arrivals = server.arrivals.makeAsyncIterator()
    await expectEqual(arrivals.next(), names(1...3))
    try await track(4...4, in: client)
    await expectEqual(client.flush().remainingCount, 0)
    expectEqual(server.batches.flatMap(\.self), names(1...4))
  }

  @Test func storageHasOneClient() async throws {
    let storage = InMemoryInsightsStorage()
    let client = try client(InsightsServer(), storage)
    let error = #expect(throws: SearchError.self) { try self.client(InsightsServer(), storage) }
    expectEqual(error?.code, .storage)
    _ = await client.waitingCount
  }

  @Test func invalidConfigurationIsRejected() {
    for configuration in [
      InsightsClient.Configuration(batchSize: 0), .init(maximumWaitingEvents: 0),
      .init(flushInterval: .seconds(-1)), .init(initialBackOff: .seconds(-1)),
      .init(maximumBackOff: .seconds(-1)), .init(timeout: .zero), .init(timeout: .seconds(-1)),
    ] {
      let storage = InMemoryInsightsStorage()
      let error = #expect(throws: SearchError.self) {
        try client(InsightsServer(), storage, configuration)
      }
      expectEqual(error?.code, .invalidRequest)
      #expect(throws: Never.self) { try storage.begin() }
    }
    for token in ["", "a b"] {
      let error = #expect(throws: SearchError.self) {
        try InsightsClient(transport: InsightsServer(), userToken: token)
      }
      #expect(error?.message.contains("userToken") == true)
    }
  }

  @Test func infiniteDurationsAreLimitedToAYear() async throws {
    let server = InsightsServer { _, number in number == 0 ? .refusal(503) : .taken }
    let client = try client(
      server, InMemoryInsightsStorage(),
      .init(
        flushInterval: .seconds(Int64.max), initialBackOff: .seconds(Int64.max),
        maximumBackOff: .seconds(Int64.max)))
    try await track(1...1, in: client)
    await expectEqual(client.flush().remainingCount, 1)
    await expectEqual(client.flush().sentCount, 1)
  }

  // MARK: Tasks

  @Test func aCancelledCallerDoesNotWait() async throws {
    let gate = CallGate()
    let server = InsightsServer { _, _ in
      await gate.pass()
      return .taken
    }
    let client = try client(server)
    try await track(1...2, in: client)
    let flush = Task { await client.flush() }
    await gate.waitForCalls()
    flush.cancel()
    let result = await flush.value
    #expect(result.remainingCount == 2 && result.error?.code == .cancelled)
    gate.open()
    await client.flush()
    expectEqual(server.batches, [names(1...2)])
    await expectEqual(client.waitingCount, 0)
  }

  @Test func thousandConcurrentCallersLoseNoEvents() async throws {
    let server = InsightsServer()
    let client = try client(server, InMemoryInsightsStorage(), .init(batchSize: 7))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...1_000 { group.addTask { try await client.track(event(number)) } }
      try await group.waitForAll()
    }
    await expectEqual(client.flush().remainingCount, 0)
    expectEqual(server.batches.flatMap(\.self).sorted(), names(1...1_000).sorted())
  }

  @Test func clientIsDeallocatedWithItsOwner() async throws {
    let executor = SeededExecutor(seed: 1)
    let clock = ManualClock()
    let wasCancelled = Lock(false)
    let server = InsightsServer { _, _ in
      await withTaskCancellationHandler {
        await untilCancelled()
      } onCancel: {
        wasCancelled.withLock { $0 = true }
      }
      throw CancellationError()
    }
    let storage = InMemoryInsightsStorage()
    weak var client: InsightsClient?
    let hasEnded = Lock(false)
    do {
      let owned = try InsightsClient(
        transport: server, userToken: "u", storage: storage, clock: clock, currentDate: { testDay },
        executor: executor)
      client = owned
      let failures = owned.failures
      Task(executorPreference: executor) {
        for await _ in failures {}
        hasEnded.withLock { $0 = true }
      }
      Task(executorPreference: executor) {
        for number in 1...11 { try await owned.track(event(number)) }
      }
      executor.runUntilIdle()
      expectEqual(server.batches, [names(1...10)])
    }
    executor.runUntilIdle()
    #expect(client == nil)
    #expect(wasCancelled.withLock { $0 } && hasEnded.withLock { $0 })
    expectEqual(clock.sleeperCount, 0)
    try expectEqual(storage.begin().records.count, 11)
  }
}
