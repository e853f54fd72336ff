import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Options of the configuration, the call and the transport, merged by name.
struct CallOptionTests {
  @Test func queryItemsOfTheCallOverrideConfiguredOnes() async throws {
    let script = ScriptedExchange(.status(200))
    let transport = AlgoliaTransport.sample(
      script,
      configuration: AlgoliaTransport.Configuration(queryItems: [
        QueryItem(name: "a", value: "1"), QueryItem(name: "b", value: "2"),
      ]))
    var request = TransportRequest.sampleRead
    request.queryItems = [QueryItem(name: "b", value: "3"), QueryItem(name: "c", value: "4")]
    _ = try await transport.send(request)
    #expect(script.requests.first?.url.hasSuffix("/query?a=1&b=3&c=4") == true)
  }

  @Test func attemptTimeoutOfTheCallOverridesTheConfiguredOne() async throws {
    let script = ScriptedExchange(.status(200))
    let client = SearchClient(transport: AlgoliaTransport.sample(script))
    for timeout in [nil, Duration.milliseconds(700)] {
      _ = try? await client.search(
        "films", of: JSON.self, options: RequestOptions(attemptTimeout: timeout))
    }
    expectEqual(script.requests.map(\.timeout), [.seconds(5), .milliseconds(700)])
    expectEqual(script.requests.map(\.connectTimeout), [.seconds(2), .milliseconds(700)])
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func invalidAttemptTimeoutIsReported(timeout: Duration) async throws {
    let script = ScriptedExchange(.status(200))
    var request = TransportRequest.sampleRead
    request.attemptTimeout = timeout
    let error = try await searchError(of: .sample(script), sending: request)
    #expect(error.code == .invalidRequest && error.message.contains("attempt timeout"))
    #expect(script.requests.isEmpty)
  }

  @Test func callWithoutDeadlineGetsADefaultDeadline() async throws {
    let clock = ManualClock()
    let script = ScriptedExchange(.silence)
    let transport = AlgoliaTransport.sample(
      script,
      configuration: AlgoliaTransport.Configuration(callTimeout: .seconds(12), clock: clock))
    let call = Task { try await transport.send(.sampleRead) }
    for (attempt, seconds) in [(1, 5), (2, 5), (3, 2)] {
      await script.received.reach(attempt)
      await clock.waitForSleepers(attempt == 3 ? 2 : 1)
      clock.advance(by: .seconds(seconds))
    }
    let error = try #require(await call.result.failure as? SearchError)
    expectEqual(error.code, .timedOut)
    expectEqual(script.requests.map(\.timeout), [.seconds(5), .seconds(5), .seconds(2)])
  }

  @Test func eventTransportSendsNoRequestID() async throws {
    let script = ScriptedExchange(.status(200))
    let transport = AlgoliaTransport.sample(
      script, configuration: AlgoliaTransport.Configuration(sendsRequestID: false))
    _ = try await transport.send(.sampleWrite)
    expectEqual(script.requests.first?.values(of: "Request-ID"), [])
  }

  @Test func everyAttemptIsReportedWhenItEnds() async throws {
    let clock = ManualClock()
    let reports = Lock<[AttemptReport]>([])
    let script = ScriptedExchange { _, index in
      switch index {
      case 0: .fail(HTTPExchangeError.network("lost, key sekret"))
      case 1:
        .answer(
          HTTPExchangeResponse(
            status: 503, headers: [HTTPHeader(name: "correlation-id", value: "c1")]))
      case 2: .silence
      default: .answer(HTTPExchangeResponse(status: 200, body: [1, 2, 3]))
      }
    }
    var configuration = AlgoliaTransport.Configuration(clock: clock)
    configuration.onAttempt = { report in reports.withLock { $0.append(report) } }
    let transport = AlgoliaTransport.sample(script, configuration: configuration)
    async let response = transport.send(.sampleRead)
    await script.received.reach(3)
    clock.advance(by: .seconds(5))
    try await expectEqual(response.status, 200)
    let reported = reports.withLock { $0 }
    expectEqual(
      reported.map(\.outcome),
      [
        .failed(reason: "lost, key <redacted>"), .answered(status: 503, bodySize: 0), .timedOut,
        .answered(status: 200, bodySize: 3),
      ])
    expectEqual(reported.map(\.number), [1, 2, 3, 4])
    expectEqual(reported.map(\.host), script.hosts)
    expectEqual(reported.map(\.duration), [.zero, .zero, .seconds(5), .zero])
    expectEqual(reported.map(\.timeout), Array(repeating: .seconds(5), count: 4))
    expectEqual(reported.map(\.correlationID), [nil, "c1", nil, nil])
    expectEqual(Set(reported.map(\.request)), ["POST /1/indexes/films/query"])
    expectEqual(Set(reported.map(\.requestID)).count, 1)
  }

  @Test func cancelledAttemptIsReported() async throws {
    let reports = Lock<[AttemptReport]>([])
    let script = ScriptedExchange(.silence)
    var configuration = AlgoliaTransport.Configuration()
    configuration.onAttempt = { report in reports.withLock { $0.append(report) } }
    let transport = AlgoliaTransport.sample(script, configuration: configuration)
    let call = Task { try await transport.send(.sampleRead) }
    await script.received.reach(1)
    call.cancel()
    _ = await call.result
    expectEqual(reports.withLock { $0.map(\.outcome) }, [.cancelled])
  }
}
