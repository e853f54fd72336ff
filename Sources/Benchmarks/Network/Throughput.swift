import AlgoliaTransport
import AsyncInstantSearch
import Foundation
import LocalSearch

/// Many calls at once on one client: how many a second, and what one costs.
enum Throughput {
  /// Calls at once over the embedded engine, and then over HTTP with each exchange.
  static func report(asJSON: Bool) async throws {
    let engine = LocalSearch()
    try await engine.save(
      (0..<1000).map { ["text": "word \($0)"] }, in: "products")
    let local = SearchClient(transport: engine)
    try await run("throughput.local", asJSON: asJSON, client: local, atOnce: 10_000, count: 10_000)
    #if os(macOS) || os(Linux)
      let (server, ports) = try ServerChild.start("page")
      defer { server.kill() }
      for contender in NetworkContender.available {
        let client = SearchClient(
          transport: try contender.makeTransport(ports: ports) { $0.readTimeout = .seconds(60) })
        for atOnce in [1, 16, 1000] {
          try await run(
            "throughput.\(contender).\(atOnce)", asJSON: asJSON, client: client, atOnce: atOnce,
            count: 4000)
        }
      }
    #endif
  }

  /// Makes so many calls, so many of them at once, and prints what they took.
  private static func run(
    _ name: String, asJSON: Bool, client: SearchClient, atOnce: Int, count: Int
  ) async throws {
    for _ in 0..<20 { try await call(client, 0) }
    let clock = ContinuousClock()
    let (start, processorTime) = (clock.now, ProcessFigures.processorTime)
    let threads = try await withThrowingTaskGroup(of: Void.self) { group in
      var threads = 0
      for number in 0..<count {
        if number >= atOnce { try await group.next() }
        group.addTask { try await call(client, number) }
        if number % 500 == 0 { threads = max(threads, ProcessFigures.threadCount) }
      }
      threads = max(threads, ProcessFigures.threadCount)
      try await group.waitForAll()
      return threads
    }
    let time = start.duration(to: clock.now).microseconds
    let cost = (ProcessFigures.processorTime - processorTime) / Double(count)
    let rate = Int(Double(count) / time * 1_000_000)
    print(
      asJSON
        ? #"{"name":"\#(name)","calls":\#(count),"at_once":\#(atOnce),"per_second":\#(rate),"#
          + #""cpu_us":\#(cost.rounded(toPlaces: 1)),"threads":\#(threads)}"#
        : "\(name): \(count) calls, \(atOnce) at once: \(rate) a second, "
          + "\(cost.rounded(toPlaces: 1)) µs of processor time each, \(threads) threads")
  }

  private static func call(_ client: SearchClient, _ number: Int) async throws {
    let query = SearchQuery("word \(number % 1000)").setting(\.hitsPerPage, to: 1)
    let page = try await client.search("products", query, of: JSON.self)
    guard !page.hits.isEmpty else { throw Mismatch(description: "a call found nothing") }
  }
}
