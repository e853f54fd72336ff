package import InstantSearchJSON

extension HitFailure {
  /// Describes why a hit could not be read from a node.
  ///
  /// The coding path is given relative to the hit.
  package init(_ error: any Error, of hit: JSONNode, position: Int?) {
    let prefix = DecodingProblem.steps(hit.codingPath)
    let problem = DecodingProblem(error) { path in
      Self.node(at: DecodingProblem.steps(path).dropFirst(prefix.count), in: hit)
    }
    let objectID = hit[HitMember.objectID.rawValue]
    self.init(
      problem, below: prefix, position: position,
      objectID: objectID?.int64.map { String($0) } ?? objectID?.string)
  }

  /// Describes why a hit could not be read by any decoder, the coding path being given from its
  /// root.
  init(_ problem: DecodingProblem, below prefix: [String], position: Int?, objectID: String?) {
    var path = problem.codingPath[...]
    if path.starts(with: prefix) { path = path.dropFirst(prefix.count) }
    self.init(
      position: position, objectID: objectID, codingPath: Array(path), reason: problem.reason)
  }

  private static func node(at path: ArraySlice<String>, in node: JSONNode) -> JSONNode? {
    var node = node
    for step in path {
      let child = node.kind == .array ? Int(step).flatMap { node[$0] } : node[step]
      guard let child else { return nil }
      node = child
    }
    return node
  }
}
