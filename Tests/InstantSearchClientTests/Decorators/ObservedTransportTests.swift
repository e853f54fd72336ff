import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct ObservedTransportTests {
  private enum Trace {
    @TaskLocal static var name = "none"
  }

  private let clock = ManualClock()
  private let log = Shared<[String]>([])
  private let completions = Shared<[ObservedCompletion]>([])

  private func observed(
    _ base: some SearchTransport,
    headers: @escaping @Sendable (ObservedCall) -> [HTTPHeader] = { _ in [] }
  ) -> ObservedTransport {
    ObservedTransport(
      wrapping: base,
      observer: ObservedTransport.Observer(
        headers: headers,
        began: { [log] call in log.change { $0.append("began \(call.id) \(Trace.name)") } },
        ended: { [log, completions] call, completion in
          log.change { $0.append("ended \(call.id) \(Trace.name)") }
          completions.change { $0.append(completion) }
        }),
      clock: clock)
  }

  @Test func aCallBeginsAndEndsInTheTaskOfItsCaller() async throws {
    let base = ScriptedTransport { [clock] request, _ in
      clock.advance(by: .milliseconds(7))
      return TransportResponse(
        status: 404, headers: [HTTPHeader(name: "correlation-id", value: "c")],
        body: Array("{}".utf8), origin: .fallback)
    }
    let transport = observed(base)
    for name in ["first", "second"] {
      try await Trace.$name.withValue(name) { _ = try await transport.send(.search("a")) }
    }
    expectEqual(
      log.value, ["began 1 first", "ended 1 first", "began 2 second", "ended 2 second"])
    let completion = try #require(completions.value.first)
    #expect(
      completion.status == 404 && completion.bodyBytes == 2 && completion.correlationID == "c")
    #expect(completion.origin == .fallback && completion.errorCode == nil)
    expectEqual(completion.duration, .milliseconds(7))
  }

  @Test func errorsAndCancellationsEndACallOnce() async throws {
    struct Other: Error {}
    let gate = CallGate()
    let base = ScriptedTransport { _, number in
      switch number {
      case 0:
        throw SearchError(.unreachable, "sekret", status: 503, correlationID: "c")
      case 1: throw Other()
      default:
        await gate.pass()
        try Task.checkCancellation()
        return TransportResponse(status: 200, body: [])
      }
    }
    let transport = observed(base)
    for _ in 0..<2 { _ = try? await transport.send(.search("a")) }
    let call = Task { try await transport.send(.search("a")) }
    await gate.waitForCalls()
    call.cancel()
    gate.open()
    expectEqual(outcome(await call.result), "cancelled")
    expectEqual(completions.value.map(\.errorCode), [.unreachable, .transport, .cancelled])
    expectEqual(completions.value.map(\.correlationID), ["c", nil, nil])
    expectEqual(completions.value.first?.status, 503)
    expectEqual(log.value.count, 6)
  }

  @Test func headersAreAddedUnlessTheCallHasThem() async throws {
    let base = ScriptedTransport.rows()
    let transport = observed(base) { call in
      [
        HTTPHeader(name: "traceparent", value: "00-\(call.id)"),
        HTTPHeader(name: "X-Own", value: "observer"),
      ]
    }
    let own = HTTPHeader(name: "x-own", value: "caller")
    _ = try await transport.send(.search("a", headers: [own]))
    expectEqual(
      base.requests.first?.headers, [own, HTTPHeader(name: "traceparent", value: "00-1")])
  }

  @Test func reportsContainNoSecrets() async throws {
    let reports = Shared("")
    let transport = ObservedTransport(
      wrapping: ScriptedTransport { _, _ in throw SearchError(.server, "sekret") },
      observer: ObservedTransport.Observer(ended: { call, completion in
        var text = "\(call) \(completion)"
        dump(call, to: &text)
        dump(completion, to: &text)
        reports.change { $0 += text }
      }))
    let request = TransportRequest(
      method: .get, pathComponents: ["1", "keys", "sekret"],
      queryItems: [QueryItem(name: "x-algolia-api-key", value: "sekret")],
      headers: [
        HTTPHeader(name: "X-Algolia-API-Key", value: "sekret"),
        HTTPHeader(name: "request-id", value: "12345678901"),
      ],
      body: Array("sekret".utf8), callType: .read)
    _ = try? await transport.send(request)
    #expect(!reports.value.contains("sekret"))
    for part in ["GET /1/keys/*", "12345678901", "bodyBytes: 6"] {
      #expect(reports.value.contains(part))
    }
  }

  @Test func indexInThePathIsReported() {
    expectEqual(ObservedCall(.search("a", in: "films"), id: 1).indexName, "films")
    #expect(ObservedCall(.searches(["a"]), id: 1).indexName == nil)
  }
}
