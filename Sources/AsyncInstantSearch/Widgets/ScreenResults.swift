extension SearchClient {
  /// Searches with the widgets of a screen, and of the screens in it, with one request.
  ///
  /// What the widgets request from the recommendation models is requested at the same time, with
  /// one call. If that call fails, its error is in the views of those widgets.
  ///
  /// No searcher and no task remain. If the response contains other dynamic facets than the search
  /// has requested, a second request follows.
  ///
  /// - Parameters:
  ///   - screen: The widgets.
  ///   - uiState: What the user typed, selected and opened, for example read from a URL. Parts that
  ///     no widget changes are ignored. Defaults to nothing.
  ///   - state: The state whose refinements by a ``SelectableFilters``, a ``FilterMap`` and a
  ///     ``NumberComparison`` the screen keeps, because no state of a user interface contains them.
  ///     Defaults to none.
  ///   - options: Options of the call.
  /// - Returns: The results, from which the view of each widget is made.
  @concurrent
  public func search(
    _ screen: SearchScreen, in uiState: UIState = UIState(), keeping state: IndexState? = nil,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> ScreenResults {
    var nodes = ScreenNode.nodes(of: screen, in: uiState, keeping: state)
    let requests = nodes.flatMap { $0.screen.recommendations(for: $0.state) }
    async let recommendations = recommendations(requests, options: options)
    var searches = nodes.indices.map { ScreenNode.search(at: $0, of: nodes) }
    var answers = try await responses(to: searches, options: options)
    for position in nodes.indices { nodes[position].receive(answers[position].results) }
    let repeated = nodes.indices.map { ScreenNode.search(at: $0, of: nodes) }
    if zip(searches, repeated).contains(where: { $0.queries != $1.queries }) {
      searches = repeated
      answers = try await responses(to: searches, options: options)
      for position in nodes.indices { nodes[position].receive(answers[position].results) }
    }
    for position in nodes.indices { nodes[position].response = answers[position] }
    return ScreenResults(nodes: nodes, position: 0, recommendations: await recommendations)
  }

  /// The responses to what widgets request from the recommendation models, with one call.
  @concurrent
  private func recommendations(
    _ requests: [RecommendationsRequest], options: RequestOptions
  ) async -> [WidgetRequest: WidgetResponse] {
    if requests.isEmpty { return [:] }
    var responses: [WidgetRequest: WidgetResponse] = [:]
    for (request, result) in zip(requests, await self.responses(to: requests, options: options)) {
      let request = WidgetRequest.recommendations(request)
      responses[request] = WidgetResponse(
        request, result.map(WidgetResponse.Content.recommendations))
    }
    return responses
  }

  /// The responses to several searches with one request, in order.
  private func responses(
    to searches: [IndexSearch], options: RequestOptions
  ) async throws(SearchError) -> [HitsResponse] {
    let context = SearchContext.alone()
    if searches.count == 1 {
      return [
        try await searches[0].response(from: self, options: options, context: context).get()
      ]
    }
    let responses = try await self.responses(
      to: searches.flatMap(\.multiQueries), strategy: .none, options: options)
    return try searches.responses(in: responses, context: context)
      .map { result throws(SearchError) in try result.get() }
  }
}

/// A screen of one index in a tree of screens.
struct ScreenNode: Sendable {
  var screen: SearchScreen
  /// The position of the screen that contains it.
  let parent: Int?
  var state: IndexState
  var response: HitsResponse?
  var results: IndexResults? { response?.results }

  /// The widgets remember what they need of results, which can change which of them are active.
  mutating func receive(_ results: IndexResults) {
    var state = state
    screen.receive(results, state: &state)
    self.state = state
  }

  /// A screen, and all screens in it, each after the one that contains it.
  static func nodes(
    of screen: SearchScreen, in uiState: UIState, keeping current: IndexState?
  ) -> [ScreenNode] {
    var nodes: [ScreenNode] = []
    func add(_ screen: SearchScreen, to parent: Int?) {
      var screen = screen
      let state = screen.state(
        from: uiState[screen.indexID], keeping: parent == nil ? current : nil)
      nodes.append(ScreenNode(screen: screen, parent: parent, state: state))
      let position = nodes.count - 1
      for index in screen.indices { add(index, to: position) }
    }
    add(screen, to: nil)
    return nodes
  }

  /// The search of a screen, with what it inherits.
  static func search(at position: Int, of nodes: [ScreenNode]) -> IndexSearch {
    let search = inherited(at: position, of: nodes)
    return IndexSearch(
      SearchRequest(search.state),
      rules: .standard,
      widgets: search)
  }

  private static func inherited(at position: Int, of nodes: [ScreenNode]) -> WidgetSearch {
    let node = nodes[position]
    let own = WidgetSearch(state: node.state, parameters: node.screen.parameters(for: node.state))
    return node.parent.map { own.inheriting(inherited(at: $0, of: nodes)) } ?? own
  }
}

/// The results of a search with the widgets of a screen.
public struct ScreenResults: Sendable {
  private var nodes: [ScreenNode]
  private let position: Int
  private let recommendations: [WidgetRequest: WidgetResponse]

  init(
    nodes: [ScreenNode], position: Int, recommendations: [WidgetRequest: WidgetResponse] = [:]
  ) {
    self.nodes = nodes
    self.position = position
    self.recommendations = recommendations
  }

  private var node: ScreenNode { nodes[position] }

  fileprivate var responses: [HitsResponse] { nodes.compactMap(\.response) }

  /// The responses to requests for recommendations that did not fail.
  fileprivate var recommended: [(RecommendationsRequest, [HitsResponse])] {
    recommendations.values.compactMap { response in
      guard case .recommendations(let request) = response.request,
        case .success(.recommendations(let responses)) = response.result
      else { return nil }
      return (request, responses)
    }
  }

  /// The state that was searched.
  public var state: IndexState { node.state }

  /// The merged results.
  public var results: IndexResults? { node.results }

  /// The results of the screen with an ID, which is this screen or one in the same tree; `nil` if
  /// there is none.
  public subscript(indexID: String) -> ScreenResults? {
    nodes.firstIndex { $0.screen.indexID == indexID }.map {
      ScreenResults(nodes: nodes, position: $0, recommendations: recommendations)
    }
  }

  /// Returns the page of hits with records of a type. It is decoded when it is read first.
  ///
  /// Hits that do not match are in the page's `failures`.
  public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    node.results?.page(of: type) ?? HitsPage()
  }

  /// What a widget displays.
  ///
  /// - Parameter widget: A widget of the screen.
  public func view<W: SearchWidget>(of widget: W) -> W.View {
    let request =
      recommendations.isEmpty
      ? nil : node.screen.request(of: widget, in: node.state, results: node.results)
    return node.screen.view(
      of: widget, in: node.state, results: node.results,
      response: request.flatMap { recommendations[$0] })
  }

  /// Whether a widget is active. ``DynamicFacets`` deactivates widgets of facets that the results
  /// do not list: a page does not show them, and their actions are not possible.
  public func isActive(_ widget: some SearchWidget) -> Bool { node.screen.isActive(widget) }

  /// What a widget displays in each screen that has it, from the outermost one on.
  ///
  /// With ``CurrentFilters``, for example, these are the refinements of all indices.
  ///
  /// - Parameter widget: A widget of one or more screens.
  public func views<W: SearchWidget>(of widget: W) -> [(indexID: String, view: W.View)] {
    nodes.indices.filter { nodes[$0].screen.contains(widget) }.map { position in
      let results = ScreenResults(
        nodes: nodes, position: position, recommendations: recommendations)
      return (nodes[position].screen.indexID, results.view(of: widget))
    }
  }

  /// The state of the user interface of all screens.
  public var uiState: UIState {
    var uiState = UIState()
    for node in nodes { uiState[node.screen.indexID] = node.screen.uiState(of: node.state) }
    return uiState
  }

  /// Returns the state of the user interface after an action, for example for a link.
  ///
  /// ```swift
  /// let state = try results.uiState(after: genres.toggle("Drama"))
  /// let link = "/films?" + state.query(mapping: .singleIndex("films"))
  /// ```
  ///
  /// An action that changes only what a widget remembers, such as whether it shows more values,
  /// does not change the state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - isEverywhere: Whether the action is performed in all screens in which its widget is
  ///     active, for example to clear the filters of all indices. Defaults to `false`: in this
  ///     screen only.
  /// - Throws: `invalidRequest` if the action is not possible, or if the screen does not have the
  ///   widget or it is inactive; see ``isActive(_:)``.
  public func uiState<W: SearchWidget>(
    after action: WidgetAction<W>, inAllScreens isEverywhere: Bool = false
  ) throws(SearchError) -> UIState {
    var copy = self
    let positions = isEverywhere ? Array(nodes.indices) : [position]
    let having = positions.filter { nodes[$0].screen.contains(action.widget) }
    if having.isEmpty {
      let screen = isEverywhere ? "No screen has" : "The screen of \"\(node.screen.indexID)\" lacks"
      throw SearchError(.invalidRequest, "\(screen) this \(W.self).")
    }
    let active = having.filter { nodes[$0].screen.isActive(action.widget) }
    for position in active.isEmpty ? having : active { try copy.perform(action, at: position) }
    return copy.uiState
  }

  private mutating func perform<W: SearchWidget>(
    _ action: WidgetAction<W>, at position: Int
  ) throws(SearchError) {
    var changed = nodes[position]
    let before = changed.state
    try changed.screen.apply(action, to: &changed.state, results: changed.results)
    nodes[position] = changed
    if changed.state != before { returnToFirstPages(below: position, before) }
  }

  /// A refinement of a screen returns the screens in it to their first pages.
  private mutating func returnToFirstPages(below parent: Int, _ before: IndexState) {
    var before = before
    before.query.page = nodes[parent].state.query.page
    if before == nodes[parent].state { return }
    for position in nodes.indices where isBelow(parent, position) {
      if nodes[position].state.query.page != nil { nodes[position].state.query.page = 0 }
    }
  }

  private func isBelow(_ ancestor: Int, _ position: Int) -> Bool {
    var next = nodes[position].parent
    while let parent = next {
      if parent == ancestor { return true }
      next = nodes[parent].parent
    }
    return false
  }
}

extension InitialResults {
  /// Creates the results of all screens of a search, for a client that shows the same widgets.
  public init(_ results: ScreenResults) {
    self.init(results.responses)
    for (request, responses) in results.recommended { add(responses, to: request) }
  }
}
