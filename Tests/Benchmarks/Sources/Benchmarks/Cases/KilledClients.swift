import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation
import Synchronization

/// Kills processes that track events. Clients with one journal are killed in sequence during their
/// work, and a last one sends the remaining events.
///
/// Every event whose `track` returned must be received, none after the journal has acknowledged it,
/// and all in the order in which they were tracked.
struct KilledClients {
  /// The observed events.
  private var tracked: Set<Int> = []
  private var received: Set<Int> = []
  private var acknowledged: Set<Int> = []
  private var repeatedCount = 0
  private var lastFirstReceipt = 0
  private var highest = 0
  private var violations: [String] = []

  /// Kills a number of clients and prints the results.
  ///
  /// - Throws: ``Mismatch`` if a guarantee was broken.
  static func report(count: Int, seed: UInt64, asJSON: Bool) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("insights-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let journal = folder.appendingPathComponent("events.journal").path
    var generator = SeededGenerator(seed: seed)
    var clients = KilledClients()
    for run in 0..<count {
      let wait = Int.random(in: 0...6_000, using: &generator)
      let pause = UInt32.random(in: 0...3_000, using: &generator)
      let text = try start(
        ["insights-child", journal, "\(clients.highest + 2)", "\(seed &+ UInt64(run))"],
        killedAfter: (wait, pause))
      clients.read(text)
    }
    clients.read(try start(["insights-child", journal, "-", "0"], killedAfter: nil))
    try clients.finish(count: count, seed: seed, asJSON: asJSON)
  }

  /// Starts this program and returns its output.
  ///
  /// - Parameter limit: The number of bytes after which it is killed, and the delay in
  ///   microseconds.
  private static func start(
    _ arguments: [String], killedAfter limit: (byteCount: Int, pause: UInt32)?
  ) throws -> String {
    #if os(macOS) || os(Linux)
      let child = try RunningChild(arguments)
      var text = Data()
      var limit = limit
      while true {
        if let reached = limit, text.count >= reached.byteCount {
          usleep(reached.pause)
          child.kill()
          limit = nil
        }
        let data = child.nextOutput()
        if data.isEmpty { break }
        text += data
      }
      switch child.end(within: 60) {
      case .ended, .crashed(-SIGKILL): return String(decoding: text, as: UTF8.self)
      case .crashed(let status):
        throw ChildProcess.Failure(description: "a client ended by itself, with \(status)")
      case .hung: throw ChildProcess.Failure(description: "a client did not end")
      }
    #else
      throw ChildProcess.Failure(description: "this system starts no programs")
    #endif
  }

  private mutating func read(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      highest = max(highest, numbers.max() ?? 0)
      switch words.first {
      case "t": tracked.formUnion(numbers)
      case "a": acknowledged.formUnion(numbers)
      case "r": numbers.forEach { receive($0) }
      default: violations.append("a client said \(line.debugDescription)")
      }
    }
  }

  private mutating func receive(_ number: Int) {
    if acknowledged.contains(number) { violations.append("\(number) came after it was noted") }
    if received.insert(number).inserted {
      if number < lastFirstReceipt {
        violations.append("\(number) came after \(lastFirstReceipt)")
      }
      lastFirstReceipt = number
    } else {
      repeatedCount += 1
    }
  }

  private func finish(count: Int, seed: UInt64, asJSON: Bool) throws {
    let lost = tracked.subtracting(received).sorted()
    let problems = violations + lost.map { "\($0) was lost" }
    guard problems.isEmpty else {
      throw Mismatch(description: "seed \(seed): " + problems.prefix(20).joined(separator: "; "))
    }
    if asJSON {
      print(
        #"{"name":"insights","killed":\#(count),"tracked":\#(tracked.count),"#
          + #""received":\#(received.count),"repeated":\#(repeatedCount),"lost":0,"#
          + #""after_acknowledgement":0,"seed":\#(seed)}"#)
    } else {
      print(
        """
        insights: \(count) clients killed; \(tracked.count) events tracked, none lost, none sent \
        after it was noted, all in order; \(repeatedCount) sent again before that (seed \(seed))
        """)
    }
  }
}

/// The child process of ``KilledClients``. It tracks numbered events as fast as it can until it is
/// killed, and reports on its standard output:
///
///     t 7          event 7 was tracked
///     r 5 6 7      the service has received a call with these events
///     a 5 6 7      the journal has acknowledged these events
enum KilledClient {
  /// Tracks events.
  ///
  /// - Parameters:
  ///   - journal: The journal's path.
  ///   - first: The number of the first event. `nil` tracks no events and sends all waiting ones.
  ///   - seed: Determines which calls fail.
  static func run(journal: String, first: Int?, seed: UInt64) async throws {
    let client = try InsightsClient(
      transport: Service(seed: seed),
      userToken: "u",
      storage: ReportingJournal(
        InsightsJournal(path: journal, synchronization: .never)),
      configuration: .init(
        batchSize: 3, flushInterval: .milliseconds(5), maximumWaitingEvents: 200,
        initialBackOff: .microseconds(200), maximumBackOff: .milliseconds(2)))
    guard let first else {
      while await client.flush().remainingCount > 0 {}
      return
    }
    // Some tens of such events make the journal compact itself.
    let padding = (0..<15).map { String(repeating: "\($0)", count: 60) }
    for number in first... {
      let event = InsightsEvent.viewed(
        objectIDs: ["\(number)"] + padding, named: "Seen", in: "films")
      while await client.waitingCount == 200 { await client.flush() }
      try await client.track(event)
      say("t", [number])
    }
  }

  /// Writes a line with one system call, so that no part of it is lost when the process ends.
  fileprivate static func say(_ word: String, _ numbers: [Int]) {
    let line = ([word] + numbers.map(\.description)).joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }

  /// The number of an event.
  fileprivate static func number(_ event: JSON) -> Int? {
    event["objectIDs"]?[0]?.stringValue.flatMap { Int($0) }
  }
}

/// Receives events, and fails for one call of five, sometimes after it has received them.
private final class Service: SearchTransport {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let chance = generator.withLock { Int.random(in: 0..<10, using: &$0) }
    if chance == 0 { return TransportResponse(status: 503, body: []) }
    let events = try JSON(parsing: request.body)["events"]?.arrayValue ?? []
    KilledClient.say("r", events.compactMap(KilledClient.number))
    if chance == 1 { throw SearchError(.unreachable, "The answer was lost.") }
    return TransportResponse(status: 200, body: [])
  }
}

/// A journal that reports its acknowledgments.
private final class ReportingJournal: InsightsStorage {
  private let journal: InsightsJournal
  private let numbers = Mutex<[UInt64: Int]>([:])

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
