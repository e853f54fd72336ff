@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting

/// The widgets of the shop, connected to a searcher.
struct LiveShop: Sendable {
  let widgets: [LiveWidget]
  let brands: WidgetInteractor<FacetList>

  /// - Parameters:
  ///   - shop: The widgets.
  ///   - searcher: The searcher.
  ///   - screen: The live screen with the widgets. Defaults to `nil`: they are connected.
  init(_ shop: ShopScreen, _ searcher: HitsSearcher, on screen: LiveScreen? = nil) {
    func connect<W: SearchWidget>(_ widget: W) -> WidgetInteractor<W> {
      if let screen { return screen.interactor(of: widget) }
      let interactor = WidgetInteractor(widget)
      interactor.connectSearcher(searcher)
      return interactor
    }
    let brands = connect(shop.brands)
    self.brands = brands
    let refinements: [LiveWidget] = [
      LiveWidget(connect(shop.box)) { box, _, random in
        box.setQuery(random.any(["", "p", "phone", "player", "xyz"]) ?? "")
      },
      LiveWidget(brands) { list, view, random in
        if random.number(below: 3) == 0 {
          return list.search(random.any(["a", "d", "", "x"]) ?? "")
        }
        return list.toggle(random.any(view.items)?.value ?? "Apple")
      },
      LiveWidget(connect(shop.colors)) { list, view, random in
        list.toggle(random.any(view.items)?.value ?? "red")
      },
      LiveWidget(connect(shop.shelves)) { menu, view, random in
        menu.select(random.any(view.items)?.value ?? "sale")
      },
      LiveWidget(connect(shop.tree)) { menu, view, random in
        let nodes = view.items + view.items.flatMap { $0.children ?? [] }
        return menu.toggle(random.any(nodes)?.value ?? "Audio")
      },
      LiveWidget(connect(shop.breadcrumb)) { breadcrumb, view, random in
        breadcrumb.show(random.any(view.items)?.path)
      },
      LiveWidget(connect(shop.prices)) { range, _, random in
        let lower = Double(random.number(below: 600))
        return range.set(lower, lower + 100)
      },
      LiveWidget(connect(shop.ratings)) { menu, view, random in
        menu.toggle(random.any(view.items)?.rating ?? 3)
      },
      LiveWidget(connect(shop.free)) { toggle, view, random in
        toggle.set(random.number(below: 4) == 0 ? view.isOn : !view.isOn)
      },
      LiveWidget(connect(shop.deals)) { deals, view, random in
        guard random.number(below: 4) > 0, let item = random.any(view.items) else {
          return deals.clear()
        }
        return deals.toggle(item.filter)
      },
      LiveWidget(connect(shop.order)) { order, _, random in
        order.select(random.any(["products", "offers", "unknown"]) ?? "products")
      },
      LiveWidget(connect(shop.current)) { current, view, random in
        random.any(view.groups)?.items.first.map { current.remove($0) }
      },
      LiveWidget(connect(shop.clear)) { clear, _, random in
        random.number(below: 2) == 0 ? clear.clear() : nil
      },
      LiveWidget(connect(shop.clearAll)) { clear, _, random in
        random.number(below: 2) == 0 ? clear.clear() : nil
      },
    ]
    var hits: [LiveWidget] = []
    hits.append(
      LiveWidget(
        connect(shop.map), isEqual: Self.isEqual,
        isSame: { $0.corners == $1.corners && $0.items == $1.items }
      ) { map, _, random in
        let south = Double(random.number(below: 50))
        let corners = IndexUIState.MapCorners(
          northEast: Point(latitude: south + 20, longitude: 0),
          southWest: Point(latitude: south, longitude: -90))
        switch random.number(below: 4) {
        case 0: return corners.map { map.refine($0) }
        case 1: return map.clearMapRefinement()
        case 2: return map.toggleRefineOnMapMove()
        default: return map.setMapMoveSinceLastRefine()
        }
      })
    hits.append(
      LiveWidget(connect(shop.sizes)) { sizes, _, random in
        sizes.select(random.any([5, 20]) ?? 20)
      })
    hits.append(
      LiveWidget(connect(shop.pages)) { pages, view, random in
        pages.show(random.any(view.pages) ?? 0)
      })
    hits.append(
      LiveWidget(
        connect(shop.list), isEqual: Self.isEqual, isSame: Self.hasSamePage
      ) { list, _, random in
        random.number(below: 3) == 0 ? list.showPrevious() : list.showMore()
      })
    hits.append(
      LiveWidget(
        connect(shop.stats), isEqual: { Self.isSame($0, $1, $2) }, isSame: { Self.isSame($0, $1) }
      ) { _, _, _ in nil })
    hits.append(
      LiveWidget(connect(shop.facets)) { _, _, _ in nil })
    widgets = refinements + hits
  }

  /// Whether statistics are the same but for the time.
  private static func isSame(
    _ view: SearchStats.View, _ other: SearchStats.View, _ scratch: Scratch? = nil
  ) -> Bool {
    view.nbHits == other.nbHits && view.query == other.query
  }

  /// Whether a list shows the page of an awaited search, which has no other pages.
  private static func hasSamePage(
    _ view: InfiniteHits<Shop.Product>.View, _ other: InfiniteHits<Shop.Product>.View
  ) -> Bool {
    let page = other.pages.last
    let same = view.pages.first { $0.number == page?.number }
    return view.currentPage == other.currentPage
      && same?.items.map(\.record) == page?.items.map(\.record)
  }

  /// Whether a list shows pages of the search from scratch, among them its page.
  private static func isEqual(
    _ view: InfiniteHits<Shop.Product>.View, _ other: InfiniteHits<Shop.Product>.View,
    _ scratch: Scratch
  ) -> Bool {
    view.currentPage == other.currentPage && view.pages.map(\.number).contains(view.currentPage)
      && view.pages.allSatisfy { page in
        let first = page.number * scratch.results.page.hitsPerPage
        return page.items.map(\.record) == scratch.hits(ofPage: page.number)
          && page.items.map(\.position) == page.items.indices.map { first + $0 + 1 }
      }
  }

  /// Whether a map shows the records with a location on the page of the search from scratch.
  private static func isEqual(
    _ view: GeoSearch<Shop.Product>.View, _ other: GeoSearch<Shop.Product>.View,
    _ scratch: Scratch
  ) -> Bool {
    view.corners == other.corners && view.position == other.position
      && view.items
        == scratch.hits(ofPage: scratch.results.page.page).filter { $0.geolocation != nil }
  }

  /// Performs a random action of a random widget, which may be impossible.
  func performAny(
    _ random: SeededRandom, _ model: inout SearchScreen
  ) -> LiveWidget.Deed? {
    random.any(widgets)?.performAny(random, &model)
  }

  /// The names of the widgets that do not show what the model shows.
  func differences(from model: SearchScreen) -> [String] {
    widgets.filter { !$0.shows(model) }.map(\.name)
  }

  /// The names of the widgets that do not show what is computed from scratch.
  func differences(from scratch: Scratch) -> [String] {
    widgets.filter { !$0.showsScratch(scratch) }.map(\.name)
  }
}
