// URLs of a screen.

extension SearchScreen {
  /// Reads the query of a URL, as ``routing`` says.
  ///
  /// Nothing is lost in silence: what cannot be read is a problem, and so is what has no effect,
  /// because no widget reads it or because the widget does not offer the value.
  ///
  /// - Parameters:
  ///   - query: The query, percent-encoded, with or without a question mark.
  ///   - maximumParameters: The maximum number of parameters. Further ones are not read, which is
  ///     reported. Defaults to ``UIState/defaultMaximumParameters``.
  /// - Returns: The state, and the problems.
  public func read(
    query: String, maximumParameters: Int = UIState.defaultMaximumParameters
  ) -> (state: UIState, problems: [UIState.Problem]) {
    var (state, problems) = UIState.read(
      query: query, mapping: routing, maximumParameters: maximumParameters)
    var screen = self
    screen.read(state)
    for node in screen.nodes {
      let path = routing == .singleIndex(node.indexID) ? [] : [node.indexID]
      for (part, value) in node.ignoredParts(of: state[node.indexID]) {
        problems.append(
          UIState.Problem(
            path: path + [part.key] + [part.name].compactMap { $0 }, text: value.summary,
            expected: "a value that a widget of the screen reads and offers"))
      }
    }
    for id in state.indexIDs where !nodes.contains(where: { $0.indexID == id }) {
      let ids = nodes.map(\.indexID).joined(separator: ", ")
      problems.append(
        UIState.Problem(path: [id], text: "values", expected: "an index of the screen: \(ids)"))
      state[id] = IndexUIState()
    }
    return (state, problems)
  }

  /// The query of a URL for a state, percent-encoded, without a question mark.
  public func query(of uiState: UIState) -> String { uiState.query(mapping: routing) }
}
