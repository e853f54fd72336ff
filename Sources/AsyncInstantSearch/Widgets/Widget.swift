/// A part of a search screen, as a value: its options, its view and its actions.
///
/// A widget has no state of its own. Its view is a function of the state of the search and of the
/// newest results, and an action changes the state.
package protocol Widget<View>: Hashable, Sendable {
  /// What the widget displays.
  associatedtype View: Sendable & Equatable
  /// What the widget remembers beside the state of the search.
  associatedtype Memory: Sendable & Equatable = NoMemory

  /// What the widget remembers at first.
  static var initialMemory: Memory { get }

  /// Adds what the widget needs from a search.
  func declare(in parameters: inout WidgetParameters, for state: IndexState)

  /// Completes a state after a change, so that it is one that the widget can show.
  func complete(_ state: inout IndexState)

  /// What the widget displays.
  func view(_ context: WidgetContext<Memory>) -> View

  /// Writes the part of the state that the widget changes.
  ///
  /// - Parameter initial: The state without any change, whose values are not written.
  func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState)

  /// Replaces the part of the state that the widget changes. What is absent is cleared.
  ///
  /// - Parameter initial: The state without any change.
  func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState)
}

extension Widget {
  /// Needs nothing.
  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {}

  /// Changes nothing.
  package func complete(_ state: inout IndexState) {}

  /// Writes nothing, because the widget changes nothing.
  package func write(
    _ state: IndexState, initial: IndexState, to uiState: inout IndexUIState
  ) {}

  /// Replaces nothing, because the widget changes nothing.
  package func read(
    _ uiState: IndexUIState, initial: IndexState, into state: inout IndexState
  ) {}
}

extension Widget where Memory == NoMemory {
  /// Nothing.
  package static var initialMemory: NoMemory { NoMemory() }
}

/// The memory of a widget that remembers nothing.
package struct NoMemory: Sendable, Hashable {
  /// Creates an empty memory.
  package init() {}
}

/// What a view is made from.
package struct WidgetContext<Memory: Sendable>: Sendable {
  /// The current state, which the results may not answer yet.
  package var state: IndexState
  /// The newest results; `nil` before the first.
  package var results: IndexResults?
  /// What the widget remembers.
  package var memory: Memory

  /// Creates a context.
  package init(state: IndexState, results: IndexResults?, memory: Memory) {
    self.state = state
    self.results = results
    self.memory = memory
  }
}

/// A change that a widget makes, as a value.
///
/// ```swift
/// let action = brand.toggle("Apple")
/// ```
package struct WidgetAction: Sendable {
  /// What an action reads and changes.
  package struct Target: Sendable {
    /// The state of the search.
    package var state: IndexState
    /// The newest results; `nil` before the first.
    package var results: IndexResults?

    /// Creates a target.
    package init(state: IndexState, results: IndexResults? = nil) {
      self.state = state
      self.results = results
    }
  }

  /// Changes a target.
  ///
  /// - Throws: `invalidRequest` if the action is not possible, without a change.
  package let apply: @Sendable (inout Target) throws(SearchError) -> Void

  init(_ apply: @escaping @Sendable (inout Target) throws(SearchError) -> Void) {
    self.apply = apply
  }

  /// Creates an action that refines the search, which returns to its first page.
  static func refine(_ change: @escaping @Sendable (inout IndexState) -> Void) -> WidgetAction {
    WidgetAction { target in target.state.refine(change) }
  }
}

/// The merged results of one search of an index.
package struct IndexResults: Sendable {
  /// A record that is not read.
  package struct UnreadRecord: Decodable, Sendable {
    package init(from decoder: any Decoder) {}
  }

  /// The page without its records.
  package var page: HitsPage<UnreadRecord>
  /// The facets.
  package var counts: FacetCounts

  /// Creates results.
  package init(page: HitsPage<UnreadRecord>, counts: FacetCounts) {
    self.page = page
    self.counts = counts
  }

  /// The server's order of the values of a facet; `nil` if it has none.
  func valuesOrder(of facet: String) -> FacetValuesOrder? {
    page.renderingContent?.facetOrdering?.values[facet]
  }
}
