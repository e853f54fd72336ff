@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting

/// All widgets of the shop on one screen, among them a screen of another index.
struct WholeScreen: Sendable {
  let shop: ShopScreen
  let autocomplete: Autocomplete
  let map: FilterMap<Int>
  let inner: Inner
  let recent = RecentSearches(["phone", "player"])
  let screen: SearchScreen

  /// The widgets of the other index.
  struct Inner: Sendable {
    let brands = FacetList(attribute: "brand", limit: 2, showMoreLimit: 4)
    let levels = NumericMenu(
      attribute: "rating",
      items: [.init("all"), .init("low", end: 2), .init("three", start: 3, end: 3)])
    let price = NumberComparison(attribute: "price", operator: .less)
    let pages = Pagination()
    let current = CurrentFilters()
  }

  init() throws {
    shop = try ShopScreen()
    inner = Inner()
    autocomplete = Autocomplete(
      sources: [
        .records(indexName: "products", attribute: "name", limit: 2),
        .records(indexName: "offers", attribute: "name", urlAttribute: "brand", limit: 1),
      ], recent: recent)
    map = FilterMap(
      [0: ("shelf" == "new").filter, 1: ("shelf" == "sale").filter], groupName: "mapped")
    let nested = try SearchScreen(
      indexName: "offers", indexID: "inner",
      widgets: [inner.brands, inner.levels, inner.price, inner.pages, inner.current])
    screen = try SearchScreen(
      indexName: "products", widgets: shop.screen.widgets + [autocomplete, map], indices: [nested])
  }

  /// Whether the lists have the same items, of any response.
  private static func isSame(_ view: Autocomplete.View, _ other: Autocomplete.View) -> Bool {
    view.query == other.query && view.isOpen == other.isOpen && view.items == other.items
      && view.sections.map(\.source) == other.sections.map(\.source)
      && view.selection == other.selection && view.isLoading == other.isLoading
      && view.error == other.error
  }

  /// The widgets of both indices on a live screen.
  func widgets(of live: LiveScreen) -> (outer: [LiveWidget], inner: [LiveWidget]) {
    let outer = LiveShop(shop, live.searcher, on: live).widgets
    let added = [
      LiveWidget(live.interactor(of: autocomplete), isSame: Self.isSame) { field, view, random in
        switch random.number(below: 8) {
        case 0: field.open()
        case 1: field.close()
        case 2: field.submit()
        case 3: field.selectNext()
        case 4: field.selectPrevious()
        case 5: random.any(view.items).map { field.choose($0) }
        default: field.setQuery(random.any(["", "p", "ph", "player 1", "xyz"]) ?? "")
        }
      },
      LiveWidget(live.interactor(of: map)) { map, _, random in
        map.select(random.any([0, 1, nil]) ?? nil)
      },
    ]
    guard let nested = live["inner"] else { return (outer + added, []) }
    let inner = [
      LiveWidget(nested.interactor(of: inner.brands)) { list, view, random in
        if view.canToggleShowMore, random.number(below: 3) == 0 { return list.toggleShowMore() }
        return list.toggle(random.any(view.items)?.value ?? "Dell")
      },
      LiveWidget(nested.interactor(of: inner.levels)) { menu, view, random in
        menu.select(random.number(below: view.items.count))
      },
      LiveWidget(nested.interactor(of: inner.price)) { comparison, view, random in
        switch random.number(below: 3) {
        case 0: comparison.set(nil)
        case 1: comparison.set(Double(random.number(below: 600)))
        default: comparison.increment(by: 50)
        }
      },
      LiveWidget(nested.interactor(of: inner.pages)) { pages, view, random in
        pages.show(random.any(view.pages) ?? 0)
      },
      LiveWidget(nested.interactor(of: inner.current)) { current, view, random in
        random.any(view.groups)?.items.first.map { current.remove($0) }
      },
    ]
    return (outer + added, inner)
  }
}
