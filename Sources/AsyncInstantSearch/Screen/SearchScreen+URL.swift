// URLs of a screen.

extension SearchScreen {
  /// The most bytes of the text of a search. A search with more fails.
  private static let maximumTextBytes = 512

  /// Reads the query of a URL, as ``routing`` says.
  ///
  /// Nothing is dropped silently: a parameter that cannot be read is a problem, and so is one
  /// without effect, because no widget reads it or because the widget does not offer the value.
  ///
  /// The limits suit a public web page: each link of the page repeats the whole state.
  ///
  /// - Parameters:
  ///   - query: The query, percent-encoded, with or without a question mark.
  ///   - maximumParameters: The maximum number of parameters. Further parameters are not read, and
  ///     are reported. Defaults to 50.
  /// - Returns: The state, and the problems. A text is cut to the 512 bytes that a search can have,
  ///   which is reported, too.
  public func read(
    query: String, maximumParameters: Int = 50
  ) -> (state: UIState, problems: [UIState.Problem]) {
    var (state, problems) = UIState.read(
      query: query, mapping: routing, maximumParameters: maximumParameters)
    func path(of node: ScreenNode) -> [String] {
      routing == .singleIndex(node.indexID) ? [] : [node.indexID]
    }
    for node in nodes {
      let text = state[node.indexID].query
      if text.utf8.count <= Self.maximumTextBytes { continue }
      state[node.indexID].query = text.prefix(bytes: Self.maximumTextBytes)
      problems.append(
        UIState.Problem(
          path: path(of: node) + ["query"], text: "\(text.utf8.count) bytes",
          expected: "at most \(Self.maximumTextBytes) bytes"))
    }
    var screen = self
    screen.read(state)
    for node in screen.nodes {
      let path = path(of: node)
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

extension String {
  /// The longest beginning that has at most a number of bytes and no part of a character.
  fileprivate func prefix(bytes maximum: Int) -> String {
    var rest = maximum
    return String(
      prefix { character in
        rest -= character.utf8.count
        return rest >= 0
      })
  }
}
