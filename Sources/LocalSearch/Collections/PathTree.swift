/// Attribute paths, to be looked up together with the paths above and beneath them.
///
/// Paths are compared component by component: what stands between dots. Components that only one
/// path goes through share a node, so n paths make at most 2n nodes, however many dots they have.
/// Adding a path and looking one up take time in proportion to its length.
struct PathTree: Sendable {
  /// How a path stands to those of the tree.
  struct Match {
    /// The lowest number of a path that is this one or above it; `nil` when there is none.
    var first: Int?
    /// The number of the path that is this one or the nearest above it; `nil` when there is none.
    var nearest: Int?
    /// Whether the path itself is in the tree.
    var isListed = false
    /// Whether something beneath the path is in the tree.
    var isAbove = false
  }

  /// The way from a node to one beneath it, by the first component.
  private struct Edge: Hashable {
    var node: Int
    var component: Substring
  }

  private struct Node {
    /// The components that lead to the node, after the first one.
    var tail = PathComponents()
    /// The number of the path that ends here.
    var number: Int?
    var hasChildren = false
  }

  /// The first is above all others.
  private var nodes = [Node()]
  private var edges: [Edge: Int] = [:]

  /// Creates a tree without paths.
  init() {}

  /// Creates a tree of paths with their places in the list as numbers.
  init(_ paths: some Sequence<String>, _ checkpoint: Checkpoint) throws {
    for (number, path) in paths.enumerated() { try add(path, number: number, checkpoint) }
  }

  /// Whether there are no paths.
  var isEmpty: Bool { edges.isEmpty }

  /// Adds a path; one that is already there keeps its number.
  mutating func add(_ path: String, number: Int, _ checkpoint: Checkpoint) throws {
    var rest = PathComponents(path)
    var node = 0
    while let component = rest.next() {
      try checkpoint.count(bytes: component.utf8.count)
      let edge = Edge(node: node, component: component)
      guard let child = edges[edge] else {
        edges[edge] = nodes.count
        nodes[node].hasChildren = true
        nodes.append(Node(tail: rest, number: number))
        return
      }
      let left = try nodes[child].tail.removingCommon(with: &rest, checkpoint)
      node = left.map { split(edge, child, before: $0) } ?? child
    }
    if nodes[node].number == nil { nodes[node].number = number }
  }

  /// Puts a node between the ends of an edge, and returns it.
  ///
  /// - Parameter left: The components that then lead from the new node to the child.
  private mutating func split(_ edge: Edge, _ child: Int, before left: PathComponents) -> Int {
    var left = left
    let middle = nodes.count
    nodes.append(Node(tail: nodes[child].tail.before(left), hasChildren: true))
    edges[edge] = middle
    if let component = left.next() { edges[Edge(node: middle, component: component)] = child }
    nodes[child].tail = left
    return middle
  }

  /// Looks a path up.
  func match(_ path: String, _ checkpoint: Checkpoint) throws -> Match {
    var match = Match()
    if isEmpty { return match }
    var rest = PathComponents(path)
    var node = 0
    while let component = rest.next() {
      match.isListed = false
      try checkpoint.count(bytes: component.utf8.count)
      guard let child = edges[Edge(node: node, component: component)] else { return match }
      guard try nodes[child].tail.removingCommon(with: &rest, checkpoint) == nil
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

/// The components of an attribute's path, which dots separate, or those that are left of them.
///
/// Every path has at least one; those of `a..b` are `a`, an empty one and `b`.
struct PathComponents: Sendable {
  private var rest: Substring.UTF8View?

  /// Creates what has no components.
  init() {}

  /// The components of a path.
  init(_ path: String) { rest = path[...].utf8 }

  /// Whether none are left.
  var isEmpty: Bool { rest == nil }

  /// Takes the first component off; `nil` when none is left.
  mutating func next() -> Substring? {
    guard let text = rest else { return nil }
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else {
      rest = nil
      return Substring(text)
    }
    rest = text[text.index(after: dot)...]
    return Substring(text[..<dot])
  }

  /// Takes off the components that others begin with, from these and from the others.
  ///
  /// - Returns: Those that are left here, of which the first is not that of the others; `nil` when
  ///   none is left.
  func removingCommon(
    with others: inout PathComponents, _ checkpoint: Checkpoint
  ) throws -> PathComponents? {
    var left = self
    while true {
      var ahead = left
      guard let component = ahead.next() else { return nil }
      try checkpoint.count(bytes: component.utf8.count)
      var othersAhead = others
      guard othersAhead.next() == component else { return left }
      left = ahead
      others = othersAhead
    }
  }

  /// The components before those that are left of the same path.
  func before(_ left: PathComponents) -> PathComponents {
    var before = PathComponents()
    if let text = rest, let end = left.rest?.startIndex, text.startIndex < end {
      before.rest = text[..<text.index(before: end)]
    }
    return before
  }
}
