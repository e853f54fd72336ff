// Screens of widgets in user code; type-checked by .ci/views, not run.

import InstantSearchViews
import SwiftUI
import UIKit

/// The widgets of a screen.
@MainActor
final class ShopModel {
  let searcher: HitsSearcher
  let box = WidgetObservableController<SearchBox>()
  let stats = WidgetObservableController<SearchStats>()
  let brands = WidgetObservableController<FacetList>()
  let shops = WidgetObservableController<FacetMenu>()
  let categories = WidgetObservableController<HierarchicalMenu>()
  let path = WidgetObservableController<Breadcrumb>()
  let free = WidgetObservableController<FilterToggle>()
  let price = WidgetObservableController<NumberRange>()
  let prices = WidgetObservableController<NumericMenu>()
  let ratings = WidgetObservableController<RatingMenu>()
  let order = WidgetObservableController<SortBy>()
  let count = WidgetObservableController<HitsPerPage>()
  let pages = WidgetObservableController<Pagination>()
  let current = WidgetObservableController<CurrentFilters>()
  let clear = WidgetObservableController<FilterClear>()
  private var connectors: [Any] = []

  init(client: SearchClient) throws {
    searcher = HitsSearcher(client: client, indexName: "products")
    let hierarchy = HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"])
    show(SearchBox(), in: box)
    show(SearchStats(), in: stats)
    show(FacetList(attribute: "brand", showMoreLimit: 30), in: brands)
    show(FacetMenu(attribute: "shop"), in: shops)
    show(HierarchicalMenu(hierarchy), in: categories)
    show(Breadcrumb(hierarchy), in: path)
    show(FilterToggle(attribute: "free_shipping"), in: free)
    show(NumberRange(attribute: "price"), in: price)
    show(
      NumericMenu(
        attribute: "price", items: [.init("All"), .init("Up to 10", end: 10)]), in: prices)
    show(RatingMenu(attribute: "rating"), in: ratings)
    show(SortBy([.init("Relevance", indexName: "products")]), in: order)
    show(HitsPerPage([.init("10", count: 10)], default: 10), in: count)
    show(Pagination(), in: pages)
    show(CurrentFilters(), in: current)
    show(FilterClear(), in: clear)
    searcher.submit()
  }

  private func show<W: SearchWidget>(_ widget: W, in controller: WidgetObservableController<W>) {
    connectors.append(WidgetConnector(searcher: searcher, widget: widget, controller: controller))
  }
}

/// A screen with all views of widgets.
struct ShopView: View {
  let model: ShopModel

  var body: some View {
    VStack {
      SearchBar(model.box, prompt: "Search products")
        .onSubmit { model.searcher.submit() }
      SearchStatsView(model.stats)
      CurrentFiltersView(model.current)
      FilterClearView(model.clear)
      PaginationView(model.pages)
      Form {
        SortByView(model.order)
        HitsPerPageView(model.count)
        FacetMenuView(model.shops, title: "Shop").pickerStyle(.menu)
        FilterToggleView(model.free, title: "Free shipping")
        Section("Brand") { FacetListView(model.brands, searchPrompt: "Search brands") }
        Section("Category") {
          BreadcrumbView(model.path)
          HierarchicalList(model.categories)
        }
        Section("Price") {
          NumberRangeView(model.price)
          NumericMenuView(model.prices)
        }
        Section("Rating") { RatingMenuView(model.ratings) }
      }
    }
  }
}

/// The same with custom rows.
struct CustomShopView: View {
  let model: ShopModel

  var body: some View {
    List {
      SearchStatsView(model.stats) { Text("\($0.nbHits) products") }
      CurrentFiltersView(model.current) { Text($0.label) }
      FilterClearView(model.clear, title: "Clear")
      FilterToggleView(model.free) { Text("Free shipping (\($0?.count ?? 0))") }
      FacetListView(model.brands) { brand in
        Text(brand.isRefined ? "✓ \(brand.value)" : brand.value)
      }
      HierarchicalList(model.categories) { category, level in
        Text(category.name).padding(.leading, CGFloat(level) * 10)
      }
      BreadcrumbView(model.path, root: "All categories")
      NumberRangeView(model.price) { Text($0, format: .currency(code: "EUR")) }
      RatingMenuView(model.ratings) { Text("\($0.rating) stars") }
    }
    .searchable(
      text: model.box.binding {
        $0?.query ?? ""
      } set: {
        $0.setQuery($1)
      })
  }
}

/// The content of the standard rows in a custom layout.
struct StandardRowsView: View {
  let model: ShopModel

  var body: some View {
    List {
      CurrentFiltersView(model.current) { CurrentFilterChip($0) }
      FilterToggleView(model.free) { FilterToggleLabel(title: "Free", count: $0?.count) }
      FacetListView(model.brands, searchPrompt: "Search") { FacetRow($0).padding(.leading, 10) }
      HierarchicalList(model.categories) { HierarchicalRow($0, level: $1 + 1) }
      RatingMenuView(model.ratings) { RatingRow($0) }
      SortByView(model.order, title: "Order")
      HitsPerPageView(model.count, title: "Films")
      FacetMenuView(model.shops, title: "Shop", all: "All shops")
      SearchBar(model.box)
    }
  }
}

/// A custom control.
struct OwnToggle: View {
  let free: WidgetObservableController<FilterToggle>

  var body: some View {
    Toggle(
      "Free shipping",
      isOn: free.binding {
        $0?.isOn ?? false
      } set: {
        $0.set($1)
      })
  }
}

/// A table with custom cells.
class BrandsViewController: FacetListTableViewController {
  override func configure(_ cell: UITableViewCell, with item: FacetItem) {
    super.configure(cell, with: item)
    cell.textLabel?.text = item.value.uppercased()
  }
}

@MainActor
final class BrandsScreen {
  let table = BrandsViewController()
  let connector: WidgetConnector<FacetList>

  init(searcher: HitsSearcher) {
    connector = WidgetConnector(
      searcher: searcher, widget: FacetList(attribute: "brand"), controller: table)
  }
}

/// A screen with a live screen, which is observable itself.
struct LiveShopView: View {
  let live: LiveScreen
  let autocomplete: Autocomplete
  let brands: FacetList
  let stats = SearchStats()
  @State private var url = ""

  var body: some View {
    List {
      AutocompleteView(live.controller(of: autocomplete), prompt: "Search") { url = $0 }
      Text("\(live.view(of: stats).nbHits) products, last \(url)")
      FacetListView(live.controller(of: brands))
      ForEach(live.view(of: brands).items, id: \.value) { brand in
        Button(brand.value) { try? live.perform(brands.toggle(brand.value)) }
      }
    }
  }
}
