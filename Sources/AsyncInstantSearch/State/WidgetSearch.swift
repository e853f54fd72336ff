/// The state that is searched, and what its widgets need from the search.
package struct WidgetSearch: Sendable, Hashable {
  package var state: IndexState
  package var parameters: WidgetParameters

  package init(state: IndexState, parameters: WidgetParameters) {
    self.state = state
    self.parameters = parameters
  }

  /// The search of a request without widgets. It requests the counts itself, by name or by `*`.
  init(of request: SearchRequest<some Decodable & Sendable>) {
    state = IndexState(request)
    var asked = state
    asked.query.adoptAdditional(.facets)
    parameters = WidgetParameters(of: asked)
  }
}

extension WidgetSearch {
  /// The state with what widgets add to it.
  var completed: IndexState { parameters.completing(state) }

  /// The search with what it inherits from that of the screen around it: everything that it does
  /// not have itself.
  func inheriting(_ outer: WidgetSearch) -> WidgetSearch {
    var search = self
    search.state.query = outer.state.query.merging(state.query)
    search.state.query.ruleContexts = Self.united(
      outer.state.query.ruleContexts, state.query.ruleContexts)
    search.state.filters = outer.state.filters.overridden(by: state.filters)
    search.parameters = parameters.inheriting(outer.parameters)
    return search
  }

  private static func united(_ first: [String]?, _ second: [String]?) -> [String]? {
    guard let first, let second else { return first ?? second }
    return first + second.filter { !first.contains($0) }
  }
}
