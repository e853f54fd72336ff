import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import LocalSearch
import TestSupport
import Testing

@testable import TypesenseTransport

struct ReplayTests {
  /// Answers requests as recorded, in order.
  private final class Replay: Sendable {
    private let exchanges: Lock<ArraySlice<Exchanged>>
    private let step = Lock(0)
    let surprises = Lock<[String]>([])

    init(_ exchanges: [Exchanged]) { self.exchanges = Lock(exchanges[...]) }

    func begin(_ number: Int) { step.withLock { $0 = number } }

    /// The number of exchanges that nothing has asked for.
    var restCount: Int { exchanges.withLock { $0.count } }

    func send(_ request: HTTPExchangeRequest) throws -> HTTPExchangeResponse {
      let asked = Exchanged(
        step: step.withLock { $0 }, method: request.method.rawValue,
        target: Recording.target(of: request.url),
        request: String(decoding: request.body, as: UTF8.self), status: 0, response: "")
      let recorded = exchanges.withLock { $0.popFirst() }
      guard let recorded, recorded.isRequest(asked), recorded.step == asked.step else {
        surprises.withLock {
          $0.append(
            "\(asked.step) \(asked.method) \(asked.target) \(asked.request)\nrecorded: "
              + (recorded.map { "\($0.step) \($0.method) \($0.target) \($0.request)" } ?? "nothing")
          )
        }
        throw SearchError(.invalidRequest, "The request was not recorded.")
      }
      return HTTPExchangeResponse(status: recorded.status, body: Array(recorded.response.utf8))
    }
  }

  @Test(
    "Recorded exchanges of calls of every kind have the answers of the engine",
    arguments: Session.Recorded.allCases)
  func session(recorded: Session.Recorded) async throws {
    let exchanges = try Recording.exchanges(recorded.rawValue)
    let replay = Replay(exchanges)
    let names = Lock(Recording.names(in: exchanges)[...])
    // The clock stands still, so a busy machine is no reason for a timeout.
    var configuration = TypesenseTransport.Configuration(
      propagation: .zero, directory: "session", exchange: { try replay.send($0) },
      clock: ManualClock())
    configuration.makeName = { names.withLock { $0.popFirst() ?? "none" } }
    let transport = TypesenseTransport(
      nodes: [SearchHost("127.0.0.1", scheme: .http, port: 8108)], apiKey: "key",
      configuration: configuration)
    let engine = LocalSearch()
    var estimateCount = 0
    for (number, step) in recorded.steps.enumerated() {
      replay.begin(number)
      let one = try await transport.send(step.request)
      let other = try await engine.send(step.request)
      expectEqual(replay.surprises.withLock { $0 }, [])
      guard step.isEqual else {
        #expect(one.status < 500, "\(number) \(step.name)")
        if try JSON(parsing: one.body)["exhaustiveNbHits"] == false { estimateCount += 1 }
        continue
      }
      expectEqual(one.status, other.status, "\(number) \(step.name)")
      expectEqual(Session.comparable(one), Session.comparable(other), "\(number) \(step.name)")
    }
    expectEqual(replay.restCount, 0)
    // The number of groups is no exact count there.
    if recorded == .later { expectEqual(estimateCount, 1) }
  }
}
