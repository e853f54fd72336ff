import AlgoliaTransport
import AsyncInstantSearch
import Foundation
import LocalSearch

/// Measures many concurrent calls: their rate, and the cost of one.
struct Throughput {
  private let asJSON: Bool

  /// Measures concurrent searches with the embedded engine, then over HTTP with each exchange: the
  /// exchange alone, the transport with hosts and retries, and the client with typed pages.
  static func report(asJSON: Bool) async throws {
    let throughput = Throughput(asJSON: asJSON)
    try await throughput.overEngine()
    try await throughput.transportAlone()
    #if os(macOS) || os(Linux)
      let (server, ports) = try ServerChild.start("page")
      defer { server.kill() }
      for contender in NetworkContender.available {
        try await throughput.overHTTP(contender, port: ports[0])
      }
    #endif
  }

  /// Runs on the engine's own threads, and on the pool of Swift concurrency.
  private func overEngine() async throws {
    var onPool = LocalSearch.Configuration()
    onPool.executor = globalConcurrentExecutor
    let engines = [
      ("local.search", LocalSearch()), ("local.searchOnPool", LocalSearch(configuration: onPool)),
    ]
    for (_, engine) in engines {
      try await SearchClient(transport: engine).save(
        (0..<1000).map { ["text": "word \($0)"] }, in: "products")
    }
    for round in 0..<6 {
      let (name, engine) = engines[round % 2]
      let client = SearchClient(transport: engine)
      try await run(name, atOnce: 10_000, count: 10_000) { number in
        let query = SearchQuery("word \(number % 1000)").setting(\.hitsPerPage, to: 1)
        let page = try await client.search("products", query, of: JSON.self)
        if page.hits.isEmpty { throw Mismatch(description: "a search found nothing") }
      }
    }
  }

  /// Measures the transport alone, with an exchange that responds at once.
  private func transportAlone() async throws {
    let answer = HTTPExchangeResponse(status: 200, body: SampleResponse.page(hits: 20))
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: "benchmark",
      configuration: AlgoliaTransport.Configuration(exchange: { _ in answer }))
    let call = TransportRequest(
      .multiQuery, body: Array("{}".utf8))
    for atOnce in [1, 1000] {
      try await run("transport alone", atOnce: atOnce, count: 20_000) { _ in
        try check(await transport.send(call).body)
      }
    }
  }

  private func overHTTP(_ contender: NetworkContender, port: Int) async throws {
    let exchange = try contender.makeExchange()
    let search = SearchRequest("products", SearchQuery("phone"), of: JSON.self)
    let body = try await TransportRequest.sent(json: #"{"results":[{"hits":[]}]}"#) {
      _ = try await $0.search([search])
    }.body
    let request = HTTPExchangeRequest(
      method: .post, url: "http://127.0.0.1:\(port)\(Endpoint.multiQuery.path)",
      headers: [HTTPHeader(name: "Content-Type", value: "application/json")], body: body,
      timeout: .seconds(60))
    let transport = try contender.makeTransport(ports: [port]) { $0.readTimeout = .seconds(60) }
    let call = TransportRequest(
      .multiQuery, body: body)
    let client = SearchClient(transport: transport)
    for atOnce in [1, 16, 1000] {
      try await run("\(contender).exchange", atOnce: atOnce, count: 4000) { _ in
        try check(await exchange(request).body)
      }
      try await run("\(contender).transport", atOnce: atOnce, count: 4000) { _ in
        try check(await transport.send(call).body)
      }
      try await run("\(contender).search", atOnce: atOnce, count: 4000) { _ in
        let page = try await client.search("products", SearchQuery("phone"), of: Hit<Product>.self)
        if page.hits.count != 20 { throw Mismatch(description: "a page has not 20 hits") }
      }
    }
  }

  private func check(_ body: [UInt8]) throws {
    if body.count < 10_000 { throw Mismatch(description: "an answer is too short") }
  }

  /// Makes a number of calls with limited concurrency, and prints the time and the cost.
  private func run(
    _ name: String, atOnce: Int, count: Int,
    call: @escaping @concurrent @Sendable (Int) async throws -> Void
  ) async throws {
    for _ in 0..<20 { try await call(0) }
    let clock = ContinuousClock()
    let (start, processorTime) = (clock.now, ProcessFigures.processorTime)
    let threads = try await withThrowingTaskGroup(of: Void.self) { group in
      var threads = 0
      for number in 0..<count {
        if number >= atOnce { try await group.next() }
        group.addTask { try await call(number) }
        if number % 500 == 0 { threads = max(threads, ProcessFigures.threadCount) }
      }
      threads = max(threads, ProcessFigures.threadCount)
      try await group.waitForAll()
      return threads
    }
    let time = start.duration(to: clock.now).microseconds
    let cost = ((ProcessFigures.processorTime - processorTime) / Double(count)).rounded(toPlaces: 1)
    let rate = Int(Double(count) / time * 1_000_000)
    print(
      asJSON
        ? #"{"name":"throughput.\#(name)","calls":\#(count),"at_once":\#(atOnce),"#
          + #""per_second":\#(rate),"cpu_us":\#(cost),"threads":\#(threads)}"#
        : "throughput.\(name), \(atOnce) at once: \(rate) a second, \(cost) µs of processor time "
          + "each, \(threads) threads")
  }
}
