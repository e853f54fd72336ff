/// The values of a facet, of which any number can be selected.
///
/// Use it for brands or genres, where a user compares several. Its values can be searched by their
/// text, if there are too many to show. For one value at a time use ``FacetMenu``, and for values
/// with levels ``HierarchicalMenu``.
public struct FacetList: RoutedWidget, RequestingWidget {
  /// What a facet list displays.
  public struct View: Sendable, Hashable {
    /// The values, in order.
    public var items: [FacetItem] = []
    /// Whether the values come from a search for values.
    public var isFromSearch = false
    /// Whether there are values to choose.
    public var canRefine = false
    /// Whether more or fewer values can be displayed.
    public var canToggleShowMore = false
    /// Whether more values are displayed.
    public var isShowingMore = false
    /// Whether all values are displayed.
    public var hasExhaustiveItems = true
    /// Whether the server reports the counts as exact.
    public var hasExactCounts = false
    /// The text for which values are searched; empty without a search.
    public var searchText = ""
    /// The error of the newest search for values; `nil` without one.
    public var searchError: SearchError?

    /// A list without values.
    package static let empty = View()
  }

  /// The attribute, which must be a facet.
  public let attribute: String
  /// How the selected values are joined.
  public let `operator`: FacetOperator
  /// The number of displayed values.
  public let limit: Int
  /// The number of displayed values when more are displayed; `nil` if there are never more.
  public let showMoreLimit: Int?
  /// The order of the values; `nil` for the server's order, or else the default.
  public let sortBy: [FacetSortCriterion]?
  /// Whether selected values are displayed even if their position is after the limit.
  public let keepsSelected: Bool
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a facet list.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - operator: How the selected values are joined. Defaults to OR.
  ///   - limit: The number of displayed values. Defaults to 10.
  ///   - showMoreLimit: The number of displayed values when more are displayed. Defaults to `nil`:
  ///     there are never more.
  ///   - sortBy: The order of the values. Defaults to `nil`: the server's order, or else selected
  ///     values first, then by count, then by name.
  ///   - keepsSelected: Whether selected values are displayed even if their position is after the
  ///     limit, or no hit has them. Defaults to `false`; the default order has them first.
  ///
  /// It has a ``problem`` if the attribute is empty, if `limit` is not between 1 and
  /// 1,000, or if `showMoreLimit` is not larger, or above 1,000.
  public init(
    attribute: String, operator: FacetOperator = .or, limit: Int = 10, showMoreLimit: Int? = nil,
    sortBy: [FacetSortCriterion]? = nil, keepsSelected: Bool = false
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      try FacetLimits.check(limit, showMoreLimit, of: "FacetList", attribute)
    }
    self.attribute = attribute
    self.operator = `operator`
    (self.limit, self.showMoreLimit) = FacetLimits.usable(limit, showMoreLimit)
    self.sortBy = sortBy
    self.keepsSelected = keepsSelected
  }

  /// The parts of the state of the user interface.
  public var parts: [WidgetPart] {
    let values = WidgetPart(
      .refinementList, attribute, form: "values joined by \(`operator`)"
    ) { state, _, uiState in
      uiState.refinementList[attribute] = state.filters(of: attribute, operator: `operator`)
        .filter { !$0.isNegated }.map(\.value.text.escapedFacetValue)
    } read: { uiState, _, state in
      state.setValues(
        (uiState.refinementList[attribute] ?? []).map(\.unescapedFacetValue), of: attribute,
        operator: `operator`)
    }
    let text = WidgetPart(.facetQuery, attribute) { state, _, uiState in
      uiState.facetQuery[attribute] = state.opened.facetQueries[attribute]
    } read: { uiState, _, state in
      state.opened.facetQueries[attribute] = uiState.facetQuery[attribute]
    }
    return [values, text] + (showMoreLimit == nil ? [] : [.showMore(attribute)])
  }

  /// Selects a value, or deselects it. It ends a search for values.
  public func toggle(_ value: String) -> Action {
    refining { state in
      let isRefined = state.values(of: attribute, operator: `operator`).contains(value)
      state.setRefined(!isRefined, by: value, of: attribute, operator: `operator`)
    }
  }

  /// Displays more values, or fewer again.
  public func toggleShowMore() -> Action {
    togglingShowMore(of: attribute, showMoreLimit)
  }

  /// Searches the values of the facet among the records that the search matches. A change of the
  /// search or an empty text ends it.
  ///
  /// The index's settings must declare the facet as `searchable(…)`.
  public func search(_ text: String) -> Action {
    action { $0.state.opened.facetQueries[attribute] = text.isEmpty ? nil : text }
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    switch `operator` {
    case .and: needs.conjunctiveFacets.insert(attribute)
    case .or: needs.disjunctiveFacets.insert(attribute)
    }
    needs.requireValuesPerFacet(showMoreLimit ?? limit)
    needs.requireCounts(ofValues: state.values(of: attribute, operator: `operator`).count)
  }

  /// The request that the widget needs beside the search.
  public func request(in context: Context) -> WidgetRequest? {
    guard let text = context.state.opened.facetQueries[attribute] else { return nil }
    return .facetValues(
      FacetValuesSearch(
        attribute: attribute, operator: `operator`, text: text, limit: searchLimit(context.state)))
  }

  /// The maximum number of values that a search for values returns.
  private static let maximumSearchLimit = 100

  /// The values of the facet, or the values that a search for values found. Empty before the first
  /// results.
  public func view(_ context: Context) -> View {
    let isShowingMore = context.state.opened.showMore.contains(attribute)
    guard let results = context.results else { return View(isShowingMore: isShowingMore) }
    if let view = searchView(context, results) { return view }
    let counts = results.counts
    let facet = counts.facets[attribute] ?? Facet(attribute: attribute)
    let missing = keepsSelected ? missingValues(of: facet, in: context.state) : []
    // Every hit has a value that all records must have.
    let isCommon = `operator` == .and && results.page.nbHits > 0
    let rows =
      facet.rows(in: context.state, operator: `operator`)
      + missing.sorted(by: String.isBeforeInUTF16).map { value in
        CountedValue(
          name: value,
          count: isCommon ? results.page.nbHits : counts.count(of: value, in: attribute),
          isRefined: true)
      }
    let values =
      rows
      .ordered(
        by: sortBy ?? .facetListDefault, results.valuesOrder(of: attribute),
        isOverriding: sortBy != nil)
    let limit = shownLimit(context.state)
    var items = values.prefix(limit).map(\.item)
    if keepsSelected {
      items += values.dropFirst(limit).filter(\.isRefined).map(\.item)
      // The server's order can hide values.
      let ordered = Set(values.map(\.name))
      items += context.state.values(of: attribute, operator: `operator`)
        .filter { !ordered.contains($0) }
        .map { value in
          FacetItem(
            value: value, count: counts.count(of: value, in: attribute), isRefined: true)
        }
    }
    // With as many values as requested, there may be more.
    let requested = max(results.query.maxValuesPerFacet ?? 0, showMoreLimit ?? self.limit)
    let unlistedCount = (counts.all(attribute)?.values.count ?? 0) - facet.values.count
    let foundCount = values.count { !missing.contains($0.name) } + max(0, unlistedCount)
    let isExhaustive = requested > limit ? foundCount <= limit : foundCount < limit
    return View(
      items: items, canRefine: !items.isEmpty,
      canToggleShowMore: (isShowingMore && items.count > self.limit)
        || (showMoreLimit != nil && !isExhaustive),
      isShowingMore: isShowingMore, hasExhaustiveItems: isExhaustive,
      hasExactCounts: counts.isExhaustive(attribute) ?? false,
      searchText: context.state.opened.facetQueries[attribute] ?? "",
      searchError: request(in: context) == nil ? nil : context.response?.result.error)
  }

  /// The selected values that are not listed.
  private func missingValues(of facet: Facet, in state: IndexState) -> Set<String> {
    Set(state.values(of: attribute, operator: `operator`)).subtracting(facet.values.map(\.value))
  }

  /// The view of the newest search for values; `nil` without one.
  private func searchView(_ context: Context, _ results: IndexResults) -> View? {
    guard let text = context.state.opened.facetQueries[attribute],
      case .success(.facetValues(let page))? = context.response?.result
    else { return nil }
    let counts = Facet(
      attribute: attribute,
      values: page.facetHits.map { FacetValue(value: $0.value, count: $0.count) })
    var items = counts.items(in: context.state, operator: `operator`)
    for (position, hit) in page.facetHits.enumerated() {
      items[position].highlighted = hit.highlighted
    }
    let hidden = Set(results.valuesOrder(of: attribute)?.hide ?? [])
    items.removeAll { hidden.contains($0.value) }
    return View(
      items: items, isFromSearch: true, canRefine: true,
      isShowingMore: context.state.opened.showMore.contains(attribute),
      hasExhaustiveItems: page.facetHits.count < searchLimit(context.state),
      hasExactCounts: page.exhaustiveFacetsCount, searchText: text)
  }

  private func searchLimit(_ state: IndexState) -> Int {
    min(shownLimit(state), Self.maximumSearchLimit)
  }

  private func shownLimit(_ state: IndexState) -> Int {
    state.opened.showMore.contains(attribute) ? showMoreLimit ?? limit : limit
  }
}

extension SearchWidget {
  /// Shows more values of an attribute, or fewer again. It throws if the widget never shows more.
  func togglingShowMore(of attribute: String, _ showMoreLimit: Int?) -> Action {
    action { context throws(SearchError) in
      guard showMoreLimit != nil else {
        throw SearchError(
          .invalidRequest,
          "The \(Self.self) of \"\(attribute)\" never shows more values. Set its showMoreLimit.")
      }
      if context.state.opened.showMore.remove(attribute) == nil {
        context.state.opened.showMore.insert(attribute)
      }
    }
  }
}

extension Result {
  /// The error of a failure.
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// The numbers of values that lists and menus display.
enum FacetLimits {
  /// The most values of a facet that a search returns.
  static let maximum = 1_000

  /// Returns usable numbers, even for a widget with a problem.
  static func usable(_ limit: Int, _ showMoreLimit: Int?) -> (limit: Int, showMoreLimit: Int?) {
    func usable(_ number: Int) -> Int { min(max(0, number), maximum) }
    return (usable(limit), showMoreLimit.map(usable))
  }

  static func check(_ attribute: String, of widget: String) throws(SearchError) {
    if attribute.isEmpty {
      throw SearchError(.invalidRequest, "The \(widget) needs an attribute.")
    }
  }

  static func check(
    _ limit: Int, _ showMoreLimit: Int?, of widget: String, _ attribute: String
  ) throws(SearchError) {
    try check(attribute, of: widget)
    guard (1...maximum).contains(limit) else {
      throw SearchError(
        .invalidRequest,
        """
        The limit of the \(widget) of "\(attribute)" must be between 1 and 1,000, and is \(limit).
        """)
    }
    if let showMoreLimit, showMoreLimit <= limit || showMoreLimit > maximum {
      throw SearchError(
        .invalidRequest,
        """
        The showMoreLimit of the \(widget) of "\(attribute)", \(showMoreLimit), must be larger than \
        its limit, \(limit), and not more than 1,000.
        """)
    }
  }
}
