extension SearchClient {
  /// Searches with the widgets of a screen, and of the screens in it, with one request.
  ///
  /// Widgets' own requests, such as recommendations or searches for facet values, run at the same
  /// time. If one fails, the error is in the view of its widget.
  ///
  /// No searcher and no task remain. If the response contains other dynamic facets than the search
  /// has requested, a second request follows.
  ///
  /// - Parameters:
  ///   - screen: The widgets.
  ///   - uiState: What the user typed, selected and opened, for example from
  ///     ``SearchScreen/read(query:maximumParameters:)``. Defaults to nothing.
  ///   - options: Options of the call.
  /// - Returns: The results, from which the view of each widget is made.
  @concurrent
  public func search(
    _ screen: SearchScreen, in uiState: UIState = UIState(),
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> ScreenResults {
    var screen = screen
    screen.read(uiState)
    let first = screen
    let plan = first.wholePlan
    async let others = responses(of: first, options: options)
    if let problem = plan.needs.problem { throw problem }
    screen.receive(try await answer(to: plan, options: options))
    screen.followActivity()
    if screen.repeats(1, after: plan) {
      screen.receive(try await answer(to: screen.wholePlan, options: options))
      screen.followActivity()
    }
    screen.receive(await others)
    // The widgets' own requests can depend on the results.
    screen.receive(await responses(of: screen, options: options))
    screen.complete()
    return ScreenResults(screen: screen, position: 0)
  }

  /// The responses to the widgets' own requests.
  private func responses(
    of screen: SearchScreen, options: RequestOptions
  ) async -> [OwnedRequest: WidgetResponse] {
    let requests = screen.unansweredRequests()
    if requests.isEmpty { return [:] }
    return await withTaskGroup { group in
      group.addTask {
        let responses = await self.recommendations(requests.map(\.request), options: options)
        return requests.reduce(into: [:]) { $0[$1] = responses[$1.request] }
      }
      for request in requests where !request.request.isShared {
        group.addTask {
          [request: await self.response(to: request, options: options)]
        }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
  }
}

extension SearchScreen {
  /// Computes the inputs that all views share, once.
  mutating func complete() {
    for position in nodes.indices { nodes[position].complete() }
  }

  /// The same screen with the URLs of another one, and with the IDs of its indices.
  func routed(as other: SearchScreen) -> SearchScreen {
    var copy = self
    copy.routing = other.routing
    for (position, node) in other.nodes.enumerated() {
      copy.nodes[position].indexID = node.indexID
    }
    copy.complete()
    return copy
  }
}

/// The results of a search with the widgets of a screen.
///
/// Use them to render one awaited response; a ``LiveScreen`` follows a search that changes.
public struct ScreenResults: Sendable {
  private let screen: SearchScreen
  private let position: Int

  init(screen: SearchScreen, position: Int) {
    self.screen = screen
    self.position = position
  }

  private var node: ScreenNode { screen.nodes[position] }

  /// The state that was searched.
  public var state: IndexState { node.state }

  /// The merged results.
  public var results: IndexResults? { node.results }

  /// The state of the search: ``SearchState/idle`` for an awaited one, and the newest one of a
  /// ``LiveScreen``, whose results belong to an earlier search while a search is in flight or after
  /// it failed.
  public var searchState: SearchState { screen.status }

  /// Whether a newer search is scheduled or running, so that the results of a ``LiveScreen`` are
  /// about to be replaced. A page that is rendered on a server can wait for them.
  ///
  /// A widget's own request, such as for suggestions, does not count: its view says whether it is
  /// loading.
  public var isPending: Bool { screen.isPending }

  /// The results of the screen with an ID: this screen or another one in the same tree; `nil` for
  /// an unknown ID.
  public subscript(indexID: String) -> ScreenResults? {
    screen.nodes.firstIndex { $0.indexID == indexID }.map {
      ScreenResults(screen: screen, position: $0)
    }
  }

  /// Returns the page of hits with records of a type. It is decoded when it is read first.
  ///
  /// Hits that do not match are in the page's `failures`.
  public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    node.results?.page(of: type) ?? HitsPage()
  }

  /// The view of a widget.
  ///
  /// - Parameter widget: A widget of the screen.
  public func view<W: SearchWidget>(of widget: W) -> W.View {
    screen.view(of: widget, at: position)
  }

  /// Whether a widget is active. ``DynamicFacets`` deactivates widgets of facets that the results
  /// do not list: a page does not show them, and their actions are not possible.
  public func isActive(_ widget: some SearchWidget) -> Bool {
    screen.isActive(widget, at: position)
  }

  /// The views of a widget in each screen that has it, from the outermost screen on.
  ///
  /// With ``CurrentFilters``, for example, these are the refinements of all indices.
  ///
  /// - Parameter widget: A widget of one or more screens.
  public func views<W: SearchWidget>(of widget: W) -> [(indexID: String, view: W.View)] {
    screen.nodes.indices.filter { screen.contains(widget, at: $0) }.map {
      (screen.nodes[$0].indexID, screen.view(of: widget, at: $0))
    }
  }

  // MARK: Links

  /// The state of the user interface of all screens.
  public var uiState: UIState { screen.uiState }

  /// Returns the state of the user interface after an action.
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
    var copy = screen
    if isEverywhere {
      try copy.performEverywhere(action)
    } else {
      try copy.perform(action, at: position)
    }
    return copy.uiState
  }

  /// Returns the query of the URL that performs an action, percent-encoded, without a question
  /// mark.
  ///
  /// ```swift
  /// let href = "/films?" + (try results.link(after: genres.toggle("Drama")))
  /// ```
  ///
  /// It takes the same parameters as ``uiState(after:inAllScreens:)``.
  public func link<W: SearchWidget>(
    after action: WidgetAction<W>, inAllScreens isEverywhere: Bool = false
  ) throws(SearchError) -> String {
    try uiState(after: action, inAllScreens: isEverywhere).query(mapping: screen.routing)
  }

  /// Returns the hidden fields of a form in which a user changes a widget, such as the text of a
  /// ``SearchBox``: all other parts of the state, on the first page if the form changes the search.
  /// They are not percent-encoded.
  ///
  /// - Parameters:
  ///   - widget: A widget of the screen, whose parts are visible fields of the form.
  ///   - key: The key of the only part that is visible, such as `facetQuery` for the search field
  ///     of a ``FacetList``, whose selected values are then hidden fields. Defaults to `nil`: all
  ///     parts of the widget are visible.
  public func hiddenFields(
    without widget: some RoutedWidget, part key: String? = nil
  ) -> [QueryItem] {
    var copy = screen
    copy.clear(widget, key, at: position)
    return copy.uiState.queryItems(mapping: screen.routing)
  }

  /// The responses to the searches, and to the requests for recommendations that succeeded.
  fileprivate var answers: (hits: SearchAnswer?, recommended: [WidgetResponse]) {
    let nodes = screen.nodes
    return (nodes[0].response, nodes.flatMap { $0.slots.compactMap(\.own.response) })
  }
}

extension InitialResults {
  /// Creates the results of all screens of a search, for a client that shows the same widgets.
  public init(_ results: ScreenResults) {
    let answers = results.answers
    self.init([answers.hits].compactMap { $0 })
    for answer in answers.recommended {
      guard case .recommendations(let request) = answer.request,
        case .success(.recommendations(let responses)) = answer.result
      else { continue }
      add(responses, to: request.queries)
    }
  }
}
