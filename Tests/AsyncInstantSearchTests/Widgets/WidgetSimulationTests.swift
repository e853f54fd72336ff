import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Testing

/// Random actions of many widgets on the embedded engine, with late and failing responses.
@Suite(.timeLimit(.minutes(30))) struct WidgetSimulationTests {
  @Test(arguments: 0..<UInt64(300))
  func viewsAreThoseOfTheNewestResponse(seed: UInt64) async throws {
    let shop = try await Shop.shared.value
    let random = SeededRandom(seed: seed)
    let transport = ScriptedTransport { request, _ in
      let response = try await shop.engine.send(request)
      for _ in 0..<random.number(below: 8) { await Task.yield() }
      if random.number(below: 6) == 0 { throw SearchError(.server, "down") }
      return response
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      options: SearcherOptions(clock: ManualClock()))
    let filters = FilterState()
    if random.number(below: 2) == 0 { searcher.connectFilterState(filters) }
    let screen = try ShopScreen()
    let live = LiveShopScreen(screen, searcher)
    let order = WidgetInteractor(GenerationWidget())
    order.connectSearcher(searcher)
    let generations = order.views(buffering: .unbounded)

    for _ in 0..<12 {
      live.performAny(random)
      if random.number(below: 6) == 0, searcher.request.filterGroups == filters.groups {
        filters.update { $0[or: "brand"].toggle("brand" == "Bose") }
      }
      for _ in 0..<random.number(below: 10) { await Task.yield() }
    }
    // Every fifth response or so is an error.
    for _ in 0..<100 {
      do {
        try await searcher.search()
        break
      } catch { #expect(error.code == .server, "seed \(seed)") }
    }
    #expect(transport.requests.count <= Int(searcher.newestGeneration), "seed \(seed)")

    let state = searcher.indexState
    var copy = screen.screen
    let uiState = copy.uiState(of: state)
    #expect(copy.state(from: uiState).filters == state.filters, "seed \(seed)")
    var scratch = UIState()
    scratch["products"] = uiState
    let results = try await SearchClient(transport: shop.engine).search(screen.screen, in: scratch)
    #expect(live.differences(from: results, in: state) == [], "seed \(seed)")

    var newest: UInt64 = 0
    for await generation in generations {
      #expect(generation >= newest, "seed \(seed)")
      newest = generation
      if generation == order.view { break }
    }
  }

  /// The filters of random states mean on the engine what a predicate over the records means.
  @Test(arguments: 0..<UInt64(300))
  func filtersAreAPredicate(seed: UInt64) async throws {
    let shop = try await Shop.shared.value
    let screen = try ShopScreen()
    let random = SeededRandom(seed: seed &+ 5_000)
    var state = IndexUIState()
    state.query = ["", "", "phone", "player"][random.number(below: 4)]
    func some(_ values: [String]) -> [String] {
      values.filter { _ in random.number(below: 3) == 0 }
    }
    state.refinementList["brand"] = some(Shop.brands)
    state.refinementList["color"] = random.number(below: 2) == 0 ? some(Shop.colors) : []
    if random.number(below: 3) == 0 {
      let path = Shop.trees[random.number(below: Shop.trees.count)]
      state.hierarchicalMenu["categories.lvl0"] = path.split(separator: " > ").map(String.init)
    }
    if random.number(below: 2) == 0 {
      let lower = random.number(below: 600)
      state.range["price"] = NumberBounds(
        lower: random.number(below: 2) == 0 ? Double(lower) : nil,
        upper: random.number(below: 2) == 0 ? Double(lower + 200) : nil)
    }
    if random.number(below: 3) == 0 {
      state.ratingMenu["rating"] = Double(1 + random.number(below: 4))
    }
    if random.number(below: 3) == 0 { state.toggle["isFree"] = true }
    var uiState = UIState()
    uiState["products"] = state
    let widgets = screen.screen.widgets + [Configure(SearchQuery().with { $0.hitsPerPage = 1_000 })]
    let results = try await SearchClient(transport: shop.engine).search(
      SearchScreen(indexName: "products", widgets: widgets), in: uiState)
    let found = results.page(of: Shop.Product.self).hits.map(\.objectID).sorted()
    let expected = Shop.products.filter { $0.matches(state) }.map(\.objectID).sorted()
    #expect(found == expected, "seed \(seed): \(uiState.query())")
  }
}

extension Shop {
  /// One engine for all simulations, which only read it.
  static let shared = Task { try await Shop() }
}

extension Shop.Product {
  /// Whether the product is found in a state, by a plain reading of the state.
  fileprivate func matches(_ state: IndexUIState) -> Bool {
    let brands = state.refinementList["brand"] ?? []
    let colors = state.refinementList["color"] ?? []
    let path = state.hierarchicalMenu["categories.lvl0"]?.joined(separator: " > ")
    let range = state.range["price"]
    return (state.query.isEmpty || name.hasPrefix(state.query))
      && (brands.isEmpty || brands.contains(brand)) && colors.allSatisfy(color.contains)
      && (path == nil || categories.values.contains(path ?? ""))
      && price >= range?.lower ?? 0 && price <= range?.upper ?? .infinity
      && Double(rating) >= state.ratingMenu["rating"] ?? 0
      && (state.toggle["isFree"] == nil || isFree)
  }
}

/// Shows the number of the newest search that was answered.
private struct GenerationWidget: SearchWidget {
  func view(_ context: WidgetContext<NoMemory>) -> UInt64 { context.results?.generation ?? 0 }
}

/// The widgets of the shop.
struct ShopScreen: Sendable {
  let box = SearchBox()
  let brands: FacetList
  let colors: FacetList
  let tree: HierarchicalMenu
  let breadcrumb: Breadcrumb
  let prices: NumberRange
  let ratings: RatingMenu
  let free: FilterToggle
  let sizes: HitsPerPage
  let pages = Pagination()
  let stats = SearchStats()
  let current = CurrentFilters()
  let clear = FilterClear()
  let screen: SearchScreen

  init() throws {
    brands = try FacetList(attribute: "brand")
    colors = try FacetList(attribute: "color", operator: .and)
    let hierarchy = HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"])
    tree = try HierarchicalMenu(hierarchy)
    breadcrumb = try Breadcrumb(hierarchy)
    prices = try NumberRange(attribute: "price")
    ratings = try RatingMenu(attribute: "rating", max: 6)
    free = try FilterToggle(attribute: "isFree")
    sizes = try HitsPerPage([.init("5", count: 5), .init("20", count: 20)], default: 20)
    screen = SearchScreen(
      indexName: "products",
      widgets: [
        box, brands, colors, tree, breadcrumb, prices, ratings, free, sizes, pages, stats, current,
        clear,
      ])
  }
}

/// The widgets of the shop, connected to a searcher.
private struct LiveShopScreen {
  let box: WidgetInteractor<SearchBox>
  let brands: WidgetInteractor<FacetList>
  let colors: WidgetInteractor<FacetList>
  let tree: WidgetInteractor<HierarchicalMenu>
  let breadcrumb: WidgetInteractor<Breadcrumb>
  let prices: WidgetInteractor<NumberRange>
  let ratings: WidgetInteractor<RatingMenu>
  let free: WidgetInteractor<FilterToggle>
  let sizes: WidgetInteractor<HitsPerPage>
  let pages: WidgetInteractor<Pagination>
  let stats: WidgetInteractor<SearchStats>
  let current: WidgetInteractor<CurrentFilters>
  let clear: WidgetInteractor<FilterClear>

  init(_ screen: ShopScreen, _ searcher: HitsSearcher) {
    func connect<W: SearchWidget>(_ widget: W) -> WidgetInteractor<W> {
      let interactor = WidgetInteractor(widget)
      interactor.connectSearcher(searcher)
      return interactor
    }
    box = connect(screen.box)
    brands = connect(screen.brands)
    colors = connect(screen.colors)
    tree = connect(screen.tree)
    breadcrumb = connect(screen.breadcrumb)
    prices = connect(screen.prices)
    ratings = connect(screen.ratings)
    free = connect(screen.free)
    sizes = connect(screen.sizes)
    pages = connect(screen.pages)
    stats = connect(screen.stats)
    current = connect(screen.current)
    clear = connect(screen.clear)
  }

  /// Performs a random action, as a user does who sees the views. It may be impossible.
  func performAny(_ random: SeededRandom) {
    func any<Element>(_ items: [Element]) -> Element? {
      items.isEmpty ? nil : items[random.number(below: items.count)]
    }
    switch random.number(below: 12) {
    case 0: try? box.perform { $0.setQuery(any(["", "p", "phone", "player", "xyz"]) ?? "") }
    case 1, 2: try? brands.perform { $0.toggle(any(brands.view.items)?.value ?? "Apple") }
    case 3: try? colors.perform { $0.toggle(any(colors.view.items)?.value ?? "red") }
    case 4, 5:
      let nodes = tree.view.items + tree.view.items.flatMap { $0.children ?? [] }
      try? tree.perform { $0.toggle(any(nodes)?.value ?? "Audio") }
    case 6: try? breadcrumb.perform { $0.show(any(breadcrumb.view.items)?.path) }
    case 7:
      let lower = Double(random.number(below: 600))
      try? prices.perform { $0.set(lower, lower + 100) }
    case 8: try? ratings.perform { $0.toggle(any(ratings.view.items)?.rating ?? 3) }
    case 9: try? free.perform { $0.set(!free.view.isOn) }
    case 10: try? pages.perform { $0.show(any(pages.view.pages) ?? 0) }
    default:
      if let item = any(current.view.groups)?.items.first, random.number(below: 2) == 0 {
        try? current.perform { $0.remove(item) }
      } else if random.number(below: 3) == 0 {
        try? clear.perform { $0.clear() }
      } else {
        try? sizes.perform { $0.select(5) }
      }
    }
  }

  /// The names of the widgets that show something else than results made from scratch.
  func differences(from results: ScreenResults, in state: IndexState) -> [String] {
    var names: [String] = []
    func compare<W: SearchWidget>(_ interactor: WidgetInteractor<W>) {
      if interactor.view != results.view(of: interactor.widget) { names.append("\(W.self)") }
    }
    compare(box)
    compare(brands)
    compare(colors)
    compare(tree)
    compare(breadcrumb)
    compare(prices)
    compare(ratings)
    compare(free)
    compare(sizes)
    compare(pages)
    compare(current)
    compare(clear)
    if stats.view.nbHits != results.view(of: SearchStats()).nbHits { names.append("SearchStats") }
    return names
  }
}
