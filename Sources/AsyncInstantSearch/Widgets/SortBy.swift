/// The orders of the hits to choose from, each of which is an index.
///
/// Use it with the replicas of an index: an order other than by relevance is a replica whose
/// `ranking` begins with `asc(attribute)` or `desc(attribute)`. Its `customRanking` only decides
/// between hits that match equally well.
public struct SortBy: RoutedWidget {
  /// What a choice of orders displays.
  public struct View: Sendable, Hashable {
    /// The orders.
    public var items: [Item]
    /// The name of the current index.
    public var current: String
    /// Whether there are hits to sort.
    public var canRefine: Bool
  }

  /// An order.
  public struct Item: Sendable, Hashable {
    /// The text to display.
    public var label: String
    /// The name of the index, or of the replica, that has the order.
    public var indexName: String

    /// Creates an order.
    public init(_ label: String, indexName: String) {
      self.label = label
      self.indexName = indexName
    }
  }

  /// The orders.
  public let items: [Item]
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a choice of orders, which has a ``problem`` without orders, or if two orders have the
  /// same index.
  public init(_ items: [Item]) {
    problem = SearchError.thrown { () throws(SearchError) in
      guard !items.isEmpty else {
        throw SearchError(.invalidRequest, "A SortBy needs at least one order.")
      }
      guard Set(items.map(\.indexName)).count == items.count else {
        throw SearchError(.invalidRequest, "Two orders of a SortBy have the same index.")
      }
    }
    self.items = items
  }

  /// Selects an order.
  ///
  /// The action throws `invalidRequest` if the index is not one of the orders.
  public func select(_ indexName: String) -> Action {
    action { context throws(SearchError) in
      guard items.contains(where: { $0.indexName == indexName }) else {
        let names = items.map(\.indexName).joined(separator: ", ")
        throw SearchError(
          .invalidRequest, "The SortBy has no order of that index. Its indices are \(names).")
      }
      context.state.refine { $0.indexName = indexName }
    }
  }

  /// The indices, the searched index, and whether there are hits to sort.
  public func view(_ context: Context) -> View {
    View(
      items: items, current: context.state.indexName,
      canRefine: (context.results?.page.nbHits ?? 0) > 0)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(
      .sortBy, form: "\(items.map(\.indexName))"
    ) { state, initial, uiState in
      uiState.sortBy = state.indexName == initial.indexName ? nil : state.indexName
    } read: { uiState, initial, state in
      let known = items.first { $0.indexName == uiState.sortBy }
      state.indexName = known?.indexName ?? initial.indexName
    }
    return [part]
  }
}

/// The numbers of hits on a page to choose from.
///
/// Use it together with ``Pagination``. For a number that no user selects use ``Configure``.
public struct HitsPerPage: RoutedWidget {
  /// What a choice of numbers displays.
  public struct View: Sendable, Hashable {
    /// The numbers.
    public var items: [Item]
    /// The current number; `nil` if the index's setting applies.
    public var current: Int?
    /// Whether there are hits.
    public var canRefine: Bool
  }

  /// A number of hits.
  public struct Item: Sendable, Hashable {
    /// The text to display.
    public var label: String
    /// The number of hits on a page.
    public var count: Int

    /// Creates a number of hits.
    public init(_ label: String, count: Int) {
      self.label = label
      self.count = count
    }
  }

  /// The numbers.
  public let items: [Item]
  /// The number that applies until another number is selected.
  public let defaultCount: Int
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a choice of numbers.
  ///
  /// - Parameters:
  ///   - items: The numbers.
  ///   - defaultCount: The number that applies until another number is selected. It must be in
  ///     `items`.
  ///
  /// It has a ``problem`` if a number is not 1 to 1,000, the limit of the service, or if `default`
  /// is not in `items`.
  public init(_ items: [Item], default defaultCount: Int) {
    problem = SearchError.thrown { () throws(SearchError) in
      guard items.allSatisfy({ (1...1_000).contains($0.count) }) else {
        throw SearchError(.invalidRequest, "The numbers of a HitsPerPage must be 1 to 1,000.")
      }
      guard items.contains(where: { $0.count == defaultCount }) else {
        throw SearchError(
          .invalidRequest,
          "The default of a HitsPerPage, \(defaultCount), must be one of its items.")
      }
    }
    self.items = items
    self.defaultCount = defaultCount
  }

  /// The default applies unless another number is selected.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.defaultQuery.hitsPerPage = defaultCount
  }

  /// Selects a number.
  ///
  /// The action throws `invalidRequest` if no item has the number.
  public func select(_ count: Int) -> Action {
    action { context throws(SearchError) in
      guard items.contains(where: { $0.count == count }) else {
        let counts = items.map { "\($0.count)" }.joined(separator: ", ")
        throw SearchError(
          .invalidRequest, "The HitsPerPage has no item of \(count) hits. Its items have \(counts)."
        )
      }
      context.state.refine { $0.query.hitsPerPage = count == defaultCount ? nil : count }
    }
  }

  /// The numbers of hits, the current number, and whether there are hits.
  public func view(_ context: Context) -> View {
    View(
      items: items, current: context.state.query.hitsPerPage ?? defaultCount,
      canRefine: (context.results?.page.nbHits ?? 0) > 0)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(
      .hitsPerPage, form: "\(items.map(\.count)), by default \(defaultCount)"
    ) { state, _, uiState in
      let count = state.query.hitsPerPage
      uiState.hitsPerPage = count == defaultCount ? nil : count
    } read: { uiState, _, state in
      let count = items.first { $0.count == uiState.hitsPerPage }?.count
      state.query.hitsPerPage = count == defaultCount ? nil : count
    }
    return [part]
  }
}
