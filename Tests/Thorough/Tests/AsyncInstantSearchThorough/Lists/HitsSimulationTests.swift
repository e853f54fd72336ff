@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Keystrokes and filter changes with page loads in flight, in 300 orders of execution.
@Suite(.timeLimit(.minutes(30))) struct HitsSimulationTests {
  private static let keystrokes = ["g", "go", "god", "godf", "godfa", "godfat", "godfather"]

  @Test(arguments: Seed.all(300))
  func listShowsTheLastQueryTyped(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let random = SeededRandom(seed: seed.value &+ 1_000)
    // Every fifth call fails, searches and pages alike. Every call yields to the executor several
    // times.
    let transport = ScriptedTransport { request, _ in
      for _ in 0..<random.number(below: 6) { await Task.yield() }
      if random.number(below: 5) == 0 { throw SearchError(.server, "down") }
      return try rows(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock(), executor: executor))
    let interactor = HitsInteractor<Row>(pageCleanUpOffset: 1, executor: executor)
    let filters = FilterState()
    searcher.connectFilterState(filters)
    interactor.connectSearcher(searcher)
    let shown = Lock<[HitsState<Row>]>([])
    let failures = Lock<[SearchError]>([])

    let states = interactor.states(buffering: .unbounded)
    let reader = Task(executorPreference: executor) {
      for await state in states {
        shown.withLock { $0.append(state) }
        // Presents rows near and far, up to a number of pages, so that it ends.
        if shown.withLock({ $0.count }) < 60 {
          interactor.notifyDidPresentRow(atIndex: random.number(below: 100))
        }
      }
    }
    let errors = interactor.errors(buffering: .unbounded)
    let errorReader = Task(executorPreference: executor) {
      for await error in errors { failures.withLock { $0.append(error) } }
    }
    let searchErrors = searcher.errors(buffering: .unbounded)
    let again = Task(executorPreference: executor) {
      for await _ in searchErrors where searcher.request.query.query == Self.keystrokes.last {
        searcher.submit()
      }
    }
    let typist = Task(executorPreference: executor) {
      for text in Self.keystrokes {
        searcher.setQuery(text)
        for _ in 0..<random.number(below: 30) { await Task.yield() }
        let genre = ["Drama", "Crime"][random.number(below: 2)]
        filters.update { $0[or: "genres"].toggle("genres" == genre) }
        for _ in 0..<random.number(below: 30) { await Task.yield() }
      }
    }
    executor.runUntilIdle()

    let all = shown.withLock { $0 }
    let last = all.last
    expectEqual(last?.query, Self.keystrokes.last, "seed \(seed.value)")
    expectEqual(last?.request?.filterGroups, filters.groups, "seed \(seed.value)")
    expectEqual(last?.numberOfHits, 100, "seed \(seed.value)")
    #expect(last?.isLoading == false && last?.isLoadingPage == false, "seed \(seed.value)")
    expectEqual(last?.hits.loaded, interactor.currentHits, "seed \(seed.value)")
    for state in all {
      // Every row belongs to the query and filters of the state and is at its index.
      let text = (state.query ?? "") + ((try? state.request?.filterGroups.rowText) ?? "")
      let isRight = state.hits.enumerated().allSatisfy { index, row in
        row.map { $0.row == index && $0.text == text } ?? true
      }
      #expect(isRight, "seed \(seed.value)")
      #expect(!(state.isLoading && state.failure != nil), "seed \(seed.value)")
      // Pages are loaded only for the newest request.
      #expect(!(state.isLoading && state.isLoadingPage), "seed \(seed.value)")
    }
    let generations = all.map(\.generation)
    expectEqual(generations, generations.sorted(), "seed \(seed.value)")
    for (previous, next) in zip(all, all.dropFirst()) {
      // A new list begins only at the end of a search.
      if next.generation != previous.generation {
        #expect(previous.isLoading && !next.isLoading, "seed \(seed.value)")
      }
      #expect(
        previous.isLoading != next.isLoading || previous.isLoadingPage != next.isLoadingPage
          || previous.hits != next.hits || previous.failure != next.failure,
        "seed \(seed.value): an equal state was published")
    }
    #expect(failures.withLock { $0.allSatisfy { $0.code == .server } }, "seed \(seed.value)")
    for task in [reader, errorReader, again, typist] { task.cancel() }
    executor.runUntilIdle()
  }

  @Test(arguments: Seed.all(300))
  func burstOfKeystrokesLoadsOnce(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let transport = ScriptedTransport { request, _ in
      await Task.yield()
      return try rows(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock(), executor: executor))
    let interactor = HitsInteractor<Row>(executor: executor)
    interactor.connectSearcher(searcher)
    let loading = Lock<[Bool]>([])
    let states = interactor.states(buffering: .unbounded)
    let reader = Task(executorPreference: executor) {
      for await state in states { loading.withLock { $0.append(state.isLoading) } }
    }
    executor.runUntilIdle()
    for text in Self.keystrokes { searcher.setQuery(text) }
    executor.runUntilIdle()
    expectEqual(loading.withLock { $0 }, [false, true, false], "seed \(seed.value)")
    expectEqual(interactor.hits.first, Row(text: "godfather", row: 0))
    reader.cancel()
    executor.runUntilIdle()
  }
}
