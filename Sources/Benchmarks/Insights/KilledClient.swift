import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation

/// The child's part of ``KilledClients``: tracks numbered events as fast as it can, until it is
/// killed, and says on its standard output what has happened:
///
///     t 7          event 7 was tracked
///     r 5 6 7      the service has received a call with these events
///     a 5 6 7      the journal has noted that these are done with
enum KilledClient {
  /// Tracks events.
  ///
  /// - Parameters:
  ///   - journal: The journal's path.
  ///   - first: The number of the first event; `nil` to track none, but to send all that wait.
  ///   - seed: Decides which calls fail.
  static func run(journal: String, first: Int?, seed: UInt64) async throws {
    let client = try InsightsClient(
      transport: Service(seed: seed),
      userToken: "u",
      storage: ReportingJournal(
        InsightsJournal(path: journal, synchronization: .never, compactionByteCount: 4_000)),
      configuration: .init(
        batchSize: 3, flushInterval: .milliseconds(5), maximumWaitingEvents: 200,
        initialBackOff: .microseconds(200), maximumBackOff: .milliseconds(2)))
    guard let first else {
      while await client.flush().leftCount > 0 {}
      return
    }
    for number in first... {
      let event = InsightsEvent.viewed(objectIDs: ["\(number)"], named: "Seen", in: "films")
      while await client.waitingCount == 200 { await client.flush() }
      try await client.track(event)
      say("t", [number])
    }
  }

  /// Writes a line with one call to the system, so that no part of it is lost with the process.
  fileprivate static func say(_ word: String, _ numbers: [Int]) {
    let line = ([word] + numbers.map(\.description)).joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }

  /// The number of an event.
  fileprivate static func number(_ event: JSON) -> Int? {
    event["objectIDs"]?[0]?.stringValue.flatMap { Int($0) }
  }
}

/// Receives events, and fails at one call of five: sometimes after it has received them.
private final class Service: SearchTransport {
  private let generator: Lock<SeededGenerator>

  init(seed: UInt64) { generator = Lock(SeededGenerator(seed: seed)) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let chance = generator.withLock { Int.random(in: 0..<10, using: &$0) }
    if chance == 0 { return TransportResponse(status: 503, body: []) }
    let events = try JSON(parsing: request.body)["events"]?.arrayValue ?? []
    KilledClient.say("r", events.compactMap(KilledClient.number))
    if chance == 1 { throw SearchError(.unreachable, "The answer was lost.") }
    return TransportResponse(status: 200, body: [])
  }
}

/// A journal that says what it has noted.
private final class ReportingJournal: InsightsStorage {
  private let journal: InsightsJournal
  private let numbers = Lock<[UInt64: Int]>([:])

  init(_ journal: InsightsJournal) { self.journal = journal }

  func begin() throws(SearchError) -> InsightsBacklog {
    let backlog = try journal.begin()
    for record in backlog.records { remember(record) }
    return backlog
  }

  func append(_ record: InsightsRecord) throws(SearchError) {
    try journal.append(record)
    remember(record)
  }

  func acknowledge(_ ids: [UInt64]) throws(SearchError) {
    try journal.acknowledge(ids)
    KilledClient.say(
      "a", numbers.withLock { numbers in ids.compactMap { numbers.removeValue(forKey: $0) } })
  }

  func end() { journal.end() }

  private func remember(_ record: InsightsRecord) {
    let number = (try? JSON(parsing: record.event)).flatMap(KilledClient.number)
    numbers.withLock { $0[record.id] = number }
  }
}
