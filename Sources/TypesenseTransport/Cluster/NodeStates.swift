import InstantSearchHTTP

/// The nodes of a cluster, and which of them have failed. Callers pass the time.
///
/// The order is the one of the official JavaScript client: the nearest node while it is healthy,
/// then the others in turn. A node that failed is left out, and tried again after an interval. If
/// all have failed, the next one is tried anyway. A call tries other nodes before it tries one
/// again.
struct NodeStates: Sendable {
  /// The nearest node first, if there is one, then the others.
  let nodes: [SearchHost]
  private let hasNearest: Bool
  private let interval: Duration
  /// When a node failed, or `nil` for a healthy one.
  private var failures: [Duration?]
  private var last = -1

  /// Creates the state in which all nodes are healthy.
  ///
  /// - Parameter interval: The time after which a failed node is tried again.
  init(_ nodes: [SearchHost], nearest: SearchHost?, interval: Duration) {
    self.nodes = [nearest].compactMap(\.self) + nodes
    hasNearest = nearest != nil
    self.interval = interval
    failures = Array(repeating: nil, count: self.nodes.count)
  }

  /// Returns the index of the node for the next attempt.
  ///
  /// - Parameter tried: The nodes that the call has tried. Calls at the same time share the turns,
  ///   so without them all attempts of a call could go to one node.
  mutating func next(at now: Duration, after tried: Set<Int> = []) -> Int {
    if hasNearest, isUsable(0, at: now), !tried.contains(0) { return 0 }
    let first = hasNearest && nodes.count > 1 ? 1 : 0
    let count = nodes.count - first
    let turn = (1...count).map { (last + $0) % count }
    last =
      turn.first { isUsable($0 + first, at: now) && !tried.contains($0 + first) }
      ?? turn.first { !tried.contains($0 + first) } ?? turn[0]
    return last + first
  }

  /// All nodes in the order in which they are asked which one leads: a likely one, the healthy ones
  /// and the others.
  func order(at now: Duration, likely: Int?) -> [Int] {
    let others = nodes.indices.filter { $0 != likely }
    return [likely].compactMap(\.self) + others.filter { isUsable($0, at: now) }
      + others.filter { !isUsable($0, at: now) }
  }

  private func isUsable(_ node: Int, at now: Duration) -> Bool {
    failures[node].map { now - $0 >= interval } ?? true
  }

  /// Records whether a node responded.
  mutating func record(isHealthy: Bool, node: Int, at now: Duration) {
    failures[node] = isHealthy ? nil : now
  }
}
