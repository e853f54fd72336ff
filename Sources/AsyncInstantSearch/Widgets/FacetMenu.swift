/// The values of a facet, of which one can be selected.
///
/// Use it for parts of a catalog that exclude each other, for example as a drop-down list. The
/// other values keep their counts, so that a user can change the choice. For several values use
/// ``FacetList``.
public struct FacetMenu: RoutedWidget {
  /// What a menu displays.
  public struct View: Sendable, Hashable {
    /// The values, in order.
    public var items: [FacetItem] = []
    /// Whether there are values to choose.
    public var canRefine = false
    /// Whether more or fewer values can be displayed.
    public var canToggleShowMore = false
    /// Whether more values are displayed.
    public var isShowingMore = false
    /// Whether the server reports the counts as exact.
    public var hasExactCounts = false
  }

  /// The attribute, which must be a facet.
  public var attribute: String { hierarchy.name }
  /// The number of displayed values.
  public let limit: Int
  /// The number of displayed values when more are displayed; `nil` if there are never more.
  public let showMoreLimit: Int?
  /// The order of the values; `nil` for the server's order, or else selected first, then by name.
  public let sortBy: [FacetSortCriterion]?
  /// The menu is a hierarchy of one level, so the other values keep their counts.
  private let hierarchy: HierarchicalFacet
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - limit: The number of displayed values. Defaults to 10.
  ///   - showMoreLimit: The number of displayed values when more are displayed. Defaults to `nil`:
  ///     there are never more.
  ///   - sortBy: The order of the values. Defaults to `nil`: the server's order, or else the
  ///     selected value first, then by name.
  ///
  /// It has a ``problem`` if the attribute is empty, if `limit` is not between 1 and
  /// 1,000, or if `showMoreLimit` is not larger, or above 1,000.
  public init(
    attribute: String, limit: Int = 10, showMoreLimit: Int? = nil,
    sortBy: [FacetSortCriterion]? = nil
  ) {
    let hierarchy = HierarchicalFacet(attributes: [attribute], separator: nil)
    problem = SearchError.thrown { () throws(SearchError) in
      try hierarchy.checkAttributes(of: "FacetMenu")
      try FacetLimits.check(limit, showMoreLimit, of: "FacetMenu", attribute)
    }
    self.hierarchy = hierarchy
    (self.limit, self.showMoreLimit) = FacetLimits.usable(limit, showMoreLimit)
    self.sortBy = sortBy
  }

  /// The parts of the state of the user interface.
  public var parts: [WidgetPart] {
    let value = WidgetPart(.menu, attribute) { state, _, uiState in
      uiState.menu[attribute] = state.path(of: hierarchy)?.escapedFacetValue
    } read: { uiState, _, state in
      state.setPath(uiState.menu[attribute]?.unescapedFacetValue, of: hierarchy)
    }
    return [value] + (showMoreLimit == nil ? [] : [.showMore(attribute)])
  }

  /// Selects a value in place of another, or deselects it. `nil` clears the choice.
  public func select(_ value: String?) -> Action {
    refining { state in
      state.setPath(value == state.path(of: hierarchy) ? nil : value, of: hierarchy)
    }
  }

  /// Displays more values, or fewer again.
  public func toggleShowMore() -> Action {
    togglingShowMore(of: attribute, showMoreLimit)
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.declare(hierarchy)
    needs.requireValuesPerFacet(showMoreLimit ?? limit)
  }

  /// The values of the facet, at most one of them selected. Empty before the first results.
  public func view(_ context: Context) -> View {
    let isShowingMore = context.state.opened.showMore.contains(attribute)
    guard let results = context.results else { return View(isShowingMore: isShowingMore) }
    let refined = context.state.path(of: hierarchy)
    let counts = results.counts
    let values = (counts.facets[attribute]?.values ?? []).map {
      CountedValue(name: $0.value, count: $0.count, isRefined: $0.value == refined)
    }
    .ordered(
      by: sortBy ?? [.isRefined, .name(.ascending)], results.valuesOrder(of: attribute),
      isOverriding: sortBy != nil)
    let limit = isShowingMore ? showMoreLimit ?? limit : limit
    return View(
      items: values.prefix(limit).map(\.item), canRefine: !values.isEmpty,
      canToggleShowMore: showMoreLimit != nil && (isShowingMore || values.count > limit),
      isShowingMore: isShowingMore,
      hasExactCounts: counts.isExhaustive(attribute) ?? false)
  }
}
