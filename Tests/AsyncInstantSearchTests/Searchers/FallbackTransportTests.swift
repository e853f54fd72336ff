import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct FallbackTransportTests {
  private let clock = ManualClock()
  private let fallback = ScriptedTransport(json: #"{"query":"fallback"}"#)

  private func transport(
    _ primary: some SearchTransport, primaryTimeout: Duration? = nil
  ) -> FallbackTransport {
    FallbackTransport(
      primary: primary, fallback: fallback, primaryTimeout: primaryTimeout, clock: clock)
  }

  private func answer(
    _ request: TransportRequest, _ transport: FallbackTransport
  ) async -> String {
    outcome(await Task { try await transport.send(request) }.result)
  }

  // MARK: - What is a failure

  @Test(arguments: [
    SearchError.Code.unreachable, .timedOut, .transport, .server, .rateLimited, .decoding,
  ])
  func errorOfThePrimaryUsesTheFallback(code: SearchError.Code) async {
    let primary = ScriptedTransport { _, _ in throw SearchError(code, "") }
    await expectEqual(answer(.search("a"), transport(primary)), "fallback")
  }

  @Test func errorOfAnotherLibraryUsesTheFallback() async {
    struct Other: Error {}
    let primary = ScriptedTransport { _, _ in throw Other() }
    await expectEqual(answer(.search("a"), transport(primary)), "fallback")
  }

  @Test(arguments: [SearchError.Code.invalidRequest, .unauthorized, .indexNotFound])
  func invalidRequestDoesNotUseTheFallback(code: SearchError.Code) async {
    let primary = ScriptedTransport { _, _ in throw SearchError(code, "") }
    await expectEqual(answer(.search("a"), transport(primary)), "\(code)")
    #expect(fallback.requests.isEmpty)
  }

  @Test(arguments: [
    200: false, 400: false, 403: false, 404: false, 429: true, 500: true, 503: true,
  ])
  func statusDecidesWhetherTheFallbackIsUsed(status: Int, isFailure: Bool) async throws {
    let primary = ScriptedTransport(json: "{}", status: status)
    let response = try await transport(primary).send(.search("a"))
    expectEqual(response.origin, isFailure ? .fallback : .primary)
    expectEqual(response.status, isFailure ? 200 : status)
  }

  @Test func closureCanDecideOtherwise() async throws {
    let primary = ScriptedTransport(json: "{}", status: 404)
    let transport = FallbackTransport(
      primary: primary, fallback: fallback, primaryName: "net", fallbackName: "disk", clock: clock
    ) { outcome in
      (try? outcome.get().status) == 404
    }
    try await expectEqual(
      transport.send(.search("a")).origin,
      ResponseOrigin(name: "disk", isFallback: true))
  }

  @Test func errorOfThePrimaryIsThrownWhenBothFail() async {
    let transport = FallbackTransport(
      primary: ScriptedTransport(json: "{}", status: 503),
      fallback: ScriptedTransport { _, _ in throw SearchError(.invalidRequest, "") }, clock: clock)
    for _ in 0..<3 { await expectEqual(answer(.search("a"), transport), "status 503") }
    await expectEqual(
      answer(.search("a"), transport), "invalidRequest", "the primary is not called")
  }

  @Test func writesUseThePrimaryOnly() async {
    let primary = ScriptedTransport { _, _ in throw SearchError(.unreachable, "down") }
    let transport = transport(primary)
    for _ in 0..<5 { await expectEqual(answer(.write(), transport), "unreachable") }
    #expect(fallback.requests.isEmpty && transport.circuitState == .closed)
  }

  @Test func originOfAWrappedTransportIsKept() async throws {
    let primary = ScriptedTransport { _, number in
      TransportResponse(
        status: 200, body: [],
        origin: number == 0
          ? ResponseOrigin(name: "replica") : ResponseOrigin(name: "", isCached: true))
    }
    let transport = transport(primary)
    try await expectEqual(transport.send(.search("a")).origin, ResponseOrigin(name: "replica"))
    try await expectEqual(
      transport.send(.search("a")).origin,
      ResponseOrigin(name: "primary", isCached: true))
  }

  // MARK: - Time and cancellation

  @Test func cancellationEndsTheCallWithoutTheFallback() async {
    let gate = CallGate()
    let transport = transport(ScriptedTransport.rows(at: gate))
    for number in 1...5 {
      let call = Task { try await transport.send(.search("a")) }
      await gate.waitForCalls(number)
      call.cancel()
      expectEqual(outcome(await call.result), "cancelled")
    }
    #expect(fallback.requests.isEmpty && transport.circuitState == .closed)
    gate.open()
  }

  @Test func cancellationByThePrimaryIsNotAFailure() async {
    let primary = ScriptedTransport { _, _ in throw CancellationError() }
    let transport = transport(primary)
    for _ in 0..<5 { await expectEqual(answer(.search("a"), transport), "cancelled") }
    #expect(fallback.requests.isEmpty && transport.circuitState == .closed)
  }

  @Test func primaryTimesOut() async {
    let gate = CallGate()
    let transport = transport(ScriptedTransport.rows(at: gate), primaryTimeout: .seconds(1))
    let call = Task { try await transport.send(.search("a")) }
    await gate.waitForCalls()
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    expectEqual(outcome(await call.result), "fallback")
    gate.open()
  }

  @Test func deadlineCoversBothAndCountsAsAFailureOfThePrimary() async {
    let gate = CallGate()
    let transport = transport(ScriptedTransport.rows(at: gate))
    for number in 1...3 {
      let deadline = Deadline(after: .seconds(1), clock: clock)
      let call = Task { try await transport.send(.search("a", deadline: deadline)) }
      await gate.waitForCalls(number)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      expectEqual(outcome(await call.result), "timedOut")
    }
    #expect(fallback.requests.isEmpty && transport.circuitState == .open)
    await expectEqual(answer(.search("a"), transport), "fallback")
    gate.open()
  }

  @Test func callCutShortDoesNotCountForThePrimary() async throws {
    let gate = CallGate()
    let transport = transport(ScriptedTransport.rows(at: gate))
    for number in 1...5 {
      let deadline = Deadline(after: .milliseconds(number < 5 ? 1 : 749), clock: clock)
      let call = Task { try await transport.send(.search("a", deadline: deadline)) }
      await gate.waitForCalls(number)
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(749))
      expectEqual(outcome(await call.result), "timedOut")
      // Otherwise the next call would not reach the gate.
      try #require(transport.circuitState == .closed)
    }
    gate.open()
    await expectEqual(answer(.search("a"), transport), "a")
  }

  /// The primary reports the timeout before this transport detects it.
  @Test(arguments: [
    (own: 1, took: 1, isOpen: false), (own: 749, took: 749, isOpen: false),
    (own: 300, took: 900, isOpen: true), (own: 5_000, took: 100, isOpen: true),
  ])
  func timeoutOfACallCutShortUsesTheFallbackAndIsNotCounted(
    own: Int, took: Int, isOpen: Bool
  ) async {
    let clock = clock
    let primary = ScriptedTransport { _, _ in
      clock.advance(by: .milliseconds(took))
      throw SearchError(.timedOut, "")
    }
    let transport = transport(primary)
    for _ in 0..<3 {
      let request = TransportRequest.search("a").with { $0.attemptTimeout = .milliseconds(own) }
      await expectEqual(answer(request, transport), "fallback")
    }
    expectEqual(transport.circuitState, isOpen ? .open : .closed)
  }

  @Test func primaryTimeoutCountsEvenIfVeryShort() async {
    let gate = CallGate()
    let transport = transport(ScriptedTransport.rows(at: gate), primaryTimeout: .milliseconds(1))
    for number in 1...3 {
      let call = Task { try await transport.send(.search("a")) }
      await gate.waitForCalls(number)
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(1))
      expectEqual(outcome(await call.result), "fallback")
    }
    expectEqual(transport.circuitState, .open)
    gate.open()
  }

  @Test func deadlineEndsAHangingFallback() async {
    let gate = CallGate()
    let transport = FallbackTransport(
      primary: ScriptedTransport(json: "{}", status: 503),
      fallback: ScriptedTransport.rows(at: gate), clock: clock)
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let call = Task { try await transport.send(.search("a", deadline: deadline)) }
    await gate.waitForCalls()
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    expectEqual(outcome(await call.result), "timedOut")
    gate.open()
  }

  // MARK: - Snapshots

  /// Responds with its name and the snapshot it received.
  private func side(_ name: String, isUp: @escaping @Sendable () -> Bool) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      if !isUp() { throw SearchError(.unreachable, "down") }
      let asked = request.snapshot.map { " from \($0)" } ?? ""
      return TransportResponse(
        status: 200, body: Array(#"{"query":"\#(name)\#(asked)"}"#.utf8), snapshot: name)
    }
  }

  @Test func snapshotIsSentToTheTransportItCameFrom() async throws {
    let isUp = Lock(false)
    let transport = FallbackTransport(
      primary: side("net") { isUp.withLock { $0 } }, fallback: side("disk") { true }, clock: clock)
    let offline = try await transport.send(.search("a"))
    isUp.withLock { $0 = true }
    let later = try await transport.send(.search("a").with { $0.snapshot = offline.snapshot })
    #expect(later.queryText == "disk from disk" && later.origin == .fallback)
    let online = try await transport.send(.search("a"))
    expectEqual(online.queryText, "net")
    try await expectEqual(
      transport.send(.search("a").with { $0.snapshot = online.snapshot }).queryText,
      "net from net")
    isUp.withLock { $0 = false }
    let crossed = try await transport.send(.search("a").with { $0.snapshot = online.snapshot })
    expectEqual(crossed.queryText, "disk", "a transport cannot use the other's snapshot")
    let unknown = try await transport.send(.search("a").with { $0.snapshot = "mine" })
    expectEqual(unknown.queryText, "disk from mine")
  }

  @Test func laterPageUsesThePrimaryOnlyIfTheFallbackFails() async throws {
    let isUp = Lock(false)
    let net = side("net") { isUp.withLock { $0 } }
    let isWhole = Lock(true)
    let disk = side("disk") { isWhole.withLock { $0 } }
    let transport = FallbackTransport(primary: net, fallback: disk, clock: clock)
    let first = try await transport.send(.search("a"))
    isUp.withLock { $0 = true }
    let page = TransportRequest.search("a").with { $0.snapshot = first.snapshot }
    let asked = net.requests.count
    for _ in 0..<3 { try await expectEqual(transport.send(page).queryText, "disk from disk") }
    #expect(transport.circuitState == .closed && net.requests.count == asked)
    isWhole.withLock { $0 = false }
    try await expectEqual(transport.send(page).queryText, "net")
    expectEqual(net.requests.count, asked + 1)
  }

  @Test func deadlineSpentInTheFallbackIsNotAFailureOfThePrimary() async throws {
    let clock = clock
    let isBroken = Lock(false)
    let gate = CallGate()
    let disk = ScriptedTransport { _, _ in
      if !isBroken.withLock({ $0 }) { return TransportResponse(status: 200, body: []) }
      clock.advance(by: .seconds(5))
      throw SearchError(.transport, "disk")
    }
    let net = ScriptedTransport { _, number in
      if number == 0 { throw SearchError(.unreachable, "down") }
      await gate.pass()
      return TransportResponse(status: 200, body: [])
    }
    let transport = FallbackTransport(
      primary: net, fallback: disk, failureThreshold: 2, clock: clock)
    let snapshot = try await transport.send(.search("a")).snapshot
    isBroken.withLock { $0 = true }
    for number in 1...4 {
      let deadline = Deadline(after: .milliseconds(5_100), clock: clock)
      let page = TransportRequest.search("a", deadline: deadline).with { $0.snapshot = snapshot }
      let call = Task { try await transport.send(page) }
      await gate.waitForCalls(number)
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(100))
      expectEqual(outcome(await call.result), "timedOut")
      try #require(transport.circuitState == .closed)
    }
    gate.open()
  }

  @Test func snapshotsOfNestedTransportsAreKeptApart() async throws {
    let inner = FallbackTransport(
      primary: side("net") { false }, fallback: side("replica") { true }, clock: clock)
    let outer = FallbackTransport(
      primary: inner, fallback: side("disk") { true }, clock: clock)
    let first = try await outer.send(.search("a"))
    #expect(first.origin == .fallback && first.queryText == "replica")
    try await expectEqual(
      outer.send(.search("a").with { $0.snapshot = first.snapshot }).queryText,
      "replica from replica")
  }

  // MARK: - A live screen

  private static let keystrokes = ["w", "wo", "wor", "word", "word 1", "word 12"]

  @Test func screenKeepsWorkingWhileTheNetworkIsDown() async throws {
    let engine = try await LocalSearch(
      indexName: "words", records: (0..<30).map { ["text": .string("word \($0)")] as JSON })
    let isUp = Lock(true)
    let network = ScriptedTransport { request, _ in
      if !isUp.withLock({ $0 }) { throw SearchError(.unreachable, "no network") }
      return try await engine.send(request)
    }
    let transport = FallbackTransport(primary: network, fallback: engine, clock: clock)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "words", options: .init(clock: clock))
    let hits = HitsInteractor<JSON>()
    hits.connectSearcher(searcher)
    var circuitStates = transport.circuitStates.makeAsyncIterator()
    await expectEqual(circuitStates.next(), .closed)

    /// The page of a text, when it is shown.
    func type(_ text: String) async throws -> HitsPage<JSON>? {
      searcher.setQuery(text)
      for await page in searcher.pages(of: JSON.self) where page.query == text {
        let state = try #require(await hits.state { $0.generation == page.generation })
        #expect(state.query == text && state.nbHits > 0)
        return page
      }
      return nil
    }
    try await expectEqual(type("w")?.origin, .primary)
    isUp.withLock { $0 = false }
    for text in ["wo", "wor", "word"] { try await expectEqual(type(text)?.origin, .fallback) }
    await expectEqual(circuitStates.next(), .open)
    try await expectEqual(type("word 1")?.origin, .fallback)
    let asked = network.requests.count

    isUp.withLock { $0 = true }
    clock.advance(by: .seconds(5))
    #expect(try await type("word 2")?.origin == .primary && network.requests.count == asked + 1)
    #expect(transport.circuitState == .closed && searcher.state == .idle)
  }

  @Test func listOfAnOfflineScreenUsesOneTransport() async throws {
    let engine = try await LocalSearch(
      indexName: "words", records: (0..<60).map { ["text": .string("word \($0)")] as JSON })
    let isUp = Lock(false)
    let network = ScriptedTransport { request, _ in
      if !isUp.withLock({ $0 }) { throw SearchError(.unreachable, "no network") }
      return TransportResponse(status: 200, body: Array(#"{"hits":[],"nbHits":0}"#.utf8))
    }
    let transport = FallbackTransport(primary: network, fallback: engine, clock: clock)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "words", options: .init(clock: clock))
    let hits = HitsInteractor<JSON>()
    hits.connectSearcher(searcher)
    searcher.setQuery("word")
    _ = await hits.state { $0.generation == 1 }
    isUp.withLock { $0 = true }
    hits.notifyDidPresentRow(atIndex: 19)
    let state = try #require(await hits.state { $0.hits[20] != nil })
    expectEqual(state.numberOfHits, 60)
  }

  /// Keystrokes while the network comes and goes, in 300 orders: the last query typed is shown
  /// last, no older one follows a newer one, and no failure is shown.
  @Test(arguments: Seed.all(300))
  func resultsStayInOrderWhileTheNetworkComesAndGoes(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let chance = SeededRandom(seed: seed.value)
    let isUp = Lock(true)
    let clock = ManualClock()
    let network = ScriptedTransport { request, _ in
      for _ in 0..<chance.number(below: 8) { await Task.yield() }
      if !isUp.withLock({ $0 }) { throw SearchError(.unreachable, "no network") }
      return try rows(request)
    }
    let engine = ScriptedTransport { request, _ in
      for _ in 0..<chance.number(below: 3) { await Task.yield() }
      return try rows(request)
    }
    let transport = FallbackTransport(
      primary: network, fallback: engine, failureThreshold: 2, clock: clock, executor: executor)
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: clock, executor: executor))
    let shown = Lock<[(text: String, origin: ResponseOrigin?)]>([])
    let failures = Lock(0)
    let pages = searcher.pages(of: Row.self, buffering: .unbounded)
    let reader = Task(executorPreference: executor) {
      for await page in pages { shown.withLock { $0.append((page.query, page.origin)) } }
    }
    let errors = searcher.errors(buffering: .unbounded)
    let errorReader = Task(executorPreference: executor) {
      for await _ in errors { failures.withLock { $0 += 1 } }
    }
    let weather = Task(executorPreference: executor) {
      for _ in 0..<10 {
        for _ in 0..<chance.number(below: 20) { await Task.yield() }
        isUp.withLock { $0 = chance.number(below: 2) == 0 }
        clock.advance(by: .seconds(chance.number(below: 6)))
      }
    }
    let typist = Task(executorPreference: executor) {
      for text in Self.keystrokes {
        searcher.setQuery(text)
        for _ in 0..<chance.number(below: 30) { await Task.yield() }
      }
    }
    executor.runUntilIdle()
    let order = shown.withLock { $0 }.compactMap { Self.keystrokes.firstIndex(of: $0.text) }
    #expect(
      order == order.sorted() && order.last == Self.keystrokes.count - 1, "seed \(seed.value)")
    #expect(shown.withLock { $0 }.allSatisfy { $0.origin != nil }, "seed \(seed.value)")
    expectEqual(failures.withLock { $0 }, 0, "seed \(seed.value)")

    // When the network is stable again, the screen uses it.
    isUp.withLock { $0 = true }
    clock.advance(by: .seconds(60))
    searcher.submit()
    executor.runUntilIdle()
    expectEqual(shown.withLock { $0.last?.origin }, .primary, "seed \(seed.value)")
    expectEqual(transport.circuitState, .closed, "seed \(seed.value)")
    for task in [reader, errorReader, weather, typist] { task.cancel() }
    executor.runUntilIdle()
  }
}
