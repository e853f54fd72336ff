import AsyncInstantSearch
import AsyncInstantSearchTesting
import Testing

/// The same keystrokes in 300 orders of execution: the last query typed is the last page shown.
@Suite struct HitsSearcherSimulationTests {
  private static let keystrokes = ["g", "go", "god", "godf", "godfa", "god", "godfather"]

  @Test(arguments: 0..<UInt64(300))
  func theLastQueryTypedIsTheLastPageShown(seed: UInt64) {
    let executor = SeededExecutor(seed: seed)
    let faults = Lock(SeededGenerator(seed: seed &+ 1_000))
    // Every third call or so fails, but never one for the last query.
    let transport = FaultyTransport(
      wrapping: ScriptedTransport { request, _ in
        for _ in 0..<faults.withLock({ Int.random(in: 0..<8, using: &$0) }) { await Task.yield() }
        return try echo(request)
      }
    ) { request, _ in
      let isLast = (try? echo(request).body) == (try? echo(Self.request("godfather")).body)
      let fails = faults.withLock { Int.random(in: 0..<3, using: &$0) == 0 }
      return fails && !isLast ? .status(500, "down") : nil
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index", clock: ManualClock(),
      executor: executor)
    let shown = Lock<[String]>([])
    let failed = Lock(0)

    let consumer = Task(executorPreference: executor) {
      for await page in searcher.pages(of: Echo.self) {
        shown.withLock { $0.append(page.hits.first?.text ?? "nothing") }
      }
    }
    let errors = Task(executorPreference: executor) {
      for await _ in searcher.errors { failed.withLock { $0 += 1 } }
    }
    let typist = Task(executorPreference: executor) {
      for text in Self.keystrokes {
        searcher.setQuery(text)
        await Task.yield()
      }
    }
    executor.runUntilIdle()

    #expect(shown.withLock { $0.last } == "godfather", "seed \(seed)")
    #expect(searcher.state == .idle, "seed \(seed)")
    consumer.cancel()
    errors.cancel()
    typist.cancel()
    executor.runUntilIdle()
  }

  private static func request(_ text: String) -> TransportRequest {
    TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "index", "query"],
      body: Array(#"{"query":"\#(text)"}"#.utf8), callType: .read)
  }
}
