@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct BatchingSimulationTests {
  /// Calls, wrong queries, faults, cancellations and time in 300 orders: every caller gets its own
  /// response.
  @Test(arguments: Seed.all(300))
  func everyCallerGetsItsOwnResponse(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let chance = SeededRandom(seed: seed.value)
    let clock = ManualClock()
    let base = ScriptedTransport { request, _ in
      for _ in 0..<chance.number(below: 6) { await Task.yield() }
      if chance.number(below: 12) == 0 { throw SearchError(.server, "down") }
      if String(decoding: request.body, as: UTF8.self).contains("bad") {
        return TransportResponse(status: 400, body: Array("{}".utf8))
      }
      return try rowsOfEach(request)
    }
    let transport = BatchingTransport(
      wrapping: base, maximumBatch: 4, clock: clock, executor: executor)
    let outcomes = Shared<[Int: String]>([:])
    var calls: [Task<Void, Never>] = []
    for number in 0..<30 {
      let call = Task(executorPreference: executor) {
        for _ in 0..<chance.number(below: 30) { await Task.yield() }
        let isBad = number.isMultiple(of: 9)
        let request = TransportRequest.search(isBad ? "bad \(number)" : "\(number)")
        let result: Result<TransportResponse, any Error>
        do { result = .success(try await transport.send(request)) } catch {
          result = .failure(error)
        }
        outcomes.change { $0[number] = outcome(result) }
      }
      calls.append(call)
    }
    let disturbance = Task(executorPreference: executor) { [calls] in
      for _ in 0..<20 {
        for _ in 0..<chance.number(below: 10) { await Task.yield() }
        if chance.number(below: 3) == 0 { calls[chance.number(below: 30)].cancel() }
        clock.advance(by: .milliseconds(1))
      }
    }
    executor.runUntilIdle()
    clock.advance(by: .seconds(1))
    executor.runUntilIdle()
    let all = outcomes.value
    expectEqual(all.count, 30, "seed \(seed.value)")
    for (number, outcome) in all {
      let own = number.isMultiple(of: 9) ? "status 400" : "\(number)"
      #expect([own, "cancelled", "server"].contains(outcome), "seed \(seed.value)")
    }
    #expect(transport.isIdle, "seed \(seed.value)")
    disturbance.cancel()
  }
}
