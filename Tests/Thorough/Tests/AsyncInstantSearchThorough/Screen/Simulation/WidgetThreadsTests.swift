@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Two threads that perform random actions of the same widgets at the same time.
@Suite(.timeLimit(.minutes(30))) struct WidgetThreadsTests {
  @Test(arguments: Seed.all(30))
  func viewsAreThoseOfTheLastState(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed.value)
    let searcher = HitsSearcher(
      client: SearchClient(transport: shop.lateTransport(random)), indexName: "products",
      options: SearcherOptions(clock: ManualClock()))
    let filters = FilterState()
    if seed.value.isMultiple(of: 2) { searcher.connectFilterState(filters) }
    let screen = try ShopScreen()
    let search = LiveSearch(screen, searcher)
    await withTaskGroup { group in
      for number in 1...2 {
        group.addTask {
          let random = SeededRandom(seed: seed.value &+ UInt64(number) * 1_000)
          var model = screen.screen
          for _ in 0..<10 {
            model.state = searcher.indexState
            _ = search.live.performAny(random, &model)
            await random.pause(below: 4)
          }
        }
      }
    }
    try await search.search()

    let state = searcher.indexState
    if seed.value.isMultiple(of: 2) {
      expectEqual(searcher.request.filterGroups, filters.groups, "seed \(seed.value)")
    }
    let scratch = try await Scratch(
      screen.screen, showing: searcher.uiState, on: shop.engine)
    expectEqual(scratch.state.filters.text, state.filters.text, "seed \(seed.value)")
    expectEqual(search.live.differences(from: scratch), [], "seed \(seed.value)")
    #expect(await search.isOrdered(), "seed \(seed.value)")
  }

  /// No change of two threads is lost: each adds a value of its own facet, and removes it again, a
  /// number of times.
  @Test(arguments: [false, true])
  func noChangeIsLost(isConnected: Bool) async throws {
    let shop = try await Shop.shared.value
    let searcher = shop.searcher(SearcherOptions(clock: ManualClock()))
    let filters = FilterState()
    if isConnected { searcher.connectFilterState(filters) }
    let screen = try ShopScreen(isDynamic: false)
    let search = LiveSearch(screen, searcher)
    let (brands, colors) = (search.live.brands, WidgetInteractor(screen.colors))
    colors.connectSearcher(searcher)
    // An odd number, so that both values are added last.
    let count = Thoroughness.count(11, thorough: 51)
    try await withThrowingTaskGroup { group in
      group.addTask {
        for _ in 0..<count { try brands.perform { $0.toggle("Dell") } }
      }
      group.addTask {
        for _ in 0..<count { try colors.perform { $0.toggle("red") } }
      }
      try await group.waitForAll()
    }
    try await searcher.settled()
    expectEqual(searcher.indexState.values(of: "brand", operator: .or), ["Dell"])
    expectEqual(searcher.indexState.values(of: "color", operator: .and), ["red"])
    if isConnected { expectEqual(filters.groups, searcher.request.filterGroups) }
    let scratch = try await Scratch(
      screen.screen, showing: searcher.uiState, on: shop.engine)
    expectEqual(search.live.differences(from: scratch), [])
    #expect(await search.isOrdered())
  }

  /// The filter state that a searcher follows.
  enum Following: CaseIterable {
    case none, own, shared
  }

  /// A change inside another one is refused as a whole, wherever it is made.
  @Test(arguments: Following.allCases) func changeInsideAnotherIsRefused(following: Following)
    async throws
  {
    let shop = try await Shop.shared.value
    let attempt = Lock<(@Sendable () -> Void)?>(nil)
    let client = SearchClient(transport: shop.engine)
    let searcher = HitsSearcher(
      client: client, indexName: "products", options: SearcherOptions(clock: ManualClock()),
      shouldSearch: { _ in
        attempt.withLock { $0 }?()
        return true
      })
    let filters = FilterState()
    let multi = MultiSearcher(client: client)
    switch following {
    case .none: break
    case .own: searcher.connectFilterState(filters)
    case .shared:
      multi.addSearcher(searcher)
      multi.addSearcher(shop.searcher(SearcherOptions(clock: ManualClock())))
      multi.connectFilterState(filters)
    }
    let brands = WidgetInteractor(FacetList(attribute: "brand", showMoreLimit: 20))
    let colors = WidgetInteractor(FacetList(attribute: "color"))
    brands.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    let refusals = Lock<[SearchError.Code]>([])
    let perform = { @Sendable in
      do throws(SearchError) {
        try colors.perform { $0.toggle("red") }
      } catch {
        refusals.withLock { $0.append(error.code) }
      }
      if following != .none {
        #expect(!filters.update { $0[and: "color"].add("color" == "blue") })
      }
    }
    searcher.update { _ in
      perform()
      searcher.setQuery("nested")
    }
    if following != .none { filters.update { _ in perform() } }
    // A response that comes during the action would make it run again.
    try await searcher.settled()
    let runs = Lock(0)
    try brands.perform(
      brands.widget.action { target in
        runs.withLock { $0 += 1 }
        perform()
        searcher.setQuery("nested")
        target.state.setRefined(true, by: "Dell", of: "brand", operator: .or)
      })
    expectEqual(runs.withLock { $0 }, 1)
    #expect(searcher.request.query.query == nil)
    attempt.withLock { $0 = perform }
    searcher.setQuery("a")
    attempt.withLock { $0 = nil }
    #expect(refusals.withLock { $0.count } >= 3)
    expectEqual(refusals.withLock { Set($0) }, [.invalidRequest])
    expectEqual(searcher.request.query.query, "a")
    expectEqual(searcher.indexState.values(of: "color", operator: .or), [])
    expectEqual(searcher.indexState.values(of: "color", operator: .and), [])
    expectEqual(searcher.indexState.values(of: "brand", operator: .or), ["Dell"])
    if following != .none { expectEqual(filters.groups, searcher.request.filterGroups) }
  }

  /// A widget that is connected to another searcher while both receive results shows those of the
  /// last one. Both searchers have the same numbers.
  @Test(arguments: Seed.all(100)) func lastSearcherIsShown(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed.value)
    let searchers = (0..<2).map { _ in shop.searcher(SearcherOptions(clock: ManualClock())) }
    searchers[0].setQuery("phone")
    let stats = WidgetInteractor(SearchStats())
    let views = random.number(below: 2) == 0 ? stats.views : nil
    defer { withExtendedLifetime(views) {} }
    for _ in 0..<10 {
      let last = random.number(below: 2)
      let disconnects = random.number(below: 3) == 0
      let old = stats.connectSearcher(searchers[1 - last])
      await withTaskGroup { group in
        for searcher in searchers { group.addTask { _ = try? await searcher.search() } }
        group.addTask { if disconnects { old.disconnect() } }
        group.addTask { stats.connectSearcher(searchers[last]) }
      }
      let view = try await stats.settledView()
      expectEqual(view.nbHits, last == 0 ? 20 : 60, "seed \(seed.value)")
      await expectEqual(stats.views.first { _ in true }, view, "seed \(seed.value)")
    }
  }

  /// Those who subscribe at any time receive the newest view, also when others leave meanwhile.
  @Test(arguments: Seed.all(100))
  func subscribersReceiveTheNewestView(seed: Seed) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed.value)
    let searcher = shop.searcher(SearcherOptions(clock: ManualClock()))
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let connection = brands.connectSearcher(searcher)
    let values = ["Dell", "Sony", "Apple"]
    let counts = (0..<4).map { _ in random.number(below: 12) }
    let clicks = (0..<8).map { _ in values[random.number(below: 3)] }
    let disconnects = random.number(below: 2) == 0
    let kept = try await withThrowingTaskGroup(of: AsyncStream<FacetList.View>?.self) { group in
      for count in counts {
        group.addTask {
          for _ in 0..<count { _ = await brands.views.first { _ in true } }
          return brands.views
        }
      }
      group.addTask {
        for click in clicks {
          try brands.perform { $0.toggle(click) }
          if click == "Dell" { try await searcher.settled() }
        }
        return nil
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try await searcher.settled()
    let newest = brands.view
    #expect(newest.items.contains { $0.count ?? 0 > 0 }, "seed \(seed.value)")
    if disconnects { connection.disconnect() }
    for views in kept.compactMap(\.self) + [brands.views] {
      await expectEqual(views.first { $0 == newest }, newest, "seed \(seed.value)")
    }
  }

  /// A change that another thread makes while an action runs for the searcher or for the filter
  /// state is not lost.
  @Test(arguments: [false, true])
  func changeDuringAnActionIsNotLost(isConnected: Bool) async throws {
    let shop = try await Shop.shared.value
    let searcher = shop.searcher(SearcherOptions(clock: ManualClock()))
    let filters = FilterState()
    if isConnected { searcher.connectFilterState(filters) }
    let brands = WidgetInteractor(FacetList(attribute: "brand"))
    let colors = WidgetInteractor(FacetList(attribute: "color"))
    brands.connectSearcher(searcher)
    colors.connectSearcher(searcher)
    let runs = Lock(0)
    let action: FacetList.Action = brands.widget.action { target in
      let isChange = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isChange { onAnotherThread { try? colors.perform { $0.toggle("red") } } }
      target.state.setRefined(true, by: "Dell", of: "brand", operator: .or)
    }
    try brands.perform(action)
    expectEqual(searcher.indexState.values(of: "brand", operator: .or), ["Dell"])
    expectEqual(searcher.indexState.values(of: "color", operator: .or), ["red"])
    if isConnected { expectEqual(filters.groups, searcher.request.filterGroups) }
  }
}
