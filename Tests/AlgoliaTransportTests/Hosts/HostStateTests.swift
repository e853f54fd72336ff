import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// What a transport remembers of its hosts, and for how long.
struct HostStateTests {
  /// A transport of one host.
  private func transport(_ script: ScriptedExchange, _ clock: ManualClock) -> AlgoliaTransport {
    .sample(
      script,
      configuration: AlgoliaTransport.Configuration(
        hosts: [SearchHost("one.example")], clock: clock))
  }

  private static let pair = [SearchHost("one.example"), SearchHost("two.example")]

  @Test func failedHostIsTriedAgainAfterFiveMinutes() async throws {
    let clock = ManualClock()
    let script = ScriptedExchange { _, index in index == 0 ? .status(500) : .status(200) }
    let transport = AlgoliaTransport.sample(
      script, configuration: AlgoliaTransport.Configuration(hosts: Self.pair, clock: clock))
    for seconds in [0, 299, 1, 0] {
      clock.advance(by: .seconds(seconds))
      _ = try await transport.send(.sampleRead)
    }
    let asked = ["one", "two", "two", "one", "one"]
    expectEqual(script.hosts, asked.map { $0 + ".example" })
  }

  @Test func allHostsAreTriedAgainWhenAllHaveFailed() async throws {
    let lost = ScriptedExchange.Step.fail(HTTPExchangeError.network("lost"))
    let script = ScriptedExchange(
      lost, .status(502), .status(500), .status(502), .status(200))
    let transport = AlgoliaTransport.sample(
      script, configuration: AlgoliaTransport.Configuration(hosts: Self.pair))
    for _ in 0..<2 {
      let error = try await searchError(of: transport, sending: .sampleRead)
      expectEqual(error.code, .unreachable)
    }
    for _ in 0..<2 { _ = try await transport.send(.sampleRead) }
    let asked = ["one", "two", "one", "two", "one", "one"]
    expectEqual(script.hosts, asked.map { $0 + ".example" })
  }

  @Test func cancelledCallDoesNotMarkItsHost() async throws {
    let script = ScriptedExchange(.silence, .silence, .status(200))
    let transport = AlgoliaTransport.sample(script)
    for attempt in 1...2 {
      let call = Task { try await transport.send(.sampleRead) }
      await script.received.reach(attempt)
      call.cancel()
      #expect(await call.result.failure is CancellationError)
    }
    _ = try await transport.send(.sampleRead)
    expectEqual(Set(script.hosts), ["APPID-dsn.algolia.net"])
    expectEqual(Set(script.requests.map(\.timeout)), [.seconds(5)])
  }

  /// A deadline that was shorter than any response says nothing.
  @Test(arguments: [50, 1_000])
  func passedDeadlinePutsTheHostBehindTheOthers(milliseconds: Int) async throws {
    let clock = ManualClock()
    let script = ScriptedExchange(.silence, .status(200))
    let transport = AlgoliaTransport.sample(
      script, configuration: AlgoliaTransport.Configuration(clock: clock))
    var request = TransportRequest.sampleRead
    request.deadline = Deadline(after: .milliseconds(milliseconds), clock: clock)
    let call = Task { [request] in try await transport.send(request) }
    await script.received.reach(1)
    clock.advance(by: .milliseconds(milliseconds))
    expectEqual((await call.result.failure as? SearchError)?.code, .timedOut)
    _ = try await transport.send(.sampleRead)
    expectEqual(script.requests.last?.timeout, .seconds(5))
    expectEqual(script.hosts.first, "APPID-dsn.algolia.net")
    let isSame = script.hosts.last == script.hosts.first
    expectEqual(isSame, milliseconds == 50)
  }

  /// On a network that is slow for all hosts, each call gets a longer timeout.
  @Test func timeoutGrowsSixfoldAtMostUntilASuccess() async throws {
    let clock = ManualClock()
    let script = ScriptedExchange { _, index in index == 7 ? .status(200) : .silence }
    let transport = transport(script, clock)
    for attempt in 1...9 {
      let call = Task { try await transport.send(.sampleRead) }
      await script.received.reach(attempt)
      if let timeout = script.requests.last?.timeout { clock.advance(by: timeout) }
      _ = await call.result
    }
    let seconds = [5, 10, 15, 20, 25, 30, 30, 30, 5]
    expectEqual(script.requests.map(\.timeout), seconds.map { .seconds($0) })
    clock.advance(by: .seconds(300))
    let call = Task { try await transport.send(.sampleRead) }
    await script.received.reach(10)
    expectEqual(script.requests.last?.timeout, .seconds(5))
    call.cancel()
    _ = await call.result
  }

  @Test func timeoutsOfConcurrentCallsCountOnce() async throws {
    let clock = ManualClock()
    let script = ScriptedExchange(.silence)
    let transport = transport(script, clock)
    for (round, seconds) in [5, 10, 15].enumerated() {
      let calls = (0..<20).map { _ in Task { try await transport.send(.sampleRead) } }
      await script.received.reach(20 * (round + 1))
      await clock.waitForSleepers(20)
      clock.advance(by: .seconds(seconds))
      for call in calls { _ = await call.result }
      expectEqual(Set(script.requests.suffix(20).map(\.timeout)), [.seconds(seconds)])
      expectEqual(script.requests.count, 20 * (round + 1))
    }
  }

  @Test func timeoutOfACallStartedBeforeASuccessCountsAsTheFirst() async throws {
    let clock = ManualClock()
    let script = ScriptedExchange { _, index in index == 3 ? .status(200) : .silence }
    let transport = transport(script, clock)
    func call(_ number: Int) async -> Task<TransportResponse, any Error> {
      let call = Task { try await transport.send(.sampleRead) }
      await script.received.reach(number)
      return call
    }
    for (number, seconds) in [(1, 5), (2, 10)] {
      let call = await call(number)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(seconds))
      _ = await call.result
    }
    let slow = await call(3)
    await clock.waitForSleepers()
    _ = try await call(4).value
    clock.advance(by: .seconds(15))
    _ = await slow.result
    let next = await call(5)
    expectEqual(script.requests.map(\.timeout), [5, 10, 15, 15, 10].map { .seconds($0) })
    next.cancel()
    _ = await next.result
  }

  @Test func readsAndWritesShareTheStateOfAHost() async throws {
    let script = ScriptedExchange { request, _ in
      request.url.contains("one") ? .status(503) : .status(200)
    }
    let transport = AlgoliaTransport.sample(
      script,
      configuration: AlgoliaTransport.Configuration(hosts: [
        SearchHost("one.example"), SearchHost("two.example"),
      ]))
    _ = try await transport.send(.sampleRead)
    _ = try await transport.send(.sampleWrite)
    expectEqual(script.hosts, ["one.example", "two.example", "two.example"])
  }

  @Test func transportsDoNotShareHostStates() async throws {
    let script = ScriptedExchange { _, index in index == 0 ? .status(503) : .status(200) }
    let configuration = AlgoliaTransport.Configuration(hosts: [
      SearchHost("one.example"), SearchHost("two.example"),
    ])
    for _ in 0..<2 {
      _ = try await AlgoliaTransport.sample(script, configuration: configuration).send(.sampleRead)
    }
    expectEqual(script.hosts, ["one.example", "two.example", "one.example"])
  }

  @Test func thousandConcurrentCallsEndWhileHostsComeAndGo() async throws {
    let script = ScriptedExchange { request, index in
      switch index % 7 {
      case 0: .status(500)
      case 1: .fail(HTTPExchangeError.network("lost"))
      case 2: .fail(HTTPExchangeError.timedOut)
      default: .status(200)
      }
    }
    let transport = AlgoliaTransport.sample(script)
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<1000 {
        group.addTask { try? await transport.send(.sampleRead).status }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(statuses.count, 1000)
    #expect(statuses.count { $0 == 200 } > 500)
  }
}
