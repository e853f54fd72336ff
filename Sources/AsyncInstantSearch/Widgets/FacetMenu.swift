/// The values of a facet, of which one can be chosen.
package struct FacetMenu: Widget {
  package typealias View = FacetList.View

  package static var initialMemory: FacetList.Memory { FacetList.Memory() }

  /// The attribute, which must be a facet.
  package var attribute: String { hierarchy.name }
  /// The number of displayed values.
  package let limit: Int
  /// The number of displayed values when more are displayed; `nil` if there are never more.
  package let showMoreLimit: Int?
  /// The order of the values; `nil` for the server's order, or else chosen first, then by name.
  package let sortBy: [FacetSortCriterion]?
  /// The menu is a hierarchy of one level, so the other values keep their counts.
  private let hierarchy: HierarchicalFacet

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - limit: The number of displayed values. Defaults to 10.
  ///   - showMoreLimit: The number of displayed values when more are displayed. Defaults to `nil`:
  ///     there are never more.
  ///   - sortBy: The order of the values. Defaults to `nil`: the server's order, or else the chosen
  ///     value first, then by name.
  /// - Throws: `invalidRequest` if the attribute is empty, if `limit` is not positive, or if
  ///   `showMoreLimit` is not larger.
  package init(
    attribute: String, limit: Int = 10, showMoreLimit: Int? = nil,
    sortBy: [FacetSortCriterion]? = nil
  ) throws(SearchError) {
    hierarchy = HierarchicalFacet(attributes: [attribute], separator: nil)
    try hierarchy.checkAttributes(of: "FacetMenu")
    try FacetLimits.check(limit, showMoreLimit, of: "FacetMenu", attribute)
    self.limit = limit
    self.showMoreLimit = showMoreLimit
    self.sortBy = sortBy
  }

  /// Chooses a value in place of another, or no longer if it is chosen. `nil` clears the choice.
  package func select(_ value: String?) -> WidgetAction {
    .refine { state in
      state.setPath(value == state.path(of: hierarchy) ? nil : value, of: hierarchy)
    }
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    parameters.declare(hierarchy)
    parameters.requireValuesPerFacet(showMoreLimit ?? limit)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.menu[attribute] = state.path(of: hierarchy)?.escapedFacetValue
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    state.setPath(uiState.menu[attribute]?.unescapedFacetValue, of: hierarchy)
  }

  package func view(_ context: WidgetContext<FacetList.Memory>) -> View {
    let isShowingMore = context.memory.isShowingMore
    guard let results = context.results else { return View(isShowingMore: isShowingMore) }
    let refined = context.state.path(of: hierarchy)
    let values = (results.counts.facets[attribute]?.values ?? []).map {
      FacetItem(value: $0.value, count: $0.count, isRefined: $0.value == refined)
    }
    .ordered(
      by: sortBy ?? [.isRefined, .name(.ascending)], results.valuesOrder(of: attribute),
      isOverriding: sortBy != nil)
    let limit = isShowingMore ? showMoreLimit ?? limit : limit
    return View(
      items: Array(values.prefix(limit)), canRefine: !values.isEmpty,
      canToggleShowMore: showMoreLimit != nil && (isShowingMore || values.count > limit),
      isShowingMore: isShowingMore, hasExhaustiveItems: values.count <= limit)
  }
}
