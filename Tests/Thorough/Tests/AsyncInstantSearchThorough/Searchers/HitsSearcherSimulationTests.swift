@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchJSON
import TestSupport
import Testing

/// The same keystrokes in 300 orders of execution: the last query typed is the last page shown.
@Suite struct HitsSearcherSimulationTests {
  private static let keystrokes = ["g", "go", "god", "godf", "godfa", "godfat", "godfather"]

  @Test(arguments: Seed.all(300))
  func lastPageShownIsThatOfTheLastQuery(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let faults = Lock(SeededGenerator(seed: seed.value &+ 1_000))
    // About every third call fails, also that of the last query. Every call yields to the executor
    // several times.
    let transport = ScriptedTransport { request, _ in
      for _ in 0..<faults.withLock({ Int.random(in: 0..<8, using: &$0) }) { await Task.yield() }
      let text = try JSONDocument(request.body).root["query"]?.string ?? ""
      if faults.withLock({ Int.random(in: 0..<3, using: &$0) == 0 }) {
        throw SearchError(.server, text)
      }
      return try echo(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock(), executor: executor))
    let shown = Lock<[String]>([])
    let failed = Lock<[String]>([])

    let consumer = Task(executorPreference: executor) {
      for await page in searcher.pages(of: Echo.self) {
        shown.withLock { $0.append(page.hits.first?.text ?? "nothing") }
      }
    }
    let subscription = searcher.errors
    let errors = Task(executorPreference: executor) {
      for await error in subscription {
        failed.withLock { $0.append(error.message) }
        // The same query can be searched again at once.
        if error.message == Self.keystrokes.last { searcher.submit() }
      }
    }
    let typist = Task(executorPreference: executor) {
      for text in Self.keystrokes {
        searcher.setQuery(text)
        await Task.yield()
      }
    }
    executor.runUntilIdle()

    expectEqual(shown.withLock { $0.last }, Self.keystrokes.last, "seed \(seed.value)")
    expectEqual(searcher.state, .idle, "seed \(seed.value)")
    // No page or error of an older query follows one of a newer query.
    for outcomes in [shown.withLock { $0 }, failed.withLock { $0 }] {
      let order = outcomes.compactMap(Self.keystrokes.firstIndex)
      expectEqual(order.count, outcomes.count, "seed \(seed.value)")
      expectEqual(order, order.sorted(), "seed \(seed.value)")
    }
    consumer.cancel()
    errors.cancel()
    typist.cancel()
    executor.runUntilIdle()
  }
}
