/// The values of a hierarchy as a tree, of which one path can be chosen.
package struct HierarchicalMenu: Widget {
  /// What a hierarchical menu displays.
  package struct View: Sendable, Hashable {
    /// The values of the top level, each with those below it.
    package var items: [FacetTreeNode] = []
    /// Whether there are values to choose.
    package var canRefine = false
    /// Whether more or fewer values can be displayed.
    package var canToggleShowMore = false
    /// Whether more values are displayed.
    package var isShowingMore = false
  }

  package static var initialMemory: FacetList.Memory { FacetList.Memory() }

  /// The hierarchy.
  package let hierarchy: HierarchicalFacet
  /// The number of displayed values of each level.
  package let limit: Int
  /// The number of displayed values when more are displayed; `nil` if there are never more.
  package let showMoreLimit: Int?
  /// The order of the values of a level; `nil` for the server's order, or else by name.
  package let sortBy: [FacetSortCriterion]?

  /// Creates a hierarchical menu.
  ///
  /// - Parameters:
  ///   - hierarchy: The hierarchy, whose attributes must be facets.
  ///   - limit: The number of displayed values of each level. Defaults to 10.
  ///   - showMoreLimit: The number of displayed values when more are displayed. Defaults to `nil`:
  ///     there are never more.
  ///   - sortBy: The order of the values of a level. Defaults to `nil`: the server's order, or else
  ///     by name.
  /// - Throws: `invalidRequest` if the hierarchy has no attributes, if `limit` is not positive, or
  ///   if `showMoreLimit` is not larger.
  package init(
    _ hierarchy: HierarchicalFacet, limit: Int = 10, showMoreLimit: Int? = nil,
    sortBy: [FacetSortCriterion]? = nil
  ) throws(SearchError) {
    try hierarchy.checkAttributes(of: "HierarchicalMenu")
    try FacetLimits.check(limit, showMoreLimit, of: "HierarchicalMenu", hierarchy.name)
    self.hierarchy = hierarchy
    self.limit = limit
    self.showMoreLimit = showMoreLimit
    self.sortBy = sortBy
  }

  /// Chooses a path. A chosen path, or one above it, is removed: the path above it is chosen.
  package func toggle(_ path: String) -> WidgetAction {
    .refine { $0.togglePath(path, of: hierarchy) }
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    parameters.declare(hierarchy)
    parameters.requireValuesPerFacet(showMoreLimit ?? limit)
  }

  /// The root path is a refinement if there is no other.
  package func complete(_ state: inout IndexState) {
    if hierarchy.rootPath != nil, state.path(of: hierarchy) == nil {
      state.setPath(hierarchy.rootPath, of: hierarchy)
    }
  }

  package func view(_ context: WidgetContext<FacetList.Memory>) -> View {
    let isShowingMore = context.memory.isShowingMore
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

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.hierarchicalMenu[hierarchy.name] = hierarchy.uiSegments(in: state)
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    let segments = uiState.hierarchicalMenu[hierarchy.name]
    let path = segments.map { hierarchy.path($0).unescapedFacetValue } ?? hierarchy.rootPath
    state.setPath(path, of: hierarchy)
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

/// The chosen path of a hierarchy, as steps that lead back.
package struct Breadcrumb: Widget {
  /// What a breadcrumb displays.
  package struct View: Sendable, Hashable {
    /// The chosen values, from the top.
    package var items: [Item] = []
    /// Whether a path is chosen.
    package var canRefine = false
  }

  /// A step of the path.
  package struct Item: Sendable, Hashable {
    /// The last segment of the value.
    package var label: String
    /// The path down to the value.
    package var path: String
  }

  /// The hierarchy.
  package let hierarchy: HierarchicalFacet

  /// Creates a breadcrumb.
  ///
  /// - Parameter hierarchy: The hierarchy, as in its menu.
  /// - Throws: `invalidRequest` if the hierarchy has no attributes.
  package init(_ hierarchy: HierarchicalFacet) throws(SearchError) {
    try hierarchy.checkAttributes(of: "Breadcrumb")
    self.hierarchy = hierarchy
  }

  /// Chooses a path above the current one; `nil` removes the whole path.
  package func show(_ path: String?) -> WidgetAction {
    .refine { $0.setPath(path, of: hierarchy) }
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    parameters.declare(hierarchy)
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    guard let results = context.results else { return View() }
    var level = hierarchy.tree(
      refined: context.state.path(of: hierarchy), counts: results.counts,
      sort: { nodes, _ in nodes })
    var items: [Item] = []
    while let node = level?.first(where: \.isRefined) {
      items.append(Item(label: node.name, path: node.value))
      level = node.children
    }
    return View(items: items, canRefine: !items.isEmpty)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.hierarchicalMenu[hierarchy.name] = hierarchy.uiSegments(in: state)
  }
}

extension HierarchicalFacet {
  /// The segments of the refined path, as the UI state has them.
  fileprivate func uiSegments(in state: IndexState) -> [String]? {
    state.path(of: self).map { segments(of: $0.escapedFacetValue) }
  }

  func checkAttributes(of widget: String) throws(SearchError) {
    guard !attributes.isEmpty, !attributes.contains("") else {
      throw SearchError(
        .invalidRequest, "The \(widget) needs the attributes of the levels, from the top.")
    }
  }
}

extension IndexState {
  /// Refines by a path. A refined path, or one above it, is removed: the path above it stays.
  mutating func togglePath(_ path: String, of hierarchy: HierarchicalFacet) {
    let refined = self.path(of: hierarchy).map(hierarchy.segments) ?? []
    let isRefined = refined.starts(with: hierarchy.segments(of: path))
    setPath(isRefined ? hierarchy.parent(of: path) : path, of: hierarchy)
  }
}
