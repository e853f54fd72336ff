import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The headers of every request.
struct CallHeaderTests {
  private func request(
    _ request: TransportRequest = .sampleRead,
    configuration: AlgoliaTransport.Configuration = AlgoliaTransport.Configuration()
  ) async throws -> HTTPExchangeRequest {
    let script = ScriptedExchange(.status(200))
    _ = try await AlgoliaTransport.sample(script, configuration: configuration).send(request)
    return try #require(script.requests.first)
  }

  @Test(arguments: [
    ("x-algolia-application-id", "APPID"),
    ("x-algolia-api-key", "sekret"),
    ("content-type", "application/json"),
    ("accept", "application/json"),
  ])
  func requestHasTheHeadersOfTheContract(name: String, value: String) async throws {
    try await expectEqual(request().values(of: name), [value])
  }

  @Test func theUserAgentFollowsTheGrammar() async throws {
    let configuration = AlgoliaTransport.Configuration(userAgentSegments: [
      UserAgentSegment(name: "Film Finder", version: "2.1.0-beta.3"),
      UserAgentSegment(name: "Film Finder", version: "2.1.0-beta.3"),
    ])
    let agent = try #require(
      try await request(configuration: configuration).values(of: "User-Agent").first)
    let segments = agent.split(separator: "; ", omittingEmptySubsequences: false)
    #expect(segments.allSatisfy { $0.wholeMatch(of: #/[A-Za-z. ]+ \(\d[0-9.]*[^;()]*\)/#) != nil })
    #expect(segments.first?.hasPrefix("Async InstantSearch (") == true)
    expectEqual(segments.filter { $0 == "Film Finder (2.1.0-beta.3)" }.count, 1)
    expectEqual(segments.last, "Film Finder (2.1.0-beta.3)")
  }

  @Test(arguments: [
    UserAgentSegment(name: "", version: "1"), UserAgentSegment(name: " ", version: "1"),
    UserAgentSegment(name: "Finder 2", version: "1"),
    UserAgentSegment(name: "Fin(der", version: "1"),
    UserAgentSegment(name: "Finder", version: ""), UserAgentSegment(name: "Finder", version: "v1"),
    UserAgentSegment(name: "Finder", version: "1\r\nX: y"),
  ])
  func malformedSegmentIsReported(segment: UserAgentSegment) async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(userAgentSegments: [segment])
    let error = try await searchError(
      of: .sample(script, configuration: configuration), sending: .sampleRead)
    expectEqual(error.code, .invalidRequest)
  }

  @Test func headersOfTheCallerOverrideOthersIgnoringCase() async throws {
    var call = TransportRequest.sampleRead
    call.headers = [
      HTTPHeader(name: "X-ALGOLIA-API-KEY", value: "other"),
      HTTPHeader(name: "X-Forwarded-For", value: "203.0.113.7"),
      HTTPHeader(name: "x-team", value: "call"),
    ]
    let configuration = AlgoliaTransport.Configuration(headers: [
      HTTPHeader(name: "X-Team", value: "configuration"),
      HTTPHeader(name: "accept", value: "application/json; q=1"),
    ])
    let request = try await request(call, configuration: configuration)
    expectEqual(request.values(of: "x-algolia-api-key"), ["other"])
    expectEqual(request.values(of: "x-forwarded-for"), ["203.0.113.7"])
    expectEqual(request.values(of: "x-team"), ["call"])
    expectEqual(request.values(of: "accept"), ["application/json; q=1"])
    expectEqual(request.values(of: "x-algolia-application-id"), ["APPID"])
  }

  @Test func requestIDIsTheSameForAllHostsAndUniquePerCall() async throws {
    let script = ScriptedExchange(.status(503))
    let transport = AlgoliaTransport.sample(script)
    for _ in 0..<3 { _ = try? await transport.send(.sampleRead) }
    let ids = script.requests.flatMap { $0.values(of: "Request-ID") }
    expectEqual(ids.count, 12)
    #expect(ids.allSatisfy { $0.wholeMatch(of: #/[0-9A-Za-z]{11}/#) != nil })
    #expect(stride(from: 0, to: 12, by: 4).allSatisfy { Set(ids[$0..<$0 + 4]).count == 1 })
    expectEqual(Set(ids).count, 3)
  }

  @Test func theRequestIDComesFromTheGenerator() async throws {
    func id(seed: UInt64) async throws -> [String] {
      let configuration = AlgoliaTransport.Configuration(
        randomNumberGenerator: SeededGenerator(seed: seed))
      return try await request(configuration: configuration).values(of: "Request-ID")
    }
    let first = try await id(seed: 1)
    try await expectEqual(id(seed: 1), first)
    #expect(try await id(seed: 2) != first)
  }

  @Test func requestIDOfTheCallerIsKept() async throws {
    var call = TransportRequest.sampleRead
    call.headers = [HTTPHeader(name: "request-id", value: "abcdefghijk")]
    try await expectEqual(request(call).values(of: "Request-ID"), ["abcdefghijk"])

    call = .sampleRead
    call.queryItems = [QueryItem(name: "X-Algolia-Request-ID", value: "abcdefghijk")]
    let reports = AwaitableList<AttemptReport>()
    let reporting = AlgoliaTransport.Configuration(onAttempt: { reports.append($0) })
    #expect(
      try await request(call, configuration: reporting).values(of: "Request-ID").isEmpty)
    expectEqual(reports.elements.map(\.requestID), ["abcdefghijk"])

    let configuration = AlgoliaTransport.Configuration(headers: [
      HTTPHeader(name: "REQUEST-ID", value: "kjihgfedcba")
    ])
    try await expectEqual(
      request(configuration: configuration).values(of: "Request-ID"), ["kjihgfedcba"])
  }

  @Test(arguments: [
    "Content-Length", "content-length", "Transfer-Encoding", "Host", "Connection", "Keep-Alive",
    "Proxy-Connection", "TE", "Trailer", "Upgrade", "HTTP2-Settings", "Expect",
  ])
  func connectionHeadersAreRejected(name: String) async throws {
    for error in try await refusals(of: HTTPHeader(name: name, value: "0")) {
      expectEqual(error.code, .invalidRequest)
      #expect(error.message.contains("The header \(name) cannot be set"))
      #expect(error.message.contains("Leave it out."))
    }
  }

  @Test(arguments: [
    HTTPHeader(name: "X A", value: "b"), HTTPHeader(name: "", value: "b"),
    HTTPHeader(name: "X-A:", value: "b"), HTTPHeader(name: "X-\u{E9}", value: "b"),
    HTTPHeader(name: ":path", value: "b"), HTTPHeader(name: "X-A\r\nX-B", value: "b"),
    HTTPHeader(name: "X-A", value: "b\r\nX-C: d"), HTTPHeader(name: "X-A", value: "b\nc"),
    HTTPHeader(name: "X-A", value: "b\n"), HTTPHeader(name: "X-A", value: "b\0"),
    HTTPHeader(name: "X-A", value: "\u{7F}"),
  ])
  func invalidHeadersAreRejected(header: HTTPHeader) async throws {
    for error in try await refusals(of: header) { expectEqual(error.code, .invalidRequest) }
  }

  @Test func tooLongHeadersAreRejected() async throws {
    let header = HTTPHeader(name: "X-A", value: String(repeating: "b", count: 65_536))
    for error in try await refusals(of: header) {
      expectEqual(error.code, .invalidRequest)
      #expect(error.message.contains("65536 bytes"))
    }
  }

  /// The errors of a header in a call and in the configuration. Nothing must be sent.
  private func refusals(of header: HTTPHeader) async throws -> [SearchError] {
    let script = ScriptedExchange(.status(200))
    var call = TransportRequest.sampleRead
    call.headers = [header]
    let errors = [
      try await searchError(of: .sample(script), sending: call),
      try await searchError(
        of: .sample(script, configuration: AlgoliaTransport.Configuration(headers: [header])),
        sending: .sampleRead),
    ]
    #expect(script.requests.isEmpty)
    return errors
  }

  @Test func replacedKeyIsUsedByLaterCalls() async throws {
    let script = ScriptedExchange(.status(200))
    let transport = AlgoliaTransport.sample(script)
    _ = try await transport.send(.sampleRead)
    transport.replaceAPIKey(with: "newer")
    _ = try await transport.send(.sampleRead)
    expectEqual(
      script.requests.flatMap { $0.values(of: "x-algolia-api-key") }, ["sekret", "newer"])
  }

  @Test func configuredHeadersCannotReplaceTheCredentials() async throws {
    let script = ScriptedExchange(.status(200))
    let configuration = AlgoliaTransport.Configuration(headers: [
      HTTPHeader(name: "X-Algolia-API-Key", value: "stale"),
      HTTPHeader(name: "X-Algolia-Application-ID", value: "OTHER"),
    ])
    let transport = AlgoliaTransport.sample(script, configuration: configuration)
    _ = try await transport.send(.sampleRead)
    transport.replaceAPIKey(with: "newer")
    _ = try await transport.send(.sampleRead)
    expectEqual(
      script.requests.flatMap { $0.values(of: "x-algolia-api-key") }, ["sekret", "newer"])
    expectEqual(
      script.requests.flatMap { $0.values(of: "x-algolia-application-id") }, ["APPID", "APPID"])
  }

  @Test func generatorIsUsedOnlyWhenTheTransportIsCreated() async throws {
    let generator = CountingGenerator()
    let script = ScriptedExchange(.status(200))
    let transport = AlgoliaTransport.sample(
      script, configuration: AlgoliaTransport.Configuration(randomNumberGenerator: generator))
    let count = generator.count
    #expect(count > 0)
    for _ in 0..<3 { _ = try await transport.send(.sampleRead) }
    expectEqual(generator.count, count)
    expectEqual(Set(script.requests.flatMap { $0.values(of: "Request-ID") }).count, 3)
  }
}

/// A generator of the caller, which must not be called while the transport holds a lock.
private final class CountingGenerator: RandomNumberGenerator, Sendable {
  private let state = Lock((base: SeededGenerator(seed: 1), count: 0))

  var count: Int { state.withLock { $0.count } }

  func next() -> UInt64 {
    state.withLock { state in
      state.count += 1
      return state.base.next()
    }
  }
}
