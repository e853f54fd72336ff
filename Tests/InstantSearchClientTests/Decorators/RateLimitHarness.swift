import InstantSearchClient
import AsyncInstantSearchTesting

/// Calls on a rate-limited transport, with time and order controlled by the test.
final class RateLimitHarness: Sendable {
  let clock = ManualClock()
  let executor = SeededExecutor(seed: 1)
  /// The texts that the back end received, and when.
  let received = Shared<[(text: String, time: Duration)]>([])
  let outcomes = Shared<[String: String]>([:])

  var texts: [String] { received.value.map(\.text) }

  func transport(
    perSecond: Int = 10, burst: Int = 1, concurrent: Int? = nil, waiting: Int = 10_000,
    retries: Int = 2,
    answer:
      @escaping @concurrent @Sendable (TransportRequest, Int) async throws
      -> TransportResponse = { request, _ in try rows(request) }
  ) -> RateLimitingTransport {
    let base = ScriptedTransport { [received, clock] request, number in
      let text = try JSON(parsing: request.body)["query"]?.stringValue ?? ""
      received.change { $0.append((text, clock.now.offset)) }
      return try await answer(request, number)
    }
    return RateLimitingTransport(
      wrapping: base, requestsPerSecond: perSecond, burst: burst,
      maximumConcurrentCalls: concurrent, maximumWaitingCalls: waiting, maximumRetries: retries,
      clock: clock, executor: executor
    ) { $0.pathComponents[2] }
  }

  @discardableResult
  func begin(_ request: TransportRequest, on transport: RateLimitingTransport) -> Task<
    Void, Never
  > {
    let text = (try? JSON(parsing: request.body))?["query"]?.stringValue ?? ""
    let call = Task(executorPreference: executor) { [outcomes] in
      let result: Result<TransportResponse, any Error>
      do {
        result = .success(try await transport.send(request))
      } catch {
        result = .failure(error)
      }
      outcomes.change { $0[text] = outcome(result) }
    }
    executor.runUntilIdle()
    return call
  }

  func cancel(_ call: Task<Void, Never>) {
    call.cancel()
    executor.runUntilIdle()
  }

  func advance(by duration: Duration) {
    clock.advance(by: duration)
    executor.runUntilIdle()
  }
}
