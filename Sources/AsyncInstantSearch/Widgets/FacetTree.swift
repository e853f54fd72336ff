/// A value of a hierarchy with the values below it.
public struct FacetTreeNode: Sendable, Hashable {
  /// The last segment of the path, or the rest of the path after the parent value, if the name
  /// contains the separator. Without surrounding spaces.
  public var name: String
  /// The whole path, which refines by the value.
  public var value: String
  /// The number of hits with the value.
  public var count: Int
  /// Whether the value, or one below it, is refined.
  public var isRefined: Bool
  /// Whether the count is exact.
  public var isExhaustive: Bool
  /// The values below; `nil` unless the value is refined and the response has that level.
  public var children: [FacetTreeNode]?
}

extension FacetTreeNode: SortableFacetValue {
  package var path: String? { value }
  package var sortedCount: Int { count }
}

extension HierarchicalFacet {
  /// Returns the tree of a hierarchy's values.
  ///
  /// - Parameters:
  ///   - refined: The refined path; `nil` without one.
  ///   - counts: The merged facets of the responses.
  ///   - sort: Sorts the values of a level, given its attribute.
  /// - Returns: The values of the top level; `nil` if the response does not have it.
  /// - Complexity: O(*n* log *n*) in the number of values of all levels.
  package func tree(
    refined: String?, counts: FacetCounts, sort: ([FacetTreeNode], String) -> [FacetTreeNode]
  ) -> [FacetTreeNode]? {
    let root = rootPath.map(segments) ?? []
    let refined = refined.map(segments) ?? []
    return level(
      root.count, below: root, refined: refined, root: root, counts: counts, sort: sort)
  }

  private func level(
    _ level: Int, below parent: [String], refined: [String], root: [String],
    counts: FacetCounts, sort: ([FacetTreeNode], String) -> [FacetTreeNode]
  ) -> [FacetTreeNode]? {
    guard attributes.indices.contains(level) else { return nil }
    let attribute = attributes[level]
    guard let facet = counts.facets[attribute] else { return nil }
    let nodes = facet.values.compactMap { value -> FacetTreeNode? in
      let path = segments(of: value.value)
      guard isShown(path, below: parent, refined: refined, root: root) else { return nil }
      return FacetTreeNode(
        name: self.path(path[min(parent.count, path.count - 1)...]).trimmed, value: value.value,
        count: value.count,
        isRefined: refined.starts(with: path),
        isExhaustive: counts.isExhaustive(attribute) ?? false)
    }
    var sorted = sort(nodes, attribute)
    // A refined value of the level has children. Its ancestors are refined as well.
    if let position = sorted.firstIndex(where: \.isRefined) {
      sorted[position].children = self.level(
        level + 1, below: segments(of: sorted[position].value), refined: refined, root: root,
        counts: counts, sort: sort)
    }
    return sorted
  }

  /// Whether the tree includes a path.
  private func isShown(
    _ path: [String], below parent: [String], refined: [String], root: [String]
  ) -> Bool {
    guard path.starts(with: root), path.count > root.count else { return false }
    // The top level is always whole, and the way to the refined value is always there.
    if path.count == root.count + 1 || refined.starts(with: path) { return true }
    // A record in two trees has values below another parent. A name can contain the separator.
    guard path.count > parent.count, path.starts(with: parent) else { return false }
    return showsParentLevel || path.starts(with: refined)
  }
}

extension String {
  /// The text without surrounding spaces.
  var trimmed: String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[start...end])
  }
}
