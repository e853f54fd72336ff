/// Attribute paths that are looked up together with the paths above and below them.
///
/// Paths are compared by component, which dots separate. Components that only one path contains
/// share a node. So n paths make at most 2n nodes, regardless of the number of dots. Adding a path
/// and looking one up take time in proportion to its length.
struct PathTree: Sendable {
  /// The relation of a path to the paths of the tree.
  struct Match {
    /// The lowest number of a path that is equal to this one or above it, or `nil`.
    var first: Int?
    /// The number of the path that is equal to this one or the nearest above it, or `nil`.
    var nearest: Int?
    /// Whether the path itself is in the tree.
    var isListed = false
    /// Whether a path below this one is in the tree.
    var isAbove = false
  }

  /// The edge from a node to one below it, identified by its first component.
  private struct Edge: Hashable {
    var node: Int
    var component: Substring
  }

  private struct Node {
    /// The components that lead to the node, after the first one.
    var tail = PathComponents()
    /// The number of the path that ends here, if any.
    var number: Int?
    var hasChildren = false
  }

  /// The first node is the root.
  private var nodes = [Node()]
  private var edges: [Edge: Int] = [:]

  /// Creates a tree without paths.
  init() {}

  /// Creates a tree of paths, numbered by their index in the list.
  init(_ paths: some Sequence<String>, _ cancellation: CancellationCheck) throws {
    for (number, path) in paths.enumerated() { try add(path, number: number, cancellation) }
  }

  /// Whether there are no paths.
  var isEmpty: Bool { edges.isEmpty }

  /// Adds a path. A path that is already in the tree keeps its number.
  mutating func add(_ path: String, number: Int, _ cancellation: CancellationCheck) throws {
    var rest = PathComponents(path)
    var node = 0
    while let component = rest.next() {
      try cancellation.count(bytes: component.utf8.count)
      let edge = Edge(node: node, component: component)
      guard let child = edges[edge] else {
        edges[edge] = nodes.count
        nodes[node].hasChildren = true
        nodes.append(Node(tail: rest, number: number))
        return
      }
      let left = try nodes[child].tail.removingCommon(with: &rest, cancellation)
      node = left.map { split(edge, child, before: $0) } ?? child
    }
    if nodes[node].number == nil { nodes[node].number = number }
  }

  /// Inserts a node in an edge, and returns it.
  ///
  /// - Parameter left: The components that lead from the new node to the child.
  private mutating func split(_ edge: Edge, _ child: Int, before left: PathComponents) -> Int {
    var left = left
    let middle = nodes.count
    nodes.append(Node(tail: nodes[child].tail.before(left), hasChildren: true))
    edges[edge] = middle
    if let component = left.next() { edges[Edge(node: middle, component: component)] = child }
    nodes[child].tail = left
    return middle
  }

  /// Looks up a path.
  func match(_ path: String, _ cancellation: CancellationCheck) throws -> Match {
    var match = Match()
    if isEmpty { return match }
    var rest = PathComponents(path)
    var node = 0
    while let component = rest.next() {
      match.isListed = false
      try cancellation.count(bytes: component.utf8.count)
      guard let child = edges[Edge(node: node, component: component)] else { return match }
      guard try nodes[child].tail.removingCommon(with: &rest, cancellation) == nil
      else {
        match.isAbove = rest.isEmpty
        return match
      }
      node = child
      guard let number = nodes[node].number else { continue }
      match.first = min(match.first ?? number, number)
      match.nearest = number
      match.isListed = true
    }
    match.isAbove = nodes[node].hasChildren
    return match
  }
}

/// The components of an attribute's path, which dots separate, or the remaining ones.
///
/// Every path has at least one component. The components of `a..b` are `a`, an empty one and `b`.
struct PathComponents: Sendable {
  private var rest: Substring.UTF8View?

  /// Creates an empty list of components.
  init() {}

  /// Creates the components of a path.
  init(_ path: String) { rest = path[...].utf8 }

  /// Whether no component remains.
  var isEmpty: Bool { rest == nil }

  /// Removes and returns the first component, or `nil`.
  mutating func next() -> Substring? {
    guard let text = rest else { return nil }
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else {
      rest = nil
      return Substring(text)
    }
    rest = text[text.index(after: dot)...]
    return Substring(text[..<dot])
  }

  /// Removes the common first components from this list and from another one.
  ///
  /// - Returns: The remaining components, the first of which differs from the other list's, or
  ///   `nil` if none remain.
  func removingCommon(
    with others: inout PathComponents, _ cancellation: CancellationCheck
  ) throws -> PathComponents? {
    var left = self
    while true {
      var ahead = left
      guard let component = ahead.next() else { return nil }
      try cancellation.count(bytes: component.utf8.count)
      var othersAhead = others
      guard othersAhead.next() == component else { return left }
      left = ahead
      others = othersAhead
    }
  }

  /// Returns the components before the remaining ones of the same path.
  func before(_ left: PathComponents) -> PathComponents {
    var before = PathComponents()
    if let text = rest, let end = left.rest?.startIndex, text.startIndex < end {
      before.rest = text[..<text.index(before: end)]
    }
    return before
  }
}
