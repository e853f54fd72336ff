@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import AsyncInstantSearchInsights
@testable import AsyncInstantSearchTesting
import Foundation

/// A service that responds to events as the test directs, and records what it receives.
final class InsightsServer: SearchTransport {
  typealias Script =
    @concurrent @Sendable (_ names: [String], _ number: Int) async throws -> TransportResponse

  /// The names of the events of each call, as they arrive.
  let arrivals: AsyncStream<[String]>
  private let transport: ScriptedTransport

  init(_ script: @escaping Script = { _, _ in .taken }) {
    let (arrivals, continuation) = AsyncStream.makeStream(of: [String].self)
    self.arrivals = arrivals
    transport = ScriptedTransport { request, number in
      let names = Self.names(request)
      continuation.yield(names)
      return try await script(names, number)
    }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await transport.send(request)
  }

  var requests: [TransportRequest] { transport.requests }

  /// The names of the events of each call.
  var batches: [[String]] { transport.requests.map(Self.names) }

  /// The events of the first call, as JSON.
  var firstEvents: [JSON] { transport.requests.first.map(Self.events) ?? [] }

  private static func names(_ request: TransportRequest) -> [String] {
    events(request).compactMap { $0["eventName"]?.stringValue }
  }

  private static func events(_ request: TransportRequest) -> [JSON] {
    (try? JSON(parsing: request.body))?["events"]?.arrayValue ?? []
  }
}

extension TransportResponse {
  static let taken = TransportResponse(
    status: 200, body: Array(#"{"status":200,"message":"OK"}"#.utf8))

  static func refusal(_ status: Int, retryAfter: String? = nil) -> TransportResponse {
    TransportResponse(
      status: status,
      headers: retryAfter.map { [HTTPHeader(name: "Retry-After", value: $0)] } ?? [],
      body: Array(#"{"status":\#(status),"message":"No."}"#.utf8))
  }
}

/// The date of the tests.
let testDay = Date(timeIntervalSince1970: 1_700_000_000)

/// An event with a unique name.
func event(_ number: Int) -> InsightsEvent {
  .viewed(objectIDs: ["1"], named: "e\(number)", in: "films")
}

/// The names of events.
func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "e\($0)" } }

/// A storage that fails when the test directs it to.
final class FaultyStorage: InsightsStorage {
  private let base = InMemoryInsightsStorage()
  private let isFull = Lock(false)
  private let acknowledgedIDs = Lock<[UInt64]>([])

  /// The acknowledged events, in order of acknowledgment.
  var acknowledged: [UInt64] { acknowledgedIDs.withLock { $0 } }

  func setFull(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

  func begin() throws(SearchError) -> InsightsBacklog { try base.begin() }

  func append(_ record: InsightsRecord) throws(SearchError) {
    try check()
    base.append(record)
  }

  func acknowledge(_ ids: [UInt64]) throws(SearchError) {
    try check()
    base.acknowledge(ids)
    acknowledgedIDs.withLock { $0 += ids }
  }

  func end() { base.end() }

  private func check() throws(SearchError) {
    if isFull.withLock({ $0 }) { throw SearchError(.storage, "The disk is full.") }
  }
}
