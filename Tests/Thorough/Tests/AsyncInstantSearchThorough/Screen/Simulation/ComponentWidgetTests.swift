@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Random actions of the widgets of two components of a multi-searcher, with late and failing
/// responses.
@Suite(.timeLimit(.minutes(30))) struct ComponentWidgetTests {
  /// A multi-searcher with two components that share filters.
  private struct Fixture {
    let screen: ShopScreen
    let transport: ScriptedTransport
    let multi: MultiSearcher
    let filters = FilterState()
    let searches: [LiveSearch]
    let executor: SeededExecutor

    init(_ shop: Shop, seed: UInt64, _ random: SeededRandom) throws {
      let executor = SeededExecutor(seed: seed)
      let options = SearcherOptions(clock: ManualClock(), executor: executor)
      let transport = shop.lateTransport(random)
      let client = SearchClient(transport: transport)
      // No second search follows from a response.
      let screen = try ShopScreen(isDynamic: false)
      multi = MultiSearcher(client: client, options: options)
      searches = (0..<2).map { _ in
        LiveSearch(
          screen, HitsSearcher(client: client, indexName: "products", options: options))
      }
      for search in searches { multi.addSearcher(search.searcher) }
      multi.connectFilterState(filters)
      (self.screen, self.transport, self.executor) = (screen, transport, executor)
    }

    /// All views of both components are those from scratch.
    func check(on shop: Shop, _ seed: UInt64) async throws {
      for (number, search) in searches.enumerated() {
        let label: Comment = "seed \(seed), component \(number)"
        let state = search.searcher.indexState
        expectEqual(search.searcher.request.filterGroups, filters.groups, label)
        let scratch = try await Scratch(
          screen.screen, showing: search.searcher.uiState, on: shop.engine)
        expectEqual(scratch.state.filters.text, state.filters.text, label)
        expectEqual(search.live.differences(from: scratch), [], label)
        expectEqual(search.differencesFromModel, [], label)
        #expect(await search.isOrdered(), label)
      }
    }

    /// Runs `body` until it ends.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
      let outcome = Lock<Result<Void, any Error>?>(nil)
      let task = Task(executorPreference: executor) {
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
      }
      executor.runUntilIdle()
      await task.value
      try #require(outcome.withLock { $0 }).get()
    }
  }

  /// Actions while responses are pending.
  @Test(arguments: Seed.all(24))
  func viewsAreThoseOfTheNewestResponse(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed.value)
    let fixture = try Fixture(shop, seed: seed.value, random)
    let (multi, searches) = (fixture.multi, fixture.searches)
    try await fixture.run {
      for _ in 0..<10 {
        if random.number(below: 6) == 0 { multi.setQuery(random.any(["", "p", "phone"]) ?? "") }
        let change = searches[random.number(below: 2)].performAny(random)
        if let change { Self.check(change, seed.value) }
        await random.pause(below: 40)
      }
      for search in searches { try await search.search() }
    }
    try await fixture.check(on: shop, seed.value)
  }

  /// An action that changes only its component is a search of that one. One that changes the
  /// filters is one request for both, also if it changes more than the filters.
  @Test(arguments: Seed.all(24))
  func eachChangeIsOneRequest(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed.value &+ 9_000)
    let fixture = try Fixture(shop, seed: seed.value, random)
    let (multi, searches, transport) = (fixture.multi, fixture.searches, fixture.transport)
    multi.submit()
    fixture.executor.runUntilIdle()
    for _ in 0..<10 {
      let before = (transport.searchCount, searches.map(\.searcher.request))
      let requests = searches.map { $0.searcher.requests(buffering: .unbounded) }
      guard let change = searches[random.number(below: 2)].performAny(random) else { continue }
      Self.check(change, seed.value)
      fixture.executor.runUntilIdle()
      let after = searches.map(\.searcher.request)
      let label: Comment = "seed \(seed.value), \(change.deed.name)"
      let sent = transport.searchCount - before.0
      let isChanged = before.1 != after
      #expect(isChanged ? sent == 1 : sent <= (change.isRepeated ? 1 : 0), label)
      for (number, stream) in requests.enumerated() where before.1[number] != after[number] {
        // The current request comes first, then one for the change.
        var iterator = stream.makeAsyncIterator()
        await expectEqual(iterator.next(), before.1[number], label)
        await expectEqual(iterator.next(), after[number], label)
      }
    }
    try await fixture.run {
      for search in searches { try await search.search() }
    }
    try await fixture.check(on: shop, seed.value)
  }

  private static func check(_ change: LiveSearch.Change, _ seed: UInt64) {
    let label: Comment = "seed \(seed), \(change.deed.name)"
    expectEqual(change.deed.isPerformed, change.deed.isPossible, label)
    #expect(change.after.isSameSearch(as: change.deed.expected), label)
  }
}
