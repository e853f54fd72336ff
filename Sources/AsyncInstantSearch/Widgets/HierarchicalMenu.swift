/// The values of a hierarchy as a tree, of which one path can be selected.
///
/// Use it for categories with subcategories, whose records have one attribute for each level. For
/// one level use ``FacetMenu``. A ``Breadcrumb`` of the same hierarchy shows the way back.
public struct HierarchicalMenu: RoutedWidget {
  /// What a hierarchical menu displays.
  public struct View: Sendable, Hashable {
    /// The values of the top level, each with its subtree.
    public var items: [FacetTreeNode] = []
    /// Whether there are values to choose.
    public var canRefine = false
    /// Whether more or fewer values can be displayed.
    public var canToggleShowMore = false
    /// Whether more values are displayed.
    public var isShowingMore = false
  }

  /// The hierarchy.
  public let hierarchy: HierarchicalFacet
  /// The number of displayed values of each level. A selected value beyond it is not displayed.
  public let limit: Int
  /// The number of displayed values when more are displayed; `nil` if there are never more.
  public let showMoreLimit: Int?
  /// The order of the values of a level; `nil` for the server's order, or else by name.
  public let sortBy: [FacetSortCriterion]?
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a hierarchical menu.
  ///
  /// - Parameters:
  ///   - hierarchy: The hierarchy, whose attributes must be facets.
  ///   - limit: The number of displayed values of each level. Defaults to 10. A selected value
  ///     beyond it is not displayed, nor are the values below, unless `sortBy` begins with
  ///     `.isRefined`.
  ///   - showMoreLimit: The number of displayed values when more are displayed. Defaults to `nil`:
  ///     there are never more.
  ///   - sortBy: The order of the values of a level. Defaults to `nil`: the server's order, or else
  ///     by name.
  ///
  /// It has a ``problem`` if the hierarchy has no attributes, if `limit` is not between 1 and
  /// 1,000, or if `showMoreLimit` is not larger, or above 1,000.
  public init(
    _ hierarchy: HierarchicalFacet, limit: Int = 10, showMoreLimit: Int? = nil,
    sortBy: [FacetSortCriterion]? = nil
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      try hierarchy.checkAttributes(of: "HierarchicalMenu")
      try FacetLimits.check(limit, showMoreLimit, of: "HierarchicalMenu", hierarchy.name)
    }
    self.hierarchy = hierarchy
    (self.limit, self.showMoreLimit) = FacetLimits.usable(limit, showMoreLimit)
    self.sortBy = sortBy
  }

  /// Selects a path. If the path or a path below it is already selected, its parent path is
  /// selected instead.
  ///
  /// The action throws `invalidRequest` if the path is empty.
  public func toggle(_ path: String) -> Action {
    action { context throws(SearchError) in
      guard !path.isEmpty else {
        throw SearchError(
          .invalidRequest, "The HierarchicalMenu of \"\(hierarchy.name)\" needs a path to choose.")
      }
      context.state.refine { $0.togglePath(path, of: hierarchy) }
    }
  }

  /// Displays more values of each level, or fewer again.
  public func toggleShowMore() -> Action {
    togglingShowMore(of: hierarchy.name, showMoreLimit)
  }

  /// The parts of the state of the user interface.
  public var parts: [WidgetPart] {
    [hierarchy.part] + (showMoreLimit == nil ? [] : [.showMore(hierarchy.name)])
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.declare(hierarchy)
    needs.requireValuesPerFacet(showMoreLimit ?? limit)
  }

  /// The values at each level of the selected path. No values before the first results.
  public func view(_ context: Context) -> View {
    let isShowingMore = context.state.opened.showMore.contains(hierarchy.name)
    guard let results = context.results else { return View(isShowingMore: isShowingMore) }
    let limit = isShowingMore ? showMoreLimit ?? limit : limit
    var isCut = false
    let tree = hierarchy.tree(
      refined: context.state.path(of: hierarchy), counts: results.counts
    ) { nodes, attribute in
      nodes.ordered(
        by: sortBy ?? [.name(.ascending)], results.valuesOrder(of: attribute),
        isOverriding: sortBy != nil)
    }
    let items = (tree ?? []).cut(to: limit, isCut: &isCut)
    return View(
      items: items, canRefine: !items.isEmpty,
      canToggleShowMore: showMoreLimit != nil && (isShowingMore || isCut),
      isShowingMore: isShowingMore)
  }
}

extension [FacetTreeNode] {
  /// Returns the first values of each level.
  fileprivate func cut(to limit: Int, isCut: inout Bool) -> [FacetTreeNode] {
    if count > limit { isCut = true }
    return prefix(limit).map { node in
      var node = node
      node.children = node.children?.cut(to: limit, isCut: &isCut)
      return node
    }
  }
}

/// The selected path of a hierarchy, as steps that lead back.
///
/// Use it above the hits, together with a ``HierarchicalMenu`` of the same hierarchy or in place of
/// it.
public struct Breadcrumb: RoutedWidget {
  /// What a breadcrumb displays.
  public struct View: Sendable, Hashable {
    /// The selected values, from the top.
    public var items: [Item] = []
    /// Whether a path is selected.
    public var canRefine = false
  }

  /// A step of the path.
  public struct Item: Sendable, Hashable {
    /// The last segment of the value.
    public var label: String
    /// The path down to the value.
    public var path: String
  }

  /// The hierarchy.
  public let hierarchy: HierarchicalFacet
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a breadcrumb, which has a ``problem`` if the hierarchy has no attributes.
  ///
  /// - Parameter hierarchy: The hierarchy, as in its menu.
  public init(_ hierarchy: HierarchicalFacet) {
    problem = SearchError.thrown { () throws(SearchError) in
      try hierarchy.checkAttributes(of: "Breadcrumb")
    }
    self.hierarchy = hierarchy
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] { [hierarchy.part] }

  /// Selects a path above the current one; `nil` removes the whole path.
  public func show(_ path: String?) -> Action {
    refining { $0.setPath(path, of: hierarchy) }
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.declare(hierarchy)
  }

  /// The items show the path of the state below the root path, even without matching hits.
  public func view(_ context: Context) -> View {
    guard let path = context.state.path(of: hierarchy) else { return View() }
    let items = zip(hierarchy.segments(of: path), hierarchy.paths(to: path))
      .dropFirst(hierarchy.rootDepth).map { Item(label: $0.trimmed, path: $1) }
    return View(items: items, canRefine: !items.isEmpty)
  }
}

extension HierarchicalFacet {
  /// The part that the widgets of the hierarchy share.
  fileprivate var part: WidgetPart {
    let levels = attributes.joined(separator: ", ")
    return WidgetPart(
      .hierarchicalMenu, name,
      form: "paths of \(levels) with \"\(separator ?? "")\" below \"\(rootPath ?? "")\""
    ) { state, _, uiState in
      uiState.hierarchicalMenu[name] = state.path(of: self).map {
        segments(of: $0.escapedFacetValue)
      }
    } read: { uiState, _, state in
      let segments = uiState.hierarchicalMenu[name]
      state.setPath(segments.map { path($0).unescapedFacetValue }, of: self)
    }
  }

  func checkAttributes(of widget: String) throws(SearchError) {
    guard !attributes.isEmpty, !attributes.contains("") else {
      throw SearchError(
        .invalidRequest, "The \(widget) needs the attributes of the levels, from the top.")
    }
    guard Set(attributes).count == attributes.count else {
      throw SearchError(
        .invalidRequest, "Two levels of the \(widget) of \"\(name)\" have the same attribute.")
    }
    guard rootDepth < attributes.count else {
      throw SearchError(
        .invalidRequest,
        """
        The root path "\(rootPath ?? "")" of the \(widget) of "\(name)" has \(rootDepth) levels, of \
        \(attributes.count): no level is below it.
        """)
    }
  }
}

extension IndexState {
  /// Refines by a path. If the path or a path below it is already refined, the parent path stays
  /// instead.
  mutating func togglePath(_ path: String, of hierarchy: HierarchicalFacet) {
    let refined = self.path(of: hierarchy).map(hierarchy.segments) ?? []
    let isRefined = refined.starts(with: hierarchy.segments(of: path))
    setPath(isRefined ? hierarchy.parent(of: path) : path, of: hierarchy)
  }
}
