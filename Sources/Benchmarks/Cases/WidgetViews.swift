import AsyncInstantSearch
import InstantSearchJSON

/// The views of 20 widgets after a response, against decoding its page.
enum WidgetViews {
  /// The widgets of a page of products: all views of one response are made from the same results.
  private struct Screen {
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
      lists = try facets.prefix(7).map { try FacetList(attribute: $0, showMoreLimit: 20) }
      menus = try facets.dropFirst(7).prefix(2).map { try FacetMenu(attribute: $0) }
      prices = try NumberRange(attribute: "price")
      lengths = try NumericMenu(attribute: "price", items: [.init("All"), .init("10", end: 10)])
      ratings = try RatingMenu(attribute: facets[0])
      toggle = try FilterToggle(attribute: facets[1])
      orders = try SortBy([.init("Best", indexName: "products")])
      sizes = try HitsPerPage([.init("20", count: 20)], default: 20)
    }

    var screen: SearchScreen {
      SearchScreen(
        indexName: "products",
        widgets: lists + menus + [prices, lengths, ratings, toggle, orders, sizes]
          + [box, stats, pages, current, clear])
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
    [
      BenchmarkCase(name: "widgets20", baseline: "decoding the page of 20 hits") {
        let bytes = SampleResponse.page(hits: 20)
        let client = SearchClient(transport: FixedAnswer(body: bytes))
        let page: HitsPage<Hit<Product>> = try Pages.page(bytes)
        let screen = try Screen(facets: page.facets.map(\.attribute))
        let values = screen.screen
        let results = try await client.search(values)
        guard values.widgets.count == 20, screen.views(of: results) > 20 else {
          throw Mismatch(description: "the widgets show nothing")
        }
        return .times(
          try Paired {
            screen.views(of: results)
          } against: {
            try Pages.page(bytes) as HitsPage<Hit<Product>>
          }, bytes: bytes.count)
      }
    ]
  }
}
