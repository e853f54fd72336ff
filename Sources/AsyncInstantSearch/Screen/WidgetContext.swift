/// The inputs of a widget's view, and the values that a widget's action reads and changes.
public struct WidgetContext<W: SearchWidget>: Sendable {
  /// The current state, which the results may not answer yet.
  ///
  /// For a view and a request it includes defaults of the widgets, such as the default number of
  /// hits. For an action it has only the selected values.
  public var state: IndexState
  /// The newest results; `nil` before the first.
  public var results: IndexResults?
  /// The response to the widget's own request, if it has one; see
  /// ``RequestingWidget/request(in:)``. A response to an older request never replaces it.
  public var response: WidgetResponse?
  /// The state of the search. Stale unless the widget conforms to ``StatusWidget``.
  public var status: SearchState
  let widget: W
  /// The memory of the widget; `nil` if it has no memory.
  var storedMemory: (any Sendable & Equatable)?
  /// Returns the search of a state, including inherited needs, for an action; `nil` for a view.
  var plan: (@Sendable (IndexState) -> SearchPlan)?
  /// Whether a text that an action sets is searched at once, because it is selected and not typed.
  /// Defaults to `false`: it waits for the debounce of the searcher.
  public var searchesAtOnce = false
  /// The effects of an action, to perform outside the lock. A link performs none.
  var effects: [@Sendable () -> Void] = []

  /// Creates a context. Defaults to no results and the initial memory.
  public init(
    _ widget: W, state: IndexState, results: IndexResults? = nil, response: WidgetResponse? = nil,
    status: SearchState = .idle
  ) {
    self.init(
      widget, state: state, results: results, response: response, status: status,
      storedMemory: widget.firstMemory)
  }

  init(
    _ widget: W, state: IndexState, results: IndexResults?, response: WidgetResponse?,
    status: SearchState, storedMemory: (any Sendable & Equatable)?
  ) {
    self.widget = widget
    self.state = state
    self.results = results
    self.response = response
    self.status = status
    self.storedMemory = storedMemory
  }
}

extension WidgetContext where W: RememberingWidget {
  /// The memory of the widget.
  public var memory: W.Memory {
    get { storedMemory as? W.Memory ?? widget.initialMemory }
    set { storedMemory = newValue }
  }
}

extension SearchWidget {
  /// The view of the widget without a search.
  var initialView: View { view(WidgetContext(self, state: IndexState(""))) }

  /// The initial memory of the widget; `nil` if it has no memory.
  var firstMemory: (any Sendable & Equatable)? {
    (self as? any RememberingWidget)?.initialMemory
  }
}

/// A change that a widget makes, as a value.
///
/// ```swift
/// let action = brand.toggle("Apple")
/// ```
public struct WidgetAction<W: SearchWidget>: Sendable {
  /// The widget.
  public let widget: W
  /// Changes the state or the memory of the widget. It is called again only if the state was
  /// changed meanwhile.
  ///
  /// - Throws: `invalidRequest` if the action is not possible, without a change.
  public let apply: @Sendable (inout WidgetContext<W>) throws(SearchError) -> Void
}

extension SearchWidget {
  /// Creates an action of the widget.
  ///
  /// - Parameter apply: Changes the state or the memory of the widget. It is called again only if
  ///   the state was changed meanwhile. It throws `invalidRequest`, without a change, if the action
  ///   is not possible.
  public func action(
    _ apply: @escaping @Sendable (inout Context) throws(SearchError) -> Void
  ) -> Action {
    Action(widget: self, apply: apply)
  }

  /// Creates an action that refines the search, which returns to its first page.
  public func refining(_ change: @escaping @Sendable (inout IndexState) -> Void) -> Action {
    action { context in context.state.refine(change) }
  }
}

extension WidgetRequest {
  /// Whether the request is made for a text that may still be typed.
  var isTyped: Bool {
    switch self {
    case .facetValues: true
    case .searches(let requests): requests.contains { $0.query.query?.isEmpty == false }
    case .recommendations: false
    }
  }

  /// Whether all widgets share one call, which does not depend on the search.
  var isShared: Bool { if case .recommendations = self { true } else { false } }
}

/// A widget's own request, beside the search.
///
/// A minor version can add cases, so a switch needs a `default`.
public enum WidgetRequest: Sendable, Hashable {
  /// Searches facet values among the records that the search matches.
  case facetValues(FacetValuesSearch)
  /// Searches other indices, with one call.
  case searches([SearchRequest<JSON>])
  /// Requests recommendations. All widgets of a searcher, or of a search with screens, share one
  /// call, which does not depend on the search.
  case recommendations(RecommendationsRequest)
}

/// The response to a widget's own request.
public struct WidgetResponse: Sendable {
  /// The content of a response. A minor version can add cases, so a switch needs a `default`.
  public enum Content: Sendable {
    /// Values of a facet.
    case facetValues(FacetValuesPage)
    /// The results of searches, in the order of the requests.
    case searches([SearchAnswer])
    /// Recommended records or facet values, in the order of the requests.
    case recommendations([SearchAnswer])
  }

  /// The request.
  public var request: WidgetRequest
  /// The content, or the error of the request.
  public var result: Result<Content, SearchError>

  /// Creates a response.
  public init(_ request: WidgetRequest, _ result: Result<Content, SearchError>) {
    self.request = request
    self.result = result
  }
}
