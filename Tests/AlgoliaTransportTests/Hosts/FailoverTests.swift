import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Hosts that fail in every way, and calls with deadlines shorter and longer than the timeouts.
struct FailoverTests {
  /// What a host does with a request.
  private enum Behavior {
    /// It accepts the connection and is silent.
    case hangs
    /// It refuses the connection.
    case refuses
    /// It ends the connection.
    case resets
    /// It responds after a time, which may be too late.
    case answers(after: Duration)
  }

  /// An exchange with hosts named `0`, `1` …, whose time passes on a manual clock.
  private static func exchange(_ behaviors: [Behavior], _ clock: ManualClock) -> HTTPExchange {
    { request in
      let name = request.url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "." }
      let behavior = behaviors[Int(name.dropFirst()) ?? 0]
      func wait(_ duration: Duration) async throws {
        guard duration < request.timeout else {
          clock.advance(by: request.timeout)
          await untilCancelled()
          throw CancellationError()
        }
        clock.advance(by: duration)
      }
      switch behavior {
      case .hangs: try await wait(.seconds(3_600))
      case .refuses: throw HTTPExchangeError.network("connection refused")
      case .resets:
        clock.advance(by: .milliseconds(10))
        throw HTTPExchangeError.network("connection reset")
      case .answers(let time): try await wait(time)
      }
      return HTTPExchangeResponse(status: 200, body: Array("{}".utf8))
    }
  }

  private static func transport(
    _ behaviors: [Behavior], _ clock: ManualClock
  ) -> AlgoliaTransport {
    var configuration = AlgoliaTransport.Configuration(
      exchange: exchange(behaviors, clock), clock: clock)
    configuration.hosts = behaviors.indices.map { SearchHost("h\($0).test") }
    return AlgoliaTransport(appID: "APPID", apiKey: "sekret", configuration: configuration)
  }

  @Test(arguments: Seed.all(300, quick: 300))
  func aGoodHostAnswersAfterTwoCalls(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let clock = ManualClock()
    var behaviors: [Behavior] = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .refuses
      case 1: .resets
      case 2: .answers(after: .milliseconds(Int.random(in: 100...9_000, using: &random)))
      default: .hangs
      }
    }
    behaviors.insert(
      .answers(after: .milliseconds(20)),
      at: Int.random(in: 0...behaviors.count, using: &random))
    let transport = Self.transport(behaviors, clock)
    let deadline =
      Bool.random(using: &random)
      ? Duration.milliseconds(Int.random(in: 300...20_000, using: &random)) : nil
    for number in 1...4 {
      let start = clock.now
      var request = TransportRequest.sampleRead
      request.deadline = deadline.map { Deadline(after: $0, clock: clock) }
      let status = try? await transport.send(request).status
      if let deadline {
        let taken = start.duration(to: clock.now)
        #expect(taken <= deadline + .milliseconds(1), "\(taken) of \(deadline)")
      }
      if number > 2 { expectEqual(status, 200, "call \(number) to \(behaviors)") }
    }
  }

  @Test func aHostThatUsesUpTheDeadlineIsAskedLast() async throws {
    let clock = ManualClock()
    let transport = Self.transport([.hangs, .answers(after: .milliseconds(20))], clock)
    var request = TransportRequest.sampleRead
    request.deadline = Deadline(after: .seconds(2), clock: clock)
    let error = try await searchError(of: transport, sending: request)
    expectEqual(error.code, .timedOut)
    let start = clock.now
    for _ in 0..<5 {
      request.deadline = Deadline(after: .seconds(2), clock: clock)
      try await expectEqual(transport.send(request).status, 200)
    }
    expectEqual(start.duration(to: clock.now), .milliseconds(100))
  }

  /// A host that hangs is not asked first for good, because the other one was slow once.
  @Test func slowHostsTakeTurns() async throws {
    let clock = ManualClock()
    let isSlow = Lock(false)
    var configuration = AlgoliaTransport.Configuration(
      exchange: { request in
        guard request.url.contains("good"), !isSlow.withLock({ $0 }) else {
          clock.advance(by: request.timeout)
          await untilCancelled()
          throw CancellationError()
        }
        return HTTPExchangeResponse(status: 200, body: [])
      }, clock: clock)
    configuration.hosts = [SearchHost("hangs.test"), SearchHost("good.test")]
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret", configuration: configuration)
    var statuses: [Int?] = []
    for number in 1...6 {
      isSlow.withLock { $0 = number == 2 }
      var request = TransportRequest.sampleRead
      request.deadline = Deadline(after: .seconds(2), clock: clock)
      statuses.append(try? await transport.send(request).status)
    }
    expectEqual(statuses, [nil, nil, nil, 200, 200, 200])
  }

  /// On a slow network the first host has the whole time again.
  @Test func shortTimesOfManyHostsAreNotForGood() async throws {
    let clock = ManualClock()
    let time = Lock(Duration.seconds(1.5))
    var configuration = AlgoliaTransport.Configuration(
      exchange: { request in
        let duration = time.withLock { $0 }
        clock.advance(by: min(duration, request.timeout))
        guard duration < request.timeout else {
          await untilCancelled()
          throw CancellationError()
        }
        return HTTPExchangeResponse(status: 200, body: [])
      }, clock: clock)
    configuration.hosts = (0..<4).map { SearchHost("h\($0).test") }
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret", configuration: configuration)
    func isAnswered() async -> Bool {
      var request = TransportRequest.sampleRead
      request.deadline = Deadline(after: .seconds(2), clock: clock)
      return (try? await transport.send(request).status) == 200
    }
    await #expect(isAnswered())
    time.withLock { $0 = .seconds(3) }
    await #expect(!isAnswered())
    time.withLock { $0 = .seconds(1.5) }
    _ = await isAnswered()
    await #expect(isAnswered())
    await #expect(isAnswered())
  }
}
