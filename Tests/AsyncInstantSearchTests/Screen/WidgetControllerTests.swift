import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Views of widgets that have a type parameter.
struct WidgetControllerTests {
  private struct Promotion: Codable, Sendable, Equatable {
    var title: String
  }

  private final class Segments: WidgetController {
    weak var widgetSource: WidgetInteractor<FilterMap<Int>>?
    var selected: Int?

    func update(_ view: FilterMap<Int>.View) { selected = view.selected }
  }

  private final class Banner: WidgetController {
    weak var widgetSource: WidgetInteractor<RuleData<Promotion>>?
    var title: String?

    func update(_ view: RuleData<Promotion>.View) { title = view.value?.title }
  }

  @Test @MainActor func segmentIsChosenInAView() async throws {
    let shop = try await Shop()
    let segments = Segments()
    let prices = FilterMap([0: "price" < 100, 1: "price" < 300])
    let connector = WidgetConnector(
      searcher: shop.searcher(), widget: prices, controller: segments)
    try segments.widgetSource?.perform { $0.select(1) }
    try await connector.searcher.search()
    expectEqual(segments.selected, 1)
    expectEqual(connector.searcher.request.filterGroups.text, #""price" < 300"#)
  }

  @Test @MainActor func dataOfARuleIsInAView() async throws {
    let transport = ScriptedTransport { _, _ in
      let answer = #"{"hits":[],"userData":[{"other":1},{"title":"Sale"}]}"#
      return TransportResponse(status: 200, body: Array(answer.utf8))
    }
    let searcher = HitsSearcher(client: SearchClient(transport: transport), indexName: "products")
    let banner = Banner()
    let connector = WidgetConnector(
      searcher: searcher, widget: RuleData(of: Promotion.self), controller: banner)
    try await connector.searcher.search()
    expectEqual(banner.title, "Sale")
  }

  @Test @MainActor func comparisonHasItsConnector() async throws {
    let shop = try await Shop()
    let connector = WidgetConnector(
      searcher: shop.searcher(), widget: NumberComparison(attribute: "price"))
    try connector.interactor.perform { $0.set(50) }
    expectEqual(connector.interactor.view.number, 50)
  }
}
