import AsyncInstantSearch
import Synchronization

/// The views of 20 widgets after a response, against decoding its page.
enum WidgetViews {
  /// The widgets of a page of products: all views of one response are made from the same results.
  private struct Screen: Sendable {
    let lists: [FacetList]
    let menus: [FacetMenu]
    let prices: NumberRange
    let lengths: NumericMenu
    let ratings: RatingMenu
    let toggle: FilterToggle
    let orders: SortBy
    let sizes: HitsPerPage
    let box = SearchBox()
    let stats = SearchStats()
    let pages = Pagination()
    let current = CurrentFilters()
    let clear = FilterClear()

    init(facets: [String]) throws {
      lists = facets.prefix(7).map { FacetList(attribute: $0, showMoreLimit: 20) }
      menus = facets.dropFirst(7).prefix(2).map { FacetMenu(attribute: $0) }
      prices = NumberRange(attribute: "price")
      lengths = NumericMenu(attribute: "price", items: [.init("All"), .init("10", end: 10)])
      ratings = RatingMenu(attribute: facets[0])
      toggle = FilterToggle(attribute: facets[1])
      orders = SortBy([.init("Best", indexName: "products")])
      sizes = HitsPerPage([.init("20", count: 20)], default: 20)
      screen = try SearchScreen(
        indexName: "products",
        widgets: lists + menus + [prices, lengths, ratings, toggle, orders, sizes]
          + [box, stats, pages, current, clear])
    }

    let screen: SearchScreen

    /// Connects all widgets to a searcher, which retains none of them. Returns functions that read
    /// their views.
    func connect(to searcher: HitsSearcher) -> [@Sendable () -> Void] {
      func connected(_ widget: some SearchWidget) -> @Sendable () -> Void {
        let interactor = WidgetInteractor(widget)
        interactor.connectSearcher(searcher)
        return { use(interactor.view) }
      }
      return screen.widgets.map { connected($0) }
    }

    func views(of results: ScreenResults) -> Int {
      var count = 0
      for list in lists { count += results.view(of: list).items.count }
      for menu in menus { count += results.view(of: menu).items.count }
      count += results.view(of: prices).canRefine ? 1 : 0
      count += results.view(of: lengths).items.count
      count += results.view(of: ratings).items.count
      count += results.view(of: toggle).canRefine ? 1 : 0
      count += results.view(of: orders).items.count
      count += results.view(of: sizes).items.count
      count += results.view(of: box).query.utf8.count
      count += results.view(of: stats).nbHits
      count += results.view(of: pages).pages.count
      count += results.view(of: current).groups.count
      return count + (results.view(of: clear).canRefine ? 1 : 0)
    }
  }

  static var cases: [BenchmarkCase] {
    [awaited, connected(isRead: false), connected(isRead: true)]
  }

  /// The views of a search without a searcher.
  private static var awaited: BenchmarkCase {
    BenchmarkCase(name: "widgets20", baseline: "decoding the page of 20 hits") {
      let bytes = SampleResponse.page(hits: 20)
      let work = try await work()
      return .times(
        try Paired {
          work()
        } against: {
          try Pages.page(bytes) as HitsPage<Hit<Product>>
        }, bytes: bytes.count)
    }
  }

  /// Makes a function that computes the views of one search.
  static func work() async throws -> @Sendable () -> Void {
    let bytes = SampleResponse.page(hits: 20)
    let screen = try screen(for: bytes)
    let values = screen.screen
    let results = try await client(bytes).search(values)
    guard values.widgets.count == 20, screen.views(of: results) > 20 else {
      throw Mismatch(description: "the widgets show nothing")
    }
    return { use(screen.views(of: results)) }
  }

  /// What connected widgets add to a search: their queries, and what they remember of the results.
  ///
  /// - Parameter isRead: Whether all views are read after the search, too, for which the facets are
  ///   read and merged.
  private static func connected(isRead: Bool) -> BenchmarkCase {
    BenchmarkCase(
      name: "widgets20." + (isRead ? "read" : "connected"),
      baseline: "decoding the page of 20 hits"
    ) {
      let bytes = SampleResponse.page(hits: 20)
      let executor = CallingThreadExecutor()
      let (client, options) = (client(bytes), SearcherOptions(executor: executor))
      let (alone, connected) = (
        HitsSearcher(client: client, indexName: "products", options: options),
        HitsSearcher(client: client, indexName: "products", options: options)
      )
      let views = try screen(for: bytes).connect(to: connected)
      let decoder = SearchClient(answer: bytes, on: executor)
      let page = SearchRequest<Hit<Product>>("products")
      var (times, baselineTimes) = ([Double](), [Double]())
      for _ in 0..<60 {
        let withWidgets = try time(on: executor) {
          try await connected.search()
          if isRead { for view in views { view() } }
        }
        let without = try time(on: executor) { try await alone.search() }
        times.append(max(0.001, withWidgets - without))
        baselineTimes.append(try time(on: executor) { use(try await decoder.search(page)) })
      }
      withExtendedLifetime(views) {}
      return .times(Paired(times: times, baselineTimes: baselineTimes), bytes: bytes.count)
    }
  }

  /// Prints what a click on a facet costs with 20 connected widgets, from the action to the view of
  /// the new results: executor jobs, and processor time. Throws if there are too many jobs.
  static func reportClick(asJSON: Bool) throws {
    let bytes = SampleResponse.page(hits: 20)
    let executor = CallingThreadExecutor()
    let searcher = HitsSearcher(
      client: client(bytes), indexName: "products", options: SearcherOptions(executor: executor))
    let others = try screen(for: bytes).connect(to: searcher)
    let facets = (try Pages.page(bytes) as HitsPage<Hit<Product>>).facets
    guard let facet = facets.first, let value = facet.values.first?.value else {
      throw Mismatch(description: "the page has no facets")
    }
    let list = WidgetInteractor(FacetList(attribute: facet.attribute, operator: .and))
    list.connectSearcher(searcher)
    let shown = Mutex(0)
    let views = list.views
    Task(executorPreference: executor) {
      for await view in views { shown.withLock { $0 += view.items.isEmpty ? 0 : 1 } }
    }
    try executor.run { try await searcher.search() }
    executor.runUntilIdle()
    let (count, before, start) = (1_000, executor.count, ProcessFigures.processorTime)
    for _ in 0..<count {
      try list.perform { $0.toggle(value) }
      executor.runUntilIdle()
    }
    let time = (ProcessFigures.processorTime - start) / Double(count)
    let jobs = (Double(executor.count - before) / Double(count)).rounded(toPlaces: 2)
    guard shown.withLock({ $0 }) > count else {
      throw Mismatch(description: "the clicks are not shown")
    }
    withExtendedLifetime(others) {}
    print(
      asJSON
        ? #"{"name":"widgets20.click","jobs":\#(jobs),"us":\#(time.rounded(toPlaces: 1))}"#
        : "widgets20.click: \(jobs) jobs and \(time.rounded(toPlaces: 1)) µs for a click")
    if jobs > 5 { throw Mismatch(description: "At most 5 jobs were expected, not \(jobs).") }
  }

  private static func client(_ bytes: [UInt8]) -> SearchClient {
    SearchClient(transport: FixedAnswer(body: bytes))
  }

  private static func screen(for bytes: [UInt8]) throws -> Screen {
    let page: HitsPage<Hit<Product>> = try Pages.page(bytes)
    return try Screen(facets: page.facets.map(\.attribute))
  }

  /// The processor time of one of a hundred calls, in microseconds, without switches of threads.
  private static func time(
    on executor: CallingThreadExecutor, _ body: @escaping @Sendable () async throws -> Void
  ) throws -> Double {
    let start = ProcessFigures.processorTime
    try executor.run { for _ in 0..<100 { try await body() } }
    return (ProcessFigures.processorTime - start) / 100
  }
}
