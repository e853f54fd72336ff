/// The widgets of one index, as a value.
///
/// The state of the search and that of the user interface are two forms of the same thing: each is
/// a function of the other and of the widgets.
package struct SearchScreen: Sendable {
  /// The index that is searched at first.
  package var indexName: String
  /// The widgets.
  package var widgets: [any Widget]

  /// Creates a screen.
  package init(indexName: String, widgets: [any Widget]) {
    self.indexName = indexName
    self.widgets = widgets
  }

  /// What the widgets need from a search in a state.
  package func parameters(for state: IndexState) -> WidgetParameters {
    var parameters = WidgetParameters()
    for widget in widgets { widget.declare(in: &parameters, for: state) }
    return parameters
  }

  /// The queries of a search in a state.
  package func queries(for state: IndexState) -> IndexQueries {
    IndexQueries(state, parameters: parameters(for: state))
  }

  /// The state of the search that is shown as a state of the user interface. What no widget changes
  /// is ignored.
  package func state(from uiState: IndexUIState) -> IndexState {
    let initial = IndexState(indexName)
    var state = initial
    for widget in widgets { widget.read(uiState, initial: initial, into: &state) }
    complete(&state)
    return state
  }

  /// Applies an action of a widget.
  ///
  /// - Throws: `invalidRequest` if the action is not possible, without a change.
  package func apply(
    _ action: WidgetAction, to target: inout WidgetAction.Target
  ) throws(SearchError) {
    try action.apply(&target)
    complete(&target.state)
  }

  private func complete(_ state: inout IndexState) {
    for widget in widgets { widget.complete(&state) }
  }

  /// The state of the user interface that shows a state of the search.
  package func uiState(of state: IndexState) -> IndexUIState {
    let initial = IndexState(indexName)
    var uiState = IndexUIState()
    for widget in widgets { widget.write(state, initial: initial, to: &uiState) }
    return uiState
  }
}
