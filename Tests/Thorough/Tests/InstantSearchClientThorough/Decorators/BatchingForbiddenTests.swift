@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The outcomes of a batch that is refused with status 403.
struct BatchingForbiddenTests {
  /// A server that refuses requests containing certain texts, with `message`.
  private func server(
    refusing texts: [String], _ message: String = "Forbidden"
  ) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      let body = String(decoding: request.body, as: UTF8.self)
      let asked = body + request.pathComponents[2]
      return texts.contains { asked.contains("<\($0)>") }
        ? TransportResponse(status: 403, body: Array(#"{"message":"\#(message)"}"#.utf8))
        : try rowsOfEach(request)
    }
  }

  /// One call per name, in an index of that name, batched in order. Returns their outcomes.
  private func outcomes(
    of names: [String], from base: ScriptedTransport, text: (Int) -> String = { "\($0)" }
  ) -> [String] {
    let executor = SeededExecutor(seed: 1)
    let transport = BatchingTransport(
      wrapping: base, maximumBatch: names.count, clock: ManualClock(), executor: executor)
    let outcomes = Shared(Array(repeating: "none", count: names.count))
    for (number, name) in names.enumerated() {
      let request = TransportRequest.search(text(number), in: "<\(name)>")
      Task(executorPreference: executor) {
        let call = Task(executorPreference: executor) { try await transport.send(request) }
        let outcome = outcome(await call.result)
        outcomes.change { $0[number] = outcome }
      }
      executor.runUntilIdle()
    }
    #expect(transport.isIdle)
    return outcomes.value
  }

  private static let manyNames = (0..<50).map { "index \($0)" }

  @Test(arguments: [
    Array(repeating: "films", count: 50), manyNames, (0..<50).map { "index \($0 / 25)" },
  ])
  func invalidKeyCostsTwoRequestsPerCall(names: [String]) {
    let base = ScriptedTransport(
      json: #"{"message":"Invalid Application-ID or API key"}"#, status: 403)
    let outcomes = outcomes(of: names, from: base)
    expectEqual(outcomes, Array(repeating: "status 403", count: 50))
    expectEqual(base.requests.count, 2 * 50 - 1)
  }

  /// A firewall's page has a new number each time, and mentions an index in its own way.
  @Test(arguments: [
    #"<html><meta name="robots" content="noindex">Request @</html>"#, #"{"id":"index @"}"#,
    #"{"message":{"id":"@"}}"#,
  ])
  func firewallPagesWithDifferentNumbersAreEqual(page: String) {
    let base = ScriptedTransport { _, number in
      let body = page.split(separator: "@", omittingEmptySubsequences: false)
        .joined(separator: "\(number)")
      return TransportResponse(status: 403, body: Array(body.utf8))
    }
    let outcomes = outcomes(of: Self.manyNames, from: base)
    expectEqual(outcomes, Array(repeating: "status 403", count: 50))
    expectEqual(base.requests.count, 2 * 50 - 1)
  }

  @Test(arguments: [0, 1, 17, 49], ["Forbidden", "Index not allowed with this API key"])
  func forbiddenIndexDoesNotAffectTheOthers(place: Int, message: String) {
    let base = server(refusing: ["index \(place)"], message)
    let outcomes = outcomes(of: Self.manyNames, from: base)
    expectEqual(outcomes, (0..<50).map { $0 == place ? "status 403" : "\($0)" })
    #expect(base.requests.count <= 20)
  }

  @Test func severalForbiddenIndicesDoNotAffectTheOthers() {
    let forbidden = [0, 1, 2, 30, 49]
    let base = server(
      refusing: forbidden.map { "index \($0)" }, "Index not allowed with this API key")
    let outcomes = outcomes(of: Self.manyNames, from: base)
    expectEqual(outcomes, (0..<50).map { forbidden.contains($0) ? "status 403" : "\($0)" })
  }

  @Test func manyCallsToAForbiddenIndexDoNotAffectTheOther() {
    let base = server(refusing: ["secret"], "Index not allowed with this API key")
    let names = (0..<50).map { $0 < 49 ? "secret" : "films" }
    let outcomes = outcomes(of: names, from: base)
    expectEqual(outcomes, (0..<50).map { $0 < 49 ? "status 403" : "49" })
  }

  @Test(arguments: [0, 1, 20, 49])
  func forbiddenQueryDoesNotAffectItsIndex(place: Int) {
    let base = server(refusing: ["bad"])
    let outcomes = outcomes(of: Array(repeating: "films", count: 50), from: base) {
      $0 == place ? "<bad>" : "\($0)"
    }
    expectEqual(outcomes, (0..<50).map { $0 == place ? "status 403" : "\($0)" })
  }

  @Test func refusalOfASingleCallIsReturnedUnchanged() {
    let base = server(refusing: ["films"])
    expectEqual(outcomes(of: ["films"], from: base), ["status 403"])
    expectEqual(base.requests.count, 1)
  }

  @Test func errorOfACallSentAloneGoesToItsCallerOnly() {
    let base = ScriptedTransport { request, number in
      if number == 0 { return TransportResponse(status: 403, body: []) }
      if request.pathComponents[2] == "<a>" { throw SearchError(.unreachable, "down") }
      return try rowsOfEach(request)
    }
    expectEqual(outcomes(of: ["a", "b", "c"], from: base), ["unreachable", "1", "2"])
  }
}
