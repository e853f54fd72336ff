@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Keystrokes, filter changes and page loads in two sections, in 300 orders of execution.
@Suite(.timeLimit(.minutes(30))) struct MultiIndexHitsSimulationTests {
  private static let keystrokes = ["t", "to", "tom", "tom h", "tom han", "tom hanks"]

  private struct Fixture {
    let executor: SeededExecutor
    let transport: ScriptedTransport
    let searcher: MultiIndexSearcher
    let filters = FilterState()
    let hits: MultiIndexHits<Row, Row>

    init(seed: UInt64, failing: @escaping @Sendable (Int) -> Bool) {
      executor = SeededExecutor(seed: seed)
      let random = SeededRandom(seed: seed &+ 1_000)
      transport = ScriptedTransport { request, _ in
        for _ in 0..<random.number(below: 6) { await Task.yield() }
        if failing(random.number(below: 5)) { throw SearchError(.server, "down") }
        return try rowsOfEach(request)
      }
      searcher = MultiIndexSearcher(
        client: SearchClient(transport: transport), indexNames: ["actors", "movies"],
        options: .init(clock: ManualClock(), executor: executor))
      hits = MultiIndexHits(
        HitsInteractor<Row>(executor: executor), HitsInteractor<Row>(executor: executor),
        executor: executor)
      searcher.connectFilterState(filters, withQueryAtIndex: 1)
      hits.connectSearcher(searcher)
    }
  }

  @Test(arguments: Seed.all(300))
  func everyStateBelongsToOneSearchAndTheLastToTheLastSearch(seed: Seed) {
    let fixture = Fixture(seed: seed.value) { $0 == 0 }
    let (executor, searcher, hits) = (fixture.executor, fixture.searcher, fixture.hits)
    let random = SeededRandom(seed: seed.value &+ 2_000)
    let shown = Lock<[(HitsState<Row>, HitsState<Row>)]>([])
    let states = hits.states(buffering: .unbounded)
    let interactor = hits.interactor
    let reader = Task(executorPreference: executor) {
      for await (actors, movies) in states {
        let count = shown.withLock { shown in
          shown.append((actors, movies))
          return shown.count
        }
        if count < 60 {
          interactor.notifyDidPresentRow(
            atIndex: random.number(below: 100), inSection: random.number(below: 2))
        }
      }
    }
    let searchErrors = searcher.errors(buffering: .unbounded)
    let again = Task(executorPreference: executor) {
      for await _ in searchErrors where searcher.request[0].query.query == Self.keystrokes.last {
        searcher.submit()
      }
    }
    let filters = fixture.filters
    let typist = Task(executorPreference: executor) {
      for text in Self.keystrokes {
        searcher.setQuery(text)
        for _ in 0..<random.number(below: 30) { await Task.yield() }
        filters.update {
          $0[or: "genres"].toggle("genres" == ["Drama", "Crime"][random.number(below: 2)])
        }
        for _ in 0..<random.number(below: 30) { await Task.yield() }
      }
    }
    executor.runUntilIdle()

    let all = shown.withLock { $0 }
    let last = all.last
    expectEqual(last?.0.query, Self.keystrokes.last, "seed \(seed.value)")
    expectEqual(last?.1.query, Self.keystrokes.last, "seed \(seed.value)")
    expectEqual(last?.1.request?.filterGroups, filters.groups, "seed \(seed.value)")
    #expect(last?.0.isLoading == false && last?.1.isLoading == false, "seed \(seed.value)")
    #expect(last?.0.failure == nil && last?.1.failure == nil, "seed \(seed.value)")
    for (actors, movies) in all {
      expectEqual(actors.generation, movies.generation, "seed \(seed.value)")
      expectEqual(actors.isLoading, movies.isLoading, "seed \(seed.value)")
      expectEqual(actors.failure, movies.failure, "seed \(seed.value)")
      for state in [actors, movies] {
        let text = (state.query ?? "") + ((try? state.request?.filterGroups.rowText) ?? "")
        let isRight = state.hits.enumerated().allSatisfy { index, row in
          row.map { $0.row == index && $0.text == text } ?? true
        }
        #expect(isRight, "seed \(seed.value)")
        #expect(!(state.isLoading && state.isLoadingPage), "seed \(seed.value)")
      }
    }
    let generations = all.map(\.0.generation)
    expectEqual(generations, generations.sorted(), "seed \(seed.value)")
    for task in [reader, again, typist] { task.cancel() }
    executor.runUntilIdle()
  }

  @Test(arguments: Seed.all(300))
  func burstOfKeystrokesLoadsOnceAndUpdatesOnce(seed: Seed) {
    let fixture = Fixture(seed: seed.value) { _ in false }
    let shown = Lock<[(loading: Bool, query: String)]>([])
    let states = fixture.hits.states(buffering: .unbounded)
    let reader = Task(executorPreference: fixture.executor) {
      for await (actors, movies) in states {
        shown.withLock { $0.append((actors.isLoading, movies.query ?? "")) }
      }
    }
    fixture.executor.runUntilIdle()
    for text in Self.keystrokes {
      fixture.searcher.setQuery(text)
      fixture.filters.update { $0[and: "years"].toggle("year" == 1999) }
    }
    fixture.executor.runUntilIdle()
    expectEqual(shown.withLock { $0.map(\.loading) }, [false, true, false], "seed \(seed.value)")
    expectEqual(shown.withLock { $0.map(\.query) }, ["", "", "tom hanks"], "seed \(seed.value)")
    reader.cancel()
    fixture.executor.runUntilIdle()
  }
}
