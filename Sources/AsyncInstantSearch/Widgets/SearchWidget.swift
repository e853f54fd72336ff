/// A part of a search screen, as a value: its options, its view and its actions.
///
/// A widget has no state of its own. Its view is a function of the state of the search, the newest
/// results and what the widget remembers. An action changes the state or the memory.
///
/// A ``WidgetInteractor`` connects a widget to a searcher. A ``SearchScreen`` shows widgets without
/// a searcher, for example on a server.
public protocol SearchWidget<View>: Hashable, Sendable {
  /// What the widget displays.
  associatedtype View: Sendable & Equatable
  /// What the widget remembers beside the state of the search.
  associatedtype Memory: Sendable & Equatable = NoMemory

  /// What the widget remembers at first.
  var initialMemory: Memory { get }

  /// The facet that the widget displays; see ``DynamicFacets``. `nil` if it displays none.
  var facet: String? { get }

  /// Whether the view shows the state of the search. Other views are not made again if only that
  /// state changes, as when a search begins.
  var showsStatus: Bool { get }

  /// Whether the widgets of a facet are inactive: they need, complete, read and write nothing.
  func deactivates(_ facet: String, memory: Memory) -> Bool

  /// Adds what the widget needs from a search.
  func declare(in parameters: inout WidgetParameters, for state: IndexState, memory: Memory)

  /// Completes a state after a change, so that it is one that the widget can show.
  func complete(_ state: inout IndexState)

  /// Returns the request that the widget needs beside the search. `nil` if it needs none.
  func request(in context: WidgetContext<Memory>) -> WidgetRequest?

  /// Returns the filters that an action of the widget has switched on, for events of clicks.
  ///
  /// - Parameters:
  ///   - before: The state before the action.
  ///   - after: The state after the action.
  func filtersSwitchedOn(from before: IndexState, to after: IndexState) -> [Filter]

  /// Copies the part of a state that the widget changes and that no ``IndexUIState`` contains.
  func keep(_ current: IndexState, in state: inout IndexState)

  /// Decodes what the view shows of new results, before they are published.
  func prepare(_ results: IndexResults)

  /// Remembers what it needs of new results.
  func receive(_ results: IndexResults, memory: inout Memory)

  /// What the widget displays. It must not perform actions or connect widgets.
  func view(_ context: WidgetContext<Memory>) -> View

  /// Writes the part of the state that the widget changes.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - initial: The state without any change, whose values are not written.
  ///   - uiState: Receives the part.
  func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState)

  /// Replaces the part of the state that the widget changes. What is absent is cleared.
  ///
  /// - Parameters:
  ///   - uiState: The new state.
  ///   - initial: The state without any change.
  ///   - state: Receives the part.
  func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState)
}

extension SearchWidget {
  /// The actions of the widget.
  public typealias Action = WidgetAction<Self>

  /// None.
  public var facet: String? { nil }

  /// `false`.
  public var showsStatus: Bool { false }

  /// Deactivates no widgets.
  public func deactivates(_ facet: String, memory: Memory) -> Bool { false }

  /// Needs nothing.
  public func declare(
    in parameters: inout WidgetParameters, for state: IndexState, memory: Memory
  ) {}

  /// Changes nothing.
  public func complete(_ state: inout IndexState) {}

  /// None.
  public func request(in context: WidgetContext<Memory>) -> WidgetRequest? { nil }

  /// The values of facets, and the tags, that were added.
  public func filtersSwitchedOn(from before: IndexState, to after: IndexState) -> [Filter] {
    after.filters.filters.filter { filter in
      filter.kind != .numeric && !filter.isNegated && !before.filters.contains(filter)
    }
  }

  /// Keeps nothing, because the UI state contains everything that the widget changes.
  public func keep(_ current: IndexState, in state: inout IndexState) {}

  /// Decodes nothing.
  public func prepare(_ results: IndexResults) {}

  /// Remembers nothing.
  public func receive(_ results: IndexResults, memory: inout Memory) {}

  /// Writes nothing, because the widget changes nothing.
  public func write(
    _ state: IndexState, initial: IndexState, to uiState: inout IndexUIState
  ) {}

  /// Replaces nothing, because the widget changes nothing.
  public func read(
    _ uiState: IndexUIState, initial: IndexState, into state: inout IndexState
  ) {}
}

extension SearchWidget where Memory == NoMemory {
  /// Nothing.
  public var initialMemory: NoMemory { NoMemory() }
}

/// The memory of a widget that remembers nothing.
public struct NoMemory: Sendable, Hashable {
  /// Creates an empty memory.
  public init() {}
}

/// What a view is made from.
public struct WidgetContext<Memory: Sendable>: Sendable {
  /// The current state, which the results may not answer yet.
  public var state: IndexState
  /// The newest results; `nil` before the first.
  public var results: IndexResults?
  /// What the widget remembers.
  public var memory: Memory
  /// The response to the widget's own request, if it has made one; see
  /// ``SearchWidget/request(in:)``. A response to an older request never replaces it.
  public var response: WidgetResponse?
  /// The state of the search. It may be outdated in a widget that does not declare
  /// ``SearchWidget/showsStatus``.
  public var status: SearchState

  /// Creates a context.
  public init(
    state: IndexState, results: IndexResults?, memory: Memory, response: WidgetResponse? = nil,
    status: SearchState = .idle
  ) {
    self.state = state
    self.results = results
    self.memory = memory
    self.response = response
    self.status = status
  }
}

/// A change that a widget makes, as a value.
///
/// ```swift
/// let action = brand.toggle("Apple")
/// ```
public struct WidgetAction<W: SearchWidget>: Sendable {
  /// What an action reads and changes.
  public struct Target: Sendable {
    /// The state of the search.
    public var state: IndexState
    /// The newest results; `nil` before the first.
    public var results: IndexResults?
    /// What the widget remembers.
    public var memory: W.Memory

    /// Creates a target.
    public init(state: IndexState, results: IndexResults? = nil, memory: W.Memory) {
      self.state = state
      self.results = results
      self.memory = memory
    }
  }

  /// The widget.
  public let widget: W
  /// Changes a target. It may be called several times.
  ///
  /// - Throws: `invalidRequest` if the action is not possible, without a change.
  public let apply: @Sendable (inout Target) throws(SearchError) -> Void
}

extension SearchWidget {
  /// Creates an action of the widget.
  ///
  /// - Parameter apply: Changes a target. It may be called several times. It throws
  ///   `invalidRequest`, without a change, if the action is not possible.
  public func action(
    _ apply: @escaping @Sendable (inout Action.Target) throws(SearchError) -> Void
  ) -> Action {
    Action(widget: self, apply: apply)
  }

  /// Creates an action that refines the search, which returns to its first page.
  public func refining(_ change: @escaping @Sendable (inout IndexState) -> Void) -> Action {
    action { target in target.state.refine(change) }
  }
}

/// A request that a widget needs beside the search.
public enum WidgetRequest: Sendable, Hashable {
  /// Searches the values of a facet, of the records that the search finds.
  case facetValues(FacetValuesSearch)
  /// Requests recommendations. All widgets of a searcher, or of a search with screens, share one
  /// call, which does not depend on the search.
  case recommendations(RecommendationsRequest)
}

/// The response to a widget's own request.
public struct WidgetResponse: Sendable {
  /// The content of a response.
  public enum Content: Sendable {
    /// Values of a facet.
    case facetValues(FacetValuesPage)
    /// Recommended records or facet values, in the order of the requests.
    case recommendations([HitsResponse])
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
