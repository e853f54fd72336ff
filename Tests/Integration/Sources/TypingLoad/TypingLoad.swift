import AsyncHTTPClient
import Foundation
import NIOCore

/// Opens many live pages of FilmsPage at once, types into each, and prints how long it takes from
/// a key to the event with the films.
///
///     TypingLoad PORT VISITORS SECONDS [SECONDS BETWEEN KEYS]
@main
struct TypingLoad {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
    guard arguments.count >= 3 else {
      print("usage: TypingLoad PORT VISITORS SECONDS [SECONDS BETWEEN KEYS]")
      return
    }
    let load = TypingLoad(
      site: "http://127.0.0.1:\(Int(arguments[0]))", visitorCount: Int(arguments[1]),
      duration: .seconds(arguments[2]),
      interval: .seconds(arguments.count > 3 ? arguments[3] : 1))
    try await load.run()
  }

  let site: String
  let visitorCount: Int
  let duration: Duration
  let interval: Duration

  /// What happened to one visitor.
  struct Report: Sendable {
    var times: [Duration] = []
    var missed = 0
    /// Whether the server said that it ends, before the events ended.
    var wasTold = false
    var isBroken = false
  }

  private func run() async throws {
    var configuration = HTTPClient.Configuration(
      connectionPool: .init(
        idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: 2 * visitorCount))
    configuration.timeout = .init(connect: .seconds(10))
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let gate = Gate(visitorCount)
    let reports = await withTaskGroup(of: Report.self) { group in
      for number in 0..<visitorCount {
        group.addTask { await visit(number, client, gate) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    try await client.shutdown()
    let times = reports.flatMap(\.times).sorted()
    func milliseconds(_ share: Double) -> String {
      if times.isEmpty { return "-" }
      let time = times[min(Int(Double(times.count) * share), times.count - 1)]
      return "\((time / .microseconds(100)).rounded() / 10) ms"
    }
    print(
      "\(reports.count) visitors, \(times.count) keys: median \(milliseconds(0.5)),",
      "p99 \(milliseconds(0.99)), slowest \(milliseconds(1)),",
      "\(reports.reduce(0) { $0 + $1.missed }) that changed no film;",
      "\(reports.count(where: \.wasTold)) told of the end,",
      "\(reports.count(where: \.isBroken)) broken")
  }

  /// Words that find other films with each letter.
  private static let words = [
    "godfather", "casablanca", "samurai", "alien", "vertigo", "metropolis", "spirited", "shining",
    "parasite", "amadeus",
  ]

  /// One visitor, who types a letter after the other.
  private func visit(
    _ number: Int, _ client: HTTPClient, _ gate: Gate
  ) async -> Report {
    let events = Events()
    do {
      let response = try await client.execute(
        HTTPClientRequest(url: "\(site)/live"), timeout: .hours(1))
      return await withTaskGroup(of: Void.self) { group in
        group.addTask { await events.read(response.body) }
        let visitor = await events.visitor()
        await gate.pass()
        if let visitor { await type(number, client, visitor, events) }
        group.cancelAll()
        return await events.report
      }
    } catch {
      await gate.pass()
      return Report(isBroken: true)
    }
  }

  private func type(
    _ number: Int, _ client: HTTPClient, _ visitor: String, _ events: Events
  ) async {
    let end = ContinuousClock.now + duration
    // The visitors do not type in step, and begin when the opening of the last pages is over.
    let start = .seconds(2) + interval * (Double(number) / Double(visitorCount))
    try? await Task.sleep(for: start)
    var action = 0
    var next = ContinuousClock.now
    while ContinuousClock.now < end, await !events.isAtEnd {
      let word = Self.words[(number + action / 8) % Self.words.count]
      let text = word.prefix(2 + action % 8)
      action += 1
      var request = HTTPClientRequest(
        url: "\(site)/live/\(visitor)?action=\(action)&form=typing")
      request.method = .POST
      request.body = .bytes(ByteBuffer(string: "query=\(text)"))
      await events.begin(action)
      do {
        let response = try await client.execute(request, timeout: .seconds(20))
        if response.status != .noContent { await events.fail() }
      } catch {
        await events.fail()
      }
      next += interval
      try? await Task.sleep(until: next, clock: .continuous)
    }
  }
}

/// Opens when all visitors have come: opening a page is no typing.
actor Gate {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { missing = count }

  func pass() async {
    missing -= 1
    if missing <= 0 {
      for continuation in waiting { continuation.resume() }
      waiting = []
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }
}

/// The events of one visitor.
actor Events {
  private(set) var report = TypingLoad.Report()
  private(set) var isAtEnd = false
  private var id: String?
  private var waiting: CheckedContinuation<String?, Never>?
  private var pending: (action: Int, start: ContinuousClock.Instant)?

  private struct Update: Decodable {
    var visitor: String
    var action: Int
    var regions: [String: String]
  }

  /// Reads events until they end.
  func read(_ body: HTTPClientResponse.Body) async {
    var buffer = ""
    do {
      for try await bytes in body {
        buffer += String(buffer: bytes)
        while let end = buffer.firstRange(of: "\n\n") {
          receive(buffer[..<end.lowerBound])
          buffer = String(buffer[end.upperBound...])
        }
      }
    } catch {
      if !Task.isCancelled { report.isBroken = !report.wasTold }
    }
    isAtEnd = true
    waiting.take()?.resume(returning: nil)
  }

  private func receive(_ event: Substring) {
    if event.hasPrefix("event: end") { report.wasTold = true }
    guard let data = event.firstRange(of: "data: {"),
      let update = try? JSONDecoder().decode(
        Update.self, from: Data(event[event.index(before: data.upperBound)...].utf8))
    else { return }
    id = update.visitor
    waiting.take()?.resume(returning: update.visitor)
    guard let pending, update.action >= pending.action, update.regions["hits"] != nil else {
      return
    }
    report.times.append(ContinuousClock.now - pending.start)
    self.pending = nil
  }

  /// The ID of the visitor; `nil` if the events ended before it came.
  func visitor() async -> String? {
    if let id { return id }
    if isAtEnd { return nil }
    return await withCheckedContinuation { waiting = $0 }
  }

  /// A key is pressed.
  func begin(_ action: Int) {
    if pending != nil { report.missed += 1 }
    pending = (action, .now)
  }

  func fail() {
    if !isAtEnd { report.isBroken = true }
  }
}
