/// The orders of the hits to choose from, each of which is an index.
package struct SortBy: Widget {
  /// What a choice of orders displays.
  package struct View: Sendable, Hashable {
    /// The orders.
    package var items: [Item]
    /// The name of the current index.
    package var current: String
    /// Whether there are results to sort.
    package var canRefine: Bool
  }

  /// An order.
  package struct Item: Sendable, Hashable {
    /// The text to display.
    package var label: String
    /// The name of the index, or of the replica, that has the order.
    package var indexName: String

    /// Creates an order.
    package init(_ label: String, indexName: String) {
      self.label = label
      self.indexName = indexName
    }
  }

  /// The orders.
  package let items: [Item]

  /// Creates a choice of orders.
  ///
  /// - Throws: `invalidRequest` if there are no orders, or two of one index.
  package init(_ items: [Item]) throws(SearchError) {
    guard !items.isEmpty else {
      throw SearchError(.invalidRequest, "A SortBy needs at least one order.")
    }
    guard Set(items.map(\.indexName)).count == items.count else {
      throw SearchError(.invalidRequest, "Two orders of a SortBy have the same index.")
    }
    self.items = items
  }

  /// Chooses an order.
  ///
  /// The action throws `invalidRequest` if the index is not one of the orders.
  package func select(_ indexName: String) -> WidgetAction {
    WidgetAction { target throws(SearchError) in
      guard items.contains(where: { $0.indexName == indexName }) else {
        throw SearchError(.invalidRequest, "\"\(indexName)\" is not an order of the SortBy.")
      }
      target.state.refine { $0.indexName = indexName }
    }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    View(items: items, current: context.state.indexName, canRefine: context.results != nil)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.sortBy = state.indexName == initial.indexName ? nil : state.indexName
  }

  /// An index that is not one of the orders is ignored.
  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    let isKnown = items.contains { $0.indexName == uiState.sortBy }
    state.indexName = isKnown ? uiState.sortBy ?? initial.indexName : initial.indexName
  }
}

/// The numbers of hits on a page to choose from.
package struct HitsPerPage: Widget {
  /// What a choice of numbers displays.
  package struct View: Sendable, Hashable {
    /// The numbers.
    package var items: [Item]
    /// The current number; `nil` if the index's setting applies.
    package var current: Int?
    /// Whether there are hits.
    package var canRefine: Bool
  }

  /// A number of hits.
  package struct Item: Sendable, Hashable {
    /// The text to display.
    package var label: String
    /// The number of hits on a page.
    package var count: Int

    /// Creates a number of hits.
    package init(_ label: String, count: Int) {
      self.label = label
      self.count = count
    }
  }

  /// The numbers.
  package let items: [Item]
  /// The number that applies until another one is chosen.
  package let defaultCount: Int

  /// Creates a choice of numbers.
  ///
  /// - Parameters:
  ///   - items: The numbers.
  ///   - default: The number that applies until another one is chosen. It must be in `items`.
  /// - Throws: `invalidRequest` if a number is not positive, or if `default` is not in `items`.
  package init(_ items: [Item], default defaultCount: Int) throws(SearchError) {
    guard items.allSatisfy({ $0.count > 0 }) else {
      throw SearchError(.invalidRequest, "The numbers of a HitsPerPage must be positive.")
    }
    guard items.contains(where: { $0.count == defaultCount }) else {
      throw SearchError(
        .invalidRequest, "The default of a HitsPerPage, \(defaultCount), must be one of its items.")
    }
    self.items = items
    self.defaultCount = defaultCount
  }

  /// Chooses a number.
  ///
  /// The action throws `invalidRequest` if the number is not positive.
  package func select(_ count: Int) -> WidgetAction {
    WidgetAction { target throws(SearchError) in
      guard count > 0 else {
        throw SearchError(.invalidRequest, "A page cannot have \(count) hits.")
      }
      target.state.refine { $0.query.hitsPerPage = count }
    }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    View(
      items: items, current: context.state.query.hitsPerPage,
      canRefine: (context.results?.page.nbHits ?? 0) > 0)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    let count = state.query.hitsPerPage
    uiState.hitsPerPage = count == defaultCount ? nil : count
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    state.query.hitsPerPage = uiState.hitsPerPage ?? defaultCount
  }
}
