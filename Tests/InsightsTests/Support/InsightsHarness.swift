@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import AsyncInstantSearchInsights
@testable import AsyncInstantSearchTesting

/// A client whose tasks run on the test's own thread, until none can continue.
///
/// A call that does not return has no result. Nothing waits for it.
struct InsightsHarness {
  /// The return value of a call; `nil` until it returns.
  final class Result<Value: Sendable>: Sendable {
    private let storage = Lock<Value?>(nil)

    var value: Value? { storage.withLock { $0 } }

    fileprivate func set(_ value: Value) { storage.withLock { $0 = value } }
  }

  let client: InsightsClient
  let clock = ManualClock()
  let failures: Result<[InsightsFailure]>
  private let executor = SeededExecutor(seed: 1)

  init(
    _ server: InsightsServer, _ storage: some InsightsStorage = InMemoryInsightsStorage(),
    _ configuration: InsightsClient.Configuration = .init()
  ) throws {
    client = try InsightsClient(
      transport: server, userToken: "u", storage: storage, configuration: configuration,
      clock: clock, currentDate: { testDay }, randomNumberGenerator: ZeroGenerator(),
      executor: executor)
    let failures = Result<[InsightsFailure]>()
    failures.set([])
    self.failures = failures
    let stream = client.failures
    Task(executorPreference: executor) {
      for await failure in stream { failures.set((failures.value ?? []) + [failure]) }
    }
    executor.runUntilIdle()
  }

  /// Runs everything that can run.
  func run() { executor.runUntilIdle() }

  /// Calls the client, and runs everything that can run.
  @discardableResult
  func call<Value: Sendable>(
    _ body: @escaping @concurrent @Sendable (InsightsClient) async -> Value
  ) -> Result<Value> {
    let result = Result<Value>()
    Task(executorPreference: executor) { [client] in result.set(await body(client)) }
    run()
    return result
  }

  /// Tracks events.
  func track(_ events: [InsightsEvent]) {
    call { client in
      for event in events { _ = try? await client.track(event) }
    }
  }

  /// Advances the clock.
  func advance(by duration: Duration) {
    clock.advance(by: duration)
    run()
  }
}

/// Returns zeros, so that delays between calls are not shortened.
struct ZeroGenerator: RandomNumberGenerator {
  mutating func next() -> UInt64 { 0 }
}
