import AsyncInstantSearch
import Testing

/// A screen with its state and its newest results.
struct TestScreen {
  var screen: SearchScreen
  var state: IndexState
  var results: IndexResults?

  init(_ widgets: any SearchWidget..., uiState: IndexUIState = IndexUIState()) {
    screen = SearchScreen(indexName: "products", widgets: widgets)
    state = screen.state(from: uiState)
  }

  /// The queries of a search.
  var queries: [SearchQuery] { screen.queries(for: state).all }

  /// The query for hits as JSON.
  var hitsQuery: JSON {
    get throws { try JSON(encoding: queries[0]) }
  }

  var uiState: IndexUIState { screen.uiState(of: state) }

  /// Applies an action.
  mutating func apply(_ action: WidgetAction<some SearchWidget>) throws(SearchError) {
    try screen.apply(action, to: &state, results: results)
  }

  /// Receives the answer to each query. Without others, counts are answered like the hits.
  mutating func receive(_ answers: JSON...) throws {
    let count = queries.count
    let last = answers.last ?? [:]
    let all = (answers + Array(repeating: last, count: max(count - answers.count, 0))).map { json in
      var members = json.objectValue ?? [:]
      if members["hits"] == nil { members["hits"] = [] }
      return JSON.object(members)
    }
    let newest = try IndexResults(
      merging: Array(all.prefix(count)), of: screen.search(for: state))
    results = newest
    screen.receive(newest, state: &state)
  }

  /// What a widget displays.
  func view<W: SearchWidget>(_ widget: W, response: WidgetResponse? = nil) -> W.View {
    screen.view(of: widget, in: state, results: results, response: response)
  }
}

extension IndexUIState {
  /// The state after it was written to a URL and read again.
  func throughURL() -> IndexUIState {
    var uiState = UIState()
    uiState["products"] = self
    return UIState.read(query: uiState.query(mapping: .simple), mapping: .simple).state["products"]
  }
}
