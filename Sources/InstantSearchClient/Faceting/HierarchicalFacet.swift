/// How the refinements of one facet are joined.
public enum FacetOperator: String, Sendable, Hashable, Codable, CaseIterable {
  /// A record must have all values.
  case and
  /// A record must have one of the values.
  case or
}

/// A facet whose values are paths down a tree, with one attribute for each level.
///
/// ```swift
/// HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"])
/// // values: "Clothing", "Clothing > Men"
/// ```
public struct HierarchicalFacet: Sendable, Hashable, Codable {
  /// The name of the group of its filters.
  public var name: String
  /// The attributes of the levels, from the top.
  public var attributes: [String]
  /// The text between the segments of a path; `nil` if a value is always one segment, as in a menu.
  public var separator: String?
  /// The path below which the tree begins; `nil` for the whole tree.
  public var rootPath: String?
  /// Whether the tree includes the siblings of the refined values.
  public var showsParentLevel: Bool
  /// Whether the refined top value shows the number of all records below it, like the other top
  /// values, instead of the number of hits.
  public var persistsRootCount: Bool

  /// Creates a hierarchy.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of the levels, from the top.
  ///   - separator: The text between the segments of a path. Defaults to `" > "`.
  ///   - rootPath: The path below which the tree begins. Defaults to the whole tree.
  ///   - showsParentLevel: Whether the tree includes the siblings of the refined values. Defaults
  ///     to `true`.
  ///   - persistsRootCount: Whether the refined top value shows the number of all records below it,
  ///     instead of the number of hits. Defaults to `false`.
  ///   - name: The name of the group of its filters. Defaults to the attribute of the top level.
  public init(
    attributes: [String], separator: String? = " > ", rootPath: String? = nil,
    showsParentLevel: Bool = true, persistsRootCount: Bool = false, name: String? = nil
  ) {
    self.name = name ?? attributes.first ?? ""
    self.attributes = attributes
    self.separator = separator
    self.rootPath = rootPath
    self.showsParentLevel = showsParentLevel
    self.persistsRootCount = persistsRootCount
  }

  /// The segments of a path, at most one for each attribute. The last segment has the rest of the
  /// path, because a name can contain the separator.
  package func segments(of path: String) -> [String] {
    guard let separator, !separator.isEmpty else { return [path] }
    return path.split(
      separator: separator, maxSplits: max(0, attributes.count - 1),
      omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The number of segments of a path.
  package func depth(of path: String) -> Int { segments(of: path).count }

  /// The path with the segments.
  package func path(_ segments: some Sequence<String>) -> String {
    segments.joined(separator: separator ?? "")
  }

  /// The number of segments of the root path.
  package var rootDepth: Int { rootPath.map(depth) ?? 0 }

  /// Whether a path is the root path or below it.
  package func isBelowRoot(_ path: String) -> Bool {
    rootPath.map { segments(of: path).starts(with: segments(of: $0)) } ?? true
  }

  /// The paths of all levels down to a path, from the top.
  package func paths(to path: String) -> [String] {
    let segments = segments(of: path)
    return segments.indices.map { self.path(segments[...$0]) }
  }

  /// The path above a path; `nil` for a path of one segment.
  package func parent(of path: String) -> String? {
    let segments = segments(of: path)
    return segments.count > 1 ? self.path(segments.dropLast()) : nil
  }
}

extension FilterGroups {
  /// Returns the filters of a facet that are joined by an operator.
  package func filters(of attribute: String, operator: FacetOperator) -> [Filter.Facet] {
    let filters =
      switch `operator` {
      case .and: self[and: attribute].compactMap(Filter.Facet.init)
      case .or: Array(self[or: attribute])
      }
    return filters.filter { $0.attribute.rawValue == attribute }
  }

  /// The path that is refined in a hierarchy; `nil` without one. In a hierarchy with a root path,
  /// it is the root path unless a path below it is refined.
  package func path(of hierarchy: HierarchicalFacet) -> String? {
    let path = self[hierarchical: hierarchy.name].path.last?.value.text
    guard let root = hierarchy.rootPath else { return path }
    return path.flatMap { hierarchy.isBelowRoot($0) ? $0 : nil } ?? root
  }

  /// Refines by a path of a hierarchy, which can be the root path.
  package mutating func filter(by path: String?, of hierarchy: HierarchicalFacet) {
    let paths = path.map(hierarchy.paths) ?? []
    self[hierarchical: hierarchy.name] =
      paths.isEmpty
      ? HierarchicalFilters()
      : HierarchicalFilters(
        attributes: hierarchy.attributes.map(Attribute.init(_:)),
        path: zip(hierarchy.attributes, paths).map {
          Filter.Facet(attribute: Attribute($0), stringValue: $1)
        })
  }
}
