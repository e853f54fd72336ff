import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// Searches of a screen without a searcher, and results that are handed over.
struct ScreenResultsTests {
  private let box = SearchBox()
  private let brands = FacetList(attribute: "brand")
  private let prices = NumberRange(attribute: "price")
  private let pages = Pagination()
  private let screen: SearchScreen

  init() throws {
    screen = try SearchScreen(indexName: "products", widgets: [box, brands, prices, pages])
  }

  private func uiState(_ query: String) -> UIState {
    UIState.read(query: query, mapping: .singleIndex("products")).state
  }

  private func query(_ state: UIState) -> String { state.query(mapping: .singleIndex("products")) }

  @Test func oneRequestGivesAllViewsAndLinks() async throws {
    let shop = try await Shop()
    let results = try await shop.client.search(
      screen, in: uiState("query=phone&refinementList[brand][0]=Apple&page=2"))
    expectEqual(shop.transport.requests.count, 1)
    expectEqual(results.page(of: Hit<Shop.Product>.self).nbHits, 4)
    expectEqual(results.view(of: brands).items.map(\.value).first, "Apple")
    expectEqual(results.view(of: brands).items.count, 5)
    expectEqual(results.view(of: box).query, "phone")
    try expectEqual(
      query(results.uiState(after: brands.toggle("Dell"))),
      "query=phone&refinementList%5Bbrand%5D%5B0%5D=Apple&refinementList%5Bbrand%5D%5B1%5D=Dell")
    try expectEqual(query(results.uiState(after: brands.toggle("Apple"))), "query=phone")
    #expect(throws: SearchError.self) { try results.uiState(after: prices.set(9, 1)) }
  }

  @Test func everyLinkLeadsToTheStateOfItsAction() async throws {
    let shop = try await Shop()
    let results = try await shop.client.search(screen, in: uiState("range[price]=100:500"))
    let link = try results.uiState(after: brands.toggle("Bose"))
    let next = try await shop.client.search(screen, in: uiState(query(link)))
    expectEqual(next.uiState, link)
    expectEqual(next.state.filters, uiStateAfter(results).filters)
  }

  /// Texts of users are escaped, and an action that cannot be performed has no address.
  @Test func linksAndFormsAreHTML() async throws {
    let shop = try await Shop()
    let screen = try SearchScreen(
      indexName: "products", widgets: [box, brands, prices, pages],
      routing: .singleIndex("products"))
    let results = try await shop.client.search(
      screen, in: uiState("refinementList[brand][0]=%22%3E%3Cb%3E"))
    expectEqual(
      results.anchor("<1> & up", to: "/s", after: prices.set(1, nil)),
      #"<a href="/s?refinementList%5Bbrand%5D%5B0%5D=%22%3E%3Cb%3E&amp;range%5Bprice%5D=1%3A">"#
        + "&lt;1&gt; &amp; up</a>")
    expectEqual(results.anchor("none", after: prices.set(9, 1)), "<a>none</a>")
    expectEqual(
      results.form(to: "/s?\"", for: box, fields: [("query", #"a" b"#)]),
      #"<form action="/s?&quot;"><input name="query" value="a&quot; b">"#
        + #"<input type="hidden" name="refinementList[brand][0]" value="&quot;&gt;&lt;b&gt;">"#
        + "</form>")
    expectEqual(
      results.form(for: brands, fields: []), "<form></form>")
  }

  private func uiStateAfter(_ results: ScreenResults) -> IndexState {
    var screen = screen
    screen.state = results.state
    _ = try? screen.perform(brands.toggle("Bose"))
    return screen.state
  }

  @Test func nestedScreensInheritTheirState() async throws {
    let shop = try await Shop()
    let inner = try SearchScreen(
      indexName: "products", indexID: "inner",
      widgets: [Configure(SearchQuery().with { $0.hitsPerPage = 2 }), Pagination()])
    let outer = try SearchScreen(indexName: "products", widgets: [box, brands], indices: [inner])
    var state = uiState("query=phone&refinementList[brand][0]=Apple")
    state["inner"].page = 2
    let results = try await shop.client.search(outer, in: state)
    expectEqual(shop.transport.requests.count, 1)
    let page = results["inner"]?.page(of: Hit<Shop.Product>.self)
    expectEqual(page?.hits.count, 2)
    expectEqual(page?.page, 1)
    expectEqual(page?.nbHits, 4)
    #expect(results["other"] == nil)
    let link = try results.uiState(after: brands.toggle("Dell"))
    expectEqual(link["inner"].page, 1)
    let pages = try #require(results["inner"]).uiState(after: Pagination().show(0))
    expectEqual(pages["products"], state["products"])
  }

  @Test(arguments: [true, false])
  func restoredResultsReplaceOnlyAnEqualSearch(isEqual: Bool) async throws {
    let shop = try await Shop()
    let state = uiState("query=phone&refinementList[brand][0]=Apple")
    let results = try await shop.client.search(screen, in: state)
    let data = try JSONEncoder().encode(InitialResults(results))
    let initial = try JSONDecoder().decode(InitialResults.self, from: data)
    let searcher = shop.searcher()
    let widget = WidgetInteractor(brands)
    let range = WidgetInteractor(prices)
    widget.connectSearcher(searcher)
    range.connectSearcher(searcher)
    let text = WidgetInteractor(box)
    let numbers = WidgetInteractor(pages)
    text.connectSearcher(searcher)
    numbers.connectSearcher(searcher)
    var shown = state["products"]
    if !isEqual { shown.query = "player" }
    searcher.setUIState(shown, searchesOnChange: false)
    expectEqual(searcher.uiState, shown)
    expectEqual(searcher.state, .idle)
    expectEqual(shop.transport.requests.count, 1)
    let before = shop.transport.requests.count
    searcher.restore(initial)
    try await searcher.search()
    expectEqual(shop.transport.requests.count, isEqual ? before : before + 1)
    if isEqual {
      expectEqual(widget.view, results.view(of: brands))
      expectEqual(range.view, results.view(of: prices))
    }
    let count = shop.transport.requests.count
    try await searcher.search()
    expectEqual(shop.transport.requests.count, count + 1)
  }

  /// A URL that changes nothing, or writes defaults out, hands its results over too.
  @Test(
    arguments: ["", "page=1", "query=", "page=1&query=", "query=phone", "page=2"], [false, true])
  func resultsOfDefaultsAreRestored(url: String, connectsTheScreen: Bool) async throws {
    let shop = try await Shop()
    let state = uiState(url)
    let results = try await shop.client.search(screen, in: state)
    let searcher = shop.searcher()
    searcher.restore(InitialResults(results))
    let parts: [Any]
    if connectsTheScreen {
      parts = [try searcher.connect(screen)]
    } else {
      let (list, range) = (WidgetInteractor(brands), WidgetInteractor(prices))
      let (text, numbers) = (WidgetInteractor(box), WidgetInteractor(pages))
      list.connectSearcher(searcher)
      range.connectSearcher(searcher)
      text.connectSearcher(searcher)
      numbers.connectSearcher(searcher)
      parts = [list, range, text, numbers]
    }
    // As in the URL, if it says anything.
    if !url.isEmpty { searcher.setUIState(state["products"], searchesOnChange: false) }
    let before = shop.transport.requests.count
    try await searcher.search()
    expectEqual(shop.transport.requests.count, before)
    withExtendedLifetime(parts) {}
  }
}
