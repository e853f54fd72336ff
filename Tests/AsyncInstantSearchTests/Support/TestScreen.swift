@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Testing

/// A screen that receives answers without a service.
struct TestScreen {
  var screen: SearchScreen

  init(_ widgets: any SearchWidget..., uiState: IndexUIState = IndexUIState()) throws {
    screen = try SearchScreen(indexName: "products", widgets: widgets)
    screen.read(uiState, at: 0)
  }

  var state: IndexState {
    get { screen.state }
    set { screen.state = newValue }
  }

  var results: IndexResults? { screen.results }

  /// The queries of a search.
  var queries: [SearchQuery] { screen.plan().queries }

  /// The query for hits as JSON.
  var hitsQuery: JSON {
    get throws { try JSON(encoding: queries[0]) }
  }

  var uiState: IndexUIState { screen.uiState["products"] }

  /// Applies an action.
  mutating func apply(_ action: WidgetAction<some SearchWidget>) throws(SearchError) {
    try screen.perform(action)
  }

  /// Receives the answer to each query. Without others, counts are answered like the hits.
  mutating func receive(_ answers: JSON...) throws {
    let count = queries.count
    let last = answers.last ?? [:]
    let all = answers + Array(repeating: last, count: max(count - answers.count, 0))
    screen.receive(try IndexResults(merging: Array(all.prefix(count)), of: screen.plan()))
    screen.followActivity()
  }

  /// Receives the response to a widget's own request.
  mutating func receive(_ response: WidgetResponse) {
    screen.receive([screen.owned(response.request): response])
  }

  /// What a widget displays.
  func view<W: SearchWidget>(_ widget: W) -> W.View { screen.view(of: widget) }
}

extension IndexUIState {
  /// The state after it was written to a URL and read again.
  func throughURL() -> IndexUIState {
    var uiState = UIState()
    uiState["products"] = self
    return UIState.read(query: uiState.query(mapping: .simple), mapping: .simple).state["products"]
  }
}
