@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting

/// The widgets of the shop.
struct ShopScreen: Sendable {
  let box = SearchBox()
  let brands: FacetList
  let colors: FacetList
  let shelves: FacetMenu
  let tree: HierarchicalMenu
  let breadcrumb: Breadcrumb
  let prices: NumberRange
  let ratings: RatingMenu
  let free: FilterToggle
  let deals: SelectableFilters
  let map = GeoSearch<Shop.Product>()
  let sizes: HitsPerPage
  let pages = Pagination()
  let list = InfiniteHits<Shop.Product>()
  let stats = SearchStats()
  let current = CurrentFilters()
  let clear = FilterClear()
  let clearAll = FilterClear(.allExcept([]))
  /// Activates the colors only while the results list them. The values of their facet are not
  /// requested, so that activating them takes a second search.
  let facets: DynamicFacets
  let order: SortBy
  let screen: SearchScreen

  /// - Parameter isDynamic: Whether the colors are active only in an index that lists them.
  init(isDynamic: Bool = true) throws {
    brands = FacetList(attribute: "brand")
    colors = FacetList(attribute: "color", operator: .and)
    shelves = FacetMenu(attribute: "shelf")
    let hierarchy = HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"])
    tree = HierarchicalMenu(hierarchy)
    breadcrumb = Breadcrumb(hierarchy)
    prices = NumberRange(attribute: "price")
    ratings = RatingMenu(attribute: "rating", max: 6)
    free = FilterToggle(attribute: "isFree")
    deals = SelectableFilters(
      [("price" < 300).filter, ("shelf" == "sale").filter], groupName: "deals")
    sizes = HitsPerPage([.init("5", count: 5), .init("20", count: 20)], default: 20)
    facets = DynamicFacets(managing: isDynamic ? ["color"] : [], facets: [])
    order = SortBy([.init("all", indexName: "products"), .init("new", indexName: "offers")])
    screen = try SearchScreen(
      indexName: "products",
      widgets: [
        box, brands, colors, shelves, tree, breadcrumb, prices, ratings, free, deals, map, sizes,
        pages, list, stats, current, clear, clearAll, facets, order,
      ])
  }
}
