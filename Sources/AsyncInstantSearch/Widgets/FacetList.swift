/// The values of a facet, of which any number can be chosen.
package struct FacetList: Widget {
  /// What a facet list displays.
  package struct View: Sendable, Hashable {
    /// The values, in order.
    package var items: [FacetItem] = []
    /// Whether the values are those of a search for values.
    package var isFromSearch = false
    /// Whether there are values to choose.
    package var canRefine = false
    /// Whether more or fewer values can be displayed.
    package var canToggleShowMore = false
    /// Whether more values are displayed.
    package var isShowingMore = false
    /// Whether all values are displayed.
    package var hasExhaustiveItems = true
  }

  /// What a facet list remembers.
  package struct Memory: Sendable, Hashable {
    /// Whether more values are displayed.
    package var isShowingMore = false
    /// Creates the initial memory.
    package init() {}
  }

  package static var initialMemory: Memory { Memory() }

  /// The attribute, which must be a facet.
  package let attribute: String
  /// How the chosen values are joined.
  package let `operator`: FacetOperator
  /// The number of displayed values.
  package let limit: Int
  /// The number of displayed values when more are displayed; `nil` if there are never more.
  package let showMoreLimit: Int?
  /// The order of the values; `nil` for the server's order, or else the default.
  package let sortBy: [FacetSortCriterion]?

  /// Creates a facet list.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - operator: How the chosen values are joined. Defaults to OR.
  ///   - limit: The number of displayed values. Defaults to 10.
  ///   - showMoreLimit: The number of displayed values when more are displayed. Defaults to `nil`:
  ///     there are never more.
  ///   - sortBy: The order of the values. Defaults to `nil`: the server's order, or else chosen
  ///     values first, then by count, then by name.
  /// - Throws: `invalidRequest` if `limit` is not positive, or `showMoreLimit` is not larger.
  package init(
    attribute: String, operator: FacetOperator = .or, limit: Int = 10, showMoreLimit: Int? = nil,
    sortBy: [FacetSortCriterion]? = nil
  ) throws(SearchError) {
    try FacetLimits.check(limit, showMoreLimit, of: "FacetList", attribute)
    self.attribute = attribute
    self.operator = `operator`
    self.limit = limit
    self.showMoreLimit = showMoreLimit
    self.sortBy = sortBy
  }

  /// Chooses a value, or no longer if it is chosen.
  package func toggle(_ value: String) -> WidgetAction {
    .refine { state in
      let isRefined = state.values(of: attribute, operator: `operator`).contains(value)
      state.setRefined(!isRefined, by: value, of: attribute, operator: `operator`)
    }
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    switch `operator` {
    case .and: parameters.conjunctiveFacets.insert(attribute)
    case .or: parameters.disjunctiveFacets.insert(attribute)
    }
    parameters.requireValuesPerFacet(showMoreLimit ?? limit)
  }

  package func view(_ context: WidgetContext<Memory>) -> View {
    let isShowingMore = context.memory.isShowingMore
    guard let results = context.results else { return View(isShowingMore: isShowingMore) }
    let values = (results.counts.facets[attribute] ?? Facet(attribute: attribute))
      .items(in: context.state, operator: `operator`)
      .ordered(
        by: sortBy ?? .facetListDefault, results.valuesOrder(of: attribute),
        isOverriding: sortBy != nil)
    let limit = isShowingMore ? showMoreLimit ?? limit : limit
    let items = Array(values.prefix(limit))
    // With as many values as requested, there may be more.
    let requested = max(context.state.query.maxValuesPerFacet ?? 0, showMoreLimit ?? self.limit)
    let isExhaustive = requested > limit ? values.count <= limit : values.count < limit
    return View(
      items: items, canRefine: !items.isEmpty,
      canToggleShowMore: (isShowingMore && items.count > self.limit)
        || (showMoreLimit != nil && !isExhaustive),
      isShowingMore: isShowingMore, hasExhaustiveItems: isExhaustive)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.refinementList[attribute] = state.filters(of: attribute, operator: `operator`)
      .filter { !$0.isNegated }.map(\.value.text.escapedFacetValue)
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    for value in state.values(of: attribute, operator: `operator`) {
      state.setRefined(false, by: value, of: attribute, operator: `operator`)
    }
    for value in uiState.refinementList[attribute] ?? [] {
      state.setRefined(
        true, by: value.unescapedFacetValue, of: attribute, operator: `operator`)
    }
  }
}

/// The numbers of values that lists and menus display.
enum FacetLimits {
  static func check(
    _ limit: Int, _ showMoreLimit: Int?, of widget: String, _ attribute: String
  ) throws(SearchError) {
    guard limit > 0 else {
      throw SearchError(
        .invalidRequest, "The limit of the \(widget) of \"\(attribute)\" must be positive.")
    }
    if let showMoreLimit, showMoreLimit <= limit {
      throw SearchError(
        .invalidRequest,
        """
        The showMoreLimit of the \(widget) of "\(attribute)", \(showMoreLimit), must be larger than \
        its limit, \(limit).
        """)
    }
  }
}
