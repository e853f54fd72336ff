/// Filters to choose from, such as "new" and "under 50 euros".
///
/// Use it for filters that the program knows beforehand, of any kind and on any attributes. A
/// ``FacetList`` shows the values that the hits have, with counts.
///
/// A URL has the selected filters as `filters[group][0]="price" < 50`. Filters that are not given
/// are ignored.
public struct SelectableFilters: RoutedWidget {
  /// What selectable filters display.
  public struct View: Sendable, Hashable {
    /// The filters, in the given order.
    public var items: [Item] = []
    /// Whether a filter is selected.
    public var isRefined: Bool { items.contains(where: \.isRefined) }
  }

  /// A filter.
  public struct Item: Sendable, Hashable {
    /// The filter.
    public var filter: Filter
    /// Whether the filter is selected.
    public var isRefined: Bool
  }

  /// How many filters can be selected.
  public enum SelectionMode: Sendable, Hashable {
    /// At most one filter.
    case single
    /// Any number of filters.
    case multiple
  }

  /// The filters.
  public let filters: [Filter]
  /// How the selected filters are joined.
  public let `operator`: FacetOperator
  /// How many filters can be selected.
  public let selectionMode: SelectionMode
  /// The name of the group of the filters in the ``FilterState``.
  public let groupName: String
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates selectable filters.
  ///
  /// - Parameters:
  ///   - filters: The filters.
  ///   - operator: How the selected filters are joined. Filters of different kinds can be joined
  ///     only by AND. Defaults to AND.
  ///   - selectionMode: How many filters can be selected. Defaults to any number.
  ///   - groupName: The name of the group of the filters in the ``FilterState``. Other filters of
  ///     the group are neither listed nor removed. Defaults to the attribute of the first filter.
  ///
  /// It has a ``problem`` if there are no filters, if two of them are equal, or if OR joins filters
  /// of different kinds.
  public init(
    _ filters: [some FilterElement], operator: FacetOperator = .and,
    selectionMode: SelectionMode = .multiple, groupName: String? = nil
  ) {
    let filters = filters.map(\.filter)
    let group = FilterChoice(filters, `operator`, groupName)
    problem = group.problem(of: "SelectableFilters")
    self.filters = filters
    self.operator = `operator`
    self.selectionMode = selectionMode
    self.groupName = group.name
  }

  /// Selects a filter, or deselects it.
  ///
  /// The action throws `invalidRequest` if the filter is not in the list.
  public func toggle(_ filter: some FilterElement) -> Action {
    let filter = filter.filter
    return action { context throws(SearchError) in
      guard filters.contains(filter) else {
        throw SearchError(.invalidRequest, "The filter \(filter) is not in the SelectableFilters.")
      }
      context.state.refine { state in
        var selected = choice.selected(in: state)
        let isSelected = selected.contains(filter)
        if isSelected {
          selected.removeAll { $0 == filter }
        } else {
          if selectionMode == .single { selected = [] }
          selected.append(filter)
        }
        choice.set(selected, in: &state)
      }
    }
  }

  /// Selects no filter.
  public func clear() -> Action {
    refining { choice.set([], in: &$0) }
  }

  /// The filters, and whether each is selected.
  public func view(_ context: Context) -> View {
    let selected = Set(choice.selected(in: context.state))
    return View(items: filters.map { Item(filter: $0, isRefined: selected.contains($0)) })
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = choice.part { state in
      choice.selected(in: state).map(\.description)
    } selected: { texts in
      let selected = filters.filter { texts.contains($0.description) }
      return selectionMode == .single ? Array(selected.prefix(1)) : selected
    }
    return [part]
  }

  private var choice: FilterChoice {
    FilterChoice(filters: filters, operator: `operator`, name: groupName)
  }
}

/// Filters with keys, of which at most one is selected, as in a segmented control.
///
/// To select several, use ``SelectableFilters``.
///
/// ```swift
/// let prices = FilterMap([1: "price" < 10, 2: "price" < 50])
/// try widget.perform { $0.select(2) }
/// ```
///
/// A URL has the text of the key as `filters[group][0]=2`.
public struct FilterMap<Key: Hashable & Comparable & Sendable>: RoutedWidget {
  /// What a filter map displays.
  public struct View: Sendable, Hashable {
    /// The filters, in the order of their keys.
    public var items: [Item] = []
    /// The key of the selected filter; `nil` without a selection.
    public var selected: Key?
  }

  /// A filter with its key.
  public struct Item: Sendable, Hashable {
    /// The key.
    public var key: Key
    /// The filter.
    public var filter: Filter
  }

  /// The filters by their keys.
  public let filters: [Key: Filter]
  private let choice: FilterChoice
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a filter map.
  ///
  /// - Parameters:
  ///   - filters: The filters by their keys.
  ///   - operator: How the selected filter is joined with other filters of its group. Defaults to
  ///     AND.
  ///   - groupName: The name of the group of the filter in the ``FilterState``. Other filters of
  ///     the group are not removed. Defaults to the attribute of the filter with the first key.
  ///
  /// It has a ``problem`` if there are no filters, if two of them are equal, or if OR joins filters
  /// of different kinds.
  public init(
    _ filters: [Key: some FilterElement], operator: FacetOperator = .and, groupName: String? = nil
  ) {
    self.filters = filters.mapValues(\.filter)
    let sorted = filters.sorted { $0.key < $1.key }.map(\.value.filter)
    choice = FilterChoice(sorted, `operator`, groupName)
    problem = choice.problem(of: "FilterMap")
  }

  /// Selects the filter with a key in place of another. `nil` selects none.
  ///
  /// The action throws `invalidRequest` if there is no filter with the key.
  public func select(_ key: Key?) -> Action {
    action { context throws(SearchError) in
      let filter = key.flatMap { filters[$0] }
      if let key, filter == nil {
        throw SearchError(.invalidRequest, "The FilterMap has no filter with the key \(key).")
      }
      context.state.refine { choice.set(filter.map { [$0] } ?? [], in: &$0) }
    }
  }

  /// The filters by key, and the key of the selected one.
  public func view(_ context: Context) -> View {
    let items = filters.sorted { $0.key < $1.key }.map { Item(key: $0.key, filter: $0.value) }
    let selected = Set(choice.selected(in: context.state))
    return View(items: items, selected: items.first { selected.contains($0.filter) }?.key)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = choice.part { state in
      let selected = Set(choice.selected(in: state))
      let key = filters.sorted { $0.key < $1.key }.first { selected.contains($0.value) }?.key
      return key.map { ["\($0)"] } ?? []
    } selected: { texts in
      texts.first.flatMap { text in filters.first { "\($0.key)" == text } }.map { [$0.value] } ?? []
    }
    return [part]
  }
}

/// Filters of one group from which a user selects.
private struct FilterChoice: Sendable, Hashable {
  let filters: [Filter]
  let `operator`: FacetOperator
  /// The name of the group.
  let name: String

  init(filters: [Filter], operator: FacetOperator, name: String) {
    self.filters = filters
    self.operator = `operator`
    self.name = name
  }

  init(_ filters: [Filter], _ operator: FacetOperator, _ name: String?) {
    self.init(
      filters: filters, operator: `operator`, name: name ?? filters.first?.attribute.rawValue ?? "")
  }

  /// The problem with the options of a widget; `nil` if they are valid.
  func problem(of widget: String) -> SearchError? {
    if filters.isEmpty {
      return SearchError(.invalidRequest, "The \(widget) needs at least one filter.")
    }
    if Set(filters).count < filters.count {
      return SearchError(.invalidRequest, "Two filters of the \(widget) are equal.")
    }
    if `operator` == .and || filters.allSatisfy({ $0.kind == filters.first?.kind }) { return nil }
    return SearchError(
      .invalidRequest,
      "The \(widget) has filters of different kinds, which can be joined only by AND.")
  }

  /// The part of the state of the user interface.
  ///
  /// - Parameters:
  ///   - texts: The texts for the filters that a state has.
  ///   - selected: The filters with texts, if the widget offers them.
  func part(
    texts: @escaping @Sendable (IndexState) -> [String],
    selected: @escaping @Sendable (_ texts: [String]) -> [Filter]
  ) -> WidgetPart {
    WidgetPart(
      .filters, name,
      form: "\(filters.map(\.description).sorted()) joined by \(`operator`)"
    ) { state, _, uiState in
      uiState.filters[name] = texts(state)
    } read: { uiState, _, state in
      set(selected(uiState.filters[name] ?? []), in: &state)
    }
  }

  /// The selected filters, in the order of the list.
  func selected(in state: IndexState) -> [Filter] {
    let group = Set(group(in: state))
    return filters.filter(group.contains)
  }

  /// Selects filters in place of the others of the list.
  func set(_ selected: [Filter], in state: inout IndexState) {
    let group = group(in: state)
    let others = group.filter { !filters.contains($0) }
    let added = selected.filter { !group.contains($0) }
    let kept = group.filter { others.contains($0) || selected.contains($0) }
    setGroup(kept + added, in: &state)
  }

  private func group(in state: IndexState) -> [Filter] {
    switch (`operator`, filters.first?.kind) {
    case (.and, _): Array(state.filters[and: name])
    case (.or, .numeric): state.filters[or: name, Filter.Numeric.self].map(\.filter)
    case (.or, .tag): state.filters[or: name, Filter.Tag.self].map(\.filter)
    case (.or, _): state.filters[or: name].map(\.filter)
    }
  }

  private func setGroup(_ group: [Filter], in state: inout IndexState) {
    switch (`operator`, filters.first?.kind) {
    case (.and, _): state.filters[and: name] = FilterList(group)
    case (.or, .numeric):
      state.filters[or: name, Filter.Numeric.self] = FilterList(
        group.compactMap(Filter.Numeric.init))
    case (.or, .tag):
      state.filters[or: name, Filter.Tag.self] = FilterList(group.compactMap(Filter.Tag.init))
    case (.or, _): state.filters[or: name] = FilterList(group.compactMap(Filter.Facet.init))
    }
  }
}
